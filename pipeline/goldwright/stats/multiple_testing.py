"""Correction of p-values for the number of tests."""

from collections.abc import Mapping


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Adjust p-values by Holm's step-down procedure.

    Rejecting those up to alpha makes any false rejection at all with a probability of at most
    alpha, whatever the dependence of the tests. The i-th smallest of m becomes the maximum over
    j <= i of min(1, (m - j + 1) p_j). Names keep their order.

    Source: S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
    of Statistics 6 (1979), 65-70.

    Raises:
        ValueError: A p-value is not in 0..1.
    """
    for name, p_value in p_values.items():
        if not 0 <= p_value <= 1:
            raise ValueError(f"a p-value lies in 0..1, and {p_value} of {name!r} does not")
    # Filled in the order of the names first: the loop below goes by size.
    adjusted = dict.fromkeys(p_values, 0.0)
    m = len(p_values)
    largest = 0.0
    for step, name in enumerate(sorted(p_values, key=p_values.__getitem__)):
        scaled = (m - step) * p_values[name]
        largest = max(largest, min(1.0, scaled))
        adjusted[name] = largest
    return adjusted
