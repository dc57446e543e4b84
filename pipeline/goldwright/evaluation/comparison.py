"""Two evaluations of one dataset, compared query by query and measure by measure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from goldwright.errors import InputError
from goldwright.records.reading import first_problem, strict_json
from goldwright.stats.multiple import holm
from goldwright.stats.paired import PairedDifference, compare_pairs

ALPHA: Final = 0.05


class ScoredQuery(BaseModel):
    """What a saved evaluation says of one query that a comparison needs."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    query_id: str
    values: dict[str, FiniteFloat]


class SavedEvaluation(BaseModel):
    """What ``goldwright eval --json`` wrote, as far as a comparison needs it."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    dataset_sha256: str
    commit: str
    retriever: str
    depth: int
    ties: str
    queries: tuple[ScoredQuery, ...] = Field(min_length=1)

    @property
    def values(self) -> Mapping[str, Mapping[str, float]]:
        """The measures of each query, by its id."""
        return {one.query_id: one.values for one in self.queries}


@dataclass(frozen=True, slots=True)
class Compared:
    """One measure of two systems; ``adjusted_p`` is the p-value after Holm over all measures of the comparison."""

    measure: str
    before: float
    after: float
    difference: PairedDifference
    adjusted_p: float

    @property
    def is_shown(self) -> bool:
        """Tell whether the difference is more than chance would give at the 5 % level, over all measures."""
        return self.adjusted_p < ALPHA


def read_saved(data: bytes, *, source: str) -> SavedEvaluation:
    """Read what ``goldwright eval --json`` wrote.

    Raises:
        InputError: It is none; the text names the place.
    """
    rows = strict_json(data, source=source)
    try:
        saved = SavedEvaluation.model_validate(rows)
    except ValidationError as error:
        raise InputError(f"{source}: no evaluation: {first_problem(error)}") from error
    if len(saved.values) < len(saved.queries):
        raise InputError(f"{source}: names a query twice")
    return saved


def compare(before: SavedEvaluation, after: SavedEvaluation, *, seed: int) -> tuple[Compared, ...]:
    """Compare two systems on every measure that both were scored by.

    Raises:
        InputError: They were not scored on the same queries of the same dataset in the same way.
    """
    _check_alike(before, after)
    names = [one for one in before.queries[0].values if one in after.queries[0].values and not one.startswith("Judged")]
    if not names:
        raise InputError("the two evaluations have no measure in common")
    # A measure that is the only one to differ has to pass Holm's first step.
    first_step = ALPHA / len(names)
    found = {name: compare_pairs(_differences(before, after, name), seed=seed, alpha=first_step) for name in names}
    adjusted = holm({name: one.p_value for name, one in found.items()})
    return tuple(Compared(name, _mean(before, name), _mean(after, name), found[name], adjusted[name]) for name in names)


def _check_alike(before: SavedEvaluation, after: SavedEvaluation) -> None:
    for what in ("dataset_sha256", "commit", "depth", "ties"):
        one, other = getattr(before, what), getattr(after, what)
        if one != other:
            raise InputError(f"{what}: {one} in the one, {other} in the other; score both in the same way")
    missing = sorted(before.values.keys() ^ after.values.keys())
    if missing:
        raise InputError(f"{missing[0]}: was asked in one of the two evaluations only")


def _differences(before: SavedEvaluation, after: SavedEvaluation, name: str) -> Sequence[float]:
    now = after.values
    try:
        return [now[query][name] - values[name] for query, values in before.values.items()]
    except KeyError as error:
        raise InputError(f"{name}: is missing for some query") from error


def _mean(saved: SavedEvaluation, name: str) -> float:
    return sum(values[name] for values in saved.values.values()) / len(saved.queries)
