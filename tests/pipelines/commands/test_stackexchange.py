# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from answer_selection.indexing.candidates import read_jsonl
from answer_selection.indexing.corpus import iter_queries

DISHES = ["egg", "soup", "bread", "rice", "salmon", "cake", "salad", "pasta", "curry", "pie"]


def rows() -> list[str]:
    """Questions with an answer that was voted for, one that was not, and one of bad votes."""
    found = []
    for number, dish in enumerate(DISHES):
        first = 10 * number + 1
        found.append(
            f'<row Id="{first}" PostTypeId="1" AcceptedAnswerId="{first + 1}" Score="1" Title="How do I cook {dish}?" '
            f'Tags="|{dish}|" Body="" />'
        )
        for place, (score, text) in enumerate(((4, "Take a hot pan for"), (0, "I never cook"), (-2, "Do not cook"))):
            body = escape(f"<p>{text} <b>{dish}</b> number {place}.</p>")
            found.append(
                f'<row Id="{first + place + 1}" PostTypeId="2" ParentId="{first}" Score="{score}" Body="{body}" />'
            )
    return found


def write(folder: Path, lines: list[str], end: str = "</posts>\n") -> Path:
    path = folder / "cooking.stackexchange.com" / "Posts.xml"
    path.parent.mkdir(exist_ok=True)
    head = '<?xml version="1.0" encoding="utf-8"?>\n<posts>\n'
    path.write_text(head + "".join(f"  {line}\n" for line in lines) + end, encoding="utf-8")
    return path


@pytest.mark.parametrize("options", [[], ["--random"]], ids=["of the best", "at random"])
def test_from_a_dump_to_candidate_lists(command, tmp_path, options):
    write(tmp_path, rows())
    done = command("stackexchange", "cooking.stackexchange.com/Posts.xml", "cooking")
    assert (done.code, done.err.count("left out")) == (0, 0)
    assert (
        "30 entries in cooking/corpus.jsonl; 10 queries with 10 relevant entries in cooking/queries.jsonl" in done.out
    )
    assert command("index", "cooking/corpus.jsonl", "--index", "index").code == 0
    mined = ("negatives", "cooking/queries.jsonl", "--index", "index", "--output", "lists.jsonl", *options)
    assert command(*mined).code == 0
    lists = list(read_jsonl(tmp_path / "lists.jsonl"))
    assert len(lists) == 10
    own = {query.query_id: query for query in iter_queries(tmp_path / "cooking" / "queries.jsonl")}
    for one in lists:
        number = int(one.query_id.rsplit("-", 1)[1])
        labels = {int(c.candidate_id.rsplit("-", 1)[1]): c.label for c in one.candidates}
        assert {id_ for id_, label in labels.items() if label} == {number + 1}
        # Answers to other questions alone: nobody voted for these two, which does not make them wrong.
        assert not {number + 2, number + 3} & set(labels)
        assert sum(not label for label in labels.values()) == 15
        assert own[one.query_id].query == one.query


@pytest.mark.slow
def test_a_ranker_learns_from_it(command, tmp_path, small_recipe):
    write(tmp_path, rows())
    assert command("stackexchange", "cooking.stackexchange.com/Posts.xml", "cooking").code == 0
    assert command("index", "cooking/corpus.jsonl", "--index", "index").code == 0
    learn = ("train", "model", "--index", "index", "--recipe", small_recipe)
    done = command(*learn, "--queries", "cooking/queries.jsonl")
    assert done.code == 0, done.err
    done = command("ask", "how do I cook soup?", "--index", "index", "--model", "model")
    assert done.code == 0, done.err
    assert "soup" in done.out
    # From the entries' own questions, too, no other answer of a question is its negative.
    assert command(*learn, "--overwrite").code == 0
    for name in ("train", "validation"):
        for one in read_jsonl(tmp_path / "model" / "lists" / f"{name}.jsonl"):
            tens = {int(c.candidate_id.rsplit("-", 1)[1]) // 10 for c in one.candidates if not c.label}
            assert int(one.query_id.rsplit("-", 1)[1]) // 10 not in tens


def test_what_was_left_out_is_said(command, tmp_path):
    lines = [
        *rows(),
        '<row Id="201" PostTypeId="2" ParentId="1" Body="No votes." />',
        '<row Id="202" PostTypeId="2" ParentId="1" Score="3" Body="" />',
        *(f'<row Id="{number}" PostTypeId="2" ParentId="999" Score="3" Body="Lost." />' for number in range(300, 312)),
    ]
    write(tmp_path, lines)
    done = command("stackexchange", "cooking.stackexchange.com/Posts.xml", "cooking", "--min-score", 0, "--site", "me")
    assert done.code == 0
    assert "31 entries in cooking/corpus.jsonl; 10 queries with 20 relevant entries" in done.out
    assert "12 answers left out: their question is not in the dump (300, 301, 302," in done.err
    assert "309, …)" in done.err
    assert "1 answer left out: empty" in done.err
    assert "1 answers have no votes in the dump (Score): none counts as relevant" in done.err
    assert next(iter_queries(tmp_path / "cooking" / "queries.jsonl")).query_id == "me-1"


def test_of_a_damaged_dump_what_was_read_is_kept(command, tmp_path):
    wrong = [f'<row Id="{number}" PostTypeId="2" ParentId="1" Score="a lot" />' for number in range(500, 515)]
    path = write(tmp_path, [*rows(), *wrong], end='  <row Id="9000" PostTypeId="2" Body="cut o')
    done = command("stackexchange", "cooking.stackexchange.com/Posts.xml", "cooking")
    assert done.code == 1
    assert "30 entries in cooking/corpus.jsonl" in done.out
    assert done.err.count("field 'Score': expected a number, found 'a lot'") == 10
    assert "15 rows could not be read" in done.err
    assert f"Posts.xml: the file is cut off at byte {path.stat().st_size}; its last whole row ends by byte" in done.err
    assert "the files hold what was read before that" in done.err
    assert command("index", "cooking/corpus.jsonl", "--index", "index").code == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"7z\xbc\xaf\x27\x1c\0\4", "found a 7z archive: unpack it first"),
        (b"<users><row Id='1'/></users>", "Posts.xml, which has <row …/> in <posts>; found <users>"),
        (b"", "found an empty file"),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_what_is_no_dump(command, tmp_path, content, message):
    if content is not None:
        (tmp_path / "Posts.xml").write_bytes(content)
    done = command("stackexchange", "Posts.xml", "cooking")
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "cooking" / "corpus.jsonl").exists()


def test_files_that_are_there_are_not_replaced(command, tmp_path):
    write(tmp_path, rows())
    convert = ("stackexchange", "cooking.stackexchange.com/Posts.xml", "cooking")
    assert command(*convert).code == 0
    done = command(*convert)
    assert done.code == 2
    assert "cooking/corpus.jsonl already exists: name another folder, or allow overwriting it (--overwrite)" in done.err
    assert command(*convert, "--overwrite", "--min-score", 99).code == 0
    assert not (tmp_path / "cooking" / "queries.jsonl").read_bytes()
