"""What the Adversary read by itself, in sentences, for the judge to hold against a narrative."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.offline_agents.statements.condition_phrases import write_conditions
from goldwright.offline_agents.token_reading.definitions import TokenDefinition
from goldwright.offline_agents.token_reading.token_lines import TokenLine
from goldwright.offline_agents.token_reading.ways_out import caught_by

# The findings say most with the failures and results of every definition.
MOST_WORDS: Final = 400
LONGEST_PIECE: Final = 90

_CLASS_NAME: Final = re.compile(r"[\w.]*\b_*[A-Z]\w*")


def write_findings(definitions: Sequence[TokenDefinition]) -> str:
    """Tell what definitions raise, catch and return, the most important definition first."""
    sentences: list[str] = []
    words = 0
    for definition in definitions:
        for sentence in _sentences(definition):
            length = len(sentence.split())
            if words + length <= MOST_WORDS and sentence not in sentences:
                sentences.append(sentence)
                words += length
    return " ".join(sentences)


def _sentences(definition: TokenDefinition) -> Iterator[str]:
    place = definition.range
    yield f"I read `{definition.name}` on lines {place.start} to {place.end} of {place.file}."
    for line in definition.lines:
        if line.keyword == "raise":
            yield from _raised(line)
        elif line.keyword == "except":
            caught = caught_by(line.line)
            if len(caught) <= LONGEST_PIECE and "`" not in caught:
                yield f"`{line.owner}` has a clause that catches `{caught}`."
        elif line.keyword == "return":
            yield from _returned(line)


def _raised(line: TokenLine) -> Iterator[str]:
    raised = line.operand.partition("(")[0].strip()
    if line.path is not None and _CLASS_NAME.fullmatch(raised):
        yield f"`{line.owner}` raises `{raised}`{write_conditions(line.path)}."


def _returned(line: TokenLine) -> Iterator[str]:
    value = line.operand or "None"
    if line.path is not None and len(value) <= LONGEST_PIECE and "`" not in value:
        yield f"`{line.owner}` returns `{value}`{write_conditions(line.path)}."
