# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import io
import json
import re
import shutil

import pytest
import yaml

from answer_selection.pipelines.definitions import pipeline_yaml
from answer_selection.pipelines.serving.answering import Answering


@pytest.fixture
def ask(command, small_index, small_model):
    return lambda question, *more: command("ask", question, "--index", small_index, "--model", small_model, *more)


def test_shows_the_best_answers_with_their_entries(ask):
    done = ask("what does it cost to replace a lost card?", "--top-k", 2)
    assert done.code == 0
    assert done.out.startswith("1 ")
    assert " 2 " in done.out
    assert len(re.findall(r"(likely|possible|doubtful), [01]\.\d\d ", done.out)) == 2
    assert done.err == ""
    assert "lost-card" in ask("what does it cost to replace a lost card?", "--top-k", 30).out


@pytest.mark.slow
def test_long_answers_are_cut_unless_whole_ones_are_asked_for(command, small_model, tmp_path):
    entry = {"id": "a", "question": "What is long?", "answer": "It goes on. " * 200 + "This is the end."}
    (tmp_path / "faq.jsonl").write_text(json.dumps(entry) + "\n", encoding="utf-8")
    command("index", "faq.jsonl")
    short = command("ask", "what is long?", "--model", small_model).out
    assert short.endswith("It goes on. …")
    assert short.count("It goes on.") < 30
    assert command("ask", "what is long?", "--model", small_model, "--full").out.endswith("This is the end.")


def test_json_is_what_the_service_answers(command, small_index, small_model):
    question = "what does it cost to replace a lost card?"
    options = ("--index", small_index, "--model", small_model, "--top-k", "2", "--json")
    done = command("ask", question, *options)
    assert (done.code, done.err) == (0, "")
    printed = json.loads(done.out)
    served = Answering(pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=small_index, model=small_model))
    expected = served.answer(question, top_k=2).model_dump()
    assert printed["answers"] == expected["answers"]
    silence = {"abstained", "best_probability", "closest", "searched"}
    assert set(printed) == set(expected) == {"answers", "retrieval_ms", "ranking_ms", *silence}
    assert len(printed["answers"]) == 2

    nothing = command("ask", "xyzzy", *options)
    assert nothing.code == 1
    assert json.loads(nothing.out)["answers"] == []


def test_the_source_of_an_answer_is_shown(command, small_model, tmp_path):
    entry = {"id": "a", "question": "Where?", "answer": "At any desk.", "source": "pages/faq.md", "anchor": "where"}
    (tmp_path / "faq.jsonl").write_text(json.dumps(entry) + "\n", encoding="utf-8")
    command("index", "faq.jsonl")
    assert "a · pages/faq.md#where At any desk." in command("ask", "where is a desk?", "--model", small_model).out


@pytest.mark.slow
def test_asks_the_index_and_the_model_that_the_package_names_by_itself(command, small_index, tmp_path):
    shutil.copytree(small_index, tmp_path / "faq-index")
    done = command("ask", "what does it cost to replace a lost card?")
    assert done.code == 0
    assert "lost-card" in done.out


def test_what_was_searched_for_is_said_where_it_is_not_what_was_typed(ask, command, small_index, small_model):
    wrong, right = "what does it cost to repalce a lost [b]card?", "what does it cost to replace a lost [b]card?"
    assert ask(wrong).out == f"searched for: {right} {ask(right).out}"
    options = ("--index", small_index, "--model", small_model, "--json")
    searched = [json.loads(command("ask", each, *options).out)["searched"] for each in (wrong, right)]
    assert searched == [right, None]


def test_any_question_is_text(ask):
    done = ask('title:[ (AND "NOT" *? ~2 ^card\' -lost +/.')
    assert done.code == 0
    assert "Traceback" not in done.err


def test_no_answer_is_exit_code_1(ask):
    done = ask("xyzzy")
    assert (done.code, done.out) == (1, "no answer found")


def test_answers_are_shown_as_they_are(command, small_model, tmp_path):
    entry = {"id": "[/b]", "question": "What is [bold]?", "answer": "It is [red]markup[/red], and [/] is its end."}
    (tmp_path / "faq.jsonl").write_text(json.dumps(entry) + "\n", encoding="utf-8")
    command("index", "faq.jsonl")
    done = command("ask", "what is markup?", "--model", small_model)
    assert done.code == 0
    for text in ("[/b]", "What is [bold]?", "It is [red]markup[/red]"):
        assert text in done.out


@pytest.mark.slow
def test_an_index_in_another_language_is_asked_in_its_language(command, small_model, tmp_path):
    entry = {"id": "a", "question": "Wie verlängere ich Bücher?", "answer": "Am Schalter, mit dem Ausweis."}
    (tmp_path / "faq.jsonl").write_text(json.dumps(entry) + "\n", encoding="utf-8")
    command("index", "faq.jsonl", "--index", "deutsch", "--language", "german")
    done = command("ask", "Buch", "--index", "deutsch", "--model", small_model)
    assert done.code == 0
    assert "Am Schalter" in done.out


