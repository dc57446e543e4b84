"""The narrative names something of what the facts name."""

from collections.abc import Iterator

from goldwright.records import is_adopted
from goldwright.snapshot.entities import split_entity_id
from goldwright.snapshot.mentions.code_words import named_words
from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.examples import ANSWER, FILLER, example


class NarrativeNamesSomething:
    """A narrative that would fit any question answers none.

    Where no fact names anything, a narrative may do without names, too.
    """

    code = "narrative_names_something"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield narratives that name something of the answer, or that need not."""
        yield example()
        yield example(canonical_narrative=f"{FILLER} A ValueError comes of it.")
        yield example(canonical_narrative=f"{FILLER} It is `Basket.add` that does so.")
        yield example(canonical_narrative=f"{FILLER} It all happens in basket.py.")
        yield example(canonical_narrative=FILLER, must_mention_facts=ANSWER.must_mention_facts[::2])

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield narratives that would fit any question."""
        yield example(canonical_narrative=FILLER)
        yield example(canonical_narrative=f"{FILLER} The result is a plain `dict`.")
        yield example(canonical_narrative=f"{FILLER} It adds a Value, or an error.")

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield one finding where facts name things and the narrative none of them."""
        answer = case.answer
        # A dataset of others may have no narrative, which then is no false one.
        if is_adopted(answer) and not answer.canonical_narrative:
            return
        fact_names: set[str] = set()
        for fact in answer.must_mention_facts:
            fact_names |= named_words(fact)
        if not fact_names:
            return
        names = named_words(answer.canonical_narrative)
        if names.isdisjoint(fact_names | _expected_names(case)):
            examples = ", ".join(sorted(fact_names)[:3])
            message = f"names nothing of what the answer is about, such as {examples}"
            yield CheckFinding("narrative", message)


def _expected_names(case: GateCase) -> set[str]:
    names: set[str] = set()
    for identifier in case.answer.entity_ids:
        _, qualified_name = split_entity_id(identifier)
        names.update(qualified_name.split("."))
    for file in case.answer.expected_files:
        file_name = file.rpartition("/")[2]
        names.add(file_name.partition(".")[0])
    return names
