"""The order in which hits count, the same for the same scores whoever sends them."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

Ties = Literal["id", "trec"]

FINEST: Final = 1e-6
Scored = tuple[str, float]


def sort_hits(hits: Sequence[Scored], *, ties: Ties = "id") -> list[str]:
    """Order ids by falling score; what ties is told by the ids, never by the order in which hits
    came.

    With ``id``, scores that differ by less than a millionth of the query's largest score are ties,
    for so much do cosines of one text differ between batches of a model; tied ids rise. With
    ``trec``, scores are compared in single precision and tied ids fall, as trec_eval does.

    Args:
        hits: Ids with finite scores.
        ties: The rule for ties.
    """
    if not hits:
        return []
    names, scores = zip(*hits, strict=True)
    keys = _keys(scores, ties)
    by_key = dict(zip(keys, names, strict=True))
    if len(by_key) == len(names):
        return list(map(by_key.__getitem__, sorted(by_key, reverse=True)))
    if ties == "trec":
        return [name for _, name in sorted(zip(keys, names, strict=True), reverse=True)]
    return [name for _, name in sorted(zip([-key for key in keys], names, strict=True))]


def first(hits: Sequence[Scored], limit: int) -> list[Scored]:
    """Give the best hits, as many as asked for and what ties with the last of them: ids tell which
    of these count.

    Args:
        hits: Ids with finite scores, in any order.
        limit: How many are wanted, 1 or more.
    """
    falling = sorted(hits, key=lambda hit: -hit[1])
    if len(falling) <= limit:
        return falling
    least = falling[limit - 1][1] - 2 * FINEST * max(abs(score) for _, score in hits)
    return [hit for hit in falling if hit[1] >= least]


def hit_ranks(
    names: Sequence[str], scores: Sequence[float], wanted: Iterable[str], *, ties: Ties = "id"
) -> Mapping[str, int]:
    """Tell at which places some ids stand, from 1, without putting the others in order; those that
    are not there miss.

    Args:
        names: All ids, each once.
        scores: Their scores, all finite.
        wanted: The ids that one asks for.
        ties: The rule for ties.
    """
    keys = _keys(scores, ties) if names else ()
    key_of = dict(zip(names, keys, strict=True))
    rising = sorted(keys)
    found: dict[str, int] = {}
    for name in wanted:
        if name in key_of:
            above = bisect_right(rising, key_of[name])
            if above > 1 and rising[above - 2] == key_of[name]:
                order = sort_hits(list(zip(names, scores, strict=True)), ties=ties)
                found[name] = order.index(name) + 1
            else:
                found[name] = len(rising) - above + 1
    return found


def _keys(scores: Sequence[float], ties: Ties) -> Sequence[float]:
    if ties == "trec":
        return array("f", scores)
    grain = max(map(abs, scores)) * FINEST
    return [round(score / grain) for score in scores] if grain else [0] * len(scores)
