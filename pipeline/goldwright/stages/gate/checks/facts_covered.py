"""A fact names nothing that its own lines do not bear."""

from collections.abc import Iterator

from goldwright.stages.gate.check import CheckFinding, GateCase
from goldwright.stages.gate.examples import ANSWER, BASKET, citation, example
from goldwright.stages.gate.text_mentions import inspect_texts, numbered_texts


def _example(fact: str) -> GateCase:
    """Make a case whose first fact, about lines 10 and 11, says something else."""
    citations = (*citation(BASKET, 10, 11), *ANSWER.fact_citations[1:])
    facts = (fact, *ANSWER.must_mention_facts[1:])
    return example(must_mention_facts=facts, fact_citations=citations)


class FactsCovered:
    """The lines that a fact cites use what it names, or the answer expects it."""

    code = "facts_covered"
    passes = (
        example(),
        _example("`Basket.add` raises `ValueError` for an `amount` below one."),
        _example("It raises a ValueError if `amount < 1`, saying `amount must be positive`."),
        _example("An `article` that is not `None` is kept in basket.py."),
    )
    fails = (
        _example("`Basket.remove_all` raises `ValueError`."),
        _example("It raises `AmountError` if `amount < 1`."),
        _example("It raises AmountError if `amount < 1`."),
        _example("It raises `ValueError` if `amount < lowest`."),
        _example("It calls `price_of(article)` first."),
        _example("It asks shop/prices.py::price_of first."),
        _example("It appends to `self.lines`, as README.md says."),
        _example("It is `rabbit.hole` that decides."),
    )

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the names of each fact that its lines lack, each once."""
        facts = case.answer.must_mention_facts
        claims = [f"fact-{number}" for number in range(1, len(facts) + 1)]
        texts = numbered_texts("fact", facts, map(case.citations_of, claims))
        yield from inspect_texts(case, texts)
