"""One file read for its Author: what its functions and classes say about themselves and where they
are risky.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

Concern = Literal[
    "swallow",
    "broad_except",
    "mutable_default",
    "cache",
    "lock",
    "global_state",
    "class_state",
    "dynamic_code",
    "unpickle",
    "shell",
    "unclosed",
]
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

BUILTIN_KINDS: Final = frozenset(
    "ValueError TypeError KeyError RuntimeError IndexError LookupError AttributeError OSError "
    "PermissionError FileNotFoundError "
    "TimeoutError ConnectionError UnicodeDecodeError UnicodeEncodeError ImportError AssertionError "
    "OverflowError ZeroDivisionError "
    "FileExistsError IsADirectoryError NotADirectoryError EOFError UnicodeError".split()
)
NO_FAILURES: Final = frozenset(
    "NotImplementedError StopIteration StopAsyncIteration GeneratorExit SystemExit KeyboardInterrupt "
    "AttributeError".split()
)
UNSAFE_LOADERS: Final = frozenset(
    {"pickle.load", "pickle.loads", "marshal.loads", "marshal.load", "yaml.load"}
)


@dataclass(frozen=True, slots=True)
class RaiseNote:
    """A ``raise``: the class raised, its message with ``…`` where values stand, and whether a
    condition guards it.
    """

    kind: str
    message: str
    is_guarded: bool
    line: int


@dataclass(frozen=True, slots=True)
class RiskNote:
    """A risky construct; ``detail`` is the word that tells it from others of its kind."""

    concern: Concern
    detail: str
    line: int


@dataclass(slots=True)
class FunctionNotes:
    """What one function shows. Lines are 1-based; ``lines`` counts from ``def`` to the end,
    docstring left out.
    """

    entity_id: str
    path: str
    name: str
    parameters: frozenset[str]
    docstring: str
    comments: tuple[tuple[str, ...], ...]
    failures: tuple[RaiseNote, ...]
    worries: tuple[RiskNote, ...]
    lines: int
    span_lines: int
    statements: int
    decorators: tuple[str, ...]
    is_async: bool
    body_words: frozenset[str] = field(default_factory=frozenset)

    @property
    def simple_name(self) -> str:
        """The last part of the qualified name."""
        return self.name.rpartition(".")[2]

    @property
    def is_public(self) -> bool:
        """Tell whether no part of the name starts with an underscore."""
        return not any(part.startswith("_") for part in self.name.split("."))


@dataclass(slots=True)
class ClassNotes:
    """What one class shows: its docstring, its own methods, and mutable values shared by its
    instances.
    """

    entity_id: str
    path: str
    name: str
    docstring: str
    bases: tuple[str, ...]
    methods: tuple[str, ...]
    abstract_methods: tuple[str, ...]
    shared_names: tuple[str, ...]
    lines: int


@dataclass(slots=True)
class FileNotes:
    """Functions and classes of one file, in its order."""

    path: str
    docstring: str
    functions: list[FunctionNotes] = field(default_factory=list)
    classes: list[ClassNotes] = field(default_factory=list)


def read_file(path: str, text: str, lines: Sequence[str]) -> FileNotes | None:
    """Read the notes of a file; ``None`` when this interpreter can not parse it."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    notes = FileNotes(path, ast.get_docstring(tree) or "")
    _NotesReader(notes, lines, _module_state(tree)).read(tree.body, "")
    return notes


