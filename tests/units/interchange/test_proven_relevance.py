"""Proven relevance is read as a dataset, whoever wrote it."""

from pathlib import Path

import pytest

from goldwright.errors import InputError
from goldwright.interchange.opening import open_dataset

# As seed 001 writes it: bare words, and no more fields than these.
PAIRS = """
pairs:
  - id: fold
    query: put words together
    candidates:
      - {fqn: "text.py::fold", text: def fold, empirical_relevance: YES, delta_p: 0.8}
      - {fqn: "text.py::split", text: def split, empirical_relevance: "NO", delta_p: 0.0}
      - {fqn: "text.py::twist", text: def twist, empirical_relevance: UNDECIDED, delta_p: 0.1}
  - id: nothing
    query: what nobody knows
    candidates:
      - {fqn: "text.py::split", text: def split, empirical_relevance: NO, delta_p: 0.0}
"""


def test_what_matters_is_expected_and_what_is_open_is_not_judged(tmp_path: Path) -> None:
    """YES and NO may stand without quotes, which other readers of YAML take for true and false."""
    path = tmp_path / "retrieval_dataset.yaml"
    path.write_text(PAIRS)
    dataset = open_dataset(str(path), tmp_path)
    (query,) = dataset.queries
    assert dataset.format == "proven-relevance"
    assert query.query_id == "fold"
    assert query.expected_ids == ("text.py::fold",)
    assert query.grades == {"text.py::fold": 1, "text.py::split": 0}


def test_a_verdict_of_another_kind_is_refused_by_its_place(tmp_path: Path) -> None:
    """The message names the candidate."""
    path = tmp_path / "retrieval_dataset.yaml"
    path.write_text(PAIRS.replace("UNDECIDED", "PERHAPS"))
    with pytest.raises(InputError, match=r"record 1: candidates\.2: empirical_relevance"):
        open_dataset(str(path), tmp_path)
