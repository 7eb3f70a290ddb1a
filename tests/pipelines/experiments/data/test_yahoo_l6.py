# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from answer_selection.indexing.candidates import CandidateSourceError, read_candidates
from answer_selection.indexing.corpus import Query, iter_corpus, iter_queries, write_corpus, write_queries
from answer_selection.indexing.entries import Entry
from answer_selection.pipelines.experiments.data.yahoo_l6 import read_yahoo_l6

HEAD = "<?xml version='1.0' encoding='UTF-8'?>\n<ystfeed>\n"


def document(uri: str, subject: str, answer: str, **others: str) -> str:
    fields = {
        "uri": uri,
        "subject": subject,
        "content": "Details.",
        "bestanswer": answer,
        **others,
        "qlang": "en",
    }
    inner = "".join(f"<{name}>{text}</{name}>\n" for name, text in fields.items() if text)
    return (
        f'<vespaadd><document type="wisdom">{inner}<nbestanswers>\n<answer_item>{answer}</answer_item>\n'
        "<answer_item>Another answer that nobody liked best.</answer_item></nbestanswers></document></vespaadd>\n"
    )


SAMPLE = (
    HEAD
    + document(
        "11", "How do I boil an egg?", "In hot water,&lt;br /&gt;for&#xa;six &amp; more minutes.", maincat="Food"
    )
    + document("12", "How now?", "This question has too few words, its answer has not.")
    + document("13", "What does a cat do at night?", "It sleeps.")
    + document("14", "Who has an answer to this question?", "")
    + document("15", "Where can I see a whale, and when?", "word " * 51)
    + document("16", "Where can I see a whale, or two?", "word " * 50)
    + "</ystfeed>\n"
)


def test_a_file_becomes_a_corpus(tmp_path: Path) -> None:
    path = tmp_path / "small.xml"
    path.write_text(SAMPLE, encoding="utf-8")
    entries, queries = read_yahoo_l6(path)
    assert list(entries) == [
        Entry("11", "In hot water, for six & more minutes.", meta={"category": "Food", "language": "en"}),
        Entry("16", " ".join(["word"] * 50), meta={"language": "en"}),
    ]
    assert list(queries) == [
        Query("11", "How do I boil an egg?", ("11",)),
        Query("16", "Where can I see a whale, or two?", ("16",)),
    ]
    entries, _ = read_yahoo_l6(path, min_words=1, max_words=51)
    assert [entry.entry_id for entry in entries] == ["11", "12", "13", "15", "16"]


def test_parts_are_cut_anywhere(tmp_path: Path) -> None:
    for cut in (1, 50, 300, len(SAMPLE) - 1):
        parts = [tmp_path / f"FullOct2007.xml.part{number}.gz" for number in (1, 2)]
        for part, text in zip(parts, (SAMPLE[:cut], SAMPLE[cut:]), strict=True):
            part.write_bytes(gzip.compress(text.encode()))
        entries, queries = read_yahoo_l6(*parts)
        assert [entry.entry_id for entry in entries] == [query.query_id for query in queries] == ["11", "16"]


@pytest.mark.parametrize(
    ("name", "stated"),
    [("FullOct2007.xml", "4,483,032"), ("manner.xml", "142,627"), ("FullOct2007.xml.gz", "4,483,032")],
)
def test_another_count_than_stated_is_warned_of(
    tmp_path: Path, name: str, stated: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(SAMPLE.encode()) if name.endswith(".gz") else SAMPLE.encode())
    entries, queries = read_yahoo_l6(path)
    assert (len(list(entries)), len(list(queries))) == (2, 2)
    what = "6 questions, before those of other lengths are passed over"
    assert caplog.messages == [f"{path}: {what}, but its readme states {stated}"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("<uri>12</uri>", "<uri/>", ", line 12: <document> has no <uri>, or an empty one"),
        ("<subject>How now?</subject>", "", ", line 12: <document> has no <subject>, or an empty one"),
        ("<vespaadd><document", "<vespaadd><dokument", ", line 11: expected XML: Opening and ending tag mismatch"),
        ("</ystfeed>\n", "", ", line 51: expected XML: Premature end of data in tag ystfeed"),
        ("six &amp; more", "six & more", ", line 6: expected XML: xmlParseEntityRef: no name"),
        ("vespaadd", "doc", ": expected <vespaadd> elements, found none"),
    ],
)
def test_broken_xml_is_named(tmp_path: Path, old: str, new: str, expected: str) -> None:
    path = tmp_path / "a.xml"
    path.write_text(SAMPLE.replace(old, new, -1 if old == "vespaadd" else 1), encoding="utf-8")
    for each in read_yahoo_l6(path):
        with pytest.raises(CandidateSourceError) as caught:
            list(each)
        assert str(caught.value).startswith(f"{path}{expected}")


