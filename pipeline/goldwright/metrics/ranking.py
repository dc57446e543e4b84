"""What every metric looks at: at which ranks of a list the relevant ids stand."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

from goldwright.errors import InputError

Metric = Callable[[Sequence[str], AbstractSet[str]], float]


class MetricUndefinedError(InputError):
    """A metric was asked of a query without relevant ids, or at a cutoff below 1."""


def relevant_ranks(ranked: Sequence[str], relevant: AbstractSet[str], *, cutoff: int | None = None) -> tuple[int, ...]:
    """List the ranks (from 1, rising) at which relevant ids stand within the cutoff.

    An id that is ranked twice counts at its first place only, and the later ones move up.

    Raises:
        MetricUndefinedError: Nothing is relevant, or the cutoff is below 1.
    """
    if not relevant:
        raise MetricUndefinedError("a metric needs at least one relevant id; this query has none")
    if cutoff is not None and cutoff < 1:
        raise MetricUndefinedError(f"a cutoff counts ranks from 1; found {cutoff}")
    distinct = tuple(dict.fromkeys(ranked))[:cutoff]
    return tuple(rank for rank, item in enumerate(distinct, start=1) if item in relevant)
