"""Excerpts of code: whole statements, below every condition that leads to them."""

import itertools
import re
from collections.abc import Sequence

import pytest
from hypothesis import given

from goldwright.code_blocks import GAP, code_blocks
from goldwright.code_reading.conditions import ReachedStatement, statements_of
from goldwright.code_reading.modules import Module
from goldwright.code_reading.outlines import outline
from goldwright.offline_agents.narratives.code_excerpts import MOST_LINES, CodeExcerpt
from goldwright.records import FileRange
from units.code_reading.functions import CONDITIONS_ALONE, functions, run_on_every_choice
from units.code_reading.sources import PATH, read_module

_OUT = re.compile(r"out\((\d+)\)")


def excerpt_of(code: str, name: str = "work", unsaid: Sequence[str] = ()) -> CodeExcerpt:
    module = read_module(code)
    items = outline(module.definitions[name], module.lines)
    return CodeExcerpt(f"{PATH}::{name}", module, items, unsaid)


def line(first: int, last: int = 0) -> FileRange:
    return FileRange(file=PATH, start=first, end=last or first)


def quoted(excerpt: CodeExcerpt) -> list[str]:
    (block,) = code_blocks(excerpt.text())
    return list(block)


def shown(code: str, *lines: FileRange) -> list[str]:
    excerpt = excerpt_of(code)
    assert excerpt.take(excerpt.on(lines))
    return quoted(excerpt)


@given(functions(kinds=CONDITIONS_ALONE))
def test_who_reads_an_excerpt_knows_when_its_statement_is_reached(code: str) -> None:
    """Run on its own, the excerpt comes to the statement just where the function does."""
    module = read_module(code)
    for statement in _with_all_conditions(code):
        marks = _OUT.findall(module.lines[statement.node.lineno - 1])
        if statement.path is None or len(marks) != 1:
            continue
        if any(condition.kind == "except" for condition in statement.path):
            continue  # No step fails here, and nothing that `suppress` stops is raised.
        excerpt = _with_conditions(module, statement.node.lineno, statement.path)
        if excerpt is None:
            continue
        number = int(marks[0])
        alone = "\n".join(quoted(excerpt)).replace(GAP, "pass")
        expected = [number in run.reached for run in run_on_every_choice(code, steps_fail=False)]
        actual = [number in run.reached for run in run_on_every_choice(alone, steps_fail=False)]
        assert actual == expected, alone


def _with_all_conditions(code: str) -> Sequence[ReachedStatement]:
    """Read statements with conditions that follow from others as well: every flag is another."""
    numbers = itertools.count()
    head, body = code.split("\n", 1)
    own_flags = re.sub(r"\b[abcd]\b", lambda flag: f"{flag[0]}{next(numbers)}", body)
    module = read_module(f"{head}\n{own_flags}")
    function = module.function("work")
    assert function is not None
    return statements_of(function, module.text)


def _with_conditions(module: Module, number: int, path: Sequence[object]) -> CodeExcerpt | None:
    items = outline(module.definitions["work"], module.lines)
    excerpt = CodeExcerpt(f"{PATH}::work", module, items)
    tests = [line(test.first, test.last) for test in path]  # type: ignore[attr-defined]  # conditions
    return excerpt if excerpt.take(excerpt.on([line(number), *tests]), 60) else None


def test_a_statement_stands_below_its_tests_with_gaps_where_something_is_left_out() -> None:
    code = (
        "def work(a, b):\n"
        "    first()\n"
        "    if a:\n"
        "        second()\n"
        "        if b:\n"
        "            third()\n"
        "    fourth()\n"
    )
    assert shown(code, line(6)) == [
        "def work(a, b):",
        "    ...",
        "    if a:",
        "        ...",
        "        if b:",
        "            third()",
        "    ...",
    ]


def test_a_check_is_shown_with_what_leaves_behind_an_error_that_may_be_stopped() -> None:
    code = (
        "def work(a):\n"
        "    if a:\n"
        "        with suppress(KeyError):\n"
        "            raise KeyError(a)\n"
        "        first()\n"
        "        raise ValueError(a)\n"
        "    second()\n"
    )
    assert shown(code, line(2), line(7))[-2:] == ["        raise ValueError(a)", "    second()"]


def test_a_check_is_shown_with_what_it_does_and_a_try_with_what_ends_it() -> None:
    code = (
        "def work(a):\n"
        "    if not a:\n"
        "        log(a)\n"
        "        raise ValueError(a)\n"
        "    try:\n"
        "        a.run()\n"
        "    except KeyError:\n"
        "        return None\n"
        "    return a\n"
    )
    assert shown(code, line(2), line(6)) == [
        "def work(a):",
        "    if not a:",
        "        ...",
        "        raise ValueError(a)",
        "    try:",
        "        a.run()",
        "    except KeyError:",
        "        return None",
        "    ...",
    ]


