# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""HTML pages: each is one file that needs nothing from elsewhere."""
