# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answer_selection.indexing.corpus import Query, iter_corpus, iter_queries
from answer_selection.indexing.entries import Entry, EntrySourceError
from answer_selection.indexing.stackexchange import convert_dump

SITE = "cooking.stackexchange.com"


def question(number: int, title: str = "How?", tags: str = "|egg|", **others: object) -> dict:
    return {"Id": number, "PostTypeId": 1, "Title": title, "Tags": tags, **others}


def answer(number: int, parent: int, score: object = 2, body: str = "", **others: object) -> dict:
    return {
        "Id": number,
        "PostTypeId": 2,
        "ParentId": parent,
        "Score": score,
        "Body": body or f"<p>Answer {number}.</p>",
        **others,
    }


def dump(folder: Path, *rows: dict, end: str = "</posts>\n") -> Path:
    path = folder / SITE / "Posts.xml"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        f"  <row {' '.join(f'{name}={quoteattr(str(value))}' for name, value in row.items() if value is not None)} />\n"
        for row in rows
    ]
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<posts>\n{"".join(lines)}{end}', encoding="utf-8")
    return path


def written(folder: Path) -> tuple[list[Entry], list[Query]]:
    assert sorted(path.name for path in folder.iterdir()) == ["corpus.jsonl", "queries.jsonl"]
    return list(iter_corpus(folder / "corpus.jsonl")), list(iter_queries(folder / "queries.jsonl"))


def test_a_site_becomes_a_corpus_with_questions(tmp_path: Path) -> None:
    code = "<p>In <b>hot</b> water &amp; salt:</p>\n\n<pre><code>boil()\n\n    wait(6)\n</code></pre>\n"
    posts = dump(
        tmp_path,
        question(1, "How do I boil an egg?", "<egg><hot-water>", AcceptedAnswerId=4, Body="<p>It breaks.</p>"),
        question(2, "Nobody answers?"),
        answer(4, 1, 1, code),
        answer(5, 1, 2),
        answer(6, 1, 12),
        answer(7, 3, -1),
        question(3, "Only bad answers?", "", AcceptedAnswerId=99),
        {"Id": 8, "PostTypeId": 4, "Body": "about eggs"},
    )
    report = convert_dump(posts, tmp_path / "out")
    entries, queries = written(tmp_path / "out")

    def entry(number: int, text: str, title: str, of: int, score: int, tags: list[str], *, accepted: bool) -> Entry:
        meta = {"accepted": accepted, "score": score, "tags": tags, "site": SITE, "question_id": f"{SITE}-{of}"}
        return Entry(f"{SITE}-{number}", text, title, meta)

    tags = ["egg", "hot-water"]
    text = "In hot water & salt:\n\nboil()\n\n    wait(6)"
    assert entries == [
        entry(4, text, "How do I boil an egg?", 1, 1, tags, accepted=True),
        entry(5, "Answer 5.", "How do I boil an egg?", 1, 2, tags, accepted=False),
        entry(6, "Answer 6.", "How do I boil an egg?", 1, 12, tags, accepted=False),
        entry(7, "Answer 7.", "Only bad answers?", 3, -1, [], accepted=False),
    ]
    assert queries == [Query(f"{SITE}-1", "How do I boil an egg?", (f"{SITE}-5", f"{SITE}-6"))]
    assert (report.questions, report.answers, report.entries, report.queries, report.relevant) == (3, 4, 4, 1, 2)
    assert not (report.empty or report.without_votes or report.without_question or report.wrong or report.damage)


@pytest.mark.parametrize(("min_score", "expected"), [(-1, [1, 3]), (2, [1]), (3, [1]), (13, [])])
def test_the_least_votes_of_a_relevant_answer(tmp_path: Path, min_score: int, expected: list[int]) -> None:
    posts = dump(tmp_path, question(1), question(3), answer(5, 1, 12), answer(7, 3, -1))
    report = convert_dump(posts, tmp_path / "out", min_score=min_score, site="other")
    entries, queries = written(tmp_path / "out")
    assert [query.query_id for query in queries] == [f"other-{number}" for number in expected]
    assert {entry.meta["site"] for entry in entries} == {"other"}
    assert report.entries == 2


