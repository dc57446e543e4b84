"""Every metric by its canonical name: a family and, but for MRR, a cutoff."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from goldwright.errors import InputError
from goldwright.metrics.judged_share import judged_share
from goldwright.metrics.ndcg import ndcg
from goldwright.metrics.precision import precision
from goldwright.metrics.ranked_relevance import Metric
from goldwright.metrics.recall import recall
from goldwright.metrics.reciprocal_rank import reciprocal_rank
from goldwright.metrics.success import accuracy, success

# Success is trec_eval's name for what code retrieval calls Hit; either may be asked for.
FAMILIES: Final[Mapping[str, Callable[..., float]]] = {
    "nDCG": ndcg,
    "R": recall,
    "P": precision,
    "Hit": success,
    "Success": success,
    "Acc": accuracy,
    "Judged": judged_share,
}
DEFAULT_NAMES: Final = ("MRR", "nDCG@10", "R@10", "P@1", "P@5", "Hit@5", "Judged@10")

# TREC runs customarily hold up to 1,000 results a query, trec_eval's largest standard cutoff.
LARGEST_CUTOFF: Final = 1000

_NAME_WITH_CUTOFF: Final = re.compile(r"(?P<family>[A-Za-z]+)@(?P<cutoff>[1-9][0-9]{0,3})")


def find_metric(name: str) -> Metric:
    """Find a metric by its canonical name, such as ``MRR``, ``R@10`` or ``nDCG@20``.

    Raises:
        InputError: No metric has this name; the text lists the names there are.
    """
    if name == "MRR":
        return reciprocal_rank
    match = _NAME_WITH_CUTOFF.fullmatch(name)
    if match is None:
        raise _unknown_metric(name)
    family = FAMILIES.get(match["family"])
    cutoff = int(match["cutoff"])
    if family is None or cutoff > LARGEST_CUTOFF:
        raise _unknown_metric(name)
    return partial(family, cutoff=cutoff)


def _unknown_metric(name: str) -> InputError:
    families = "@k, ".join(FAMILIES)
    available = f"MRR, {families}@k with k from 1 to {LARGEST_CUTOFF}"
    return InputError(f"{name}: no such metric; one of {available}")


METRICS: Final[Mapping[str, Metric]] = {name: find_metric(name) for name in DEFAULT_NAMES}
