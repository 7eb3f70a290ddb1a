# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import os
import shutil
import subprocess
import sys
from importlib.resources import as_file, files

import pytest
from haystack import Document, Pipeline

from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.definitions.pipeline_yaml import PipelineFileError, check_indexes, load, point_at, read
from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.models import registry
from haystack_integrations.document_stores.tantivy import IndexOpenError, TantivyDocumentStore


def shipped(name: str) -> Pipeline:
    """The pipeline as a user loads it, from the file that the package brings along."""
    with as_file(files("answer_selection.pipelines").joinpath("shipped", f"{name}.yaml")) as path, path.open() as file:
        return Pipeline.load(file)


@pytest.fixture
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_shipped_pipelines_index_answer_and_build_a_prompt(in_an_empty_folder, small_faq):
    done = shipped("index_faq").run({"sources": [str(small_faq.entries)]})
    assert done["writer"]["documents_written"] == 32
    assert TantivyDocumentStore.open("faq-index").count_documents() == 32

    question = "what should I do when my library card is lost?"
    asked = {"query": question}
    answered = shipped("answer").run(asked)
    assert list(answered) == ["ranker"]
    documents = answered["ranker"]["documents"]
    assert documents[0].id == "lost-card"
    assert len(documents) <= 10
    assert {"ranker_probability", "retriever_score", "retriever_rank", "question", "entry_id"} <= set(documents[0].meta)

    prompt = shipped("rag").run(asked)["prompt_builder"]["prompt"]
    system, user = (message.text for message in prompt)
    assert "from its own entries alone" in system
    blocks = [block.strip() for block in user.split("\n\n")]
    for place, document in enumerate(documents[:3]):
        assert blocks[place] == f"[{document.id}] {document.meta['question']}\n{document.content}", user
    assert user.endswith(f"Question: {question}")
    assert documents[3].content not in user


def test_the_index_pipeline_tells_what_it_could_not_read(in_an_empty_folder):
    (in_an_empty_folder / "faq.md").write_text("# Is there an answer?\n", encoding="utf-8")
    done = shipped("index_faq").run({"sources": ["faq.md"]})
    assert done["writer"]["documents_written"] == 0
    [error] = done["converter"]["errors"]
    assert error.startswith("faq.md, line 1, field 'answer': missing or empty")


@pytest.mark.slow
def test_the_shipped_pipelines_load_without_any_setting(in_an_empty_folder):
    """In a process of its own, in which nothing of this package was imported before."""
    script = (
        "import importlib.util, pathlib, sys\n"
        "from haystack import Pipeline\n"
        "for path in sys.argv[1:]:\n"
        "    print(sorted(Pipeline.load(open(path)).graph.nodes))\n"
    )
    paths = [
        str(files("answer_selection.pipelines").joinpath("shipped", f"{name}.yaml")) for name in pipeline_yaml.SHIPPED
    ]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("HAYSTACK", "PYTHON"))}
    done = subprocess.run(
        [sys.executable, "-c", script, *paths], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "['converter', 'embedder', 'writer']",
        "['converter', 'embedder', 'parser', 'writer']",
        "['corrector', 'embedder', 'ranker', 'retriever']",
        "['corrector', 'embedder', 'ranker', 'retriever']",
        "['corrector', 'embedder', 'parser', 'ranker', 'retriever']",
        "['corrector', 'embedder', 'prompt_builder', 'ranker', 'retriever']",
    ]


def test_what_is_loaded_can_be_dumped_and_loaded_again(in_an_empty_folder):
    for name in pipeline_yaml.SHIPPED:
        pipeline = shipped(name)
        loaded, expected = Pipeline.loads(pipeline.dumps()).to_dict(), pipeline.to_dict()
        for each in (loaded, expected):
            # They come in the order of their components, and those are dumped by name.
            each["connections"].sort(key=str)
        assert loaded == expected


def test_points_every_store_and_ranker_at_what_is_named(in_an_empty_folder, small_index, small_model):
    definition = read("answer")
    changed = point_at(
        definition, index=small_index, model=small_model, retriever_weight=0.0, retriever_top_k=7, top_k=2
    )
    pipeline = load(changed)
    retriever, ranker = pipeline.get_component("retriever"), pipeline.get_component("ranker")
    assert retriever.document_store.path == small_index
    assert retriever.top_k == 7
    assert (ranker.model, ranker.retriever_weight, ranker.top_k) == (str(small_model), 0.0, 2)
    assert [d.score for d in pipeline.run({"query": "lost card"})["ranker"]["documents"]] == [
        d.meta["ranker_probability"] for d in pipeline.run({"query": "lost card"})["ranker"]["documents"]
    ]
    assert definition == read("answer"), "what was given is left as it was"
    written = load(point_at(read("index_faq"), index="elsewhere"))
    assert str(written.get_component("writer").document_store.path) == "elsewhere"


@pytest.mark.parametrize("name", ["answer", "answer_trees", "rag"])
def test_a_shipped_pipeline_asks_the_default_index_in_its_language(name, in_an_empty_folder):
    TantivyDocumentStore(path="faq-index", language="german").write_documents([Document(content="Am Schalter.")])
    definition = point_at(read(name))
    check_indexes(definition)
    assert load(definition).get_component("retriever").document_store.language == "german"


