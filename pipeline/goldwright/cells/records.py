"""What the files of an evaluation set hold, a record a line."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from goldwright.records import Record

Origin = Literal["hand", "author", "mined"]
Role = Literal["pooled", "control", "duplicate"]


class CellQuery(Record):
    """A query, and what its dataset says is to be found.

    Attributes:
        query_id: Its id.
        text: What is asked.
        origin: Who wrote it: a person, the Author, or the author of a commit.
        expected: The documents that the dataset names, with their grades of 1 to 3.
    """

    query_id: str
    text: str
    origin: Origin
    expected: Mapping[str, int] = Field(default_factory=dict)


class CorpusEntry(Record):
    """A document of the sample: its path, the digest of its text, its stratum, its tokens."""

    path: str
    sha256: str
    stratum: str
    tokens: int


class CellRanking(Record):
    """The first documents of one cell for every query.

    Attributes:
        cell: The name of the cell.
        vectors: What made its vectors, with a digest of the model; empty for words alone.
        chunks: How many chunks its index holds.
        ranked: The paths by query, the best first.
    """

    cell: str
    vectors: str
    chunks: int
    ranked: Mapping[str, tuple[str, ...]]


class PooledPair(Record):
    """A query and a document to judge.

    Attributes:
        number: Its place in the shuffled order, from 0.
        query_id: The query.
        path: The document.
        role: Whether it comes of the pool, or was hidden among its pairs to measure the judge.
    """

    number: int
    query_id: str
    path: str
    role: Role


class PairJudgement(Record):
    """A grade of 0 to 3 that a judge gave to a pair, by the number of the pair."""

    number: int
    judge: Literal["first", "second"]
    grade: int = Field(ge=0, le=3)


class PersonGrade(Record):
    """A pair on which two judges disagree, for a person who sees neither of their grades.

    Attributes:
        number: The pair.
        query: What is asked.
        path: The document.
        text: The part of it that was judged.
        grade: To be filled in: 0 to 3; None until then.
        by: Who filled it in.
    """

    number: int
    query: str
    path: str
    text: str
    grade: int | None = Field(default=None, ge=0, le=3)
    by: str = ""


class RelevanceLabel(Record):
    """The grade of a document for a query, and who gave it."""

    query_id: str
    path: str
    grade: int = Field(ge=0, le=3)
    given_by: Literal["dataset", "judge", "person"]


class Prediction(Record):
    """What somebody expected of a cell beside the baseline, before there were results."""

    cell: str
    predicted: Literal["better", "same", "worse"]
    why: str = ""


class ObservedPrediction(Prediction):
    """A prediction, and beside it what came: by nDCG@10, where .02 is the least that counts."""

    observed: Literal["better", "same", "worse"]
    difference: float
    is_shown: bool


class CellSettings(Record):
    """What an evaluation set rests on; each part of it is frozen with the set.

    Attributes:
        corpus: The digest of all documents of the sample.
        queries: The digest of all queries.
        models: The specifications of the models.
        chunkers: The names of the chunkers.
        hybrid: Whether each model also searches together with words.
        baseline: The cell that is deployed where no other is shown to be better.
        judge: Who grades.
        second_judge: Who grades a tenth again.
        prompt: The digest of what the judge goes by.
        depth: Documents of each cell that are pooled.
        seed: Settles sample, order and draws.
        documents: How many documents the sample holds at most.
    """

    corpus: str
    queries: str
    models: tuple[str, ...]
    chunkers: tuple[str, ...]
    hybrid: bool
    baseline: str
    judge: str
    second_judge: str
    prompt: str
    depth: int
    seed: int
    documents: int