class _NotesReader:
    """Walks the definitions of one module; nested functions belong to the one around them."""

    def __init__(self, notes: FileNotes, lines: Sequence[str], shared: frozenset[str]) -> None:
        self._notes = notes
        self._lines = lines
        self._shared = shared

    def read(self, body: Sequence[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, FunctionNode):
                self._notes.functions.append(self._function(node, prefix + node.name))
            elif isinstance(node, ast.ClassDef):
                self._notes.classes.append(self._class(node, prefix + node.name))
                self.read(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, ast.If | ast.Try):
                self.read(node.body, prefix)

    def _function(self, node: FunctionNode, name: str) -> FunctionNotes:
        docstring = ast.get_docstring(node) or ""
        body = node.body[1:] if docstring else node.body
        first = body[0].lineno if body else node.lineno
        last = node.end_lineno or node.lineno
        top = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        names = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        return FunctionNotes(
            entity_id=f"{self._notes.path}::{name}",
            path=self._notes.path,
            name=name,
            parameters=frozenset(one.arg for one in names),
            docstring=docstring,
            comments=tuple(_comment_blocks(self._lines, first, last)),
            failures=tuple(_failures(body)),
            worries=tuple(_worries(node, self._shared)),
            lines=last - first + 1,
            span_lines=last - top + 1,
            statements=sum(
                isinstance(one, ast.stmt) for statement in body for one in ast.walk(statement)
            ),
            decorators=tuple(ast.unparse(one) for one in node.decorator_list),
            is_async=isinstance(node, ast.AsyncFunctionDef),
        )

    def _class(self, node: ast.ClassDef, name: str) -> ClassNotes:
        methods = [one for one in node.body if isinstance(one, FunctionNode)]
        return ClassNotes(
            entity_id=f"{self._notes.path}::{name}",
            path=self._notes.path,
            name=name,
            docstring=ast.get_docstring(node) or "",
            bases=tuple(ast.unparse(base) for base in node.bases),
            methods=tuple(one.name for one in methods),
            abstract_methods=tuple(one.name for one in methods if _is_abstract(one)),
            shared_names=tuple(_mutable_names(node.body)),
            lines=(node.end_lineno or node.lineno) - node.lineno + 1,
        )


def _is_abstract(node: FunctionNode) -> bool:
    if any("abstractmethod" in ast.unparse(one) for one in node.decorator_list):
        return True
    body = [
        one
        for one in node.body
        if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
    ]
    return (
        len(body) == 1
        and isinstance(body[0], ast.Raise)
        and _kind_of(body[0]) == "NotImplementedError"
    )


def _mutable_names(body: Sequence[ast.stmt]) -> Iterator[str]:
    for node in body:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if not _is_mutable(value):
            continue
        targets = (
            node.targets
            if isinstance(node, ast.Assign)
            else [node.target]
            if isinstance(node, ast.AnnAssign)
            else []
        )
        yield from (
            one.id for one in targets if isinstance(one, ast.Name) and not one.id.startswith("__")
        )


def _is_mutable(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Dict | ast.List | ast.Set):
        return True
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id
        in {
            "dict",
            "list",
            "set",
            "defaultdict",
            "OrderedDict",
            "WeakKeyDictionary",
            "WeakValueDictionary",
        }
    )


def _module_state(tree: ast.Module) -> frozenset[str]:
    return frozenset(_mutable_names(tree.body))


def _comment_blocks(lines: Sequence[str], first: int, last: int) -> Iterator[tuple[str, ...]]:
    block: list[str] = []
    for line in lines[first - 1 : last]:
        text = line.strip()
        if text.startswith("#"):
            block.append(text)
        elif block:
            yield tuple(block)
            block = []


def _failures(body: Sequence[ast.stmt]) -> Iterator[RaiseNote]:
    for node, is_guarded in _raises(body, is_guarded=False):
        kind = _kind_of(node)
        if kind and kind not in NO_FAILURES:
            yield RaiseNote(kind, _message_of(node), is_guarded, node.lineno)


def _raises(body: Sequence[ast.stmt], *, is_guarded: bool) -> Iterator[tuple[ast.Raise, bool]]:
    for node in body:
        if isinstance(node, ast.Raise):
            yield node, is_guarded
        elif not isinstance(node, FunctionNode | ast.ClassDef):
            guards = is_guarded or isinstance(
                node, ast.If | ast.Try | ast.For | ast.While | ast.Match
            )
            for part in ("body", "orelse", "finalbody"):
                yield from _raises(getattr(node, part, []), is_guarded=guards)
            for branch in [*getattr(node, "handlers", []), *getattr(node, "cases", [])]:
                yield from _raises(branch.body, is_guarded=True)


