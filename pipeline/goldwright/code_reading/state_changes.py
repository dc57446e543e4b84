"""Who changes what is kept between calls: every use of a name, and what it does to the value."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from goldwright.code_reading.child_nodes import child_nodes
from goldwright.code_reading.log_calls import LEVELS
from goldwright.code_reading.modules import Definition, Module, name_inside, open_module
from goldwright.code_reading.name_lines import NameLines, lines_with
from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.word_files import files_with

StateUseKind = Literal[
    "put",  # something is put in
    "drop",  # something is taken out
    "replace",  # the whole value is another one from then on
    "read",  # nothing changes
    "escape",  # the value is handed on, and who changes it then is not known
]

PUTTING: Final = frozenset("append add update setdefault extend insert appendleft".split())
DROPPING: Final = frozenset("pop popitem clear remove discard popleft".split())
READING: Final = frozenset("get items keys values copy index count".split())
# Functions that look at a value and keep nothing of it.
_LOOKING: Final = frozenset(
    """
    len list sorted tuple set frozenset dict iter any all sum str repr bool min max enumerate zip
    reversed isinstance id hasattr next map filter
    """.split()
)
# What stands around a value that is looked at, and not handed on.
_READERS: Final = (
    ast.Compare,
    ast.BoolOp,
    ast.UnaryOp,
    ast.If,
    ast.While,
    ast.IfExp,
    ast.FormattedValue,
    ast.Starred,
    ast.BinOp,
    ast.Slice,
    ast.Subscript,
    ast.Expr,
    ast.Assert,
)
# A name in more files than these means several things.
MOST_FILES: Final = 40


@dataclass(frozen=True, slots=True)
class StateUse:
    """One use of a name that stands for kept state.

    Attributes:
        path: The file.
        owner: The qualified name of the innermost function or class around it; empty at the level
            of the module.
        first, last: The lines of the statement that it stands in.
        kind: What it does to the value.
        receiver: What stands before the dot, as in ``self``; empty for a bare name.
        contexts: The ``with`` items around it inside its function, as written.
    """

    path: str
    owner: str
    first: int
    last: int
    kind: StateUseKind
    receiver: str
    contexts: tuple[str, ...]

    @property
    def owner_id(self) -> str:
        """The id of that function or class."""
        return f"{self.path}::{self.owner}"


def state_uses(codebase: SourceTree, name: str) -> tuple[StateUse, ...] | None:
    """List every use of a name in a codebase; None where it is in too many files."""
    paths = files_with(codebase, name)
    if paths is None or len(paths) > MOST_FILES:
        return None
    uses: list[StateUse] = []
    for path in paths:
        module = open_module(codebase, path)
        if module is None:
            return None
        uses.extend(_uses_in_file(module, name))
    return tuple(uses)


def _uses_in_file(module: Module, name: str) -> Iterator[StateUse]:
    walker = _Walker(module.path, name, lines_with(module, name))
    outermost = _EnclosingScope("", (), 0, 0)
    yield from walker.walk(module.tree, outermost, ())


@dataclass(frozen=True, slots=True)
class _EnclosingScope:
    owner: str
    contexts: tuple[str, ...]
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Walker:
    path: str
    name: str
    lines: NameLines

    def walk(
        self, node: ast.AST, place: _EnclosingScope, parents: tuple[ast.AST, ...]
    ) -> Iterator[StateUse]:
        if not self.lines.may_stand_in(node):
            return
        if isinstance(node, ast.stmt):
            place = _EnclosingScope(
                place.owner, place.contexts, node.lineno, node.end_lineno or node.lineno
            )
        if isinstance(node, ast.Name | ast.Attribute) and _name_of(node) == self.name:
            yield self._use(node, place, parents)
        body_place = place
        if isinstance(node, Definition):
            owner = name_inside(place.owner, node.name)
            body_place = _EnclosingScope(owner, (), place.first, place.last)
        elif isinstance(node, ast.With | ast.AsyncWith):
            items = tuple(ast.unparse(item.context_expr) for item in node.items)
            body_place = _EnclosingScope(
                place.owner, (*place.contexts, *items), place.first, place.last
            )
        body: set[int] = set()
        if body_place != place:
            body = {id(child) for child in getattr(node, "body", ())}
        # The nearest parents tell what is done with a value.
        above = (node, *parents[:3])
        for child in child_nodes(node):
            yield from self.walk(child, body_place if id(child) in body else place, above)

    def _use(
        self, node: ast.Name | ast.Attribute, place: _EnclosingScope, parents: tuple[ast.AST, ...]
    ) -> StateUse:
        receiver = ast.unparse(node.value) if isinstance(node, ast.Attribute) else ""
        return StateUse(
            self.path,
            place.owner,
            place.first,
            place.last,
            _kind(node, parents),
            receiver,
            place.contexts,
        )


def _name_of(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def _kind(node: ast.Name | ast.Attribute, parents: tuple[ast.AST, ...]) -> StateUseKind:
    if isinstance(node.ctx, ast.Del):
        return "drop"
    parent = parents[0] if parents else None
    if isinstance(node.ctx, ast.Store):
        return "put" if isinstance(parent, ast.AugAssign) else "replace"
    above = parents[1] if len(parents) > 1 else None
    match parent:
        case ast.Subscript(value=value) if value is node:
            return _kind_of_subscript(parent, parents[1:])
        case ast.Attribute(attr=attr) if isinstance(above, ast.Call) and above.func is parent:
            return _kind_of_method(attr)
        case ast.Attribute():
            return "read"
        case _:
            return _kind_of_load(node, parent)


def _kind_of_subscript(node: ast.Subscript, parents: tuple[ast.AST, ...]) -> StateUseKind:
    if isinstance(node.ctx, ast.Store):
        return "put"
    if isinstance(node.ctx, ast.Del):
        return "drop"
    match parents:
        case (ast.Attribute(attr=attr), ast.Call(), *_) if attr in PUTTING | DROPPING:
            return "escape"
        case _:
            return "read"


def _kind_of_method(attr: str) -> StateUseKind:
    if attr in PUTTING:
        return "put"
    if attr in DROPPING:
        return "drop"
    return "read" if attr in READING else "escape"


def _kind_of_load(node: ast.Name | ast.Attribute, parent: ast.AST | None) -> StateUseKind:
    if isinstance(parent, _READERS) or _looks_only(node, parent):
        return "read"
    return "escape"


def _looks_only(node: ast.Name | ast.Attribute, parent: ast.AST | None) -> bool:
    match parent:
        case ast.Call(func=func) if func is node:
            return True
        case ast.Call(func=ast.Name(id=called)):
            return called in _LOOKING
        case ast.For(iter=source) | ast.AsyncFor(iter=source) | ast.comprehension(iter=source):
            return source is node
        case ast.keyword(arg=name):
            return name is None
        case _:
            return False


def changed_names(node: ast.AST) -> Iterator[str]:
    """Yield the names whose objects a node may change: by a method of theirs, by an index or an
    attribute, or by a call that they are handed to and whose result nobody takes.
    """
    match node:
        case (
            ast.Expr(value=ast.Call() as call) | ast.Expr(value=ast.Await(value=ast.Call() as call))
        ):
            yield from _changed_by(call)
        case ast.Subscript(value=owner, ctx=ast.Store() | ast.Del()):
            yield from _dotted(owner)
        case ast.Attribute(value=owner, ctx=ast.Store() | ast.Del()):
            yield from _dotted(owner)
        case _:
            return


def _changed_by(call: ast.Call) -> Iterator[str]:
    match call.func:
        case ast.Name(id="print"):
            return
        case ast.Attribute(attr=attr) if attr in LEVELS:
            return
        case ast.Attribute(value=owner):
            yield from _dotted(owner)
        case _:
            pass
    for argument in call.args:
        yield from _dotted(argument)


def _dotted(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Name(id=name):
            yield name
        case ast.Attribute(value=ast.Name(id="self" | "cls" as owner), attr=attr):
            yield f"{owner}.{attr}"
        case _:
            return