def test_a_language_that_a_pipeline_names_is_its_own(in_an_empty_folder):
    TantivyDocumentStore(path="faq-index", language="german").write_documents([Document(content="Am Schalter.")])
    definition = read("answer")
    definition["components"]["retriever"]["init_parameters"]["document_store"]["init_parameters"]["language"] = None
    with pytest.raises(IndexOpenError, match="language: made with 'german', asked for None"):
        check_indexes(point_at(definition))
    check_indexes(point_at(definition, index="faq-index"))


def test_the_last_ranker_can_return_all_that_retrieval_finds():
    given = read("answer")
    given["components"]["ranker"]["init_parameters"]["score_threshold"] = 0.5
    ranking = pipeline_yaml.rank_all(given)
    assert ranking["components"]["ranker"]["init_parameters"]["top_k"] > 1000
    assert "score_threshold" not in ranking["components"]["ranker"]["init_parameters"]
    assert given["components"]["ranker"]["init_parameters"]["top_k"] == 10, "the definition itself stays as it is"
    bm25 = read("answer")
    bm25["components"]["ranker"] = {"type": pipeline_yaml.BM25_RANKER, "init_parameters": {"top_k": 3}}
    assert pipeline_yaml.rank_all(bm25)["components"]["ranker"]["init_parameters"]["top_k"] > 1000

    cascade = read("answer")
    cascade["components"]["second"] = {"type": pipeline_yaml.ANSWER_RANKER, "init_parameters": {"top_k": 5}}
    cascade["connections"].append({"sender": "ranker.documents", "receiver": "second.documents"})
    ranking = pipeline_yaml.rank_all(cascade)
    assert ranking["components"]["ranker"]["init_parameters"]["top_k"] == 10, "the second reads no more than before"
    assert ranking["components"]["second"]["init_parameters"]["top_k"] > 1000


def test_a_ranker_named_after_a_model_gives_way_to_one_that_runs_any(tmp_path):
    model, collator = registry.build("qrnn", ["some words"], embedding_size=4, projection_size=4, hidden_size=4)
    registry.save(tmp_path / "qrnn", model, collator)
    definition = read("answer")
    definition["components"]["ranker"]["type"] = f"{pipeline_yaml.RANKERS}ctrn.CTRNRanker"
    ranker = load(point_at(definition, model=tmp_path / "qrnn")).get_component("ranker")
    assert type(ranker) is AnswerRanker
    assert ranker.model_type == "qrnn"
    ranker = load(point_at(definition, top_k=3)).get_component("ranker")
    assert (type(ranker).__name__, ranker.top_k) == ("CTRNRanker", 3)


def test_components_of_other_packages_are_left_alone():
    definition = {
        "components": {
            "store": {"type": "other.Retriever", "init_parameters": {"document_store": {"type": "other.Store"}}},
            "none": {"type": "haystack.components.joiners.DocumentJoiner"},
            "bm25": {"type": "haystack_integrations.components.rankers.answer_selection.bm25.BM25Ranker"},
        }
    }
    changed = point_at(definition, index="index", model="model", retriever_weight=1.0, retriever_top_k=3, top_k=3)
    assert [component.get("init_parameters") or {} for component in changed["components"].values()] == [
        {"document_store": {"type": "other.Store"}},
        {},
        {},
    ]


def test_a_missing_or_an_empty_index_is_said_before_a_question_is_asked(in_an_empty_folder, small_index):
    check_indexes(point_at(read("answer"), index=small_index))
    check_indexes(read("index_faq"))
    with pytest.raises(IndexOpenError, match="there is no index in faq-index, or it is empty: `answer-selection"):
        check_indexes(read("answer"))
    shutil.copytree(small_index, "faq-index")
    TantivyDocumentStore.open("faq-index").delete_all_documents()
    with pytest.raises(IndexOpenError, match="it is empty"):
        check_indexes(read("answer"))


@pytest.mark.parametrize(
    ("end", "message"),
    [
        ("connections: 5", "line 4: connections: expected a list of mappings with `sender` and `receiver`"),
        ("connections: [5]", "line 4: connections: expected a list of mappings"),
        ("connections: [{sender: a.documents}]", "line 4: connections: expected a list of mappings"),
        ("connections:\n- {sender: a.documents, receiver: [b]}", "line 4: connections: expected a list of mappings"),
        ("  b: {type: c.D, init_parameters: 5}", "line 4: component 'b': `init_parameters` is 5; expected a mapping"),
        ("  b: 5", "line 4: component 'b': expected a mapping with the `type` of the component"),
        ("components: 5", "line 4: the field 'components' comes twice"),
    ],
)
def test_a_pipeline_with_a_wrong_part_is_refused_with_its_line(end, message, tmp_path):
    file = tmp_path / "own.yaml"
    file.write_text(f"# My own.\ncomponents:\n  a: {{type: b.C}}\n{end}\n")
    with pytest.raises(PipelineFileError, match=message) as error:
        read(file)
    assert str(error.value).startswith(str(file))
    assert "\n" not in str(error.value)
