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
