"""From what an answer says to what its record holds: numbered facts, citations, a narrative."""

import re
from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from goldwright.offline_agents.answer_falsehoods import choose_falsehoods
from goldwright.offline_agents.answer_limits import (
    FEWEST_FACTS,
    FEWEST_WORDS,
    MOST_FACTS,
    MOST_WORDS,
)
from goldwright.offline_agents.code_context import CodeContext, name_of
from goldwright.offline_agents.inquiries.catalog import BY_KIND
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Question
from goldwright.offline_agents.narrative_context import (
    context_of,
    distinct,
    human_words,
    origins_of_tests,
    paragraphs,
)
from goldwright.offline_agents.prose import write_paragraphs, write_prose
from goldwright.offline_agents.prose_predicates import predicate_of
from goldwright.offline_agents.prose_references import subject_named
from goldwright.offline_agents.prose_sentences import split_sentences
from goldwright.offline_agents.restatements import is_restatement
from goldwright.offline_agents.short_names import shorten_names
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.described import Described
from goldwright.offline_agents.statements.hands_on import HandsOn
from goldwright.offline_agents.statements.maps_to import MapsTo
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import Finding, findings_of

_QUOTED: Final = re.compile(r"“([^”]{12,})”")


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
        plan = BY_KIND[question.intent.kind].answer(question.intent, question.targets, code)
        code.answerable[key] = plan is not None and write_answer(plan, code) is not None
    return code.answerable[key]


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
    falsehoods = choose_falsehoods(plan, facts, code)
    narrative, context = _narrate(plan, facts, code, unsaid, asked)
    # An answer that needs more facts than a record holds would be cut: nobody asks for it.
    is_whole = len(facts) >= FEWEST_FACTS and not is_too_much and falsehoods != ()
    is_whole = is_whole and all(_is_spoken_of(part.entity_id, facts) for part in plan.parts)
    is_whole = is_whole and FEWEST_WORDS <= len(narrative.split()) <= MOST_WORDS
    if not is_whole and not whatever_length:
        return None
    return WrittenAnswer(tuple(facts), falsehoods, narrative, context)


def _is_spoken_of(entity_id: str, facts: Sequence[Finding]) -> bool:
    """Find out whether a fact names an expected entity: else nobody learns why it is expected."""
    *outer, name = name_of(entity_id).split(".")
    # A class goes for its ``__init__``.
    names = {name, *outer[-1:]} if name == "__init__" else {name}
    return any(
        re.search(rf"(?<!\w){spoken_name}(?!\w)", fact.statement.sentence())
        for fact in facts
        for spoken_name in names
    )


def _with_all_places(fact: Finding, code: CodeContext) -> Finding:
    """Add the other places of the function that bear a fact out: who checks it may find these."""
    opened = code.function(fact.entity_id)
    if opened is None:
        return fact
    module, function = opened
    findings = findings_of(type(fact.statement), module, name_of(fact.entity_id), function)
    bearing_lines = [finding.lines for finding in findings if finding.statement == fact.statement]
    further_lines = [
        lines for lines in bearing_lines if lines != fact.lines and lines not in fact.also
    ]
    return replace(fact, also=(*fact.also, *further_lines))


def _narrate(
    plan: AnswerPlan,
    facts: Sequence[Finding],
    code: CodeContext,
    unsaid: Collection[str],
    asked: str,
) -> tuple[str, tuple[Finding, ...]]:
    """Write the opening, the facts, and as much context as makes the narrative whole."""
    narrated_facts = _function_by_function(
        [
            fact
            for fact in facts[plan.said_in_opening :]
            if not _is_told(fact, facts[0], plan.opening)
        ]
    )
    tested = list(origins_of_tests(facts, code))
    context: list[Finding] = []
    narrative = _write(plan, facts, narrated_facts, context, tested)
    offered = deque(context_of(plan, facts, code))
    # What is told in part already, or known, is told only where there is nothing else to say.
    repeated: list[Finding] = []
    while len(narrative.split()) < FEWEST_WORDS and (offered or repeated):
        is_last_resort = not offered
        finding = repeated.pop(0) if is_last_resort else offered.popleft()
        is_unsaid = any(words in finding.statement.sentence() for words in unsaid)
        if is_unsaid or _is_quoted(finding, narrative):
            continue
        is_told = facts != [] and _is_told(finding, facts[0], plan.opening)
        is_known = is_told or _is_done(finding, narrative) or is_restatement(finding, asked)
        if not is_last_resort and is_known:
            repeated.append(finding)
            continue
        context.append(finding)
        narrative = _write(plan, facts, narrated_facts, context, tested)
    return narrative, tuple(context)


