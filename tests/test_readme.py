# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""
Every fenced block of the guides is run, or held to what is there; links lead somewhere, and guides stay short.

Python blocks of a file run in their order, in one namespace and one folder, which has the files that the text names.
YAML blocks are loaded. Command lines of `answer-selection` are run, all others held to the scripts, options and extras
that they name. A block that can't be run has `<!-- not run: reason -->` before it, and is printed.
"""

import importlib.util
import io
import json
import os
import re
import shlex
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
import typer
import yaml
from elasticsearch import Elasticsearch
from haystack import Pipeline
from markdown_it import MarkdownIt

from answer_selection.indexing.elasticsearch.settings import read_index_settings
from answer_selection.pipelines.experiments.experiment import read_experiment
from answer_selection.pipelines.training.pretraining_recipe import read_pretraining
from answer_selection.pipelines.training.recipe import read_recipe
from conftest import read_lines, write_lines

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).parents[1]
FOLDERS = ("[a-z]*", "components/*", "indexing/*", "pipelines/*")
PATTERNS = ("README.md", "CONTRIBUTING.md", ".github/*.md", *(f"{folder}/README.md" for folder in FOLDERS))
READMES = sorted(path for pattern in PATTERNS for path in REPOSITORY.glob(pattern))
MOST_WORDS = {"README.md": 700, "components/README.md": 2500, "indexing/README.md": 2500, "pipelines/README.md": 2500}
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NOT_RUN = re.compile(r"<!--\s*not run:\s*(.+?)\s*-->")
# Commands of others: that they are what the reader has is not for these tests to say.
OTHERS = ("git", "cd", "docker", "curl", "apt-get", "export", "dpkg")
PROSE = ("", "text", "mermaid")
# Of a heading, what GitHub leaves out of its anchor.
NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")
# Of a StackExchange site.
DISHES = ("an egg", "rice", "a soup", "bread", "a cake", "a pie", "pasta", "stew")
POSTS = "<posts>\n{}</posts>\n".format(
    "".join(
        f'<row Id="{number}" PostTypeId="1" Title="How long does {dish} take?" Tags="|time|" />\n'
        f'<row Id="{number + 1}" PostTypeId="2" ParentId="{number}" Score="3" Body="For {dish}, {number} minutes." />\n'
        for number, dish in zip(range(1, 16, 2), DISHES, strict=True)
    )
)

TINY_ENCODER = """\
encoder: {model_type: bert, hidden_size: 16, num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16}
vocab_size: 300
max_length: 128
epochs: 1
use_cpu: true
"""


@dataclass(frozen=True)
class Block:
    """A fenced block: where it is, in which language, and why it is not run, if it is not."""

    where: str
    language: str
    text: str
    not_run: str | None


def blocks(readme: Path) -> Iterator[Block]:
    not_run = None
    for token in MarkdownIt("commonmark").enable("table").parse(readme.read_text(encoding="utf-8")):
        if token.type == "html_block" and (match := NOT_RUN.search(token.content)):
            not_run = match[1]
        elif token.type == "fence":
            where = f"{readme.relative_to(REPOSITORY)}:{token.map[0] + 1}"
            yield Block(where, token.info.strip().split(" ")[0], token.content, not_run)
            not_run = None


def command_lines(text: str) -> Iterator[list[str]]:
    """The single commands of a bash block, as words."""
    for line in text.replace("\\\n", " ").splitlines():
        for part in re.split(r"\s(?:&&|\|\||;|\|)\s", line):
            if words := shlex.split(part, comments=True):
                yield words


@pytest.fixture
def folder(tmp_path: Path, small_faq) -> Path:
    """Where a reader of the READMEs might be: the files that the commands there name."""
    shutil.copy(small_faq.entries, tmp_path / "faq.jsonl")
    (tmp_path / "indexing" / "library_faq").mkdir(parents=True)
    shutil.copy(small_faq.entries, tmp_path / "indexing" / "library_faq" / "faq.jsonl")
    write_lines(tmp_path / "queries.jsonl", read_lines(small_faq.queries)[:20])
    (tmp_path / "help.md").write_text("# Where can I park?\n\nBehind the building.\n", encoding="utf-8")
    (tmp_path / "shop.html").write_text(
        "<details><summary>Do you sell bags?</summary>Yes, at the desk.</details>", encoding="utf-8"
    )
    for name, text in (
        ("docs/faq.md", "# Where can I leave my bike?\n\nBehind the building.\n"),
        ("web/faq/room.html", "<details><summary>Can I book a room?</summary>Yes.</details>"),
    ):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "fragen.csv").write_text("Thema;Text\nWie spät?;Früh.\n", encoding="cp1252")
    (tmp_path / "asked.txt").write_text("How long can I keep a book?\nI lost my card\n", encoding="utf-8")
    (tmp_path / "synonyms.txt").write_text("sofa, couch, settee\n", encoding="utf-8")
    (tmp_path / "tiny-encoder.yaml").write_text(TINY_ENCODER, encoding="utf-8")
    (tmp_path / "corpus.jsonl").write_text('{"entry_id": "a", "answer": "One."}\n', encoding="utf-8")
    (tmp_path / "manual.txt").write_text("Turn the handle to the left, and wait.\n" * 50, encoding="utf-8")
    (tmp_path / "cooking.stackexchange.com").mkdir()
    (tmp_path / "cooking.stackexchange.com" / "Posts.xml").write_text(POSTS, encoding="utf-8")
    return tmp_path


@pytest.fixture
def cluster(request, monkeypatch) -> Iterator[Callable]:
    """Called, it names the tests' Elasticsearch in the environment; what the examples make in it is deleted."""
    clients = []

    def name() -> None:
        if not clients:
            node = request.getfixturevalue("elasticsearch_node")
            monkeypatch.setenv("ELASTICSEARCH_HOSTS", node.url)
            clients.append(Elasticsearch(node.url))

    yield name
    for client in clients:
        for index in client.indices.get(index="faq*"):
            client.indices.delete(index=index)
        client.options(ignore_status=404).indices.delete_index_template(name="faq*")
        client.close()


