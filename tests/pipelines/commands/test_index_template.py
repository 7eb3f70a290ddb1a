# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""`answer-selection index-template`: what an index will be, without a server."""

import json
from pathlib import Path

from answer_selection.indexing.elasticsearch.settings import IndexSettings
from answer_selection.indexing.elasticsearch.template import index_template
from haystack_integrations.components.rankers.answer_selection.encoders.sentence_encoder import SentenceEncoder


def test_it_prints_the_template_of_the_defaults(command):
    done = command("index-template", "--index", "faq")
    assert (done.code, done.err) == (0, "")
    made = json.loads(done.out)
    assert made == index_template("faq", IndexSettings(encoder=SentenceEncoder.load().record, passages=True))
    assert made["template"]["mappings"]["properties"]["embedding"]["type"] == "dense_vector"


def test_it_prints_the_template_of_an_encoder_or_of_none(command, tiny_encoder):
    done = command("index-template", "--index", "faq", "--encoder", tiny_encoder)
    record = SentenceEncoder.load(tiny_encoder).record
    assert json.loads(done.out) == index_template("faq", IndexSettings(encoder=record, passages=True))
    done = command("index-template", "--index", "faq", "--encoder", "none")
    assert json.loads(done.out) == index_template("faq", IndexSettings())
    done = command("index-template", "--index", "faq", "--encoder", "./gone")
    assert (done.code, done.out) == (2, "")
    assert "there is no encoder folder" in done.err


def test_it_prints_the_template_of_a_file_with_the_rules_of_its_synonyms(command, tmp_path: Path):
    (tmp_path / "words.txt").write_text("Straße, Weg\n", encoding="utf-8")
    (tmp_path / "german.yaml").write_text("language: german\nsynonyms: words.txt\nshards: 3\n", encoding="utf-8")
    done = command("index-template", "--index", "faq-de", "--settings", "german.yaml", "--encoder", "none")
    assert done.code == 0
    settings = IndexSettings(language="german", synonyms=tmp_path / "words.txt", shards=3)
    assert json.loads(done.out) == index_template("faq-de", settings)
    assert "Straße, Weg" in done.out


def test_what_is_wrong_is_one_line(command, tmp_path: Path):
    assert command("index-template", "--index", "Faq").err.startswith("error 'Faq' can't be the name of an index")
    missing = command("index-template", "--index", "faq", "--settings", "gone.yaml")
    assert (missing.code, missing.out) == (2, "")
    assert missing.err == "error gone.yaml: No such file or directory; expected a YAML file with index settings"
    (tmp_path / "wrong.yaml").write_text("k1: high\n", encoding="utf-8")
    wrong = command("index-template", "--index", "faq", "--settings", "wrong.yaml")
    assert wrong.err == "error wrong.yaml: k1 is 'high'; expected a number, at least 0"
