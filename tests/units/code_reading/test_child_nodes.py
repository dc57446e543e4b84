"""Walks over trees: the nodes and the order of ``ast``, but for nodes that tell nothing."""

import ast
import inspect
import json.decoder
import sys
import typing
from types import ModuleType

import pytest

from goldwright.code_reading import child_nodes as walks

_LEFT_OUT = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)


@pytest.mark.parametrize("module", [json.decoder, typing, inspect])
def test_a_walk_meets_every_node_that_ast_meets(module: ModuleType) -> None:
    """Contexts and operators stand in no place of their own."""
    tree = ast.parse(inspect.getsource(module))
    nodes = [node for node in ast.walk(tree) if not isinstance(node, _LEFT_OUT)]
    assert list(walks.walk(tree)) == nodes


def test_children_come_in_the_order_of_the_source() -> None:
    """A decorator belongs to what it stands above."""
    function = ast.parse("@known\ndef f(a: int = 1) -> str:\n    return a\n").body[0]
    kinds = [type(node).__name__ for node in walks.child_nodes(function)]
    assert kinds == ["arguments", "Return", "Name", "Name"]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="no alias is a statement before 3.12")
def test_the_name_of_an_alias_is_a_node() -> None:
    alias = ast.parse("type Basket = list[str]").body[0]
    assert [type(node).__name__ for node in walks.child_nodes(alias)] == ["Name", "Subscript"]


def test_the_breaks_of_a_loop_are_those_that_leave_it() -> None:
    code = """
for x in y:
    if x:
        break
    for z in x:
        break
    else:
        break
    while x:
        break
    try:
        pass
    finally:
        break
"""
    loop = ast.parse(code).body[0]
    assert isinstance(loop, ast.For)
    assert sorted(node.lineno for node in walks.breaks_of(loop.body)) == [4, 8, 14]
