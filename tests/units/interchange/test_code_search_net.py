"""CodeSearchNet: docstrings as queries for the functions that they were written for."""

import json
from pathlib import Path

import pytest

from goldwright.errors import InputError
from goldwright.golden.datasets import LoadedDataset
from goldwright.interchange.opening import open_dataset

# The fields of the original files, ``url`` and the rest left out.
ORIGINAL: dict[str, object] = {
    "repo": "till/shop",
    "path": "shop/orders.py",
    "func_name": "Order.place",
    "original_string": 'def place(self):\n    """Place it."""\n    return 1',
    "language": "python",
    "code": 'def place(self):\n    """Place it."""\n    return 1',
    "code_tokens": ["def", "place", "(", "self", ")", ":", "return", "1"],
    "docstring": "Place an order\nfor goods.\n\nArgs:\n    self: The order.",
    "docstring_tokens": ["Place", "an", "order", "for", "goods", "."],
    "sha": "0" * 40,
    "partition": "test",
}
HUB: dict[str, object] = {
    "repository_name": "till/shop",
    "func_path_in_repository": "shop/orders.py",
    "func_name": "Order.place",
    "func_code_string": ORIGINAL["code"],
    "func_code_tokens": ORIGINAL["code_tokens"],
    "func_documentation_string": ORIGINAL["docstring"],
    "split_name": "test",
}


def opened(tmp_path: Path, *rows: dict[str, object]) -> LoadedDataset:
    """Rows as a file of JSON Lines, opened."""
    path = tmp_path / "python_test_0.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return open_dataset(str(path), tmp_path / "golden")


@pytest.mark.parametrize("row", [ORIGINAL, HUB])
def test_the_first_paragraph_asks_for_its_function(tmp_path: Path, row: dict[str, object]) -> None:
    """In either spelling; the document is the code without the docstring."""
    dataset = opened(tmp_path, row)
    (query,) = dataset
    assert dataset.format == "code_search_net"
    assert query.query_text == "Place an order for goods."
    assert query.expected_ids == ("shop/orders.py::Order.place",)
    assert dataset.corpus is not None
    (document,) = dataset.corpus()
    assert document.document_id == query.expected_ids[0]
    assert document.text == "def place ( self ) : return 1"


def test_equal_paths_of_several_codebases_are_different_functions(tmp_path: Path) -> None:
    """So is the same function at another commit."""
    rows = [ORIGINAL, ORIGINAL | {"repo": "till/shed"}, ORIGINAL | {"sha": "1" * 40}]
    dataset = opened(tmp_path, *rows)
    ids = [expected for query in dataset for expected in query.expected_ids]
    assert len(set(ids)) == len(rows)
    assert any("3 codebases" in note for note in dataset.notes)


def test_a_docstring_that_is_searched_is_said_to_be(tmp_path: Path) -> None:
    """Where the file holds no tokens, the document holds its query."""
    row = {key: value for key, value in ORIGINAL.items() if key != "code_tokens"}
    dataset = opened(tmp_path, row)
    assert any("docstrings" in note for note in dataset.notes)
    assert not any("docstrings" in note for note in opened(tmp_path, ORIGINAL).notes)


@pytest.mark.parametrize("field", ["func_name", "path", "docstring"])
def test_a_broken_field_is_named_with_its_place(tmp_path: Path, field: str) -> None:
    """In the second row, which no reader looks at to find the format."""
    with pytest.raises(InputError, match=rf"python_test_0.jsonl.*2.*{field}"):
        opened(tmp_path, ORIGINAL, ORIGINAL | {field: 7})
