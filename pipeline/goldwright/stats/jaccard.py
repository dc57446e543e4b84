"""Overlap of two sets."""

from collections.abc import Set as AbstractSet


def jaccard(left: AbstractSet[str], right: AbstractSet[str]) -> float:
    """The Jaccard index |A ∩ B| / |A ∪ B|, in 0..1; two empty sets are equal, so 1.

    Source: P. Jaccard, "The distribution of the flora in the alpine zone", New Phytologist 11
    (1912).
    """
    union = left | right
    return len(left & right) / len(union) if union else 1.0


def containment(part: AbstractSet[str], whole: AbstractSet[str]) -> float:
    """The share of ``part`` that lies in ``whole``, |A ∩ B| / |A|, in 0..1; 0 for an empty part.

    Source: A. Broder, "On the resemblance and containment of documents" (1997).
    """
    return len(part & whole) / len(part) if part else 0.0
