# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Approximate trees without any server: words, chunks and sentences, by the tagger and chunker that TextBlob ships."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from haystack.lazy_imports import LazyImport

from haystack_integrations.components.preprocessors.answer_selection.backend import ParserBackend
from haystack_integrations.components.preprocessors.answer_selection.brackets import leaves, phrase, root

with LazyImport("Run 'pip install \".[trees]\"'") as _imports:
    import textblob.en

# As the Penn Treebank has them, whether the text is split like this already or not; each character is in one.
_WORD: Final = re.compile(
    r"""-[lr][rsc]b- | ``|'' | \w+(?=n['\u2019]t\b) | n['\u2019]t\b | ['\u2019](?:s|m|d|re|ve|ll)\b
    | (?:\w\.){2,} | (?:Mr|Mrs|Ms|Dr|St|Prof|Jr|Sr|No|vs|etc|Inc|Ltd|Co)\.
    | \w+(?:[-.,:/@]\w+)* | \.{2,} | -- | \S""",
    re.IGNORECASE | re.VERBOSE,
)
# A sentence ends before white space, where the next one begins like one; and everywhere that a paragraph does.
_END: Final = re.compile(
    r"""\s[.!?]+(?=\s) | [.!?\u2026]["'\u2019\u201d)\]]*(?=\s+["'\u2018\u201c(\[]*[A-Z0-9]) | (?=\n[^\S\n]*\n)""",
    re.VERBOSE,
)
_ABBREVIATION: Final = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Prof|Jr|Sr|No|vs|Inc|Ltd|Co|\w)\.$", re.IGNORECASE)
# What the tagger knows a bracket of the Penn Treebank as.
_BRACKETS: Final = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "(", "-rsb-": ")", "-lcb-": "(", "-rcb-": ")"}


class ShallowBackend(ParserBackend):
    """
    An approximation, for English: a sentence is its chunks in a row.

    A parser nests them; here a preposition's chunk alone holds others, the noun phrases behind it. TextBlob's tagger
    and chunker (those of CLiPS pattern) come with all that they need: nothing is downloaded.
    """

    @property
    def name(self) -> str:
        """Tells its trees from those of others."""
        return "shallow"

    def stream(self, texts: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Parse texts, and give each as soon as it is parsed."""
        _imports.check()
        for text in texts:
            yield text, root([self._sentence(sentence) for sentence in _sentences(text)])

    def _sentence(self, text: str) -> str:
        words = _WORD.findall(text)
        if not words:
            return ""
        tagged = textblob.en.parser.find_tags(
            [_BRACKETS.get(word.lower(), word.replace("\u2019", "'")) for word in words]
        )
        chunked = textblob.en.parser.find_chunks(tagged)
        chunks: list[tuple[str, bool, list[str]]] = []
        for word, (_, tag, place, within) in zip(words, chunked, strict=True):
            leaf = leaves(_tag(tag), word)
            begin, _, name = place.partition("-")
            if begin == "I" and chunks and chunks[-1][0] == name:
                chunks[-1][2].extend(leaf)
            else:
                chunks.append((name, within == "I-PNP", leaf))
        return phrase("S", _nested(chunks))


def _nested(chunks: Sequence[tuple[str, bool, list[str]]]) -> list[str]:
    """A sentence's children: words outside any chunk, chunks, and those of prepositions with what they govern."""
    children: list[str] = []
    governing: list[str] | None = None
    for name, governed, words in [*chunks, ("", False, [])]:
        if governing is not None and not (governed and name not in ("", "PP")):
            children.append(phrase("PP", governing))
            governing = None
        if name == "PP":
            governing = words
        elif governing is not None:
            governing.append(phrase(name, words))
        else:
            children += [phrase(name, words)] if name else words
    return children


def _sentences(text: str) -> list[str]:
    starts = [0]
    for match in _END.finditer(text):
        # None is longer than "Prof.": the sentence before it need not be gone through again.
        if not _ABBREVIATION.search(text, max(starts[-1], match.end() - len("Prof.")), match.end()):
            starts.append(match.end())
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _tag(tag: str) -> str:
    """The Penn Treebank's tag; the tagger adds what a name is of, and has its own for quotes."""
    return {'"': "''"}.get(tag, tag.partition("-")[0] or tag)
