"""Kept state is known where every change of it is: nothing hands it on, nothing else bears it."""

from pathlib import Path

import pytest

from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.kept_state import attribute_state, module_state
from goldwright.snapshot import open_snapshot


def context(root: Path, code: str, **others: str) -> CodeContext:
    (root / "code").mkdir()
    for name, text in {"pool": code, **others}.items():
        (root / "code" / f"{name}.py").write_text(text)
    return CodeContext(open_snapshot(root / "code", cache=root / "cache"))


MODULE = "POOL = {}\n\ndef fill(key):\n    POOL[key] = 1\n"


@pytest.mark.parametrize(
    ("addition", "is_known"),
    [
        ("", True),
        ("def drop():\n    POOL.clear()", True),
        ("def look():\n    return len(POOL)", True),
        ("def reset():\n    global POOL\n    POOL = {}", True),
        ("def reset():\n    POOL = {}", False),
        ("def hand():\n    return POOL", False),
        ("def hand(POOL):\n    return 1", False),
        ("POOL.clear()", False),
        ("def fill_of(shop):\n    shop.POOL[1] = 2", False),
    ],
)
def test_a_name_of_a_module_is_kept_where_all_its_changes_are_known(
    tmp_path: Path, addition: str, *, is_known: bool
) -> None:
    code = context(tmp_path, f"{MODULE}\n{addition}\n")
    assert (module_state(code, "pool.py", "POOL") is not None) is is_known


def test_another_file_changes_a_name_by_its_module_or_by_import(tmp_path: Path) -> None:
    code = context(
        tmp_path,
        MODULE,
        shop="import pool\n\ndef drop():\n    pool.POOL.clear()\n",
        till="from pool import POOL\n\ndef drop():\n    POOL.clear()\n",
        test_pool="from pool import POOL\n\ndef test_pool():\n    save(POOL)\n",
    )
    state = module_state(code, "pool.py", "POOL")
    assert state is not None
    assert {use.path for use in state.uses} == {"pool.py", "shop.py", "till.py"}
    assert module_state(code, "gone.py", "POOL") is None


def test_a_name_of_another_object_is_another_name(tmp_path: Path) -> None:
    code = context(tmp_path, MODULE, shop="def drop(till):\n    till.POOL.clear()\n")
    assert module_state(code, "pool.py", "POOL") is None


CLASS = """
class Till:
    def __init__(self):
        self._coins = []

    def put(self, coin):
        self._coins.append(coin)
"""


@pytest.mark.parametrize(
    ("addition", "is_known", "is_known_handed_on"),
    [
        ("", True, True),
        ("    def empty(self):\n        self._coins = []", True, True),
        ("    def give(self):\n        return self._coins", False, True),
        ("def steal(till):\n    till._coins.clear()", False, False),
        ("def look(till):\n    return till._coins[0]", True, True),
        ("def hand(till):\n    save(till._coins)", False, True),
        ("class Other:\n    def empty(self):\n        self._coins.clear()", False, False),
    ],
)
def test_an_attribute_is_kept_where_its_class_alone_changes_it(
    tmp_path: Path, addition: str, *, is_known: bool, is_known_handed_on: bool
) -> None:
    code = context(tmp_path, f"{CLASS}\n{addition}\n")
    till = "pool.py::Till"
    assert (attribute_state(code, till, "_coins") is not None) is is_known
    handed_on = attribute_state(code, till, "_coins", is_handed_on=True)
    assert (handed_on is not None) is is_known_handed_on
