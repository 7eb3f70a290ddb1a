# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The component that embeds documents, for retrieval by vectors."""

from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from haystack import Document, component, default_to_dict
from haystack.utils import ComponentDevice, Secret

from answer_selection.indexing.computed_fields import EMBEDDER_FIELDS
from answer_selection.indexing.encoder import (
    ENCODER_FIELD,
    FINGERPRINT_FIELD,
    entry_question,
    maker_of,
    vector_fingerprint,
)
from answer_selection.indexing.in_thread import in_thread
from answer_selection.indexing.passages import PASSAGES_FIELD, pack, pieces
from answer_selection.indexing.text.answer_text import answer_text
from answer_selection.indexing.word_states import WORDS_FIELD, word_fingerprint, words_meta
from haystack_integrations.components.embedders.answer_selection.encoder_component import EncoderComponent
from haystack_integrations.components.rankers.answer_selection.made_once import MadeOnce

if TYPE_CHECKING:
    from haystack_integrations.components.rankers.answer_selection.encoders.word_reader import WordReader


@component
class AnswerSelectionDocumentEmbedder(EncoderComponent):
    """
    Embeds documents with a sentence encoder, without sentence-transformers.

    By default a document's vector is that of its question and its content in one text, as `answer-selection index`
    makes it. For which encoders it runs, see :class:`AnswerSelectionTextEmbedder`.

    Usage example:
    ```python
    from haystack import Document
    from haystack_integrations.components.embedders.answer_selection import AnswerSelectionDocumentEmbedder

    embedder = AnswerSelectionDocumentEmbedder(model="sentence-transformers/all-MiniLM-L6-v2")
    document = Document(content="At 8 p.m. on weekdays.", meta={"question": "When does the reading room close?"})
    print(embedder.run([document])["documents"][0].embedding)
    ```
    """

    def __init__(
        self,
        *,
        model: str | Path | None = None,
        device: ComponentDevice | None = None,
        token: Secret | None = Secret.from_env_var(["HF_API_TOKEN", "HF_TOKEN"], strict=False),  # noqa: B008
        revision: str | None = None,
        batch_size: int = 32,
        meta_fields_to_embed: list[str] | None = None,
        embedding_separator: str = " ",
        embed_passages: bool = True,
        embed_words: bool = True,
    ) -> None:
        """
        Creates the component; the encoder is loaded by `warm_up` or the first run.

        :param model: A folder in sentence-transformers' format, or the name of a model on the Hugging Face hub. None is
            the encoder that comes with the package.
        :param device: Where the encoder runs. None is the first accelerator that is there, else the CPU, found out at
            warm-up.
        :param token: The hub's token, for private models.
        :param revision: The hub model's branch, tag or commit.
        :param batch_size: How many documents go through the encoder at once.
        :param meta_fields_to_embed: Metadata whose values are put in front of the content. None is `["question"]`.
        :param embedding_separator: What stands between those values and the content.
        :param embed_passages: Whether documents get the vectors of their
            :mod:`passages <answer_selection.indexing.passages>` too, as the metadata `passage_vectors`. The hybrid
            retrievers of this package read them; for other retrievers they only take time and space.
        :param embed_words: Whether documents get their
            :mod:`word states <answer_selection.indexing.word_states>` too, as the metadata `word_states`, up to 35
            kilobytes. `AnswerRanker` uses them; without, it has to read each candidate when it first meets it.
        :raises ValueError: If `batch_size` is not greater than 0, or `device` is not a single `ComponentDevice`.
        """
        if batch_size <= 0:
            msg = f"batch_size must be > 0, but got {batch_size}"
            raise ValueError(msg)
        # `component` makes a class of its own of this one, with which `super()` does not go.
        EncoderComponent.__init__(self, model=model, device=device, token=token, revision=revision)
        self.batch_size = batch_size
        self.meta_fields_to_embed = ["question"] if meta_fields_to_embed is None else list(meta_fields_to_embed)
        self.embedding_separator = embedding_separator
        self.embed_passages = embed_passages
        self.embed_words = embed_words
        self._reader: MadeOnce[WordReader] = MadeOnce()

    def to_dict(self) -> dict[str, Any]:
        """
        Serializes the component to a dictionary.

        :returns: A dictionary for `from_dict`. A device that was not given is not pinned to the one that was found.
        """
        return default_to_dict(
            self,
            **self._parameters(),
            batch_size=self.batch_size,
            meta_fields_to_embed=self.meta_fields_to_embed,
            embedding_separator=self.embedding_separator,
            embed_passages=self.embed_passages,
            embed_words=self.embed_words,
        )

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """
        Embeds documents.

        :param documents: The documents, which are never changed.
        :returns: A dictionary with `documents`: copies, in the same order, with their embeddings at unit length, and
            fingerprints of encoder and text in their metadata, by which an index tells whose they are, as well as the
            vectors of passages and the states of words. Where question and content are embedded as an index does it,
            the encoder's name is there too; a `TantivyDocumentStore` keeps it as its own. An id that was made of a
            document's content stays as it is.
        :raises TypeError: If `documents` is not a list of documents.
        :raises ValueError: If the encoder cannot be loaded, or a vector comes out with something else than finite
            numbers.
        """
        if not isinstance(documents, list) or not all(isinstance(document, Document) for document in documents):
            msg = "documents must be a list of Document; for a text there is AnswerSelectionTextEmbedder"
            raise TypeError(msg)
        if not documents:
            return {"documents": []}
        encoder, texts = self._warm(), [self._texts(document) for document in documents]
        heads = [text for text, *_ in texts]
        reader = self._word_reader() if self.embed_words else None
        read = reader.read(heads, self.batch_size) if reader else []
        # What the reader has read with the same encoder is not encoded a second time.
        known = reader is not None and reader.encoder.fingerprint == encoder.record.fingerprint
        vectors = iter(
            encoder.encode(list(chain.from_iterable(each[1:] if known else each for each in texts)), self.batch_size)
        )
        # What the name alone loads again, for the text that an index encodes.
        way = (self.meta_fields_to_embed, self.embedding_separator, self.revision)
        as_an_index = way == (["question"], " ", None)
        embedded = []
        for place, (document, [text, *passages]) in enumerate(zip(documents, texts, strict=True)):
            fingerprint = vector_fingerprint(encoder.record, text)
            vector = read[place].unit_vector() if known else next(vectors)
            meta = {key: value for key, value in document.meta.items() if key not in EMBEDDER_FIELDS}
            meta[FINGERPRINT_FIELD] = fingerprint
            embedding = vector.tolist()
            if as_an_index:
                meta[ENCODER_FIELD] = maker_of(encoder.record.name, embedding)
            if reader is not None:
                meta[WORDS_FIELD] = words_meta(read[place], word_fingerprint(reader.fingerprint, text))
            if passages:
                found = np.stack(list(islice(vectors, len(passages))))
                meta[PASSAGES_FIELD] = pack(fingerprint, found, f"document {document.id!r}")
            embedded.append(replace(document, embedding=embedding, meta=meta))
        return {"documents": embedded}

    run_async = in_thread(run)

    def warm_up(self) -> None:
        """
        Loads the encoder and, for word states, what reads words.

        :raises ValueError: If the encoder cannot be loaded.
        """
        EncoderComponent.warm_up(self)
        if self.embed_words:
            self._word_reader()

    def close(self) -> None:
        """Frees the encoder. A later run loads it again."""
        EncoderComponent.close(self)
        self._reader.drop()

    def _word_reader(self) -> "WordReader":
        """What reads words, loaded if it is not yet."""
        from haystack_integrations.components.rankers.answer_selection.encoders.word_reader import WordReader

        return self._reader.get(lambda: WordReader.load(device=self.device))

    def _texts(self, document: Document) -> list[str]:
        """A document's own text, then those of its passages."""
        parts = pieces(document.content or "") if self.embed_passages else []
        return [self._text(document), *(self._text(replace(document, content=part)) for part in parts)]

    def _text(self, document: Document) -> str:
        # A question that is empty or no text is none, as to an index; it gets no separator.
        fields = [field for field in self.meta_fields_to_embed if document.meta.get(field) != ""]
        if not entry_question(document):
            fields = [field for field in fields if field != "question"]
        return answer_text(document, fields, self.embedding_separator)
