"""How much of a list anybody has judged."""

from goldwright.metrics.ranking import MetricUndefinedError, RankedRelevance


def judged(found: RankedRelevance, *, cutoff: int) -> float:
    """The share of the first k ranked ids that are known to be relevant or not, in 0..1; 1 for an
    empty list.

    What is not judged counts as irrelevant in every other metric, so a low share says that they are
    lower bounds. The divisor is the number of ranked ids where that is below k.

    Source: ir_measures' ``Judged``; T. Sakai, "Alternatives to Bpref", SIGIR 2007, on incomplete
    judgements.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    if cutoff < 1:
        raise MetricUndefinedError(f"a cutoff counts ranks from 1; found {cutoff}")
    shown = min(cutoff, found.length)
    return sum(1 for place in found.judged if place <= shown) / shown if shown else 1.0
