"""The answer settles what the question is asked for."""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.code_reading.requirements import Requirement, names_in, requirements_of
from goldwright.records import FileRange, Intent
from goldwright.snapshot.entities import split_entity_id
from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.examples import ANSWER, BASKET, example

_WORD: Final = re.compile(r"[^\W\d]\w*")
_CODE: Final = re.compile(r"`([^`]+)`")
# Kinds of reasons that are asked for a verdict, and the words in which verdicts begin.
_VERDICT_KINDS: Final = frozenset({"caller_coping", "swallowed_error", "cache_lifetime"})
_VERDICT: Final = re.compile(
    r"(?:no|yes|not|none|neither|nothing|nobody|every|each|all|both|only|some|one|callers|it)\b",
    re.IGNORECASE,
)
# A narrative that leaves out more of what the facts name is about something else.
_LEAST_SHARE: Final = 0.5

_INTENT: Final = Intent(
    kind="raise_condition",
    subject=f"{BASKET}::Basket.add",
    lines=FileRange(file=BASKET, start=11, end=11),
    detail="ValueError",
)


class AnswersQuestion:
    """The reason of the question shows in the code, and the facts settle what follows from it.

    Every error, condition, caller and method that the reason asks for is spoken of in a fact; a
    question that wants a verdict gets one in the first words; the narrative speaks of what the
    facts name. A question without a known reason is not checked.
    """

    code = "answers_question"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield answers that settle their question."""
        yield example()
        yield example(intent=_INTENT)
        yield example(intent=_INTENT.model_copy(update={"kind": "other"}))
        # A model may cite the condition together with the statement that it means.
        with_condition = _INTENT.lines.model_copy(update={"start": 10})
        yield example(intent=_INTENT.model_copy(update={"lines": with_condition}))

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield answers that do not."""
        without_error = (*ANSWER.must_mention_facts[:1], "A small amount is refused.", "It stores.")
        yield example(intent=_INTENT, must_mention_facts=without_error)
        without_condition = ("A bad number raises a ValueError.", "It stores.", "It appends.")
        yield example(intent=_INTENT, must_mention_facts=without_condition)
        elsewhere = _INTENT.lines.model_copy(update={"start": 12, "end": 12})
        yield example(intent=_INTENT.model_copy(update={"lines": elsewhere}))
        removal = _INTENT.model_copy(update={"subject": f"{BASKET}::Basket.remove"})
        yield example(intent=removal)
        yield example(intent=_INTENT, expected_entities=())
        coping = _INTENT.model_copy(update={"kind": "caller_coping"})
        yield example(intent=coping, canonical_narrative=f"Hello. {ANSWER.canonical_narrative}")
        other_facts = tuple(f"`nowhere_{number}` is `missing`." for number in range(3))
        yield example(must_mention_facts=other_facts)

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield what the answer leaves open."""
        yield from _check_narrative(case)
        intent = case.intent
        if intent is None:
            return
        facts = " ".join(case.answer.must_mention_facts)
        words = set(_WORD.findall(facts))
        _, qualified_name = split_entity_id(intent.subject)
        last_name = qualified_name.rpartition(".")[2]
        is_named = intent.subject in intent.named and last_name in words
        if intent.subject not in case.answer.entity_ids and not is_named:
            yield CheckFinding("intent", f"the answer does not expect {intent.subject}")
            return
        requirements = requirements_of(intent, case.codebase)
        if requirements is None:
            yield CheckFinding("intent", f"{intent.lines} shows no {intent.kind}")
            return
        for requirement in requirements:
            yield from _check_requirement(requirement, words)
        first_words = case.answer.canonical_narrative.lstrip('`"“ ')
        if intent.kind in _VERDICT_KINDS and not _VERDICT.match(first_words):
            yield CheckFinding("narrative", "the question wants a verdict, and it begins with none")


def _check_requirement(requirement: Requirement, words: set[str]) -> Iterator[CheckFinding]:
    missing = sorted(requirement.names - words)
    if missing:
        names = ", ".join(missing)
        message = f"no fact settles {requirement.description}: {names} is not named"
        yield CheckFinding("facts", message)


def _check_narrative(case: GateCase) -> Iterator[CheckFinding]:
    """Yield the facts whose code a narrative does not speak of."""
    spoken = set(_WORD.findall(case.answer.canonical_narrative))
    for number, fact in enumerate(case.answer.must_mention_facts, start=1):
        names: set[str] = set()
        for code in _CODE.findall(fact):
            names |= names_in(code)
        if names and len(names & spoken) < _LEAST_SHARE * len(names):
            yield CheckFinding("narrative", f"it does not speak of what fact-{number} names")
