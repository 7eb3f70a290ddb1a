# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Experiments over a published encoder, and with data that is learned from first."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import pytest
import torch
from transformers import AutoModel

import tiny_teacher
from answer_selection.indexing.candidates import read_candidates, write_jsonl
from answer_selection.pipelines.commands.console import bar
from answer_selection.pipelines.experiments import shared_steps
from answer_selection.pipelines.experiments.data import OwnData, squad_sentences
from answer_selection.pipelines.experiments.experiment import read_experiment
from answer_selection.pipelines.experiments.published_encoder import PublishedEncoder
from answer_selection.pipelines.experiments.result_files import collect
from answer_selection.pipelines.experiments.runs import Runs
from answer_selection.pipelines.training.recipe import Recipe
from computed_twice import assert_trained_alike
from haystack_integrations.components.rankers.answer_selection.models import registry
from research_files import ANIMALS, write_data_sets
from tiny_encoders import folder as tiny_encoder

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

EXPERIMENT = """\
data: wikiqa
seeds: [0, 1]
encoder: someone/tiny
recipe:
  model: {name: gsamn, max_pair_length: 48}
  negatives: 4
  keep_top: 2
  training: {loss: pointwise, epochs: 1, pairs_per_batch: 64, negatives: 2, learning_rate: 0.001, use_cpu: true}
"""
ONE_SEED = EXPERIMENT.replace("[0, 1]", "[0]")
SOURCE = "source: {data: squad-sentences, training: {epochs: 2, negatives: 1}}\n"


@pytest.fixture(autouse=True)
def few_questions(monkeypatch):
    monkeypatch.setattr(squad_sentences, "BLOCK", 50)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = write_data_sets(tmp_path_factory.mktemp("data"))
    shutil.copytree(tiny_teacher.folder(), folder / "encoders" / "tiny")
    return folder


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
        return tmp_path / f"{name}.yaml"

    return write


@pytest.fixture
def run(research, data):
    def run(*names, data=data, output="runs", more=()):
        files = [f"{name}.yaml" for name in names]
        return research("run", *files, "--data", data, "--output", output, *more)

    return run


def result(folder: Path, name: str) -> dict:
    return json.loads((folder / name / "result.json").read_text(encoding="utf-8"))


def made(folder: Path) -> dict[str, int]:
    """All weights below a folder, with the time when they were written."""
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("model.safetensors")}


def kept(runs: Path, kind: str) -> Path:
    [folder] = (runs / "data" / kind).glob("*/")
    return folder


def card(folder: Path) -> str:
    return (folder / "README.md").read_text(encoding="utf-8")


def test_one_file_has_all_steps_and_what_was_done_is_not_done_again(run, write, data, tmp_path):
    write("whole", EXPERIMENT + SOURCE)
    done = run("whole", more=("--test",))
    assert done.code == 0, done.err
    runs = tmp_path / "runs"
    source = kept(runs, "sources")
    weights = made(runs)
    assert len(weights) == 3, "one model of the source, and of each seed the model"

    # The cards of the models name both, and the source's is trained by its own settings, with the first seed.
    assert "| epochs | 2 |" in card(source)
    assert "| seed | 0 |" in card(source)
    for seed in (0, 1):
        model = runs / "whole" / f"seed-{seed}"
        assert "| squad-sentences | training first | CC-BY-SA-4.0 |" in card(model)
        assert "| wikiqa | training, validation | research use only |" in card(model)
        assert "The model itself: research use only, CC-BY-SA-4.0, apache-2.0." in card(model)
        assert f"| from | {source.relative_to(tmp_path)} |" in card(model)
        assert "| epochs | 1 |" in card(model)
        assert f"| seed | {seed} |" in card(model)
    # The half of the source that is measured elsewhere is not read, let alone learned from.
    assert not (runs / "data" / "squad-sentences" / "test-index").exists()

    found = result(runs, "whole")
    model, collator = registry.load(runs / "whole" / "seed-0")
    assert collator.tokenizer.to_str() == registry.load(source)[1].tokenizer.to_str()
    # Token embeddings are learned like everything else.
    assert found["parameters"] == sum(one.numel() for one in model.parameters())
    assert (found["model"], found["vectors"]) == ("gsamn", False)
    assert found["milliseconds"] > 0
    assert not (runs / "data" / "vectors").exists()

    assert run("whole", more=("--test",)).code == 0
    assert made(runs) == weights
    # Nothing before a model that is there is needed again.
    source.with_name(f"{source.name}.made-from.json").unlink()
    assert run("whole").code == 0
    assert made(runs) == weights


