"""CodeSearchNet: functions with their docstrings, each docstring a query for its function.

Source: the README of github/CodeSearchNet (``docstring``, ``func_name``, ``code_tokens`` …), and
the names that its copies on the Hugging Face Hub use.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from goldwright.golden.datasets import CorpusDocument
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange import fields
from goldwright.interchange.fields import Row
from goldwright.interchange.reader_protocols import Reading
from goldwright.interchange.row_locations import LocatedRow
from goldwright.snapshot.entities import entity_id

# What a field holds, as the original files and as those on the Hub call it.
_ORIGINAL: Final[Mapping[str, str]] = {
    "docstring": "docstring",
    "path": "path",
    "repo": "repo",
    "commit": "sha",
    "code": "code",
    "tokens": "code_tokens",
}
_HUB: Final[Mapping[str, str]] = {
    "docstring": "func_documentation_string",
    "path": "func_path_in_repository",
    "repo": "repository_name",
    "commit": "sha",
    "code": "func_code_string",
    "tokens": "func_code_tokens",
}
_LONGEST_CODE: Final = 1_000_000


class CodeSearchNetFormat:
    """Expected is the function that the docstring was written for."""

    name = "code_search_net"
    shape = "JSON Lines of {repo, path, func_name, docstring, code_tokens}"

    def claims(self, row: Row) -> bool:
        """Tell by the fields of either spelling."""
        for names in (_ORIGINAL, _HUB):
            if row.keys() >= {"func_name", names["docstring"], names["path"]}:
                return True
        return False

    def read_rows(self, rows: Sequence[LocatedRow]) -> Reading:
        """Read the docstrings, and the functions beside them as documents."""
        codebases = set(map(_codebase, rows))
        # One codebase can be opened with --repo, and then its ids are those of its entities.
        in_one = len(codebases) == 1
        queries = tuple(_query(row, in_one=in_one) for row in rows)
        documents = {item.document_id: item for item in _documents(rows, in_one=in_one)}
        notes = []
        if not in_one:
            query_count = len(queries)
            notes.append(
                f"The {query_count} queries are about {len(codebases)} codebases; "
                "their names begin the ids."
            )
        if documents:
            notes.append(
                f"The file holds {len(documents)} functions; the published corpus may hold more."
            )
        if not all(_names_of(row)["tokens"] in row.row for row in rows):
            notes.append("The queries are docstrings that stand in the code that is searched.")
        corpus = tuple(documents.values())
        return Reading(self.name, queries, tuple(notes), corpus)


def _query(located: LocatedRow, *, in_one: bool) -> DatasetQuery:
    place = located.place
    names = _names_of(located)
    docstring = fields.required_text(
        located.row, names["docstring"], place=place, longest=_LONGEST_CODE
    )
    question = _first_paragraph(docstring)
    target = _target(located, in_one=in_one)
    file, _, _ = target.partition("::")
    return DatasetQuery(
        query_id=target,
        query_text=question[: fields.LONGEST_QUERY],
        expected_ids=(target,),
        names_entities=True,
        expected_files=(file,),
        place=place,
    )


def _first_paragraph(docstring: str) -> str:
    """Give what comes before the first empty line, as CodeSearchNet takes it for a query."""
    lines: list[str] = []
    for line in docstring.strip().splitlines():
        if not line.strip():
            break
        lines.append(line.strip())
    return " ".join(lines)


def _target(located: LocatedRow, *, in_one: bool) -> str:
    place = located.place
    path_field = _names_of(located)["path"]
    path = fields.required_text(located.row, path_field, place=place, longest=fields.LONGEST_NAME)
    name = fields.required_text(located.row, "func_name", place=place, longest=fields.LONGEST_NAME)
    if not in_one:
        parts = (*_codebase(located), path)
        path = "/".join(filter(None, parts))
    return entity_id(path, name)


def _documents(rows: Sequence[LocatedRow], *, in_one: bool) -> Iterator[CorpusDocument]:
    """Yield the code by its tokens, which CodeSearchNet took without the docstring."""
    for located in rows:
        names = _names_of(located)
        place = located.place
        if located.row.get(names["tokens"]):
            tokens = fields.texts(located.row, names["tokens"], place=place, longest=_LONGEST_CODE)
            text = " ".join(tokens)
            yield CorpusDocument(_target(located, in_one=in_one), "", text)
        elif located.row.get(names["code"]) is not None:
            code = fields.required_text(
                located.row, names["code"], place=place, longest=_LONGEST_CODE
            )
            yield CorpusDocument(_target(located, in_one=in_one), "", code)


def _codebase(located: LocatedRow) -> tuple[str, str]:
    """Read the name and the commit of the codebase, each empty where none is given."""
    return _text(located, "repo"), _text(located, "commit")


def _names_of(located: LocatedRow) -> Mapping[str, str]:
    return _ORIGINAL if _ORIGINAL["docstring"] in located.row else _HUB


def _text(located: LocatedRow, part: str) -> str:
    """Give a field that may be missing."""
    field = _names_of(located)[part]
    return fields.optional_text(located.row, field, place=located.place) or ""
