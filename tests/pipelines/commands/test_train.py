# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json
import shutil
from pathlib import Path

import pytest
from haystack import Document

from answer_selection.pipelines.training.starting_model import is_over_encoder
from computed_twice import assert_trained_alike
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.models import registry
from tiny_encoders import folder

pytestmark = pytest.mark.slow

WIKIQA = "QuestionID\tQuestion\tDocumentID\tDocumentTitle\tSentenceID\tSentence\tLabel\n"


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(path: Path, items: list[dict]) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


def ranks(folder: Path) -> list[str]:
    ranker = AnswerRanker(model=folder)
    documents = [Document(content="Online, or by phone."), Document(content="A lost card costs three dollars.")]
    found = ranker.run(query="what does a lost card cost?", documents=documents)["documents"]
    assert all(0 <= document.meta["ranker_probability"] <= 1 for document in found)
    return [document.id for document in found]


@pytest.fixture
def from_index(command, small_index, small_recipe):
    return lambda output, *more: command("train", output, "--index", small_index, "--recipe", small_recipe, *more)


def test_trains_on_a_corpuss_own_questions_to_a_folder_that_the_ranker_runs(from_index, small_faq, tmp_path):
    done = from_index("ranker", "--licence", "CC0-1.0")
    assert done.code == 0
    folder = tmp_path / "ranker"
    assert len(ranks(folder)) == 2
    assert "model: ranker (card: ranker/README.md)" in done.out
    assert "the model alone 0." in done.out
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "CC0-1.0" in card
    assert "AnswerRanker" in card

    # Nothing of the entries' own questions is in what is learned from, but as the query itself.
    asked = {entry["id"]: entry for entry in lines(small_faq.entries)}
    train, validation = (lines(folder / "lists" / f"{name}.jsonl") for name in ("train", "validation"))
    assert {one["query_id"] for one in train}.isdisjoint(one["query_id"] for one in validation)
    assert {one["query_id"] for one in train + validation} == set(asked)
    for one in train + validation:
        assert one["query"] == asked[one["query_id"]]["question"]
        assert all(answer["answer"] == asked[answer["candidate_id"]]["answer"] for answer in one["candidates"])


