"""False facts put among the true ones."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from goldwright.canaries.mutations.case import Mutation, MutationCase
from goldwright.canaries.mutations.flipped_comparison import flipped
from goldwright.canaries.mutations.renamed_symbol import renamed
from goldwright.canaries.mutations.swapped_calls import swapped
from goldwright.records import FactCitation

_MOST_FACTS: Final = 8


def promoted(case: MutationCase) -> Iterator[Mutation]:
    """Put a false fact among the facts, with lines to bear it; another false one stays in its
    place.
    """
    facts, wrong = case.answer.must_mention_facts, case.answer.must_not_mention_facts
    for number in case.mixed(range(len(wrong))):
        place = min(len(facts) + 1, _MOST_FACTS)
        left = _left(case, number, place)
        cited = _bearing(case, f"not-fact-{number + 1}", f"fact-{place}")
        if left is None or cited is None:
            continue
        kept = (one for one in case.answer.fact_citations if one.claim_id != f"fact-{place}")
        fields = {
            "must_mention_facts": (*facts[: place - 1], wrong[number]),
            "must_not_mention_facts": left.facts,
            "fact_citations": (*_renumbered(kept, number), cited, *left.citations),
        }
        before = facts[place - 1] if place <= len(facts) else "nothing"
        yield Mutation(f"fact-{place}", before, wrong[number], fields)


class _RemainingFacts(NamedTuple):
    """The false facts that stay, and the citations of those among them that are new."""

    facts: tuple[str, ...]
    citations: tuple[FactCitation, ...]


def _left(case: MutationCase, taken: int, place: int) -> _RemainingFacts | None:
    """Keep the other false facts; where there are none, make one of a fact that stays."""
    wrong = case.answer.must_not_mention_facts
    if len(wrong) > 1:
        return _RemainingFacts((*wrong[:taken], *wrong[taken + 1 :]), ())
    for fact in case.facts:
        made = (
            text
            for way in (flipped, swapped, renamed)
            for text in way(case, fact)
            if case.is_new(text)
        )
        text = next(made, None) if fact.number < place else None
        if text is not None:
            return _RemainingFacts(
                (text,), (fact.citations[0].model_copy(update={"claim_id": "not-fact-1"}),)
            )
    return None


def _renumbered(citations: Iterable[FactCitation], taken: int) -> Iterator[FactCitation]:
    """Count the citations of false facts anew after one of the facts was taken out."""
    for cited in citations:
        kind, _, number = cited.claim_id.rpartition("-")
        if kind != "not-fact" or int(number) <= taken:
            yield cited
        elif int(number) > taken + 1:
            yield cited.model_copy(update={"claim_id": f"not-fact-{int(number) - 1}"})


def _bearing(case: MutationCase, old: str, new: str) -> FactCitation | None:
    """Find lines of a primary entity to cite: those that the false fact had, or else those of its
    range.
    """
    primary = [
        entity
        for listed in case.answer.expected_entities
        if listed.role == "primary" and (entity := case.snapshot.entity(listed.entity_id))
    ]
    own = (cited for cited in case.answer.fact_citations if cited.claim_id == old)
    for cited in (*own, *case.answer.expected_line_ranges):
        if any(
            entity.path == cited.file and entity.touches(cited.start, cited.end)
            for entity in primary
        ):
            return FactCitation(claim_id=new, file=cited.file, start=cited.start, end=cited.end)
    return None
