"""The definitions in which a message is written out: a set that a whole codebase shows."""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeGuard

from goldwright.code_reading.child_nodes import child_nodes
from goldwright.code_reading.messages import fixed_parts, message_template
from goldwright.code_reading.modules import Definition, Module, name_inside, open_module, reading_of
from goldwright.snapshot import Snapshot
from goldwright.snapshot.product_code import is_product_code
from goldwright.snapshot.word_files import files_with

# Shorter words stand nearly everywhere.
SHORTEST_WORD: Final = 4

_WORD: Final = re.compile(r"[^\W\d]\w*")
_MESSAGES: Final = (ast.Constant, ast.JoinedStr, ast.BinOp, ast.Call)


def places_of_message(snapshot: Snapshot, message: str) -> frozenset[str] | None:
    """Give the ids of the product definitions that hold a message in a string.

    Args:
        snapshot: The codebase.
        message: The message, ``…`` for what is put in or cut off.

    Returns:
        The innermost definitions, or those of a module (with nothing behind ``::``); None where
        all words of the message stand in too many files to look.
    """
    parts = fixed_parts(message)
    paths = _fewest_files(snapshot, parts)
    if paths is None:
        return None
    places: set[str] = set()
    for path in paths:
        if not is_product_code(snapshot, path):
            continue
        module = open_module(snapshot, path)
        if module is not None:
            owners = _owners(module, parts)
            places.update(map(module.entity_id, owners))
    return frozenset(places)


def _fewest_files(snapshot: Snapshot, parts: Sequence[str]) -> tuple[str, ...] | None:
    words = {word for part in parts for word in _WORD.findall(part)}
    searched = sorted(word for word in words if len(word) >= SHORTEST_WORD)
    holding = [files_with(snapshot, word) for word in searched]
    known_paths = [paths for paths in holding if paths is not None]
    return min(known_paths, key=len, default=None)


def _owners(module: Module, parts: Sequence[str]) -> Iterator[str]:
    for owner, template in reading_of(module, _templates):
        if stand_in_order(parts, template):
            yield owner


def _templates(module: Module) -> tuple[tuple[str, str], ...]:
    """List the strings of a file, each behind the name of the innermost definition around it."""
    templates: list[tuple[str, str]] = []
    beginnings: set[ast.AST] = set()
    pending: list[tuple[ast.AST, str]] = [(module.tree, "")]
    while pending:
        node, owner = pending.pop()
        if isinstance(node, Definition):
            owner = name_inside(owner, node.name)
        # The beginning of a sum says nothing that the whole of it does not say.
        if _is_sum(node) and _is_sum(node.left):
            beginnings.add(node.left)
        if isinstance(node, _MESSAGES) and node not in beginnings:
            template = message_template(node)
            if template is not None:
                templates.append((owner, template))
        pending.extend((child, owner) for child in child_nodes(node))
    return tuple(templates)


def _is_sum(node: ast.AST) -> TypeGuard[ast.BinOp]:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)


def stand_in_order(parts: Sequence[str], text: str) -> bool:
    """Check whether the parts of a message stand in a text, one behind the other."""
    place = 0
    for part in parts:
        place = text.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return True
