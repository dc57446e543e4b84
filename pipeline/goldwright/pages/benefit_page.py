"""What a tool does for an agent, as a page: a row for each stratum, bad ones as well."""

from collections.abc import Iterable, Sequence
from typing import Final

from goldwright.pages.rendering import render_page

_MARK: Final = "<!doctype html><!-- goldwright benefit -->"
# How our own pages begin; a page replaces no other file.
MARK: Final = _MARK.encode("ascii")


def benefit_page(rows: Sequence[Sequence[str]], notes: Iterable[str]) -> bytes:
    """Render the page; the same results give the same bytes.

    Args:
        rows: The table, headings first.
        notes: What the figures rest on, a sentence each.
    """
    values: dict[str, object] = {
        "rows": rows,
        "notes": list(notes),
    }
    return render_page("benefit.html", _MARK, values)
