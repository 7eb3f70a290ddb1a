# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Converting FAQ files to Documents."""

from haystack_integrations.components.converters.faq.converter import FAQConverter

__all__ = ["FAQConverter"]
