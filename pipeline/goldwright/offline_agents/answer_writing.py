"""From what an answer says to what its record holds: numbered facts, citations, a narrative."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from goldwright.code_reading.contracts import methods_of
from goldwright.offline_agents.answer_falsehoods import choose_falsehoods
from goldwright.offline_agents.answer_limits import (
    FEWEST_FACTS,
    FEWEST_WORDS,
    MOST_FACTS,
    MOST_WORDS,
)
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.catalog import BY_KIND
from goldwright.offline_agents.inquiries.effects import descriptions
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Question
from goldwright.offline_agents.inquiries.surroundings import find_statements, origins
from goldwright.offline_agents.prose import write_prose
from goldwright.offline_agents.prose_sentences import split_sentences
from goldwright.offline_agents.short_names import shorten_names
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.commented import Commented
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.described import Described
from goldwright.offline_agents.statements.handles import Handles
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.passes import Passes
from goldwright.offline_agents.statements.raised_errors import RaisedErrors
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.statement import Finding, Statement, findings_of
from goldwright.offline_agents.statements.stored import Stored
from goldwright.offline_agents.statements.takes import Takes
from goldwright.records import FileRange

# Lines that are cited by themselves.
_FEW_LINES: Final = 6
# Further away a name has often become another matter.
_RELATED_LINES: Final = 15
# What a function does: told only where a narrative is too short for a reader.
_DEEDS: Final[tuple[type[Statement], ...]] = (
    ParameterDefault,
    Assigned,
    Stored,
    Runs,
    Handles,
    Logs,
    Raises,
    Returned,
)
_CODE: Final = re.compile(r"`([^`]+)`")
_QUOTED: Final = re.compile(r"“([^”]{12,})”")
_NAME: Final = re.compile(r"(?:self\.)?[^\W\d]\w*")
# A word that only code has: underscores, a capital inside, a dot between letters.
_CODE_NAME: Final = re.compile(r"_\w|\w_|[a-z][A-Z]|\w\.[a-z]")


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
    plan: AnswerPlan, code: CodeContext, *, whatever_length: bool = False
) -> WrittenAnswer | None:
    """Put an answer into sentences; None where it is too little or too much for one.

    Args:
        plan: What it says.
        code: The codebase, in which no falsehood may be true.
        whatever_length: Whether too little or too much is written all the same, to be refused by
            the gate.
    """
    # What a docstring says is no answer of the code: it may help to understand one.
    facts = [fact for fact in _distinct(plan.facts) if not isinstance(fact.statement, Described)]
    facts = [_with_all_places(fact, code) for fact in facts]
    is_too_much = len(facts) > MOST_FACTS
    facts = facts[:MOST_FACTS]
    falsehoods = choose_falsehoods(plan, facts, code)
    narrative, context = _narrate(plan, facts, code)
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
    plan: AnswerPlan, facts: Sequence[Finding], code: CodeContext
) -> tuple[str, tuple[Finding, ...]]:
    """Write the opening, the facts, and as much context as makes the narrative whole."""
    narrated_facts = [
        fact for fact in facts[plan.said_in_opening :] if not _is_told(fact, plan.opening)
    ]
    context: list[Finding] = []
    narrative = _write(plan, facts, narrated_facts, context)
    for finding in _context(plan, facts, code):
        if len(narrative.split()) >= FEWEST_WORDS:
            break
        if _is_quoted(finding, narrative):
            continue
        context.append(finding)
        narrative = _write(plan, facts, narrated_facts, context)
    return narrative, tuple(context)


def _is_quoted(finding: Finding, narrative: str) -> bool:
    """Find out whether the words of a comment or docstring stand there already."""
    text = _human_words(finding.statement)
    quotations = _QUOTED.findall(narrative)
    return text != "" and (
        text in narrative or any(text.startswith(quotation) for quotation in quotations)
    )


def _human_words(statement: Statement) -> str:
    """Give what a docstring or comment says; empty for other statements."""
    match statement:
        case Described(text=words) | Commented(words=words):
            return words
        case _:
            return ""


def _is_told(fact: Finding, opening: str) -> bool:
    """Find out whether the opening says already in which file something is."""
    match fact.statement:
        case DefinedIn(name=name, path=path):
            return f"`{name}` in `{path}`" in opening
        case _:
            return False


def _context(plan: AnswerPlan, facts: Sequence[Finding], code: CodeContext) -> Iterator[Finding]:
    """Yield what else can be said: what explains the answer, then what has to do with its facts."""
    expected = [part.entity_id for part in plan.parts]
    cited = [lines for fact in facts for lines in fact.cited_lines()]
    related, unrelated = _deeds(expected, facts, code)
    methods = list(_methods(expected[:1], code))
    offered = [
        *_origins_of_tests(facts, code),
        *_comments(expected, facts, code),
        *_of_kinds(expected[:1], (Described,), code),
        *_of_kinds(expected[1:], (Described,), code),
        *_class_descriptions(expected[:1], code),
        *_of_kinds(expected[:1], (RaisedErrors,), code),
        *plan.context,
        *related,
        *_of_kinds(methods, (Described,), code),
        *_of_kinds([*expected[:1], *methods], (Takes,), code),
        *unrelated,
    ]
    for finding in _distinct(offered):
        if _is_worth_telling(finding, facts) and _is_borne(finding, expected, cited):
            yield finding


def _deeds(
    entity_ids: Sequence[str], facts: Sequence[Finding], code: CodeContext
) -> tuple[list[Finding], list[Finding]]:
    """Give what else the functions do, nearest to the facts first.

    Returns:
        What shares a name with a fact, and the others.
    """
    fact_names = set().union(*(_names(fact) for fact in facts))
    related: list[Finding] = []
    unrelated: list[Finding] = []
    deeds = _of_kinds(entity_ids, _DEEDS, code)

    def distance(deed: Finding) -> tuple[int, int]:
        # Nobody reads a row of conditions for something that was not asked.
        return len(deed.statement.conditions), _lines_between(deed, facts)

    for deed in sorted(deeds, key=distance):
        is_near = _lines_between(deed, facts) <= _RELATED_LINES
        is_related = is_near and not _names(deed).isdisjoint(fact_names)
        (related if is_related else unrelated).append(deed)
    return related, unrelated


def _of_kinds(
    entity_ids: Sequence[str], kinds: Sequence[type[Statement]], code: CodeContext
) -> Iterator[Finding]:
    for entity_id in entity_ids:
        yield from find_statements(code, entity_id, kinds)


def _origins_of_tests(facts: Sequence[Finding], code: CodeContext) -> Iterator[Finding]:
    """Yield where the names of the conditions come from: a test may be of a changed value."""
    for fact in facts:
        yield from origins(code, fact.entity_id, fact.statement.conditions, fact.lines)


def _comments(
    entity_ids: Sequence[str], facts: Sequence[Finding], code: CodeContext
) -> Iterator[Finding]:
    """Yield what comments say at the lines that facts cite."""
    cited = [lines for fact in facts for lines in fact.cited_lines()]
    for finding in _of_kinds(entity_ids, (Commented,), code):
        commented = FileRange(
            file=finding.lines.file, start=finding.lines.end, end=finding.lines.end
        )
        # A whole function is cited for what is said of it, and no line of it in particular.
        if any(
            lines.contains(commented) and lines.end - lines.start < _FEW_LINES for lines in cited
        ):
            yield finding


def _class_descriptions(entity_ids: Sequence[str], code: CodeContext) -> Iterator[Finding]:
    """Yield what the classes around some methods are for."""
    for entity_id in entity_ids:
        for finding in descriptions(code, entity_id):
            if finding.entity_id != entity_id:
                yield finding


def _methods(class_ids: Sequence[str], code: CodeContext) -> Iterator[str]:
    """Yield the ids of the methods that classes define themselves."""
    for class_id in class_ids:
        module = code.module(path_of(class_id))
        if module is not None and module.class_definition(name_of(class_id)) is not None:
            for method in methods_of(module, name_of(class_id)):
                yield f"{class_id}.{method}"


def _is_borne(finding: Finding, expected: Sequence[str], cited: Sequence[FileRange]) -> bool:
    """Find out whether an expected entity or a cited line holds what a statement speaks of.

    A narrative that speaks of other places names what nobody listed.
    """
    entity_id = finding.entity_id
    if any(
        entity_id == expected_id or entity_id.startswith(f"{expected_id}.")
        for expected_id in expected
    ):
        return True
    return any(lines.contains(finding.lines) for lines in cited)


def _names(finding: Finding) -> frozenset[str]:
    """Give the names in the code of a statement, but for that of its function."""
    _, *pieces = _CODE.findall(finding.statement.sentence())
    return frozenset(name for piece in pieces for name in _NAME.findall(piece)) - {"None", "self"}


def _is_worth_telling(finding: Finding, facts: Sequence[Finding]) -> bool:
    """Find out whether a statement says something, and something that no fact says already."""
    statement = finding.statement
    if _CODE_NAME.search(_human_words(statement)):
        # What its author names there nobody expects here.
        return False
    match statement:
        case Returned(value=value) if _is_variable(value):
            # What the name stands for there would have to be told as well.
            return False
        case RaisedErrors(errors=errors):
            raised_errors = {
                fact.statement.error for fact in facts if isinstance(fact.statement, Raises)
            }
            return not set(errors) <= raised_errors
        case ParameterDefault(parameter=parameter, default=default):
            fact_names = set().union(*(_names(fact) for fact in facts))
            # Of a parameter that nothing else is said about, nobody needs the default.
            if default in {"", "None"} or parameter not in fact_names:
                return False
        case _:
            pass
    return not _is_said_by(facts, finding)


def _is_said_by(facts: Sequence[Finding], finding: Finding) -> bool:
    """Find out whether facts say the same, or of the same lines what this comes to."""
    statement = finding.statement
    if statement.sentence() in {fact.statement.sentence() for fact in facts}:
        return True
    if isinstance(statement, Handles) and any(finding.lines.contains(f.lines) for f in facts):
        # The statement inside of the clause says it.
        return True
    around = [fact.statement for fact in facts if fact.lines.contains(finding.lines)]
    # What a clause does with an error is said, and so is what a call gets.
    is_part = isinstance(statement, Passes | Handles) and around != []
    return is_part or any(isinstance(statement_around, Handles) for statement_around in around)


def _is_variable(value: str) -> bool:
    return _NAME.fullmatch(value) is not None and value not in {"True", "False", "None"}


def _lines_between(finding: Finding, facts: Sequence[Finding]) -> int:
    gaps = [
        abs(fact.lines.start - finding.lines.start)
        for fact in facts
        if fact.lines.file == finding.lines.file
    ]
    # Other files come after everything in this one.
    return min(gaps, default=1_000_000)


def _write(
    plan: AnswerPlan,
    facts: Sequence[Finding],
    narrated_facts: Sequence[Finding],
    context: Sequence[Finding],
) -> str:
    opened = facts[0].statement if plan.said_in_opening and facts else None
    *_, last_sentence = split_sentences(plan.opening)
    # What is said in between has other conditions, or none.
    if opened is not None and f"`{opened.subject}`" not in last_sentence:
        opened = None
    if plan.closing:
        answer = write_prose([finding.statement for finding in narrated_facts], opened)
        background = write_prose([finding.statement for finding in context])
        sentences = [*answer, plan.closing, *background]
    else:
        sentences = list(
            write_prose([finding.statement for finding in (*narrated_facts, *context)], opened)
        )
    text = " ".join([plan.opening, *sentences])
    return shorten_names(text, [name_of(part.entity_id) for part in plan.parts])


def _distinct(findings: Iterable[Finding]) -> list[Finding]:
    by_sentence: dict[str, Finding] = {}
    for finding in findings:
        by_sentence.setdefault(finding.statement.sentence(), finding)
    return list(by_sentence.values())
