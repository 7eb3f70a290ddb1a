# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""`train --tune-encoder`: the encoder of an index is fine-tuned, and kept only where retrieval is better with it."""

import json
import shutil
from pathlib import Path

import pytest

import tiny_sentence_encoders
from answer_selection.pipelines.training import encoder_tuning
from conftest import read_lines, write_lines
from entry_cosine import entry_cosine
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

TUNING = "encoder_tuning: {{epochs: {epochs}, batch_size: 8, learning_rate: {rate}, checkpoints: 2, use_cpu: true}}\n"


@pytest.fixture(scope="module")
def thirty_queries(small_faq, tmp_path_factory):
    """As many as decide anything."""
    return write_lines(tmp_path_factory.mktemp("thirty") / "queries.jsonl", read_lines(small_faq.queries)[:30])


@pytest.fixture
def train(command, embedded_index, thirty_queries, small_recipe, tmp_path):
    def run(*more, rate="0.003", epochs=4, validation=thirty_queries, index=embedded_index):
        recipe = tmp_path / "recipe.yaml"
        recipe.write_text(
            small_recipe.read_text(encoding="utf-8") + TUNING.format(rate=rate, epochs=epochs), encoding="utf-8"
        )
        given = () if validation is None else ("--validation", validation)
        return command(
            "train", "ranker", "--index", index, "--recipe", recipe, "--epochs", 1, "--tune-encoder", *given, *more
        )

    return run


@pytest.fixture
def better(monkeypatch):
    """Retrieval is better each time: whether a few steps of a random encoder help depends on the processor."""
    measured = (encoder_tuning.Retrieval(number / 100, number / 100) for number in range(100))
    monkeypatch.setattr(encoder_tuning, "_measure", lambda *_: next(measured))


@pytest.mark.usefixtures("better")
def test_an_encoder_that_retrieves_better_is_kept_and_the_ranker_is_trained_behind_it(
    train, command, small_faq, tiny_encoder, tmp_path
):
    done = train("--licence", "CC0-1.0")
    assert done.code == 0, done.err
    assert "The tuned encoder is kept: on " in done.out
    assert "answer-selection index FILE --index NEW-INDEX --encoder ranker/encoder" in done.out
    folder = tmp_path / "ranker"
    tuned, old = SentenceEncoder.load(folder / "encoder"), SentenceEncoder.load(tiny_encoder)
    assert tuned.record.fingerprint != old.record.fingerprint
    card = (folder / "encoder" / "README.md").read_text(encoding="utf-8")
    for expected in (
        "license:\n- not stated\n- cc0-1.0\n",
        f"| tiny | the encoder that was fine-tuned | not stated | fingerprint {old.record.fingerprint} |",
        "| embedded-index | fine-tuning | CC0-1.0 |",
        "The tuned encoder is kept: on ",
        "| learning_rate | 0.003 |",
    ):
        assert expected in card

    # What the ranker sees are the cosines of the new vectors.
    entries = {entry["id"]: entry for entry in read_lines(small_faq.entries)}
    [first, *_] = read_lines(folder / "lists" / "validation.jsonl")
    ids = [one["candidate_id"] for one in first["candidates"]]
    found = [one["meta"]["vector_score"] for one in first["candidates"]]
    expected = [entry_cosine(tuned, first["query"], entries[id_]["question"], entries[id_]["answer"]) for id_ in ids]
    assert found == pytest.approx(expected, abs=1e-3)

    indexed = command("index", small_faq.entries, "--index", "new", "--encoder", folder / "encoder")
    assert indexed.code == 0, indexed.err
    asked = command("ask", "what does a lost card cost?", "--index", "new", "--model", folder)
    assert asked.code == 0, asked.err
    taken = train("--overwrite", index="new")
    assert taken.code == 2
    assert "are of the encoder in ranker/encoder, which overwriting would remove: name another folder" in taken.err
    assert (folder / "model.safetensors").exists()


def test_an_encoder_that_is_no_better_stays(train, tiny_encoder, tmp_path):
    done = train(rate="1.0e-12", epochs=1)
    assert done.code == 0, done.err
    assert f"The encoder {tiny_encoder} stays: on " in done.out.replace("\n", "")
    assert "MRR must be higher, and P@1 no lower." in done.out
    assert "NEW-INDEX" not in done.out
    assert not (tmp_path / "ranker" / "encoder").exists()
    assert (tmp_path / "ranker" / "model.safetensors").exists()


@pytest.mark.usefixtures("better")
def test_a_run_that_is_killed_after_tuning_tunes_no_second_time(train, monkeypatch, tmp_path):
    class KilledError(Exception):
        pass

    def kill(*_, **__):
        raise KilledError

    from answer_selection.pipelines.training import from_index

    with monkeypatch.context() as context, pytest.raises(KilledError):
        context.setattr(from_index, "mine_lists", kill)
        train()
    weights = (tmp_path / "ranker" / "encoder" / "model.safetensors").read_bytes()
    with monkeypatch.context() as context:
        context.setattr(encoder_tuning, "tune", kill)
        other = train(rate="0.001")
        assert other.code == 2
        assert "was tuned on something else, or otherwise (other learning_rate): --overwrite" in other.err
        done = train()
    assert done.code == 0, done.err
    assert "The tuned encoder is kept" in done.out
    assert (tmp_path / "ranker" / "encoder" / "model.safetensors").read_bytes() == weights


