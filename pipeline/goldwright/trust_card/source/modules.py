"""What one Python file defines and imports, read in one walk over its statements."""

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from goldwright.snapshot.file_guard import FileMaterial

DefinitionKind = Literal["class", "function"]
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
DefinitionNode = FunctionNode | ast.ClassDef

BLOCK_NAMES: Final = ("body", "orelse", "finalbody", "handlers", "cases")
"""The lists of statements, handlers and cases of a node; statements stand nowhere else."""


@dataclass(frozen=True, slots=True)
class DefinitionSpan:
    """Lines ``first`` to ``last`` of a file, counted from 1, both included."""

    first: int
    last: int

    def contains(self, first: int, last: int) -> bool:
        """Whether both lines and all between them lie in it."""
        return self.first <= first and last <= self.last


@dataclass(frozen=True, slots=True)
class CodeDefinition:
    """A class or function as it stands in the file.

    Attributes:
        entity_id: The path and the qualified name, joined by ``::``.
        path: The file.
        name: The qualified name, as in ``Session.send`` or ``outer.inner``.
        kind: What is defined.
        in_class: Whether it stands directly in the body of a class.
        span: Its lines, decorators included.
        header: Its lines up to the first statement of the body.
        docstring: Its docstring without indentation; empty where there is none.
        docstring_span: The lines of the docstring.
        bases: The dotted names of the base classes, without subscripts; calls are left out.
        decorators: The dotted names of the decorators, those of called ones too.
    """

    entity_id: str
    path: str
    name: str
    kind: DefinitionKind
    in_class: bool
    span: DefinitionSpan
    header: DefinitionSpan
    docstring: str
    docstring_span: DefinitionSpan | None
    bases: tuple[str, ...]
    decorators: tuple[str, ...]

    @property
    def simple_name(self) -> str:
        """The last part of the qualified name."""
        return self.name.rpartition(".")[2]

    @property
    def owner_name(self) -> str:
        """The qualified name without its last part; empty at module level."""
        return self.name.rpartition(".")[0]

    @property
    def is_method(self) -> bool:
        """Whether it is a function directly in a class."""
        return self.kind == "function" and self.in_class


@dataclass(frozen=True, slots=True)
class ImportBinding:
    """A name that an import binds in a file.

    Attributes:
        module: The module that it comes from, without leading dots.
        name: The name in that module; empty where the module itself is bound.
        level: How many dots lead a relative import; 0 for an absolute one.
    """

    module: str
    name: str
    level: int


@dataclass
class ModuleReading(FileMaterial):
    """What one file defines and imports.

    Attributes:
        path: The file.
        definitions: Its classes and functions in file order; a name may be defined several times.
        imports: What each imported name means, wherever in the file it is imported; a name that
            means two things is left out.
        star_imports: The modules that all names are taken from.
    """

    path: str
    definitions: list[CodeDefinition] = field(default_factory=list)
    imports: dict[str, ImportBinding] = field(default_factory=dict)
    star_imports: list[ImportBinding] = field(default_factory=list)


def parse_source(text: str) -> ast.Module | None:
    """Parse a file; None where this Python cannot."""
    with warnings.catch_warnings():
        # The code's own questionable escapes are no concern here.
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def read_module(path: str, tree: ast.Module) -> ModuleReading:
    """Collect the definitions and imports of a parsed file."""
    module = ModuleReading(path)
    ambiguous: set[str] = set()
    for statement, owner in _walk_statements(tree):
        match statement:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                module.definitions.append(_read_definition(statement, owner, path))
            case ast.Import() | ast.ImportFrom():
                _read_import(statement, module, ambiguous)
    for alias in ambiguous:
        del module.imports[alias]
    return module


def dotted_name(node: ast.AST | None) -> str:
    """Write ``a.b.c`` for names and attributes of names; empty for any other expression."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    parts.append(node.id)
    return ".".join(reversed(parts))


@dataclass(frozen=True, slots=True)
class _Owner:
    """What a statement stands in: its qualified name, and whether that is a class."""

    name: str
    is_class: bool


_MODULE: Final = _Owner("", is_class=False)


def _walk_statements(tree: ast.Module) -> Iterator[tuple[ast.AST, _Owner]]:
    """Yield every statement in file order, with the definition that it stands in."""
    stack: list[tuple[ast.AST, _Owner]] = []
    stack.extend((statement, _MODULE) for statement in reversed(tree.body))
    while stack:
        statement, owner = stack.pop()
        yield statement, owner
        inner_owner = owner
        if isinstance(statement, DefinitionNode):
            name = _qualified_name(statement, owner)
            inner_owner = _Owner(name, isinstance(statement, ast.ClassDef))
        for block_name in reversed(BLOCK_NAMES):
            block = getattr(statement, block_name, None) or ()
            stack.extend((inner, inner_owner) for inner in reversed(block))


def _qualified_name(node: DefinitionNode, owner: _Owner) -> str:
    return f"{owner.name}.{node.name}".removeprefix(".")


def _read_definition(node: DefinitionNode, owner: _Owner, path: str) -> CodeDefinition:
    name = _qualified_name(node, owner)
    kind: DefinitionKind = "function"
    if isinstance(node, ast.ClassDef):
        kind = "class"
    decorator_lines = [decorator.lineno for decorator in node.decorator_list]
    first_line = min([node.lineno, *decorator_lines])
    first_statement = node.body[0]
    last_header_line = max(node.lineno, first_statement.lineno - 1)
    docstring = ast.get_docstring(node) or ""
    docstring_span = None
    if docstring:
        docstring_span = _span(first_statement)
    return CodeDefinition(
        entity_id=f"{path}::{name}",
        path=path,
        name=name,
        kind=kind,
        in_class=owner.is_class,
        span=DefinitionSpan(first_line, node.end_lineno or node.lineno),
        header=DefinitionSpan(first_line, last_header_line),
        docstring=docstring,
        docstring_span=docstring_span,
        bases=tuple(_base_names(node)),
        decorators=tuple(_decorator_names(node)),
    )


def _span(statement: ast.stmt) -> DefinitionSpan:
    return DefinitionSpan(statement.lineno, statement.end_lineno or statement.lineno)


def _base_names(node: DefinitionNode) -> Iterator[str]:
    if not isinstance(node, ast.ClassDef):
        return
    for base in node.bases:
        expression = base
        if isinstance(base, ast.Subscript):
            # ``Base[int]`` derives from ``Base``.
            expression = base.value
        name = dotted_name(expression)
        if name:
            yield name


def _decorator_names(node: DefinitionNode) -> Iterator[str]:
    for decorator in node.decorator_list:
        expression = decorator
        if isinstance(decorator, ast.Call):
            expression = decorator.func
        name = dotted_name(expression)
        if name:
            yield name


def _read_import(
    statement: ast.Import | ast.ImportFrom, module: ModuleReading, ambiguous: set[str]
) -> None:
    for alias, binding in _bindings(statement):
        if alias == "*":
            module.star_imports.append(binding)
        elif module.imports.setdefault(alias, binding) != binding:
            ambiguous.add(alias)


def _bindings(statement: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, ImportBinding]]:
    for alias in statement.names:
        if isinstance(statement, ast.ImportFrom):
            module = statement.module or ""
            binding = ImportBinding(module, alias.name, statement.level)
            yield alias.asname or alias.name, binding
        elif alias.asname:
            yield alias.asname, ImportBinding(alias.name, "", 0)
        else:
            # ``import a.b`` binds ``a`` alone.
            top_name = alias.name.partition(".")[0]
            yield top_name, ImportBinding(top_name, "", 0)