def test_a_pipeline_of_ones_own_is_asked_as_it_is(command, small_index, tmp_path):
    definition = pipeline_yaml.point_at(pipeline_yaml.read("answer"), index=small_index)
    definition["components"] = {"search": definition["components"]["retriever"]}
    del definition["connections"], definition["inputs"], definition["outputs"]
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(definition), encoding="utf-8")
    done = command("ask", "lost card", "--pipeline", "own.yaml")
    assert done.code == 0
    assert "lost-card" in done.out


LINES = "what does it cost to replace a lost card?\n\n?!\nwhere is the [b]desk[/b]?\n"


@pytest.fixture
def ask_lines(command, small_index, small_model, monkeypatch):
    class Lines(io.StringIO):
        typed = False

        def isatty(self):
            return self.typed

    def run(lines, *more, typed=False):
        stdin = Lines(lines)
        stdin.typed = typed
        monkeypatch.setattr("sys.stdin", stdin)
        return command("ask", "--index", small_index, "--model", small_model, *more)

    return run


def test_questions_are_read_from_standard_input(ask, ask_lines):
    first, second = ("what does it cost to replace a lost card?", "where is the [b]desk[/b]?")
    done = ask_lines(LINES)
    assert done.out == f"{first} {ask(first).out} {second} {ask(second).out}"
    assert done.err == "line 3: the question: expected at least one word"
    assert done.code == 1
    assert ask_lines(f"{first}\n{second}\n").code == 0


def test_each_question_of_standard_input_is_a_line_of_json(ask, ask_lines, monkeypatch):
    printed = []
    monkeypatch.setattr("typer.echo", printed.append)
    done = ask_lines(LINES + "xyzzy\nwo gibt es Bücher?\n", "--json")
    found = [json.loads(line) for line in printed]
    asked = ["what does it cost to replace a lost card?", "where is the [b]desk[/b]?", "xyzzy", "wo gibt es Bücher?"]
    assert [each["question"] for each in found] == asked
    assert "ü" in printed[-1]
    assert not found[2]["answers"]
    assert done.code == 1
    ask(asked[0], "--json")
    alone = json.loads(printed[-1])
    assert found[0]["answers"] == alone["answers"]
    assert set(found[0]) == {"question", *alone}


def test_a_person_is_asked_for_one_question_after_the_other(ask, ask_lines):
    done = ask_lines(LINES, typed=True)
    first, second = (ask(question).out for question in LINES.splitlines()[::3])
    assert done.out == f"? {first} ? ? ? {second} ?"
    assert done.err == "line 3: the question: expected at least one word"
    assert ask_lines("", typed=True).code == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "own.yaml: No such file or directory; expected a YAML file, or one of index_faq, index_faq"),
        ("a: [", "own.yaml, line 1: not YAML"),
        ("[1, 2]", "own.yaml: expected a mapping with `components`"),
        (
            "components: {bm25: 7}",
            "own.yaml, line 1: component 'bm25': expected a mapping with the `type` of the component",
        ),
        ("components: {bm25: {type: haystack_integrations.nope.X}}", "Component 'haystack_integrations.nope.X'"),
        ("components: {bm25: {type: os.system}}", "Refusing to deserialize a class from module 'os'"),
        (
            "components: {b: {type: haystack.components.builders.prompt_builder.PromptBuilder, "
            "init_parameters: {template: x}}}",
            "own.yaml answers no question",
        ),
    ],
)
def test_a_broken_pipeline_is_said_to_be_one(command, tmp_path, content, message):
    if content is not None:
        (tmp_path / "own.yaml").write_text(content, encoding="utf-8")
    done = command("ask", "why?", "--pipeline", "own.yaml")
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["why?", "--index", "nowhere"], "there is no index in nowhere, or it is empty: `answer-selection index"),
        (["why?", "--model", "./no/model"], "there is no model folder no/model"),
        (["why?", "--model", "."], "the model folder . lacks config.json"),
        (["why?", "--pipeline", "index_faq"], "index_faq answers no question"),
        (["why?", "--top-k", 0], "Invalid value for '--top-k'"),
        ([" "], "the question is empty"),
        (["?!"], "the question: expected at least one word"),
        (["why " * 3000], "the question: String should have at most 10000 characters"),
        (["why?", "--json", "--full"], "--full and --json exclude each other: JSON has whole answers"),
        ([], "there is no question, neither behind `ask` nor on standard input"),
    ],
)
def test_what_cannot_be_done_is_said(command, small_index, arguments, message, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    done = command("ask", "--index", small_index, *arguments)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


def test_debug_shows_where_an_error_comes_from(command):
    for typed in (["ask", "why?", "--index", "nowhere", "--debug"], ["--debug", "ask", "why?", "--index", "nowhere"]):
        done = command(*typed)
        assert done.code == 2
        assert "Traceback (most recent call last)" in done.err
        assert "IndexOpenError" in done.err
