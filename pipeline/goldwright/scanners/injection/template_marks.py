"""Marks of chat templates, of tool replies and of the records that a role answers with."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from goldwright.scanners.injection.harmless_code import is_plain_field
from goldwright.scanners.injection.rule_tables import load_rule_tables
from goldwright.scanners.injection.suspicion import Suspicion
from goldwright.scanners.injection.word_stream import WordStream


class MarkPattern(NamedTuple):
    """A mark ready to be searched for."""

    rule: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def match_template_marks(stream: WordStream) -> Iterator[Suspicion]:
    """Find the marks in the text itself, whose capitals and punctuation they need."""
    lower_text = stream.text.lower()
    for rule, hints, pattern in mark_patterns():
        # A look for a few words costs far less than a search for the pattern.
        if not any(hint in lower_text for hint in hints):
            continue
        for match in pattern.finditer(stream.text):
            # A match may begin with the white space or the line end before the mark.
            mark = match[0].lstrip()
            start = match.end() - len(mark)
            if not is_plain_field(stream.text, start):
                yield stream.suspect_text(rule, start, match.end())


@cache
def mark_patterns() -> tuple[MarkPattern, ...]:
    """The marks of the rule tables."""
    flags = re.IGNORECASE | re.MULTILINE
    patterns: list[MarkPattern] = []
    for mark in load_rule_tables().marks:
        pattern = re.compile(mark.pattern, flags)
        patterns.append(MarkPattern(mark.rule, mark.hints, pattern))
    return tuple(patterns)
