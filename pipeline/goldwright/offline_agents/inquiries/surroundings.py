"""What several inquiries say about a function beside their own reason."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, cast

from goldwright.code_reading.modules import Module
from goldwright.code_reading.name_uses import uses_of
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.inquiry import AnswerPart, Lead
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding, Statement, findings_of
from goldwright.path_conditions import Condition, Path
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent, IntentKind, Role, TaskType

# More names are no sentence that anybody takes in.
MOST_NAMED_CALLERS: Final = 4

# Values that others fill, or take the place of.
EMPTY_VALUES: Final = frozenset({"[]", "{}", "()", '""', "''", "set()", "list()", "dict()", "None"})
_NAME: Final = re.compile(r"(?<![\w.\"'])(?:self\.)?[^\W\d]\w*")


def find_statements(
    code: CodeContext, entity_id: str, kinds: Sequence[type[Statement]]
) -> Iterator[Finding]:
    """Find the statements of some kinds in a function, kind by kind."""
    opened = code.function(entity_id)
    if opened is None:
        return
    module, function = opened
    for kind in kinds:
        yield from findings_of(kind, module, name_of(entity_id), function)


def origins(code: CodeContext, entity_id: str, path: Path, lines: FileRange) -> Iterator[Finding]:
    """Find where the names come from that conditions speak of: what was assigned, what is given.

    Args:
        code: The codebase.
        entity_id: The function.
        path: The conditions.
        lines: The lines that are reached under them; what is assigned below does not count.
    """
    names = {name for condition in path for name in _NAME.findall(condition.code)}
    candidates = list(find_statements(code, entity_id, (Assigned, ParameterDefault)))
    for finding in candidates:
        match finding.statement:
            case Assigned(target=target, value=value, targets=targets) if names & {*targets}:
                # What starts empty is filled by other statements, and those decide; a value that is
                # only kept under its own name explains nothing.
                own_name = target.rpartition(".")[2]
                is_plain = value in EMPTY_VALUES or value == own_name
                is_above = finding.lines.end < lines.start
                is_replaced = _is_replaced(finding, targets, candidates, lines)
                if is_above and not is_plain and not is_replaced:
                    yield finding
            case ParameterDefault(parameter=parameter, default=default):
                # It explains a condition only where leaving the argument out decides it.
                if default == "None" and _tests_for_none(parameter, path):
                    yield finding
            case _:
                continue


def sources_of(code: CodeContext, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Find what the names stand for that results and conditions hang on: what they are set to.

    Args:
        code: The codebase.
        findings: Statements about one function.

    Returns:
        Assignments, each once, those of the first statement first.
    """
    sources: dict[Finding, None] = {}
    for finding in findings:
        path = finding.statement.conditions
        match finding.statement:
            case Returned(value=value) if value.isidentifier():
                path = (*path, Condition("if", value))
            case _:
                pass
        for origin in origins(code, finding.entity_id, path, finding.lines):
            if isinstance(origin.statement, Assigned) and origin not in findings:
                sources.setdefault(origin)
    return tuple(sources)


def _is_replaced(
    source: Finding, targets: Sequence[str], candidates: Sequence[Finding], lines: FileRange
) -> bool:
    """Find out whether another value is given on every way from an assignment to some lines."""
    path = source.statement.conditions
    for later in candidates:
        is_below = source.lines.end < later.lines.start
        is_above = later.lines.end < lines.start
        match later.statement:
            case Assigned(targets=later_targets, path=around) if is_below and is_above:
                if {*targets} <= {*later_targets} and path[: len(around)] == around:
                    return True
            case _:
                continue
    return False


def _tests_for_none(parameter: str, path: Path) -> bool:
    tests = {condition.code for condition in path}
    tests_for_none = {parameter, f"{parameter} is None", f"{parameter} is not None"}
    return not tests.isdisjoint(tests_for_none)


def place_of(code: CodeContext, entity_id: str) -> Iterator[Finding]:
    """State in which file a function, class or table is defined."""
    entity = code.snapshot.entity(entity_id)
    if entity is not None:
        first = entity.spans[0].first
        lines = FileRange(file=entity.path, start=first, end=first)
        definition = DefinedIn(entity.name, entity.path)
        yield Finding(definition, entity_id, lines)


def class_headers(code: CodeContext, class_ids: Sequence[str]) -> tuple[FileRange, ...]:
    """Give the lines on which classes say what they derive from."""
    headers: list[FileRange] = []
    for module, name in opened_classes(code, class_ids):
        node = module.class_definition(name)
        if node is not None:
            line = node.lineno
            headers.append(FileRange(file=module.path, start=line, end=line))
    return tuple(headers)


def other_outcomes(code: CodeContext, finding: Finding) -> Iterator[Finding]:
    """Find what else the same function raises or returns: not this, and easily taken for it."""
    for outcome in find_statements(code, finding.entity_id, (Raises, Returned)):
        if outcome.statement != finding.statement:
            yield outcome


def callers_of(code: CodeContext, entity_id: str, targets: Sequence[str]) -> Finding | None:
    """State who calls a function.

    Returns:
        None where the callers are not all known, or are not among the targets of the question: an
        answer names nothing that it does not expect.
    """
    callers = code.closed_callers(entity_id)
    if callers is not None and not set(callers) <= set(targets):
        return None
    entity = code.snapshot.entity(entity_id)
    # Where nothing calls it by name something else does: a framework, a base class, a table.
    if not callers or entity is None:
        return None
    names = tuple(map(name_of, callers))
    # Two callers of one name cannot be told apart in a sentence.
    if len(set(names)) < len(names) or len(names) > MOST_NAMED_CALLERS:
        return None
    span = entity.spans[0]
    lines = FileRange(file=entity.path, start=span.first, end=span.last)
    calls: list[FileRange] = []
    for caller in callers:
        calls.extend(calls_in(code, caller, entity_id))
    only_callers = OnlyCallers(name_of(entity_id), names)
    return Finding(only_callers, entity_id, lines, elsewhere=tuple(calls))


