# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Lines of text out of a binary stream, with the place of every byte that is no text."""

import codecs
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

EXPECTED = "expected UTF-8, or UTF-16 or UTF-32 with a byte order mark; or name its encoding: --encoding cp1252"
_EXPECTED_JAPANESE = "expected UTF-8; or name its encoding: --encoding iso-2022-jp"
# ESC $ B, with which Japanese mail and old files begin two-byte characters in ASCII.
_JAPANESE = re.compile(rb"\x1b\$[@B]")
# One line in fifty may have come into a file in UTF-8 from elsewhere; of one in another encoding, more are no text.
_FEW = 50
_NAMED = 5
_UTF8 = ("utf-8", "utf-8-sig")
# The four-byte marks first: UTF-32's begins with UTF-16's.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """
    One line of a file.

    :param number: counted from 1.
    :param text: the text with its line end; bytes that are no text are replaced by U+FFFD.
    :param problem: None, or what is wrong with the line's bytes.
    """

    number: int
    text: str
    problem: str | None


@dataclass(frozen=True, slots=True)
class Mended:
    """
    A file in UTF-8 of which a few lines hold bytes that are no text.

    :param data: the file with U+FFFD in their places, which stands nowhere else in it.
    :param problem: which they are, and what was expected.
    """

    data: bytes
    problem: str


class EncodingError(ValueError):
    """
    The rest of a stream is no text in its encoding.

    :param message: which byte is none, and what was expected.
    :param mended: the file without what is no text, if that is little.
    """

    def __init__(self, message: str, mended: Mended | None = None) -> None:
        super().__init__(message)
        self.mended = mended


def mark_of(head: bytes) -> tuple[str, int] | None:
    """
    Find a byte order mark.

    :param head: the first four bytes of a file, or more.
    :returns: the encoding and the mark's length in bytes, or None if there is no mark.
    """
    return next(((encoding, len(mark)) for mark, encoding in _MARKS if head.startswith(mark)), None)


def describe(error: UnicodeDecodeError, *, start: int = 0) -> str:
    """
    Say which byte is no text.

    :param error: what the decoder raised.
    :param start: where in the file the decoded bytes began.
    :returns: one line that names the byte, its offset in the file, and the encoding.
    """
    byte = error.object[error.start]
    return f"byte 0x{byte:02x} at offset {start + error.start} of the file is not valid {error.encoding.upper()}"


def plain_newlines(text: str) -> str:
    """
    End lines as Unix does.

    :param text: a text.
    :returns: the same, with one line feed where it has a carriage return, or both.
    """
    return text.replace("\r\n", "\n").replace("\r", "\n")


def decode(data: bytes, encoding: str | None = None) -> str:
    """
    Decode a whole file.

    :param data: its bytes.
    :param encoding: the encoding that was declared for it, if one was; a byte order mark wins over it.
    :returns: the text without byte order mark.
    :raises EncodingError: if a byte is no text; names line, offset and what was expected.
    """
    mark = mark_of(data)
    if mark is not None:
        encoding = mark[0]
    elif encoding is None and b"\0" in data:
        offset = data.index(b"\0")
        line = data.count(b"\n", 0, offset) + 1
        msg = f"line {line}: NUL byte at offset {offset} of the file; {EXPECTED}"
        raise EncodingError(msg)
    elif encoding is None and (escape := _JAPANESE.search(data)):
        line = data.count(b"\n", 0, escape.start()) + 1
        msg = f"line {line}: {_is_japanese(escape.start())}"
        raise EncodingError(msg)
    try:
        return data.decode(encoding or "utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        expected = EXPECTED if encoding is None else f"expected {encoding}; or name its encoding: --encoding cp1252"
        problem = f"{describe(error)}; {expected}"
        msg = f"line {line}: {problem}"
        is_utf8 = codecs.lookup(encoding or "utf-8").name in _UTF8
        raise EncodingError(msg, _mended(data, problem) if is_utf8 else None) from error
    except (LookupError, ValueError) as error:
        raise _unknown(encoding) from error


def _mended(data: bytes, problem: str) -> Mended | None:
    lines = data.split(b"\n")
    texts = [line.decode("utf-8", errors="replace") for line in lines]
    wrong = [number for number, text in enumerate(texts) if "\ufffd" in text]
    if len(wrong) * _FEW > sum(map(bool, map(bytes.strip, lines))) or "\ufffd".encode() in data:
        return None
    numbers = ", ".join(str(number + 1) for number in wrong[:_NAMED]) + (", \u2026" if len(wrong) > _NAMED else "")
    what = f"it holds a byte that is no text, one of those in line{'s' if len(wrong) > 1 else ''} {numbers} of the file"
    return Mended("\n".join(texts).encode(), f"{what}: {problem}")


def _is_japanese(offset: int) -> str:
    return f"bytes of ISO-2022-JP at offset {offset} of the file; {_EXPECTED_JAPANESE}"


def _unknown(encoding: str | None) -> EncodingError:
    return EncodingError(f"unknown encoding {encoding!r}; expected a name such as utf-8 or cp1252")


def iter_lines(stream: BinaryIO, encoding: str | None = None) -> Iterator[Line]:
    """
    Read lines one at a time, so that a file of any size needs the memory of one line.

    In UTF-8 (with or without byte order mark) a line that is no text is given with its problem, and the next goes on.
    In any other encoding the lines' ends are not known after a wrong byte, so reading ends there.

    :param stream: the file's bytes, from the beginning; seekable.
    :param encoding: the encoding that was declared for the file, if one was; a byte order mark wins over it.
    :returns: the lines in order.
    :raises EncodingError: in other encodings than UTF-8, at the first byte that is no text.
    """
    mark = mark_of(stream.read(4))
    stream.seek(mark[1] if mark is not None and mark[0] == "utf-8" else 0)
    chosen = (mark[0] if mark is not None else encoding) or "utf-8"
    try:
        is_utf8 = codecs.lookup(chosen).name in (*_UTF8, "ascii")
    except (LookupError, ValueError) as error:
        raise _unknown(chosen) from error
    if is_utf8:
        yield from _utf8_lines(stream, is_declared=mark is not None or encoding is not None)
    else:
        yield from _other_lines(stream, chosen)


def _utf8_lines(stream: BinaryIO, *, is_declared: bool) -> Iterator[Line]:
    offset = stream.tell()
    for number, raw in enumerate(stream, start=1):
        problem = None
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            text = raw.decode("utf-8", errors="replace")
            problem = f"{describe(error, start=offset)}; {EXPECTED}"
        if "\0" in text:
            problem = f"NUL byte at offset {offset + raw.index(0)} of the file; {EXPECTED}"
        elif not is_declared and (escape := _JAPANESE.search(raw)):
            problem = _is_japanese(offset + escape.start())
        yield Line(number, text, problem)
        offset += len(raw)


def _other_lines(stream: BinaryIO, encoding: str) -> Iterator[Line]:
    number = 0
    try:
        # Python has encodings that no text is in, such as "hex" and "undefined".
        reader = io.TextIOWrapper(stream, encoding=encoding, newline="\n")
    except (LookupError, ValueError) as error:
        raise _unknown(encoding) from error
    try:
        for number, text in enumerate(reader, start=1):
            yield Line(number, text, None)
    except UnicodeError as error:
        msg = f"after line {number}: not valid {encoding.upper()} ({error})"
        raise EncodingError(msg) from error
    finally:
        reader.detach()  # the stream is its opener's to close
