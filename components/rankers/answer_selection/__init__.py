# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Answer-selection rankers."""

from typing import TYPE_CHECKING

from answer_selection.indexing.lazy_package import on_demand

if TYPE_CHECKING:
    from haystack_integrations.components.rankers.answer_selection.answer_ranker import AnswerRanker as AnswerRanker
    from haystack_integrations.components.rankers.answer_selection.bm25 import BM25Ranker as BM25Ranker
    from haystack_integrations.components.rankers.answer_selection.cross_encoder import (
        CrossEncoderRanker as CrossEncoderRanker,
    )
    from haystack_integrations.components.rankers.answer_selection.ctrn import CTRNRanker as CTRNRanker
    from haystack_integrations.components.rankers.answer_selection.ggsa import GGSARanker as GGSARanker
    from haystack_integrations.components.rankers.answer_selection.gsamn import GSAMNRanker as GSAMNRanker
    from haystack_integrations.components.rankers.answer_selection.hmda import HMDARanker as HMDARanker
    from haystack_integrations.components.rankers.answer_selection.iggsa import IGGSARanker as IGGSARanker
    from haystack_integrations.components.rankers.answer_selection.linear import LinearRanker as LinearRanker
    from haystack_integrations.components.rankers.answer_selection.tree_aggregation import (
        TreeAggregationRanker as TreeAggregationRanker,
    )

_MODULES = {
    "AnswerRanker": "answer_ranker",
    "BM25Ranker": "bm25",
    "CTRNRanker": "ctrn",
    "CrossEncoderRanker": "cross_encoder",
    "GGSARanker": "ggsa",
    "GSAMNRanker": "gsamn",
    "HMDARanker": "hmda",
    "IGGSARanker": "iggsa",
    "LinearRanker": "linear",
    "TreeAggregationRanker": "tree_aggregation",
}
__all__ = list(_MODULES)

# The models and the text lie below this package and know nothing of Haystack: importing them must not import it.
__getattr__ = on_demand(__name__, _MODULES)
