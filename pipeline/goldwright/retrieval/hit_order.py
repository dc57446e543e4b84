"""The order in which hits count: the same for the same scores, in whatever order they arrive."""

import heapq
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from goldwright.retrieval.port import Hit

Ties = Literal["id", "trec"]

# A share of a query's largest score. Cosines of the same text differ by less between batches of a
# model, and the scores of reciprocal rank fusion by more even at rank 1,000.
TIE_TOLERANCE: Final = 1e-6

# An id with its score.
ScoredId = tuple[str, float]


def sort_hits(hits: Sequence[ScoredId], *, ties: Ties = "id") -> list[str]:
    """Order ids by falling score, and ids of equal score by themselves.

    With ``id``, scores that differ by less than a millionth of the query's largest score are
    equal, and ids of equal score rise. With ``trec``, scores are compared in single precision and
    ids of equal score fall, as in trec_eval.

    Args:
        hits: Ids with finite scores.
        ties: The rule for equal scores.
    """
    if not hits:
        return []
    ids, scores = zip(*hits, strict=True)
    keys = _sort_keys(scores, ties)
    id_of = dict(zip(keys, ids, strict=True))
    has_ties = len(id_of) < len(ids)
    if not has_ties:
        # Numbers alone sort faster than pairs with an id.
        falling_keys = sorted(id_of, reverse=True)
        return list(map(id_of.__getitem__, falling_keys))
    if ties == "trec":
        falling = sorted(zip(keys, ids, strict=True), reverse=True)
    else:
        negated_keys = [-key for key in keys]
        falling = sorted(zip(negated_keys, ids, strict=True))
    return [entity_id for _, entity_id in falling]


def best_hits(hits: Sequence[ScoredId], limit: int) -> list[ScoredId]:
    """Return the best hits, ``limit`` of them and those whose score equals that of the last one.

    Which of these count is left to ``sort_hits``, so that a cut owes nothing to the order in which
    hits arrive.

    Args:
        hits: Ids with finite scores, in any order.
        limit: 1 or more.
    """
    falling = sorted(hits, key=_negated_score)
    if len(falling) <= limit:
        return falling
    _, highest = falling[0]
    _, lowest = falling[-1]
    largest = max(abs(highest), abs(lowest))
    _, last_score = falling[limit - 1]
    # Equal scores are at most one tolerance apart; twice that leaves room for rounding.
    threshold = last_score - 2 * TIE_TOLERANCE * largest
    count = bisect_right(falling, -threshold, key=_negated_score)
    return falling[:count]


def hit_ranks(
    score_of: Mapping[str, float], judged: Iterable[str], *, ties: Ties = "id"
) -> Mapping[str, int]:
    """Compute the ranks of some ids, from 1, without ordering all others.

    The ranks are those of ``sort_hits``.

    Args:
        score_of: The score of every id, all finite.
        judged: The ids to rank; those without a score are left out of the result.
        ties: The rule for equal scores.
    """
    judged_ids = [entity_id for entity_id in judged if entity_id in score_of]
    if not judged_ids:
        return {}
    keys = _sort_keys(list(score_of.values()), ties)
    rising_keys = sorted(keys)
    key_of = _keys_of(judged_ids, score_of, keys, ties)
    ranks: dict[str, int] = {}
    for entity_id, key in key_of.items():
        not_above = bisect_right(rising_keys, key)
        if not_above > 1 and rising_keys[not_above - 2] == key:
            # Equal keys are rare, so only they pay for the whole order.
            order = sort_hits(list(score_of.items()), ties=ties)
            ranks[entity_id] = order.index(entity_id) + 1
        else:
            above = len(rising_keys) - not_above
            ranks[entity_id] = above + 1
    return ranks


def top_hits(hits: Iterable[Hit], limit: int) -> list[Hit]:
    """Return at most ``limit`` hits by falling score and rising id, without any tolerance."""
    return heapq.nsmallest(limit, hits, key=_falling_score_then_id)


def rank_scores(scores: Mapping[str, float], limit: int) -> list[Hit]:
    """Return at most ``limit`` hits in the order of ``sort_hits``."""
    ranked_ids = sort_hits(list(scores.items()))
    return [Hit(entity_id, scores[entity_id]) for entity_id in ranked_ids[:limit]]


def _sort_keys(scores: Sequence[float], ties: Ties) -> Sequence[float]:
    """Round scores so that equal ones, by the rule for ties, get the same key."""
    if ties == "trec":
        return array("f", scores)
    step = max(map(abs, scores)) * TIE_TOLERANCE
    if not step:
        return [0] * len(scores)
    return [round(score / step) for score in scores]


def _keys_of(
    ids: Iterable[str], score_of: Mapping[str, float], keys: Sequence[float], ties: Ties
) -> Mapping[str, float]:
    if ties == "trec":
        # A key owes nothing to the other scores, so those of a few ids are made again.
        return {entity_id: array("f", [score_of[entity_id]])[0] for entity_id in ids}
    all_keys = dict(zip(score_of, keys, strict=True))
    return {entity_id: all_keys[entity_id] for entity_id in ids}


def _negated_score(hit: ScoredId) -> float:
    return -hit[1]


def _falling_score_then_id(hit: Hit) -> tuple[float, str]:
    return -hit.score, hit.entity_id
