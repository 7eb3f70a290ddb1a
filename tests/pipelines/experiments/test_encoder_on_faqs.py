# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path

import numpy as np
import pytest
import torch

import tiny_sentence_encoders
from answer_selection.indexing.encoder import entry_text
from answer_selection.pipelines.experiments import encoder_on_faqs
from answer_selection.pipelines.experiments.data.invented_faqs import FAQS, read_faqs
from answer_selection.pipelines.experiments.encoder_on_faqs import FaqBatches, FaqSettings
from haystack_integrations.components.embedders.answer_selection.tuning.trainable_encoder import TrainableEncoder
from haystack_integrations.components.rankers.answer_selection.encoders.encoder_folder import read_folder
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder
from haystack_integrations.components.rankers.answer_selection.models.quantized_weights import write_quantized

TOPICS = ("card", "room", "book", "desk", "loan", "print")
OTHERS = [f"{one} and {other} are words that say nothing of any question" for one in TOPICS for other in TOPICS]


def write_faq(folder: Path) -> Path:
    """An FAQ in which nothing but learning tells which entry answers a question."""
    folder.mkdir()
    rows = [
        {"faq": "library", "question": f"the {other}", "answer": "weekdays", "asked": [f"my {one}", f"a {one} online"]}
        for one, other in zip(TOPICS, (*TOPICS[1:], TOPICS[0]), strict=True)
    ]
    (folder / "one.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def first_places(encoder: SentenceEncoder, folder: Path) -> float:
    """The part of the asked questions whose entry is the nearest."""
    [faq] = read_faqs(folder, own=True)
    cosines = encoder.encode([question for question, _ in faq.asked]) @ encoder.encode(list(faq.entries)).T
    return float(np.mean([row.argmax() == at for row, (_, at) in zip(cosines, faq.asked, strict=True)]))


def test_the_faqs_have_fourteen_entries_and_three_questions_to_each():
    rows = [json.loads(line) for file in sorted(FAQS.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()]
    faqs = read_faqs(FAQS, own=True)
    assert len(faqs) == 240
    assert {len(faq.entries) for faq in faqs} == {14}
    assert all(len(row["asked"]) == 3 and all(map(str.strip, row["asked"])) for row in rows)
    assert faqs[0].entries[0] == entry_text(rows[0]["question"], rows[0]["answer"])
    assert faqs[0].asked[3] == (rows[0]["question"], 0)
    assert faqs[0].asked[4] == (rows[1]["asked"][0], 1)
    # No question to one entry is a question to another of the same FAQ.
    for faq in faqs:
        assert len({(question.casefold(), at) for question, at in faq.asked}) == len(
            {question.casefold() for question, _ in faq.asked}
        )


@pytest.mark.parametrize(("folder", "number"), [("held_out", 40), ("unseen", 342)])
def test_what_is_held_out_shares_no_entry_and_no_question_with_what_is_learned(folder, number):
    learned, held_out = read_faqs(FAQS, own=True), read_faqs(FAQS / folder, own=True)
    assert len(held_out) == number
    entries, questions = (
        [{text for faq in faqs for text in part(faq)} for faqs in (learned, held_out)]
        for part in (lambda faq: faq.entries, lambda faq: [question.casefold() for question, _ in faq.asked])
    )
    assert not set.intersection(*entries)
    assert not {one for one in set.intersection(*questions) if len(one.split()) > 6}, "a question, and no title"


def test_a_batch_is_one_faq_and_depends_on_seed_and_step_alone(tmp_path, tiny_encoder):
    faqs = read_faqs(write_faq(tmp_path / "faqs"), own=True) * 3
    model = TrainableEncoder(read_folder(tiny_encoder))
    settings = FaqSettings(learning_rate=0.1, epochs=2, questions=5, texts=4)
    batches = FaqBatches(faqs, OTHERS, model.tokenizer, model.padding, settings)
    assert len(batches) == 6
    batch = batches[4]
    assert batch["entries_ids"].shape[0] == len(TOPICS)
    assert batch["questions_ids"].shape[0] == len(batch["right"]) == 5
    assert batch["texts_ids"].shape[0] == 4
    again = FaqBatches(faqs, OTHERS, model.tokenizer, model.padding, settings)[4]
    assert all(torch.equal(batch[name], again[name]) for name in batch)
    assert not all(torch.equal(batch[name], batches[5][name]) for name in ("questions_ids", "texts_ids"))
    with pytest.raises(IndexError):
        batches[6]


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("is_quantized", [False, True])
def test_an_encoder_learns_which_entry_answers(tmp_path, is_quantized):
    faqs = write_faq(tmp_path / "faqs")
    source = tiny_sentence_encoders.save(tmp_path / "encoder", "bert", dense=None)
    config = json.loads((source / "config.json").read_text(encoding="utf-8"))
    config.update({name: 0.0 for name in config if name.endswith("dropout_prob")})
    (source / "config.json").write_text(json.dumps(config), encoding="utf-8")
    before = SentenceEncoder.load(str(source))
    if is_quantized:
        write_quantized(source)
    texts = tmp_path / "texts.txt"
    texts.write_text("\n".join(OTHERS), encoding="utf-8")
    encoder_on_faqs.main([texts], tmp_path / "learned", encoder=str(source), faqs=faqs, epochs=150, learning_rate=0.003)
    after = SentenceEncoder.load(str(tmp_path / "learned"))
    assert first_places(after, faqs) > max(0.8, first_places(before, faqs))
    # What has nothing to do with it stays nearly where it was.
    moved = (before.encode(OTHERS) * after.encode(OTHERS)).sum(1)
    asked = [question for question, _ in read_faqs(faqs, own=True)[0].asked]
    assert moved.mean() > (before.encode(asked) * after.encode(asked)).sum(1).mean()
    names = {file.name for file in (tmp_path / "learned").iterdir()}
    assert ("model_quantized.safetensors" in names) is is_quantized
    assert ("model.safetensors" in names) is not is_quantized
    assert "checkpoints" not in names
