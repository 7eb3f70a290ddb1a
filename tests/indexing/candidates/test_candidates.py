# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import os
import tracemalloc
from itertools import chain
from pathlib import Path

import pytest

from answer_selection.indexing.candidates import (
    Candidate,
    CandidateList,
    CandidateSourceError,
    read_candidates,
    read_jsonl,
    read_semeval_xml,
    read_toks,
    read_wikiqa_tsv,
    write_jsonl,
)


def toks(folder: Path, **files: str) -> Path:
    lines = {
        "id": "1\n1\n2\n",
        "a": "what ?\nwhat ?\nwhy ?\n",
        "b": "this .\nthat .\nso .\n",
        "sim": "1\n0\n0\n",
        **files,
    }
    for name, ending in (("id", "txt"), ("a", "toks"), ("b", "toks"), ("sim", "txt")):
        (folder / f"{name}.{ending}").write_bytes(lines[name].encode("latin-1"))
    return folder


# Counts of questions and pairs from the data's own description; of correct pairs from `grep -c 1 sim.txt`.
@pytest.mark.parametrize(
    ("name", "questions", "pairs", "correct"),
    [
        ("wikiqa/train", 873, 8672, 1040),
        ("wikiqa/dev", 126, 1130, 140),
        ("wikiqa/test", 243, 2351, 293),
        ("trecqa/train-all", 1229, 53417, 6403),
        ("trecqa/train", 93, 4718, 348),
        ("trecqa/clean-dev", 65, 1117, 205),
        ("trecqa/clean-test", 68, 1442, 248),
        ("trecqa/raw-dev", 81, 1148, 222),
        ("trecqa/raw-test", 95, 1517, 284),
        ("qatarliving/SemEval2016-Task3-CQA-QL-train-part2-subtaskA.xml", 379, 3790, 1364),
        ("qatarliving/SemEval2016-Task3-CQA-QL-dev-subtaskA.xml", 244, 2440, 818),
    ],
)
def test_real_data_is_read_whole(benchmark_data: Path, name: str, questions: int, pairs: int, correct: int) -> None:
    lists = list(read_candidates(benchmark_data / name))
    candidates = list(chain.from_iterable(each.candidates for each in lists))
    assert (len(lists), len(candidates), sum(candidate.label for candidate in candidates)) == (
        questions,
        pairs,
        correct,
    )
    assert len({each.query_id for each in lists}) == questions
    assert len({candidate.candidate_id for candidate in candidates}) == pairs


def test_toks(tmp_path: Path) -> None:
    assert list(read_toks(toks(tmp_path))) == [
        CandidateList("1", "what ?", (Candidate("1-0", "this .", 1), Candidate("1-1", "that .", 0))),
        CandidateList("2", "why ?", (Candidate("2-0", "so .", 0),)),
    ]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"sim": "1\n0\n"}, "sim.txt: ends after line 2, but id.txt goes on; expected equal lengths"),
        ({"id": "1\n1\n2\n2\n"}, "a.toks: ends after line 3, but id.txt goes on; expected equal lengths"),
        ({"b": "this .\n\nso .\n"}, "b.toks, line 2: the line is empty"),
        ({"sim": "1\n2\n0\n"}, "sim.txt, line 2: expected the label 0 or 1, found '2'"),
        (
            {"id": "1\n2\n1\n", "a": "w\nv\nw\n"},
            "id.txt, line 3: the id '1' comes again after other ids; expected all lines",
        ),
        ({"id": "1\n1\nq 2\n"}, "id.txt, line 3: the query id 'q 2' of list 'q 2' has white space in it"),
        ({"a": "what ?\nwho ?\nwhy ?\n"}, "a.toks, line 2: expected 'what ?', the question of id '1', found 'who ?'"),
        (
            {"b": "this .\n\xe9 .\nso .\n"},
            "b.toks, line 2: byte 0xe9 at offset 7 of the file is not valid UTF-8; expected UTF-8",
        ),
    ],
)
def test_broken_toks_name_file_and_line(tmp_path: Path, files: dict[str, str], expected: str) -> None:
    with pytest.raises(CandidateSourceError) as caught:
        list(read_toks(toks(tmp_path, **files)))
    assert str(caught.value).startswith(f"{tmp_path}{os.sep}{expected}")


