# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What is true of every ranker, with every model: it loads from YAML, and is not brought down by large input."""

import inspect
import time

import pytest
import torch
from haystack import Document, Pipeline
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from computed_twice import assert_same_ranking
from haystack_integrations.components.rankers import answer_selection
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.ranked_text import RankedText

RANKERS = {name: getattr(answer_selection, name) for name in answer_selection.__all__}
# Those that are named after a type of model, with it.
NAMED = {name: type_ for name, ranker in RANKERS.items() if (type_ := getattr(ranker, "only_model_type", None))}
OWN_MODEL = ("CTRNRanker", "GSAMNRanker")
MODEL_TYPES = sorted({model.config_class().model_type for model in registry.MODELS.values()})
RETIRED = {
    "ap_bilstm": "APBiLSTMRanker",
    "encoder_layers": "EncoderLayersRanker",
    "lstm": "LSTMRanker",
    "qrnn": "QRNNRanker",
    "transformer": "TransformerRanker",
}
SIZES = {
    "embedding_size": 12,
    "projection_size": 12,
    "hidden_size": 6,
    "filters": 4,
    "heads": 2,
    "mlp_size": 4,
    "half_size": 8,
    "feed_forward_size": 12,
    "max_query_length": 20,
    "max_answer_length": 50,
    "max_pair_length": 50,
    "encoder": {
        "model_type": "bert",
        "vocab_size": 100,
        "hidden_size": 8,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 16,
    },
}
QUERY = "When does the reading room close?"
TEXTS = ["The reading room closes at eight.", "A lost card is replaced at any desk.", "No."]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A model folder of every model, by the model's name."""
    made = {}
    for name, model_class in registry.MODELS.items():
        torch.manual_seed(3)
        known = model_class.config_class().to_dict()
        sizes = {option: value for option, value in SIZES.items() if option in known}
        model, collator = registry.build(name, [QUERY, *TEXTS], TEXTS, **sizes)
        made[name] = tmp_path_factory.mktemp(name)
        registry.save(made[name], model, collator)
    return made


def new(name, folders, **options):
    """A ranker by its name, with a model where it needs one; or the one that runs any, by the model's type."""
    if name in MODEL_TYPES:
        return AnswerRanker(model=folders[name], **options)
    return RANKERS[name](**({"model": folders[NAMED[name]]} if name in NAMED else {}), **options)


def documents(texts=TEXTS):
    return [Document(id=str(number), content=text) for number, text in enumerate(texts)]


def yaml_of(type_, model):
    parameters = "{}" if model is None else f"{{model: {model}}}"
    return f"components:\n  ranker:\n    type: {type_}\n    init_parameters: {parameters}\nconnections: []\n"


@pytest.mark.parametrize("name", RANKERS)
def test_loads_from_yaml_that_says_no_more_than_it_must(name, folders):
    model = folders[NAMED[name]] if name in NAMED and name not in OWN_MODEL else None
    pipeline = Pipeline.loads(yaml_of(f"{RANKERS[name].__module__}.{name}", model))
    result = pipeline.run({"ranker": {"query": QUERY, "documents": documents()}})["ranker"]
    assert sorted(document.id for document in result["documents"]) == ["0", "1", "2"]
    again = Pipeline.loads(pipeline.dumps())
    assert again.get_component("ranker").to_dict() == pipeline.get_component("ranker").to_dict()
    assert_same_ranking(again.run({"ranker": {"query": QUERY, "documents": documents()}})["ranker"], result)


@pytest.mark.parametrize("name", ["BM25Ranker", *NAMED, *MODEL_TYPES])
def test_texts_are_ranked_as_documents_are(name, folders):
    # Nothing was warmed up; the component's own top_k is not that of the list, and equal texts are two.
    ranked = new(name, folders, top_k=1).rank(QUERY, [*TEXTS, TEXTS[0]])
    ran = new(name, folders).run(QUERY, documents([*TEXTS, TEXTS[0]]))["documents"]
    assert [(str(each.index), each.text) for each in ranked] == [(each.id, each.content) for each in ran]
    assert [each.score for each in ranked] == pytest.approx([each.score for each in ran], abs=1e-6)
    probabilities = [each.meta.get("ranker_probability") for each in ran]
    if name == "BM25Ranker":
        assert [each.probability for each in ranked] == probabilities == [None] * 4
    else:
        assert [each.probability for each in ranked] == pytest.approx(probabilities, abs=1e-6)


