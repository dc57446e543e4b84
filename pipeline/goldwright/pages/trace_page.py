"""The way of a run's records as a page: turns, tools, lines shown, verdicts, findings."""

from collections.abc import Mapping, Sequence
from typing import Final

from goldwright.pages.rendering import render_page

_MARK: Final = "<!doctype html><!-- goldwright trace -->"
# How our own pages begin; a page replaces no other file.
MARK: Final = _MARK.encode("ascii")

MOST_OPEN_LINES: Final = 12
"""A step of more lines, as a long conversation is, begins folded."""


def trace_page(name: str, records: Sequence[Mapping[str, object]]) -> bytes:
    """Render the page; the same records give the same bytes.

    Args:
        name: The run.
        records: For each record ``query_id``, ``cell``, ``fate``, ``query_text``, ``cost`` and
            ``steps``; a step has ``name``, ``by``, ``summary`` and ``lines``, and a line ``kind``,
            ``text`` and ``note``.
    """
    values: dict[str, object] = {
        "name": name,
        "records": records,
        "most_open": MOST_OPEN_LINES,
    }
    return render_page("trace.html", _MARK, values)