def test_experiments_share_their_steps_and_are_compared(run, write, tmp_path):
    write("plain", EXPERIMENT.replace("name: gsamn", "name: cross_encoder").replace("seeds: [0, 1]", "seeds: [0]"))
    write("first", "like: plain\n" + SOURCE)
    write("again", "like: first\nrecipe: {training: {epochs: 2}}\nsource: {training: {epochs: 2}}\n")
    write("rate", "like: first\nsource: {training: {learning_rate: 0.01}}\n")
    write("trec", "like: plain\ndata: trecqa-clean\n" + SOURCE)
    write("seed", "like: first\nseeds: [1]\n")
    done = run("plain", "first", "again", "rate", "seed", "trec")
    assert done.code == 0, done.err
    runs = tmp_path / "runs"
    sources = list((runs / "data" / "sources").glob("*/"))
    # The steps of "again" and "trec" differ by nothing; that of "seed" is another seed's.
    assert len(sources) == 3
    noted = {
        name: json.loads((runs / name / "seed-0.made-from.json").read_text(encoding="utf-8"))
        for name in ("plain", "first", "again", "trec")
    }
    assert noted["plain"]["encoder"] == noted["first"]["encoder"] == noted["trec"]["encoder"]
    assert noted["first"]["source"] == noted["again"]["source"] == noted["trec"]["source"]
    assert "source" not in noted["plain"]
    compared = collect(Runs(runs), tmp_path / "results", tmp_path)
    assert list(compared["first"].differences["validation"]) == ["BM25", "plain"]
    # The head is plain's; what was learned first made another model of it.
    models = [registry.load(runs / name / "seed-0")[0].state_dict() for name in ("plain", "first")]
    assert any(not torch.equal(models[0][name], models[1][name]) for name in models[0])


def test_a_run_that_is_killed_in_a_step_goes_on_there(run, write, tmp_path, monkeypatch):
    from haystack_integrations.components.rankers.answer_selection.training import trainer

    write("whole", EXPERIMENT + SOURCE)
    assert run("whole", output="unbroken").code == 0

    class KilledError(Exception):
        pass

    def killed(*_, **__):
        raise KilledError

    runs = tmp_path / "runs"
    # While the source's model is saved: it has its checkpoints.
    with monkeypatch.context() as context, pytest.raises(KilledError):
        context.setattr(trainer.registry, "save", killed)
        run("whole")
    assert (kept(runs, "sources") / "checkpoints" / "run.json").exists()
    assert not (runs / "whole").exists()
    assert run("whole").code == 0
    for name, unbroken in result(tmp_path / "unbroken", "whole")["seeds"].items():
        assert result(runs, "whole")["seeds"][name]["validation"] == unbroken["validation"]
    assert made(runs).keys() == made(tmp_path / "unbroken").keys()
    for name in made(runs):
        assert_trained_alike((runs / name).parent, (tmp_path / "unbroken" / name).parent)


def test_what_a_killed_run_left_without_a_checkpoint_begins_anew(run, write, tmp_path, monkeypatch):
    write("whole", ONE_SEED + SOURCE)

    class KilledError(Exception):
        pass

    train = shared_steps.train_from_lists

    def killed(*given, **named):
        train(*given, **named)
        raise KilledError

    with monkeypatch.context() as context, pytest.raises(KilledError):
        # The model is whole, but there is no record of it yet.
        context.setattr(shared_steps, "train_from_lists", killed)
        run("whole")
    assert len(made(tmp_path / "runs")) == 1
    assert run("whole").code == 0


