"""Reading answers of any origin for the gate."""

import json
from pathlib import Path

import pytest

from goldwright.errors import InputError
from goldwright.stages.gate import check_answers
from goldwright.stages.gate.examples import ANSWER, BASKET, SHOP


def _row(**changes: object) -> dict[str, object]:
    row: dict[str, object] = json.loads(ANSWER.as_json())
    return {"query_id": "q_1", **row, **changes}


def _write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_answers_labels_and_foreign_records_pass_alike(tmp_path: Path) -> None:
    """Fields that no answer has are nobody's business here."""
    foreign = _row(
        query_id="q_2",
        schema_version="0.3",
        provenance={"oracle": "x"},
        expected_entities=[f"{BASKET}::Basket.add"],
        source_evidence=[{"file": BASKET, "start": 1, "end": 15, "read_at_step": 1, "tool": "cat"}],
    )
    path = _write(tmp_path / "answers.jsonl", _row(), foreign)
    assert list(check_answers(path, SHOP)) == [("q_1", ()), ("q_2", ())]


def test_a_json_list_is_read_like_its_lines(tmp_path: Path) -> None:
    """A dataset is one list, and goes through the same gate."""
    path = tmp_path / "golden_v1.0.json"
    path.write_text(
        json.dumps([_row(), _row(query_id="q_2", confidence="low")], indent=1), encoding="utf-8"
    )
    assert [(query_id, len(failures)) for query_id, failures in check_answers(path, SHOP)] == [
        ("q_1", 0),
        ("q_2", 1),
    ]


@pytest.mark.parametrize(
    ("changes", "claim"),
    [
        ({"confidence": "sure"}, "confidence"),
        ({"expected_files": "a.py"}, "expected_files"),
        (
            {"expected_line_ranges": [{"file": BASKET, "start": "9", "end": 12}]},
            "expected_line_ranges.0.start",
        ),
        ({"canonical_narrative": None}, "canonical_narrative"),
        ({"must_mention_facts": ["one", 2]}, "must_mention_facts.1"),
        ({"canonical_narrative": "\ud800"}, "answer"),
    ],
)
def test_a_field_of_the_wrong_type_is_one_failure_that_names_it(
    tmp_path: Path, changes: dict[str, object], claim: str
) -> None:
    """An answer that cannot be read is an answer that fails, not an error of the program."""
    path = _write(tmp_path / "answers.jsonl", _row(**changes))
    [(query_id, [failure])] = list(check_answers(path, SHOP))
    assert (query_id, failure.check, failure.claim) == ("q_1", "answer_shape", claim)


def test_a_missing_field_is_one_failure_that_names_it(tmp_path: Path) -> None:
    """Nothing is assumed for what an answer does not say."""
    row = _row()
    del row["fact_citations"]
    [(_, [failure])] = list(check_answers(_write(tmp_path / "answers.jsonl", row), SHOP))
    assert (failure.check, failure.claim) == ("answer_shape", "fact_citations")


@pytest.mark.parametrize(
    "line",
    [
        "[1",
        "{}",
        '{"query_id": 7}',
        '{"query_id": ""}',
        "7",
        "nonsense",
        '{"query_id": "a", "query_id": "b"}',
        '"q"',
    ],
)
def test_a_line_that_is_no_record_is_an_input_error_with_its_place(
    tmp_path: Path, line: str
) -> None:
    """The good lines before it are judged, and the bad one is named."""
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps(_row()) + "\n\n" + line + "\n", encoding="utf-8")
    found = check_answers(path, SHOP)
    assert next(found) == ("q_1", ())
    with pytest.raises(InputError, match=r"answers\.jsonl:3: "):
        next(found)


def test_a_file_that_cannot_be_read_is_an_input_error(tmp_path: Path) -> None:
    """A missing file and a folder are the user's mistakes."""
    for path in (tmp_path, tmp_path / "missing.jsonl"):
        with pytest.raises(InputError, match=str(path)):
            list(check_answers(path, SHOP))


