# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What is TreeAggregationRanker's own: trees from metadata, and what is done without."""

import asyncio
import logging

import pytest
import torch
from haystack import Document, Pipeline

from answer_selection.indexing.text.tree import TreeError
from computed_twice import assert_same_ranking
from haystack_integrations.components.preprocessors.answer_selection.backend import ParserError
from haystack_integrations.components.preprocessors.answer_selection.shallow import ShallowBackend
from haystack_integrations.components.rankers.answer_selection import TreeAggregationRanker
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.models.record import Record

QUERY = "When does the reading room close?"
TEXTS = ["The reading room closes at eight.", "A lost card is replaced at any desk.", ""]
ENCODER = {
    "model_type": "bert",
    "vocab_size": 100,
    "hidden_size": 8,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 16,
    "initializer_range": 0.3,
}


def flat(text):
    return f"(ROOT {' '.join(f'(NN {word})' for word in text.split())})"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    torch.manual_seed(3)
    sizes = {"half_size": 8, "heads": 2, "feed_forward_size": 12, "max_pair_length": 40}
    model, collator = registry.build("tree_aggregation", [QUERY, *TEXTS], encoder=ENCODER, **sizes)
    made = tmp_path_factory.mktemp("tree_aggregation")
    registry.save(made, model, collator)
    return made


def documents(trees):
    return [
        Document(id=str(number), content=text, meta={} if tree is None else {"parse_tree": tree, "kept": number})
        for number, (text, tree) in enumerate(zip(TEXTS, trees, strict=True))
    ]


def scores(result):
    return {document.id: document.score for document in result["documents"]}


FLAT = [flat(text) for text in TEXTS]


def test_trees_of_the_metadata_are_the_models(folder):
    ranker = TreeAggregationRanker(model=folder, retriever_weight=0.0)
    result = ranker.run(QUERY, documents(FLAT), query_meta={"parse_tree": flat(QUERY)})
    model, collator = registry.load(folder)
    records = [
        Record(QUERY, text, {"parse_tree": flat(QUERY)}, {"parse_tree": tree})
        for text, tree in zip(TEXTS, FLAT, strict=True)
    ]
    with torch.no_grad():
        expected = torch.sigmoid(model(**collator(records))).tolist()
    assert scores(result) == pytest.approx({str(number): score for number, score in enumerate(expected)}, abs=1e-6)
    assert {document.meta["kept"] for document in result["documents"]} == {0, 1, 2}
    found = asyncio.run(ranker.run_async(QUERY, documents(FLAT), query_meta={"parse_tree": flat(QUERY)}))
    assert_same_ranking(found, result)


def test_what_has_no_tree_is_parsed_and_told(folder, caplog):
    ranker = TreeAggregationRanker(model=folder)
    shallow = ShallowBackend().parse([QUERY, *TEXTS])
    expected = ranker.run(QUERY, documents(shallow[1:]), query_meta={"parse_tree": shallow[0]})
    assert not caplog.records
    with caplog.at_level(logging.INFO, logger="haystack_integrations"):
        found = ranker.run(QUERY, documents([shallow[1], None, None]))
    assert_same_ranking(found, expected)
    told = [record for record in caplog.records if "no parse tree" in record.getMessage()]
    assert len(told) == 1
    assert "2 of 3 answers and 1 of 1 queries had no parse tree and were parsed by shallow" in told[0].getMessage()
    assert told[0].levelno == logging.WARNING
    caplog.clear()
    with caplog.at_level(logging.INFO, logger="haystack_integrations"):
        ranker.run_batch([QUERY, "No."], [documents(shallow[1:])] * 2)
    (told,) = [record for record in caplog.records if "no parse tree" in record.getMessage()]
    assert "0 of 3 answers and 1 of 2 queries" in told.getMessage()
    assert told.levelno == logging.INFO


@pytest.fixture
def seen(monkeypatch):
    """What the parser is given, call by call."""
    calls = []

    def stream(self, texts, parse=ShallowBackend.stream):
        calls.append(list(texts))
        return parse(self, calls[-1])

    monkeypatch.setattr(ShallowBackend, "stream", stream)
    return calls


def test_a_text_is_parsed_once(folder, seen):
    ranker = TreeAggregationRanker(model=folder)
    first = ranker.run(QUERY, documents([None, FLAT[1], None]))
    assert seen == [sorted([QUERY, TEXTS[0], TEXTS[2]])]
    assert_same_ranking(ranker.run(QUERY, documents([None, FLAT[1], None])), first)
    ranker.run("No.", documents([None] * 3))
    assert seen[1:] == [sorted(["No.", TEXTS[1]])]
    ranker.close()
    ranker.run("No.", documents(FLAT))
    assert seen[2:] == [["No."]]
    forgetful = TreeAggregationRanker(model=folder, answer_cache_mib=0)
    for _ in range(2):
        assert_same_ranking(forgetful.run(QUERY, documents([None, FLAT[1], None])), first)
    assert seen[3:] == [seen[0]] * 2


