# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Which metadata of a document are computed from its text while an index is built, and not the entry's own."""

from typing import Final

from answer_selection.indexing.encoder import ENCODER_FIELD, FINGERPRINT_FIELD
from answer_selection.indexing.passages import PASSAGES_FIELD
from answer_selection.indexing.word_states import WORDS_FIELD

COMPUTED_FIELDS: Final = (FINGERPRINT_FIELD, PASSAGES_FIELD, WORDS_FIELD)
"""Their keys: the fingerprint of the embedding, the vectors of passages, the states of words."""

EMBEDDER_FIELDS: Final = (*COMPUTED_FIELDS, ENCODER_FIELD)
"""Those of a document from the document embedder, which names its encoder, too."""
