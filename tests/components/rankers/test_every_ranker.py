# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What is true of every ranker: it loads from YAML, knows its own models, and is not brought down by large input."""

import inspect
import time

import pytest
import torch
from computed_twice import assert_same_ranking
from haystack import Document, Pipeline
from haystack_integrations.components.rankers import answer_selection
from haystack_integrations.components.rankers.answer_selection.answer_ranker import NeuralRanker
from haystack_integrations.components.rankers.answer_selection.models import registry
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

RANKERS = {name: getattr(answer_selection, name) for name in answer_selection.__all__}
NEURAL = {name: ranker for name, ranker in RANKERS.items() if issubclass(ranker, NeuralRanker)}
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
    """A ranker, with a model where it takes one."""
    ranker = RANKERS[name]
    return ranker(model=folders[ranker.model_type], **options) if name in NEURAL else ranker(**options)


def documents(texts=TEXTS):
    return [Document(id=str(number), content=text) for number, text in enumerate(texts)]


def test_every_model_has_its_ranker():
    saved = {model.config_class().model_type for model in registry.MODELS.values()}
    assert saved == {ranker.model_type for ranker in NEURAL.values()}


@pytest.mark.parametrize("name", RANKERS)
def test_loads_from_yaml_that_says_no_more_than_it_must(name, folders):
    ranker = RANKERS[name]
    yaml = f"components:\n  ranker:\n    type: {ranker.__module__}.{name}\n    init_parameters: "
    if name in NEURAL and ranker.default_model is None:
        yaml += f"{{model: {folders[ranker.model_type]}}}"
    else:
        yaml += "{}"
    pipeline = Pipeline.loads(f"{yaml}\nconnections: []\n")
    result = pipeline.run({"ranker": {"query": QUERY, "documents": documents()}})["ranker"]
    assert sorted(document.id for document in result["documents"]) == ["0", "1", "2"]
    again = Pipeline.loads(pipeline.dumps())
    assert again.get_component("ranker").to_dict() == pipeline.get_component("ranker").to_dict()
    assert_same_ranking(again.run({"ranker": {"query": QUERY, "documents": documents()}})["ranker"], result)


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


@pytest.mark.parametrize("name", NEURAL)
def test_another_rankers_model_is_refused_by_name(name, folders):
    own = NEURAL[name].model_type
    for other, ranker in NEURAL.items():
        if other != name:
            expected = f"holds a model of the type '{ranker.model_type}', but {name} runs '{own}'; use {other} for it"
            with pytest.raises(ValueError, match=expected):
                NEURAL[name](model=folders[ranker.model_type]).warm_up()


@pytest.mark.parametrize("name", RANKERS)
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
    if name in NEURAL:
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


@pytest.mark.parametrize("name", [*NEURAL, "the shipped model"])
def test_four_times_the_candidates_need_no_more_memory(name, folders):
    """Had all at once, their encodings would need four times as much; what may grow are vectors of a few numbers."""
    options = {"batch_size": 16, "answer_cache_mib": 0.0, "top_k": 400}
    ranker = new(name, folders, **options) if name in NEURAL else RANKERS["CTRNRanker"](**options)
    words = " ".join(TEXTS).lower().split()
    texts = [f"{n} " + " ".join(words[n * k % len(words)] for k in range(60)) for n in range(400)]
    ranker.run(QUERY, documents(texts[:20]))
    peaks = []
    for count in (100, 400):
        with LiveBytes() as made:
            assert len(ranker.run(QUERY, documents(texts[:count]))["documents"]) == count
        peaks.append(made.peak)
    assert 0 < peaks[1] < 1.5 * peaks[0]
