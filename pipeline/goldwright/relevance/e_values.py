"""Evidence that may be looked at after every trial."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from goldwright.relevance.hypotheses import Floats


def e_bh(log_e_values: Floats, *, alpha: float) -> NDArray[np.bool_]:
    """Select documents so that at most a share `alpha` of them, expected, is wrong.

    The k largest e-values are selected for the largest k at which the k-th is at least m/(alpha k).
    The documents may depend on one another in any way.

    Source: R. Wang and A. Ramdas, "False discovery rate control with e-values", Journal of the
    Royal Statistical Society B 84 (2022).

    Args:
        log_e_values: Shape (documents,): natural logarithms, taken at the time of stopping.
        alpha: In (0, 1).

    Returns:
        Shape (documents,): True where selected.
    """
    size = len(log_e_values)
    order = np.argsort(-log_e_values, kind="stable")
    ranks = np.arange(1, size + 1)
    bars = np.log(size / alpha) - np.log(ranks)
    (passing,) = np.nonzero(log_e_values[order] >= bars)
    selected = np.zeros(size, dtype=bool)
    if len(passing):
        last_passing_place = passing[-1]
        selected[order[: last_passing_place + 1]] = True
    return selected


def log_betting_factors(
    predicted: tuple[Floats, Floats],
    included: Sequence[bool] | NDArray[np.bool_],
    inclusion: Floats,
    *,
    succeeded: bool,
) -> Floats:
    """Return by how much a trial multiplies each document's e-value, as logarithms.

    The bet is on whether the document was in, given the outcome and the other documents. Since it
    was put in with a known probability whatever the others were, the factor has a mean of at most
    1 if the document never raises success: for any solver, drifting or not, any interaction, and
    any prior behind the predictions. No bet is placed where the document could not have been
    drawn the other way, or where it is expected to do harm.

    Source: P. Grünwald, A. Henzi and T. Lardy, "Anytime-valid tests of conditional independence
    under model-X", Journal of the American Statistical Association 119 (2024).

    Args:
        predicted: By document, the success rate expected with it, and without it.
        included: By document, whether it was in.
        inclusion: By document, the probability with which it was put in.
        succeeded: The outcome.
    """
    with_it, without_it = predicted
    if not succeeded:
        with_it, without_it = 1 - with_it, 1 - without_it
    expected = inclusion * with_it + (1 - inclusion) * without_it
    rate_seen = np.where(included, with_it, without_it)
    is_drawn = (inclusion > 0) & (inclusion < 1)
    is_no_worse_with_it = predicted[0] >= predicted[1]
    is_bet = is_drawn & is_no_worse_with_it
    bet_rate = np.where(is_bet, rate_seen, 1.0)
    bet_expected = np.where(is_bet, expected, 1.0)
    ratio = bet_rate / bet_expected
    smallest_float = np.finfo(np.float64).tiny
    factors: Floats = np.log(np.maximum(ratio, smallest_float))
    return factors
