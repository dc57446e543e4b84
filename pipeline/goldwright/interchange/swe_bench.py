"""SWE-bench and its kin: an issue, and the patch that settled it, as a search for what to change.

Source: the fields of princeton-nlp/SWE-bench; Loc-Bench adds ``edit_functions``.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange import fields
from goldwright.interchange.fields import Row
from goldwright.interchange.reader_protocols import Reading
from goldwright.interchange.row_locations import LocatedRow
from goldwright.snapshot.entities import entity_id

_FIELDS: Final = frozenset({"instance_id", "problem_statement"})
# An issue may quote a log, and a patch is a whole change.
_LONGEST_ISSUE: Final = 1_000_000
_LONGEST_PATCH: Final = 50_000_000
# A file that the patch makes is nowhere before it, so only files on the old side are to be found.
_OLD_FILE: Final = re.compile(r"^--- a/(?P<path>[^\t\r\n]+)", re.MULTILINE)


class SweBenchFormat:
    """Expected are the functions that the dataset names, else the files that the patch changes."""

    name = "swe_bench"
    shape = "JSON Lines of {instance_id, problem_statement, patch[, edit_functions]}"

    def claims(self, row: Row) -> bool:
        """Tell by the two fields that all of its kin have."""
        return row.keys() >= _FIELDS

    def read_rows(self, rows: Sequence[LocatedRow]) -> Reading:
        """Read the instances, and say of how many commits they are."""
        queries = tuple(map(_query, rows))
        commits = {(row.row.get("repo"), row.row.get("base_commit")) for row in rows}
        notes = []
        if len(commits) > 1:
            commit_count = len(commits)
            notes.append(
                f"The {len(queries)} queries are about {commit_count} commits; "
                "a codebase holds the code of one."
            )
        return Reading(self.name, queries, tuple(notes))


def _query(located: LocatedRow) -> DatasetQuery:
    row = located.row
    place = located.place
    query_id = fields.required_text(row, "instance_id", place=place, longest=fields.LONGEST_NAME)
    issue = fields.required_text(row, "problem_statement", place=place, longest=_LONGEST_ISSUE)
    functions = tuple(_functions(row, place))
    files = tuple(_files(row, place))
    if not files:
        files_of_functions = [function.partition("::")[0] for function in functions]
        files = tuple(dict.fromkeys(files_of_functions))
    if not files:
        raise InputError(f"{place}: the patch changes no file, so there is nothing to find")
    return DatasetQuery(
        query_id=query_id,
        query_text=issue,
        expected_ids=functions or files,
        names_entities=bool(functions),
        expected_files=files,
        strata=_strata(row, place),
        place=place,
    )


def _functions(row: Row, place: str) -> Iterator[str]:
    """Yield ids for ``path.py:Class.method``, as Loc-Bench writes them."""
    for function in fields.texts(row, "edit_functions", place=place):
        path, colon, name = function.partition(":")
        if colon:
            yield entity_id(path, name.lstrip(":"))
        else:
            yield function


def _files(row: Row, place: str) -> Iterator[str]:
    if row.get("patch") is None:
        return
    patch = fields.required_text(row, "patch", place=place, longest=_LONGEST_PATCH)
    old_files = _OLD_FILE.finditer(patch)
    paths = [match["path"].strip() for match in old_files]
    yield from dict.fromkeys(paths)


def _strata(row: Row, place: str) -> dict[str, str]:
    strata = fields.strata(row, place=place)
    repo = fields.optional_text(row, "repo", place=place)
    if repo:
        strata["repo"] = repo
    return strata
