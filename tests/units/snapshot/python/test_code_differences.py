"""What a change of a Python file changes in its code."""

import difflib

import pytest

from goldwright.snapshot.changed_definitions import DefinitionChanges, Hunk
from goldwright.snapshot.languages.python.language import PYTHON


def hunks_between(old: str, new: str) -> tuple[Hunk, ...]:
    """The lines that differ, as git counts them with no line around."""
    matcher = difflib.SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False)
    hunks = []
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal":
            old_count, new_count = old_end - old_start, new_end - new_start
            hunk = Hunk(
                old_start + bool(old_count), old_count, new_start + bool(new_count), new_count
            )
            hunks.append(hunk)
    return tuple(hunks)


def change(old: str | None, new: str | None) -> DefinitionChanges:
    """Compare two texts of a file."""
    hunks = hunks_between(old or "", new or "")
    old_data = None if old is None else old.encode()
    new_data = None if new is None else new.encode()
    return PYTHON.code_change(old_data, new_data, hunks)


def names(old: str | None, new: str | None) -> list[str]:
    """The names of the changed definitions."""
    return [definition.name for definition in change(old, new).definitions]


SHOP = '''\
"""Prices."""
import math

RATE = 2


class Basket:
    """Holds things."""

    size = 3

    @property
    def total(self):
        """Add up."""
        # with tax
        def rounded(value):
            return math.floor(value)

        return rounded(1)

    def empty(self):
        return not self.size


def discount(price):
    return price / 2
'''


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("price / 2", "price / 3", ["discount"]),
        ("not self.size", "self.size == 0", ["Basket.empty"]),
        ("math.floor(value)", "math.ceil(value)", ["Basket.total.rounded"]),
        ("return rounded(1)", "return rounded(2)", ["Basket.total"]),
        ("@property", "@cached_property", ["Basket.total"]),
        ("size = 3", "size = 4", ["Basket"]),
        ("class Basket:", "class Basket(list):", ["Basket"]),
        ("RATE = 2", "RATE = 3", []),
        ("def discount(price):\n    return price / 2\n", "", ["discount"]),
        ("    @property\n", "", ["Basket.total"]),
        ("def empty", "def is_empty", ["Basket.empty", "Basket.is_empty"]),
    ],
)
def test_a_line_belongs_to_the_innermost_definition(
    before: str, after: str, expected: list[str]
) -> None:
    """A decorator to its function, a statement of a class body to the class."""
    new = SHOP.replace(before, after)
    assert names(SHOP, new) == expected
    assert names(new, SHOP) == expected
    assert change(SHOP, new).changes_code


@pytest.mark.parametrize(
    ("before", "after", "is_prose"),
    [
        ('"""Add up."""', '"""Sum up."""', True),
        ('"""Prices."""\n', "", True),
        ("# with tax", "# without tax", True),
        ("price / 2", "(price  /  2)", False),
        ("def discount(price):", "def discount(\n    price,\n):", False),
        ("\n\nclass", "\n\n\nclass", False),
    ],
)
def test_comments_docstrings_and_layout_are_no_code(
    before: str, after: str, *, is_prose: bool
) -> None:
    """And what is only laid out in another way is told apart from what is said in other words."""
    result = change(SHOP, SHOP.replace(before, after))
    assert (result.definitions, result.changes_code) == ((), False)
    assert result.changes_prose is is_prose


def test_a_function_behind_another_does_not_change_that_one() -> None:
    """A diff may begin at the last line of the older function, which is the same line again."""
    old = "def first():\n    return 1\n"
    new = "def first():\n    return 1\n\n\ndef second():\n    return 1\n"
    sliding = (Hunk(1, 0, 2, 4),)
    result = PYTHON.code_change(old.encode(), new.encode(), sliding)
    assert [definition.name for definition in result.definitions] == ["second"]


def test_a_new_file_and_a_removed_one_change_all_that_they_define() -> None:
    """Each is there on one side only."""
    everything = ["Basket", "Basket.empty", "Basket.total", "Basket.total.rounded", "discount"]
    added = change(None, SHOP)
    removed = change(SHOP, None)
    assert [definition.name for definition in added.definitions] == everything
    assert [definition.name for definition in removed.definitions] == everything
    assert all(not definition.before for definition in added.definitions)
    assert all(not definition.after for definition in removed.definitions)


def test_the_same_code_has_one_digest_wherever_it_stands() -> None:
    """By which a move is known, docstring and class around it aside."""
    nested = "class Box:\n    def size(self):\n        '''Say.'''\n        return 1\n"
    plain = "def size(self): return 1\n"
    first = {item.name: item.after for item in change(None, nested).definitions}
    second = {item.name: item.after for item in change(None, plain).definitions}
    assert first["Box.size"] == second["size"]


@pytest.mark.parametrize("broken", ["def f(:\n", "x = 1\rdef f(): pass\r", "\0"])
def test_what_cannot_be_read_says_why(broken: str) -> None:
    """A change into it tells nothing of definitions."""
    result = change("def f(): pass\n", broken)
    assert result.reason
    assert result.definitions == ()
