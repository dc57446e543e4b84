"""Calls inside of other expressions: both readings say alike which are surely made."""

import ast
from pathlib import Path

import pytest

from goldwright.agents.toolset import Toolset
from goldwright.code_reading.modules import open_module
from goldwright.offline_agents.statements.handles import Handles
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.snapshot import open_snapshot
from units.code_reading.sources import read_function

CODE = """
def work(a, b):
    if first(a) and second(b):
        return Bill(price(a), *rest(b))
    for item in listed(a):
        kept = item if item else other(item)
        for part in parted(item): push(part)
    while more(a):
        c = [each(x) for x in further(a)]
    with opened(b) as file, second_opened(b):
        text = file.read().strip(mark("x, y"))
    raise Sold(named(b) or "none")
"""
CERTAIN = (
    "`work` runs `first(a)`.",
    "`work` runs `price(a)` if `first(a)` and `second(b)`.",
    "`work` runs `rest(b)` if `first(a)` and `second(b)`.",
    "`work` runs `Bill(price(a), *rest(b))` if `first(a)` and `second(b)`.",
    "`work` runs `listed(a)` unless `first(a) and second(b)`.",
    "`work` runs `opened(b)` unless `first(a) and second(b)`.",
    "`work` runs `file.read()` unless `first(a) and second(b)`.",
    '`work` runs `mark("x, y")` unless `first(a) and second(b)`.',
    "`work` runs `named(b)` unless `first(a) and second(b)`.",
)
DEPENDING = ("second(b)", "other(item)", "more(a)", "each(x)", "further(a)")


@pytest.fixture
def code(tmp_path: Path) -> tuple[list[Runs], TokenCodebase]:
    """What the tree says of every call, and the same code for the other reading."""
    root = tmp_path / "code"
    root.mkdir()
    (root / "shop.py").write_text(CODE)
    snapshot = open_snapshot(root, cache=tmp_path / "cache")
    module = open_module(snapshot, "shop.py")
    assert module is not None
    function = module.function("work")
    assert function is not None
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    found = [Runs.of_call(module, "work", function, call) for call in calls]
    statements = [finding.statement for finding in found if finding is not None]
    tokens = TokenCodebase(snapshot, Toolset(snapshot), ["shop.py::work"])
    return [statement for statement in statements if isinstance(statement, Runs)], tokens


def test_the_tree_states_every_call_that_is_sure(code: tuple[list[Runs], TokenCodebase]) -> None:
    statements, _ = code
    sentences = {statement.sentence() for statement in statements}
    assert sentences >= set(CERTAIN)
    assert {statement.call for statement in statements}.isdisjoint(DEPENDING)


def test_the_tokens_show_them_and_no_others(code: tuple[list[Runs], TokenCodebase]) -> None:
    statements, tokens = code
    for statement in statements:
        assert statement.is_shown(tokens)[0] == "shown", statement.sentence()
    for call in DEPENDING:
        assert Runs("work", call, ()).is_shown(tokens)[0] == "refuted", call


def test_nobody_gets_what_a_generator_returns() -> None:
    """A bare ``return`` ends it: who takes its values gets none, and no ``None``."""
    code = """
def work(a):
    try:
        b = fetch(a)
    except OSError:
        return None
    if not b:
        return None
    yield b
"""
    module, function = read_function(code)
    assert list(Returned.find(module, "work", function)) == []
    assert list(Handles.find(module, "work", function)) == []
    module, function = read_function(code.replace("yield b", "return b"))
    assert list(Returned.find(module, "work", function))
    assert list(Handles.find(module, "work", function))
