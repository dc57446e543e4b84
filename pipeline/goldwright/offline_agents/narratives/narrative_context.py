"""What a narrative says beside the facts: what explains them first, then what stands near them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from goldwright.code_reading.contracts import methods_of
from goldwright.code_reading.messages import GAP
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.effects import descriptions, descriptions_of_class
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan
from goldwright.offline_agents.inquiries.surroundings import EMPTY_VALUES, find_statements, origins
from goldwright.offline_agents.prose.prose_references import (
    FURTHER_DOWN,
    FURTHER_UP,
    TESTED,
)
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.catalog import DEEDS
from goldwright.offline_agents.statements.commented import Commented
from goldwright.offline_agents.statements.described import Described
from goldwright.offline_agents.statements.handles import Handles
from goldwright.offline_agents.statements.module_purpose import ModulePurpose
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.passes import Passes
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding, Statement
from goldwright.offline_agents.statements.takes import Takes
from goldwright.offline_agents.statements.tries import Tries
from goldwright.records import FileRange

# Lines that are cited by themselves.
_FEW_LINES: Final = 6
# Further away a name has often become another matter.
_RELATED_LINES: Final = 15
# More of them are about more than the answer.
_MOST_COMMENTS: Final = 2
# More of them in a row are the code once more.
_FEW_DEEDS: Final = 2
# Characters of code, and tests, that are read in passing.
_MOST_CODE: Final = 90
_MOST_TESTS: Final = 2
# What a function does: told only where a narrative is too short for a reader.
_DEEDS: Final[tuple[type[Statement], ...]] = (
    ParameterDefault,
    Handles,
    # What a call is given is told with the call.
    *(kind for kind in DEEDS if kind is not Passes),
)
# A test that is passed on one way is not passed on the other.
_OPPOSITES: Final = {"if": "unless", "unless": "if"}
# Whether an error was caught.
_OF_ERRORS: Final = frozenset({"except", "no_error"})
_CODE: Final = re.compile(r"`([^`]+)`")
_NAME: Final = re.compile(r"(?:self\.)?[^\W\d]\w*")
# A word that only code has: underscores, a capital inside, a dot between letters.
_CODE_NAME: Final = re.compile(r"_\w|\w_|[a-z][A-Z]|\w\.[a-z]")


def context_of(plan: AnswerPlan, facts: Sequence[Finding], code: CodeContext) -> Iterator[Finding]:
    """Yield what else can be said: what explains the answer, then what has to do with its facts."""
    expected = [part.entity_id for part in plan.parts]
    first_ids = expected[:1]
    further_ids = expected[1:]
    cited = [lines for fact in facts for lines in fact.cited_lines()]
    related, unrelated = _deeds(expected, facts, code)
    methods = list(_methods(first_ids, code))
    offered = [
        *origins_of_tests(facts, code),
        *_tried(facts, code),
        *_comments(expected, facts, code),
        *_of_kinds(first_ids, (Described,), code),
        *_class_descriptions(first_ids, code),
        *descriptions_of_class(code, expected[0]),
        *_of_kinds(further_ids, (Described,), code),
        *_comments_nearby(first_ids, facts, code),
        *plan.context,
        *related[:_FEW_DEEDS],
        *_of_kinds(methods, (Described,), code),
        *related[_FEW_DEEDS:],
        *sorted(unrelated, key=_is_preparation),
        # Nobody asked for these: they say something where nothing else does.
        *_module_purposes(first_ids, code),
        *_of_kinds([*first_ids, *methods], (Takes,), code),
    ]
    for finding in sorted(distinct(offered), key=_is_heavy):
        if _is_worth_telling(finding, facts) and _is_borne(finding, expected, cited):
            yield finding


def paragraphs(
    context: Sequence[Finding], facts: Sequence[Finding], tested: Sequence[Finding]
) -> Iterator[tuple[str, list[Statement]]]:
    """Put the context in the order in which it is told.

    Args:
        context: What ``context_of`` gave.
        facts: The answer key.
        tested: What ``origins_of_tests`` gave.

    Returns:
        Where the values come from that facts hang on; what people wrote; and then what else is
        done, from top to bottom: above the first fact, below it, and in other functions; each with
        the words that lead it in.
    """
    deeds = sorted(filter(_is_placed, context), key=_place)
    origin_deeds = [deed for deed in deeds if deed in tested]
    sources = [deed for deed in origin_deeds if _is_source(deed, facts)]
    deeds = [deed for deed in deeds if deed not in sources]
    yield TESTED, _statements(sources)
    words_of_people = [finding for finding in context if not _is_placed(finding)]
    yield "", _statements(words_of_people)
    for side in (FURTHER_UP, FURTHER_DOWN, ""):
        deeds_there = [deed for deed in deeds if _side_of(deed, facts) == side]
        yield side, _statements(deeds_there)


def _statements(findings: Iterable[Finding]) -> list[Statement]:
    return [finding.statement for finding in findings]


def _is_source(deed: Finding, facts: Sequence[Finding]) -> bool:
    """Find out whether a deed gives the value that a condition of a fact tests."""
    statement = deed.statement
    if not isinstance(statement, Assigned) or statement.value in EMPTY_VALUES:
        return False
    for fact in facts:
        is_in_same = deed.entity_id == fact.entity_id
        is_above = is_in_same and deed.lines.end < fact.lines.start
        conditions = fact.statement.conditions
        tests = [condition for condition in conditions if condition.kind in _OPPOSITES]
        opposites = {(_OPPOSITES[test.kind], test.code) for test in tests}
        own_tests = {(test.kind, test.code) for test in statement.path}
        is_elsewhere = not own_tests.isdisjoint(opposites)
        tested_names = {name for test in tests for name in _NAME.findall(test.code)}
        if is_above and not is_elsewhere and not tested_names.isdisjoint(statement.targets):
            return True
    return False


def _is_placed(finding: Finding) -> bool:
    """Find out whether a statement is of something that is done in a certain place."""
    return _is_deed(finding) and not isinstance(finding.statement, ParameterDefault)


def _is_deed(finding: Finding) -> bool:
    return isinstance(finding.statement, _DEEDS)


def _place(finding: Finding) -> tuple[str, int]:
    return finding.entity_id, finding.lines.start


def _side_of(deed: Finding, facts: Sequence[Finding]) -> str:
    """Say on which side of the first fact something is done; empty for another function."""
    first = facts[0]
    if deed.entity_id != first.entity_id or deed.lines.file != first.lines.file:
        return ""
    if deed.lines.end < first.lines.start:
        return FURTHER_UP
    return FURTHER_DOWN if deed.lines.start > first.lines.end else ""


def _is_heavy(finding: Finding) -> bool:
    """Find out whether something is hard to read: then anything else is told before it."""
    statement = finding.statement
    if human_words(statement).endswith(GAP):
        return True
    if not _is_deed(finding):
        return False
    codes = _CODE.findall(statement.sentence())[1:]
    is_long = sum(map(len, codes)) > _MOST_CODE
    is_of_many_tests = len(statement.conditions) > _MOST_TESTS
    is_nothing = isinstance(statement, Returned) and statement.value == "None"
    return is_long or is_of_many_tests or is_nothing or isinstance(statement, Passes)


def _deeds(
    entity_ids: Sequence[str], facts: Sequence[Finding], code: CodeContext
) -> tuple[list[Finding], list[Finding]]:
    """Give what else the functions do, nearest to the facts first.

    Returns:
        What shares a name with a fact, and the others.
    """
    fact_names = set().union(*map(_names, facts))
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


def origins_of_tests(facts: Sequence[Finding], code: CodeContext) -> Iterator[Finding]:
    """Yield where the names of the conditions come from: a test may be of a changed value."""
    for fact in facts:
        conditions = fact.statement.conditions
        yield from origins(code, fact.entity_id, conditions, fact.lines)


def _tried(facts: Sequence[Finding], code: CodeContext) -> Iterator[Finding]:
    """Yield what is tried where the facts hang on whether an error was caught."""
    for fact in facts:
        conditions = fact.statement.conditions
        about_errors = [condition for condition in conditions if condition.kind in _OF_ERRORS]
        clauses = {condition.first for condition in about_errors}
        for attempt in _of_kinds([fact.entity_id], (Tries,), code):
            if not clauses.isdisjoint(attempt.clauses):
                yield attempt


def _comments(
    entity_ids: Sequence[str], facts: Sequence[Finding], code: CodeContext
) -> Iterator[Finding]:
    """Yield what comments say at the lines that facts cite."""
    cited = [lines for fact in facts for lines in fact.cited_lines()]
    for finding in _of_kinds(entity_ids, (Commented,), code):
        last = finding.lines.end
        commented = FileRange(file=finding.lines.file, start=last, end=last)
        # A whole function is cited for what is said of it, and no line of it in particular.
        if any(
            lines.contains(commented) and lines.end - lines.start < _FEW_LINES for lines in cited
        ):
            yield finding


def _comments_nearby(
    entity_ids: Sequence[str], facts: Sequence[Finding], code: CodeContext
) -> Iterator[Finding]:
    """Yield what comments near the facts say, the nearest first."""

    def distance(finding: Finding) -> int:
        return _lines_between(finding, facts)

    comments = sorted(_of_kinds(entity_ids, (Commented,), code), key=distance)
    near = [finding for finding in comments if distance(finding) <= _RELATED_LINES]
    yield from near[:_MOST_COMMENTS]


def _class_descriptions(entity_ids: Sequence[str], code: CodeContext) -> Iterator[Finding]:
    """Yield what the classes around some methods are for."""
    for entity_id in entity_ids:
        for finding in descriptions(code, entity_id):
            if finding.entity_id != entity_id:
                yield finding


def _module_purposes(entity_ids: Sequence[str], code: CodeContext) -> Iterator[Finding]:
    """Yield what the files around some definitions are for."""
    for entity_id in entity_ids:
        module = code.module(path_of(entity_id))
        if module is not None:
            yield from ModulePurpose.find_around(module, name_of(entity_id))


def _is_preparation(finding: Finding) -> bool:
    """Find out whether a deed only keeps a value: what a function gives and calls says more."""
    return isinstance(finding.statement, Assigned | ParameterDefault)


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
    if any(entity_id == target or entity_id.startswith(f"{target}.") for target in expected):
        return True
    return any(lines.contains(finding.lines) for lines in cited)


def _names(finding: Finding) -> frozenset[str]:
    """Give the names in the code of a statement, but for that of its function."""
    sentence = finding.statement.sentence()
    _, *pieces = _CODE.findall(sentence)
    names = frozenset(name for piece in pieces for name in _NAME.findall(piece))
    return names - {"None", "self"}


def _is_worth_telling(finding: Finding, facts: Sequence[Finding]) -> bool:
    """Find out whether a statement says something, and something that no fact says already."""
    statement = finding.statement
    if _CODE_NAME.search(human_words(statement)):
        # What its author names there nobody expects here.
        return False
    match statement:
        case Returned(value=value) if _is_variable(value):
            # What the name stands for there would have to be told as well.
            return False
        case Assigned(value=value) if value in EMPTY_VALUES:
            # Others fill it.
            return False
        case ParameterDefault(parameter=parameter, default=default):
            fact_names = set().union(*map(_names, facts))
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
    if _is_deed(finding) and any(fact.lines == finding.lines for fact in facts):
        return True
    around = [fact.statement for fact in facts if fact.lines.contains(finding.lines)]
    # What a clause does with an error is said, and so is what a call gets.
    is_part = isinstance(statement, Passes | Handles) and around != []
    is_in_clause = any(isinstance(outer, Handles) for outer in around)
    return is_part or is_in_clause


def _is_variable(value: str) -> bool:
    is_name = _NAME.fullmatch(value) is not None
    return is_name and value not in {"True", "False", "None"}


def _lines_between(finding: Finding, facts: Sequence[Finding]) -> int:
    lines = finding.lines
    lines_of_facts = [fact.lines for fact in facts]
    starts = [cited.start for cited in lines_of_facts if cited.file == lines.file]
    gaps = [abs(start - lines.start) for start in starts]
    # Other files come after everything in this one.
    return min(gaps, default=1_000_000)


def human_words(statement: Statement) -> str:
    """Give what a docstring or comment says; empty for other statements."""
    match statement:
        case Described(text=words) | Commented(words=words) | ModulePurpose(text=words):
            return words
        case _:
            return ""


def distinct(findings: Iterable[Finding]) -> list[Finding]:
    """Leave out what is said a second time."""
    by_sentence: dict[str, Finding] = {}
    for finding in findings:
        by_sentence.setdefault(finding.statement.sentence(), finding)
    return list(by_sentence.values())
