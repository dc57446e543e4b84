"""Semble's annotations are read as they lie in its repository."""

import json
from pathlib import Path

import pytest

from goldwright.errors import InputError
from goldwright.interchange.opening import open_dataset

ROW = {
    "query": "where prices are added up",
    "relevant": ["shop/basket.py", {"path": "shop/prices.py", "start_line": 3, "end_line": 9}],
    "secondary": ["shop/tax.py", "shop/basket.py"],
    "category": "architecture",
}


def test_what_answers_weighs_more_than_what_belongs_to_it(tmp_path: Path) -> None:
    """A file that is both is worth what it is worth most."""
    path = tmp_path / "shop.json"
    path.write_text(json.dumps([ROW]))
    dataset = open_dataset(str(path), tmp_path)
    (query,) = dataset.queries
    assert dataset.format == "semble"
    assert query.grades == {"shop/basket.py": 2, "shop/prices.py": 2, "shop/tax.py": 1}
    assert query.file_paths == ("shop/basket.py", "shop/prices.py", "shop/tax.py")
    assert query.strata == {"category": "architecture"}


@pytest.mark.parametrize("wrong", ["shop.py", [3], [{"start_line": 1}]])
def test_a_list_of_other_things_is_refused_by_its_place(tmp_path: Path, wrong: object) -> None:
    """The message names the record and the field."""
    path = tmp_path / "shop.json"
    path.write_text(json.dumps([ROW, {**ROW, "secondary": wrong}]))
    with pytest.raises(InputError, match="record 2: secondary"):
        open_dataset(str(path), tmp_path)
