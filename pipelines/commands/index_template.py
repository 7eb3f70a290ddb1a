# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""The `index-template` command: the settings and mapping of an index in Elasticsearch, without a server."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer


def index_template(
    index: Annotated[str, typer.Option(help="Name of the index.")],
    settings: Annotated[
        Path | None,
        typer.Option(help="A YAML file with settings: language, synonyms, k1, b, search_fields, shards, replicas."),
    ] = None,
) -> None:
    """
    Print the index template that `index --store elasticsearch` makes, as JSON. It needs no server.

    The output is the body of `PUT /_index_template/NAME`.
    """
    from answer_selection.indexing.elasticsearch.settings import IndexSettings, read_index_settings
    from answer_selection.indexing.elasticsearch.template import index_template as template_of

    template = template_of(index, IndexSettings() if settings is None else read_index_settings(settings))
    json.dump(template, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")
