"""What the ids of others mean in a codebase, and what is said of those that mean nothing."""

from pathlib import Path

import pytest

from goldwright.golden.expected_ids import ExpectedIdResolver
from goldwright.golden.queries import DatasetQuery
from goldwright.snapshot import open_snapshot

FILES = {
    "shop/till.py": "def total(): ...\n\ndef open_drawer(): ...\n",
    "shop/stock.py": "class Stock:\n    def total(self): ...\n\ndef total(): ...\n",
    "shop/api.pyi": "def total() -> int: ...\n",
}


@pytest.fixture
def resolver(tmp_path: Path) -> ExpectedIdResolver:
    for path, code in FILES.items():
        (tmp_path / "code" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "code" / path).write_text(code)
    root = tmp_path / "code"
    return ExpectedIdResolver(open_snapshot(root, cache=tmp_path / "cache"), root)


def query(*expected: str, files: tuple[str, ...] = ()) -> DatasetQuery:
    return DatasetQuery(
        query_id="q1", query_text="where?", expected_ids=expected, expected_files=files
    )


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        (query("open_drawer"), ("shop/till.py::open_drawer",)),
        (query("Stock.total"), ("shop/stock.py::Stock.total",)),
        (query("total", files=("shop/till.py",)), ("shop/till.py::total",)),
    ],
)
def test_a_name_is_enough_where_it_means_one_entity(
    resolver: ExpectedIdResolver, asked: DatasetQuery, meant: tuple[str, ...]
) -> None:
    resolved = resolver.resolve_all([asked])
    assert (resolved.queries[0].expected_ids, resolved.unresolved) == (meant, ())


def test_a_name_of_several_entities_is_no_unknown_one(resolver: ExpectedIdResolver) -> None:
    (unresolved,) = resolver.resolve_all([query("total")]).unresolved
    assert unresolved.message == (
        "'total' is the name of 4 entities, such as shop/stock.py::Stock.total; "
        "write it as PATH::NAME"
    )


def test_a_name_of_another_style_is_nearest_wherever_it_is(resolver: ExpectedIdResolver) -> None:
    """As long as the file that is named has nothing like it."""
    (unresolved,) = resolver.resolve_all([query("shop/stock.py::openDrawer")]).unresolved
    assert unresolved.message.endswith("the nearest is shop/till.py::open_drawer")