def test_few_held_out_questions_decide_nothing(train, tmp_path):
    done = train(validation=None)
    assert done.code == 0, done.err
    assert "held-out questions are too few to tell whether a tuned one is better; expected at least 30" in done.out
    assert not (tmp_path / "ranker" / "encoder").exists()


def test_what_is_wrong_is_said_in_one_line(train, command, small_index, small_faq, tmp_path):
    gone = tiny_sentence_encoders.save(tmp_path / "gone", seed=3)
    assert command("index", small_faq.entries, "--index", "lost", "--encoder", gone).code == 0
    shutil.rmtree(gone)
    for done, message in (
        (train(index=small_index), "has no vectors of a known encoder, so there is none to fine-tune"),
        (train(index="lost"), "there is no encoder folder"),
        (train(rate="-1"), "recipe.yaml, line 16: training setting 'learning_rate' is -1; expected more than 0"),
        (
            command("train", "ranker", "--candidates", small_faq.queries, "--tune-encoder"),
            "--tune-encoder needs --index: it is the encoder of an index's vectors that is tuned",
        ),
    ):
        assert done.code == 2
        assert message in done.err
        assert done.err.count("error") == 1
    assert not (tmp_path / "ranker" / "model.safetensors").exists()


def test_queries_are_learned_from_with_the_entries_texts(train, small_faq, tmp_path):
    queries = [json.loads(line) for line in small_faq.queries.read_text(encoding="utf-8").splitlines()]
    asked, held_out = tmp_path / "asked.jsonl", tmp_path / "held-out.jsonl"
    # Fewer than thirty decide nothing.
    given_to = {asked: queries[30:], held_out: queries[:30]}
    for path, some in given_to.items():
        path.write_text("".join(json.dumps(one) + "\n" for one in some), encoding="utf-8")
    done = train("--queries", asked, validation=held_out)
    assert done.code == 0, done.err
    lists = tmp_path / "ranker" / "lists" / "encoder"
    own, given = (read_lines(lists / f"{name}.jsonl") for name in ("own", "queries"))
    assert {one["query_id"] for one in given} == {one["query_id"] for one in given_to[asked]}
    # Entries that only held-out questions ask for are learned from by nobody.
    right = {id_ for one in given_to[asked] for id_ in one["relevant"]}
    apart = {id_ for one in given_to[held_out] for id_ in one["relevant"]} - right
    assert apart.isdisjoint(each["candidate_id"] for one in own + given for each in one["candidates"])
    assert apart
    assert len(own) > 10


def test_sentences_without_questions_of_their_own_are_learned_by_queries(
    train, command, small_faq, tiny_encoder, tmp_path
):
    sentences = [{"id": entry["id"], "answer": entry["answer"]} for entry in read_lines(small_faq.entries)]
    write_lines(tmp_path / "sentences.jsonl", sentences)
    made = command("index", "sentences.jsonl", "--answers-only", "--index", "sentences", "--encoder", tiny_encoder)
    assert made.code == 0, made.err
    asked = write_lines(tmp_path / "asked.jsonl", read_lines(small_faq.queries)[30:])
    done = train("--queries", asked, index="sentences", epochs=1)
    assert done.code == 0, done.err
    assert "held-out questions hybrid retrieval has" in done.out.replace("\n", " ")
    assert not (tmp_path / "ranker" / "lists" / "encoder" / "own.jsonl").exists()
    assert read_lines(tmp_path / "ranker" / "lists" / "encoder" / "queries.jsonl")


class TestRule:
    """The reciprocal rank must be higher, and the first place no worse."""

    @pytest.mark.parametrize(
        ("after", "kept"),
        [((0.5, 0.7), True), ((0.6, 0.7), True), ((0.5, 0.6), False), ((0.6, 0.6), False), ((0.4, 0.7), False)],
    )
    def test_what_is_kept(self, after: tuple[float, float], kept: bool) -> None:
        old = encoder_tuning.Retrieval(0.5, 0.6)
        assert encoder_tuning.Retrieval(*after).better_than(old) is kept


def test_a_question_never_learns_from_a_text_that_begins_with_it(tmp_path: Path) -> None:
    from answer_selection.indexing.candidates import Candidate, CandidateList, write_jsonl
    from answer_selection.pipelines.training.questions import Questions

    lists = tmp_path / "lists.jsonl"
    candidates = (Candidate("a", "At nine.", 1), Candidate("b", "Never.", 0))
    write_jsonl(lists, [CandidateList("q1", "When is it open", candidates), CandidateList("q2", "and now", candidates)])
    entries = {"a": "When is it open?", "b": "Is it ever?"}
    questions = Questions([], [], own=False, real=True, held_out=set(), entries=entries, answers={})
    first, second = encoder_tuning._pairs_of(lists, questions)
    assert (first.right.text, first.wrong[0].text) == ("At nine.", "Is it ever? Never.")
    assert second.right.text == "When is it open? At nine."
    [alone, _] = encoder_tuning._pairs_of(lists, None)
    assert (alone.right.text, alone.wrong[0].text) == ("At nine.", "Never.")
