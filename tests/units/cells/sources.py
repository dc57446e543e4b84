"""A small source of documents with queries, and an environment to compare cells in."""

import json
from pathlib import Path
from random import Random
from typing import Any

from goldwright.app.cells.cells_request import CellsRequest
from goldwright.app.environment import Environment
from goldwright.engine.clock import SystemClock

TOPICS = tuple(
    f"{first} {second}"
    for first in ("harbour", "glacier", "orchard", "lantern", "saddle", "violin")
    for second in ("repair", "permit", "survey", "auction", "storage")
)


def write_source(directory: Path) -> Path:
    """Write a document about each topic, in three directories and two kinds."""
    for place, topic in enumerate(TOPICS):
        end = "md" if place % 2 else "txt"
        path = directory / f"part{place % 3}" / f"d{place:02}.{end}"
        path.parent.mkdir(parents=True, exist_ok=True)
        other = TOPICS[(place + 7) % len(TOPICS)]
        path.write_text(f"# {topic}\n\nAll about {topic}.\n\n" + f"Unlike {other}.\n" * place)
    return directory


def write_queries(path: Path, *, expected: bool = True) -> Path:
    """Write a query about each topic; it expects the document, or leaves that to the judge."""
    rows = []
    for place, topic in enumerate(TOPICS):
        end = "md" if place % 2 else "txt"
        target = [f"part{place % 3}/d{place:02}.{end}"] if expected else []
        row = {"id": f"q{place:02}", "query": f"Who handles {topic}?", "expected": target}
        rows.append(json.dumps(row))
    path.write_text("\n".join(rows) + "\n")
    return path


def make_environment(root: Path, **variables: str) -> Environment:
    """Make an environment whose cache and sets are below a directory."""
    values = {"GOLDWRIGHT_CACHE": str(root / "cache"), **variables}
    return Environment(root, values, root, SystemClock(), Random(1))


def make_request(root: Path, *, expected: bool = True, **fields: Any) -> CellsRequest:
    """Ask for three lexical cells on the source below a directory."""
    source = root / "source"
    if not source.exists():
        write_source(source)
    queries = write_queries(root / "queries.jsonl", expected=expected)
    values: dict[str, Any] = {
        "models": ("bm25",),
        "chunkers": ("document", "window-512-50", "markdown-512"),
        "without_people": True,
        **fields,
    }
    return CellsRequest(source=source, name="shop", queries=str(queries), **values)