def test_an_empty_file_holds_no_answers(tmp_path: Path) -> None:
    """Nothing in, nothing out."""
    assert list(check_answers(_write(tmp_path / "answers.jsonl"), SHOP)) == []


@pytest.mark.parametrize("length", [1, 200])
def test_a_query_id_of_1_to_200_characters_is_taken(tmp_path: Path, length: int) -> None:
    path = _write(tmp_path / "answers.jsonl", _row(query_id="q" * length))
    assert list(check_answers(path, SHOP)) == [("q" * length, ())]


def test_a_longer_query_id_is_an_input_error_that_says_how_long_it_may_be(tmp_path: Path) -> None:
    path = _write(tmp_path / "answers.jsonl", _row(query_id="q" * 201))
    with pytest.raises(InputError, match="of 1 to 200 characters"):
        list(check_answers(path, SHOP))


@pytest.mark.parametrize("beginning", ["\ufeff", "\n \r\n\t", "\ufeff\n", " " * 60])
def test_a_list_is_recognised_behind_a_byte_order_mark_and_blank_lines(
    tmp_path: Path, beginning: str
) -> None:
    """Editors of other systems leave such bytes behind."""
    path = tmp_path / "answers.json"
    path.write_text(f"{beginning}[\n{json.dumps(_row())}\n]", encoding="utf-8")
    assert list(check_answers(path, SHOP)) == [("q_1", ())]


def test_a_bad_record_of_a_list_is_named_by_its_position(tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    path.write_text(json.dumps([_row(), {"query_id": 7}]), encoding="utf-8")
    answers = check_answers(path, SHOP)
    assert next(answers) == ("q_1", ())
    with pytest.raises(InputError, match=r"answers\.json: record 2: wanted a JSON object"):
        next(answers)


@pytest.mark.parametrize(
    "field", ["expected_entities", "expected_line_ranges", "fact_citations", "source_evidence"]
)
def test_unknown_fields_inside_the_parts_of_an_answer_are_left_out(
    tmp_path: Path, field: str
) -> None:
    """Other programs note more about an entity or a range than this one reads."""
    row = _row()
    parts = row[field]
    assert isinstance(parts, list)
    row[field] = [{**part, "score": 0.5} for part in parts]
    assert list(check_answers(_write(tmp_path / "answers.jsonl", row), SHOP)) == [("q_1", ())]


@pytest.mark.parametrize(
    ("field", "claim"),
    [
        ("expected_entities", "expected_entities.0"),
        ("expected_line_ranges", "expected_line_ranges.0"),
    ],
)
def test_a_part_that_is_no_object_is_a_failure_of_the_answer(
    tmp_path: Path, field: str, claim: str
) -> None:
    """Only an entity may be a plain string, which is its id."""
    part: object = 7 if field == "expected_entities" else "shop/basket.py:1-2"
    path = _write(tmp_path / "answers.jsonl", _row(**{field: [part]}))
    [(_, [failure])] = list(check_answers(path, SHOP))
    assert (failure.check, failure.claim) == ("answer_shape", claim)


def test_a_plain_string_stands_for_a_primary_entity(tmp_path: Path) -> None:
    """Datasets that list ids alone have no supporting entities."""
    row = _row(expected_entities=[f"{BASKET}::Basket.add"])
    assert list(check_answers(_write(tmp_path / "answers.jsonl", row), SHOP)) == [("q_1", ())]


def test_of_several_wrong_fields_the_first_in_the_order_of_an_answer_is_named(
    tmp_path: Path,
) -> None:
    path = _write(tmp_path / "answers.jsonl", _row(expected_files=7, confidence=7))
    [(_, [failure])] = list(check_answers(path, SHOP))
    assert (failure.check, failure.claim) == ("answer_shape", "expected_files")
