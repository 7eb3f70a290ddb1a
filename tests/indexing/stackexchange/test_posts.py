# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
import os
import re
from pathlib import Path

import pytest

from answer_selection.indexing.entries import EntrySourceError
from answer_selection.indexing.formats.raw import Problem
from answer_selection.indexing.stackexchange import Answer, DamagedDumpError, Question, iter_posts

HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<posts>\n'
QUESTION = '  <row Id="1" PostTypeId="1" Title="Which  egg?" Tags="&lt;egg&gt;&lt;c++&gt;" AcceptedAnswerId="2" />\n'
ANSWER = '  <row Id="2" PostTypeId="2" ParentId="1" Score="-3" Body="&lt;p&gt;Any &amp;amp; all.&lt;/p&gt;&#xA;" />\n'
WIKI = '  <row Id="3" PostTypeId="5" Body="About eggs." />\n'
READ = [Question(1, "Which egg?", ("egg", "c++"), 2), Answer(2, 1, -3, "<p>Any &amp; all.</p>\n")]


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "Posts.xml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def read_until_error(path: Path) -> tuple[list, str]:
    found = []
    with pytest.raises(EntrySourceError) as caught:
        found += iter_posts(path)
    return found, str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        HEAD + QUESTION + ANSWER + WIKI + "</posts>\n",
        "\ufeff" + (HEAD + WIKI + QUESTION + ANSWER + "</posts>").replace("\n", "\r\n"),
        (HEAD + QUESTION + ANSWER + "</posts>").replace("\n", ""),
        (HEAD + QUESTION + ANSWER + "</posts>").replace('" ', '"\n').replace("/>", "></row>"),
        HEAD + "<!-- a note --><other><row Id='9' PostTypeId='2'/></other>" + QUESTION + ANSWER + "</posts>",
        HEAD + QUESTION.replace("&lt;egg&gt;&lt;c++&gt;", "|egg|c++|") + ANSWER + "</posts>",
        (HEAD + QUESTION + ANSWER + "</posts>").replace("utf-8", "utf-16").encode("utf-16"),
    ],
    ids=["one a line", "mark and CRLF", "one line", "a row in lines", "other elements", "bars", "UTF-16"],
)
def test_reads_questions_and_answers(tmp_path: Path, text: str | bytes) -> None:
    assert list(iter_posts(write(tmp_path, text))) == READ


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('Score="-3" ', "", Answer(2, 1, None, READ[1].body)),
        ('ParentId="1" ', "", Answer(2, None, -3, READ[1].body)),
        (re.search(r'Body=".*?" ', ANSWER)[0], "", Answer(2, 1, -3, "")),
        ('Score="-3"', 'Score="many"', Problem("line 4 (post 2)", "Score", "expected a number, found 'many'")),
        ('Score="-3"', 'Score="1e3"', Problem("line 4 (post 2)", "Score", "expected a number, found '1e3'")),
        ('ParentId="1"', 'ParentId="x"', Problem("line 4 (post 2)", "ParentId", "expected a number, found 'x'")),
        ('Id="2" ', "", Problem("line 4 (post without Id)", "Id", "expected a number, found nothing")),
        ('Id="2"', 'Id="٢"', Problem("line 4 (post ٢)", "Id", "expected a number, found '٢'")),
        ('Id="2"', f'Id="{2**64}"', Problem(f"line 4 (post {2**64})", "Id", f"expected a number, found '{2**64}'")),
        ('PostTypeId="2" ', "", Problem("line 4 (post 2)", "PostTypeId", "expected a number, found nothing")),
    ],
)
def test_what_a_row_lacks(tmp_path: Path, old: str, new: str, expected: Answer | Problem) -> None:
    assert old in ANSWER
    text = HEAD + QUESTION + ANSWER.replace(old, new, 1) + QUESTION.replace('"1"', '"7"', 1) + "</posts>"
    first, second, third = iter_posts(write(tmp_path, text))
    assert (first, second) == (READ[0], expected)
    assert third.post_id == 7


@pytest.mark.parametrize(
    ("old", "new", "field", "message"),
    [
        ('"Which  egg?"', '" "', "Title", "missing or empty; expected the question's title"),
        ('AcceptedAnswerId="2"', 'AcceptedAnswerId="two"', "AcceptedAnswerId", "expected a number, found 'two'"),
    ],
)
def test_what_a_question_lacks(tmp_path: Path, old: str, new: str, field: str, message: str) -> None:
    path = write(tmp_path, HEAD + QUESTION.replace(old, new) + "</posts>")
    assert list(iter_posts(path)) == [Problem("line 3 (post 1)", field, message)]


