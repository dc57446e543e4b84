"""Tables of a module: their entries, and the closed set of those who use them."""

from pathlib import Path

from goldwright.code_reading.modules import open_module
from goldwright.code_reading.tables import closed_table_users, tables_of
from goldwright.snapshot import Snapshot, open_snapshot

CODE = """
PAYMENTS = {"card": 1, "cash": 2}

def pay(kind):
    return PAYMENTS[kind]
"""


def _open(tmp_path: Path, code: str) -> Snapshot:
    root = tmp_path / "code"
    root.mkdir()
    (root / "shop.py").write_text(code)
    return open_snapshot(root, cache=tmp_path / "cache")


def test_entries_are_given_as_written(tmp_path: Path) -> None:
    """With the key as a word where it is a string."""
    module = open_module(_open(tmp_path, CODE), "shop.py")
    assert module is not None
    (table,) = tables_of(module)
    assert [(entry.key, entry.value, entry.word) for entry in table.entries] == [
        ('"card"', "1", "card"),
        ('"cash"', "2", "cash"),
    ]


def test_the_users_of_a_table_are_closed(tmp_path: Path) -> None:
    """Walk and search agree."""
    users = closed_table_users(_open(tmp_path, CODE), "shop.py::PAYMENTS", ["shop.py"])
    assert users == ("shop.py::pay",)


def test_a_table_that_is_assigned_again_has_no_closed_users(tmp_path: Path) -> None:
    """The search finds the second assignment."""
    snapshot = _open(tmp_path, f"{CODE}\nPAYMENTS = dict(PAYMENTS)\n")
    assert closed_table_users(snapshot, "shop.py::PAYMENTS", ["shop.py"]) is None
