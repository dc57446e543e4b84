"""The kinds of canaries and the mark in their ids: whoever counts them need not make any."""

from typing import Final, get_args

from goldwright.records import CanaryKind

CANARY_MARK: Final = "-canary"
"""Stands in the id of a canary between the id of its record and its own number."""

KINDS: Final[tuple[CanaryKind, ...]] = get_args(CanaryKind)
MEANING_KINDS: Final[frozenset[CanaryKind]] = frozenset(
    {"missed_question", "missing_member", "inverted_guard"}
)
"""Kinds that change what the whole answer says, its narrative included.

The gate knows what a question asks for and may stop them by itself, which counts as its catch.
"""