def test_a_missing_file_of_toks(tmp_path: Path) -> None:
    (toks(tmp_path) / "b.toks").unlink()
    with pytest.raises(CandidateSourceError, match=r"b\.toks: cannot be read: No such file"):
        list(read_toks(tmp_path))


WIKIQA = (
    "QuestionID\tQuestion\tDocumentID\tDocumentTitle\tSentenceID\tSentence\tLabel\r\n"
    'Q1\thow are "caves" formed?\tD1\tGlacier cave\tD1-0\tA "partly submerged cave.\t0\r\n'
    'Q1\thow are "caves" formed?\tD1\tGlacier cave\tD1-1\tA cave is formed within ice.\t1\r\n'
    "Q2\twho?\tD2\tX\tD2-0\tThey.\t0\r\n"
)


def test_wikiqa_tsv(tmp_path: Path) -> None:
    path = tmp_path / "WikiQA-dev.tsv"
    path.write_text(WIKIQA, encoding="utf-8", newline="")
    first, second = read_candidates(path)
    assert first == CandidateList(
        "Q1",
        'how are "caves" formed?',
        (Candidate("D1-0", 'A "partly submerged cave.', 0), Candidate("D1-1", "A cave is formed within ice.", 1)),
        {"document_id": "D1", "document_title": "Glacier cave"},
    )
    assert [candidate.label for candidate in second.candidates] == [0]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("DocumentID\t", "", ", line 1: the field name(s) DocumentID are missing"),
        ("\tThey.", "", ", line 4: expected 7 fields separated by tabs, found 6"),
        ("They.\t0", "They.\tyes", ", line 4, field 'Label': expected the label 0 or 1, found 'yes'"),
        ("They.", " ", ", line 4, field 'Sentence': expected text, found nothing"),
        (
            "D2-0\tThey.\t0\r\n",
            "D2-0\tThey.\t0\r\nQ1\tx\ty\tz\tD9\ts\t0\r\n",
            ", line 5, field 'QuestionID': the id 'Q1' comes again",
        ),
        ("D1-1", "D1-0", ", line 2: the candidate id 'D1-0' comes twice in list 'Q1'; expected each id once"),
        ("D1-1", "D1\u00a01", ", line 2: the candidate id 'D1\\xa01' of list 'Q1' has white space in it"),
        ("Q2", "Q 2", ", line 4: the query id 'Q 2' of list 'Q 2' has white space in it; expected an id without"),
    ],
)
def test_broken_wikiqa_tsv(tmp_path: Path, old: str, new: str, expected: str) -> None:
    path = tmp_path / "w.tsv"
    path.write_text(WIKIQA.replace(old, new, 1), encoding="utf-8", newline="")
    with pytest.raises(CandidateSourceError) as caught:
        list(read_wikiqa_tsv(path))
    assert str(caught.value).startswith(f"{path}{expected}")


SEMEVAL = """<?xml version="1.0" encoding="utf-8"?>
<xml version="1.0">
<Thread THREAD_SEQUENCE="Q1_R1">
<RelQuestion RELQ_ID="Q1_R1" RELQ_CATEGORY="Moving" RELQ_DATE="2013-07-31" RELQ_USERID="U1" RELQ_USERNAME="ann">
<RelQSubject>Best bank?</RelQSubject><RelQBody>Which  one &amp; why?</RelQBody></RelQuestion>
<RelComment RELC_ID="Q1_R1_C1" RELC_DATE="2013-07-31" RELC_USERID="U2" RELC_USERNAME="bob" RELC_RELEVANCE2RELQ="Bad">
<RelCText>None.</RelCText></RelComment>
<RelComment RELC_ID="Q1_R1_C2" RELC_DATE="2013-08-01" RELC_USERID="U3" RELC_USERNAME="eve" RELC_RELEVANCE2RELQ="Good">
<RelCText>QNB &lt;3</RelCText></RelComment>
<RelComment RELC_ID="Q1_R1_C3" RELC_DATE="2013-08-01" RELC_USERID="U1" RELC_USERNAME="ann"
 RELC_RELEVANCE2RELQ="PotentiallyUseful">
<RelCText>Thanks</RelCText></RelComment>
</Thread></xml>"""


