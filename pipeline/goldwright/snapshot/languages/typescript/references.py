"""The references of a TypeScript file: imports, calls, base classes, and who makes them."""

from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.snapshot.file_facts import Definition, FileFacts, ImportedName, Reference
from goldwright.snapshot.languages.typescript.definitions import DEFAULT, PlacedDefinition
from goldwright.snapshot.languages.typescript.owners import OwnersByByte
from goldwright.snapshot.languages.typescript.parsing import Node

_PLAIN_NAMES: Final = frozenset(
    {"identifier", "this", "property_identifier", "type_identifier"}
    | {"private_property_identifier", "nested_identifier", "nested_type_identifier"}
)
_LISTS_OF_NAMES: Final = frozenset({"import_clause", "named_imports", "export_clause"})


def facts_of(root: Node, placed: Sequence[PlacedDefinition]) -> FileFacts:
    """Collect the facts of a file from its tree and its definitions."""
    owners = OwnersByByte(placed)
    imports: list[ImportedName] = []
    calls: list[Reference] = []
    bases: list[Reference] = []
    stack = [root]
    while stack:
        node = stack.pop()
        owner = owners.at(node.start_byte)
        if node.type in {"import_statement", "export_statement"}:
            imports.extend(_imported(node))
        elif node.type in {"call_expression", "new_expression"}:
            calls.extend(_call(node, owner))
        elif node.type in {"extends_clause", "extends_type_clause", "implements_clause"}:
            bases.extend(_bases(node, owner))
        stack.extend(reversed(node.children))
    return FileFacts(
        definitions=tuple(_definitions(placed)),
        imports=tuple(imports),
        calls=tuple(calls),
        bases=tuple(bases),
    )


def _definitions(placed: Sequence[PlacedDefinition]) -> Iterator[Definition]:
    for item in placed:
        yield item.definition


def _call(node: Node, owner: str) -> Iterator[Reference]:
    field = "function" if node.type == "call_expression" else "constructor"
    dotted = _dotted(node.child_by_field_name(field))
    if dotted:
        line = int(node.start_point[0]) + 1
        yield Reference(owner, dotted, line)


def _bases(node: Node, owner: str) -> Iterator[Reference]:
    for child in node.named_children:
        base = child
        if child.type == "generic_type":
            base = child.child_by_field_name("name")
        dotted = _dotted(base)
        if dotted:
            line = int(child.start_point[0]) + 1
            yield Reference(owner, dotted, line)


def _dotted(node: Node | None) -> str:
    """Write names that dots join; empty for anything else."""
    parts: list[str] = []
    while node is not None and node.type == "member_expression":
        parts.append(_text(node.child_by_field_name("property")))
        node = node.child_by_field_name("object")
    if node is None or node.type not in _PLAIN_NAMES:
        return ""
    return ".".join([_text(node), *reversed(parts)])


def _imported(node: Node) -> Iterator[ImportedName]:
    source = node.child_by_field_name("source")
    if source is None:
        return
    module = _text(source)[1:-1]
    level = int(module.startswith("."))
    clauses = [child for child in node.children if child.type != "string"]
    if any(child.type == "*" for child in clauses):
        yield ImportedName("*", module, "", level)
    stack = clauses
    while stack:
        child = stack.pop()
        if child.type in _LISTS_OF_NAMES:
            stack.extend(child.children)
        yield from _bound_by(child, module, level)


def _bound_by(clause: Node, module: str, level: int) -> Iterator[ImportedName]:
    """Yield what one part of an import binds by itself."""
    if clause.type in {"import_specifier", "export_specifier"}:
        name = _text(clause.child_by_field_name("name"))
        alias = clause.child_by_field_name("alias")
        bound_name = _text(alias) if alias else name
        yield ImportedName(bound_name, module, name, level)
    elif clause.type in {"namespace_import", "namespace_export"}:
        bound_name = _text(clause.named_children[0])
        yield ImportedName(bound_name, module, "", level)
    elif clause.type == "import_clause":
        plain_names = [part for part in clause.children if part.type == "identifier"]
        for plain_name in plain_names:
            yield ImportedName(_text(plain_name), module, DEFAULT, level)


def _text(node: Node) -> str:
    text: bytes = node.text
    return "".join(text.decode("utf-8", "replace").split())
