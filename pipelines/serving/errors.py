# SPDX-FileCopyrightText: 2026 answer-selection-haystack contributors
#
# SPDX-License-Identifier: Apache-2.0
"""Why a question has no answer."""


class QuestionError(ValueError):
    """A question can't be asked like this; the message says what was expected."""


class UnavailableError(RuntimeError):
    """The index or its server is missing at the moment; the message says which, and what would help."""


class FailedError(RuntimeError):
    """A fault of ours; the message is its traceback in another process."""
