# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest
import yaml

from haystack_integrations.components.rankers.answer_selection.training.model_card import (
    DataSource,
    Figures,
    ModelCard,
    write_model_card,
)
from haystack_integrations.components.rankers.answer_selection.training.settings import TrainingSettings
from haystack_integrations.components.rankers.answer_selection.training.training_result import (
    TrainingResult,
    Validation,
)
from haystack_integrations.components.rankers.answer_selection.training.validation import Measures


def card(folder: Path, *sources: DataSource) -> ModelCard:
    validation = Validation(
        lists=40,
        metric="mrr",
        model=Measures(0.41, 0.41, 0.3),
        retriever=Measures(0.5, 0.5, 0.4),
        mixed=Measures(0.45, 0.45, 0.3),
        retriever_weight=0.5,
        weight_was_chosen=False,
        deployed=True,
    )
    return ModelCard(
        name="ctrn-small",
        model_type="ctrn",
        summary="A small CTRN.",
        sources=sources,
        settings={"training": TrainingSettings(epochs=3).to_dict()},
        result=TrainingResult(folder, 120, 80, 3.0, Measures(0.2, 0.2, 0.1), validation, []),
        figures=[Figures("test, top 30", {"BM25": {"MRR": 0.6731}, "BM25 + model": {"MRR": 0.7, "P@1": 0.6}})],
    )


SQUAD = DataSource("squad-sentences", "CC-BY-SA-4.0", "Du et al. 2017 | SQuAD", "training")


def test_card(tmp_path: Path) -> None:
    text = write_model_card(tmp_path, card(tmp_path, SQUAD)).read_text(encoding="utf-8")
    assert text == (tmp_path / "README.md").read_text(encoding="utf-8")
    _, front, body = text.split("---\n", 2)
    assert yaml.safe_load(front) == {
        "license": "cc-by-sa-4.0",
        "language": "en",
        "library_name": "haystack",
        "pipeline_tag": "text-ranking",
        "tags": ["haystack", "answer-selection", "reranking", "ctrn"],
    }
    assert "| squad-sentences | training | CC-BY-SA-4.0 | Du et al. 2017 \\| SQuAD |" in body
    assert "from haystack_integrations.components.rankers.answer_selection import AnswerRanker" in body
    assert "The model itself: CC-BY-SA-4.0.\n" in body
    assert "| epochs | 3 |" in body
    assert "| BM25 | 0.6731 |  |" in body
    assert "the weights after step 80 were kept" in body
    assert "Keep BM25: this model does not improve on it here. MRR on 40 validation questions" in body


def test_all_licences_of_the_data_are_the_models(tmp_path: Path) -> None:
    other = DataSource("wikiqa", "research use only", "Yang et al. 2015", "training")
    text = write_model_card(tmp_path, card(tmp_path, other, SQUAD, other)).read_text(encoding="utf-8")
    _, front, body = text.split("---\n", 2)
    assert yaml.safe_load(front)["license"] == ["research use only", "cc-by-sa-4.0"]
    assert "The model itself: research use only, CC-BY-SA-4.0.\n" in body


def test_data_must_have_a_licence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'ctrn-small': no data source"):
        card(tmp_path)
    with pytest.raises(ValueError, match="data source 'faq' has no licence"):
        card(tmp_path, DataSource("faq", " ", "our help centre", "training"))