def test_semeval_xml(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(SEMEVAL, encoding="utf-8")
    assert list(read_candidates(path)) == [
        CandidateList(
            "Q1_R1",
            "Best bank? Which one & why?",
            (
                Candidate("Q1_R1_C1", "None.", 0, {"user_id": "U2"}),
                Candidate("Q1_R1_C2", "QNB <3", 1, {"user_id": "U3"}),
                Candidate("Q1_R1_C3", "Thanks", 0, {"user_id": "U1"}),
            ),
            {"category": "Moving", "user_id": "U1"},
        )
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            'RELQ="Good"',
            'RELQ="good"',
            ", line 8, field 'RELC_RELEVANCE2RELQ': expected Good, PotentiallyUseful, Bad, found 'good'",
        ),
        (
            "Q1_R1_C2",
            "Q1_R1_C1",
            ", line 3: the candidate id 'Q1_R1_C1' comes twice in list 'Q1_R1'; expected each id once",
        ),
        (
            "Q1_R1_C2",
            "Q1 C2",
            ", line 3: the candidate id 'Q1 C2' of list 'Q1_R1' has white space in it; expected an id without",
        ),
        ('RELQ_ID="Q1_R1"', 'RELQ_ID="Q1 R1"', ", line 3: the query id 'Q1 R1' of list 'Q1 R1' has white space in it"),
        (' RELC_ID="Q1_R1_C2"', "", ", line 8, field 'RELC_ID': <RelComment> lacks it"),
        ("RelQuestion", "Question", ", line 3: <Thread> has no <RelQuestion>"),
        ("</Thread></xml>", "", ", line 13: expected XML: "),
        ("Thread", "Threads", ": expected <Thread> elements, found none"),
    ],
)
def test_broken_semeval_xml(tmp_path: Path, old: str, new: str, expected: str) -> None:
    path = tmp_path / "a.xml"
    path.write_text(SEMEVAL.replace(old, new), encoding="utf-8")
    with pytest.raises(CandidateSourceError) as caught:
        list(read_semeval_xml(path))
    assert str(caught.value).startswith(f"{path}{expected}")


