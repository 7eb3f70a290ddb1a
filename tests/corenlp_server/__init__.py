# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A real CoreNLP server for the tests: see the tests' README."""

from .server import CoreNLPServer, corenlp_files

__all__ = ["CoreNLPServer", "corenlp_files"]
