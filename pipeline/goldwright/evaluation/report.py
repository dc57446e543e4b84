"""What an evaluation comes to, query by query: the one document that is printed, saved, compared
and drawn.
"""

from collections.abc import Mapping
from math import fsum
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from goldwright.errors import InputError
from goldwright.records import Difficulty, TaskType
from goldwright.records.strict_json import first_validation_problem, strict_json
from goldwright.retrieval.hit_order import Ties

SHOWN_RESULTS: Final = 10


class QueryScore(BaseModel):
    """What one query came to.

    ``values`` holds each measure in 0..1. ``expected`` tells at which place each expected entity
    (or what is the same code) was found, None where it was not; ``retrieved`` are the first ids in
    the order that counts, ``found`` how many there were. The rest is what the retriever said of
    itself, and whether its answer is correct, where that was decided.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    query_id: str
    query_text: str
    task_type: TaskType
    difficulty: Difficulty
    values: dict[str, Annotated[FiniteFloat, Field(ge=0, le=1)]]
    expected: dict[str, int | None]
    retrieved: tuple[str, ...]
    found: int = Field(ge=0)
    sufficiency_score: FiniteFloat | None = Field(default=None, ge=0, le=1)
    source: str | None = None
    answer_correct: bool | None = None

    @property
    def cell(self) -> str:
        """The cell of the plan that the query belongs to."""
        return f"{self.task_type}/{self.difficulty}"

    @property
    def first_place(self) -> int | None:
        """The place of the first expected entity that was found."""
        return min((place for place in self.expected.values() if place is not None), default=None)


class EvaluationReport(BaseModel):
    """An evaluation: which dataset, which codebase, which retriever asked how, and every query.

    ``drifted`` are the cited files that are not what the dataset was made from, where that was
    allowed. ``judged_by`` names what decided whether answers are correct, None where no answer was
    given.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    dataset: str
    dataset_sha256: str
    dataset_status: str
    commit: str
    retriever: str
    depth: int = Field(ge=1)
    ties: Ties
    queries: tuple[QueryScore, ...] = Field(min_length=1)
    drifted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    judged_by: str | None = None

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures, in the order in which they were asked for."""
        return tuple(self.queries[0].values)

    @property
    def by_id(self) -> Mapping[str, QueryScore]:
        """Every query by its id."""
        return {one.query_id: one for one in self.queries}

    def mean(
        self,
        measure: str,
        *,
        task_type: TaskType | None = None,
        difficulty: Difficulty | None = None,
    ) -> float:
        """The mean of a measure, 0..1, over all queries or those of a task type or a difficulty.

        Raises:
            InputError: There is no such query, or it has no such measure.
        """
        values = [
            value_of(one, measure)
            for one in self.queries
            if task_type in {None, one.task_type} and difficulty in {None, one.difficulty}
        ]
        if not values:
            raise InputError(
                f"no query is {task_type or 'any task type'}, {difficulty or 'any difficulty'}"
            )
        return fsum(values) / len(values)


def value_of(one: QueryScore, measure: str) -> float:
    """Give a measure of a query.

    Raises:
        InputError: The query has no such measure.
    """
    if measure not in one.values:
        raise InputError(
            f"{measure}: is missing for query {one.query_id}; it has {', '.join(one.values)}"
        )
    return one.values[measure]


def read_report(data: bytes, *, source: str) -> EvaluationReport:
    """Read what ``goldwright eval --json`` wrote.

    Raises:
        InputError: It is none; the text names the place.
    """
    rows = strict_json(data, source=source)
    try:
        report = EvaluationReport.model_validate(rows)
    except ValidationError as error:
        raise InputError(f"{source}: no evaluation: {first_validation_problem(error)}") from error
    if len(report.by_id) < len(report.queries):
        raise InputError(f"{source}: names a query twice")
    return report
