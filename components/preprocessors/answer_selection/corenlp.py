# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Stanford CoreNLP's constituency parser, a server that is spoken to over HTTP."""

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice, pairwise
from typing import Any, Final

from haystack.lazy_imports import LazyImport

from answer_selection.indexing.text.tree import UNNAMED
from haystack_integrations.components.preprocessors.answer_selection.backend import (
    ParserBackend,
    ParserError,
    UnparsableError,
)
from haystack_integrations.components.preprocessors.answer_selection.brackets import leaves, phrase, root

with LazyImport("Run 'pip install \".[trees]\"'") as _imports:
    from nltk import Tree
    from nltk.parse.corenlp import CoreNLPParser
    from requests import exceptions

# Every character keeps a place in some token, and places are counted as Python counts them.
_TOKENS: Final = {"tokenize.options": "untokenizable=noneKeep", "tokenize.codepoint": "true"}
_SPLIT: Final = {**_TOKENS, "annotators": "tokenize,ssplit", "ssplit.newlineIsSentenceBreak": "two"}
_PARSE: Final = {**_TOKENS, "annotators": "tokenize,ssplit,pos,parse", "ssplit.isOneSentence": "true"}
# The server takes texts of up to 100,000 characters.
_LONGEST_REQUEST: Final = 50_000
# Brackets as the Penn Treebank writes them, which much research data does in lower case, too.
_TREEBANK_BRACKET: Final = re.compile(r"-([lr])([rsc])b-", re.IGNORECASE)
_BRACKETS: Final = {"lr": "(", "rr": ")", "ls": "[", "rs": "]", "lc": "{", "rc": "}"}
# Words of the server's trees may have no-break spaces.
_WORD: Final = r"[^ \n()]+"
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
# Where a sentence that is too long is split, if it can be: behind one of these.
_PAUSES: Final = frozenset(",;:.!?-–—…)]}") | {"--", "...", "-rrb-", "-RRB-"}  # noqa: RUF001
_FIRST_WAIT: Final = 0.5
# After so many unparsable texts in a row it is not for the texts.
_MOST_UNPARSABLE: Final = 10
_SHOWN: Final = 80