def test_a_clause_on_one_line_is_shown_whole() -> None:
    code = "def work(a):\n    try:\n        a.run()\n    except KeyError: pass\n    a.stop()\n"
    assert shown(code, line(3)) == [*code.splitlines()[:4], "    ..."]


def test_of_a_long_list_of_parameters_the_ends_are_shown() -> None:
    parameters = "".join(f"    {name},\n" for name in "abcde")
    code = f"def work(\n{parameters}) -> int:\n    return a\n"
    assert shown(code, line(8)) == ["def work(", "    ...", ") -> int:", "    return a"]


def test_of_a_long_head_the_decorators_are_left_out() -> None:
    decorators = "".join(f"@option({number})\n" for number in range(7))
    code = f"{decorators}def work(a):\n    return a\n"
    assert shown(code, line(9)) == ["def work(a):", "    return a"]


def test_a_method_loses_the_indentation_of_its_class() -> None:
    code = "class Work:\n    def one(self):\n        return 1\n"
    excerpt = excerpt_of(code, "Work.one")
    assert excerpt.take(excerpt.on([line(3)]))
    assert quoted(excerpt) == ["def one(self):", "    return 1"]


def test_the_head_of_a_block_alone_is_shown_with_a_gap_below_it() -> None:
    assert shown("def work(a):\n    for b in a:\n        one(b)\n", line(2)) == [
        "def work(a):",
        "    for b in a:",
        "        ...",
    ]


def test_an_excerpt_grows_by_the_nearest_statements_first_below_until_there_is_no_room() -> None:
    code = "def work():\n" + "".join(f"    step({number})\n" for number in range(30))
    excerpt = excerpt_of(code)
    assert excerpt.take(excerpt.on([line(12)]))
    assert excerpt.grow()
    assert "    step(11)" in quoted(excerpt)
    assert excerpt.grow()
    assert "    step(9)" in quoted(excerpt)
    while excerpt.grow(12):
        pass
    assert excerpt.lines() == 12


@pytest.mark.parametrize(
    "hidden",
    [
        "x" * 121,
        '"""```"""',
        'raise ValueError("the kiln is closed")',
    ],
)
def test_what_nobody_reads_or_may_hear_is_not_shown(hidden: str) -> None:
    code = f"def work():\n    {hidden}\n    one()\n"
    excerpt = excerpt_of(code, unsaid=["the kiln is …"])
    assert not excerpt.take(excerpt.on([line(2)]))
    assert excerpt.take(excerpt.on([line(3)]))
    while excerpt.grow():
        pass
    assert hidden not in excerpt.text()


def test_lines_count_as_shown_only_where_all_of_them_are() -> None:
    code = "def work(a):\n    if a:\n        one()\n    two()\n"
    excerpt = excerpt_of(code)
    assert excerpt.take(excerpt.on([line(3)]))
    assert excerpt.shows([line(2), line(3)])
    assert not excerpt.shows([line(3), line(4)])
    assert not excerpt.shows([FileRange(file="other.py", start=3, end=3)])


def test_a_gap_that_is_no_shorter_than_what_it_hides_is_closed() -> None:
    code = (
        "def work(a, b):\n"
        "    first = a\n"
        "    if a:\n"
        "        x = 1\n"
        "        y = 2\n"
        "        z = 3\n"
        "    second = b\n"
        "    return second\n"
    )
    excerpt = excerpt_of(code)
    assert excerpt.take(excerpt.on([line(3), line(8)]))

    assert excerpt.close_gaps(MOST_LINES)

    assert quoted(excerpt) == [
        "def work(a, b):",
        "    first = a",
        "    if a:",
        "        ...",
        "    second = b",
        "    return second",
    ]
    assert not excerpt.close_gaps(MOST_LINES)


def test_the_rest_of_a_method_and_the_methods_behind_it_are_two_gaps() -> None:
    """With one gap, nobody would see that the class has more methods than are shown."""
    code = (
        "class Shop:\n"
        "    def open(self):\n"
        "        first()\n"
        "        second()\n"
        "    def sell(self):\n"
        "        return 1\n"
        "    def close(self):\n"
        "        return 2\n"
    )
    excerpt = excerpt_of(code, "Shop")
    assert excerpt.take(excerpt.on([line(3), line(8)]))
    assert quoted(excerpt) == [
        "class Shop:",
        "    def open(self):",
        "        first()",
        "        ...",
        "    ...",
        "    def close(self):",
        "        return 2",
    ]


def test_gaps_stay_where_there_is_no_room() -> None:
    excerpt = excerpt_of("def work(a):\n    b = a\n    return b\n")
    assert excerpt.take(excerpt.on([line(3)]))

    assert not excerpt.close_gaps(excerpt.lines())
