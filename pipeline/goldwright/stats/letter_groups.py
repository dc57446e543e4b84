"""Groups of systems that cannot be told apart, from what is shown of each pair."""

from collections.abc import Collection, Sequence


def letter_groups(
    names: Sequence[str], differing_pairs: Collection[frozenset[str]]
) -> list[list[str]]:
    """Find the largest groups in which no pair is shown to differ.

    Two systems stand together in a group exactly where their pair is not shown to differ; a system
    may stand in several groups, for not being told apart is not transitive.

    Source: H.-P. Piepho, "An algorithm for a letter-based representation of all-pairwise
    comparisons", Journal of Computational and Graphical Statistics 13 (2004), 456-466.

    Args:
        names: The systems, the best first; groups come and are ordered in their order.
        differing_pairs: The pairs that are shown to differ.
    """
    groups = [frozenset(names)]
    for pair in sorted(differing_pairs, key=lambda pair: sorted(map(names.index, pair))):
        split: list[frozenset[str]] = []
        for group in groups:
            if pair <= group:
                split.extend(group - {name} for name in pair)
            else:
                split.append(group)
        groups = _without_subsets(split)
    ordered = [sorted(group, key=names.index) for group in groups if group]
    return sorted(ordered, key=lambda group: list(map(names.index, group)))


def _without_subsets(groups: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    distinct = list(dict.fromkeys(groups))
    return [group for group in distinct if not any(group < larger for larger in distinct)]
