"""False facts put among the true ones."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from goldwright.canaries.mutations.case import Mutation, MutationCase
from goldwright.canaries.mutations.definition_extent import touches_lines
from goldwright.canaries.mutations.facts_under_mutation import FactUnderMutation
from goldwright.canaries.mutations.flipped_comparison import flip_comparisons
from goldwright.canaries.mutations.forged_citations import citing_new_names
from goldwright.canaries.mutations.renamed_symbol import rename_symbols
from goldwright.canaries.mutations.swapped_calls import swap_calls
from goldwright.records import FactCitation, FileRange
from goldwright.snapshot import Entity

# The gate takes 8 facts at the most; in a full answer the last one makes room.
_MOST_FACTS: Final = 8
_REWORDINGS: Final = (flip_comparisons, swap_calls, rename_symbols)


def promote_falsehoods(case: MutationCase) -> Iterator[Mutation]:
    """Put a false fact among the true ones, with lines that seem to support it.

    An answer needs at least one false fact, so another one stays or is made.
    """
    facts = case.answer.must_mention_facts
    falsehoods = case.answer.must_not_mention_facts
    number = min(len(facts) + 1, _MOST_FACTS)
    claim_id = f"fact-{number}"
    # What the promoted fact takes the place of; behind the last fact, nothing.
    replaced = (*facts, "nothing")[number - 1]
    for index in case.shuffled(range(len(falsehoods))):
        remaining = _remaining_falsehoods(case, index, number)
        old_id = f"not-fact-{index + 1}"
        promoted = falsehoods[index]
        citations = _plausible_citations(case, old_id, claim_id)
        if remaining is None or not citations:
            continue
        forged = citing_new_names(case, claim_id, promoted, citations)
        unreplaced_citations = _without_claim(case, claim_id)
        unmoved = _renumbered(unreplaced_citations, index)
        facts_with_promoted = (*facts[: number - 1], promoted)
        fields = {
            "must_mention_facts": facts_with_promoted,
            "must_not_mention_facts": remaining.facts,
            "fact_citations": (*unmoved, *forged, *remaining.citations),
        }
        yield Mutation(claim_id, replaced, promoted, fields)


@dataclass(frozen=True, slots=True)
class RemainingFalsehoods:
    """The false facts that an answer keeps, and the citations of those that are new."""

    facts: tuple[str, ...]
    citations: tuple[FactCitation, ...]


def _remaining_falsehoods(
    case: MutationCase, index: int, number: int
) -> RemainingFalsehoods | None:
    """Keep the other false facts; where there are none, make one from a fact that stays."""
    falsehoods = case.answer.must_not_mention_facts
    if len(falsehoods) > 1:
        remaining = list(falsehoods)
        del remaining[index]
        return RemainingFalsehoods(tuple(remaining), ())
    for fact in case.facts:
        if fact.number >= number:
            continue
        falsehood = next(_new_rewordings(case, fact), None)
        if falsehood is not None:
            moved = [
                citation.model_copy(update={"claim_id": "not-fact-1"})
                for citation in fact.citations
            ]
            return RemainingFalsehoods((falsehood,), tuple(moved))
    return None


def _new_rewordings(case: MutationCase, fact: FactUnderMutation) -> Iterator[str]:
    for reword in _REWORDINGS:
        for text in reword(case, fact):
            if case.is_new(text):
                yield text


def _without_claim(case: MutationCase, claim_id: str) -> Iterator[FactCitation]:
    """The citations of an answer, but for those of one fact."""
    for citation in case.answer.fact_citations:
        if citation.claim_id != claim_id:
            yield citation


def _renumbered(citations: Iterable[FactCitation], index: int) -> Iterator[FactCitation]:
    """Close the gap that one false fact leaves in the numbers of the others."""
    removed_number = index + 1
    for citation in citations:
        kind, _, suffix = citation.claim_id.rpartition("-")
        if kind != "not-fact" or int(suffix) < removed_number:
            yield citation
        elif int(suffix) > removed_number:
            new_id = f"not-fact-{int(suffix) - 1}"
            yield citation.model_copy(update={"claim_id": new_id})


def _plausible_citations(case: MutationCase, old_id: str, new_id: str) -> tuple[FactCitation, ...]:
    """Cite lines of a primary entity: those that the false fact had, or else an expected range."""
    primary_entities = list(_primary_entities(case))

    def is_plausible(lines: FileRange) -> bool:
        return any(touches_lines(entity, lines) for entity in primary_entities)

    own_citations = [cited for cited in case.answer.fact_citations if cited.claim_id == old_id]
    if any(map(is_plausible, own_citations)):
        return tuple(cited.model_copy(update={"claim_id": new_id}) for cited in own_citations)
    for lines in filter(is_plausible, case.answer.expected_line_ranges):
        place = FactCitation(claim_id=new_id, file=lines.file, start=lines.start, end=lines.end)
        return (place,)
    return ()


def _primary_entities(case: MutationCase) -> Iterator[Entity]:
    for expected in case.answer.expected_entities:
        entity = case.snapshot.entity(expected.entity_id)
        if expected.role == "primary" and entity is not None:
            yield entity
