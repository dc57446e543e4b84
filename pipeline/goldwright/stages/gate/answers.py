"""Reading answers of any origin and putting each through the gate."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

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

_LONGEST_QUERY_ID: Final = 200
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
# Enough to get past a byte order mark and a few blank lines to the first character that counts.
_BEGINNING_BYTES: Final = 64
_PART_TYPES: Final[dict[str, type[Record]]] = {
    "expected_entities": ExpectedEntity,
    "expected_line_ranges": FileRange,
    "fact_citations": FactCitation,
    "source_evidence": Evidence,
}
"""The fields of an answer that are lists of records, with the type of these."""


@dataclass(frozen=True, slots=True)
class JsonAnswer:
    """One value of a file of answers; ``place`` says where it stands, for messages."""

    place: str
    value: object


def check_answers(path: Path, snapshot: Codebase) -> Iterator[tuple[str, tuple[CheckFailure, ...]]]:
    """Yield the query id of every answer in a file with the failures of it, in the file's order.

    The file holds one JSON object a line, or one JSON list. Each is an answer or a golden label;
    fields that no answer has are left out. A field that an answer lacks or that has the wrong type
    is one failure of ``answer_shape``, and the other checks are not made.

    Raises:
        InputError: The file cannot be read, or a line is no JSON object with a ``query_id``.
    """
    for answer in _json_answers(path):
        query_id = _query_id(answer)
        yield query_id, _failures(answer.value, snapshot)


def _json_answers(path: Path) -> Iterator[JsonAnswer]:
    try:
        with path.open("rb") as file:
            if _starts_a_list(file.read(_BEGINNING_BYTES)):
                yield from _list_items(path)
                return
            file.seek(0)
            for number, line in enumerate(file, start=1):
                if line.strip():
                    place = f"{path}:{number}"
                    yield JsonAnswer(place, strict_json(line, source=place))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error


def _starts_a_list(beginning: bytes) -> bool:
    text = beginning.removeprefix(_BYTE_ORDER_MARK).lstrip()
    return text.startswith(b"[")


def _list_items(path: Path) -> Iterator[JsonAnswer]:
    values = strict_json(path.read_bytes(), source=str(path))
    if isinstance(values, list):
        for number, value in enumerate(values, start=1):
            yield JsonAnswer(f"{path}: record {number}", value)


def _query_id(answer: JsonAnswer) -> str:
    value = answer.value
    query_id = value.get("query_id") if isinstance(value, dict) else None
    if isinstance(query_id, str) and 0 < len(query_id) <= _LONGEST_QUERY_ID:
        return query_id
    raise InputError(
        f"{answer.place}: wanted a JSON object with a query_id "
        f"of 1 to {_LONGEST_QUERY_ID} characters"
    )


def _failures(value: object, snapshot: Codebase) -> tuple[CheckFailure, ...]:
    fields = _answer_fields(value)
    try:
        answer = AnswerDraft.model_validate_json(json.dumps(fields))
    except ValidationError as error:
        return (_shape_failure(error),)
    return run_gate(answer, snapshot)


def _shape_failure(error: ValidationError) -> CheckFailure:
    first_error = error.errors(include_url=False, include_context=False)[0]
    field_path = ".".join(str(part) for part in first_error["loc"])
    return CheckFailure(
        check="answer_shape",
        claim=field_path or "answer",
        message=first_validation_problem(error),
    )


def _answer_fields(value: object) -> dict[str, object]:
    """Keep the fields that an answer has; a plain string stands for a primary entity."""
    if not isinstance(value, dict):
        return {}
    fields = {name: value[name] for name in AnswerDraft.model_fields if name in value}
    for name, part_type in _PART_TYPES.items():
        items = fields.get(name)
        if isinstance(items, list):
            fields[name] = [_part_fields(item, part_type) for item in items]
    return fields


def _part_fields(item: object, part_type: type[Record]) -> object:
    if isinstance(item, str) and part_type is ExpectedEntity:
        return {"entity_id": item, "role": "primary", "rationale": ""}
    if isinstance(item, dict):
        return {name: item[name] for name in part_type.model_fields if name in item}
    return item
