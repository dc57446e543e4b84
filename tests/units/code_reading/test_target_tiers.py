"""The bond of a tier: targets are joined by the graph, or by a name that nothing else bears."""

from pathlib import Path

import pytest

from goldwright.code_reading.target_tiers import tier_objection
from goldwright.plan import Cell
from goldwright.snapshot import open_snapshot

TILL = """
class Till:
    def close_all_drawers(self):
        if self.is_open:
            raise ValueError("a drawer is still open")
"""
# What `till` is, the graph cannot know.
SHOP = """
def end_day(till):
    till.close_all_drawers()
"""


def _objection(tmp_path: Path, shop: str) -> str | None:
    root = tmp_path / "code"
    root.mkdir()
    (root / "till.py").write_text(TILL)
    (root / "shop.py").write_text(shop)
    snapshot = open_snapshot(root, cache=tmp_path / "cache")
    assert not snapshot.graph.callers("till.py::Till.close_all_drawers")
    entities = map(snapshot.entity, ("till.py::Till.close_all_drawers", "shop.py::end_day"))
    targets = [entity for entity in entities if entity is not None]
    return tier_objection(Cell("debug", "medium"), targets, snapshot)


def test_a_call_on_an_object_of_unknown_class_joins_where_one_method_bears_the_name(
    tmp_path: Path,
) -> None:
    assert _objection(tmp_path, SHOP) is None


def test_such_a_call_joins_nothing_where_the_callers_may_not_be_all(tmp_path: Path) -> None:
    shop = f"{SHOP}\nAT_NIGHT = [Till.close_all_drawers]\n"
    assert "not joined" in (_objection(tmp_path, shop) or "")


BOTH = """
def price(item):
    return item.price


def total(basket):
    return sum(price(item) for item in basket)


def cheapest(basket):
    return min(basket, key=lambda item: price(item))


def count(basket):
    return len(basket)
"""


@pytest.mark.parametrize(
    ("names", "named", "is_joined"),
    [
        (("total", "cheapest"), "price", True),
        (("total", "cheapest"), None, False),
        (("total", "count"), "price", False),
        # What joins nothing is no reason against targets that hang together without it.
        (("total", "price"), "count", True),
    ],
)
def test_a_hop_may_lead_through_what_the_question_names(
    tmp_path: Path, names: tuple[str, ...], named: str | None, *, is_joined: bool
) -> None:
    root = tmp_path / "code"
    root.mkdir()
    (root / "shop.py").write_text(BOTH)
    snapshot = open_snapshot(root, cache=tmp_path / "cache")
    entities = [snapshot.entity(f"shop.py::{name}") for name in names]
    targets = [entity for entity in entities if entity is not None]
    named_ids = (f"shop.py::{named}",) if named else ()
    objection = tier_objection(Cell("review", "medium"), targets, snapshot, named_ids)
    assert (objection is None) == is_joined, objection
