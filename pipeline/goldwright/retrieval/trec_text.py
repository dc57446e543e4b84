"""Opening TREC files, and the error for a line that is malformed."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from goldwright.errors import InputError
from goldwright.regular_files import open_regular, why_unreadable

RUN_COLUMNS: Final = "query Q0 document rank score name"
QRELS_COLUMNS: Final = "query 0 document relevance"
# Characters of a malformed line that a message shows.
_LONGEST_SHOWN: Final = 60


@contextmanager
def open_trec(path: Path) -> Iterator[IO[str]]:
    """Open a TREC file to read its text; a byte order mark at its start is skipped.

    Raises:
        InputError: The file cannot be read or is not UTF-8, also while it is read in the block.
    """
    try:
        with io.TextIOWrapper(open_regular(path), encoding="utf-8-sig") as file:
            yield file
    except OSError as error:
        reason = why_unreadable(path, error)
        raise InputError(f"{path}: cannot be read: {reason}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 text") from error


def malformed_line(path: Path, number: int, line: str, columns: str) -> InputError:
    """Make the error for a line that does not have the columns it should have."""
    excerpt = line.strip()[:_LONGEST_SHOWN]
    hint = _swapped(line, columns)
    return InputError(f"{path}, line {number}: wanted {columns!r}; found {excerpt!r}{hint}")


def _swapped(line: str, columns: str) -> str:
    """Say of a line of the other kind of file that it is one, as the end of a sentence."""
    column_count = len(line.split())
    is_run = columns == RUN_COLUMNS
    if is_run and column_count == len(QRELS_COLUMNS.split()):
        return "; this is a line of judgements (qrels), which come before the run"
    if not is_run and column_count == len(RUN_COLUMNS.split()):
        return "; this is a line of a run, which comes after the judgements (qrels)"
    return ""
