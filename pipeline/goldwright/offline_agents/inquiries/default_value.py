"""Why asked: something may be left out. Asked: what is taken in its place, and what comes of it."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar, Final

from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.answer_limits import MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of
from goldwright.offline_agents.inquiries import consequences
from goldwright.offline_agents.inquiries.bonds import are_joined
from goldwright.offline_agents.inquiries.easy_conditions import is_easily_said
from goldwright.offline_agents.inquiries.effects import (
    calls_among,
    denials,
    descriptions,
    effects_with,
    follow,
    near,
)
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan, Inquiry, Lead, Question
from goldwright.offline_agents.inquiries.outside_names import noun_of, users_of
from goldwright.offline_agents.inquiries.surroundings import (
    answer_parts,
    find_statements,
    intent_of,
    with_its_file,
)
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.condition_phrases import describe_conditions
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.falls_back import FallsBack
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.statement import Finding, Statement
from goldwright.path_conditions import Condition
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent

MOST_CALLERS: Final = 3
# What is done with it is told by so many statements: the next ones have less to do with it.
MOST_USES: Final = 2
# What stands for "nothing" as a default says nothing.
_NOTHING: Final = frozenset(
    """None '' "" {} [] () False 0 b'' b"" set() frozenset() dict() list() tuple()""".split()
)

# Names that hold the text of an error until it is raised.
_MESSAGE_NAME: Final = re.compile(r"(?:\w+_)?(?:msg|message)")
_PARAMETER: Final = (
    "What does `{name}` use if `{missing}` is not given, and for what?",
    "What happens if I call `{name}` without `{missing}`?",
    "Which value does `{name}` use for `{missing}` by default, and what is done with it?",
    "Is the `{missing}` argument of `{name}` optional, and what is it used for?",
    "How does `{name}` handle a missing `{missing}`?",
    "If I don't pass `{missing}` to `{name}`, what is used instead, and for what?",
    "Where does `{name}` get `{missing}` from if I don't pass it, and what is it for?",
    "When `{missing}` is left out, what does `{name}` use, and for what?",
    "Can I call `{name}` without `{missing}`, and what happens then?",
    "Explain what `{name}` does when `{missing}` is not passed.",
)
_NAME: Final = (
    "What is the default for the {noun} {missing}, and what is it used for?",
    "What happens if the {noun} {missing} is not set?",
    "Which value is used when the {noun} {missing} is not set?",
    "Is the {noun} {missing} required, or is there a default?",
    "Does the {noun} {missing} have a default, and what is it used for?",
    "If the {noun} {missing} is missing, what does the code use instead?",
    "How does the code handle a missing {missing} {noun}?",
    "Can I leave out the {noun} {missing}, and what is used then?",
    "Without the {noun} {missing}, what does the code fall back to?",
    "When the {missing} {noun} is not set, what is used instead?",
)
_NAME_WITH_CALLERS: Final = (
    "What is the default for the {noun} {missing}, and who calls the code that applies it?",
    "If the {noun} {missing} is not set, what is used instead, and who calls that code?",
    "Where is the default for the {noun} {missing} applied, and who calls that code?",
    "Which value is used without the {noun} {missing}, and which functions call that code?",
    "Who calls the code that reads the {noun} {missing}, and what does it use if that is not set?",
    "How does the code handle a missing {missing} {noun}, and who calls it?",
    "When the {missing} {noun} is not set, what is used, and which functions call that code?",
    "Does the {noun} {missing} have a default? Which code applies it, and who calls that code?",
)


class DefaultValue(Inquiry):
    """What is taken where nothing is given?"""

    kind: ClassVar[str] = "default_value"
    cells: ClassVar[tuple[Cell, ...]] = (Cell("explain", "easy"), Cell("explain", "medium"))

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield parameters and names from outside that are replaced where they are missing."""
        for name in module.definitions:
            function = module.function(name)
            if function is None:
                continue
            parameters = _optional_parameters(module, name)
            entity_id = f"{module.path}::{name}"
            names_seen: set[str] = set()
            for fallback in _fallbacks(module, name):
                missing = _missing(fallback)
                is_outside = _noun(fallback) != ""
                if missing and missing not in names_seen and (missing in parameters or is_outside):
                    names_seen.add(missing)
                    lines = fallback.lines
                    yield Lead(self.kind, entity_id, lines.start, lines.end, missing, "")

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask what is taken in one function, and who gets it from there."""
        subject = lead.subject
        opened = code.function(subject)
        if opened is None:
            return
        fallbacks = _fallbacks_for(lead.detail, opened[0], subject)
        if not fallbacks:
            return
        noun = _noun(fallbacks[0])
        # Another reader may have another default.
        if noun and users_of(code, lead.detail.strip("\"'"), noun) != (lead.subject,):
            return
        literal = lead.detail.strip("\"'")
        # A class is called by its own name.
        name = name_of(lead.subject).removesuffix(".__init__")
        slots = {"name": name, "missing": literal, "noun": noun}
        settles = ("what is taken", "under which condition", "what becomes of it")
        callers = code.closed_callers(lead.subject) or ()
        rows: list[tuple[Cell, tuple[str, ...], tuple[str, ...]]] = []
        phrasings_alone = _NAME if noun else _PARAMETER
        rows.append((self.cells[0], (subject,), phrasings_alone))
        if noun and 1 <= len(callers) <= MOST_CALLERS:
            rows.append((self.cells[1], (subject, *callers), _NAME_WITH_CALLERS))
        for cell, targets, phrasings in rows:
            if are_joined(code, targets, by_calls=True):
                yield Question(
                    cell=cell,
                    phrasings=phrasings,
                    slots=slots,
                    targets=targets,
                    intent=intent_of(lead, settles),
                    score=0.65,
                    rationale="The default and what is done with it stand in the function.",
                )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State what is taken, when, and what is done with it."""
        opened = code.function(intent.subject)
        if opened is None:
            return None
        fallbacks = _fallbacks_for(intent.detail, opened[0], intent.subject)
        if not fallbacks:
            return None
        fallback = fallbacks[0]
        declared = list(_declarations(code, intent.subject, intent.detail))
        pattern = rf"(?<![\w.\"']){re.escape(intent.detail)}(?!\w)"
        effects = list(effects_with(code, intent.subject, pattern))
        holding = [effect for effect in effects if _is_in(fallback, effect)]
        followed = list(follow(code, holding))
        last_line = fallback.lines.end
        later = [effect for effect in effects if effect.lines.start > last_line]
        # Where it gets the name of what is missing, there is nothing more to tell of that.
        renamed = [effect for effect in holding if not _is_named(effect, intent.detail)]
        known = [*fallbacks, *holding, *renamed]
        becomes = _distinct([*renamed, *followed, *later], known)
        becomes = [*_distinct(renamed, fallbacks), *becomes]
        becomes = [effect for effect in becomes if _is_plain_use(effect.statement)]
        callers = calls_among(code, intent.subject, targets)
        # That it is put into a name says no more than that it is taken.
        if not set(becomes) - set(holding) or callers is None:
            return None
        uses = becomes[:MOST_USES]
        facts = [*fallbacks, *declared, *uses, *callers]
        effects_nearby = near(code, intent.subject, fallback.lines)
        defaults = find_statements(code, intent.subject, (FallsBack, ParameterDefault))
        return AnswerPlan(
            said_in_opening=1 + (len(declared) if _is_set(fallback) else 0),
            affirms=True,
            spare=consequences.SAME_AS_NONE if _is_none(declared) else "",
            parts=answer_parts(
                intent.subject, targets, subject_does="takes the default", others_do="gets it"
            ),
            opening=_opening(intent, fallback, declared),
            facts=tuple(facts[:MOST_FACTS]),
            context=(*becomes, *descriptions(code, intent.subject), *effects_nearby),
            neighbours=tuple(find_statements(code, intent.subject, (FallsBack,))),
            falsehoods=tuple(
                _falsehoods(fallback, declared, becomes, (*defaults, *effects_nearby))
            ),
        )


