# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""What is true of every ranker: it loads from YAML, knows its own models, and is not brought down by large input."""

import inspect
import subprocess
import sys
import time

import pytest
import torch
from haystack import Document, Pipeline
from haystack_integrations.components.rankers import answer_selection
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.components.rankers.answer_selection.neural import NeuralRanker

RANKERS = {name: getattr(answer_selection, name) for name in answer_selection.__all__}
NEURAL = {name: ranker for name, ranker in RANKERS.items() if issubclass(ranker, NeuralRanker)}
SIZES = {
    "embedding_size": 12,
    "projection_size": 12,
    "hidden_size": 6,
    "filters": 4,
    "heads": 2,
    "mlp_size": 4,
    "max_query_length": 20,
    "max_answer_length": 50,
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


def order(result):
    return [(document.id, document.score) for document in result["documents"]]


def test_every_model_has_its_ranker():
    assert {ranker.model_type for ranker in NEURAL.values()} <= set(registry.MODELS)
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
    assert order(again.run({"ranker": {"query": QUERY, "documents": documents()}})["ranker"]) == order(result)


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
    assert time.process_time() - start < 20
    assert {document.id for document in found["documents"]} == {"long", "short"}
    assert len(asked["documents"]) == 3
    if name in NEURAL:
        # It reads what its configuration says, and no further.
        score = {document.id: document.score for document in found["documents"]}["long"]
        assert ranker.run(QUERY, [Document(content="room " * 50)])["documents"][0].score == pytest.approx(
            score, abs=1e-6
        )


SCRIPT = """
import resource, sys
from haystack import Document
from haystack_integrations.components.rankers.answer_selection import CTRNRanker

words = "the reading room closes at eight a lost card is replaced any desk no".split()
documents = [
    Document(id=str(n), content=f"{n} " + " ".join(words[(n * k + k) % len(words)] for k in range(120)))
    for n in range(20_000)
]
ranker = CTRNRanker(model=sys.argv[1], top_k=20_000)
ranker.run("When does the room close?", documents[:200])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert len(ranker.run("When does the reading room close?", documents)["documents"]) == 20_000
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def test_memory_for_20_000_long_candidates(tmp_path):
    """
    CTRN's encodings of them, had all at once, would be 1.5 GB.

    What may grow with the candidates are the results, their words' ids (16 MB), and the cache up to its 128 MiB.
    """
    torch.manual_seed(3)
    sizes = {"embedding_size": 48, "projection_size": 48, "hidden_size": 64, "max_answer_length": 100}
    registry.save(tmp_path, *registry.build("ctrn", [QUERY, *TEXTS], TEXTS, **sizes))
    process = subprocess.run([sys.executable, "-c", SCRIPT, str(tmp_path)], check=False, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert int(process.stdout.splitlines()[-1]) < 400
