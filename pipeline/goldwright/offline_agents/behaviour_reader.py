"""Reading a definition's source by ``ast`` into behaviours."""

import ast
from collections.abc import Sequence
from typing import Final

from goldwright.offline_agents.behaviour_text import (
    SourcePage,
    message_of,
    multi_line_strings,
    summary_of,
    tidy_message,
    whole_line_comments,
)
from goldwright.offline_agents.behaviours import (
    Behaviour,
    BehaviourKind,
    DefinitionReading,
    PathCondition,
)
from goldwright.offline_agents.condition_wording import negate
from goldwright.offline_agents.tree_walks import Function, certain_calls, own_statements, read_names
from goldwright.snapshot.entities import Span

LOG_METHODS: Final = frozenset(
    {"debug", "info", "warning", "warn", "error", "exception", "critical", "msg"}
)
LOGGERS: Final = frozenset({"log", "logger", "logging", "_logger", "_log", "LOG", "LOGGER"})
_STATEMENTS: Final[dict[str, tuple[type[ast.stmt], ...]]] = {
    "raise": (ast.Raise,),
    "try": (ast.Try, ast.TryStar),
    "if": (ast.If,),
    "for": (ast.For, ast.AsyncFor, ast.While),
    "return": (ast.Return,),
}
_SILENT: Final = (ast.Pass, ast.Continue, ast.Break)


def read_definition(page: SourcePage, name: str) -> DefinitionReading | None:
    """Read the one definition that the lines of a page hold, at any indentation.

    Returns:
        ``None`` when this interpreter's grammar does not know the lines, or they define nothing.
    """
    indented = page.lines[0][:1] in " \t"
    source = "\n".join(["if 1:", *page.lines] if indented else page.lines)
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    ast.increment_lineno(tree, page.first - (2 if indented else 1))
    body = tree.body[0].body if indented and isinstance(tree.body[0], ast.If) else tree.body
    return _definition(body[0], page, name) if body else None


def _from(first: ast.stmt | ast.expr | ast.excepthandler, last: ast.expr | ast.pattern) -> Span:
    """Give the lines from where one node begins to where another one ends."""
    return Span(first.lineno, last.end_lineno or last.lineno)


def _definition(node: ast.stmt, page: SourcePage, name: str) -> DefinitionReading | None:
    if isinstance(node, Function):
        return _function(node, page, name)
    if isinstance(node, ast.ClassDef):
        return _class(node, page, name)
    return _variable(node, page, name)


def _function(node: Function, page: SourcePage, name: str) -> DefinitionReading:
    walker = _BehaviourWalker(page, name)
    walker.signature(node)
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    walker.block(body, ())
    walker.absences(node, body)
    for statement in body:
        walker.references(statement)
    last = node.end_lineno or node.lineno
    arguments = node.args
    names = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    comments = (
        whole_line_comments(page, node.lineno, last, multi_line_strings(node))
        if _has_comment(page, node.lineno, last)
        else ()
    )
    return DefinitionReading(
        name=name,
        kind="function",
        first=_first_line(node),
        last=last,
        parameters=tuple(one.arg for one in names if one.arg not in {"self", "cls"}),
        summary=summary_of(ast.get_docstring(node)),
        comments=tuple(comments),
        behaviours=tuple(walker.found),
        is_async=isinstance(node, ast.AsyncFunctionDef),
        is_generator=any(one.kind == "yields" for one in walker.found),
    )


def _has_comment(page: SourcePage, first: int, last: int) -> bool:
    return any(page.line(number).lstrip().startswith("#") for number in range(first, last + 1))


def _class(node: ast.ClassDef, page: SourcePage, name: str) -> DefinitionReading:
    walker = _BehaviourWalker(page, name)
    walker.decorators(node)
    for base in node.bases:
        walker.emit("inherits", base, page.text(base), last=base.end_lineno)
    members: list[DefinitionReading] = []
    for one in node.body:
        if isinstance(one, Function):
            members.append(_function(one, page, f"{name}.{one.name}"))
            walker.emit(
                "abstract" if _is_abstract(one) else "defines", one, one.name, last=one.lineno
            )
        elif isinstance(one, ast.Assign | ast.AnnAssign):
            walker.class_attribute(one)
    return DefinitionReading(
        name=name,
        kind="class",
        first=_first_line(node),
        last=node.end_lineno or node.lineno,
        summary=summary_of(ast.get_docstring(node)),
        behaviours=tuple(walker.found),
        members=tuple(members),
    )


