"""What a reader finds who takes source up to a number of tokens, however many results that is.

Ranks treat a result of three lines and one of three hundred alike; a context window does not.
"""

from collections.abc import Callable, Sequence
from typing import Final

from goldwright.evaluation.measures import judge_ranking
from goldwright.golden.queries import DatasetQuery
from goldwright.metrics import find_metric

BUDGETS: Final = (1_000, 4_000, 8_000)


def budget_name(budget: int, *, of_files: bool) -> str:
    """Name the recall within a budget, as in ``R@4k-tokens``."""
    level = "file." if of_files else ""
    return f"{level}R@{budget // 1000}k-tokens"


def recall_within(
    query: DatasetQuery,
    ranked_ids: Sequence[str],
    budget: int,
    *,
    size_of: Callable[[str], int],
    of_files: bool,
) -> float:
    """Compute the share of what is expected among the results that fit into a budget.

    Results are taken from the first on until one does not fit whole; that one and all behind it
    count as not shown.

    Args:
        query: What is expected.
        ranked_ids: The results, the best first.
        budget: Tokens of source.
        size_of: The tokens of a result.
        of_files: Whether files count as found, in place of entities.
    """
    count = 0
    total = 0
    for entity_id in ranked_ids:
        total += size_of(entity_id)
        if total > budget:
            break
        count += 1
    if not count:
        return 0.0
    ranking = judge_ranking(query, ranked_ids[:count])
    relevance = ranking.files if of_files else ranking.entities
    if relevance is None:
        return 0.0
    return find_metric(f"R@{count}")(relevance)