def test_what_was_parsed_before_a_parser_died_is_kept(folder, monkeypatch):
    seen = []

    def stream(self, texts, parse=ShallowBackend.stream):
        for text in texts:
            seen.append(text)
            if text == TEXTS[0] and seen.count(text) == 1:
                msg = "it died"
                raise ParserError(msg)
            yield from parse(self, [text])

    monkeypatch.setattr(ShallowBackend, "stream", stream)
    ranker = TreeAggregationRanker(model=folder)
    with pytest.raises(ParserError, match="it died"):
        ranker.run(QUERY, documents([None] * 3))
    assert seen == [TEXTS[2], TEXTS[1], TEXTS[0]]
    ranker.run(QUERY, documents([None] * 3))
    assert seen[3:] == [TEXTS[0], QUERY]


def test_tree_that_is_none_is_no_tree(folder):
    ranker = TreeAggregationRanker(model=folder)
    without = ranker.run(QUERY, documents([None] * 3))
    none = [Document(id=str(n), content=text, meta={"parse_tree": None}) for n, text in enumerate(TEXTS)]
    assert_same_ranking(ranker.run(QUERY, none, query_meta={"parse_tree": None}), without)


def test_another_tree_gives_another_score(folder):
    ranker = TreeAggregationRanker(model=folder)
    assert scores(ranker.run(QUERY, documents(FLAT))) != scores(ranker.run(QUERY, documents([None] * 3)))


def test_tree_is_of_all_of_the_text_that_is_read(folder):
    ranker = TreeAggregationRanker(model=folder, meta_fields_to_embed=["question"])
    content = {"content": "At eight.", "id": "1"}
    whole = Document(**content, meta={"question": "When?", "parse_tree": flat("When? At eight.")})
    assert len(ranker.run(QUERY, [whole])["documents"]) == 1
    part = Document(**content, meta={"question": "When?", "parse_tree": flat("At eight.")})
    message = (
        r"document '1' has a parse tree in 'parse_tree' that is not its text's.*\(meta_fields_to_embed, question, "
    )
    with pytest.raises(TreeError, match=message):
        ranker.run(QUERY, [part])


# --- what is refused ---


def test_strict_ranker_names_what_has_no_tree(folder):
    ranker = TreeAggregationRanker(model=folder, strict_trees=True)
    meta = {"parse_tree": flat(QUERY)}
    assert len(ranker.run(QUERY, documents(FLAT), query_meta=meta)["documents"]) == 3
    with pytest.raises(TreeError, match="document '1' has no parse tree; strict_trees expects one under 'parse_tree'"):
        ranker.run(QUERY, documents([FLAT[0], None, None]), query_meta=meta)
    with pytest.raises(TreeError, match="the query has no parse tree; strict_trees expects one"):
        ranker.run(QUERY, documents(FLAT))
    with pytest.raises(TreeError, match="the answer 'b' has no parse tree"):
        ranker.score_pairs([Record("a", "b", meta)])
    with pytest.raises(TreeError, match="the query 'a' has no parse tree"):
        ranker.score_pairs([Record("a", "b", {}, {"parse_tree": flat("b")})])


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (
            flat("Another text."),
            "document '1' has .* at character 11 of the tree .*: the word 'Another' is not",
        ),
        ("(ROOT (NN A)", "document '1' has .* at character 1 of the tree .* is never closed"),
        ("", "document '1' has .* there is no bracket"),
        (3, "document '1' has .* of the type int"),
    ],
)
def test_bad_tree_is_refused_with_its_document_and_place(folder, tree, message):
    with pytest.raises(TreeError, match=message):
        TreeAggregationRanker(model=folder).run(QUERY, documents([FLAT[0], tree, FLAT[2]]))


def test_bad_tree_of_the_query_is_refused(folder):
    with pytest.raises(TreeError, match="the query has a parse tree in 'parse_tree' that is not its text's: at"):
        TreeAggregationRanker(model=folder).run(QUERY, documents(FLAT), query_meta={"parse_tree": flat("No.")})


def test_parser_that_is_not_there_is_named(folder):
    ranker = TreeAggregationRanker(model=folder, corenlp_url="http://127.0.0.1:9")
    with pytest.raises(ParserError, match=r"127\.0\.0\.1:9"):
        ranker.run(QUERY, documents(FLAT))


# --- YAML ---


def test_yaml_says_where_the_parser_is(folder):
    pipeline = Pipeline()
    pipeline.add_component(
        "ranker", TreeAggregationRanker(model=folder, corenlp_url="http://localhost:9000", strict_trees=True)
    )
    again = Pipeline.loads(pipeline.dumps()).get_component("ranker")
    assert (again.corenlp_url, again.strict_trees) == ("http://localhost:9000", True)
    assert again.to_dict() == pipeline.get_component("ranker").to_dict()


def test_long_texts_are_parsed_only_as_far_as_they_are_read(folder, seen):
    ranker = TreeAggregationRanker(model=folder)
    long = "The reading room closes at eight. " * 1000
    found = ranker.run(QUERY, [Document(id="long", content=long)])["documents"][0]
    assert max(len(text) for texts in seen for text in texts) < 1000
    assert found.content == long
    shorter = ranker.run(QUERY, [Document(id="long", content=long[:10_000])])["documents"][0]
    assert shorter.score == pytest.approx(found.score, abs=1e-6)
