"""What the records of a run are about, read from its files alone."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def files_of_records(run: Path) -> dict[str, set[str]]:
    """Give, for each query, the files that it asks about, expects or cites."""
    files: dict[str, set[str]] = {}
    for name in ("00_candidates.jsonl", "01_oracle_answers.jsonl"):
        path = run / name
        for line in path.read_bytes().split(b"\n")[:-1] if path.exists() else ():
            record = json.loads(line)
            files.setdefault(record["query_id"], set()).update(_files_of(record))
    return files


def _files_of(record: dict[str, Any]) -> Iterator[str]:
    yield from record.get("expected_files", ())
    for entity in record.get("target_entity_ids", ()):
        yield entity.partition("::")[0]
    for entity in record.get("expected_entities", ()):
        yield entity["entity_id"].partition("::")[0]
    for citation in record.get("fact_citations", ()):
        yield citation["file"]
