# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Answer-selection rankers."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from haystack_integrations.components.rankers.answer_selection.bm25 import BM25Ranker
    from haystack_integrations.components.rankers.answer_selection.ctrn import CTRNRanker
    from haystack_integrations.components.rankers.answer_selection.qrnn import QRNNRanker

__all__ = ["BM25Ranker", "CTRNRanker", "QRNNRanker"]

_MODULES = {"BM25Ranker": "bm25", "CTRNRanker": "ctrn", "QRNNRanker": "qrnn"}


# The models and the text lie below this package and know nothing of Haystack: importing them must not import it.
def __getattr__(name: str) -> object:
    if name not in _MODULES:
        msg = f"module '{__name__}' has no attribute '{name}'"
        raise AttributeError(msg)
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