def _declarations(code: CodeContext, subject: str, parameter: str) -> Iterator[Finding]:
    """Find what a function declares as the default of a parameter."""
    for declaration in find_statements(code, subject, (ParameterDefault,)):
        statement = declaration.statement
        if isinstance(statement, ParameterDefault) and statement.parameter == parameter:
            yield declaration


def _is_none(declared: Sequence[Finding]) -> bool:
    statements = [finding.statement for finding in declared]
    parameters = [statement for statement in statements if isinstance(statement, ParameterDefault)]
    return [parameter.default for parameter in parameters] == ["None"]


def _fallbacks(module: Module, name: str) -> Iterator[Finding]:
    """Find defaults that say something, in expressions and behind a test for ``None``."""
    function = module.function(name)
    if function is None:
        return
    for fallback in FallsBack.find(module, name, function):
        statement = fallback.statement
        is_telling = isinstance(statement, FallsBack) and statement.default not in _NOTHING
        # What is taken on one way alone is not what is taken.
        if is_telling and _is_always_reached(fallback, module, function):
            yield fallback
    for assignment in Assigned.find(module, name, function):
        statement = assignment.statement
        if not isinstance(statement, Assigned) or statement.value in _NOTHING:
            continue
        tests = {condition.code for condition in statement.path if condition.kind == "if"}
        tests |= {f"not {test.code}" for test in statement.path if test.kind == "unless"}
        target = statement.target
        if len(statement.path) == 1 and tests & {f"{target} is None", f"not {target}"}:
            yield assignment


