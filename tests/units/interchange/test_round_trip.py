"""What is taken elsewhere comes back: everything, or everything but what the report of losses
names.
"""

import importlib
import inspect
import pkgutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import share_of
from goldwright import interchange as package
from goldwright.app.datasets.convert import Fields, fields_of
from goldwright.interchange.catalog import BY_NAME, FORMATS
from goldwright.interchange.format import PIECES, Format, losses
from goldwright.records import GoldenLabel
from goldwright.retrieval.column_ids import decoded, encoded
from units.interchange.datasets import HOLD, RAIL, content, corpus_for, labels, of, words

every_format = pytest.mark.parametrize("to", FORMATS, ids=lambda one: one.name)
datasets = st.lists(labels, min_size=1, max_size=3, unique_by=lambda one: one.query_id).map(tuple)


def sent_and_back(to: Format, records: tuple[GoldenLabel, ...]) -> tuple[Fields, ...]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.yaml"
        to.write(of(*records, documents=corpus_for(records)), out)
        return tuple(map(fields_of, to.read(out).queries))


def shown(label: GoldenLabel, to: Format) -> dict[str, Any]:
    """What a format without luggage has a place for, of one record."""
    whole = label.model_dump(mode="json")
    found = {piece: whole[piece] for piece in to.visible_pieces if piece in whole}
    if "expected_entities.entity_id" in to.visible_pieces:
        found["expected_entities"] = list(label.entity_ids)
    return found


def comparable(fields: Fields, wanted: Fields, to: Format) -> dict[str, object]:
    """The wanted fields with lists for tuples; of TREC's texts the words, for its line breaks are
    gone.
    """
    found = {
        field: list(value) if isinstance(value := fields.get(field, []), tuple) else value
        for field in wanted
    }
    return {**found, "query_text": str(found["query_text"]).split()} if to.name == "trec" else found


@every_format
@given(datasets)
@settings(max_examples=share_of(100, suite=15))
def test_nothing_is_lost_but_what_the_format_has_no_place_for(
    to: Format, records: tuple[GoldenLabel, ...]
) -> None:
    back = sent_and_back(to, records)
    if to.carries_record:
        assert list(back) == [one.model_dump(mode="json") for one in records]
        return
    for label, found in zip(records, back, strict=True):
        assert comparable(found, shown(label, to), to) == comparable(
            shown(label, to), shown(label, to), to
        )


def test_every_format_is_in_the_catalog() -> None:
    """A module with a format that ``FORMATS`` does not list can be reached by nobody."""
    modules = [
        importlib.import_module(one.name)
        for one in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
    ]
    written = {
        one
        for module in modules
        for one in vars(module).values()
        if inspect.isclass(one)
        and one.__module__ == module.__name__
        and hasattr(one, "carries_record")
    }
    assert written - {Format} == {type(one) for one in FORMATS}


@every_format
def test_the_same_dataset_gives_the_same_bytes(to: Format, tmp_path: Path) -> None:
    for name in ("once", "again"):
        to.write(of(HOLD, RAIL), tmp_path / name)
    assert content(tmp_path / "once") == content(tmp_path / "again")


@every_format
def test_every_piece_of_a_record_is_shown_or_named_as_a_loss(to: Format) -> None:
    """RAIL has every piece but five; a field that is added to the records is named without
    anybody's doing.
    """
    named = {one.piece for one in losses(to, [HOLD, RAIL])}
    absent = {
        "strata",
        "focus_area",
        "difficulty_rationale",
        "classifier_expectation",
        "uncertainty_notes",
    }
    assert to.visible_pieces <= set(PIECES)
    assert named == set(PIECES) - to.visible_pieces - absent
    assert {one.returns for one in losses(to, [HOLD, RAIL])} == {to.carries_record}


def test_losses_count_the_records_that_have_something_to_lose() -> None:
    found = {one.piece: one.records for one in losses(BY_NAME["trec"], [HOLD, RAIL])}
    assert (
        found["alternatives"],
        found["expected_entities.role"],
        found["identifier_in_query"],
    ) == (1, 2, 2)


@given(words)
def test_an_id_has_no_white_space_in_it_and_comes_back(name: str) -> None:
    written = encoded(name)
    assert decoded(written) == name
    assert len(written.split()) == (1 if name else 0)
    assert '"' not in written


def test_an_id_without_white_space_stays_as_it_is() -> None:
    assert encoded("src/Größe.py::A.b-c{d}") == "src/Größe.py::A.b-c{d}"
    assert encoded("my files/a.py::f") == "my%20files/a.py::f"


def test_a_symbol_of_coderag_is_that_of_its_only_file(tmp_path: Path) -> None:
    BY_NAME["coderag"].write(of(HOLD, RAIL), tmp_path / "out.jsonl")
    back = BY_NAME["coderag"].read(tmp_path / "out.jsonl").queries
    assert [one.expected_ids for one in back] == [
        ("Door.hold", "bend"),
        ("my files/rail.py::bend",),
    ]