@pytest.mark.parametrize("name", ["BM25Ranker", *NAMED, *MODEL_TYPES])
def test_half_a_character_is_read_as_a_question_mark(name, folders):
    ranker, text = new(name, folders), "{} reading room {} closes at eight."
    broken = ranker.rank(QUERY + "\ud83d", [text.format("\udcff", "\ud83d")])
    whole = ranker.rank(QUERY + "?", [text.format("?", "?")])
    # A parser takes it for a word, so that such a text has another tree.
    within = 0.5 if name in ("tree_aggregation", "TreeAggregationRanker") else 1e-5
    assert broken[0].score == pytest.approx(whole[0].score, abs=within)


def test_ranked_texts_are_cut_and_may_be_none():
    ranker = RANKERS["BM25Ranker"]()
    [best] = ranker.rank("lost card", TEXTS, top_k=1)
    assert best == RankedText(index=1, score=best.score, probability=None, text=TEXTS[1])
    assert ranker.rank("lost card", []) == []
    assert len(ranker.rank("room", [f"room {number}" for number in range(30)])) == 30


@pytest.mark.parametrize(
    ("query", "texts", "top_k", "error", "message"),
    [
        (QUERY, "x", None, TypeError, r"texts must be a list of texts \(str\), but is 'x'"),
        (QUERY, ["x", None], None, TypeError, r"texts must be a list of texts \(str\), but text 1 is None"),
        (QUERY, documents(), None, TypeError, r"texts must be a list of texts \(str\), but text 0 is Document"),
        (None, ["x"], None, TypeError, r"query must be a text \(str\), but is None"),
        (QUERY, ["x"], 0, ValueError, "top_k must be an integer > 0, but got 0"),
        (QUERY, ["x"], "3", ValueError, "top_k must be an integer > 0, but got '3'"),
    ],
)
def test_what_cannot_be_ranked_is_said(query, texts, top_k, error, message):
    with pytest.raises(error, match=message):
        RANKERS["BM25Ranker"]().rank(query, texts, top_k=top_k)


@pytest.mark.parametrize(
    ("query", "candidates", "message"),
    [
        (QUERY, ["x"], "documents must be a list of Document, but document 0 is 'x'"),
        (QUERY, [*documents(), None], "documents must be a list of Document, but document 3 is None"),
        (QUERY, "x", "documents must be a list of Document, but is 'x'"),
        (QUERY, Document(content="x"), "documents must be a list of Document, but is Document"),
        (QUERY, None, "documents must be a list of Document, but is None"),
        (5, documents(), r"query must be a text \(str\), but is 5"),
        (None, [], r"query must be a text \(str\), but is None"),
        ([QUERY], documents(), r"query must be a text \(str\), but is \['When"),
    ],
)
@pytest.mark.parametrize("name", ["BM25Ranker", "CTRNRanker"])
async def test_what_is_no_query_or_document_is_said(name, query, candidates, message):
    ranker = RANKERS[name]()
    with pytest.raises(TypeError, match=message):
        ranker.run(query, candidates)
    with pytest.raises(TypeError, match=message):
        await ranker.run_async(query, candidates)
    with pytest.raises(TypeError, match=message):
        ranker.run_batch([query], [candidates])


def test_a_batch_that_is_no_list_is_said():
    ranker = RANKERS["BM25Ranker"]()
    with pytest.raises(TypeError, match=r"queries must be a list of texts \(str\), but is 'When"):
        ranker.run_batch(QUERY, [documents()])
    with pytest.raises(TypeError, match=r"documents must be a list of lists of Document, but is None"):
        ranker.run_batch([QUERY], None)


@pytest.mark.parametrize("name", RANKERS)
def test_every_parameter_is_in_its_dictionary(name, folders):
    written = new(name, folders).to_dict()["init_parameters"]
    assert set(written) == set(inspect.signature(RANKERS[name].__init__).parameters) - {"self"}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED)
