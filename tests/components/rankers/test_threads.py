# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Small batches run on one thread, others on as many as torch has, and what calls a ranker keeps its own number."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Thread

import numpy as np
import pytest
import torch
from haystack import Document
from haystack.utils import ComponentDevice

from haystack_integrations.components.rankers.answer_selection import AnswerRanker
from haystack_integrations.components.rankers.answer_selection.models import registry, threads
from haystack_integrations.components.rankers.answer_selection.models.threads import threads_for

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="OpenMP's functions are not found there")

WORDS = ["room", "card", "loan", "book", "desk", "hour", "lost", "late"]
DOCUMENTS = [Document(content=" ".join([word] * 5 + WORDS[:3]), score=1.0) for word in WORDS]
OPTIONS = {
    "ctrn": {"match_channels": True, "embedding_size": 8, "hidden_size": 8},
    "ggsa": {"embedding_size": 12},
}


@pytest.fixture(autouse=True)
def _two_threads(monkeypatch):
    monkeypatch.setattr(threads, "usable_cores", lambda: 2)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def models():
    torch.manual_seed(0)
    return {name: registry.build(name, [" ".join(WORDS)], **options) for name, options in OPTIONS.items()}


@pytest.fixture(params=["ctrn", "ggsa"])
def ranker(request, models, tmp_path):
    registry.save(tmp_path, *models[request.param])
    return AnswerRanker(model=tmp_path, device=ComponentDevice.from_str("cpu"))


def numbers():
    """How many threads torch, OpenMP and MKL use for what this thread of ours asks of them."""
    told = re.findall(
        r"(?:get_num_threads|omp_get_max_threads|mkl_get_max_threads)\(\) : (\d+)", torch.__config__.parallel_info()
    )
    assert len(told) >= 2
    return {int(number) for number in told}


def seen_by(ranker):
    """The numbers of threads that the head has seen."""
    ranker.warm_up()
    seen = []
    ranker._warm().model.classifier.register_forward_hook(lambda *_: seen.append(torch.get_num_threads()))
    return seen


class TestThreadsFor:
    def test_one_for_a_small_batch_and_as_before_afterwards(self):
        with threads_for(1000):
            assert numbers() == {1}
        assert numbers() == {2}
        with pytest.raises(KeyError), threads_for(1000):
            raise KeyError
        assert numbers() == {2}

    def test_torchs_own_number_for_a_large_one(self):
        with threads_for(10**12):
            assert numbers() == {2}

    def test_no_more_than_there_are_cores(self, monkeypatch):
        monkeypatch.setattr(threads, "usable_cores", lambda: 3)
        torch.set_num_threads(8)
        with threads_for(10**12):
            assert numbers() == {3}
        assert numbers() == {8}

    def test_is_the_calling_threads_alone(self):
        seen = {}
        inside, looked = Barrier(2), Barrier(2)

        def other():
            seen["before"] = numbers()
            inside.wait(60)
            seen["meanwhile"] = numbers()
            looked.wait(60)

        thread = Thread(target=other)
        thread.start()
        with threads_for(1000):
            inside.wait(60)
            looked.wait(60)
            new = Thread(target=lambda: seen.update(new=numbers()))
            new.start()
            new.join()
        thread.join()
        assert seen == {"before": {2}, "meanwhile": {2}, "new": {2}}

    def test_without_openmps_functions_nothing_changes(self, monkeypatch):
        monkeypatch.setattr(threads, "_openmp", lambda: None)
        with threads_for(1000):
            assert numbers() == {2}


class TestRanker:
    def test_scores_a_query_on_one_thread(self, ranker):
        seen = seen_by(ranker)
        ranker.run("lost card", DOCUMENTS)
        assert set(seen) == {1}
        assert numbers() == {2}

    def test_uses_torchs_threads_for_much(self, ranker, monkeypatch):
        seen = seen_by(ranker)
        monkeypatch.setattr(threads, "_SMALL", 0)
        ranker.run("lost card", DOCUMENTS)
        assert set(seen) == {2}

    def test_scores_are_the_same(self, ranker, monkeypatch):
        small = [document.score for document in ranker.run("lost card", DOCUMENTS)["documents"]]
        ranker.close()
        monkeypatch.setattr(threads, "_SMALL", 0)
        large = [document.score for document in ranker.run("lost card", DOCUMENTS)["documents"]]
        # Sums may be taken in another order.
        np.testing.assert_allclose(small, large, rtol=1e-5)

    def test_from_many_threads_at_once(self, ranker):
        seen = seen_by(ranker)

        def ask(_):
            ranker.run("lost card", DOCUMENTS)
            return numbers()

        with ThreadPoolExecutor(8) as pool:
            assert all(after == {2} for after in pool.map(ask, range(32)))
        assert set(seen) == {1}
