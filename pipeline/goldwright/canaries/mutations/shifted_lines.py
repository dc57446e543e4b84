"""Ranges and citations that point some lines away from what they should show."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.canaries.mutations.case import Mutation, MutationCase
from goldwright.canaries.mutations.code_text import count, squashed
from goldwright.canaries.mutations.definition_extent import holds, length
from goldwright.canaries.mutations.fact_entities import FactUnderMutation, outcomes
from goldwright.canaries.mutations.fact_wording import FactWording
from goldwright.records import FactCitation, FileRange

_SHIFTS: Final = range(3, 16)


def shifted(case: MutationCase) -> Iterator[Mutation]:
    """Move a range or a citation away, those first that lose most by it."""
    strong = [*_shifted_ranges(case, by_half=True), *_shifted_citations(case)]
    yield from case.mixed(strong)
    yield from case.mixed(list(_shifted_ranges(case, by_half=False)))


def _shifted_ranges(case: MutationCase, *, by_half: bool) -> Iterator[Mutation]:
    ranges = case.answer.expected_line_ranges
    for number, old in enumerate(ranges):
        new = next(_later(case, old, by_half=by_half), None)
        if new is not None:
            moved = (*ranges[:number], new, *ranges[number + 1 :])
            yield Mutation(
                f"range-{number + 1}", str(old), str(new), {"expected_line_ranges": moved}
            )


def _later(case: MutationCase, old: FileRange, *, by_half: bool) -> Iterator[FileRange]:
    """Yield a range some lines further down, cut where reading stopped, that has lost the head of
    its definition.
    """
    spans = [span for e in case.expected if e.path == old.file for span in e.spans]
    held = [span for span in spans if old.start <= span.first <= old.end]
    others = [
        one for one in case.answer.expected_line_ranges if one != old and one.file == old.file
    ]
    if len(held) != 1 or any(one.start <= held[0].first <= one.end for one in others):
        return
    head, last = _head(case, old.file, held[0].first, held[0].last), held[0].last
    for distance in case.mixed(_SHIFTS):
        start = old.start + distance
        end = case.last_read(old.file, start, old.end + distance)
        lost = 2 * (min(end, last) - start + 1) <= last - held[0].first + 1
        if head < start <= min(end, last) and (lost or not by_half):
            yield old.model_copy(update={"start": start, "end": end})


def _head(case: MutationCase, path: str, first: int, last: int) -> int:
    """Find the line that a definition's name stands in, below its decorators."""
    lines = case.snapshot.source(path).lines
    named = (
        n
        for n in range(first, last + 1)
        if re.match(r"\s*(?:async\s+def|def|class)\b", lines[n - 1])
    )
    return next(named, first)


def _shifted_citations(case: MutationCase) -> Iterator[Mutation]:
    citations = case.answer.fact_citations
    for fact in case.facts:
        if len(fact.citations) != 1:
            continue
        old = fact.citations[0]
        new = next(_elsewhere(case, fact, old), None)
        if new is not None:
            moved = tuple(new if one is old else one for one in citations)
            yield Mutation(fact.claim_id, str(old), str(new), {"fact_citations": moved})


def _elsewhere(
    case: MutationCase, fact: FactUnderMutation, old: FactCitation
) -> Iterator[FactCitation]:
    """Yield lines of the same definition that show nothing of what the cited lines show of the
    fact.
    """
    pieces = [
        piece
        for _, piece in outcomes(fact, FactWording(fact.text))
        if count(piece, squashed(case.code.raw(old)))
    ]
    holding = [entity for entity in fact.around if holds(entity, old)]
    if not pieces or not holding:
        return
    home = min(holding, key=length)
    for distance in case.mixed([*_SHIFTS, *(-distance for distance in _SHIFTS)]):
        new = old.model_copy(update={"start": old.start + distance, "end": old.end + distance})
        if (
            abs(distance) <= old.end - old.start
            or not holds(home, new)
            or case.last_read(new.file, new.start, new.end) < new.end
        ):
            continue
        lines = squashed(case.code.raw(new))
        if lines and not any(count(piece, lines) for piece in pieces):
            yield new