def test_a_ranker_named_after_a_model_refuses_others(name, folders):
    for other in MODEL_TYPES:
        ranker = RANKERS[name](model=folders[other])
        if other == NAMED[name]:
            ranker.warm_up()
            continue
        expected = f"holds a model of the type '{other}', but {name} runs '{NAMED[name]}'; AnswerRanker runs any"
        with pytest.raises(ValueError, match=expected):
            ranker.warm_up()


@pytest.mark.parametrize("name", NAMED)
def test_two_rankers_have_a_model_of_the_package(name):
    if name in OWN_MODEL:
        RANKERS[name]().warm_up()
    else:
        with pytest.raises(ValueError, match=f"{name} has no default model; pass model="):
            RANKERS[name]()


@pytest.mark.parametrize("module", RETIRED)
def test_a_type_of_an_earlier_version_loads_with_a_warning(module, folders):
    old = f"haystack_integrations.components.rankers.answer_selection.{module}.{RETIRED[module]}"
    new = "haystack_integrations.components.rankers.answer_selection.answer_ranker.AnswerRanker"
    with pytest.warns(DeprecationWarning, match=f"{old} will be gone in the next release; use {new}"):
        pipeline = Pipeline.loads(yaml_of(old, folders[module]))
    result = pipeline.run({"ranker": {"query": QUERY, "documents": documents()}})["ranker"]
    assert len(result["documents"]) == len(TEXTS)
    # What is saved has the new type.
    assert pipeline.to_dict()["components"]["ranker"]["type"] == new
    assert type(Pipeline.loads(pipeline.dumps()).get_component("ranker")) is AnswerRanker


@pytest.mark.slow
@pytest.mark.parametrize("name", ["BM25Ranker", *MODEL_TYPES])
def test_texts_of_100_000_words(name, folders):
    long = "room " * 60 + "the desk closes " * 33_330
    ranker = new(name, folders)
    ranker.run(QUERY, documents())
    start = time.process_time()
    found = ranker.run(QUERY, [Document(id="long", content=long), Document(id="short", content="No.")])
    asked = ranker.run(long, documents())
    assert time.process_time() - start < 60, "a second or two, unless time grows faster than the text"
    assert {document.id for document in found["documents"]} == {"long", "short"}
    assert len(asked["documents"]) == 3
    if name in MODEL_TYPES:
        # It reads what its configuration says, and no further.
        score = {document.id: document.score for document in found["documents"]}["long"]
        assert ranker.run(QUERY, [Document(content="room " * 50)])["documents"][0].score == pytest.approx(
            score, abs=1e-6
        )


class LiveBytes(TorchDispatchMode):
    """The most bytes that torch's tensors had at a time."""

    def __init__(self):
        super().__init__()
        self.alive, self.peak = {}, 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        for leaf in tree_leaves(out):
            if isinstance(leaf, torch.Tensor):
                storage = leaf.untyped_storage()
                self.alive[storage._cdata] = StorageWeakRef(storage), storage.nbytes()
        self.alive = {key: each for key, each in self.alive.items() if not each[0].expired()}
        self.peak = max(self.peak, sum(size for _, size in self.alive.values()))
        return out


@pytest.mark.slow
@pytest.mark.parametrize("name", [*MODEL_TYPES, "AnswerRanker"])
def test_four_times_the_candidates_need_no_more_memory(name, folders):
    """Had all at once, their encodings would need four times as much; what may grow are vectors of a few numbers."""
    options = {"batch_size": 16, "answer_cache_mib": 0.0, "top_k": 200}
    ranker = new(name, folders, **options)
    words = " ".join(TEXTS).lower().split()
    texts = [f"{n} " + " ".join(words[n * k % len(words)] for k in range(60)) for n in range(200)]
    ranker.run(QUERY, documents(texts[:20]))
    peaks = []
    for count in (50, 200):
        with LiveBytes() as made:
            assert len(ranker.run(QUERY, documents(texts[:count]))["documents"]) == count
        peaks.append(made.peak)
    assert 0 < peaks[1] < 1.5 * peaks[0]