def test_a_model_is_never_overwritten_without_being_asked(from_index, tmp_path):
    from_index("ranker")
    folder = tmp_path / "ranker"
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    weights = (folder / "model.safetensors").read_bytes()
    done = from_index("ranker", "--seed", 1)
    assert done.code == 2
    assert done.err.endswith("ranker holds a model already: name another folder, or allow overwriting it (--overwrite)")
    assert (folder / "model.safetensors").read_bytes() == weights

    assert from_index("ranker", "--overwrite", "--index", "nowhere").code == 2
    assert from_index("ranker", "--overwrite", "--recipe", "nowhere").code == 2
    assert from_index("ranker", "--overwrite", "--validation", "nowhere").code == 2
    assert (folder / "model.safetensors").read_bytes() == weights, "gone before it was known that there is another"

    assert from_index("ranker", "--seed", 1, "--overwrite").code == 0
    assert (folder / "model.safetensors").read_bytes() != weights
    assert (folder / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_the_same_seed_gives_the_same_model(from_index, small_model, tmp_path):
    from_index("ranker")
    assert_trained_alike(tmp_path / "ranker", small_model)


def test_an_unfinished_run_goes_on_or_makes_room_when_it_is_asked_to(from_index, monkeypatch, tmp_path):
    from haystack_integrations.components.rankers.answer_selection.training import trainer

    class KilledError(Exception):
        pass

    def kill(*_, **__):
        raise KilledError

    with monkeypatch.context() as context, pytest.raises(KilledError):
        context.setattr(trainer.registry, "save", kill)
        from_index("ranker")
    assert not (tmp_path / "ranker" / "model.safetensors").exists()
    done = from_index("ranker", "--epochs", 3)
    assert done.code == 2
    assert "ranker/checkpoints holds an unfinished run with other settings: epochs 2 (now 3); --overwrite" in done.err
    assert from_index("ranker").code == 0
    assert not (tmp_path / "ranker" / "checkpoints").exists()

    with monkeypatch.context() as context, pytest.raises(KilledError):
        context.setattr(trainer.registry, "save", kill)
        from_index("other")
    assert from_index("other", "--epochs", 3, "--overwrite").code == 0


def test_goes_on_from_a_model_folder(command, small_index, small_model, tmp_path):
    (tmp_path / "go-on.yaml").write_text("negatives: 5\nkeep_top: 0\ntraining: {epochs: 1, use_cpu: true}\n")
    arguments = ("train", "ranker", "--index", small_index, "--start", small_model, "--recipe", "go-on.yaml")
    done = command(*arguments)
    assert done.code == 0
    assert "names no model" not in done.out
    started, trained = registry.load(small_model)[0], registry.load(tmp_path / "ranker")[0]
    assert trained.config.hidden_size == started.config.hidden_size == 16
    assert str(small_model) in (tmp_path / "ranker" / "README.md").read_text(encoding="utf-8")


def test_a_recipe_with_a_model_of_its_own_does_not_go_on_from_another(from_index, small_model):
    done = from_index("ranker", "--start", small_model)
    assert done.code == 2
    assert "describes a model of its own (model, vectors) and starts from scratch: leave --start out" in done.err


def test_over_an_encoder_that_the_command_names_and_on_from_what_was_trained(command, small_index, tmp_path):
    given = ("--index", small_index, "--epochs", "1")
    licence = ("--licence", "CC0-1.0")
    first = command("train", "first", "--recipe", "gsamn", "--encoder", folder("roberta"), *licence, *given)
    assert first.code == 0, first.err
    encoder = Path(folder("roberta"))
    assert f"| {encoder.name} | pretrained encoder | not stated | {encoder} |" in (
        tmp_path / "first" / "README.md"
    ).read_text(encoding="utf-8")
    config = json.loads((tmp_path / "first" / "config.json").read_text())
    assert (config["model_type"], config["encoder"]["model_type"]) == ("gsamn", "roberta")
    assert folder("roberta") not in (tmp_path / "first" / "config.json").read_text()
    asked = command("ask", "what does a lost card cost?", "--index", small_index, "--model", "first")
    assert asked.code == 0, asked.err

    on = command("train", "second", "--start", "first", *given)
    assert on.code == 0, on.err
    card = (tmp_path / "second" / "README.md").read_text(encoding="utf-8")
    # By the recipe for encoders, and with the licences of what it was made of.
    assert "| learning_rate | 1e-05 |" in card
    assert "| first | the model that training started from | cc0-1.0, not stated | first |" in card
    assert "The model itself: not stated, cc0-1.0." in card
    assert (tmp_path / "first" / "tokenizer.json").read_bytes() == (tmp_path / "second" / "tokenizer.json").read_bytes()
    assert "AnswerRanker" in (tmp_path / "second" / "README.md").read_text()


def test_a_cross_encoder_of_others_is_fine_tuned_as_an_encoder_is(tmp_path):
    (tmp_path / "theirs").mkdir()
    config = {"model_type": "bert", "architectures": ["BertForSequenceClassification"]}
    (tmp_path / "theirs" / "config.json").write_text(json.dumps(config), encoding="utf-8")
    assert is_over_encoder(tmp_path / "theirs")
    assert not is_over_encoder("default")
    assert not is_over_encoder(tmp_path / "gone")


def test_real_queries_choose_how_much_of_bm25_is_mixed_in_and_it_is_said_if_nothing_beats_it(
    from_index, small_faq, tmp_path
):
    # Asked with the entries' own questions, BM25 over question and answer is always right.
    own = [
        {"query_id": entry["id"], "query": entry["question"], "relevant": [entry["id"]]}
        for entry in lines(small_faq.entries)
    ]
    done = from_index("ranker", "--validation", write(tmp_path / "own.jsonl", own))
    assert done.code == 0
    assert done.out.startswith("Keep BM25: this model does not improve on it here. MRR on 32 validation questions: ")
    assert "the package's ranker without training 0." in done.out
    assert "ranking the validation questions without training" in done.err
    assert "Keep BM25" in (tmp_path / "ranker" / "README.md").read_text(encoding="utf-8")
    assert registry.load(tmp_path / "ranker")[0].config.retriever_weight > 0


def test_learns_from_queries_instead_of_the_corpuss_own_questions(from_index, small_faq, tmp_path):
    done = from_index("ranker", "--queries", small_faq.queries, "--loss", "pairwise", "--epochs", 1)
    assert done.code == 0
    asked = {query["query_id"] for query in lines(small_faq.queries)}
    assert {one["query_id"] for one in lines(tmp_path / "ranker" / "lists" / "train.jsonl")} < asked
    card = (tmp_path / "ranker" / "README.md").read_text(encoding="utf-8")
    assert "pairwise" in card
    assert "trained on queries to it" in card


def test_learns_from_candidate_lists(command, small_model, small_recipe, tmp_path):
    shutil.copy(small_model / "lists" / "train.jsonl", tmp_path / "lists.jsonl")
    # These lists are what another seed's split left for training: the same seed would hold out none of them.
    done = command("train", "ranker", "--candidates", "lists.jsonl", "--recipe", small_recipe, "--seed", 1)
    assert done.code == 0
    assert len(ranks(tmp_path / "ranker")) == 2
    parts = [lines(tmp_path / "ranker" / "lists" / f"{name}.jsonl") for name in ("train", "validation")]
    assert sum(map(len, parts)) == len(lines(tmp_path / "lists.jsonl"))
    validation = small_model / "lists" / "validation.jsonl"
    done = command(
        "train", "chosen", "--candidates", "lists.jsonl", "--validation", validation, "--recipe", small_recipe
    )
    assert done.code == 0
    assert " on 8 validation questions: " in done.out


def test_a_recipe_s_weight_is_used_for_given_candidates_too(command, tmp_path):
    def given(number: int) -> str:
        texts = [f"nothing of number {number + 1}", f"the heron of number {number}", f"nothing else {number + 2}"]
        candidates = [
            {"candidate_id": str(place), "answer": text, "label": int(place == 1)} for place, text in enumerate(texts)
        ]
        return json.dumps({"query_id": f"q{number}", "query": "where is the heron", "candidates": candidates})

    (tmp_path / "lists.jsonl").write_text("\n".join(map(given, range(0, 60, 3))) + "\n", encoding="utf-8")
    recipe = "model: {name: linear}\nvectors: {source: random}\n"
    recipe += "training: {epochs: 1, learning_rate: 1.0e-9}\n"
    line = ("--candidates", "lists.jsonl", "--validation", "lists.jsonl", "--recipe")
    for name, weight, chosen in (("free", "", True), ("named", "retriever_weight: 0.0\n", False)):
        (tmp_path / f"{name}.yaml").write_text(recipe + weight, encoding="utf-8")
        done = command("train", name, *line, f"{name}.yaml")
        assert done.code == 0, done.err
        assert ("with all signals 1.0000" in done.out) is chosen
        assert registry.load(tmp_path / name)[0].config.signals is chosen


@pytest.mark.parametrize("number", [0, 1])
def test_learns_from_other_formats_and_from_lists_too_few_to_hold_one_out(number, command, small_recipe, tmp_path):
    sizes = {"one metre": 1, "two metres": 0, "three metres": 0}
    rows = [
        f"Q{number}\thow big is it\tD\tt\tD-{size.split()[0]}\tit is {size}\t{label}" for size, label in sizes.items()
    ]
    (tmp_path / "train.tsv").write_text(WIKIQA + "\n".join(rows) + "\n", encoding="utf-8")
    done = command("train", "ranker", "--candidates", "train.tsv", "--recipe", small_recipe)
    assert done.code == 0
    assert "There was too little to hold some of it out" in done.out
    assert len(ranks(tmp_path / "ranker")) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ranker"], "name what to learn from: either --index, or --candidates"),
        (["ranker", "--index", "x", "--candidates", "y.jsonl"], "either --index, or --candidates"),
        (["ranker", "--candidates", "y.jsonl", "--queries", "q.jsonl"], "--queries needs --index"),
        (["ranker", "--index", "nowhere"], "there is no index in nowhere"),
        (["ranker", "--candidates", "gone.jsonl"], "gone.jsonl"),
        (["ranker", "--candidates", "lists.docx"], "lists.docx: unknown format; expected a folder with a.toks, "),
        (["ranker", "--candidates", "empty.jsonl"], "empty.jsonl: no candidate list to learn from"),
        (["ranker", "--index", "INDEX", "--queries", "gone.jsonl"], "gone.jsonl: cannot be read"),
        (["ranker", "--index", "INDEX", "--queries", "no-relevant.jsonl"], "query 'q' has no relevant entry"),
        (["ranker", "--index", "INDEX", "--queries", "empty.jsonl"], "no question to learn from"),
        (["ranker", "--index", "INDEX", "--recipe", "gone"], "gone: No such file or directory; expected a YAML file"),
        (["ranker", "--index", "INDEX", "--loss", "best"], "--loss best: expected pointwise, pairwise"),
        (["ranker", "--index", "INDEX", "--epochs", 0], "Invalid value for '--epochs'"),
        (["ranker", "--index", "INDEX", "--start", "gone"], "--start gone: no such model folder"),
        (["ranker", "--index", "INDEX", "--start", "."], "the model folder . lacks config.json"),
        (["mine", "--index", "INDEX", "--start", "mine"], "same folder, mine: name another folder for the new model"),
        (["mine", "--index", "INDEX"], "mine holds other files (thesis.txt); expected a new or empty folder"),
        (["empty.jsonl", "--index", "INDEX"], "empty.jsonl is a file; expected a new or empty folder for the model"),
        (
            ["ranker", "--index", "INDEX", "--recipe", "long.yaml"],
            "max_pair_length is 999; expected at most the encoder's 150",
        ),
        (["ranker", "--index", "INDEX", "--encoder", "x"], "--encoder needs a --recipe"),
        (["ranker", "--index", "INDEX", "--recipe", "small_ctrn", "--encoder", "x"], "unknown field of ctrn 'encoder'"),
        (
            ["ranker", "--index", "INDEX", "--recipe", "gsamn", "--encoder", "mine"],
            "encoder is 'mine', which is no folder",
        ),
        ([], "Missing argument"),
        (["--config", "ctrn-wikiqa", "--data", "x"], "No such option: --config"),
    ],
)
def test_what_cannot_be_done_is_said(command, small_index, tmp_path, arguments, message):
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").touch()
    long = f"model: {{name: gsamn, encoder: {folder('bert')}, max_pair_length: 999}}\n"
    (tmp_path / "long.yaml").write_text(long, encoding="utf-8")
    write(tmp_path / "no-relevant.jsonl", [{"query_id": "q", "query": "why?", "relevant": []}])
    done = command("train", *(small_index if argument == "INDEX" else argument for argument in arguments))
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "ranker" / "model.safetensors").exists()


def test_a_corpus_without_questions_needs_queries(command, small_recipe, tmp_path):
    write(tmp_path / "corpus.jsonl", [{"entry_id": str(n), "answer": f"Answer {n}."} for n in range(9)])
    command("index", "corpus.jsonl", "--answers-only")
    done = command("train", "ranker", "--index", "faq-index", "--recipe", small_recipe)
    assert done.code == 2
    assert "no question to learn from: the corpus's entries have none; name queries (queries.jsonl)" in done.err


def test_what_is_not_installed_is_said_with_the_command_that_installs_it(from_index, monkeypatch):
    # As where only the parts for answering questions are installed.
    import sys

    for name in [name for name in sys.modules if name.partition(".")[0] in ("gensim", "accelerate", "ir_measures")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "accelerate", None)
    monkeypatch.setattr("transformers.training_args.is_accelerate_available", lambda *_, **__: False)
    done = from_index("ranker")
    assert done.code == 2
    assert "pip install '.[train]'" in done.err
    assert "Traceback" not in done.err
