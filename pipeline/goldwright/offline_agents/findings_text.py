"""What the Adversary read by itself, in sentences, for the judge to hold against a narrative."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.offline_agents.statements.catalog import read_statement
from goldwright.offline_agents.statements.condition_phrases import write_conditions
from goldwright.offline_agents.token_reading.definitions import TokenCodebase, TokenDefinition
from goldwright.offline_agents.token_reading.string_text import string_text
from goldwright.offline_agents.token_reading.token_lines import TokenLine
from goldwright.offline_agents.token_reading.ways_out import caught_by
from goldwright.records import FileRange

# The findings say most with the failures and results of every definition.
MOST_WORDS: Final = 400
LONGEST_PIECE: Final = 90
UNCLEAR: Final = "under conditions that I cannot put into words"

_PLAIN_TARGET: Final = re.compile(r"[^\W\d][\w.]*")
_CALL: Final = re.compile(r"[^\W\d][\w.]*\(.*\)", re.DOTALL)
_LEVELS: Final = frozenset({"debug", "info", "warn", "warning", "error", "exception", "critical"})
_CLASS_NAME: Final = re.compile(r"[\w.]*\b_*[A-Z]\w*")


def write_findings(definitions: Sequence[TokenDefinition], cited: Sequence[FileRange] = ()) -> str:
    """Tell what definitions raise, catch and return, the most important definition first.

    Args:
        definitions: What was read.
        cited: Lines that count: what is assigned and logged on them is told as well.
    """
    sentences: list[str] = []
    words = 0
    for definition in definitions:
        for sentence in _sentences(definition, cited):
            length = len(sentence.split())
            if words + length <= MOST_WORDS and sentence not in sentences:
                sentences.append(sentence)
                words += length
    return " ".join(sentences)


def write_sets(facts: Sequence[str], code: TokenCodebase) -> Iterator[str]:
    """Tell of each set that facts speak of who was seen to belong to it."""
    for statement in filter(None, map(read_statement, facts)):
        members = statement.seen_members(code)
        if members:
            ordered = [name for name in statement.members if name in members]
            ordered += sorted(members.difference(ordered))
            yield statement.with_members(tuple(ordered)).sentence()


def _sentences(definition: TokenDefinition, cited: Sequence[FileRange]) -> Iterator[str]:
    place = definition.range
    lines_read = f"lines {place.start} to {place.end}"
    yield f"I read `{definition.name}` on {lines_read} of {place.file}."
    for line in definition.lines:
        if line.keyword == "raise":
            yield from _raised(line)
        elif line.keyword == "except":
            caught = caught_by(line.line)
            if len(caught) <= LONGEST_PIECE and "`" not in caught:
                yield f"`{line.owner}` has a clause that catches `{caught}`."
        elif line.keyword == "return":
            yield from _returned(line)
        elif any(_is_on(definition.at(line), lines) for lines in cited):
            yield from _assigned(line)
            yield from _logged(line)
            yield from _run(line)


def _raised(line: TokenLine) -> Iterator[str]:
    before_arguments = line.operand.partition("(")[0]
    raised = before_arguments.partition(" from ")[0].strip()
    if not _CLASS_NAME.fullmatch(raised):
        return
    conditions = f" {UNCLEAR}"
    if line.path is not None:
        conditions = write_conditions(line.path)
    yield f"`{line.owner}` raises `{raised}`{conditions}."


def _returned(line: TokenLine) -> Iterator[str]:
    value = line.operand or "None"
    if line.path is not None and len(value) <= LONGEST_PIECE and "`" not in value:
        conditions = write_conditions(line.path)
        yield f"`{line.owner}` returns `{value}`{conditions}."


def _assigned(line: TokenLine) -> Iterator[str]:
    target, mark, value = line.line.code.partition(" = ")
    # An annotation may stand between the name and its value.
    target = target.partition(":")[0].strip()
    is_plain = bool(mark) and _PLAIN_TARGET.fullmatch(target) is not None
    is_sayable = "`" not in value and len(value) <= LONGEST_PIECE
    if is_plain and is_sayable and line.path is not None:
        conditions = write_conditions(line.path)
        yield f"`{line.owner}` sets `{target}` to `{value}`{conditions}."


def _logged(line: TokenLine) -> Iterator[str]:
    words_behind_first = line.line.words()[1:6]
    levels = (word for word in words_behind_first if word in _LEVELS)
    level = next(levels, None)
    text = string_text(line.line)
    if level is None or not text or line.path is None or "”" in text:
        return
    conditions = write_conditions(line.path)
    yield f"`{line.owner}` logs “{text}” as `{level}`{conditions}."


def _run(line: TokenLine) -> Iterator[str]:
    code = line.line.code
    is_call = _CALL.fullmatch(code) is not None
    if is_call and "`" not in code and len(code) <= LONGEST_PIECE and line.path is not None:
        conditions = write_conditions(line.path)
        yield f"`{line.owner}` runs `{code}`{conditions}."


def _is_on(place: FileRange, cited: FileRange) -> bool:
    if place.file != cited.file:
        return False
    return cited.start <= place.start and place.end <= cited.end
