"""Correction of p-values for the number of tests."""

from collections.abc import Mapping


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Adjust p-values so that rejecting those up to alpha errs anywhere with probability at most
    alpha.

    The i-th smallest of m becomes the maximum over j <= i of min(1, (m - j + 1) p_j); whatever the
    dependence of the tests. Names keep their order.

    Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
    of Statistics 6 (1979), 65-70.

    Raises:
        ValueError: A p-value is not in 0..1.
    """
    adjusted = dict.fromkeys(p_values, 0.0)
    highest = 0.0
    for rank, name in enumerate(sorted(p_values, key=lambda name: _checked(name, p_values[name]))):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[name]))
        adjusted[name] = highest
    return adjusted


def _checked(name: str, p_value: float) -> float:
    if not 0 <= p_value <= 1:
        raise ValueError(f"a p-value lies in 0..1, and {p_value} of {name!r} does not")
    return p_value
