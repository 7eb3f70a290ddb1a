# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `parse` command: parse trees for the answers of an existing index."""

from pathlib import Path
from typing import Annotated

import typer

from answer_selection.pipelines.commands.console import bar, counted, say
from answer_selection.pipelines.commands.stores import DEFAULT_INDEX, IndexOption, Store, StoreOption, open_index


def parse(
    index: IndexOption = DEFAULT_INDEX,
    store: StoreOption = Store.TANTIVY,
    corenlp_url: Annotated[
        str | None,
        typer.Option(help="Address of the CoreNLP server.", show_default="none: chunks, an approximation"),
    ] = None,
    tree_cache: Annotated[Path, typer.Option(help="SQLite file that keeps the trees.")] = Path("trees.sqlite"),
    meta_field: Annotated[
        list[str] | None,
        typer.Option(help="Metadata that the ranker reads before an answer (meta_fields_to_embed). Repeat for more."),
    ] = None,
) -> None:
    """
    Parse an index's answers, for a ranker that reads trees.

    Answers that have a tree of their text are skipped. Give the command again to continue a run that was killed, or
    whose server died.
    """
    from answer_selection.pipelines.index_time.trees import parse_index
    from haystack_integrations.components.preprocessors.answer_selection import ConstituencyParser

    parser = ConstituencyParser(corenlp_url=corenlp_url, cache=tree_cache, meta_fields_to_embed=meta_field)
    corpus = open_index(store, index)
    total = corpus.count_documents()
    with bar("parsing", total=total, unit="answers") as progress:
        parsed = parse_index(corpus, parser, progress=progress)
    left = f", {total - parsed} had their trees already" if parsed < total else ""
    say(f"{counted(parsed, 'answer')} parsed in {index}{left}")