def test_cut_off_at_any_byte(tmp_path: Path) -> None:
    """What was read is given, and the byte is named; wherever it is cut, within a character among others."""
    whole = (HEAD + QUESTION + ANSWER.replace("Any", "Añy") + "</posts>").encode()
    ends = [len(HEAD) + len(QUESTION), whole.index(b"</posts>")]
    # The tag <posts> has to be there, or nothing tells what it is.
    for cut in range(len(HEAD) - 1, len(whole) - 1):
        path = write(tmp_path, whole[:cut])
        found, message = read_until_error(path)
        # A row is whole with its last character, which stands before the end of its line.
        assert [post.post_id for post in found] == [1, 2][: sum(cut >= end - 1 for end in ends)]
        assert message.startswith(f"{path}: the file is cut off at byte {cut}; its last whole row ends by byte ")
        assert int(message.rsplit(" ", 1)[1]) == max([0, *(min(end, cut) for end in ends if cut >= end - 1)])
    assert len(list(iter_posts(write(tmp_path, whole)))) == 2


@pytest.mark.parametrize("line_end", ["\n", ""])
def test_damaged_in_the_middle(tmp_path: Path, line_end: str) -> None:
    text = HEAD + QUESTION + ANSWER + '  <row Id="4" & PostTypeId="2" />\n' + WIKI + "</posts>"
    found, message = read_until_error(write(tmp_path, text.replace("\n", line_end)))
    assert found == READ
    line, byte = (5, len(HEAD + QUESTION + ANSWER)) if line_end else (1, 0)
    assert f"Posts.xml, line {line}: expected XML after byte {byte} of the file: " in message


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "found an empty file"),
        (b"7z\xbc\xaf\x27\x1c\x00\x04rest", "found a 7z archive: unpack it first"),
        (b"PK\x03\x04rest", "found a zip archive: unpack it first"),
        (b"\x1f\x8b\x08rest", "found a gzipped file: unpack it first"),
        (b'{"question": "Why?"}\n', "found no XML: Start tag expected"),
        (b"<comments>\n<row Id='1' PostId='2'/></comments>", "found <comments>"),
        (b"<!DOCTYPE html>\n<html><body>", "found a document type declaration, which no dump has"),
    ],
)
def test_not_a_dump(tmp_path: Path, content: bytes, found: str) -> None:
    path = write(tmp_path, content)
    posts, message = read_until_error(path)
    assert not posts
    assert message.startswith(f"{path}: expected a dump's Posts.xml, which has <row …/> in <posts>; {found}")


def test_no_file(tmp_path: Path) -> None:
    assert read_until_error(tmp_path / "gone.xml")[1].endswith("gone.xml: cannot be read: No such file or directory")
    assert read_until_error(tmp_path)[1] == f"{tmp_path}: cannot be read: Is a directory"


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE posts [<!ENTITY e0 "lol">{entities}]><posts><row Id="1" PostTypeId="2" Body="&e11;"/></posts>'
    before = resident()
    posts, message = read_until_error(write(tmp_path, bomb))
    assert not posts
    assert "expected a dump's Posts.xml" in message
    assert resident() - before < 50e6

    secret = tmp_path / "secret"
    secret.write_text("do not read this")
    external = f'<!DOCTYPE posts [<!ENTITY e SYSTEM "{secret.as_uri()}">]>\n<posts>\n<row Id="1" Body="&e;"/>\n</posts>'
    posts, message = read_until_error(write(tmp_path, external))
    assert not posts
    assert "do not read" not in message


@pytest.mark.slow
@pytest.mark.parametrize("line_end", ["\n", ""])
def test_it_is_streamed(tmp_path: Path, line_end: str) -> None:
    path = tmp_path / "Posts.xml"
    with path.open("w", encoding="utf-8") as stream:
        stream.write(HEAD.replace("\n", line_end))
        for _ in range(900):
            stream.write((ANSWER.replace("Any", "Any " * 25_000) + WIKI).replace("\n", line_end))
        stream.write("</posts>")
    told: list[int] = []
    posts = iter_posts(path, told.append)
    for _ in range(20):
        next(posts)
    before = resident()
    assert sum(1 for _ in posts) == 880
    assert resident() - before < 10e6 < path.stat().st_size / 8
    assert told == sorted(told)
    assert 70 < len(told) < 100
    with pytest.raises(StopIteration):
        next(posts)


def resident() -> int:
    # lxml's memory is not Python's, so tracemalloc does not see it.
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_damage_is_one_of_the_sources_errors() -> None:
    # Who reads a dump without asking for more gets the one error that every reader raises.
    assert issubclass(DamagedDumpError, EntrySourceError)