def _is_always_reached(fallback: Finding, module: Module, function: Function) -> bool:
    """Find out whether a function comes to the statement of a default under no condition."""
    statements = statements_of(function, module.text)
    around = [reached for reached in statements if _is_around(reached.node, fallback.lines)]
    if not around:
        return False
    innermost = max(around, key=lambda reached: reached.node.lineno)
    return innermost.path == ()


def _is_around(node: ast.stmt, lines: FileRange) -> bool:
    """Find out whether a statement stands around some lines of its file, or on them."""
    last_line = node.end_lineno or node.lineno
    return node.lineno <= lines.start and lines.end <= last_line


def _missing(fallback: Finding) -> str:
    """Name what may be missing: an expression, or the key that a container lacks."""
    match fallback.statement:
        case FallsBack(key="", missing=missing):
            return missing
        case FallsBack(key=key):
            # A key under some name may be any key.
            return key if key[0] in "\"'" else ""
        case Assigned(target=target):
            return target
        case _:
            return ""


def _optional_parameters(module: Module, name: str) -> set[str]:
    function = module.function(name)
    if function is None:
        return set()
    parameters: set[str] = set()
    for finding in ParameterDefault.find(module, name, function):
        statement = finding.statement
        if isinstance(statement, ParameterDefault) and statement.default == "None":
            parameters.add(statement.parameter)
    return parameters


def _noun(fallback: Finding) -> str:
    """Say what sort of name from outside is missing; empty for anything else."""
    match fallback.statement:
        case FallsBack(key=key, missing=container, how="lookup"):
            literal = key.strip("\"'")
            receiver = container.rpartition(".")[2]
            return noun_of(literal, receiver) if literal != key else ""
        case _:
            return ""


def _fallbacks_for(missing: str, module: Module, subject: str) -> list[Finding]:
    """Find the default for one thing; none where something else is put in its place as well."""
    name = name_of(subject)
    function = module.function(name)
    all_fallbacks = _fallbacks(module, name)
    fallbacks = [fallback for fallback in all_fallbacks if _missing(fallback) == missing]
    if function is None or len(fallbacks) != 1:
        return []
    for assignment in Assigned.find(module, name, function):
        if _is_named(assignment, missing) and not _is_in(fallbacks[0], assignment):
            return []
    return fallbacks


