"""A fact names nothing that its own lines do not bear."""

from collections.abc import Iterator

from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.examples import ANSWER, BASKET, citation, example
from goldwright.stages.gate.text_mentions import inspect_texts, numbered_texts


def _example(fact: str) -> GateCase:
    """Make a case whose first fact, about lines 10 and 11, says something else."""
    other_citations = ANSWER.fact_citations[1:]
    citations = (*citation(BASKET, 10, 11), *other_citations)
    facts = (fact, *ANSWER.must_mention_facts[1:])
    return example(must_mention_facts=facts, fact_citations=citations)


class FactsCovered:
    """The lines that a fact cites use what it names, or the answer expects it."""

    code = "facts_covered"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield facts that name what their lines use, or what is expected."""
        yield example()
        yield _example("`Basket.add` raises `ValueError` for an `amount` below one.")
        yield _example("It raises a ValueError if `amount < 1`, saying `amount must be positive`.")
        yield _example("An `article` that is not `None` is kept in basket.py.")

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield facts that name what is elsewhere, or nowhere."""
        yield _example("`Basket.remove_all` raises `ValueError`.")
        yield _example("It raises `AmountError` if `amount < 1`.")
        yield _example("It raises AmountError if `amount < 1`.")
        yield _example("It raises `ValueError` if `amount < lowest`.")
        yield _example("It calls `price_of(article)` first.")
        yield _example("It asks shop/prices.py::price_of first.")
        yield _example("It appends to `self.lines`, as README.md says.")
        yield _example("It is `rabbit.hole` that decides.")

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the names of each fact that its lines lack, each once."""
        facts = case.answer.must_mention_facts
        numbers = range(1, len(facts) + 1)
        claims = [f"fact-{number}" for number in numbers]
        texts = numbered_texts("fact", facts, map(case.citations_of, claims))
        yield from inspect_texts(case, texts)
