"""Where errors are raised, and what becomes of errors that are caught."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from goldwright.code_reading.child_nodes import contains, own_nodes
from goldwright.code_reading.conditions import statements_of
from goldwright.code_reading.messages import filled_template, message_template
from goldwright.code_reading.modules import Function, Module, kept_with_tree
from goldwright.path_conditions import Path

HandlerOutcome = Literal[
    "ignored",  # the body does nothing
    "skipped",  # the next turn of a loop
    "left",  # the end of a loop
    "logged",  # a message is written, and nothing else
    "returned",  # the function returns ``value``
    "replaced",  # ``value`` is assigned, and the function goes on
    "translated",  # ``value``, another error, is raised
    "reraised",  # the same error is raised again
    "handled",  # anything else
]

# Under these names errors of frameworks take what people read.
_MESSAGE_KEYWORDS: Final = frozenset({"description", "detail", "message", "msg", "reason"})
_LOGGING: Final = re.compile(
    r"(?:^|[._])(?:log|logger|logging|warnings?|console)\w*\.(?:debug|info|warn|warning|error|"
    r"exception|critical|log)$|^(?:warnings\.)?warn$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class RaiseSite:
    """A ``raise`` of a new error.

    Attributes:
        exception: The class, as written.
        message: Its message with gaps; empty where it has none that is written out.
        path: The whole condition under which it is reached; None where that is unclear.
        first, last: Its lines.
        message_first, message_last: The lines above it that give the message a name; 0 where it
            stands in the ``raise`` itself.
    """

    exception: str
    message: str
    path: Path | None
    first: int
    last: int
    message_first: int = 0
    message_last: int = 0


@dataclass(frozen=True, slots=True)
class HandlerSite:
    """An ``except`` clause.

    Attributes:
        caught: The classes that it catches, as written; ``BaseException`` for a bare one.
        outcome: What becomes of the error.
        value: What is returned, assigned or raised instead, as written; empty for nothing.
        target: What is assigned to, where something is.
        guarded_calls: The calls inside the ``try``, as written.
        path: The whole condition under which the ``try`` is reached; None where that is unclear.
        first, last: The lines of the clause.
        try_first: The line of the ``try``.
    """

    caught: tuple[str, ...]
    outcome: HandlerOutcome
    value: str
    target: str
    guarded_calls: tuple[str, ...]
    path: Path | None
    first: int
    last: int
    try_first: int


@kept_with_tree
def raise_sites(module: Module, function: Function) -> tuple[RaiseSite, ...]:
    """List the errors that a function raises itself, in the order of their lines."""
    sites = []
    above: ast.stmt | None = None
    for reached in statements_of(function, module.text):
        node = reached.node
        if isinstance(node, ast.Raise) and node.exc is not None:
            exception = exception_name(node.exc, module)
            if exception:
                site = RaiseSite(
                    exception,
                    _message(node.exc),
                    reached.path,
                    node.lineno,
                    node.end_lineno or node.lineno,
                )
                sites.append(site if site.message else _with_named_message(site, node, above))
        above = node
    return tuple(sites)


@kept_with_tree
def handler_sites(module: Module, function: Function) -> tuple[HandlerSite, ...]:
    """List the ``except`` clauses of a function, in the order of their lines."""
    sites: list[HandlerSite] = []
    for reached in statements_of(function, module.text):
        if isinstance(reached.node, ast.Try | ast.TryStar):
            sites.extend(_handlers(module, reached.node, reached.path))
    return tuple(sites)


def exception_name(node: ast.expr, module: Module) -> str:
    """Name the class of a raised expression; empty for a variable and anything made elsewhere."""
    raised = node.func if isinstance(node, ast.Call) else node
    if not isinstance(raised, ast.Name | ast.Attribute):
        return ""
    name = module.text.of(raised)
    simple_name = name.rpartition(".")[2].lstrip("_")
    # Classes are written with a capital; a lower-case name is a variable or a factory.
    return name if simple_name[:1].isupper() else ""


def caught_names(handler: ast.ExceptHandler, module: Module) -> tuple[str, ...]:
    """List the classes that a clause catches, as written."""
    if handler.type is None:
        return ("BaseException",)
    if isinstance(handler.type, ast.Tuple):
        return tuple(module.text.of(element) for element in handler.type.elts)
    return (module.text.of(handler.type),)


def _message(node: ast.expr) -> str:
    if not isinstance(node, ast.Call):
        return ""
    named = [word.value for word in node.keywords if word.arg in _MESSAGE_KEYWORDS]
    # A class of errors may put further arguments into its message.
    is_filled = len(node.args) + len(node.keywords) > 1
    read = filled_template if is_filled else message_template
    arguments = (*node.args, *named)
    messages = (read(argument) for argument in arguments)
    # One word may as well be a name or a kind that the error makes its message of.
    telling = (message for message in messages if message and " " in message.strip())
    return next(telling, "")


def _with_named_message(site: RaiseSite, node: ast.Raise, above: ast.stmt | None) -> RaiseSite:
    """Read the message of an error where the line above gives it a name: ``msg = "…"``."""
    match node.exc, above:
        case (
            ast.Call(args=arguments),
            ast.Assign(targets=[ast.Name(id=name)], value=value, end_lineno=int(last)),
        ) if any(isinstance(each, ast.Name) and each.id == name for each in arguments):
            # Right above and as far in, it stands in the same block.
            is_right_above = last + 1 == node.lineno and above.col_offset == node.col_offset
            message = message_template(value) or ""
            if is_right_above and " " in message:
                return replace(site, message=message, message_first=above.lineno, message_last=last)
    return site


def _handlers(
    module: Module, node: ast.Try | ast.TryStar, path: Path | None
) -> Iterator[HandlerSite]:
    calls = [inner for inner in own_nodes(node.body) if isinstance(inner, ast.Call)]
    names = [module.text.of(call.func) for call in calls]
    guarded_calls = tuple(name for name in dict.fromkeys(names) if name)
    for handler in node.handlers:
        outcome, value, target = _outcome(handler.body, module)
        last_line = handler.end_lineno or handler.lineno
        yield HandlerSite(
            caught=caught_names(handler, module),
            outcome=outcome,
            value=value,
            target=target,
            guarded_calls=guarded_calls,
            path=path,
            first=handler.lineno,
            last=last_line,
            try_first=node.lineno,
        )


def _outcome(  # noqa: C901, PLR0911  # one arm a statement
    body: Sequence[ast.stmt], module: Module
) -> tuple[HandlerOutcome, str, str]:
    """Tell what becomes of an error, by what the clause does beside logging."""
    acting = [statement for statement in body if not _is_logging(statement, module)]
    acting = [statement for statement in acting if not _is_idle(statement)]
    if not acting:
        is_idle = len(body) == 1 and _is_idle(body[0])
        return ("ignored" if is_idle else "logged"), "", ""
    if len(acting) > 1:
        return ("reraised" if _ends_raising(acting) else "handled"), "", ""
    match acting[0]:
        case ast.Return(value=None):
            return "returned", "None", ""
        case ast.Return(value=ast.expr() as value):
            return "returned", module.text.of(value), ""
        case ast.Continue():
            return "skipped", "", ""
        case ast.Break():
            return "left", "", ""
        case ast.Raise(exc=None):
            return "reraised", "", ""
        case ast.Raise(exc=ast.expr() as raised):
            name = exception_name(raised, module)
            return ("translated", name, "") if name else ("handled", "", "")
        case ast.Assign(targets=[target], value=value):
            return "replaced", module.text.of(value), module.text.of(target)
        case _:
            return "handled", "", ""


def _ends_raising(acting: Sequence[ast.stmt]) -> bool:
    """Find out whether an error is raised again in the end, and nothing leaves before that."""
    *earlier, last = acting
    if not isinstance(last, ast.Raise) or last.exc is not None:
        return False
    return not contains(earlier, ast.Return, ast.Raise, ast.Continue, ast.Break)


def _is_idle(statement: ast.stmt) -> bool:
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.Pass) or is_text


def _is_logging(statement: ast.stmt, module: Module) -> bool:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    called = module.text.of(statement.value.func)
    return _LOGGING.search(called) is not None
