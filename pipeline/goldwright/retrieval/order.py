"""The order in which hits count, the same for the same scores whoever sends them."""

from array import array
from collections.abc import Sequence
from typing import Final, Literal

Ties = Literal["id", "trec"]

FINEST: Final = 1e-6
Scored = tuple[str, float]


def best_first(hits: Sequence[Scored], *, ties: Ties = "id") -> list[str]:
    """Order ids by falling score; what ties is told by the ids, never by the order in which hits came.

    With ``id``, scores that differ by less than a millionth of the query's largest score are ties, for so much do
    cosines of one text differ between batches of a model; tied ids rise. With ``trec``, scores are compared in
    single precision and tied ids fall, as trec_eval does.

    Args:
        hits: Ids with finite scores.
        ties: The rule for ties.
    """
    names, scores = [name for name, _ in hits], [score for _, score in hits]
    if ties == "trec":
        return [name for _, name in sorted(zip(array("f", scores), names, strict=True), reverse=True)]
    grain = max(map(abs, scores), default=0.0) * FINEST
    steps = [-round(score / grain) for score in scores] if grain else [0] * len(scores)
    return [name for _, name in sorted(zip(steps, names, strict=True))]
