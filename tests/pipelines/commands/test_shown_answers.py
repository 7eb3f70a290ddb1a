# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import io

import pytest
from rich.console import Console

from answer_selection.indexing.source_link import source_link
from answer_selection.pipelines.commands import console
from answer_selection.pipelines.commands.shown_answers import answers_table, confidence, shorten
from answer_selection.pipelines.serving.answers import Answer

CONSOLE = Console(file=io.StringIO(), width=80)
SENTENCE = "Ordinary books are lent for 21 days, e.g. novels and comics. "


def shown(*answers: Answer, width: int = 60, whole: bool = False, terminal: bool = False) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=terminal)
    console.print(answers_table(answers, console, whole=whole), highlight=False)
    return console.file.getvalue()


def answer(text: str = "At any desk.", score: float | None = 0.5, **meta: object) -> Answer:
    return Answer(
        entry_id="desk",
        question="Where?",
        answer=text,
        score=score,
        retriever_score=None,
        source=source_link(meta),
        meta=meta,
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("At any desk.", "At any desk."),
        ("", ""),
        (SENTENCE * 2, (SENTENCE * 2).strip()),
        # Three sentences have 183 characters: five lines of 40, and two of them fit into four.
        (SENTENCE * 9, (SENTENCE * 2).strip() + " …"),
        ("Is it so? Yes! " + SENTENCE + "Then " + "go on " * 60, f"Is it so? Yes! {SENTENCE}…"),
        (SENTENCE + 'He said "No." And ' + "so on " * 40, SENTENCE + 'He said "No." …'),
        # An abbreviation ends no sentence.
        (SENTENCE * 2 + "By 8 p.m. Monday " + "so on " * 40, (SENTENCE * 2).strip() + " …"),
        # The only sentence that fits says too little.
        ("Yes. If " + "word " * 100, "Yes. If " + ("word " * 29).strip() + " …"),
        ("word " * 100, ("word " * 31).strip() + " …"),
        ("x" * 500, "x" * 38 + " …"),
        ("One.\n\nTwo.\n\nThree.\n\nFour.", "One.\n\nTwo. …"),
        ("本は二週間借りられます。" * 20, "本は二週間借りられます。" * 6 + " …"),
    ],
)
def test_a_text_is_cut_after_the_last_sentence_that_fits_or_the_last_word(text, expected):
    cut = shorten(text, CONSOLE, width=40)
    assert cut == expected
    console = Console(file=io.StringIO(), width=40)
    console.print(cut, markup=False, highlight=False)
    assert console.file.getvalue().count("\n") <= 4


def test_a_whole_answer_is_shown_as_it_is():
    text = SENTENCE * 9
    assert text.split() == shown(answer(text), whole=True).split("desk", 1)[1].split()
    assert "…" in shown(answer(text))


@pytest.mark.parametrize(
    ("probability", "said"),
    [
        (1.0, "likely, above 0.99"),
        (0.9951, "likely, above 0.99"),
        (0.994, "likely, 0.99"),
        (0.82, "likely, 0.82"),
        (0.6, "likely, 0.60"),
        (0.49, "possible, 0.49"),
        (0.2, "possible, 0.20"),
        (0.19, "doubtful, 0.19"),
        (0.0, "doubtful, 0.00"),
    ],
)
def test_a_probability_is_a_word_and_a_number(probability, said):
    assert confidence(probability) == said
    assert said in shown(answer(score=0.999, ranker_probability=probability))


def test_a_score_that_is_no_probability_gets_no_word():
    assert "score 13.5 · desk" in shown(answer(score=13.49))
    assert shown(answer(score=None)).split("\n")[1].split() == ["desk"]


def test_the_source_is_shown_with_its_anchor():
    assert "desk · faq.md#renewals" in shown(answer(source="faq.md", anchor="renewals"))
    assert "desk · faq.md" in shown(answer(source="faq.md"))
    assert "desk\n" in shown(answer(source=["no", "text"], anchor="renewals")).replace(" \n", "\n").replace(" ", "")


def links(output: str) -> list[str]:
    """The targets of a terminal's links (OSC 8)."""
    return [part.split("\x1b")[0].split(";")[-1] for part in output.split("\x1b]8;")[1::2]]


def test_an_address_that_is_the_id_is_shown_once():
    assert (
        shown(answer(source="https://x.org/a").model_copy(update={"entry_id": "https://x.org/a"})).count("x.org") == 1
    )


def test_a_page_or_an_existing_file_is_a_link(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "faq 1.md").write_text("# Where?\n", encoding="utf-8")
    page = shown(answer(source="https://example.org/faq", anchor="renewals"), terminal=True)
    assert links(page) == ["https://example.org/faq#renewals"]
    assert links(shown(answer(source="faq 1.md", anchor="x"), terminal=True)) == [
        f"{(tmp_path / 'faq 1.md').as_uri()}#x"
    ]
    assert links(shown(answer(source="gone.md"), terminal=True)) == []
    assert links(shown(answer(source="x" * 5000), terminal=True)) == []
    assert "\x1b" not in shown(answer(source="https://example.org/faq"))


def test_in_a_pipe_no_spaces_fill_the_lines(monkeypatch, capsys):
    table = answers_table([answer()], CONSOLE, whole=False)
    monkeypatch.setattr(console, "STDOUT", Console(width=60))
    console.print_lines(table)
    assert capsys.readouterr().out == "1  Where?\n   score 0.5 · desk\n   At any desk.\n"
    monkeypatch.setattr(console, "STDOUT", Console(width=60, force_terminal=True))
    console.print_lines(table)
    assert capsys.readouterr().out.splitlines()[-1].endswith(" ")
