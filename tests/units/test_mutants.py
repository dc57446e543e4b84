"""Mutation testing: which faults are made of a module, and that a seeded fault takes effect."""

import importlib.util
import json
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import benchmarks
import goldwright
from benchmarks.mutant_seeding import constants_of, lines_that_read, seed_mutant
from benchmarks.mutants import Mutant, mutants_of

SOURCE = '''\
"""A module to be mutated."""

LIMIT = 3
TWICE = LIMIT * 2


def is_small(number: int, *, most: int = 10) -> bool:
    """Compare with both limits."""
    if number < 0:
        raise ValueError("a negative number")
    return number <= LIMIT and number <= most


class Counter:
    """Counts."""

    step = 1

    def count(self, numbers: list[int]) -> int:
        """Count the small ones."""
        return sum(is_small(number) for number in numbers)


def twice() -> int:
    return TWICE
'''

LoadedModule = tuple[ModuleType, list[Mutant]]


@pytest.fixture
def loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LoadedModule:
    """Load the module, and make its mutants."""
    path = tmp_path / "mutated_module.py"
    path.write_text(SOURCE, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("mutated_module", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "mutated_module", module)
    spec.loader.exec_module(module)
    return module, list(mutants_of(path))


def seed(loaded: LoadedModule, after: str) -> ModuleType:
    """Seed the one mutant whose statement reads so."""
    module, mutants = loaded
    (mutant,) = [mutant for mutant in mutants if mutant.after == after]
    seed_mutant(mutant)
    return module


def test_every_mutant_differs_from_its_statement_and_stands_once(loaded: LoadedModule) -> None:
    _, mutants = loaded
    faults = [(mutant.line, mutant.before, mutant.after) for mutant in mutants]
    assert len(set(faults)) == len(faults)
    assert all(before != after for _, before, after in faults)


def test_docstrings_annotations_messages_and_class_tables_are_left_alone(
    loaded: LoadedModule,
) -> None:
    _, mutants = loaded
    mutated_lines = {mutant.line for mutant in mutants}
    lines = SOURCE.splitlines()
    assert {lines[line - 1].strip() for line in mutated_lines} == {
        "LIMIT = 3",
        "TWICE = LIMIT * 2",
        "def is_small(number: int, *, most: int = 10) -> bool:",
        "if number < 0:",
        'raise ValueError("a negative number")',
        "return number <= LIMIT and number <= most",
        "return sum(is_small(number) for number in numbers)",
        "return TWICE",
    }


@pytest.mark.parametrize(
    ("after", "call"),
    [
        ("return number < LIMIT and number <= most", lambda module: not module.is_small(3)),
        ("return number <= LIMIT or number <= most", lambda module: module.is_small(9)),
        ("if number <= 0:", lambda module: _refuses(module, 0)),
        ("pass", lambda module: not _refuses(module, -1)),
        ("return 0", lambda module: module.Counter().count([1]) == 0),
    ],
)
def test_a_fault_in_a_function_takes_effect_wherever_the_function_is_held(
    loaded: LoadedModule, after: str, call: Callable[[ModuleType], bool]
) -> None:
    module, mutants = loaded
    chosen = [mutant for mutant in mutants if mutant.after == after]
    assert not call(module)
    seed_mutant(chosen[0])
    assert call(module)


def test_a_fault_in_a_default_takes_effect(loaded: LoadedModule) -> None:
    module, _ = loaded
    assert module.is_small.__kwdefaults__ == {"most": 10}
    seed(loaded, "number: int, *, most: int=11")
    assert module.is_small.__kwdefaults__ == {"most": 11}


def test_a_fault_in_a_constant_reaches_what_is_made_of_it(loaded: LoadedModule) -> None:
    module = seed(loaded, "LIMIT = 4")
    assert module.is_small(4)
    assert module.twice() == 8


def test_a_constant_concerns_the_lines_that_read_it_or_what_is_made_of_it(
    loaded: LoadedModule,
) -> None:
    _, mutants = loaded
    mutant = next(mutant for mutant in mutants if mutant.after == "LIMIT = 4")
    assert constants_of(mutant) == {"LIMIT", "TWICE"}
    lines = SOURCE.splitlines()
    read = lines_that_read(mutant.site.tree, constants_of(mutant))
    assert [lines[line - 1].strip() for line in read] == [
        "return number <= LIMIT and number <= most",
        "return TWICE",
    ]
    assert constants_of(mutants[-1]) == frozenset()


def _refuses(module: ModuleType, number: int) -> bool:
    try:
        module.is_small(number)
    except ValueError:
        return True
    return False


def test_a_mutant_that_no_test_can_tell_is_still_among_the_mutants() -> None:
    """An entry whose statement was written anew excuses nothing, and hides what it is about."""
    listed = defaultdict(set)
    text = Path(*benchmarks.__path__, "equivalent_mutants.json").read_text(encoding="utf-8")
    for row in json.loads(text):
        listed[row["file"]].add((row["before"], row["after"]))
    product = Path(*goldwright.__path__)
    for file, pairs in listed.items():
        made = {(mutant.before, mutant.after) for mutant in mutants_of(product / file)}
        assert pairs <= made, file
