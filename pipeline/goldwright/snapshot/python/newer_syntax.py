"""Definitions of files whose syntax is newer than the interpreter, through libcst."""

from collections.abc import Iterator

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from goldwright.snapshot.python.definitions import Row


def newer_definitions(data: bytes) -> list[Row]:
    """List (qualified name, kind, first line, last line) in file order; empty when libcst cannot
    parse it either.
    """
    try:
        wrapper = MetadataWrapper(cst.parse_module(data), unsafe_skip_copy=True)
        visitor = _DefinitionVisitor()
        wrapper.visit(visitor)
    except (cst.ParserSyntaxError, RecursionError, UnicodeDecodeError, LookupError, ValueError):
        return []
    return sorted(visitor.found, key=lambda row: (row[2], row[3], row[0]))


class _DefinitionVisitor(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Row] = []
        self._scopes: list[tuple[str, str]] = []

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self._add(node, node.name.value, "method" if self._within() == "class" else "function")
        self._scopes.append(("function", node.name.value))

    def leave_FunctionDef(self, original_node: cst.FunctionDef) -> None:  # noqa: ARG002  # libcst passes it
        self._scopes.pop()

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        self._add(node, node.name.value, "class")
        self._scopes.append(("class", node.name.value))

    def leave_ClassDef(self, original_node: cst.ClassDef) -> None:  # noqa: ARG002  # libcst passes it
        self._scopes.pop()

    def visit_Assign(self, node: cst.Assign) -> None:
        for target in node.targets:
            self._add_names(node, target.target)

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:
        self._add_names(node, node.target)

    def visit_TypeAlias(self, node: cst.TypeAlias) -> None:
        self._add_names(node, node.name)

    def _within(self) -> str:
        return self._scopes[-1][0] if self._scopes else "module"

    def _add_names(self, node: cst.CSTNode, target: cst.BaseExpression) -> None:
        if self._within() != "function":
            for name in _names(target):
                self._add(node, name, "variable")

    def _add(self, node: cst.CSTNode, name: str, kind: str) -> None:
        place = self.get_metadata(PositionProvider, node)
        first = place.start.line
        for decorator in getattr(node, "decorators", ()):
            first = min(first, self.get_metadata(PositionProvider, decorator).start.line)
        qualified = ".".join([*(scope for _, scope in self._scopes), name])
        self.found.append((qualified, kind, first, place.end.line))


def _names(target: cst.BaseExpression) -> Iterator[str]:
    match target:
        case cst.Name():
            yield target.value
        case cst.Tuple() | cst.List():
            for element in target.elements:
                yield from _names(element.value)
