# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The shipped YAML in a hayhooks of someone's own: deployed as it is, without an allow-list."""

import shutil
from importlib.resources import files

import pytest
import yaml
from hayhooks.server.pipelines.loader import load_pipeline_registry

from answer_selection.pipelines.definitions.pipeline_yaml import SHIPPED


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
async def test_it_is_deployed_with_the_inputs_that_it_names(name, small_index, tmp_path, monkeypatch):
    text = files("answer_selection.pipelines").joinpath("shipped", f"{name}.yaml").read_text(encoding="utf-8")
    (tmp_path / "deployed").mkdir()
    (tmp_path / "deployed" / f"{name}.yaml").write_text(text, encoding="utf-8")
    shutil.copytree(small_index, tmp_path / "faq-index")
    monkeypatch.chdir(tmp_path)
    registry = load_pipeline_registry(tmp_path / "deployed")
    assert set(registry.get_metadata(name)["request_model"].model_fields) == set(yaml.safe_load(text)["inputs"])
    if name == "answer":
        outputs = await registry.get(name).run_api_async(query="what does a new card cost?")
        assert outputs["ranker"]["documents"]
