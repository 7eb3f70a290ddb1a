# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Stored trees and new ones: what is in the cache is not parsed again, and what was parsed is kept at once."""

import time
from collections.abc import Callable, Iterable
from typing import Final

from haystack import logging

from answer_selection.indexing.text.tree import TreeError, read_tree
from haystack_integrations.components.preprocessors.answer_selection.backend import ParserBackend, ParserError
from haystack_integrations.components.preprocessors.answer_selection.tree_cache import TreeCache

logger = logging.getLogger(__name__)

# Trees, and seconds, after which those that are new go into the file.
_KEPT_AT_ONCE: Final = 200
_KEPT_EVERY: Final = 2.0
_LOGGED_EVERY: Final = 30.0
_SHOWN: Final = 80


def parse_texts(
    backend: ParserBackend,
    texts: Iterable[str],
    cache: TreeCache | None = None,
    progress: Callable[[int], object] | None = None,
) -> dict[str, str]:
    """
    Parse texts, or take their trees from the cache.

    :param backend: The parser.
    :param texts: The texts; each different one is parsed once.
    :param cache: Where trees are kept, if anywhere. Whatever was parsed when this ends, by an error too, is in it.
    :param progress: Is told how many texts are done.
    :returns: The trees by text.
    :raises ParserError: If a text cannot be parsed, or its tree is not its own; after all others that could be.
    """
    distinct = list(dict.fromkeys(texts))
    trees = {} if cache is None else cache.find(backend.name, distinct)
    missing = [text for text in distinct if text not in trees]
    fresh: dict[str, str] = {}
    wrong: ParserError | None = None
    kept = logged = time.monotonic()
    try:
        for text, tree in backend.stream(missing):
            if fault := _fault(backend, text, tree):
                wrong = wrong or fault
                continue
            trees[text] = fresh[text] = tree
            now = time.monotonic()
            if cache is not None and (len(fresh) >= _KEPT_AT_ONCE or now - kept >= _KEPT_EVERY):
                cache.keep(backend.name, fresh)
                fresh, kept = {}, time.monotonic()
            if progress is not None:
                progress(len(trees))
            if now - logged >= _LOGGED_EVERY:
                logger.info("parsed {done} of {all} texts", done=len(trees), all=len(distinct))
                logged = now
    finally:
        if cache is not None and fresh:
            cache.keep(backend.name, fresh)
    if wrong is not None:
        raise wrong
    return trees


def _fault(backend: ParserBackend, text: str, tree: str) -> ParserError | None:
    """What is wrong with a tree, if something is."""
    try:
        read_tree(tree, text)
    except TreeError as error:
        msg = f"the parser ({backend.name}) gave a tree that is not its text's, {text[:_SHOWN]!r}: {error}"
        return ParserError(msg)
    return None