def calls_in(code: CodeContext, caller: str, callee: str) -> list[FileRange]:
    """List the lines on which a function calls another one."""
    path = path_of(caller)
    owner = name_of(caller)
    lines: list[FileRange] = []
    for use in uses_of(code.snapshot, [path], called_name(callee)):
        is_own_call = use.kind == "call" and use.owner == owner
        if is_own_call and use.line not in namesake_lines(code, caller, callee):
            lines.append(FileRange(file=path, start=use.line, end=use.line))
    return lines


def namesake_lines(code: CodeContext, caller: str, callee: str) -> frozenset[int]:
    """Give the lines on which a function calls something else that goes by the name of a callee.

    Two objects may be asked for their ``parse``, of which only one is of the class that is meant.
    """
    meant = callee.removesuffix(".__init__")
    name = called_name(callee)
    own_lines: set[int] = set()
    other_lines: set[int] = set()
    for site in code.snapshot.graph.callees(caller):
        called = site.entity_id.removesuffix(".__init__")
        if called == meant:
            own_lines.add(site.line)
        elif called_name(called) == name:
            other_lines.add(site.line)
    return frozenset(other_lines - own_lines)


def called_name(entity_id: str) -> str:
    """Give the last name in a call of a function; objects are made by the name of their class."""
    *outer, name = name_of(entity_id).split(".")
    if name == "__init__" and outer:
        return outer[-1]
    return name


def opened_classes(code: CodeContext, class_ids: Sequence[str]) -> list[tuple[Module, str]]:
    """Open the files of classes, each with the name of its class; but for those nobody can read."""
    opened: list[tuple[Module, str]] = []
    for class_id in class_ids:
        module = code.module(path_of(class_id))
        if module is not None:
            opened.append((module, name_of(class_id)))
    return opened


def each_once(*groups: Iterable[str]) -> tuple[str, ...]:
    """Give the ids of some groups in their order, each of them once."""
    return tuple(dict.fromkeys(chain.from_iterable(groups)))


def with_its_file(entity_id: str) -> str:
    """Name a definition together with its file."""
    name, path = name_of(entity_id), path_of(entity_id)
    return f"`{name}` in `{path}`"


def inside_sentence(sentence: str) -> str:
    """Write a sentence as it stands behind a colon, without the capital at its beginning."""
    return sentence[:1].lower() + sentence[1:]


def lead_of_definition(
    kind: str, entity_id: str, node: ast.stmt, detail: str = "", words: str = ""
) -> Lead:
    """Make a lead of all lines of a definition."""
    last = node.end_lineno or node.lineno
    return Lead(kind, entity_id, node.lineno, last, detail, words)


def intent_of(lead: Lead, settles: tuple[str, ...], *, detail: str | None = None) -> Intent:
    """Make the intent of a question out of its lead; its detail is the lead's if none is given."""
    lines = FileRange(file=path_of(lead.subject), start=lead.first, end=lead.last)
    kind = cast("IntentKind", lead.kind)
    told_by = lead.detail if detail is None else detail
    return Intent(kind=kind, subject=lead.subject, lines=lines, detail=told_by, settles=settles)


def expectation_of_general(cell: Cell, task_type: TaskType) -> TaskType | None:
    """Give what a classifier takes a question of the general type for; None in other cells."""
    return task_type if cell.task_type == "general" else None


def answer_part(entity_id: str, role: Role, deed: str) -> AnswerPart:
    """Say of an entity of an answer what its part in it is: what stands behind its name."""
    name = name_of(entity_id)
    return AnswerPart(entity_id, role, f"`{name}` {deed}.")


def answer_parts(
    subject: str,
    targets: Sequence[str],
    *,
    subject_does: str,
    others_do: str,
    others_role: Role = "supporting",
) -> tuple[AnswerPart, ...]:
    """List the entities of an answer, the subject first, each with its part in it.

    The others are primary too where the question asks for all of them.
    """
    others = [target for target in targets if target != subject]
    subject_part = answer_part(subject, "primary", subject_does)
    other_parts = [answer_part(entity_id, others_role, others_do) for entity_id in others]
    return (subject_part, *other_parts)


def asked_parts(
    given: Sequence[str], targets: Sequence[str], *, asked_do: str, given_is: str
) -> tuple[AnswerPart, ...]:
    """List the entities of an answer of which some are what a question describes.

    Who asks for the callers of a function wants these: whoever finds only what was described to
    him has not answered.
    """
    asked = [target for target in targets if target not in given]
    described = [target for target in targets if target in given]
    primary_parts = [answer_part(entity_id, "primary", asked_do) for entity_id in asked]
    supporting_parts = [answer_part(entity_id, "supporting", given_is) for entity_id in described]
    return (*primary_parts, *supporting_parts)


def finding_at(
    code: CodeContext, intent: Intent, kinds: Sequence[type[Statement]]
) -> Finding | None:
    """Find the statement on the lines of an intent; None where there is none of these kinds."""
    for finding in find_statements(code, intent.subject, kinds):
        if finding.lines == intent.lines:
            return finding
    return None


def callers_of_all(code: CodeContext, callers: Sequence[str], most: int) -> Iterator[str]:
    """Yield the callers of some functions, so many of each at most, where they are all known."""
    for caller in callers:
        yield from (code.closed_callers(caller) or ())[:most]
