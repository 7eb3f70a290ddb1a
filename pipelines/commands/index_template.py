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
    encoder: Annotated[
        str | None,
        typer.Option(
            help="Encoder of the entries' vectors: a folder or a name on the hub; 'none' is BM25 alone.",
            show_default="answer-selection-small; none for another language than English",
        ),
    ] = None,
) -> None:
    """
    Print the index template that `index --store elasticsearch` makes, as JSON. It needs no server.

    The output is the body of `PUT /_index_template/NAME`.
    """
    from answer_selection.indexing.elasticsearch.settings import IndexSettings, read_index_settings
    from answer_selection.indexing.elasticsearch.template import index_template as template_of
    from answer_selection.pipelines.index_time.encoders import encoder_of_new

    wanted = IndexSettings() if settings is None else read_index_settings(settings)
    encoded_by = encoder_of_new(encoder, wanted.language)
    template = template_of(index, wanted.with_encoder(encoded_by.record if encoded_by else None))
    json.dump(template, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")
