"""What is to be said aloud of an evaluation, beside its numbers."""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Final

from goldwright.evaluation.report import QueryScore
from goldwright.evaluation.summary import SATURATED, saturated
from goldwright.snapshot import Snapshot
from goldwright.snapshot.model import split_entity_id

MOST_NAMED: Final = 3


class Found:
    """Counts what came back, and what of it the codebase does not know."""

    def __init__(self, snapshot: Snapshot) -> None:
        """Start with nothing."""
        self._snapshot = snapshot
        self._known: dict[str, bool] = {}

    def note(self, ranked: Sequence[str]) -> None:
        """Take note of one query's list."""
        for name in ranked:
            if name not in self._known:
                self._known[name] = self._is_known(name)

    @property
    def count(self) -> int:
        """How many ids came back, each counted once."""
        return len(self._known)

    @property
    def foreign(self) -> list[str]:
        """The ids that are no entity and no file."""
        return sorted(name for name, known in self._known.items() if not known)

    def _is_known(self, name: str) -> bool:
        return self._snapshot.entity(name) is not None or self._snapshot.has_text(split_entity_id(name)[0])


def remarks(queries: Sequence[QueryScore], found: Found, drifted: Sequence[str]) -> Iterator[str]:
    """Say what makes the numbers of an evaluation less, or other, than they look."""
    if drifted:
        yield f"Drift was allowed: {some(drifted)} changed since the dataset was made, so labels may be wrong."
    means = {name: fmean(one.values[name] for one in queries) for name in queries[0].values}
    top = saturated(means)
    if top:
        yield f"Saturated (at {SATURATED} or above, so nothing better could show): {', '.join(top)}."
    foreign = found.foreign
    if foreign:
        yield f"{len(foreign)} of {found.count} results are no entity and no file of the codebase ({some(foreign)})."
    empty = sum(not one.found for one in queries)
    if empty:
        yield f"{empty} of {len(queries)} queries came back without any result."
    judged = means.get("Judged@10", 1.0)
    if judged < 1:
        yield (
            f"Of the first ten results {1 - judged:.0%} are judged by nobody and count as wrong, "
            "so the values are lower bounds."
        )


def some(names: Sequence[str]) -> str:
    """Name the first few, and how many more there are."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"