def test_of_two_commands_at_once_one_makes_a_step_and_the_other_waits(write, data, tmp_path, monkeypatch):
    made_here, waited = [], []
    train = shared_steps.train_from_lists

    def counted(given, folder, *rest, **named):
        made_here.append(folder)
        return train(given, folder, *rest, **named)

    monkeypatch.setattr(shared_steps, "train_from_lists", counted)

    def progress(what, _):
        if what.startswith("waiting"):
            waited.append(what)
        return nullcontext(lambda *_: None)

    experiment = read_experiment(write("whole", EXPERIMENT + SOURCE))
    encoder = PublishedEncoder.find(experiment.encoder, data)
    source = shared_steps.SourceStep.of(experiment, encoder, data, tmp_path / "work", progress)
    # Each opens the file of the lock anew, as two processes do.
    with ThreadPoolExecutor(2) as commands:
        first, second = (commands.submit(source.take, progress) for _ in range(2))
        assert first.result() == second.result() == source.folder
    assert made_here == [source.folder]
    assert waited == [f"waiting for another command to make {source.folder.name}"]


def test_an_encoder_model_is_asked_end_to_end_as_it_is(run, write, tmp_path):
    write("end", EXPERIMENT.replace("data: wikiqa\nseeds: [0, 1]", "data: squad-sentences"))
    done = run("end", more=("--test",))
    assert done.code == 0, done.err
    runs = tmp_path / "runs"
    assert result(runs, "end")["questions"] == {"validation": 50, "test": 24}
    assert not (runs / "end" / "seed-0-adapted").exists(), "it has no vocabulary that could be brought to a corpus"


def test_a_model_that_reads_words_learns_from_a_source_too(run, write, tmp_path):
    words = "model: {name: qrnn, embedding_size: 8, projection_size: 8, hidden_size: 8, mlp_size: 4}"
    head, recipe = EXPERIMENT.split("encoder: someone/tiny\n")
    recipe = recipe.replace("model: {name: gsamn, max_pair_length: 48}", words)
    write("words", head.replace("[0, 1]", "[0]") + recipe + SOURCE)
    done = run("words")
    assert done.code == 0, done.err
    first = registry.load(kept(tmp_path / "runs", "sources"))[1].vocabulary
    after = registry.load(tmp_path / "runs" / "words" / "seed-0")[1].vocabulary
    # The source knows nothing of what comes after it, and its words stay.
    assert "fish" not in first
    assert {"fish", "valley"} <= set(after)
    assert "| squad-sentences | training first | CC-BY-SA-4.0 |" in card(tmp_path / "runs" / "words" / "seed-0")


def test_lists_or_a_corpus_of_ones_own_are_the_source(run, write, data, tmp_path):
    lists = tmp_path / "own.jsonl"
    write_jsonl(lists, read_candidates(data / "wikiqa" / "train"))
    corpus = tmp_path / "site"
    corpus.mkdir()
    answers = [{"entry_id": str(n), "answer": f"The {one} lives by the lake."} for n, one in enumerate(ANIMALS)]
    asked = [
        {"query_id": str(n), "query": f"Where is the {one}?", "relevant": [str(n)]} for n, one in enumerate(ANIMALS)
    ]
    for name, lines in (("corpus.jsonl", answers), ("queries.jsonl", asked)):
        (corpus / name).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    base = ONE_SEED.replace("data: wikiqa", "data: trecqa-clean")
    write("lists", base + f"source: {{data: {lists}}}\n")
    write("site", base + f"source: {{data: {corpus}}}\n")
    done = run("lists", "site")
    assert done.code == 0, done.err
    runs = tmp_path / "runs"
    assert f"| own.jsonl | training first | not stated | {lists} |" in card(runs / "lists" / "seed-0")
    assert f"| site | training first | not stated | {corpus} |" in card(runs / "site" / "seed-0")
    own = runs / "data" / "own-data"
    learned = [json.loads(line) for path in own.rglob("train.jsonl") for line in path.read_text().splitlines()]
    held_out = [json.loads(line) for path in own.rglob("validation.jsonl") for line in path.read_text().splitlines()]
    assert not {one["query"] for one in learned} & {one["query"] for one in held_out}
    assert {one["query"] for one in learned + held_out} >= {one["query"] for one in asked}

    # Other lists are another step; the model that was made of the former is not taken for one of these.
    write_jsonl(lists, list(read_candidates(data / "wikiqa" / "train"))[:6])
    done = run("lists")
    assert done.code == 2
    assert "seed-0 was made from something else (other source): move it away, or replace it: --overwrite" in done.err
    assert run("lists", more=("--overwrite",)).code == 0
    assert len(list((runs / "data" / "sources").glob("*/"))) == 3


