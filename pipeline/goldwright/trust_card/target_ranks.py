"""How well a lexical search finds the targets of a record."""

from goldwright.trust_card.material import AnsweredQuery
from goldwright.trust_card.search import LexicalIndex, ndcg


def target_ranks(record: AnsweredQuery, index: LexicalIndex) -> list[int]:
    """The ranks of the targets that a search finds, each by itself or by an alternative."""
    names_by_target = [(target, *record.alternatives.get(target, ())) for target in record.targets]
    all_names = frozenset[str]().union(*names_by_target)
    ranks = index.ranks_among(record.query, all_names)
    target_places: list[int] = []
    for names in names_by_target:
        places = [ranks[name] for name in names if name in ranks]
        if places:
            target_places.append(min(places))
    return target_places


def all_targets_ndcg(record: AnsweredQuery, index: LexicalIndex) -> float:
    """nDCG@10 with all targets relevant."""
    return ndcg(target_ranks(record, index), len(record.targets))


def best_target_ndcg(record: AnsweredQuery, index: LexicalIndex) -> float:
    """nDCG@10 with the target that is found best as the only relevant entity.

    Unlike the nDCG of all targets it does not fall with their number.
    """
    places = target_ranks(record, index)
    if not places:
        return 0.0
    return ndcg([min(places)], 1)