def test_what_is_left_out_is_counted_and_named(tmp_path: Path) -> None:
    posts = dump(
        tmp_path,
        question(1),
        answer(2, 1, None),
        answer(3, 1, 5, "<p><!-- nothing --></p>"),
        answer(4, 1, "many"),
        answer(5, 77),
        answer(6, None),
        answer(7, 1),
        answer(7, 1, body="<p>Again.</p>"),
        question(1, "Again?"),
        *(answer(number, 99) for number in range(100, 120)),
    )
    report = convert_dump(posts, tmp_path / "out")
    entries, queries = written(tmp_path / "out")
    assert [(entry.answer, entry.meta.get("score", "none")) for entry in entries] == [
        ("Answer 2.", "none"),
        ("Answer 7.", 2),
    ]
    assert queries == [Query(f"{SITE}-1", "How?", (f"{SITE}-7",))]
    assert (report.without_votes, report.empty, report.wrong) == (1, 1, 3)
    assert report.without_question == 22
    assert report.orphans == [6, 5, *range(100, 108)]
    assert [str(error) for error in report.errors] == [
        f"{posts}, line 6 (post 4), field 'Score': expected a number, found 'many'",
        f"{posts}, post 7, field 'Id': the number comes twice; expected each once",
        f"{posts}, post 1, field 'Id': the number comes twice; expected each once",
    ]


def test_of_a_dump_that_is_cut_off_the_beginning_is_kept(tmp_path: Path) -> None:
    posts = dump(tmp_path, question(1), answer(2, 1), answer(3, 9), end='  <row Id="4" PostTypeId="2" Bo')
    report = convert_dump(posts, tmp_path / "out")
    entries, queries = written(tmp_path / "out")
    assert [entry.entry_id for entry in entries] == [f"{SITE}-2"]
    assert len(queries) == 1
    size = posts.stat().st_size
    assert str(report.damage).startswith(
        f"{posts}: the file is cut off at byte {size}; its last whole row ends by byte"
    )
    assert report.without_question == 1


@pytest.mark.parametrize(
    ("rows", "end", "message"),
    [
        ([question(1), answer(2, 9)], "</posts>", "found none among 1 questions and 1 answers$"),
        ([question(1)], "<row", "none among 1 questions and 0 answers; the file is cut off at byte"),
    ],
)
def test_without_an_answer_there_is_no_corpus(tmp_path: Path, rows: list[dict], end: str, message: str) -> None:
    posts = dump(tmp_path, *rows, end=end)
    with pytest.raises(EntrySourceError, match=rf"Posts.xml: expected answers to questions, .*{message}"):
        convert_dump(posts, tmp_path / "out")
    assert not list((tmp_path / "out").iterdir())


def test_files_that_are_there_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    posts, out = dump(tmp_path, question(1), answer(2, 1)), tmp_path / "out"
    out.mkdir()
    for name in ("corpus.jsonl", "queries.jsonl"):
        (out / name).write_text("mine")
        with pytest.raises(FileExistsError, match=rf"{name} already exists: .*\(overwrite=True\)"):
            convert_dump(posts, out)
        assert (out / name).read_text() == "mine"
        (out / name).unlink()
    (out / "corpus.jsonl").write_text("mine")
    # What can't be read takes nothing with it.
    with pytest.raises(EntrySourceError, match="no XML"):
        convert_dump(out / "corpus.jsonl", out, overwrite=True)
    assert (out / "corpus.jsonl").read_text() == "mine"

    def full(*_: object) -> int:
        msg = "No space left on device"
        raise OSError(msg)

    (out / "queries.jsonl").write_text("mine, too")
    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space left"):
        patch.setattr("answer_selection.indexing.stackexchange.convert.write_corpus", full)
        convert_dump(posts, out, overwrite=True)
    assert [(out / name).read_text() for name in ("corpus.jsonl", "queries.jsonl")] == ["mine", "mine, too"]
    convert_dump(posts, out, overwrite=True)
    assert len(written(out)[0]) == 1


def test_the_site_needs_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    posts = dump(tmp_path, question(1), answer(2, 1))
    with pytest.raises(ValueError, match=r"the folder of .* has no name: name the site"):
        convert_dump(posts, tmp_path / "out", site=" ")
    monkeypatch.chdir(posts.parent)
    convert_dump("Posts.xml", tmp_path / "out")
    assert written(tmp_path / "out")[1][0].query_id == f"{SITE}-1"