def test_a_part_that_is_missing_or_cut_off(tmp_path: Path) -> None:
    part = tmp_path / "FullOct2007.xml.part1.gz"
    part.write_bytes(gzip.compress(SAMPLE[:900].encode()))
    with pytest.raises(
        CandidateSourceError, match=r"expected XML: .*; a corpus in parts is read when all parts are given"
    ):
        list(read_yahoo_l6(part)[0])
    with pytest.raises(CandidateSourceError, match=r"part2\.gz: cannot be read: No such file"):
        list(read_yahoo_l6(part, tmp_path / "FullOct2007.xml.part2.gz")[0])
    part.write_bytes(part.read_bytes()[:-9])
    with pytest.raises(
        CandidateSourceError, match=r"part1\.gz: expected a whole gzip file, but it is cut off or damaged"
    ):
        list(read_yahoo_l6(part)[0])


def test_nothing_is_fetched_or_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("do not read this, not even a word", encoding="utf-8")
    path = tmp_path / "a.xml"
    doctype = f'<!DOCTYPE ystfeed [<!ENTITY e SYSTEM "{secret.as_uri()}">]>'
    path.write_text(SAMPLE.replace("<ystfeed>", doctype + "<ystfeed>", 1).replace("hot", "&e;", 1), encoding="utf-8")
    assert "not even" not in next(read_yahoo_l6(path)[0]).answer


def test_it_is_streamed_and_lines_are_counted_beyond_what_sixteen_bits_hold(tmp_path: Path) -> None:
    path = tmp_path / "large.xml"
    one = document("1", "How do I boil an egg?", "In hot water, for some minutes. " + "\n" * 500)
    with path.open("w", encoding="utf-8") as stream:
        stream.write(HEAD)
        for _ in range(400):
            stream.write(one.replace("liked best", "liked best " * 5000))
        stream.write(one.replace("<uri>1</uri>", "") + "</ystfeed>\n")
    entries = read_yahoo_l6(path)[0]
    for _ in range(20):
        next(entries)
    before = resident()
    with pytest.raises(CandidateSourceError, match=r"<document> has no <uri>") as caught:
        for _ in entries:
            pass
    assert resident() - before < 10e6 < path.stat().st_size
    lines = path.read_text(encoding="utf-8").count("\n", 0, path.read_text(encoding="utf-8").rindex("<document")) + 1
    assert lines > 2**16
    # From there on libxml2 takes the line from the text that follows.
    assert f"{path}, line {lines + 1}:" in str(caught.value)


def resident() -> int:
    # lxml's memory is not Python's, so tracemalloc does not see it.
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_who_takes_it_for_candidate_lists_is_told(tmp_path: Path) -> None:
    path = tmp_path / "manner.xml"
    path.write_text(SAMPLE, encoding="utf-8")
    with pytest.raises(CandidateSourceError, match="found Yahoo! Answers: a corpus, for read_yahoo_l6"):
        list(read_candidates(path))


def test_the_papers_protocol_is_rebuilt(tmp_path: Path, command: Callable) -> None:
    """Five candidates, one of them right, the others of what BM25 finds; question and answers of 5 to 50 words."""
    subjects = [
        "boil an egg",
        "mend a bike",
        "paint a wall",
        "train a dog",
        "bake some bread",
        "plant a tree",
        "fix a tap",
    ]
    path = tmp_path / "manner.xml"
    questions = (
        document(str(i), f"How do I {subject} at home?", f"You can {subject} at home with a friend and number {i}.")
        for i, subject in enumerate(subjects)
    )
    path.write_text(HEAD + "".join(questions) + document("x", "Short?", "No.") + "</ystfeed>", encoding="utf-8")
    entries, queries = read_yahoo_l6(path)
    corpus, asked = tmp_path / "corpus.jsonl", tmp_path / "queries.jsonl"
    assert (write_corpus(corpus, entries), write_queries(asked, queries)) == (7, 7)
    assert [entry.entry_id for entry in iter_corpus(corpus)] == [query.query_id for query in iter_queries(asked)]
    index, output = tmp_path / "index", tmp_path / "test-set.jsonl"
    assert command("index", corpus, "--answers-only", "--index", index).code == 0
    done = command("negatives", asked, "--index", index, "--output", output, "--yahooqa", "--number", "4")
    assert done.code == 0, done.err
    lists = list(read_candidates(output))
    assert len(lists) == 7
    for each in lists:
        assert len(each.candidates) == 5
        assert [one.candidate_id for one in each.candidates if one.label] == [each.query_id]
    assert json.loads(output.read_text(encoding="utf-8").splitlines()[0])["query"] == "How do I boil an egg at home?"
