"""Facts that get another wording, wherever an answer repeats them."""

from collections.abc import Callable, Iterator, Mapping

from goldwright.canaries.mutations.case import Mutation, MutationCase
from goldwright.canaries.mutations.facts_under_mutation import FactUnderMutation
from goldwright.canaries.mutations.forged_citations import citing_new_names, replaced_citations

Rewording = Callable[[MutationCase, FactUnderMutation], Iterator[str]]
"""Yields false wordings of one fact."""


def by_rewording(reword: Rewording) -> Callable[[MutationCase], Iterator[Mutation]]:
    """Turn a way to falsify one fact into a way to falsify an answer."""

    def mutate(case: MutationCase) -> Iterator[Mutation]:
        for fact in case.facts:
            for text in reword(case, fact):
                if case.is_new(text):
                    fields = fact_fields(case, fact, text)
                    yield Mutation(fact.claim_id, fact.text, text, fields)

    return mutate


def fact_fields(case: MutationCase, fact: FactUnderMutation, text: str) -> Mapping[str, object]:
    """Put another wording in the place of a fact, and of every rationale that repeats it.

    Lines that bear new names are cited beside those of the fact.
    """
    facts = list(case.answer.must_mention_facts)
    for index, other_text in enumerate(facts):
        if other_text == fact.text:
            facts[index] = text
    entities = list(case.answer.expected_entities)
    for index, entity in enumerate(entities):
        if entity.rationale == fact.text:
            entities[index] = entity.model_copy(update={"rationale": text})
    citations = citing_new_names(case, fact.claim_id, text, fact.citations)
    return {
        "must_mention_facts": tuple(facts),
        "expected_entities": tuple(entities),
        "fact_citations": replaced_citations(case, fact.claim_id, citations),
    }
