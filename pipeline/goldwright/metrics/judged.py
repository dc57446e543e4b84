"""How much of a list anybody has judged."""

from goldwright.metrics.ranking import MetricUndefinedError, Ranked


def judged(found: Ranked, *, cutoff: int) -> float:
    """The share of the first k ranked ids that are known to be relevant or not, in 0..1; 1 for an empty list.

    What is not judged counts as irrelevant in every other metric, so a low share says that they are lower bounds.
    The divisor is the number of ranked ids where that is below k.

    Source: ir_measures' ``Judged``; T. Sakai, "Alternatives to Bpref", SIGIR 2007, on incomplete judgements.

    Raises:
        MetricUndefinedError: The cutoff is below 1.
    """
    if cutoff < 1:
        raise MetricUndefinedError(f"a cutoff counts ranks from 1; found {cutoff}")
    known = found.judged[:cutoff]
    return known[-1] / len(known) if known else 1.0
