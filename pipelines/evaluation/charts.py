# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Charts of a report, as SVG for light and for dark screens."""

import base64
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from answer_selection.pipelines.evaluation.reliability import Bin

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours on one background; the lines are told apart by their dashes and marks too (Okabe and Ito 2008)."""

    ink: str
    line: str
    series: tuple[str, ...]


LIGHT: Final = Palette("#1c2024", "#dedbd3", ("#0a5580", "#b34a00", "#00704f", "#8a3d78", "#59626c", "#7a5c00"))
DARK: Final = Palette("#e8eaec", "#343a40", ("#86c8f2", "#f5a35c", "#5fd0a5", "#e29fcd", "#a6afb8", "#e0c25a"))
# Text stays text, and the same figures give the same file. matplotlib's type has every name of its settings.
SVG: Final[Any] = {"svg.fonttype": "none", "svg.hashsalt": "answer-selection", "font.size": 9}
_DASHES: Final = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)))
_SIZE: Final = (5.2, 3.1)
# Ranks of the first right answer, by their last one.
RANKS: Final = {"1": 1, "2": 2, "3": 3, "4–5": 5, "6–10": 10, "11–30": 30, "later": None}  # noqa: RUF001


@dataclass(frozen=True, slots=True)
class Chart:
    """
    A chart.

    :param title: What it shows.
    :param about: How to read it.
    :param figures: Its figures in words, for those who do not see it.
    :param light: Its image for light screens, as a data URL.
    :param dark: The same for dark ones.
    """

    title: str
    about: str
    figures: str
    light: str
    dark: str


def recall_chart(recalls: Mapping[str, Values]) -> Chart:
    """
    Draw how many of the right entries are among the first k.

    :param recalls: Per stage the mean recall at 1, 2, ..., [k].
    :returns: The chart.
    """

    def draw(axes: Axes, palette: Palette) -> None:
        for place, (stage, values) in enumerate(recalls.items()):
            style: dict[str, Any] = {
                "color": palette.series[place % 6],
                "linestyle": _DASHES[place % 6],
                "linewidth": 1.8,
            }
            axes.plot(np.arange(1, len(values) + 1), values, label=stage, **style)
        axes.set(xlabel="first k candidates", ylim=(0, 1), xlim=(1, max(2, *map(len, recalls.values()))))
        axes.legend(frameon=False, labelcolor=palette.ink, loc="lower right")

    told = ", ".join(f"{stage} {values[-1]:.3f} at {len(values)}" for stage, values in recalls.items())
    return _chart("Recall", f"The share of right entries among the first k: {told}.", "", draw)


def rank_chart(ranks: Mapping[str, Sequence[int | None]]) -> Chart:
    """
    Draw where the first right entry stands.

    :param ranks: Per stage every question's rank of the first right entry, None where it was not found.
    :returns: The chart.
    """
    counts = {stage: _rank_counts(of_stage) for stage, of_stage in ranks.items()}
    names = [*RANKS, "not found"]

    def draw(axes: Axes, palette: Palette) -> None:
        width = 0.8 / len(counts)
        for place, (stage, values) in enumerate(counts.items()):
            at = np.arange(len(names)) - 0.4 + (place + 0.5) * width
            color = palette.series[place % 6]
            axes.bar(
                at, values, width * 0.92, label=stage, color=color, hatch=("", "///")[place % 2], edgecolor=palette.line
            )
        axes.set(xticks=range(len(names)), xticklabels=names, ylabel="questions")
        axes.tick_params(axis="x", labelsize=8)
        axes.legend(frameon=False, labelcolor=palette.ink)

    told = "; ".join(
        f"{stage}: {', '.join(f'{name} {value}' for name, value in zip(names, values, strict=True))}"
        for stage, values in counts.items()
    )
    return _chart("Rank of the first right entry", "Questions by that rank.", f"{told}.", draw)


def reliability_chart(bins: Sequence[Bin], error: float) -> Chart:
    """
    Draw whether a probability of 0.8 means that eight of ten are right.

    :param bins: The bins.
    :param error: The expected calibration error.
    :returns: The chart.
    """

    def draw(axes: Axes, palette: Palette) -> None:
        axes.plot([0, 1], [0, 1], color=palette.ink, linewidth=0.8, linestyle=":")
        right = np.array([one.right for one in bins])
        reach = np.array([one.interval for one in bins]).T
        # Rounding may put a share outside of its own interval.
        errors = np.clip(np.stack([right - reach[0], reach[1] - right]), 0, None)
        style: dict[str, Any] = {
            "color": palette.series[0],
            "fmt": "o-",
            "markersize": 4,
            "linewidth": 1.4,
            "elinewidth": 1,
        }
        axes.errorbar([one.probability for one in bins], right, yerr=errors, **style)
        axes.set(xlabel="probability of the first answer", ylabel="share that is right", xlim=(0, 1), ylim=(0, 1))

    return _chart(
        "Calibration",
        "Whether first answers are right as often as is said: then they are on the dotted line. Bars are 95 % "
        f"intervals. The expected calibration error is {error:.3f}.",
        "; ".join(f"probability {one.probability:.2f}: {one.right:.2f} right of {one.questions}" for one in bins),
        draw,
    )


def risk_chart(coverage: Values, risk: Values) -> Chart:
    """
    Draw how many answers are wrong where only the surest are given.

    :param coverage: Shares of questions answered.
    :param risk: The share of wrong answers among them.
    :returns: The chart.
    """

    def draw(axes: Axes, palette: Palette) -> None:
        axes.step(coverage, risk, where="post", color=palette.series[0], linewidth=1.8)
        axes.set(xlabel="questions answered, the surest first", ylabel="wrong among them", xlim=(0, 1), ylim=(0, None))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(PercentFormatter(1, decimals=0))

    points = ", ".join(f"{wanted:.0%} and {_at(coverage, risk, wanted):.0%}" for wanted in (0.25, 0.5, 0.75, 1.0))
    about = "Wrong answers where the least sure questions are left unanswered."
    return _chart("Risk and coverage", f"{about} Answered and wrong: {points}.", "", draw)


def _at(coverage: Values, risk: Values, wanted: float) -> float:
    return float(risk[min(int(np.searchsorted(coverage, wanted)), len(risk) - 1)])


def _rank_counts(ranks: Sequence[int | None]) -> list[int]:
    counts = dict.fromkeys([*RANKS, "not found"], 0)
    for rank in ranks:
        name = "not found" if rank is None else next(n for n, last in RANKS.items() if last is None or rank <= last)
        counts[name] += 1
    return list(counts.values())


def _chart(title: str, about: str, figures: str, draw: Callable[[Axes, Palette], None]) -> Chart:
    return Chart(title, about, figures, *(_image(draw, palette) for palette in (LIGHT, DARK)))


def _image(draw: Callable[[Axes, Palette], None], palette: Palette) -> str:
    settings: Any = {
        **SVG,
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans"],
        "text.color": palette.ink,
        "axes.labelcolor": palette.ink,
        "axes.edgecolor": palette.ink,
        "xtick.color": palette.ink,
        "ytick.color": palette.ink,
        "grid.color": palette.line,
        "hatch.color": palette.line,
    }
    with rc_context(settings):
        figure = Figure(figsize=_SIZE, layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        axes.grid(visible=True, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
        draw(axes, palette)
        written = io.BytesIO()
        figure.savefig(written, format="svg", transparent=True, metadata={"Date": None})
    return f"data:image/svg+xml;base64,{base64.b64encode(written.getvalue()).decode()}"
