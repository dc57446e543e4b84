"""Ranges and citations that point some lines away from what they should show."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.canaries.mutations.case import Mutation, MutationCase
from goldwright.canaries.mutations.code_text import count_occurrences, squeeze_blanks
from goldwright.canaries.mutations.definition_extent import contains_lines, line_count
from goldwright.canaries.mutations.fact_wording import FactWording
from goldwright.canaries.mutations.facts_under_mutation import (
    FactUnderMutation,
    pieces_besides_entities,
)
from goldwright.records import FactCitation, FileRange
from goldwright.snapshot.entities import Span

# How many lines a range or citation is moved: ranges down only, citations up as well.
_SHIFTS: Final = range(3, 16)
_BOTH_WAYS: Final = (*_SHIFTS, *(-shift for shift in _SHIFTS))
_HEAD: Final = re.compile(r"\s*(?:async\s+def|def|class)\b")


def shift_lines(case: MutationCase) -> Iterator[Mutation]:
    """Move a range or a citation away, so that it loses at least half of what it shows.

    Nobody who judges a record has to mind a range that begins three lines late.
    """
    yield from case.shuffled([*_shifted_ranges(case), *_shifted_citations(case)])


def _shifted_ranges(case: MutationCase) -> Iterator[Mutation]:
    ranges = case.answer.expected_line_ranges
    for index, old in enumerate(ranges):
        new = next(_ranges_further_down(case, old), None)
        if new is None:
            continue
        shifted = list(ranges)
        shifted[index] = new
        fields = {"expected_line_ranges": tuple(shifted)}
        claim_id = f"range-{index + 1}"
        yield Mutation(claim_id, str(old), str(new), fields)


def _ranges_further_down(case: MutationCase, old: FileRange) -> Iterator[FileRange]:
    """Yield ranges further down that have lost the head and half of the one definition of this.

    They show no line that bears a fact any more: whoever finds the evidence where he is sent would
    rightly call the range right. They end where the Oracle stopped reading: a range that nobody has
    read would not pass the gate.
    """
    definition = _only_definition(case, old)
    if definition is None:
        return
    head = _head_line(case, old.file, definition)
    size = definition.last - definition.first + 1
    for shift in case.shuffled(_SHIFTS):
        start = old.start + shift
        shifted_end = old.end + shift
        end = case.last_read(old.file, start, shifted_end)
        last_shown = min(end, definition.last)
        lines_shown = last_shown - start + 1
        is_half_lost = 2 * lines_shown <= size
        shifted = old.model_copy(update={"start": start, "end": end})
        if head < start <= last_shown and is_half_lost and not _bears_a_fact(case, shifted):
            yield shifted


def _bears_a_fact(case: MutationCase, lines: FileRange) -> bool:
    return any(_overlap(cited, lines) for cited in case.answer.fact_citations)


def _overlap(cited: FileRange, lines: FileRange) -> bool:
    """Find out whether two ranges have a line in common."""
    is_same_file = cited.file == lines.file
    return is_same_file and cited.start <= lines.end and lines.start <= cited.end


def _only_definition(case: MutationCase, cited: FileRange) -> Span | None:
    """The one expected definition that begins in a range and in no other range of its file."""
    definitions: list[Span] = []
    for entity in case.expected:
        if entity.path == cited.file:
            definitions += [span for span in entity.spans if _begins_in(span, cited)]
    if len(definitions) != 1:
        return None
    definition = definitions[0]
    for expected in case.answer.expected_line_ranges:
        is_elsewhere_in_file = expected != cited and expected.file == cited.file
        if is_elsewhere_in_file and _begins_in(definition, expected):
            return None
    return definition


def _begins_in(span: Span, lines: FileRange) -> bool:
    return lines.start <= span.first <= lines.end


def _head_line(case: MutationCase, path: str, definition: Span) -> int:
    """The line that a definition's name stands in, below its decorators."""
    lines = case.snapshot.source(path).lines
    for number in range(definition.first, definition.last + 1):
        if _HEAD.match(lines[number - 1]):
            return number
    return definition.first


def _shifted_citations(case: MutationCase) -> Iterator[Mutation]:
    citations = case.answer.fact_citations
    for fact in case.facts:
        # Of two citations the one that stays might still support the fact.
        if len(fact.citations) != 1:
            continue
        old = fact.citations[0]
        new = next(_citations_elsewhere(case, fact, old), None)
        if new is None:
            continue
        shifted = list(citations)
        shifted[citations.index(old)] = new
        fields = {"fact_citations": tuple(shifted)}
        yield Mutation(fact.claim_id, str(old), str(new), fields)


def _citations_elsewhere(
    case: MutationCase, fact: FactUnderMutation, old: FactCitation
) -> Iterator[FactCitation]:
    """Yield lines of the same definition that show nothing of what the cited lines show."""
    shown_pieces = _shown_pieces(case, fact, old)
    around = [entity for entity in fact.entities if contains_lines(entity, old)]
    if not shown_pieces or not around:
        return
    home = min(around, key=line_count)
    for shift in case.shuffled(_BOTH_WAYS):
        shifted_lines = {"start": old.start + shift, "end": old.end + shift}
        new = old.model_copy(update=shifted_lines)
        # Lines that are moved by no more than their number still share some.
        has_overlap = abs(shift) <= old.end - old.start
        if has_overlap or not contains_lines(home, new):
            continue
        if case.last_read(new.file, new.start, new.end) < new.end:
            continue
        code = squeeze_blanks(case.code.text_at(new))
        is_shown = any(count_occurrences(piece, code) for piece in shown_pieces)
        if code and not is_shown:
            yield new


def _shown_pieces(case: MutationCase, fact: FactUnderMutation, citation: FactCitation) -> list[str]:
    """What the fact names that stands in its cited lines."""
    code = squeeze_blanks(case.code.text_at(citation))
    pieces = pieces_besides_entities(fact, FactWording(fact.text))
    return [piece.text for piece in pieces if count_occurrences(piece.text, code)]
