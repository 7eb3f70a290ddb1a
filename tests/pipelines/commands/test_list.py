# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json
import sys

import pytest

from answer_selection.pipelines.commands.cli import main

ENTRIES = [
    {"id": "b", "question": "Where can I\nrenew?", "answer": "At any DESK.", "source": "faq.md", "anchor": "renewals"},
    {"id": "a", "question": "What is [bold]?", "answer": "Markup, with a\ttab."},
    {"id": "c", "answer": "Nobody asked."},
]


@pytest.fixture
def listed(tmp_path, monkeypatch, capsys):
    """What `answer-selection list` prints, to the byte."""

    def run(*arguments: object) -> list[str]:
        monkeypatch.setattr(sys, "argv", ["answer-selection", "list", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit):
            main()
        return capsys.readouterr().out.splitlines()

    return run


@pytest.fixture
def index(command, tmp_path):
    (tmp_path / "faq.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in ENTRIES), encoding="utf-8")
    assert command("index", "faq.jsonl", "--answers-only", "--encoder", "none").code == 0


@pytest.mark.usefixtures("index")
def test_an_entry_is_a_line_of_id_question_and_source(listed):
    assert listed() == [
        "b\tWhere can I renew?\tfaq.md#renewals",
        "a\tWhat is [bold]?\tfaq.jsonl",
        "c\t\tfaq.jsonl",
    ]


@pytest.mark.usefixtures("index")
@pytest.mark.parametrize(
    ("text", "ids"), [("desk", ["b"]), ("[BOLD]", ["a"]), ("md#ren", ["b"]), ("a", ["b", "a", "c"]), ("c", ["b", "c"])]
)
def test_match_keeps_those_that_have_the_text(listed, text, ids):
    assert [line.split("\t")[0] for line in listed("--match", text)] == ids


def test_what_steers_a_terminal_is_not_printed(command, listed, tmp_path):
    entry = {
        "id": "a\u001b[31m",
        "question": "Tab\u001b]0;x\u0007 there?",
        "answer": "Now\u001b[2J\u202e, \u06a9\u200c\u0627.",
    }
    (tmp_path / "faq.jsonl").write_text(json.dumps(entry), encoding="utf-8")
    assert command("index", "faq.jsonl", "--encoder", "none").code == 0
    assert listed() == ["a [31m\tTab ]0;x  there?\tfaq.jsonl"]
    told = command("ask", "tab there").out
    # What joins and parts letters is no such character.
    assert "Now [2J , \u06a9\u200c\u0627." in told
    assert not any(sign in told for sign in "\u001b\u0007\u202e")


@pytest.mark.usefixtures("index")
def test_no_entry_is_exit_code_1(command):
    done = command("list", "--match", "xyzzy")
    assert (done.code, done.out, done.err) == (1, "", "no such entry")


def test_a_missing_index_is_one_error(command):
    done = command("list", "--index", "nowhere")
    assert done.code == 2
    assert "error" in done.err
    assert "nowhere" in done.err
    assert "Traceback" not in done.err
