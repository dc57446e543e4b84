"""Exact comparison of two rates."""

from math import comb


def fisher_greater(bad: int, total: int, other_bad: int, other_total: int) -> float:
    """Give the exact one-sided p-value that the first rate is no greater than the second, in 0..1.

    p = sum over x >= bad of C(n, x) C(m, K - x) / C(n + m, K), with n and m the totals and K all bad of both:
    the chance of so many bad on the first side, or more, when K bad ones are dealt over both sides at random. Small
    means that the first rate is greater. It is 1 when either side is empty.

    Source: R. A. Fisher, "The logic of inductive inference", Journal of the Royal Statistical Society 98
    (1935), 39-54.

    Raises:
        ValueError: A count of bad ones is below 0 or above its total.
    """
    for count, of in ((bad, total), (other_bad, other_total)):
        if not 0 <= count <= of:
            raise ValueError(f"{count} of {of} is no count of bad ones among a total")
    bad_of_both = bad + other_bad
    most = min(total, bad_of_both)
    ways = sum(comb(total, count) * comb(other_total, bad_of_both - count) for count in range(bad, most + 1))
    return ways / comb(total + other_total, bad_of_both)
