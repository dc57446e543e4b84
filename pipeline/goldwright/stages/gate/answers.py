"""Reading answers that anybody wrote, and putting each through the gate."""

import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from goldwright.errors import InputError
from goldwright.records import (
    AnswerDraft,
    CheckFailure,
    Evidence,
    ExpectedEntity,
    FactCitation,
    FileRange,
    Record,
)
from goldwright.records.strict_json import first_validation_problem, strict_json
from goldwright.snapshot.codebase import Codebase
from goldwright.stages.gate.gate import run_gate

_LONGEST_QUERY_ID = 200
_PARTS: dict[str, type[Record]] = {
    "expected_entities": ExpectedEntity,
    "expected_line_ranges": FileRange,
    "fact_citations": FactCitation,
    "source_evidence": Evidence,
}


def check_answers(path: Path, snapshot: Codebase) -> Iterator[tuple[str, tuple[CheckFailure, ...]]]:
    """Yield the query id of every answer in a file with the failures of it, in the file's order.

    The file holds one JSON object a line, or one JSON list. Each is an answer or a golden label;
    fields that no answer has are left out. A field that an answer lacks or that has the wrong type
    is one failure of ``answer_shape``, and the other checks are not made.

    Raises:
        InputError: The file cannot be read, or a line is no JSON object with a ``query_id``.
    """
    for place, value in _values(path):
        query_id = _query_id(value, place)
        yield query_id, _failures(value, snapshot)


def _values(path: Path) -> Iterator[tuple[str, object]]:
    try:
        with path.open("rb") as file:
            if _starts_a_list(file.read(64)):
                yield from _listed(path)
                return
            file.seek(0)
            for number, line in enumerate(file, start=1):
                if line.strip():
                    place = f"{path}:{number}"
                    yield place, strict_json(line, source=place)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error


def _starts_a_list(beginning: bytes) -> bool:
    return beginning.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")


def _listed(path: Path) -> Iterator[tuple[str, object]]:
    values = strict_json(path.read_bytes(), source=str(path))
    if isinstance(values, list):
        for number, value in enumerate(values, start=1):
            yield f"{path}: record {number}", value


def _query_id(value: object, place: str) -> str:
    query_id = value.get("query_id") if isinstance(value, dict) else None
    if isinstance(query_id, str) and 0 < len(query_id) <= _LONGEST_QUERY_ID:
        return query_id
    raise InputError(
        f"{place}: wanted a JSON object with a query_id of 1 to {_LONGEST_QUERY_ID} characters"
    )


def _failures(value: object, snapshot: Codebase) -> tuple[CheckFailure, ...]:
    try:
        answer = AnswerDraft.model_validate_json(json.dumps(_known(value)))
    except ValidationError as error:
        place = ".".join(
            str(part) for part in error.errors(include_url=False, include_context=False)[0]["loc"]
        )
        return (
            CheckFailure(
                check="answer_shape",
                claim=place or "answer",
                message=first_validation_problem(error),
            ),
        )
    return run_gate(answer, snapshot)


def _known(value: object) -> dict[str, object]:
    """Keep the fields that an answer has; a plain string stands for a primary entity."""
    given = value if isinstance(value, dict) else {}
    kept = {field: given[field] for field in AnswerDraft.model_fields if field in given}
    for field, part in _PARTS.items():
        if isinstance(kept.get(field), list):
            kept[field] = [_known_part(item, part) for item in kept[field]]
    return kept


def _known_part(item: object, part: type[Record]) -> object:
    if isinstance(item, str) and part is ExpectedEntity:
        return {"entity_id": item, "role": "primary", "rationale": ""}
    if isinstance(item, dict):
        return {field: item[field] for field in part.model_fields if field in item}
    return item