def _kind_of(node: ast.Raise) -> str:
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    name = (
        raised.attr
        if isinstance(raised, ast.Attribute)
        else raised.id
        if isinstance(raised, ast.Name)
        else ""
    )
    return name if name[:1].isupper() else ""


def _message_of(node: ast.Raise) -> str:
    if not isinstance(node.exc, ast.Call) or not node.exc.args:
        return ""
    return next((text for text in map(_text_of, node.exc.args) if text), "")


def _text_of(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(
                str(one.value) if isinstance(one, ast.Constant) else "…" for one in values
            )
        case (
            ast.BinOp(op=ast.Mod(), left=value)
            | ast.Call(func=ast.Attribute(attr="format", value=value))
        ):
            return _text_of(value)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return (_text_of(left) or "…") + (_text_of(right) or "…")
        case ast.Call(func=ast.Name(id="_" | "gettext" | "__"), args=[first, *_]):
            return _text_of(first)
    return ""


def _worries(node: FunctionNode, shared: frozenset[str]) -> Iterator[RiskNote]:
    for default in [*node.args.defaults, *node.args.kw_defaults]:
        if isinstance(default, ast.Dict | ast.List | ast.Set):
            yield RiskNote("mutable_default", "", node.lineno)
    for decorator in node.decorator_list:
        name = ast.unparse(decorator)
        if name.split("(")[0].rpartition(".")[2] in {
            "lru_cache",
            "cache",
            "cached_property",
            "memoize",
        }:
            yield RiskNote("cache", name, node.lineno)
    for one in ast.walk(node):
        yield from _worries_of(one, shared)


def _worries_of(node: ast.AST, shared: frozenset[str]) -> Iterator[RiskNote]:
    match node:
        case ast.ExceptHandler():
            yield from _swallows(node)
        case ast.Global(names=names):
            yield RiskNote("global_state", names[0], node.lineno)
        case ast.With(items=items) | ast.AsyncWith(items=items):
            if any("lock" in ast.unparse(one).lower() for one in items):
                yield RiskNote("lock", "", node.lineno)
        case ast.Call():
            yield from _calls(node)
        case ast.Assign(targets=[target]):
            yield from _writes(node, target, shared)


def _calls(node: ast.Call) -> Iterator[RiskNote]:
    match node.func:
        case ast.Name(id="eval" | "exec" as name) if node.args and not isinstance(
            node.args[0], ast.Constant
        ):
            yield RiskNote("dynamic_code", name, node.lineno)
        case ast.Attribute() if ast.unparse(node.func) in UNSAFE_LOADERS:
            yield RiskNote("unpickle", "", node.lineno)
    if any(one.arg == "shell" and ast.unparse(one.value) == "True" for one in node.keywords):
        yield RiskNote("shell", "", node.lineno)


def _writes(node: ast.Assign, target: ast.expr, shared: frozenset[str]) -> Iterator[RiskNote]:
    match target:
        case ast.Subscript(value=ast.Name(id=name)) if name in shared:
            yield RiskNote("cache" if "cache" in name.lower() else "class_state", name, node.lineno)
        case ast.Subscript(value=ast.Attribute(attr=name)) if "cache" in name.lower():
            yield RiskNote("cache", name, node.lineno)
        case ast.Name() if (
            isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "open"
        ):
            yield RiskNote("unclosed", "", node.lineno)


def _swallows(node: ast.ExceptHandler) -> Iterator[RiskNote]:
    kind = ast.unparse(node.type) if node.type else "everything"
    is_silent = all(
        isinstance(one, ast.Pass | ast.Continue)
        or (
            isinstance(one, ast.Return)
            and (one.value is None or isinstance(one.value, ast.Constant))
        )
        for one in node.body
    )
    is_broad = kind in {"everything", "Exception", "BaseException"}
    if is_silent and (is_broad or kind in BUILTIN_KINDS):
        yield RiskNote("swallow", kind, node.lineno)
    elif is_broad and not any(
        isinstance(one, ast.Raise) for statement in node.body for one in ast.walk(statement)
    ):
        yield RiskNote("broad_except", kind, node.lineno)