def _function_by_function(facts: Sequence[Finding]) -> list[Finding]:
    """Put what a function does together, where neighbours tell the deeds of several in turns."""
    ordered: list[Finding] = []
    for is_deed, group in groupby(facts, key=lambda fact: predicate_of(fact.statement) != ""):
        members = list(group)
        if is_deed:
            functions = list(dict.fromkeys(member.statement.subject for member in members))
            members.sort(key=lambda member: functions.index(member.statement.subject))
        ordered.extend(members)
    return ordered


def _is_done(finding: Finding, narrative: str) -> bool:
    """Find out whether the narrative tells the deed already, be it on other conditions."""
    statement = finding.statement
    if isinstance(statement, Runs) and f"`{statement.call}`" in narrative:
        return True
    predicate = predicate_of(statement)
    return predicate != "" and predicate in narrative


def _is_quoted(finding: Finding, narrative: str) -> bool:
    """Find out whether the words of a comment or docstring stand there already."""
    text = human_words(finding.statement)
    quotations = _QUOTED.findall(narrative)
    return text != "" and (
        text in narrative or any(text.startswith(quotation) for quotation in quotations)
    )


def _is_told(fact: Finding, first: Finding, opening: str) -> bool:
    """Find out whether the opening says already where something is, or what becomes of it.

    Args:
        fact: Another fact than the first.
        first: The first one, which the opening states.
        opening: How the narrative begins.
    """
    predicate = predicate_of(fact.statement)
    if predicate and f", and then {predicate}." in opening:
        return fact.statement.conditions == first.statement.conditions
    match fact.statement:
        case MapsTo(table=table, key=key, value=value):
            return f"`{table}`" in opening and f"`{key}` is with `{value}`" in opening
        case DefinedIn(name=name, path=path):
            return f"`{name}` in `{path}`" in opening
        case HandsOn(parameter=parameter, callee=callee, keyword=keyword, place=place, path=()):
            simple_name = re.escape(callee.rpartition(".")[2])
            argument = f" as argument {place}" if place else ""
            hands_on = rf"hands it on to `(?:[\w.]+\.)?{simple_name}(?:\.__init__)?`{argument}"
            is_told = (place or keyword == parameter) and f"`{parameter}`" in opening
            return bool(is_told) and re.search(hands_on, opening) is not None
        case _:
            return False


def _introduces(finding: Finding, plan: AnswerPlan) -> bool:
    """Find out whether a statement is what its author says of the subject of the answer."""
    return isinstance(finding.statement, Described) and finding.entity_id == plan.parts[0].entity_id


def _write(
    plan: AnswerPlan,
    facts: Sequence[Finding],
    narrated_facts: Sequence[Finding],
    context: Sequence[Finding],
    tested: Sequence[Finding],
) -> str:
    opened = facts[0].statement if plan.said_in_opening and facts else None
    *_, last_sentence = split_sentences(plan.opening)
    # What is said in between has other conditions, or none.
    if opened is not None and f"`{opened.subject}`" not in last_sentence:
        opened = None
    # Behind a sentence about somebody else, "it" would not be clear.
    is_about_it = opened is not None and subject_named(last_sentence) == opened.subject
    subject = opened.subject if opened is not None and is_about_it else ""
    statements = [finding.statement for finding in narrated_facts]
    answer = write_prose(statements, opened, subject)
    introduction: list[Finding] = []
    if opened is None:
        # What it is comes before what it does.
        introduction = [finding for finding in context if _introduces(finding, plan)][:1]
        context = [finding for finding in context if finding not in introduction]
    sentences = [plan.opening]
    sentences.extend(
        write_prose(
            [finding.statement for finding in introduction], None, subject_named(last_sentence)
        )
    )
    sentences.extend(answer)
    if plan.closing:
        sentences.append(plan.closing)
    sentences.extend(write_paragraphs(paragraphs(context, facts, tested)))
    return shorten_names(" ".join(sentences), [name_of(part.entity_id) for part in plan.parts])
