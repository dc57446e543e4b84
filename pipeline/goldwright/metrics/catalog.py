"""Every metric by its canonical name: one line for one metric, at any cutoff."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from goldwright.errors import InputError
from goldwright.metrics.judged import judged
from goldwright.metrics.ndcg import ndcg
from goldwright.metrics.precision import precision
from goldwright.metrics.ranking import Metric
from goldwright.metrics.recall import recall
from goldwright.metrics.reciprocal_rank import reciprocal_rank
from goldwright.metrics.success import accuracy, success

FAMILIES: Final[Mapping[str, Callable[..., float]]] = {
    "nDCG": ndcg,
    "R": recall,
    "P": precision,
    "Hit": success,
    "Success": success,
    "Acc": accuracy,
    "Judged": judged,
}
DEFAULT_NAMES: Final = ("MRR", "nDCG@10", "R@10", "P@1", "P@5", "Hit@5", "Judged@10")
LARGEST_CUTOFF: Final = 1000
_NAME: Final = re.compile(r"([A-Za-z]+)@([1-9][0-9]{0,3})")


def find_metric(name: str) -> Metric:
    """Find a metric by its canonical name, as ``MRR``, ``R@10`` or ``nDCG@20``.

    Raises:
        InputError: There is none of that name; the text lists those there are.
    """
    if name == "MRR":
        return reciprocal_rank
    found = _NAME.fullmatch(name)
    if found is None or found[1] not in FAMILIES or int(found[2]) > LARGEST_CUTOFF:
        names = ", ".join(f"{family}@k" for family in FAMILIES)
        raise InputError(
            f"{name}: no such metric; one of MRR, {names} with k from 1 to {LARGEST_CUTOFF}"
        )
    return partial(FAMILIES[found[1]], cutoff=int(found[2]))


METRICS: Final[Mapping[str, Metric]] = {name: find_metric(name) for name in DEFAULT_NAMES}
