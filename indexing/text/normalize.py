# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: RUF001, RUF002 - the characters that look alike are what this file is about
"""
One normalisation and one rule of what a word is, for all text that a model sees.

Research data comes in the Penn Treebank's style (``-lrb- afc -rrb-``, ``do n't``, ``levi 's``, ``24 -- 10``, two
backticks for an opening quote), people type ``(AFC)``, ``don’t``, ``Levi's``, ``24–10``. A model that is trained on
one of them and used on the other has to be given the same words for both, which is what this module is for:
``words(normalize(x))`` is equal for the two.
"""

import functools
import reprlib
import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

import regex

_LETTER: Final = r"\p{L}\p{M}"
# Chinese characters and kana stand without spaces between words: each is a word of its own.
_UNSPACED: Final = r"\p{Han}\p{Hiragana}\p{Katakana}"
_RUN: Final = rf"(?:(?![{_UNSPACED}])[{_LETTER}\p{{N}}])+"
_END: Final = rf"(?![{_LETTER}\p{{N}}])"
_CLITIC: Final = rf"'(?:s|re|ve|ll|m|d){_END}"

WORD_PATTERN: Final = "|".join(
    (
        rf"(?<![{_LETTER}\p{{N}}.])[{_LETTER}](?:\.[{_LETTER}])+\.{_END}",  # u.s.
        rf"(?:(?![{_UNSPACED}])[{_LETTER}])+?(?=n't{_END})",  # do|n't, ca|n't
        rf"n't{_END}",
        _CLITIC,  # levi|'s
        rf"[{_UNSPACED}]",
        # 1,000  3.5mm  9:30am  1/2 are one word, o'hare too; hyphens and dashes part words (19th|century, 24|10).
        rf"{_RUN}(?:(?:(?<=\p{{N}})[.,:/](?=\p{{N}})|(?!{_CLITIC})'){_RUN})*",
        r"[$€£¥%]",  # an amount answers other questions than a bare number does
    )
)
"""
What a word is, as one regular expression over normalised text, lower-case or not.

It is written in the syntax that the ``regex`` package and ``tokenizers.Regex`` (Oniguruma) have in common, so that
``words`` and the pre-tokenizer ``Split(Regex(WORD_PATTERN), behavior="removed", invert=True)`` of a ``tokenizer.json``
find the same words. (``re`` of the standard library knows no ``\\p{L}``.) Punctuation is in no word.
"""

_WORD: Final = regex.compile(WORD_PATTERN)


@dataclass(frozen=True, slots=True)
class Normalization:
    """
    The options of :func:`normalize`, stored with a model as a plain dictionary.

    :param lowercase: whether case is dropped. Only a model whose tokenizer tells cases apart wants False.
    """

    lowercase: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Give the options as a dictionary that JSON can hold."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Normalization":
        """
        Read the options back.

        :param data: what :meth:`to_dict` gave.
        :returns: the options.
        :raises ValueError: if an option is not known, so that a newer model is not silently read wrongly, or is neither
            true nor false.
        """
        known = {field.name for field in fields(cls)}
        if unknown := sorted(set(data) - known):
            msg = f"unknown text normalisation option(s) {', '.join(unknown)}; known: {', '.join(sorted(known))}"
            raise ValueError(msg)
        for name, value in data.items():
            if not isinstance(value, bool):
                msg = f"text normalisation option {name} must be true or false, but is {reprlib.repr(value)}"
                raise ValueError(msg)
        return cls(**data)


DEFAULT: Final = Normalization()

# Before NFKC, which would turn the acute accent that people type for an apostrophe into a space and a combining mark.
_CHARACTERS: Final = str.maketrans(
    {
        **dict.fromkeys("’‘‛´`＇ʼ′", "'"),
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‐‑‒–−", "-"),
        **dict.fromkeys("—―", " - "),
        **dict.fromkeys("\u00ad\u200b\u2060\ufeff", None),  # invisible: soft hyphen, zero-width space, word joiner, BOM
    }
)
_TREEBANK: Final = {
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
    "''": '"',  # two backticks too: a backtick has become an apostrophe by then
    "\\/": "/",
    "\\*": "*",
}
TREEBANK_ESCAPE: Final = regex.compile("|".join(map(regex.escape, _TREEBANK)), regex.IGNORECASE)
_SPLIT_CONTRACTION: Final = regex.compile(
    rf"(?<=[{_LETTER}\p{{N}}.]) +(?=(?:n't|'(?:s|re|ve|ll|m|d))(?![{_LETTER}\p{{N}}']))", regex.IGNORECASE
)
_CANNOT: Final = regex.compile(rf"(?<![{_LETTER}])(can)(not){_END}", regex.IGNORECASE)
# One form for abbreviations: people leave out the last full stop (u.s), and word vectors' vocabularies have it.
_ABBREVIATION: Final = regex.compile(rf"(?<![{_LETTER}\p{{N}}.])([{_LETTER}](?:\.[{_LETTER}])++){_END}(?!\.)")
_DASHES: Final = regex.compile(r"-{2,}")
_SPACE: Final = regex.compile(r"[\s\p{Cc}]+")


def normalize(text: str, options: Normalization = DEFAULT) -> str:
    """
    Bring any text to the one form that models see.

    Unicode NFKC (full-width and other compatibility characters, ligatures, non-breaking spaces), one kind of quote,
    apostrophe and hyphen, the Penn Treebank's escapes undone, split contractions joined (``do n't`` to ``don't``;
    ``cannot`` becomes ``can not`` as in the treebank), a full stop at the end of abbreviations (``u.s.``), runs of
    white space and control characters to one space, lower case. Accents are kept. Applied twice it changes nothing.

    :param text: any string.
    :param options: what to leave out.
    :returns: the normalised text, perhaps empty.
    """
    # What cannot change anything is left out: most texts are plain, and this is most of the time that reading takes.
    if text.isascii():
        text = text.replace("`", "'")
        if options.lowercase:
            text = text.lower()
    else:
        text = unicodedata.normalize("NFKC", text.translate(_CHARACTERS)).translate(_CHARACTERS)
        if options.lowercase:
            text = unicodedata.normalize("NFKC", text.lower())
    if "-" in text or "\\" in text or "''" in text:
        text = TREEBANK_ESCAPE.sub(lambda match: _TREEBANK[match[0].lower()], text)
    if "  " in text or not text.isprintable():
        text = _SPACE.sub(" ", text)
    if "'" in text:
        text = _SPLIT_CONTRACTION.sub("", text)
    text = _CANNOT.sub(r"\1 \2", text)
    if "." in text:
        text = _ABBREVIATION.sub(r"\1.", text)
    if "--" in text:
        text = _SPACE.sub(" ", _DASHES.sub(" - ", text))
    return text.strip(" ")


def words(text: str) -> list[str]:
    """
    Split normalised text into words, by :data:`WORD_PATTERN`.

    :param text: what :func:`normalize` gave.
    :returns: the words in order, without punctuation: ``["it", "'s", "1,000", "$"]``.
    """
    found: list[str] = []
    for piece in text.split():  # no word goes over white space
        if piece.isascii() and piece.isalpha():
            found.append(piece)
        else:
            found += _words_of(piece) if len(piece) <= _LONGEST_KEPT else _WORD.findall(piece)
    return found


# Pieces of text come again and again, but not long ones, nor those of languages without spaces.
_LONGEST_KEPT: Final = 40


@functools.lru_cache(maxsize=1 << 16)
def _words_of(piece: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(piece))