def test_lists_of_ones_own_corpus_are_of_the_corpus_and_the_queries_that_are_there_now(tmp_path):
    site = tmp_path / "site"
    site.mkdir()

    def texts(answer: str, question: str) -> tuple[set[str], set[str]]:
        """All queries and all answers of the lists, once this is the corpus and these are the queries."""
        rows = list(enumerate(ANIMALS))
        entries = [{"entry_id": str(n), "answer": answer.format(one)} for n, one in rows]
        asked = [{"query_id": str(n), "query": question.format(one), "relevant": [str(n)]} for n, one in rows]
        for name, lines in (("corpus.jsonl", entries), ("queries.jsonl", asked)):
            (site / name).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        lists = OwnData(site, tmp_path / "work").lists(Recipe(negatives=4, keep_top=2), bar)
        found = [one for path in (lists.train, lists.validation) for one in read_candidates(path)]
        return {one.query for one in found}, {answer.answer for one in found for answer in one.candidates}

    def all_of(text: str) -> set[str]:
        return {text.format(one) for one in ANIMALS}

    lake, river = "The {} lives by the lake.", "The {} lives by the river."
    where, home = "Where does the {} live?", "What does the {} live by?"
    for answer, question in ((lake, where), (river, where), (river, home), (lake, where)):
        queries, answers = texts(answer, question)
        assert queries == all_of(question)
        assert answers <= all_of(answer)


def test_another_encoder_or_other_word_vectors_at_the_same_place_are_not_taken_for_the_same(run, write, tmp_path):
    encoder, vectors = tmp_path / "bert", tmp_path / "vectors.txt"
    shutil.copytree(tiny_encoder("bert"), encoder)
    vectors.write_text("river 1 2\nlake 2 1\n", encoding="utf-8")
    head, recipe = ONE_SEED.split("encoder: someone/tiny\n")
    write("pair", head + recipe.replace("gsamn", f"cross_encoder, encoder: {encoder}") + SOURCE)
    words = "{name: qrnn, embedding_size: 2, projection_size: 8, hidden_size: 8, mlp_size: 4}"
    words += f"\n  vectors: {{source: {vectors}}}"
    write("words", head + recipe.replace("{name: gsamn, max_pair_length: 48}", words))
    assert run("pair", "words").code == 0
    runs = tmp_path / "runs"
    weights = made(runs)
    assert run("pair", "words").code == 0
    assert made(runs) == weights

    model = AutoModel.from_pretrained(encoder)
    torch.nn.init.normal_(next(model.parameters()))
    model.save_pretrained(encoder)
    vectors.write_text("river 1 2\nlake 2 2\n", encoding="utf-8")
    for name, other in (("pair", "encoder's files, source"), ("words", "word vectors")):
        done = run(name)
        assert done.code == 2
        assert f"seed-0 was made from something else (other {other}): move it away" in done.err
    assert run("pair", "words", more=("--overwrite",)).code == 0
    assert len(list((runs / "data" / "sources").glob("*/"))) == 2


def test_a_source_that_has_nothing_to_learn_from(run, write, tmp_path):
    (tmp_path / "own.jsonl").touch()
    write("lists", EXPERIMENT + f"source: {{data: {tmp_path / 'own.jsonl'}}}\n")
    done = run("lists")
    assert done.code == 2
    assert f"{tmp_path / 'own.jsonl'}: no candidate list to learn from" in done.err
    write("other", EXPERIMENT + f"source: {{data: {tmp_path / 'other.yaml'}}}\n")
    done = run("other")
    assert done.code == 2
    assert "other.yaml: unknown format; expected a folder with a.toks" in done.err
    (tmp_path / "folder").mkdir()
    write("folder", EXPERIMENT + f"source: {{data: {tmp_path / 'folder'}}}\n")
    done = run("folder")
    assert done.code == 2
    assert "folder: expected corpus.jsonl in it, with queries.jsonl beside it, or candidate lists (a.toks" in done.err