def _falsehoods(
    fallback: Finding,
    declared: Sequence[Finding],
    becomes: Sequence[Finding],
    neighbours: Sequence[Finding],
) -> Iterator[Finding]:
    """Deny the default: nothing is put in its place; and what becomes of it."""
    statement = fallback.statement
    if isinstance(statement, FallsBack):
        defaults = [_default_of(neighbour.statement) for neighbour in neighbours]
        # The default of another parameter is mixed up easily, but not more than once.
        for default in [
            value for value in defaults if value not in _NOTHING | {"", statement.default}
        ][:1]:
            wrong: Statement = replace(statement, default=default)
            yield Finding(wrong, fallback.entity_id, fallback.lines)
        yield from list(denials(becomes, neighbours))[:2]
    else:
        # Whoever sees the test of an argument may think that it refuses what is missing.
        for declaration in declared:
            if isinstance(declaration.statement, ParameterDefault):
                yield declaration.refuting(replace(declaration.statement, default=""))
        first_effects = [fallback, *becomes[:1]]
        yield from list(denials(first_effects, neighbours))[:2]


def _default_of(statement: Statement) -> str:
    """Give a default by its name or value; empty for one that is worked out."""
    if not isinstance(statement, FallsBack | ParameterDefault):
        return ""
    return "" if re.search(r"[ (]", statement.default) else statement.default


def _is_plain_use(statement: Statement) -> bool:
    """Find out whether people understand it, and it is no step to the text of an error."""
    is_message = isinstance(statement, Assigned) and _MESSAGE_NAME.fullmatch(statement.target)
    return not is_message and is_easily_said(statement.conditions)


def _is_named(effect: Finding, missing: str) -> bool:
    statement = effect.statement
    return isinstance(statement, Assigned) and statement.target == missing


def _is_in(fallback: Finding, effect: Finding) -> bool:
    return effect.lines.contains(fallback.lines)


def _distinct(findings: Sequence[Finding], facts: Sequence[Finding]) -> list[Finding]:
    by_statement = {finding.statement: finding for finding in findings}
    statements = {finding.statement for finding in facts}
    return [finding for key, finding in by_statement.items() if key not in statements]


def _is_set(fallback: Finding) -> bool:
    return isinstance(fallback.statement, Assigned)


def _opening(intent: Intent, fallback: Finding, declared: Sequence[Finding]) -> str:
    """Say what is taken instead; of a parameter with what it is by default."""
    place = with_its_file(intent.subject)
    noun = _noun(fallback)
    missing = f"`{intent.detail}`"
    if noun:
        missing = f"the {noun} {missing}"
    if isinstance(fallback.statement, FallsBack):
        default = fallback.statement.default
        return f"Without {missing}, {place} takes `{default}`."
    conditions = describe_conditions(fallback.statement.conditions)
    deed = f"{predicate_of(fallback.statement)} {conditions}"
    for declaration in declared:
        if isinstance(declaration.statement, ParameterDefault):
            default = declaration.statement.default
            consequence = _then(fallback, place)
            return f"{missing} defaults to `{default}`, and {consequence}."
    return f"Without {missing}, {place} {deed}."


def _then(fallback: Finding, place: str) -> str:
    """Say what is done about a missing argument, by the test that finds that it is."""
    statement = fallback.statement
    assert isinstance(statement, Assigned)  # noqa: S101  # the other kind has no test
    deed = predicate_of(statement)
    match statement.path:
        case (Condition(kind="if", code=code),) if code == f"{statement.target} is None":
            return f"then {place} {deed}"
        case (Condition(kind="unless", code=code),) if code == statement.target:
            return f"where it is falsy, {place} {deed}"
        case _:
            conditions = describe_conditions(statement.conditions)
            return f"{place} {deed} {conditions}"
