"""How far a second search may be trusted on a query, from the two score lists alone.

A search that knows nothing of the query orders the documents independently of what another search
found. So the documents that the first search puts on top stand, in the second list, where a random
draw of as many would. How far above that they stand is the evidence that the second one knows
anything of this query, and its weight is shrunk by it.
"""

from math import sqrt
from typing import Final

import numpy as np

from goldwright.retrieval.fusions.port import ScoreList
from goldwright.retrieval.fusions.tied_ranks import falling_ranks

# Documents of the first list that are looked up in the second. With 100 the agreement of a real
# encoder is about 10 standard deviations, with 20 about 5 (three codebases, 133 queries).
TOP: Final = 100
# Below so many documents a mean of ranks is far from normal, and nothing can be concluded.
FEWEST: Final = 5
# Standard deviations that independence explains: one random list in 740 is further above.
THRESHOLD: Final = 3.0


def agreement(first: ScoreList, second: ScoreList) -> float | None:
    """Measure how far the best documents of one list stand above chance in another.

    It is the mean rank of the first list's best documents in the second list, as standard
    deviations above the mean of as many documents drawn at random (the rank-sum statistic of
    Wilcoxon). Only ranks of the second list count, so no shape of its scores can feign it.

    Returns:
        At most ``sqrt(3 x 100)``; about standard normal where the lists are independent. None
        where the first list found fewer than 5 documents, or all documents are looked up.
    """
    document_count = len(first.scores)
    order = np.argsort(-first.scores, kind="stable")[:TOP]
    best = order[first.is_hit[order]]
    count = len(best)
    if count < FEWEST or count >= document_count:
        return None
    places = (falling_ranks(second)[best] - 0.5) / document_count
    # The variance of the mean of ranks drawn without replacement, in shares of the list.
    correction = (document_count - count) / (document_count - 1)
    distance = 0.5 - places.mean()
    return float(distance * sqrt(12 * count / correction))


def trust(first: ScoreList, second: ScoreList) -> float:
    """Shrink the weight of a second list by what independence explains of its agreement.

    It is max(0, 1 - (3 / agreement)²): 0 where the agreement is within three standard deviations
    of chance, .91 at an agreement of 10, and near 1 beyond. Where nothing can be concluded, because
    the first search found next to nothing, the second one is all there is, and its weight is 1.

    Source: the form is the positive-part estimator of W. James and C. Stein (1961) and A. Baranchik
    (1964), with the square of the threshold in place of their constant.
    """
    deviations = agreement(first, second)
    if deviations is None:
        return 1.0
    if deviations <= THRESHOLD:
        return 0.0
    return 1 - (THRESHOLD / deviations) ** 2