def test_a_published_encoder_is_found_beside_the_data_and_named(run, write, data, tmp_path):
    own_data = tmp_path / "own"
    shutil.copytree(data, own_data)
    write("given", ONE_SEED)
    write("first", "like: given\n" + SOURCE)
    done = run("given", "first", data=own_data)
    assert done.code == 0, done.err
    runs = tmp_path / "runs"
    assert "over someone/tiny (apache-2.0)" in done.out
    assert result(runs, "given")["encoder"] == "someone/tiny (apache-2.0)"
    row = "| someone/tiny | pretrained encoder | apache-2.0 | https://huggingface.co/someone/tiny |"
    for folder in (runs / "given" / "seed-0", runs / "first" / "seed-0", kept(runs, "sources")):
        assert row in card(folder)
        assert "license:\n- research use only\n" in card(folder) or "license:\n- cc-by-sa-4.0\n" in card(folder)
        assert "- apache-2.0\n" in card(folder)
        assert str(own_data) not in card(folder)
        # It stands on the encoder's own tokens.
        _, collator = registry.load(folder)
        assert collator.tokenizer.get_vocab() == tiny_teacher.wordpiece().get_vocab()
    weights = made(runs)
    assert run("given", "first", data=own_data).code == 0
    assert made(runs) == weights

    # Another one of the same name is not taken for the same.
    shutil.rmtree(own_data / "encoders" / "tiny")
    shutil.copytree(tiny_teacher.folder(2), own_data / "encoders" / "tiny")
    for name, other in (("given", "encoder"), ("first", "encoder, source")):
        done = run(name, data=own_data)
        assert done.code == 2
        assert f"seed-0 was made from something else (other {other}): move it away" in done.err


def test_a_published_encoder_that_is_nowhere_is_one_line_with_both_places(run, write, data, monkeypatch):
    def no_hub(name, **_):
        msg = f"no network for {name}\nand more about it"
        raise OSError(msg)

    monkeypatch.setattr("huggingface_hub.snapshot_download", no_hub)
    write("given", ONE_SEED.replace("someone/tiny", "someone/other"))
    done = run("given")
    assert done.code == 2
    nowhere = (
        f"there is no folder {data / 'encoders' / 'other'} with the encoder 'someone/other', nor could it be fetched"
    )
    assert done.err.endswith(f"{nowhere} from the hub: no network for someone/other")


def test_a_published_encoder_comes_from_the_hub_if_it_is_not_beside_the_data(run, write, tmp_path, monkeypatch):
    fetched = []

    def hub(name, **_):
        fetched.append(name)
        return str(tiny_teacher.folder())

    monkeypatch.setattr("huggingface_hub.snapshot_download", hub)
    write("given", ONE_SEED.replace("someone/tiny", "someone/other"))
    done = run("given")
    assert done.code == 0, done.err
    assert fetched == ["someone/other"]
    assert "| someone/other | pretrained encoder | apache-2.0 |" in card(tmp_path / "runs" / "given" / "seed-0")


def test_a_cpu_without_bfloat16_trains_in_float32_and_says_so(run, write, tmp_path, monkeypatch):
    write("half", ONE_SEED.replace("use_cpu: true", "use_cpu: true, precision: bfloat16"))
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: True)
    monkeypatch.setattr(torch.ops.mkldnn, "_is_mkldnn_bf16_supported", lambda: True, raising=False)
    for has, precision in ((False, "float32"), (True, "bfloat16")):
        monkeypatch.setattr(torch.cpu, "get_capabilities", lambda has=has: {"avx512_bf16": has})
        done = run("half", output=f"runs-{precision}")
        assert done.code == 0, done.err
        assert f"| precision | {precision} |" in card(tmp_path / f"runs-{precision}" / "half" / "seed-0")
        assert ("training in float32: this CPU has no bfloat16 of its own" in " ".join(done.err.split())) is not has
