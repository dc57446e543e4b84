"""Reading answers of any origin and putting each through the gate."""

import json
from collections.abc import Iterable, Iterator
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
from goldwright.records.validation_problems import first_validation_problem
from goldwright.regular_files import open_regular, read_regular
from goldwright.snapshot.codebase import SourceTree
from goldwright.stages.gate.gate import run_gate
from goldwright.strict_json import strict_json

# In characters.
_LONGEST_QUERY_ID: Final = 200
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
# Enough to get past a byte order mark and a few blank lines to the first character that counts.
_BEGINNING_BYTES: Final = 64
# The fields of an answer that are lists of records, with the type of these.
_PART_TYPES: Final[dict[str, type[Record]]] = {
    "expected_entities": ExpectedEntity,
    "expected_line_ranges": FileRange,
    "fact_citations": FactCitation,
    "source_evidence": Evidence,
}


@dataclass(frozen=True, slots=True)
class JsonAnswer:
    """One value of a file of answers.

    Attributes:
        place: Where in the file it stands, for messages.
        value: The parsed JSON.
    """

    place: str
    value: object


def check_answers(
    path: Path, snapshot: SourceTree
) -> Iterator[tuple[str, tuple[CheckFailure, ...]]]:
    """Yield every answer of a file as its query id and its failures, in the order of the file.

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
        with open_regular(path) as file:
            beginning = file.read(_BEGINNING_BYTES)
            if _starts_a_list(beginning):
                yield from _list_items(path)
                return
            file.seek(0)
            yield from _lines(path, file)
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{path}: {reason}") from error


def _lines(path: Path, file: Iterable[bytes]) -> Iterator[JsonAnswer]:
    for number, line in enumerate(file, start=1):
        if line.strip():
            place = f"{path}:{number}"
            value = strict_json(line, source=place)
            yield JsonAnswer(place, value)


def _starts_a_list(beginning: bytes) -> bool:
    text = beginning.removeprefix(_BYTE_ORDER_MARK).lstrip()
    return text.startswith(b"[")


def _list_items(path: Path) -> Iterator[JsonAnswer]:
    content = read_regular(path)
    values = strict_json(content, source=str(path))
    if isinstance(values, list):
        for number, value in enumerate(values, start=1):
            place = f"{path}: record {number}"
            yield JsonAnswer(place, value)


def _query_id(answer: JsonAnswer) -> str:
    query_id = None
    if isinstance(answer.value, dict):
        query_id = answer.value.get("query_id")
    if isinstance(query_id, str) and 1 <= len(query_id) <= _LONGEST_QUERY_ID:
        return query_id
    expectation = f"a JSON object with a query_id of 1 to {_LONGEST_QUERY_ID} characters"
    raise InputError(f"{answer.place}: wanted {expectation}")


def _failures(value: object, snapshot: SourceTree) -> tuple[CheckFailure, ...]:
    fields = _answer_fields(value)
    try:
        # From JSON text, as stage files are read: from Python values pydantic would refuse a list
        # where the model has a tuple.
        answer = AnswerDraft.model_validate_json(json.dumps(fields))
    except ValidationError as error:
        return (_shape_failure(error),)
    return run_gate(answer, snapshot)


def _shape_failure(error: ValidationError) -> CheckFailure:
    errors = error.errors(include_url=False, include_context=False)
    # Where an answer has several errors of this kind, the first one stands for all.
    location = errors[0]["loc"]
    field_path = ".".join(map(str, location))
    return CheckFailure(
        check="answer_shape",
        claim=field_path or "answer",
        message=first_validation_problem(error),
    )


def _answer_fields(value: object) -> dict[str, object]:
    """Keep the fields that an answer has; a plain string stands for a primary entity."""
    fields = _model_fields(value, AnswerDraft)
    for name, part_type in _PART_TYPES.items():
        items = fields.get(name)
        if isinstance(items, list):
            fields[name] = [_part_fields(item, part_type) for item in items]
    return fields


def _part_fields(item: object, part_type: type[Record]) -> object:
    if isinstance(item, str) and part_type is ExpectedEntity:
        return {"entity_id": item, "role": "primary", "rationale": ""}
    if isinstance(item, dict):
        return _model_fields(item, part_type)
    return item


def _model_fields(value: object, model: type[Record]) -> dict[str, object]:
    """The fields of a JSON object that a model has too; no field of another value."""
    if not isinstance(value, dict):
        return {}
    return {name: value[name] for name in model.model_fields if name in value}
