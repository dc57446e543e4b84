"""CoSQA: web queries with a Python function each, which is the corpus, too.

Source: the files ``cosqa-retrieval-*.json`` of CoCLR and CodeXGLUE.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.errors import InputError
from goldwright.golden.datasets import CorpusDocument
from goldwright.golden.queries import DatasetQuery
from goldwright.interchange import fields
from goldwright.interchange.fields import Row
from goldwright.interchange.reader_protocols import Reading
from goldwright.interchange.row_locations import LocatedRow

_FIELDS: Final = frozenset({"idx", "doc", "retrieval_idx"})
_LONGEST_CODE: Final = 1_000_000


class CosqaFormat:
    """Expected is the number of the function; one labelled 0 is no answer."""

    name = "cosqa"
    shape = "a JSON list of {idx, doc, code, label, retrieval_idx}"

    def claims(self, row: Row) -> bool:
        """Tell by fields that only CoSQA has together."""
        return row.keys() >= _FIELDS

    def read_rows(self, rows: Sequence[LocatedRow]) -> Reading:
        """Read the queries, and the functions that stand beside them as documents."""
        judged = [_query(row) for row in rows]
        queries = tuple(query for query in judged if query.expected_ids)
        documents = {document.document_id: document for document in _documents(rows)}
        notes = []
        if documents:
            notes.append(
                f"The file holds {len(documents)} functions; the published corpus may hold more."
            )
        judged_count = len(judged)
        left_out = judged_count - len(queries)
        if left_out:
            notes.append(f"{left_out} of {judged_count} queries are labelled 0 and are left out.")
        corpus = tuple(documents.values())
        return Reading(self.name, queries, tuple(notes), corpus)


def _query(located: LocatedRow) -> DatasetQuery:
    row = located.row
    place = located.place
    document_id = _document_id(row, place)
    label = fields.whole_number(row.get("label", 1))
    if label is None:
        raise InputError(f"{place}: label: wanted a whole number")
    query_id = fields.required_text(row, "idx", place=place, longest=fields.LONGEST_NAME)
    query_text = fields.required_text(row, "doc", place=place)
    expected_ids = (document_id,) if label > 0 else ()
    return DatasetQuery(
        query_id=query_id,
        query_text=query_text,
        expected_ids=expected_ids,
        place=place,
    )


def _document_id(row: Row, place: str) -> str:
    number = fields.whole_number(row.get("retrieval_idx"))
    if number is None:
        raise InputError(f"{place}: retrieval_idx: wanted a whole number")
    return str(number)


def _documents(rows: Sequence[LocatedRow]) -> Iterator[CorpusDocument]:
    for located in rows:
        if located.row.get("code") is not None:
            place = located.place
            code = fields.required_text(located.row, "code", place=place, longest=_LONGEST_CODE)
            yield CorpusDocument(_document_id(located.row, place), "", code)
