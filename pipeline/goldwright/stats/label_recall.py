"""How many of the relevant entities are labelled: capture and recapture."""

from dataclasses import dataclass

from goldwright.stats.binomial import wilson


@dataclass(frozen=True, slots=True)
class RecallEstimate:
    """An estimate of the recall of labels.

    Attributes:
        recaptured: How many relevant entities an independent search brought that are labelled.
        brought: How many relevant entities it brought in all.
        interval: The 95 % Wilson interval of the share.
    """

    recaptured: int
    brought: int
    interval: tuple[float, float]


def label_recall(recaptured: int, brought: int) -> RecallEstimate:
    """Estimate the recall of labels by the share of a second sample that is labelled.

    With n1 labelled entities, n2 relevant ones in a second sample and m in both, N = n1 n2 / m are
    estimated to exist, and so n1 / N = m / n2 of them are labelled. That holds where the second
    sample does not depend on the labels, and brings each relevant entity as likely as any other.

    Source: F. C. Lincoln, "Calculating Waterfowl Abundance on the Basis of Banding Returns", USDA
    Circular 118 (1930); the interval is that of E. B. Wilson, JASA 22 (1927), 209-212.

    Args:
        recaptured: Relevant entities of the second sample that are labelled.
        brought: All relevant entities of the second sample.
    """
    return RecallEstimate(recaptured, brought, wilson(recaptured, brought))
