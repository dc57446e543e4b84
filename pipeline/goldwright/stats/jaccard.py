"""Overlap of two sets."""

from collections.abc import Set as AbstractSet


def jaccard(first: AbstractSet[str], second: AbstractSet[str]) -> float:
    """Compute the Jaccard index |A ∩ B| / |A ∪ B|, in 0..1.

    Two empty sets are equal, so their index is 1.

    Source: P. Jaccard, "The distribution of the flora in the alpine zone", New Phytologist 11
    (1912).
    """
    union = first | second
    if not union:
        return 1.0
    intersection = first & second
    return len(intersection) / len(union)


def containment(part: AbstractSet[str], container: AbstractSet[str]) -> float:
    """Compute the share of one set that lies in another, |A ∩ B| / |A|, in 0..1.

    It is 0 for an empty part.

    Source: A. Broder, "On the resemblance and containment of documents" (1997).
    """
    if not part:
        return 0.0
    intersection = part & container
    return len(intersection) / len(part)
