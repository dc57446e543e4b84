"""Facts, falsehoods and rationales name nothing that their lines or files do not hold."""

from collections.abc import Iterator

from goldwright.records import AnswerDraft, FileRange
from goldwright.snapshot.mention_coverage import MentionScope, uncovered_mentions
from goldwright.stages.gate.check import CheckFinding, GateCase
from goldwright.stages.gate.examples import ANSWER, PRICES, entities, example


class FactsCovered:
    """What stands in a fact is taken for checked, so an invented name in it would be believed.

    A fact may name what its own citations and the expected entities hold. A falsehood is made of
    names too, and a reader must be able to find them: in any expected file. A rationale speaks of
    the entities of the answer.
    """

    code = "facts_covered"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield statements about what is cited."""
        yield example()
        yield _fact_example("`self.lines` gets a pair of `article` and `amount`.")
        yield _falsehood_example("`Basket.total` raises `ValueError`.")

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield statements that name what is elsewhere, or nowhere."""
        yield _fact_example("`conjure_rabbits` is called.")
        yield _fact_example("The pair is handed to `price_of`.")
        yield _fact_example(f"It is described in {PRICES}.")
        yield _falsehood_example("`conjure_rabbits` is called.")
        invented = ANSWER.expected_entities[0].model_copy(
            update={"rationale": "See `conjure_rabbits()`."}
        )
        yield example(expected_entities=(invented,))
        yield example(
            must_mention_facts=("`Basket.add` stores it.", *ANSWER.must_mention_facts[1:]),
            expected_entities=entities(f"{PRICES}::price_of"),
        )

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the names that a statement has no right to."""
        for number, fact in enumerate(case.answer.must_mention_facts, start=1):
            claim = f"fact-{number}"
            yield from _outside(claim, fact, _scope_of(claim, case.answer), case)
        whole_files = _scope_of_files(case)
        for number, fact in enumerate(case.answer.must_not_mention_facts, start=1):
            yield from _outside(f"not-fact-{number}", fact, whole_files, case)
        for number, expected in enumerate(case.answer.expected_entities, start=1):
            yield from _outside(f"entity-{number}", expected.rationale, whole_files, case)


def _outside(claim: str, text: str, scope: MentionScope, case: GateCase) -> Iterator[CheckFinding]:
    mentions = uncovered_mentions(text, scope, case.codebase)
    for name in dict.fromkeys(mention.text for mention in mentions):
        yield CheckFinding(claim, f"names {name!r}, which does not stand in its lines")


def _scope_of(claim: str, answer: AnswerDraft) -> MentionScope:
    own = [citation for citation in answer.fact_citations if citation.claim_id == claim]
    ranges = (*own, *answer.expected_line_ranges)
    return MentionScope(frozenset(answer.entity_ids), frozenset(answer.expected_files), ranges)


def _scope_of_files(case: GateCase) -> MentionScope:
    """Give the whole of every expected file, with all that is defined there."""
    answer = case.answer
    ranges: list[FileRange] = []
    entity_ids = set(answer.entity_ids)
    for path in answer.expected_files:
        if case.codebase.has_text(path):
            ranges.append(case.whole_file(path))
            entity_ids.update(entity.entity_id for entity in case.codebase.entities_in(path))
    return MentionScope(frozenset(entity_ids), frozenset(answer.expected_files), tuple(ranges))


def _fact_example(fact: str) -> GateCase:
    return example(must_mention_facts=(*ANSWER.must_mention_facts[:2], fact))


def _falsehood_example(fact: str) -> GateCase:
    return example(must_not_mention_facts=(fact,))