def _variable(node: ast.stmt, page: SourcePage, name: str) -> DefinitionReading:
    walker = _BehaviourWalker(page, name)
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) else None
    if value is not None:
        walker.value(value)
        walker.emit("placed", node, "class" if "." in name else "module")
    last = node.end_lineno or node.lineno
    return DefinitionReading(name, "variable", node.lineno, last, behaviours=tuple(walker.found))


def _first_line(node: Function | ast.ClassDef) -> int:
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])


def _is_abstract(node: Function) -> bool:
    if any("abstractmethod" in ast.unparse(one) for one in node.decorator_list):
        return True
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    return (
        len(body) == 1
        and isinstance(body[0], ast.Raise)
        and _raised_name(body[0].exc) == "NotImplementedError"
    )


def _raised_name(node: ast.expr | None) -> str:
    called = node.func if isinstance(node, ast.Call) else node
    return ast.unparse(called) if isinstance(called, ast.Name | ast.Attribute) else ""


class _BehaviourWalker:
    """Collects behaviours statement by statement; definitions inside a function are left alone."""

    def __init__(self, page: SourcePage, subject: str) -> None:
        self.found: list[Behaviour] = []
        self._page = page
        self._subject = subject
        self._locks = 0
        self._globals: set[str] = set()
        self._locals: set[str] = set()

    def emit(
        self,
        kind: BehaviourKind,
        node: ast.stmt | ast.expr | ast.arg | ast.excepthandler,
        text: str = "",
        detail: str = "",
        guards: tuple[PathCondition, ...] = (),
        *,
        last: int | None = None,
    ) -> None:
        self.found.append(
            Behaviour(
                kind,
                self._subject,
                text,
                detail,
                guards,
                node.lineno,
                last or node.end_lineno or node.lineno,
            )
        )

    def decorators(self, node: Function | ast.ClassDef) -> None:
        for one in node.decorator_list:
            self.emit("decorated", one, self._page.text(one))

    def signature(self, node: Function) -> None:
        self.decorators(node)
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        padding: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
        defaults = [*padding, *arguments.defaults, *arguments.kw_defaults]
        every = [*positional, *arguments.kwonlyargs]
        self._locals.update(one.arg for one in every)
        self._locals.update(
            one.id
            for one in ast.walk(node)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        )
        for parameter, default in zip(every, defaults, strict=True):
            if default is not None:
                mutable = isinstance(default, ast.Dict | ast.List | ast.Set)
                last = default.end_lineno
                self.emit(
                    "mutable_default" if mutable else "default",
                    parameter,
                    parameter.arg,
                    self._page.text(default),
                    last=last,
                )
            elif parameter.arg not in {"self", "cls"}:
                self.emit("requires", parameter, parameter.arg)

    def absences(self, node: Function, body: Sequence[ast.stmt]) -> None:
        present = {type(one) for one in own_statements(body)}
        for word, kinds in _STATEMENTS.items():
            if present.isdisjoint(kinds):
                self.emit("never", node, word)

    def class_attribute(self, node: ast.Assign | ast.AnnAssign) -> None:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if not isinstance(target, ast.Name):
            return
        if node.value is not None:
            self.emit("attribute", node, target.id, self._page.text(node.value))
        elif isinstance(node, ast.AnnAssign):
            self.emit("field", node, target.id, self._page.text(node.annotation))

    def value(self, node: ast.expr) -> None:
        self.emit("bound", node, self._page.text(node))
        self.references(node)
        if isinstance(node, ast.Constant) and node.value is not None:
            self.emit("literal", node, type(node.value).__name__)
        elif isinstance(node, ast.Call):
            self.emit("made", node, self._page.text(node.func))
        if isinstance(node, ast.Dict):
            for key, one in zip(node.keys, node.values, strict=True):
                if key is not None:
                    self.emit(
                        "entry",
                        key,
                        self._page.text(key),
                        self._page.text(one),
                        last=one.end_lineno,
                    )
        elif isinstance(node, ast.List | ast.Tuple | ast.Set):
            for one in node.elts:
                self.emit("listed", one, self._page.text(one))

    def references(self, node: ast.AST) -> None:
        """Note the names and dotted names that stand in an expression or body, each once."""
        seen: set[str] = set()
        for name in read_names(node):
            text = self._page.text(name)
            if text not in seen and text.partition(".")[0] not in self._locals | {"self", "cls"}:
                seen.add(text)
                self.emit("refers", name, text)

    def block(self, body: Sequence[ast.stmt], guards: tuple[PathCondition, ...]) -> None:
        for node in body:
            self._statement(node, guards)

    def _statement(self, node: ast.stmt, guards: tuple[PathCondition, ...]) -> None:
        match node:
            case ast.If():
                self._if(node, guards)
            case ast.For() | ast.AsyncFor():
                iterated = self._page.text(node.iter)
                variable = self._page.text(node.target)
                self._calls(node.iter, guards)
                self.emit("loops", node, iterated, variable, guards, last=node.iter.end_lineno)
                each = PathCondition("each", iterated, variable, _from(node, node.iter))
                self.block(node.body, (*guards, each))
            case ast.While():
                self._calls(node.test, guards)
                test = self._page.text(node.test)
                loop = PathCondition("while", test, lines=_from(node, node.test))
                self.block(node.body, (*guards, loop))
            case ast.Try():
                self._try(node, guards)
            case ast.With() | ast.AsyncWith():
                self._with(node, guards)
            case ast.Match():
                subject = self._page.text(node.subject)
                for one in node.cases:
                    pattern = self._page.text(one.pattern) if one.guard is None else ""
                    lines = _from(node.subject, one.pattern)
                    case = PathCondition("case", subject, pattern, lines)
                    self.block(one.body, (*guards, case))
            case _:
                self._simple(node, guards)

    def _if(self, node: ast.If, guards: tuple[PathCondition, ...]) -> None:
        test = self._page.text(node.test)
        self._calls(node.test, guards)
        self.emit("checks", node, test, guards=guards, last=node.test.end_lineno)
        self.block(node.body, (*guards, self._when(node.test)))
        if not node.orelse:
            return
        first = node.orelse[0]
        if isinstance(first, ast.If) and self._page.line(first.lineno).lstrip().startswith("elif"):
            self._elif(first, guards, [node.test])
        else:
            self.block(node.orelse, (*guards, self._unless(node.test)))

    def _elif(
        self, node: ast.If, guards: tuple[PathCondition, ...], before: list[ast.expr]
    ) -> None:
        """Walk an ``elif``; only the closing ``else`` says that all the conditions before it
        failed.
        """
        test = self._page.text(node.test)
        self.emit("checks", node, test, guards=guards, last=node.test.end_lineno)
        self.block(node.body, (*guards, self._when(node.test)))
        tests = [*before, node.test]
        first = node.orelse[0] if node.orelse else None
        if isinstance(first, ast.If) and self._page.line(first.lineno).lstrip().startswith("elif"):
            self._elif(first, guards, tests)
        else:
            self.block(node.orelse, (*guards, *map(self._unless, tests)))

    def _when(self, test: ast.expr) -> PathCondition:
        return PathCondition("when", self._page.text(test), lines=_from(test, test))

    def _unless(self, test: ast.expr) -> PathCondition:
        text = self._page.text(test)
        return PathCondition("when", negate(text) if text else "", lines=_from(test, test))

    def _try(self, node: ast.Try, guards: tuple[PathCondition, ...]) -> None:
        self.block(node.body, guards)
        for handler in node.handlers:
            caught = self._page.text(handler.type) if handler.type else "BaseException"
            lines = _from(handler, handler.type) if handler.type else None
            inside = (*guards, PathCondition("handling", caught, lines=lines))
            if handler.type and all(isinstance(one, _SILENT) for one in handler.body):
                self.emit("swallows", handler, caught, guards=guards)
            if (
                any(isinstance(one, ast.Raise) and one.exc is None for one in handler.body)
                and handler.type
            ):
                self.emit("reraises", handler, caught, guards=guards)
            self.block(handler.body, inside)
        self.block(node.orelse, guards)
        self.block(node.finalbody, guards)

    def _with(self, node: ast.With | ast.AsyncWith, guards: tuple[PathCondition, ...]) -> None:
        contexts = [self._page.text(item.context_expr) for item in node.items]
        locks = [text for text in contexts if "lock" in text.lower()]
        for item, text in zip(node.items, contexts, strict=True):
            last = item.context_expr.end_lineno
            self.emit("holds" if text in locks else "enters", node, text, guards=guards, last=last)
        self._locks += len(locks)
        self.block(node.body, guards)
        self._locks -= len(locks)

    def _simple(self, node: ast.stmt, guards: tuple[PathCondition, ...]) -> None:  # noqa: C901  # one arm a form
        match node:
            case ast.Raise(exc=ast.expr() as raised):
                self._raise(node, raised, guards)
            case ast.Return(value=None):
                self.emit("stops", node, guards=guards)
            case ast.Return(value=ast.expr() as value):
                self.emit("returns", node, self._page.text(value), guards=guards)
                if isinstance(value, ast.Call):
                    self.emit("result", node, self._page.text(value.func), guards=guards)
                self._calls(value, guards)
            case ast.Assign(targets=[target], value=value):
                self._set(node, target, value, guards)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._set(node, target, value, guards)
            case ast.Assert(test=test):
                self.emit("asserts", node, self._page.text(test), guards=guards)
            case ast.Global(names=names):
                self._globals.update(names)
            case ast.Expr(value=ast.Yield(value=ast.expr() as value)):
                self.emit("yields", node, self._page.text(value), guards=guards)
                self._calls(value, guards)
            case ast.Expr(value=value) | ast.AugAssign(value=value) | ast.Assign(value=value):
                self._calls(value, guards)
            case _:
                pass

    def _raise(self, node: ast.Raise, raised: ast.expr, guards: tuple[PathCondition, ...]) -> None:
        name = _raised_name(raised)
        if not name or not name.rpartition(".")[2].lstrip("_")[:1].isupper():
            return
        arguments = raised.args if isinstance(raised, ast.Call) else []
        message = next((text for text in map(message_of, arguments) if text), "")
        self.emit("raises", node, name, tidy_message(message), guards)

    def _set(
        self, node: ast.stmt, target: ast.expr, value: ast.expr, guards: tuple[PathCondition, ...]
    ) -> None:
        self._calls(value, guards)
        text = self._page.text(value)
        if isinstance(target, ast.Attribute | ast.Subscript):
            self.emit("sets", node, self._page.text(target), text, guards)
            self.emit("changes", node, self._page.text(target), guards=guards)
        if isinstance(target, ast.Name) and target.id in self._globals:
            self.emit("rebinds", node, target.id, text, guards)
        if isinstance(target, ast.Subscript) and self._is_shared(target.value) and not self._locks:
            self.emit("unlocked", node, self._page.text(target), guards=guards)
        if (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Name)
            and value.func.id == "open"
        ):
            self.emit("opens", node, text, guards=guards)

    def _is_shared(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id not in self._locals

    def _calls(self, node: ast.expr, guards: tuple[PathCondition, ...]) -> None:
        for call in certain_calls(node):
            callee = self._page.text(call.func)
            if not callee or "(" in callee or "[" in callee or "{" in callee:
                continue
            first, last = call.func.lineno, call.func.end_lineno
            self.found.append(
                Behaviour("calls", self._subject, callee, "", guards, first, last or first)
            )
            self._told(call, callee, guards)
            for keyword in call.keywords:
                if (
                    keyword.arg
                    and isinstance(keyword.value, ast.Constant)
                    and keyword.value.value is not None
                ):
                    detail = f"{keyword.arg}={self._page.text(keyword.value)}"
                    self.emit("passes", call, callee, detail, guards)

    def _told(self, call: ast.Call, callee: str, guards: tuple[PathCondition, ...]) -> None:
        owner, _, method = callee.rpartition(".")
        message = tidy_message(next((text for text in map(message_of, call.args) if text), ""))
        if not message:
            return
        if callee in {"warnings.warn", "warn"}:
            self.emit("warns", call, callee, message, guards)
        elif method in LOG_METHODS and owner.rpartition(".")[2] in LOGGERS:
            self.emit("logs", call, callee, message, guards)
