# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""A pipeline that answers questions, as an HTTP service. Needs the extra `serve`."""
