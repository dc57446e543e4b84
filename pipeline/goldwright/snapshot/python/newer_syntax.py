"""Definitions of files whose syntax is newer than the interpreter, through libcst."""

from collections.abc import Iterator

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from goldwright.snapshot.file_facts import Definition
from goldwright.snapshot.python.definitions import file_order


def newer_definitions(data: bytes) -> list[Definition]:
    """List every definition of a file in file order; empty when libcst cannot parse it either."""
    try:
        module = cst.parse_module(data)
        # The copy that a wrapper makes protects trees with shared nodes; a parsed one has none.
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        visitor = _DefinitionVisitor()
        wrapper.visit(visitor)
    except (cst.ParserSyntaxError, RecursionError, UnicodeDecodeError, LookupError, ValueError):
        return []
    return sorted(visitor.definitions, key=file_order)


# ruff: noqa: N802  # libcst finds the methods of a visitor by the names of its nodes
class _DefinitionVisitor(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.definitions: list[Definition] = []
        self._names: list[str] = []
        self._kinds: list[str] = ["module"]

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        kind = "method" if self._kinds[-1] == "class" else "function"
        self._enter(node, kind, scope="function")

    def leave_FunctionDef(self, original_node: cst.FunctionDef) -> None:  # noqa: ARG002  # libcst passes it
        self._leave()

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        self._enter(node, "class", scope="class")

    def leave_ClassDef(self, original_node: cst.ClassDef) -> None:  # noqa: ARG002  # libcst passes it
        self._leave()

    def visit_Assign(self, node: cst.Assign) -> None:
        for target in node.targets:
            self._add_variables(node, target.target)

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:
        self._add_variables(node, node.target)

    def visit_TypeAlias(self, node: cst.TypeAlias) -> None:
        self._add_variables(node, node.name)

    def _enter(self, node: cst.FunctionDef | cst.ClassDef, kind: str, *, scope: str) -> None:
        name = node.name.value
        self._add(node, name, kind)
        self._names.append(name)
        self._kinds.append(scope)

    def _leave(self) -> None:
        self._names.pop()
        self._kinds.pop()

    def _add_variables(self, node: cst.CSTNode, target: cst.BaseExpression) -> None:
        if self._kinds[-1] == "function":
            return
        for name in _assigned_names(target):
            self._add(node, name, "variable")

    def _add(self, node: cst.CSTNode, name: str, kind: str) -> None:
        place = self.get_metadata(PositionProvider, node)
        first = place.start.line
        for decorator in getattr(node, "decorators", ()):
            decorator_place = self.get_metadata(PositionProvider, decorator)
            first = min(first, decorator_place.start.line)
        qualified = ".".join([*self._names, name])
        self.definitions.append(Definition(qualified, kind, first, place.end.line))


def _assigned_names(target: cst.BaseExpression) -> Iterator[str]:
    match target:
        case cst.Name():
            yield target.value
        case cst.Tuple() | cst.List():
            for element in target.elements:
                yield from _assigned_names(element.value)
