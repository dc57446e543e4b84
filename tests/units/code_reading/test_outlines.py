"""Definitions as outlines: every statement once, below all that it stands in."""

import ast
from itertools import pairwise

from hypothesis import given

from goldwright.code_reading.outlines import OutlineItem, outline
from units.code_reading.functions import functions
from units.code_reading.sources import read_function, read_module


def items_of(code: str, name: str = "work") -> list[OutlineItem]:
    module = read_module(code)
    return outline(module.definitions[name], module.lines)


def shape_of(code: str) -> list[tuple[int, int, int | None]]:
    """Give the lines of every item, and the first one of what it stands in."""
    return [
        (item.first, item.last, item.around.first if item.around else None)
        for item in items_of(code)
    ]


@given(functions())
def test_every_statement_is_one_item_and_lies_below_what_it_stands_in(code: str) -> None:
    module, function = read_function(code)
    items = outline(function, module.lines)
    starts = [item.first for item in items]
    assert starts == sorted(starts)
    assert items[0].node is function
    assert items[0].around is None
    for first, second in pairwise(items):
        assert first.last < second.first or first.node is second.node
    for item in items[1:]:
        assert item.around is not None
        assert item.around.opens_block
        assert item.around.last < item.first
    simple = [node for node in ast.walk(function) if isinstance(node, ast.Expr | ast.Return)]
    shown = {line for item in items for line in range(item.first, item.last + 1)}
    assert {node.lineno for node in simple} <= shown


def test_each_branch_stands_in_the_test_before_it() -> None:
    code = (
        "def work(a):\n"
        "    if a:\n"
        "        one()\n"
        "    elif not a:\n"
        "        two()\n"
        "    else:\n"
        "        three()\n"
    )
    assert shape_of(code) == [
        (1, 1, None),
        (2, 2, 1),
        (3, 3, 2),
        (4, 4, 2),
        (5, 5, 4),
        (6, 6, 4),
        (7, 7, 6),
    ]


def test_clauses_stand_in_their_try_and_else_and_finally_have_lines_of_their_own() -> None:
    code = (
        "def work():\n"
        "    try:\n"
        "        one()\n"
        "    except (\n"
        "        KeyError,\n"
        "    ):\n"
        "        two()\n"
        "    else:\n"
        "        three()\n"
        "    finally:\n"
        "        four()\n"
    )
    assert shape_of(code)[1:] == [
        (2, 2, 1),
        (3, 3, 2),
        (4, 6, 2),
        (7, 7, 4),
        (8, 8, 2),
        (9, 9, 8),
        (10, 10, 2),
        (11, 11, 10),
    ]


def test_what_stands_on_one_line_is_one_item() -> None:
    assert shape_of("def work(a):\n    if a: return 1\n    return 2\n")[1:] == [
        (2, 2, 1),
        (3, 3, 1),
    ]


def test_a_short_comment_belongs_to_the_statement_below_it_and_a_docstring_to_none() -> None:
    code = (
        "@cached\n"
        "def work(\n"
        "    a,\n"
        "):\n"
        '    """Work."""\n'
        "    # why\n"
        "    # so\n"
        "    one(a)\n"
        "\n"
        "    # a heading\n"
        "\n"
        "    two()\n"
    )
    assert shape_of(code) == [(1, 4, None), (5, 5, 1), (6, 8, 1), (12, 12, 1)]


def test_a_long_docstring_is_left_out() -> None:
    code = 'def work(a):\n    """Work.\n\n    On a.\n    """\n    one(a)\n'
    assert shape_of(code) == [(1, 1, None), (6, 6, 1)]


def test_a_comment_above_the_definition_stands_outside_of_it() -> None:
    code = "# The work.\n@cached\ndef work(): return 1\n\n\n# More of it.\ndef more():\n    one()\n"
    assert shape_of(code) == [(2, 3, None)]
    assert [(item.first, item.last) for item in items_of(code, "more")] == [(7, 7), (8, 8)]


def test_cases_stand_in_their_match() -> None:
    code = (
        "def work(a):\n"
        "    match a:\n"
        "        case 1:\n"
        "            one()\n"
        "        case _:\n"
        "            two()\n"
    )
    assert shape_of(code)[1:] == [(2, 2, 1), (3, 3, 2), (4, 4, 3), (5, 5, 2), (6, 6, 5)]


def test_the_methods_of_a_class_are_items_with_their_decorators() -> None:
    code = "class Work:\n    size = 1\n    @property\n    def one(self):\n        return 1\n"
    items = items_of(code, "Work")
    assert [(item.first, item.last) for item in items] == [(1, 1), (2, 2), (3, 4), (5, 5)]
