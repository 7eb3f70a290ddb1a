# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The component that corrects a question's misspelt words, before anything is searched."""

import asyncio
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, Final, Self

from haystack import component, default_from_dict, default_to_dict

from answer_selection.indexing.in_thread import in_thread
from answer_selection.indexing.text.misspelling import best_meant, doubtful_words, long_words, respell
from haystack_integrations.components.preprocessors.answer_selection.dictionary import (
    LANGUAGES,
    Dictionary,
    dictionary,
)
from haystack_integrations.components.preprocessors.answer_selection.index_words import words_of

# Unknown words; one alone is a name, or a word that is misspelt beyond recognition.
_SEVERAL: Final = 2


@component
class QuerySpellingCorrector:
    """
    Corrects a query's misspelt words, as the index or else the dictionary spells them.

    A word is misspelt if neither the dictionary of the index's language nor the index holds it. It is corrected if one
    slip makes it of a word that both hold: a letter is missing or comes twice, a vowel is another vowel, or two letters
    are swapped. Of several such words it is one with the same letters, then the one that most documents hold. Where the
    index holds none of them, it is the most common one with the same first letter, for the encoder, but no rare
    word, and none where a capital makes it a name. All else stays as it was typed: words of four letters or fewer,
    words with a capital inside, file names, options, code, and questions in another language.

    There are dictionaries of Arabic, Dutch, English, French, German, Italian, Portuguese, Russian and Spanish. For an
    index in another language, or without a stemmer, every query stays as it is.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.preprocessors.answer_selection import QuerySpellingCorrector
    from haystack_integrations.document_stores.tantivy import TantivyDocumentStore

    store = TantivyDocumentStore(path="spelling-index")
    store.write_documents([Document(content="The library opens at ten.")])
    corrector = QuerySpellingCorrector(document_store=store)
    print(corrector.run("When does the libary open?")["query"])
    ```
    """

    def __init__(self, *, document_store: Any) -> None:
        """
        Creates the component; the dictionary is loaded by the first run.

        :param document_store: The `TantivyDocumentStore` or `ElasticsearchDocumentStore` that the query is for.
        :raises TypeError: If it is another store.
        """
        self.document_store = document_store
        self._index = words_of(document_store)

    def warm_up(self) -> None:
        """Loads the dictionary. Of an index in Elasticsearch, only the first run asks for the language."""
        if self._index is self.document_store:
            self._dictionary()

    def close(self) -> None:
        """Closes the store's connection or files. A later run opens them again."""
        self.document_store.close()

    async def close_async(self) -> None:
        """Does what :meth:`close` does: :meth:`run_async` runs in a thread."""
        await asyncio.to_thread(self.close)

    def to_dict(self) -> dict[str, Any]:
        """
        Serializes the component to a dictionary.

        :returns: A dictionary for `from_dict`.
        """
        return default_to_dict(self, document_store=self.document_store)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """
        Deserializes the component from a dictionary.

        :param data: The dictionary that `to_dict` returned.
        :returns: The component.
        """
        return default_from_dict(cls, data)

    @component.output_types(query=str)
    def run(self, query: str) -> dict[str, str]:
        """
        Corrects a query.

        :param query: The query.
        :returns: A dictionary with `query`: the corrected one; the same text if nothing is misspelt.
        :raises TypeError: If the query is not a string.
        :raises haystack_integrations.document_stores.tantivy.IndexOpenError: If there is no index on disk to look in.
        :raises elasticsearch.ApiError: If the server refuses the search.
        """
        if not isinstance(query, str):
            msg = f"query must be a string, but is of the type {type(query).__name__}"
            raise TypeError(msg)
        words = self._dictionary()
        if words is None:
            return {"query": query}
        unknown = doubtful_words(query, words.__contains__)
        if not unknown:
            return {"query": query}
        near = {word: words.near(word.lower()) for word in unknown}
        counts = self._index.document_frequencies(list(dict.fromkeys(chain(near, *near.values()))))
        found = {word: [other for other in near[word] if counts[other]] for word in near if not counts[word]}
        # What is near no word of the index is unknown: where that is most of the question, it is of another language.
        foreign = sum(not others for others in found.values())
        if foreign >= _SEVERAL and 2 * foreign > len(long_words(query)):
            return {"query": query}
        meant = {
            word: _meant(word, others, counts) if others else _meant_elsewhere(word, words.common(near[word]))
            for word, others in found.items()
        }
        return {"query": respell(query, {word: other for word, other in meant.items() if other is not None})}

    run_async = in_thread(run)

    def _dictionary(self) -> Dictionary | None:
        language = self._index.language
        return dictionary(language) if language in LANGUAGES else None


def _meant(word: str, near: Iterable[str], counts: Mapping[str, int]) -> str | None:
    """The word that was meant, of those that one slip makes it of."""
    best = best_meant(word.lower(), near, counts)
    return best.capitalize() if best is not None and word[0].isupper() else best


def _meant_elsewhere(word: str, common: Mapping[str, int]) -> str | None:
    """The common word of which the index holds none. What has a capital is a name, and "intro" no slip for "nitro"."""
    return None if word[0].isupper() else _meant(word, (other for other in common if other[0] == word[0]), common)
