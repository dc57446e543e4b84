"""Definitions of files that ``ast`` cannot read even when they are rewritten, through libcst."""

from collections.abc import Iterator
from typing import Final

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from goldwright.snapshot.file_facts import Definition
from goldwright.snapshot.languages.python.definitions import file_order

# The last is what libcst says of template strings that stand side by side.
_FAILURES: Final = (
    *(cst.ParserSyntaxError, RecursionError, UnicodeDecodeError, LookupError, ValueError),
    cst.CSTLogicError,
)


def newer_definitions(data: bytes) -> list[Definition]:
    """List every definition of a file in file order; empty when libcst cannot parse it either."""
    try:
        module = cst.parse_module(data)
        # The copy that a wrapper makes is for trees in which a node stands twice; a parsed one has
        # no such nodes.
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        visitor = _DefinitionVisitor()
        wrapper.visit(visitor)
    except _FAILURES:
        return []
    return sorted(visitor.definitions, key=file_order)


class _DefinitionVisitor(cst.CSTVisitor):
    """Collects the definitions of a module while it walks down and up the tree.

    Attributes:
        definitions: What was collected so far, in the order of the walk.
    """

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.definitions: list[Definition] = []
        # The names and kinds of the definitions around the current node, the innermost last.
        self._names: list[str] = []
        self._kinds: list[str] = ["module"]

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Take a node on the way down; True, for definitions may stand inside any."""
        match node:
            case cst.FunctionDef(name=name):
                is_method = self._kinds[-1] == "class"
                self._add(node, name.value, "method" if is_method else "function")
                self._enter(name.value, "function")
            case cst.ClassDef(name=name):
                self._add(node, name.value, "class")
                self._enter(name.value, "class")
            case cst.Assign(targets=targets):
                for target in targets:
                    self._add_variables(node, target.target)
            case cst.AnnAssign(target=target) | cst.AugAssign(target=target):
                self._add_variables(node, target)
            case cst.TypeAlias(name=target):
                self._add_variables(node, target)
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        """Take a node on the way up."""
        if isinstance(original_node, cst.FunctionDef | cst.ClassDef):
            self._names.pop()
            self._kinds.pop()

    def _enter(self, name: str, kind: str) -> None:
        self._names.append(name)
        self._kinds.append(kind)

    def _add_variables(self, node: cst.CSTNode, target: cst.BaseExpression) -> None:
        # The local names of a function are no entities.
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
        definition = Definition(qualified, kind, first, place.end.line)
        self.definitions.append(definition)


def _assigned_names(target: cst.BaseExpression) -> Iterator[str]:
    match target:
        case cst.Name():
            yield target.value
        case cst.Tuple() | cst.List():
            for element in target.elements:
                yield from _assigned_names(element.value)
