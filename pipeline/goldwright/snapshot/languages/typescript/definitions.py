"""The definitions of a TypeScript file, by one walk over its statements.

As in Python, only what stands in statements is an entity: what an anonymous function or an object
literal holds has no place that a name leads to.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from goldwright.snapshot.file_facts import Definition
from goldwright.snapshot.languages.typescript.parsing import Node

DEFAULT: Final = "default"
"""The name of a default export that has none of its own."""

SETTER: Final = "set"
"""The last part of the name of a setter, as in ``Cart.total.set``; its getter is ``Cart.total``."""

FUNCTION_VALUES: Final = frozenset({"arrow_function", "function_expression", "generator_function"})
_FUNCTIONS: Final = frozenset(
    {"function_declaration", "generator_function_declaration", "function_signature"}
)
_CLASSES: Final = frozenset({"class_declaration", "abstract_class_declaration", "class"})
_BODY_HOLDERS: Final = _CLASSES | {"interface_declaration", "enum_declaration"}
_NAMESPACES: Final = frozenset({"internal_module", "module"})
_METHODS: Final = frozenset({"method_definition", "method_signature", "abstract_method_signature"})
_FIELDS: Final = frozenset({"public_field_definition", "property_signature"})
_CONSTRUCTOR: Final = "constructor"
# A parameter with one of them is a field as well: ``constructor(private readonly prices: Prices)``.
_FIELD_MODIFIERS: Final = frozenset({"accessibility_modifier", "override_modifier", "readonly"})
_DECLARATIONS: Final = frozenset({"lexical_declaration", "variable_declaration"})
_WRAPPERS: Final = frozenset({"export_statement", "ambient_declaration"})
# What statements stand in without another scope.
_BLOCKS: Final = frozenset(
    {
        *("statement_block", "if_statement", "else_clause", "for_statement", "for_in_statement"),
        *("while_statement", "do_statement", "try_statement", "catch_clause", "finally_clause"),
        *("switch_statement", "switch_body", "switch_case", "switch_default"),
        *("labeled_statement", "program", "expression_statement"),
    }
)
_NAME_NODES: Final = frozenset(
    {"identifier", "type_identifier", "property_identifier", "private_property_identifier"}
)
_BOUND_NAMES: Final = frozenset({"identifier", "shorthand_property_identifier_pattern"})
_WORD: Final = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")


@dataclass(frozen=True, slots=True)
class PlacedDefinition:
    """A definition and the node that it is made of.

    Attributes:
        definition: Its name, kind and lines.
        node: The declaration, without ``export``.
        start: Its first byte, decorators and ``export`` included.
        end: The byte behind it.
    """

    definition: Definition
    node: Node
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Position:
    """A statement, and where it stands.

    Attributes:
        node: The statement.
        outer: It with its decorators, ``export`` and ``declare``: the node where it begins.
        prefix: What precedes the names defined in it, with a dot at its end.
        scope: ``module``, ``class`` or ``function``.
    """

    node: Node
    outer: Node
    prefix: str = ""
    scope: str = "module"

    def inside(self, node: Node, prefix: str, scope: str) -> "_Position":
        """Give the place of a statement that stands in this one."""
        return _Position(node, node, prefix, scope)


def definitions(root: Node) -> list[PlacedDefinition]:
    """List every definition of a file in file order.

    Statements of the file that could not be read to their end define nothing.
    """
    collected: list[PlacedDefinition] = []
    statements = [node for node in root.named_children if not node.has_error]
    stack = [_Position(node, node) for node in statements]
    while stack:
        place = stack.pop()
        collected.extend(_definitions_at(place))
        stack.extend(_places_in(place))
    collected.sort(key=_file_order)
    return collected


def _member_name(node: Node) -> str:
    """Give the name of a member of an enumeration; empty for comments."""
    name_node = node.child_by_field_name("name") if node.type == "enum_assignment" else node
    return "" if name_node is None else _written_name(name_node)


def _name_of(node: Node) -> str:
    """Give the name of a declaration; empty where it has none that can be written in an id."""
    name_node = node.child_by_field_name("name")
    return "" if name_node is None else _written_name(name_node)


def _written_name(name_node: Node) -> str:
    text = _text(name_node)
    if name_node.type == "nested_identifier":
        return "".join(text.split())
    if name_node.type in _NAME_NODES:
        return text
    if name_node.type == "string" and _WORD.fullmatch(text[1:-1]):
        return text[1:-1]
    return ""


def _file_order(placed: PlacedDefinition) -> tuple[int, int, str]:
    definition = placed.definition
    return definition.first, definition.last, definition.name


def _definitions_at(place: _Position) -> Iterator[PlacedDefinition]:
    node = place.node
    kind = _kind_of(node, place.scope)
    if kind:
        name = _own_name(place)
        if name:
            yield _placed(place, place.outer, node, place.prefix + name, kind)
        if name == _CONSTRUCTOR and kind == "method":
            yield from _fields_in_parameters(place)
    elif node.type in _DECLARATIONS:
        yield from _declared_names(place)
    elif place.scope == "enum":
        name = _member_name(node)
        if name:
            yield _placed(place, node, node, place.prefix + name, "variable")


def _fields_in_parameters(place: _Position) -> Iterator[PlacedDefinition]:
    """Yield the parameters of a constructor that declare a field of its class."""
    parameters = place.node.child_by_field_name("parameters")
    for parameter in parameters.named_children if parameters is not None else ():
        if any(child.type in _FIELD_MODIFIERS for child in parameter.children):
            name_node = parameter.child_by_field_name("pattern")
            name = "" if name_node is None else _written_name(name_node)
            if name:
                yield _placed(place, parameter, parameter, place.prefix + name, "variable")


def _kind_of(node: Node, scope: str) -> str:
    """Give the kind of what a node defines; empty where it defines nothing by itself."""
    kind = node.type
    if kind in _FUNCTIONS or kind in FUNCTION_VALUES:
        return "function"
    if kind in _BODY_HOLDERS or kind in _NAMESPACES:
        return "class"
    if kind in _METHODS:
        return "method"
    if kind in _FIELDS:
        value = node.child_by_field_name("value")
        return "method" if value is not None and value.type in FUNCTION_VALUES else "variable"
    if kind == "type_alias_declaration":
        return "" if scope == "function" else "variable"
    return ""


def _own_name(place: _Position) -> str:
    node = place.node
    name = _name_of(node)
    if not name and _is_default_export(place.outer):
        return DEFAULT
    if node.type in _METHODS and any(child.type == "set" for child in node.children):
        return f"{name}.{SETTER}" if name else ""
    is_quoted_module = node.type in _NAMESPACES and _name_type(node) == "string"
    return "" if is_quoted_module else name


def _name_type(node: Node) -> str:
    """Give the type of the node that names a declaration; empty where none does."""
    name_node = node.child_by_field_name("name")
    return "" if name_node is None else str(name_node.type)


def _is_default_export(outer: Node) -> bool:
    if outer.type != "export_statement":
        return False
    return any(child.type == "default" for child in outer.children)


def _declared_names(place: _Position) -> Iterator[PlacedDefinition]:
    declarators = [child for child in place.node.children if child.type == "variable_declarator"]
    for declarator in declarators:
        # Of several in one declaration, each has its own lines.
        outer = place.outer if len(declarators) == 1 else declarator
        value = declarator.child_by_field_name("value")
        kind = "variable" if value is None else _kind_of_value(value)
        # The local names of a function are no entities, but the functions inside it are.
        if kind == "variable" and place.scope == "function":
            continue
        name_node = declarator.child_by_field_name("name")
        for name in _bound_names(name_node):
            yield _placed(place, outer, declarator, place.prefix + name, kind)


def _kind_of_value(value: Node) -> str:
    if value.type in FUNCTION_VALUES:
        return "function"
    return "class" if value.type == "class" else "variable"


def _bound_names(pattern: Node) -> Iterator[str]:
    """Yield the names that a pattern such as ``{ a, b: [c] }`` binds."""
    stack = [pattern]
    while stack:
        node = stack.pop()
        if node.type in _BOUND_NAMES:
            yield _text(node)
        elif node.type == "pair_pattern":
            stack.append(node.child_by_field_name("value"))
        elif node.type in {"assignment_pattern", "object_assignment_pattern"}:
            # What stands to the right is a value in case there is none.
            stack.append(node.child_by_field_name("left"))
        else:
            stack.extend(reversed(node.named_children))


def _placed(place: _Position, outer: Node, node: Node, name: str, kind: str) -> PlacedDefinition:
    start_node = _first_decorator(outer) if place.scope == "class" else outer
    first = int(start_node.start_point[0]) + 1
    last = int(outer.end_point[0]) + 1
    definition = Definition(name, kind, first, last)
    return PlacedDefinition(definition, node, start_node.start_byte, outer.end_byte)


def _first_decorator(node: Node) -> Node:
    """Give the first of the decorators that stand before a member; itself where none does."""
    first = node
    sibling = node.prev_sibling
    while sibling is not None and sibling.type in {"decorator", "comment"}:
        if sibling.type == "decorator":
            first = sibling
        sibling = sibling.prev_sibling
    return first


def _places_in(place: _Position) -> Iterator[_Position]:
    node = place.node
    if node.type in _WRAPPERS:
        yield from _unwrapped(place)
    elif node.type in _BLOCKS:
        # What a loop counts with is known in the loop alone.
        counter = node.child_by_field_name("initializer")
        for child in node.named_children:
            if child != counter:
                yield place.inside(child, place.prefix, place.scope)
    elif node.type in _DECLARATIONS:
        yield from _places_in_values(place)
    elif _kind_of(node, place.scope):
        name = _own_name(place)
        prefix = place.prefix
        if name:
            prefix = f"{prefix}{name}."
        yield from _places_in_definition(place, node, prefix)


def _unwrapped(place: _Position) -> Iterator[_Position]:
    """Yield the declaration behind ``export``, ``export default`` and ``declare``."""
    for child in place.node.named_children:
        # ``declare global { … }`` adds to what every file sees.
        if child.type == "statement_block":
            yield place.inside(child, place.prefix, place.scope)
        elif child.type not in {"decorator", "comment"}:
            yield _Position(child, place.outer, place.prefix, place.scope)


def _places_in_values(place: _Position) -> Iterator[_Position]:
    for declarator in place.node.named_children:
        value = declarator.child_by_field_name("value")
        name_node = declarator.child_by_field_name("name")
        if value is None or name_node is None or name_node.type != "identifier":
            continue
        if _kind_of_value(value) != "variable":
            prefix = f"{place.prefix}{_text(name_node)}."
            yield from _places_in_definition(place, value, prefix)


def _places_in_definition(place: _Position, node: Node, prefix: str) -> Iterator[_Position]:
    body = _body_of(node)
    if body is None:
        return
    if node.type in _NAMESPACES:
        yield place.inside(body, prefix, "module")
    elif node.type in _BODY_HOLDERS:
        scope = "enum" if node.type == "enum_declaration" else "class"
        for child in body.named_children:
            yield place.inside(child, prefix, scope)
    elif body.type == "statement_block":
        yield place.inside(body, prefix, "function")


def _body_of(node: Node) -> Node | None:
    """Give the body of a declaration, or of the function that is the value of a field."""
    holder = node
    if node.type in _FIELDS:
        value = node.child_by_field_name("value")
        if value is None or value.type not in FUNCTION_VALUES:
            return None
        holder = value
    return holder.child_by_field_name("body")


def _text(node: Node) -> str:
    text: bytes = node.text
    return text.decode("utf-8", "replace")
