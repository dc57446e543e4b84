"""TREC: a folder of ``qrels.txt`` and ``queries.tsv``; TREC has no place for anything else.

A run has its own way out and in: ``goldwright eval --retriever trec:FILE`` reads one.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.interchange import judgements
from goldwright.interchange.format import Dataset, Fields
from goldwright.interchange.judgements import JudgedQuery, Judgements
from goldwright.retrieval.column_ids import decoded, encoded
from goldwright.text import make_visible, shorten

QRELS: Final = "qrels.txt"
QUERIES: Final = "queries.tsv"
_BREAK: Final = re.compile(r"[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_LONGEST_SHOWN: Final = 60


class TrecFormat:
    """Ids are percent-encoded where they hold white space; line breaks and tabs in a query become
    spaces.
    """

    name = "trec"
    shape = "a folder of qrels.txt and queries.tsv"
    shown = judgements.SHOWN
    carries_record = False
    holds_corpus = False

    def write(self, dataset: Dataset, out: Path) -> None:
        """Write the folder."""
        out.mkdir()
        with (out / QRELS).open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(
                f"{encoded(query)} 0 {encoded(document)} {judgements.RELEVANT}\n"
                for query, document in judgements.relevant_pairs(dataset.labels)
            )
        with (out / QUERIES).open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(
                f"{encoded(one.query_id)}\t{_BREAK.sub(' ', one.query_text)}\n"
                for one in dataset.labels
            )

    def read(self, path: Path) -> tuple[Fields, ...]:
        """Read the folder: ids, texts and expected entities, for there is no more."""
        judged = Judgements()
        if not path.is_dir():
            raise InputError(f"{path}: wanted {self.shape}")
        judgements.read_table(path / QRELS, judged, separator=None, header=None)
        return judgements.joined(_queries(path / QUERIES), judged)

    def remarks(self, dataset: Dataset) -> Iterator[str]:
        """Say what becomes of alternatives, of queries without an answer, of ids and of line
        breaks.
        """
        yield from judgements.remarks(dataset, encodes=True, drops=False)
        broken = sum(bool(_BREAK.search(one.query_text)) for one in dataset.labels)
        if broken:
            yield f"{broken} queries hold line breaks or tabs, which become spaces for good"


def _queries(path: Path) -> Iterator[JudgedQuery]:
    for number, line in enumerate(judgements.lines_of(path, what="queries"), start=1):
        name, tab, text = line.partition("\t")
        place = f"{path}: line {number}"
        if name and tab:
            yield JudgedQuery(place, decoded(name), text)
        elif line.strip():
            raise InputError(f"{place}: wanted a query id, a tab and a text; found {_shown(line)}")


def _shown(line: str) -> str:
    return repr(make_visible(shorten(line, _LONGEST_SHOWN)))
