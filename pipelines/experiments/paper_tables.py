# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The papers' own tables, row by row, beside what was measured here; what the rows are is in `paper_tables.yaml`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from answer_selection.indexing.yaml_text import read_yaml
from answer_selection.pipelines.definitions.yaml_fields import parse
from answer_selection.pipelines.experiments.result_files import Measured

FILE: Final = Path(__file__).with_name("paper_tables.yaml")
_NOT_RUN: Final = "not run"
# Data sets that only their owners give away, to those who ask.
_NOT_HERE: Final = ("yahooqa", "insuranceqa-v1")


def papers() -> dict[str, dict[str, Any]]:
    """
    Read what the papers' tables have.

    :returns: By paper and table the `measures`, and `rows`: the paper's figures, and the experiments that stand for the
        row here or the reason why none does.
    """
    found: dict[str, dict[str, Any]] = dict(parse(read_yaml(FILE), str(FILE)).data)
    return found


def seed_values(measured: Measured, measure: str) -> list[float]:
    """
    Give what an experiment's seeds came to on the test part.

    :param measured: The experiment.
    :param measure: A metric, and perhaps behind it how the ids of the questions begin that count, as in "P@1 test2".
    :returns: A value a seed; none where the test part, or what is needed of it, was not kept.
    """
    metric, _, begins = measure.partition(" ")
    if not begins:
        return [seed.test[metric] for seed in measured.result.seeds.values() if seed.test]
    means = (scores.means(begins=begins) for scores in measured.scores.get("test", {}).values())
    return [of_seed[metric] for of_seed in means if of_seed]


def paper_rows(
    tables: Mapping[str, Any], results: Mapping[str, Measured], spread: Callable[[Sequence[float]], str]
) -> Iterator[Sequence[str]]:
    """
    Make the rows of a paper.

    :param tables: Its tables, of :func:`papers`.
    :param results: The results.
    :param spread: Writes the values of several seeds.
    :returns: The heading, and the rows.
    """
    yield ["table", "row", "the paper's", "here"]
    for table, content in tables.items():
        measures = content.get("measures", ())
        title = f"{table} ({', '.join(measures)})" if measures else table
        for row, (figures, here) in content["rows"].items():
            stands = (
                here if isinstance(here, str) else "<br>".join(_found(name, measures, results, spread) for name in here)
            )
            yield [title, row, str(figures), stands]
            title = ""


def _found(
    name: str, measures: Sequence[str], results: Mapping[str, Measured], spread: Callable[[Sequence[float]], str]
) -> str:
    if name not in results:
        _, _, data = name.partition("-")
        return f"`{name}` {_NOT_RUN}: no {'data' if data in _NOT_HERE else 'time'}"
    values = [spread(seed_values(results[name], measure)) for measure in measures]
    return f"`{name}` {', '.join(value or _NOT_RUN for value in values)}"