class CoreNLPBackend(ParserBackend):
    """
    Trees of a CoreNLP server.

    A text is split into sentences by the server; each of them is a request of its own, so that one takes no longer than
    the longest sentence does. Several texts are asked for at once.
    """

    def __init__(
        self,
        url: str = "http://localhost:9000",
        *,
        parallel_requests: int = 4,
        timeout: float = 60.0,
        retries: int = 2,
        longest_sentence: int = 70,
    ) -> None:
        """
        Creates the client; nothing is asked of the server yet.

        :param url: The server's address.
        :param parallel_requests: How many texts are with the server at once; the server works at as many of them as its
            machine has cores.
        :param timeout: Seconds after which a request has failed. The server has a limit of its own (`-timeout`).
        :param retries: How often a request is made again that failed.
        :param longest_sentence: Words; a longer sentence is split, at a comma or the like if there is one. The time for
            a sentence grows with the third power of its length.
        :raises ValueError: If a number is out of its range.
        """
        for what, value, least in (
            ("parallel_requests", parallel_requests, 1),
            ("retries", retries, 0),
            ("longest_sentence", longest_sentence, 2),
        ):
            if value < least:
                msg = f"{what} must be at least {least}, but got {value}"
                raise ValueError(msg)
        if timeout <= 0:
            msg = f"timeout must be > 0, but got {timeout}"
            raise ValueError(msg)
        self.url = url
        self.parallel_requests = parallel_requests
        self.timeout = timeout
        self.retries = retries
        self.longest_sentence = longest_sentence
        # A session is for one thread.
        self._clients = threading.local()

    @property
    def name(self) -> str:
        """Tells its trees from those of others: how sentences are split is part of it."""
        return f"corenlp, at most {self.longest_sentence} words"

    def stream(self, texts: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Parse texts, several at once, and give each as soon as it is parsed."""
        waiting, failed = iter(texts), None
        unparsable = in_a_row = 0
        ending = threading.Event()
        pool = ThreadPoolExecutor(self.parallel_requests, thread_name_prefix="corenlp")
        running: dict[Future[str], str] = {}
        try:
            while True:
                if not ending.is_set():
                    # One more than are asked at once, so that none of these waits for whoever takes the trees.
                    for text in islice(waiting, self.parallel_requests + 1 - len(running)):
                        running[pool.submit(self._tree, text, ending)] = text
                if not running:
                    break
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    text = running.pop(future)
                    error = future.exception()
                    if error is None:
                        in_a_row = 0
                        yield text, future.result()
                        continue
                    own = isinstance(error, UnparsableError)
                    # What is wrong with the server says more than what is wrong with a text.
                    failed = error if failed is None or (isinstance(failed, UnparsableError) and not own) else failed
                    unparsable, in_a_row = unparsable + own, in_a_row + 1
                    if not own or in_a_row == _MOST_UNPARSABLE:
                        ending.set()
                        running = {one: of for one, of in running.items() if not one.cancel()}
        finally:
            # Python waits for the threads when it ends: none makes a request again.
            ending.set()
            pool.shutdown(wait=False, cancel_futures=True)
        if isinstance(failed, UnparsableError) and unparsable > 1:
            msg = f"{failed}; {unparsable - 1} other texts could not be parsed either"
            raise UnparsableError(msg) from failed
        if failed is not None:
            raise failed

    def _tree(self, text: str, ending: threading.Event) -> str:
        sent = _sendable(text)
        parts = [part for chunk in _chunks(sent) for part in self._sentences(sent, *chunk, ending)]
        # A part begins where its first word does, and reaches to the next one: no character is left out.
        starts = [0, *(start for start, _ in parts[1:]), len(text)]
        trees: list[str] = []
        for place, (start, end) in enumerate(parts):
            around = text[starts[place] : starts[place + 1]]
            found = self._parsed(around, sent[start:end], start - starts[place], ending)
            trees += found or leaves(UNNAMED, around)
        # To the server some characters are no words, even alone.
        return root(trees or leaves(UNNAMED, text))

    def _sentences(self, sent: str, start: int, end: int, ending: threading.Event) -> Iterator[tuple[int, int]]:
        """Where the sentences of a part of a text are, those that are too long in pieces."""
        if not sent[start:end].strip():
            return
        for sentence in self._ask(sent[start:end], _SPLIT, ending)["sentences"]:
            words = [(start + begin, start + stop) for begin, stop in map(_place, sentence["tokens"])]
            while len(words) > self.longest_sentence:
                cut = self._cut([sent[begin:stop] for begin, stop in words[: self.longest_sentence]])
                yield words[0][0], words[cut - 1][1]
                words = words[cut:]
            yield words[0][0], words[-1][1]

    def _cut(self, words: Sequence[str]) -> int:
        """How many words go into a piece of a sentence: up to the last pause in its second half, or all."""
        pauses = (place for place in range(len(words), len(words) // 2, -1) if words[place - 1] in _PAUSES)
        return next(pauses, len(words))

    def _parsed(self, text: str, sent: str, before: int, ending: threading.Event) -> list[str]:
        """
        Parse a sentence.

        :param text: It, with what stands around it.
        :param sent: What the server is to parse.
        :param before: How many characters of the text are before it.
        :param ending: Set when all is about to end, so that nothing is asked again.
        :returns: Its trees, usually one.
        """
        trees, sentences = [], self._ask(re.sub(r"\s", " ", sent), _PARSE, ending)["sentences"]
        starts = [before + _place(token)[0] for one in sentences for token in one["tokens"]]
        # Words reach to the next one, as sentences do.
        starts = [0, *starts[1:], len(text)]
        words = [text[start:end] for start, end in pairwise(starts)]
        for one in sentences:
            tree, own = (
                Tree.fromstring(one["parse"], node_pattern=_WORD, leaf_pattern=_WORD),
                iter(words[: len(one["tokens"])]),
            )
            words = words[len(one["tokens"]) :]
            if len(tree.leaves()) != len(one["tokens"]):
                msg = f"the CoreNLP server at {self.url} gave a tree of {len(tree.leaves())} words for a sentence of "
                msg += f"{len(one['tokens'])}: {_short(text)}"
                raise UnparsableError(msg)
            trees += [_written(child, own) for child in tree]
        return trees

    def _ask(self, text: str, properties: dict[str, str], ending: threading.Event) -> Any:
        """One request, made again if it fails, unless all is about to end."""
        kind: type[ParserError] = ParserError
        for attempt in range(self.retries + 1):
            if attempt and ending.wait(_FIRST_WAIT * 2 ** (attempt - 1)):
                break
            try:
                answer = self._client().api_call(text, properties=properties, timeout=self.timeout)
            except exceptions.RequestException as error:
                reason, tries = self._reason(error), attempt + 1
                # A server that says so is there.
                kind = UnparsableError if isinstance(error, exceptions.HTTPError) else ParserError
                continue
            if isinstance(answer, dict) and isinstance(answer.get("sentences"), list):
                return answer
            kind, reason, tries = (
                ParserError,
                "its answer has no sentences; expected a CoreNLP server there",
                attempt + 1,
            )
            break
        tried = f" (tried {tries} times)" if tries > 1 else ""
        msg = f"the CoreNLP server at {self.url} parsed nothing of {_short(text)}: {reason}{tried}"
        raise kind(msg)

    def _reason(self, error: Exception) -> str:
        if isinstance(error, exceptions.JSONDecodeError):
            return "its answer is no JSON; expected a CoreNLP server there"
        if isinstance(error, exceptions.Timeout):
            return f"no answer within {self.timeout:g} seconds; expected a server that is up, or a longer timeout"
        if isinstance(error, exceptions.ConnectionError):
            return f"no connection ({_root_cause(error)}); expected a server that is up"
        return str(error)

    def _client(self) -> Any:
        if not hasattr(self._clients, "client"):
            _imports.check()
            self._clients.client = CoreNLPParser(self.url)
        return self._clients.client


def _sendable(text: str) -> str:
    """The text as the server reads it best, each character in its place: brackets as such, no half characters."""

    def bracket(match: re.Match[str]) -> str:
        return _BRACKETS[(match[1] + match[2]).lower()].ljust(len(match[0]))

    return _SURROGATE.sub("\ufffd", _TREEBANK_BRACKET.sub(bracket, text))


def _chunks(sent: str) -> Iterator[tuple[int, int]]:
    """Parts of a text that are not too long for a request, cut at white space if there is some."""
    start = 0
    while len(sent) - start > _LONGEST_REQUEST:
        end = start + _LONGEST_REQUEST
        space = max(sent.rfind(" ", start + 1, end), sent.rfind("\n", start + 1, end))
        end = end if space < 0 else space
        yield start, end
        start = end
    yield start, len(sent)


def _place(token: dict[str, Any]) -> tuple[int, int]:
    """Where a token begins and ends; the server counts code points only where they differ from its own characters."""
    return (
        token.get("codepointOffsetBegin", token["characterOffsetBegin"]),
        token.get("codepointOffsetEnd", token["characterOffsetEnd"]),
    )


def _written(tree: Any, words: Iterator[str]) -> str:
    """A tree in brackets, with the text's own words."""
    if not isinstance(tree[0], Tree):
        return " ".join(leaves(tree.label(), next(words)))
    return phrase(tree.label(), [_written(child, words) for child in tree])


def _root_cause(error: BaseException) -> str:
    """What went wrong with a connection, without what was wrapped around it."""
    while (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    return str(error)


def _short(text: str) -> str:
    """The beginning of a text, for a message."""
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")
