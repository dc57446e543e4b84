"""The scores of one query, and the values of several by measure."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, model_validator

from goldwright.errors import InputError

# The dimensions of a plan, whose strata together name a cell.
CELL_DIMENSIONS: Final = ("task_type", "difficulty")

UnitFloat = Annotated[FiniteFloat, Field(ge=0, le=1)]


class QueryScore(BaseModel):
    """The scores of one query.

    Attributes:
        strata: The stratum of the query in each dimension, as in ``{"task_type": "locate"}``; a
            dataset may have any dimensions.
        values: Each measure by its name, in 0..1.
        expected: The rank at which each expected entity, or a copy of it, was found; None where it
            was not.
        retrieved: The first results, the best first.
        found: How many results there were.
        sufficiency_score: How sure the retriever was that it found enough, in 0..1.
        source: Where the answer came from, in the retriever's own words.
        answer_correct: Whether the answer is correct; None where that was not decided.
    """

    # Reports of later versions may hold more; saved reports stay readable.
    model_config = ConfigDict(extra="ignore", frozen=True)

    query_id: str
    query_text: str
    strata: dict[str, str] = {}
    values: dict[str, UnitFloat]
    expected: dict[str, int | None]
    retrieved: tuple[str, ...]
    found: int = Field(ge=0)
    sufficiency_score: FiniteFloat | None = Field(default=None, ge=0, le=1)
    source: str | None = None
    answer_correct: bool | None = None

    @model_validator(mode="before")
    @classmethod
    def _read_older_strata(cls, fields: Any) -> Any:
        """Read the two dimensions that reports before 1.1 had as fields of their own."""
        if not isinstance(fields, dict) or "strata" in fields:
            return fields
        strata = {name: fields[name] for name in CELL_DIMENSIONS if name in fields}
        return {**fields, "strata": strata}

    @property
    def cell(self) -> str | None:
        """The cell of a plan that the query belongs to, as in ``locate/easy``.

        None where the dataset has no cells.
        """
        if not set(CELL_DIMENSIONS) <= self.strata.keys():
            return None
        return "/".join(map(self.strata.__getitem__, CELL_DIMENSIONS))

    def belongs_to(self, stratum: str) -> bool:
        """Return whether a name is that of a stratum, or of the cell, of this query."""
        strata = self.strata.values()
        return stratum == self.cell or stratum in strata

    @property
    def first_rank(self) -> int | None:
        """The rank of the first expected entity that was found; None where none was."""
        ranks = [rank for rank in self.expected.values() if rank is not None]
        return min(ranks, default=None)


def columns_of(queries: Sequence[QueryScore]) -> Mapping[str, Sequence[float]]:
    """Collect the values of each measure by name, a query each."""
    columns = {}
    # All queries of an evaluation were measured alike.
    for measure in queries[0].values:
        columns[measure] = [query.values[measure] for query in queries]
    return columns


def value_of(query: QueryScore, measure: str) -> float:
    """Look up a measure of a query.

    Raises:
        InputError: The query has no such measure.
    """
    if measure not in query.values:
        problem = f"is missing for query {query.query_id}"
        measures = ", ".join(query.values)
        raise InputError(f"{measure}: {problem}; it has {measures}")
    return query.values[measure]
