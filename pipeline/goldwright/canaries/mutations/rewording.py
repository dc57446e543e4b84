"""Facts that get another wording, wherever an answer repeats them."""

from collections.abc import Callable, Iterator

from goldwright.canaries.mutations.case import Mutation, MutationCase
from goldwright.canaries.mutations.fact_entities import FactUnderMutation


def by_wording(
    texts: Callable[[MutationCase, FactUnderMutation], Iterator[str]],
) -> Callable[[MutationCase], Iterator[Mutation]]:
    """Make a way to falsify an answer of a way to falsify one fact."""

    def changes(case: MutationCase) -> Iterator[Mutation]:
        for fact in case.facts:
            yield from (
                _reworded(case, fact, text) for text in texts(case, fact) if case.is_new(text)
            )

    return changes


def _reworded(case: MutationCase, fact: FactUnderMutation, text: str) -> Mutation:
    """Put another wording in the place of a fact, and of every rationale that repeats it."""
    facts = tuple(text if one == fact.text else one for one in case.answer.must_mention_facts)
    entities = tuple(
        entity.model_copy(update={"rationale": text}) if entity.rationale == fact.text else entity
        for entity in case.answer.expected_entities
    )
    return Mutation(
        fact.claim_id, fact.text, text, {"must_mention_facts": facts, "expected_entities": entities}
    )
