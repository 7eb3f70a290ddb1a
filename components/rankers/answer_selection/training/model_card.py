# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The model card: a model folder's README.md, with the front matter that the Hugging Face hub reads."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from haystack_integrations.components.rankers.answer_selection.training.training_result import TrainingResult

_USAGE: Final = """```python
from haystack import Document
from haystack_integrations.components.rankers.answer_selection import AnswerRanker

ranker = AnswerRanker(model="path/to/this/folder")
documents = [Document(content="…"), Document(content="…")]
ranker.run(query="…", documents=documents)["documents"]
```"""


@dataclass(frozen=True, slots=True)
class DataSource:
    """
    Data that went into a model.

    :param name: what it is called.
    :param licence: its licence, by its SPDX identifier where it has one ("CC-BY-SA-4.0"); of several, with commas.
    :param source: where it comes from: an address or a citation.
    :param use: what it was used for ("training", "validation", "word vectors").
    """

    name: str
    licence: str
    source: str
    use: str


def licences(sources: Sequence[DataSource]) -> list[str]:
    """
    Name the licences that data pass on to a model.

    :param sources: the data.
    :returns: all of its licences, each once: a card's front matter has them in small letters.
    """
    named: dict[str, str] = {}
    for source in sources:
        for licence in source.licence.split(", "):
            named.setdefault(licence.lower(), licence)
    return list(named.values())


def licence_field(sources: Sequence[DataSource]) -> str | list[str]:
    """
    Name the licences as a card's front matter does.

    :param sources: the data.
    :returns: the licence, or a list of several.
    """
    names = [name.lower() for name in licences(sources)]
    return names[0] if len(names) == 1 else names


def card_of(folder: Path, use: str) -> DataSource:
    """
    Describe a model as the source of another, from its card.

    :param folder: the model folder; the name of a model on the hub will do, but tells nothing.
    :param use: what the model was used for.
    :returns: the model, as a source, with the licences that its card's front matter names.
    """
    try:
        text = (folder / "README.md").read_text(encoding="utf-8")
        front = yaml.safe_load(text.split("---")[1]) if text.startswith("---") else {}
    except (OSError, yaml.YAMLError):
        front = {}
    named = front.get("license") if isinstance(front, dict) else None
    known = named if isinstance(named, list) else [named] if named else []
    return DataSource(folder.name, ", ".join(map(str, known)) or "not stated", str(folder), use)


@dataclass(frozen=True, slots=True)
class Figures:
    """
    Measured figures, as a table.

    :param data: what was measured on, and how ("test half, 30 candidates of BM25 reranked").
    :param rows: by the row's name ("BM25", "BM25 + model") its measures by name ("MRR": 0.71).
    """

    data: str
    rows: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class ModelCard:
    """
    What a model card says.

    :param name: the model's name.
    :param model_type: the model's type, such as "ctrn"; one of the card's tags.
    :param summary: what the model is, in a sentence or two.
    :param sources: the data; at least one. Their licences are the model's own.
    :param settings: how it was trained, by group ("training", "model", "word vectors") and name.
    :param result: what training came to, if it was trained here.
    :param figures: what was measured besides.
    :param language: the text's language, as an ISO 639-1 code.
    :param limits: what it should not be used for, as paragraphs.
    :raises ValueError: if there is no source, or one does not say its licence.
    """

    name: str
    model_type: str
    summary: str
    sources: Sequence[DataSource]
    settings: Mapping[str, Mapping[str, Any]]
    result: TrainingResult | None = None
    figures: Sequence[Figures] = ()
    language: str = "en"
    limits: Sequence[str] = field(default=())

    def __post_init__(self) -> None:
        """Check that it says where the data comes from."""
        if not self.sources:
            msg = f"model card of '{self.name}': no data source; expected at least one, with its licence"
            raise ValueError(msg)
        for source in self.sources:
            for name, value in asdict(source).items():
                if not value.strip():
                    msg = f"model card of '{self.name}': data source '{source.name}' has no {name}"
                    raise ValueError(msg)

    def render(self) -> str:
        """Give the card's text."""
        front = {
            "license": licence_field(self.sources),
            "language": self.language,
            "library_name": "haystack",
            "pipeline_tag": "text-ranking",
            "tags": ["haystack", "answer-selection", "reranking", self.model_type],
        }
        parts = [
            f"---\n{yaml.safe_dump(front, sort_keys=False, allow_unicode=True)}---",
            f"# {self.name}",
            self.summary,
            "## How to use",
            _USAGE,
            "## Data",
            table(
                ["data", "used for", "licence", "source"],
                [[source.name, source.use, source.licence, source.source] for source in self.sources],
            ),
            f"The model itself: {', '.join(licences(self.sources))}.",
        ]
        if self.result is not None or self.figures:
            parts += ["## Measured", *self._measured()]
        parts.append("## Settings")
        for group, values in self.settings.items():
            parts += [f"### {group}", table(["setting", "value"], [[name, str(v)] for name, v in values.items()])]
        if self.limits:
            parts += ["## Limits", *self.limits]
        return "\n\n".join(parts) + "\n"

    def _measured(self) -> list[str]:
        parts = []
        if self.result is not None:
            taken = f"Trained for {self.result.steps} steps ({self.result.epochs:.1f} epochs)"
            parts.append(f"{taken}; the weights after step {self.result.best_step} were kept.")
            if verdict := self.result.verdict():
                parts.append(verdict)
        for figures in self.figures:
            names = list(dict.fromkeys(name for row in figures.rows.values() for name in row))
            rows = [
                [title, *(f"{row[name]:.4f}" if name in row else "" for name in names)]
                for title, row in figures.rows.items()
            ]
            parts += [f"{figures.data}:", table(["", *names], rows)]
        return parts


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """
    Write a table in Markdown.

    :param head: the columns' names.
    :param rows: the cells, row by row.
    :returns: the table.
    """
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def write_model_card(folder: Path, card: ModelCard) -> Path:
    """
    Write a model folder's README.md.

    :param folder: the model folder.
    :param card: what it says.
    :returns: the file's path.
    """
    path = Path(folder) / "README.md"
    path.write_text(card.render(), encoding="utf-8")
    return path
