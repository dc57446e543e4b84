"""Every metric by its canonical name: a family, and its cutoff or another number if it has one."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from goldwright.errors import InputError
from goldwright.metrics.average_precision import average_precision
from goldwright.metrics.judged_share import judged_share
from goldwright.metrics.ndcg import ndcg
from goldwright.metrics.precision import precision
from goldwright.metrics.r_precision import r_precision
from goldwright.metrics.rank_biased_precision import rank_biased_precision
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
    "MAP": average_precision,
}
WITHOUT_CUTOFF: Final[Mapping[str, Metric]] = {
    "MRR": reciprocal_rank,
    "MAP": average_precision,
    "Rprec": r_precision,
    "RBP": rank_biased_precision,
}
DEFAULT_NAMES: Final = ("MRR", "nDCG@10", "R@10", "P@1", "P@5", "Hit@5", "Judged@10")

# TREC runs customarily hold up to 1,000 results a query, trec_eval's largest standard cutoff.
LARGEST_CUTOFF: Final = 1000

_NAME_WITH_CUTOFF: Final = re.compile(r"(?P<family>[A-Za-z]+)@(?P<cutoff>[1-9][0-9]{0,3})")

# Two decimals of the chance to go on reading, as ranx writes it.
_NAME_WITH_PERSISTENCE: Final = re.compile(r"RBP\.(?P<persistence>(?!00)[0-9]{2})")


def find_metric(name: str) -> Metric:
    """Find a metric by its canonical name, such as ``MRR``, ``R@10``, ``nDCG@20`` or ``RBP.95``.

    Raises:
        InputError: No metric has this name; the text lists the names there are.
    """
    if name in WITHOUT_CUTOFF:
        return WITHOUT_CUTOFF[name]
    match = _NAME_WITH_PERSISTENCE.fullmatch(name)
    if match is not None:
        return partial(rank_biased_precision, persistence=float(f"0.{match['persistence']}"))
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
    available = (
        f"{', '.join(WITHOUT_CUTOFF)}, RBP.95 and the like, "
        f"{families}@k with k from 1 to {LARGEST_CUTOFF}"
    )
    return InputError(f"{name}: no such metric; one of {available}")


METRICS: Final[Mapping[str, Metric]] = {name: find_metric(name) for name in DEFAULT_NAMES}