@pytest.mark.parametrize("readme", READMES, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_what_a_readme_shows_is_so(readme: Path, folder: Path, command: Callable, cluster: Callable, capsys):
    namespace: dict = {"__name__": "readme"}
    for block in blocks(readme):
        if not block.not_run and "--store elasticsearch" in block.text:
            cluster()
        if block.not_run:
            with capsys.disabled():
                print(f"\n{block.where} is not run: {block.not_run}")
        elif block.language == "python":
            exec(compile(block.text, block.where, "exec"), namespace)
        elif block.language == "bash":
            for words in command_lines(block.text):
                check_command(words, command, block.where)
        elif block.language == "yaml":
            check_yaml(block.text, folder)
        elif block.language in ("json", "jsonl"):
            for line in block.text.splitlines() if block.language == "jsonl" else [block.text]:
                json.loads(line)
        elif block.language == "toml":
            tomllib.loads(block.text)
        else:
            assert block.language in PROSE, f"{block.where}: nothing holds {block.language!r} blocks to anything"


def check_yaml(text: str, folder: Path) -> None:
    """A pipeline is loaded as a user would, anything else read as what its sections say."""
    content = yaml.safe_load(text)
    if "components" in content:
        Pipeline.loads(text)
    elif set(content) & {"model", "vectors", "training", "negatives", "encoder_tuning"}:
        (folder / "recipe.yaml").write_text(text, encoding="utf-8")
        read_recipe(folder / "recipe.yaml")
    elif "data" in content:
        (folder / "experiment.yaml").write_text(text, encoding="utf-8")
        read_experiment(folder / "experiment.yaml")
    elif "encoder" in content:
        (folder / "encoder.yaml").write_text(text, encoding="utf-8")
        read_pretraining(folder / "encoder.yaml")
    elif "search_fields" in content:
        (folder / "index.yaml").write_text(text, encoding="utf-8")
        read_index_settings(folder / "index.yaml")


def check_command(words: list[str], command: Callable, where: str) -> None:
    """Run a command line that is ours and quick; hold any other to what it names."""
    while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
        words = words[1:]
    program, arguments = Path(words[0]).name, words[1:]
    if program == "answer-selection":
        check_own(arguments, command, where)
    elif program == "pip":
        check_pip(arguments, where)
    elif re.fullmatch(r"python[\d.]*", program):
        if arguments[0] == "-m":
            assert importlib.util.find_spec(arguments[1]), f"{where}: there is no module {arguments[1]}"
            if arguments[1] == "pip":
                check_pip(arguments[2:], where)
        else:
            check_script(arguments, where)
    else:
        installed = Path(sys.executable).with_name(program).is_file() or shutil.which(program)
        assert program in OTHERS or installed, f"{where}: {words[0]}"


def check_own(arguments: list[str], command: Callable, where: str) -> None:
    if arguments == ["eval"]:
        # The whole chain takes minutes, and has a test of its own.
        return
    if arguments[0] == "pretrain":
        # The shipped settings take twenty seconds, and have tests of their own.
        arguments = [*arguments, "--recipe", "tiny-encoder.yaml"]
    if ">" in arguments:
        # Output is captured here, and not written.
        arguments = arguments[: arguments.index(">")]
    with pytest.MonkeyPatch.context() as patch:
        if "<" in arguments:
            arguments, file = arguments[: arguments.index("<")], arguments[arguments.index("<") + 1]
            patch.setattr("sys.stdin", io.StringIO(Path(file).read_text(encoding="utf-8")))
        done = command(*arguments)
    assert done.code == 0, f"{where}: answer-selection {shlex.join(arguments)}: {done.err}"


def check_pip(arguments: list[str], where: str) -> None:
    extras = PROJECT["optional-dependencies"]
    for named in re.findall(r"\[([\w,]+)\]", " ".join(arguments)):
        assert set(named.split(",")) <= set(extras), f"{where}: there is no extra {named}"


def check_script(arguments: list[str], where: str) -> None:
    """The script is there, and has the options that the command gives it."""
    script, given = REPOSITORY / arguments[0], arguments[1:]
    assert script.is_file(), f"{where}: there is no {arguments[0]}"
    from answer_selection.pipelines.commands import eval as eval_module
    from answer_selection.pipelines.experiments import probe, run, tables

    functions = {
        "eval.py": eval_module.evaluate,
        "probe.py": probe.probe,
        "run.py": run.run,
        "tables.py": tables.write_tables,
    }
    if script.name in functions:
        app = typer.Typer(add_completion=False)
        app.command()(functions[script.name])
        # Raises on an option that is not there, or lacks a value.
        typer.main.get_command(app).make_context(script.name, list(given))
    else:
        source = script.read_text(encoding="utf-8")
        for option in (word.partition("=")[0] for word in given if word.startswith("--")):
            assert option in source or f"{option[2:].replace('-', '_')}:" in source, f"{where}: {script.name} {option}"


def main_commands() -> list[str]:
    shown = [block.text for block in blocks(REPOSITORY / "README.md") if block.language == "bash"]
    return [line for text in shown for line in text.splitlines()]


def test_the_tests_of_a_clean_clone_are_the_readmes_own_command():
    [tests] = [line for line in main_commands() if "pytest" in line]
    script = REPOSITORY / ".ci" / "run"
    lines = [line for line in script.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert lines[-1] == tests
    # Before it only the shell is set up, and a browser is installed where there is none.
    assert lines[:-2] == ["set -euo pipefail", 'cd "$(dirname "$0")/.."', "export CI=true"]
    assert lines[-2].startswith("command -v chromium ")
    assert os.access(script, os.X_OK)


def test_the_main_job_is_one_line_that_sets_itself_up():
    [main] = [line for line in main_commands() if line.endswith("pipelines/eval.py")]
    assert "-m venv" in main
    assert "pip install" in main


def headings(readme: Path) -> set[str]:
    """The anchors of a file's headings."""
    tokens = MarkdownIt("commonmark").parse(readme.read_text(encoding="utf-8"))
    titles = [inline for before, inline in pairwise(tokens) if before.type == "heading_open"]
    texts = ("".join(part.content for part in inline.children or ()) for inline in titles)
    return {NOT_IN_ANCHORS.sub("", text.lower()).replace(" ", "-") for text in texts}


@pytest.mark.parametrize("readme", READMES, ids=lambda path: str(path.relative_to(REPOSITORY)))
def test_links_lead_somewhere(readme: Path):
    for token in MarkdownIt("commonmark").enable("table").parse(readme.read_text(encoding="utf-8")):
        for inline in token.children or ():
            link = str(inline.attrs.get("href") or inline.attrs.get("src") or "")
            if not link or "://" in link:
                continue
            name, _, anchor = link.partition("#")
            target = readme.parent / name if name else readme
            assert target.exists(), f"{readme.relative_to(REPOSITORY)}: {link}"
            if anchor:
                assert anchor in headings(target), f"{readme.relative_to(REPOSITORY)}: {link}"


@pytest.mark.parametrize(("name", "most"), MOST_WORDS.items())
def test_a_guide_for_users_is_short(name: str, most: int):
    # As `wc -w` counts: whatever stands between white space, in code and tables, too.
    assert len((REPOSITORY / name).read_text(encoding="utf-8").split()) <= most
