"""From what an answer says to what its record holds: numbered facts, citations, a narrative."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from goldwright.offline_agents.answer_limits import (
    FEWEST_FACTS,
    FEWEST_WORDS,
    MOST_FACTS,
    MOST_WORDS,
)
from goldwright.offline_agents.answers.answer_falsehoods import choose_falsehoods
from goldwright.offline_agents.answers.polar_questions import affirmed, asks_yes_or_no
from goldwright.offline_agents.answers.reading_cost import cost_of_namesakes, reading_cost
from goldwright.offline_agents.code_context import CodeContext, name_of
from goldwright.offline_agents.inquiries.catalog import BY_KIND
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Question
from goldwright.offline_agents.narratives.narrative_context import distinct
from goldwright.offline_agents.narratives.narrative_writing import write_narrative
from goldwright.offline_agents.statements.deed import Deed, predicate_of
from goldwright.offline_agents.statements.described import Described
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.passes import Passes
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding, findings_of
from goldwright.path_conditions import are_two_sides

# Of these, people ask when each comes about, though the other side of a test may end alike.
_ASKED_BY_SIDE: Final = (Raises, Returned, Logs, Passes)


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """An answer in sentences.

    Attributes:
        facts: The answer key.
        falsehoods: What an answer must not say.
        narrative: The answer in prose.
        context: The statements of the narrative that are no facts of the key.
    """

    facts: tuple[Finding, ...]
    falsehoods: tuple[Finding, ...]
    narrative: str
    context: tuple[Finding, ...]


def can_be_answered(question: Question, code: CodeContext) -> bool:
    """Find out whether the code gives a whole answer: the Author asks nothing else."""
    key = (question.intent, question.targets)
    if key not in code.answerable:
        inquiry = BY_KIND[question.intent.kind]
        plan = inquiry.answer(question.intent, question.targets, code)
        answer = None if plan is None else write_answer(plan, code)
        code.answerable[key] = answer is not None
        if answer is not None:
            cost = reading_cost(answer.facts, answer.falsehoods, answer.context)
            code.reading_costs[key] = cost + cost_of_namesakes(question.targets, code)
    return code.answerable[key]


def reading_cost_of(question: Question, code: CodeContext) -> float:
    """Say how hard the answer is to read; 0 where the question was not found answerable."""
    return code.reading_costs.get((question.intent, question.targets), 0.0)


def write_answer(
    plan: AnswerPlan,
    code: CodeContext,
    *,
    whatever_length: bool = False,
    unsaid: Collection[str] = (),
    asked: str = "",
) -> WrittenAnswer | None:
    """Put an answer into sentences; None where it is too little or too much for one.

    Args:
        plan: What it says.
        code: The codebase, in which no falsehood may be true.
        whatever_length: Whether too little or too much is written all the same, to be refused by
            the gate.
        unsaid: Words of which the narrative does not speak beside the facts.
        asked: The question, which is not said again where there is something else to say.
    """
    # What a docstring says is no answer of the code: it may help to understand one.
    facts = [fact for fact in distinct(plan.facts) if not isinstance(fact.statement, Described)]
    facts = [_with_all_places(fact, code) for fact in facts]
    is_too_much = len(facts) > MOST_FACTS
    facts = facts[:MOST_FACTS]
    # An answer that needs more facts than a record holds would be cut: nobody asks for it.
    is_enough = len(facts) >= FEWEST_FACTS
    is_whole = is_enough and not is_too_much and _is_clear(plan, facts, code)
    # Narrative and falsehoods take most of the time, so they come last; and far more answers are
    # too short than without a falsehood.
    if not is_whole and not whatever_length:
        return None
    spoken_plan = plan
    if plan.affirms and asks_yes_or_no(asked):
        spoken_plan = replace(plan, opening=affirmed(plan.opening))
    narrative, context = write_narrative(spoken_plan, facts, code, unsaid=unsaid, asked=asked)
    if not FEWEST_WORDS <= len(narrative.split()) <= MOST_WORDS and not whatever_length:
        return None
    falsehoods = choose_falsehoods(plan, facts, code)
    if not falsehoods and not whatever_length:
        return None
    return WrittenAnswer(tuple(facts), falsehoods, narrative, context)


def _is_clear(plan: AnswerPlan, facts: Sequence[Finding], code: CodeContext) -> bool:
    """Find out whether each expected entity is spoken of, and each condition makes a difference."""
    # Of two functions of one name in different files, a sentence could not say which it means.
    names = {name_of(part.entity_id) for part in plan.parts}
    if len(names) != len(plan.parts):
        return False
    if not all(_is_spoken_of(part.entity_id, facts) for part in plan.parts):
        return False
    return not any(_is_done_anyway(fact, code) for fact in facts)


def _is_spoken_of(entity_id: str, facts: Sequence[Finding]) -> bool:
    """Find out whether a fact names an expected entity: else nobody learns why it is expected."""
    *outer, name = name_of(entity_id).split(".")
    names = {name}
    # A class goes for its ``__init__``.
    if name == "__init__":
        names.update(outer[-1:])
    for fact in facts:
        sentence = fact.statement.sentence()
        if any(re.search(rf"(?<!\w){spoken_name}(?!\w)", sentence) for spoken_name in names):
            return True
    return False


def _is_done_anyway(fact: Finding, code: CodeContext) -> bool:
    """Find out whether both sides of a test do what a fact tells of one of them."""
    opened = code.function(fact.entity_id)
    path = fact.statement.conditions
    if opened is None or not isinstance(fact.statement, Deed) or not path:
        return False
    if isinstance(fact.statement, _ASKED_BY_SIDE):
        return False
    module, function = opened
    name = name_of(fact.entity_id)
    findings = findings_of(type(fact.statement), module, name, function)
    deed = predicate_of(fact.statement)
    statements = (finding.statement for finding in findings)
    same_deeds = (statement for statement in statements if predicate_of(statement) == deed)
    return any(are_two_sides(statement.conditions, path) for statement in same_deeds)


def _with_all_places(fact: Finding, code: CodeContext) -> Finding:
    """Add the other places of the function that bear a fact out: who checks it may find these."""
    opened = code.function(fact.entity_id)
    if opened is None:
        return fact
    module, function = opened
    name = name_of(fact.entity_id)
    findings = findings_of(type(fact.statement), module, name, function)
    bearing_lines = [finding.lines for finding in findings if finding.statement == fact.statement]
    known_lines = (fact.lines, *fact.also)
    further_lines = [lines for lines in bearing_lines if lines not in known_lines]
    return replace(fact, also=(*fact.also, *further_lines))