ROWS = st.lists(
    st.one_of(
        st.builds(question, st.integers(1, 12), st.text("ab?", min_size=1), st.sampled_from(["", "|x|", "<x><y>"])),
        st.builds(answer, st.integers(20, 60), st.integers(1, 14), st.one_of(st.none(), st.integers(-2, 4))),
    ),
    max_size=40,
    unique_by=lambda row: row["Id"],
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_the_posts_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict], order: random.Random
) -> None:
    """An answer before its question is the same as after; and it is what a plain join in memory gives."""
    folder = tmp_path_factory.mktemp("orders")
    rows = [question(100, "There is one"), answer(101, 100), *rows]
    shuffled = order.sample(rows, len(rows))
    reports, files = [], []
    for name, posts in (("given", rows), ("shuffled", shuffled)):
        reports.append(convert_dump(dump(folder, *posts), folder / name))
        files.append([path.read_bytes() for path in sorted((folder / name).iterdir())])
    assert files[0] == files[1]
    assert reports[0] == reports[1]

    asked = {row["Id"]: row for row in rows if row["PostTypeId"] == 1 and row["Title"].strip()}
    answers = [row for row in rows if row["PostTypeId"] == 2 and row["ParentId"] in asked]
    entries, queries = written(folder / "given")
    pairs = sorted((row["ParentId"], row["Id"]) for row in answers)
    assert [entry.entry_id for entry in entries] == [f"{SITE}-{number}" for _, number in pairs]
    relevant = [(row["ParentId"], row["Id"]) for row in answers if (row["Score"] or 0) >= 2]
    assert [(query.query_id, list(query.relevant)) for query in queries] == [
        (f"{SITE}-{number}", [f"{SITE}-{one}" for of, one in sorted(relevant) if of == number])
        for number in sorted({number for number, _ in relevant})
    ]


KILLED = """
import os, signal, sys
from itertools import islice
from answer_selection.indexing.stackexchange import convert, database

def kill(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)

def kill_amid(items):
    yield from islice(items, 2)
    kill()

posts, output, where = sys.argv[1:]
entries, queries = database.PostDatabase.entries, database.PostDatabase.queries
if where == "reading":
    convert.PostDatabase.join = kill
elif where == "corpus":
    convert.write_corpus = lambda path, entries, write=convert.write_corpus: write(path, kill_amid(entries))
elif where == "queries":
    convert.write_queries = lambda path, queries, write=convert.write_queries: write(path, kill_amid(queries))
else:
    convert.PostDatabase.__exit__ = kill
convert.convert_dump(posts, output)
"""


@pytest.mark.parametrize("where", ["reading", "corpus", "queries", "end"])
def test_a_killed_run_leaves_nothing_half_and_is_done_again(tmp_path: Path, where: str) -> None:
    rows = [post for number in range(1, 40, 2) for post in (question(number), answer(number + 1, number))]
    posts, out = dump(tmp_path, *rows), tmp_path / "out"
    convert_dump(posts, tmp_path / "whole")
    whole = {path.name: path.read_bytes() for path in (tmp_path / "whole").iterdir()}

    done = subprocess.run([sys.executable, "-c", KILLED, posts, out, where], check=False, env=os.environ)
    assert done.returncode == -9
    there = {path.name: path.read_bytes() for path in out.glob("*.jsonl")}
    assert list(there) == {"queries": ["corpus.jsonl"], "end": list(there)}.get(where, [])
    assert len(there) == {"queries": 1, "end": 2}.get(where, 0)
    assert there.items() <= whole.items()

    convert_dump(posts, out)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == whole


def test_a_failure_between_the_files_leaves_neither(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from answer_selection.indexing.stackexchange import convert

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    posts = dump(tmp_path, question(1), answer(2, 1))
    with monkeypatch.context() as patched:
        patched.setattr(convert, "write_queries", full)
        with pytest.raises(OSError, match="No space left"):
            convert_dump(posts, tmp_path / "out")
    assert not list((tmp_path / "out").iterdir())
    convert_dump(posts, tmp_path / "out")
    assert len(written(tmp_path / "out")[0]) == 1


def test_bodies_of_any_kind_can_be_read_back(tmp_path: Path) -> None:
    bodies = [
        "<p>&#0; &#55357; &#xD83D;&#xDE00; end</p>",
        "no tags < here",
        "<pre>  a\n\n  b</pre>",
        "<p>" * 3000 + "deep",
    ]
    posts = dump(tmp_path, question(1), *(answer(number, 1, body=body) for number, body in enumerate(bodies, start=2)))
    convert_dump(posts, tmp_path / "out")
    texts = [entry.answer for entry in written(tmp_path / "out")[0]]
    assert texts[0].endswith("end")
    assert texts[1:3] == ["no tags < here", "a\n\n  b"]
    assert texts[3] == "deep"
    for line in (tmp_path / "out" / "corpus.jsonl").read_text(encoding="utf-8").splitlines():
        json.loads(line)
