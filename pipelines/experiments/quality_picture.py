# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The picture of every model's quality against its time, drawn from the experiments' results."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Final

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

from answer_selection.pipelines.evaluation.charts import LIGHT, SVG
from answer_selection.pipelines.experiments.ranking_time import CANDIDATES
from answer_selection.pipelines.experiments.result_files import BM25, RESULTS, Measured

PICTURE: Final = RESULTS / "quality_and_time.svg"
# Short sentences of an encyclopedia with candidates that are given, and the same kind found in an index.
PANELS: Final = {
    "wikiqa": ("MAP", "WikiQA, candidates given"),
    "squad-sentences": ("P@1", "squad-sentences, found by BM25"),
}
_SIZE: Final = (10.4, 4.6)
# Labels' least distance, as a share of a panel's height.
_APART: Final = 0.058
# Where labels begin, in widths of a panel.
_BESIDE: Final = 1.04


@dataclass(frozen=True, slots=True)
class Point:
    """
    A model in a panel.

    :param model: Its name.
    :param milliseconds: What it takes to rank :data:`ranking_time.CANDIDATES` candidates, on one thread.
    :param quality: Its seeds' mean on the test set.
    :param encoder: Whether it is over an encoder that somebody published.
    """

    model: str
    milliseconds: float
    quality: float
    encoder: bool

    @property
    def label(self) -> str:
        """The point in words."""
        return f"{self.model} {self.quality:.3f}, {self.milliseconds:.0f} ms"


def points(data: str, results: Mapping[str, Measured]) -> Iterator[Point]:
    """
    Find a panel's points: of each model the experiment that is best on validation, so none is chosen by its test set.

    :param data: The data set.
    :param results: The results.
    :returns: The points, by the models' names.
    """
    metric = PANELS[data][0]
    best: dict[str, Measured] = {}
    for one in results.values():
        if one.result.data != data or not all(seed.test for seed in one.result.seeds.values()):
            continue
        known = best.get(one.result.model)
        if known is None or _validation(one, metric) > _validation(known, metric):
            best[one.result.model] = one
    for model, one in sorted(best.items()):
        tested = [seed.test[metric] for seed in one.result.seeds.values() if seed.test]
        yield Point(model, one.result.milliseconds, mean(tested), one.result.encoder is not None)


def draw(results: Mapping[str, Measured], path: Path = PICTURE) -> None:
    """
    Draw the picture.

    :param results: The results.
    :param path: The file, SVG. The same results give the same file.
    """
    with rc_context(SVG):
        figure = Figure(figsize=_SIZE, layout="constrained")
        FigureCanvasSVG(figure)
        for axes, data in zip(figure.subplots(1, len(PANELS)), PANELS, strict=True):
            bm25 = next(one.result.bm25["test"] for one in results.values() if one.result.data == data)
            _panel(axes, *PANELS[data], list(points(data, results)), bm25[PANELS[data][0]])
        figure.savefig(path, format="svg", metadata={"Date": None})


def _panel(axes: Axes, metric: str, title: str, of_models: Sequence[Point], bm25: float) -> None:
    axes.set_title(title, loc="left", fontsize=10)
    axes.set(xscale="log", xlabel=f"milliseconds for {CANDIDATES} candidates, one thread", ylabel=metric)
    axes.axhline(bm25, color=LIGHT.series[4], linewidth=1, linestyle="--")
    for encoder, color, marker, meaning in (
        (False, LIGHT.series[0], "o", "trained here alone"),
        (True, LIGHT.series[1], "s", "over all-MiniLM-L6-v2"),
    ):
        of_kind = [one for one in of_models if one.encoder == encoder]
        if of_kind:
            times, reached = [one.milliseconds for one in of_kind], [one.quality for one in of_kind]
            axes.scatter(times, reached, color=color, marker=marker, s=26, label=meaning, zorder=3)
    low, high = min(bm25, *(one.quality for one in of_models)), max(one.quality for one in of_models)
    room = (high - low) * 0.15
    axes.set_ylim(low - room, high + room)
    # Labels stand right of the panel, so none covers a point.
    beside = axes.get_yaxis_transform()
    axes.text(_BESIDE, bm25, f"{BM25} {bm25:.3f}", va="center", color=LIGHT.series[4], transform=beside)
    height = _APART * (high - low + 2 * room)
    for one, at in _spread(of_models, bm25, height):
        axes.annotate(
            one.label,
            xy=(one.milliseconds, one.quality),
            xytext=(_BESIDE, at),
            textcoords=beside,
            va="center",
            arrowprops={"arrowstyle": "-", "color": LIGHT.line, "linewidth": 0.7, "shrinkB": 3},
        )
    axes.grid(visible=True, linewidth=0.4, color=LIGHT.line)
    axes.set_axisbelow(True)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:.0f}"))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower left", fontsize=8)


def _spread(of_models: Sequence[Point], taken: float, height: float) -> Iterator[tuple[Point, float]]:
    """Move labels away from the one that is `taken`, upwards those above it and downwards the others."""
    upwards = sorted(of_models, key=lambda one: one.quality)
    above = [one for one in upwards if one.quality >= taken]
    below = [one for one in reversed(upwards) if one.quality < taken]
    for side, sign in ((above, 1), (below, -1)):
        last = taken
        for one in side:
            last = sign * max(sign * one.quality, sign * last + height)
            yield one, last


def _validation(one: Measured, metric: str) -> float:
    return mean(seed.validation[metric] for seed in one.result.seeds.values())
