# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What is installed from the wheel alone: all of it is there, and it works outside the repository."""

import os
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).parents[1]
SHARED = (
    "haystack_integrations",
    "haystack_integrations/components",
    "haystack_integrations/components/converters",
    "haystack_integrations/components/embedders",
    "haystack_integrations/components/rankers",
    "haystack_integrations/components/retrievers",
    "haystack_integrations/document_stores",
    "answer_selection",
)
DATA = (".yaml", ".html", ".css", ".js", ".jsonl", ".json", ".safetensors", ".typed")


def installed_name(path: Path) -> str:
    """Where a file of the repository stands in the wheel."""
    relative = path.relative_to(REPOSITORY)
    if relative.is_relative_to("indexing/document_stores"):
        return (Path("haystack_integrations") / relative.relative_to("indexing")).as_posix()
    top = "haystack_integrations" if relative.parts[0] == "components" else "answer_selection"
    return (Path(top) / relative).as_posix()


def shipped_files() -> list[Path]:
    """Every module and data file of the three folders that are installed; experiments are for a clone."""
    return [
        path
        for folder in ("components", "indexing", "pipelines")
        for path in sorted((REPOSITORY / folder).rglob("*"))
        if (path.suffix in (".py", *DATA) or path.name.startswith("LICENSE"))
        and not path.is_relative_to(REPOSITORY / "pipelines" / "experiments")
    ]


def run(*command: object, cwd: Path) -> str:
    """Run with nothing of this process's environment but what a login shell has too."""
    environment = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "TMPDIR")}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def built(source: Path, *options: str) -> Path:
    """The wheel that `python -m build` makes of the sources."""
    folder = Path(tempfile.mkdtemp(dir=source.parent))
    run(sys.executable, "-m", "build", *options, "--no-isolation", "--outdir", folder, source, cwd=folder)
    [wheel] = folder.glob("*.whl")
    return wheel


def content(wheel: Path) -> dict[str, int]:
    """The files of a wheel, with their checksums."""
    with zipfile.ZipFile(wheel) as archive:
        return {item.filename: item.CRC for item in archive.infolist()}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # A copy: what an earlier build left behind is not taken for a source, and nothing is left here.
    source = tmp_path_factory.mktemp("wheel") / "source"
    ignored = shutil.ignore_patterns(".[!s]*", "__pycache__", "*.egg-info", "build", "dist", "answer-selection-runs")
    shutil.copytree(REPOSITORY, source, symlinks=True, ignore=ignored)
    return source