def test_text_of_xml_goes_on_after_an_element_a_comment_and_an_entity_in_it(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    marked = "QNB <b>and <i>only</i></b> QNB<!-- who else? --> &bank;"
    doctype = '<!DOCTYPE xml [<!ENTITY bank "QNB">]>'
    text = SEMEVAL.replace("<xml version", doctype + "<xml version").replace("QNB &lt;3", marked)
    path.write_text(text, encoding="utf-8")
    [each] = read_semeval_xml(path)
    assert each.candidates[1].answer == "QNB and only QNB &bank;"


def test_xml_entities_are_not_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("do not read", encoding="utf-8")
    path = tmp_path / "a.xml"
    doctype = f'<!DOCTYPE xml [<!ENTITY e SYSTEM "{secret.as_uri()}">]>'
    text = SEMEVAL.replace("<xml version", doctype + "<xml version").replace("Best bank?", "Best &e; bank?")
    path.write_text(text, encoding="utf-8")
    [each] = read_semeval_xml(path)
    assert "do not read" not in each.query


def test_xml_is_streamed(tmp_path: Path) -> None:
    path = tmp_path / "large.xml"
    head, thread = SEMEVAL.split("<Thread", 1)
    thread = "<Thread" + thread.removesuffix("</xml>").replace("Thanks", "thanks " * 1000)
    path.write_text(head + thread * 2000 + "</xml>", encoding="utf-8")
    before = resident()
    assert sum(1 for _ in read_semeval_xml(path)) == 2000
    assert resident() - before < 10e6 < path.stat().st_size


def resident() -> int:
    # lxml's memory is not Python's, so tracemalloc does not see it.
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
def test_jsonl_round_trip_is_streamed(tmp_path: Path) -> None:
    lists = [
        CandidateList("1", "é?", (Candidate("a", "so", 1, {"retriever_rank": 3}), Candidate("b", "no", 0)), {"x": [1]}),
        CandidateList("2", "?", ()),
    ]
    path = tmp_path / "c.jsonl"
    assert write_jsonl(path, iter(lists)) == 2
    assert list(read_candidates(path)) == lists
    big = (CandidateList(str(i), "q" * 1000, (Candidate("c", "a" * 1000, 1),)) for i in range(5000))
    tracemalloc.start()
    assert write_jsonl(path, big) == 5000
    assert sum(1 for _ in read_jsonl(path)) == 5000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2e6 < path.stat().st_size


def test_a_failed_write_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    write_jsonl(path, [CandidateList("1", "q", ())])
    with pytest.raises(TypeError, match="not JSON serializable"):
        write_jsonl(path, [CandidateList("2", "q", (), {"x": object()})])
    assert [each.query_id for each in read_jsonl(path)] == ["1"]
    assert [each.name for each in tmp_path.iterdir()] == ["c.jsonl"]


GOOD = '{"query_id": "1", "query": "q", "candidates": [{"candidate_id": "a", "answer": "x", "label": 1}]}'


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"query": "q",', "", "field 'query': expected text, found nothing"),
        ('"query_id": "1"', '"query_id": 1', "field 'query_id': expected an id, found a number"),
        ('[{"c', '{"c', "expected JSON, but at column "),
        ('"label": 1', '"label": "1"', "field 'candidates[0].label': expected a whole number, found a string"),
        (
            '"label": 1',
            '"label": true',
            "field 'candidates[0].label': expected a whole number of 0 or above, found true",
        ),
        ('"label": 1', '"label": -1', "field 'candidates[0].label': expected a whole number of 0 or above, found -1"),
        ('"x"', '""', "field 'candidates[0].answer': expected text, found nothing"),
        (
            "1}]",
            '1}, {"candidate_id": "a", "answer": "y", "label": 0}]',
            "field 'candidates[1].candidate_id': the id 'a' comes twice",
        ),
        ("1}]", "1}, 7]", "field 'candidates[1]': expected a JSON object, found a number"),
        ("1}]", '1}], "query_meta": 7', "field 'query_meta': expected an object, found a number"),
        (GOOD, "[]", "expected a JSON object, found an array"),
        ("", "", "field 'query_id': the id '1' comes twice; expected each id once"),
    ],
)
def test_broken_jsonl(tmp_path: Path, old: str, new: str, expected: str) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text(f"{GOOD}\n\n{GOOD.replace(old, new, 1) if old else GOOD}\n", encoding="utf-8")
    with pytest.raises(CandidateSourceError) as caught:
        list(read_jsonl(path))
    message = str(caught.value)
    assert message.startswith(f"{path}, line 3")
    assert expected in message


def test_an_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(CandidateSourceError, match=r"x\.doc: unknown format; expected a folder with a\.toks"):
        read_candidates(tmp_path / "x.doc")
    with pytest.raises(CandidateSourceError, match=r"x\.jsonl: cannot be read: No such file"):
        list(read_candidates(tmp_path / "x.jsonl"))
    with pytest.raises(CandidateSourceError, match=r"x\.xml: cannot be read: "):
        list(read_candidates(tmp_path / "x.xml"))