@pytest.fixture(scope="module")
def wheel(source: Path) -> Path:
    return built(source, "--wheel")


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    return set(content(wheel))


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    A fresh virtual environment with the wheel in it.

    Its dependencies are this environment's, put on its path as plain folders: what is installed here in editable mode
    is a hook in a .pth file, which is not run there.
    """
    folder = tmp_path_factory.mktemp("fresh") / "venv"
    venv.create(folder)
    [packages] = folder.glob("lib/python*/site-packages")
    here = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    (packages / "dependencies.pth").write_text("".join(f"{path}\n" for path in here), encoding="utf-8")
    python = folder / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel, cwd=folder)
    return folder


def test_the_wheel_holds_every_module_and_all_data(names):
    expected = {installed_name(path) for path in shipped_files()}
    assert not expected - names
    for name in (
        "answer_selection/pipelines/shipped/answer.yaml",
        "answer_selection/pipelines/shipped/rag.yaml",
        "answer_selection/pipelines/shipped/index_faq.yaml",
        "answer_selection/pipelines/shipped/recipes/fine_tune.yaml",
        "answer_selection/indexing/library_faq/faq.jsonl",
        "answer_selection/indexing/library_faq/test.jsonl",
        "answer_selection/indexing/library_faq/LICENSE",
        *(
            f"haystack_integrations/components/rankers/answer_selection/{file}"
            for file in (
                *("default_ctrn/config.json", "default_ctrn/model.safetensors", "default_ctrn/tokenizer.json"),
                *(
                    "default_gsamn/config.json",
                    "default_gsamn/model_quantized.safetensors",
                    "default_gsamn/tokenizer.json",
                ),
            )
        ),
    ):
        assert name in names


def test_the_source_distribution_makes_the_same_wheel(source, wheel):
    # Without a format, `build` makes the source distribution, and of that the wheel.
    assert content(built(source)) == content(wheel)


@pytest.mark.parametrize(
    ("folder", "most"), [("default_ctrn", 10_000_000), ("default_encoder", 12_000_000), ("default_gsamn", 12_000_000)]
)
def test_the_models_of_the_package_are_small(wheel, folder, most):
    with zipfile.ZipFile(wheel) as archive:
        assert 0 < sum(item.file_size for item in archive.infolist() if f"/{folder}/" in item.filename) <= most


def test_the_wheel_holds_nothing_else(names):
    own = {name for name in names if ".dist-info/" not in name}
    assert {name.split("/")[0] for name in own} == {"answer_selection", "haystack_integrations"}
    assert not [name for name in own if "experiment" in name]
    assert not [name for name in own if "test" in Path(name).name and not name.endswith(("test.jsonl",))]
    assert not {f"{folder}/{name}" for folder in SHARED for name in ("__init__.py", "py.typed")} & names


def test_every_package_is_marked_as_typed(names):
    for folder in {Path(name).parent for name in names if name.endswith(".py")}:
        assert any((above / "py.typed").as_posix() in names for above in (folder, *folder.parents)), folder


def test_the_wheel_says_what_it_needs(wheel, names):
    with zipfile.ZipFile(wheel) as archive:
        [name] = (name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(name).decode())
        [name] = (name for name in names if name.endswith(".dist-info/entry_points.txt"))
        assert "answer-selection = answer_selection.pipelines.commands.cli:main" in archive.read(name).decode()
    assert {"train", "elasticsearch", "encoders", "documents", "pandoc", "serve", "trees", "test"} == set(
        metadata.get_all("Provides-Extra")
    )
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["License-Expression"] == "Apache-2.0"
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_an_index_of_packages_takes_the_wheel(wheel):
    run(sys.executable, "-m", "twine", "check", "--strict", wheel, cwd=wheel.parent)


def test_what_is_imported_comes_from_the_wheel(environment, names, tmp_path):
    modules = sorted(
        {Path(name).parent.as_posix().replace("/", ".") for name in names if name.endswith("/__init__.py")}
    )
    assert len(modules) > 20
    script = "import importlib, sys\nfor name in sys.argv[1:]: print(importlib.import_module(name).__file__)"
    out = run(environment / "bin" / "python", "-c", script, *modules, cwd=tmp_path)
    assert len(out.splitlines()) == len(modules)
    assert all(Path(line).is_relative_to(environment) for line in out.splitlines()), out


def test_the_shipped_pipelines_load_by_plain_pipeline_load(environment, tmp_path):
    script = (
        "from importlib.resources import files\n"
        "from haystack import Pipeline\n"
        "for name in ('index_faq', 'answer', 'rag'):\n"
        "    with files('answer_selection.pipelines').joinpath('shipped', f'{name}.yaml').open() as file:\n"
        "        print(sorted(Pipeline.load(file).graph.nodes))\n"
    )
    out = run(environment / "bin" / "python", "-c", script, cwd=tmp_path)
    assert out.splitlines()[1] == "['corrector', 'embedder', 'ranker', 'retriever']"


def test_the_bundled_faq_is_indexed_and_asked_with_the_default_model(environment, tmp_path):
    command = environment / "bin" / "answer-selection"
    assert "Put the right answer" in run(command, "--help", cwd=tmp_path)
    script = (
        "from importlib.resources import files; print(files('answer_selection.indexing.library_faq') / 'faq.jsonl')"
    )
    faq = Path(run(environment / "bin" / "python", "-c", script, cwd=tmp_path).strip())
    assert faq.is_relative_to(environment)
    assert "252 entries written, 252 documents in faq-index" in run(command, "index", faq, cwd=tmp_path)
    assert "lost-card" in run(command, "ask", "what does it cost to replace a lost card?", cwd=tmp_path)
