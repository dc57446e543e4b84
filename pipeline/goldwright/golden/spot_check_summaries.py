"""What people found in a sample, as the metadata of a dataset say it."""

from goldwright.golden.catch_rates import CatchRate
from goldwright.golden.reviewer_summaries import PaceSummary, TrainingSummary
from goldwright.records import Record


class Limit(Record):
    """One ceiling of the spot check.

    Attributes:
        name: What is counted.
        found: How many the sample holds.
        most: The largest number that keeps the ceiling.
    """

    name: str
    found: int
    most: int


class SpotCheckSummary(Record):
    """What people found in the sample.

    Attributes:
        round: Which sample of the batch it is, from 1.
        population: How many records the sample was drawn from.
        sampled: How many records were drawn.
        verdicts: How many records got each verdict.
        limits: The ceilings on verdicts.
        confidence: The level of the three bounds below, in 0..1.
        upper_bound: The most records of the batch that may be major or wrong, had the sample been
            drawn from the batch as a whole (hypergeometric).
        upper_bound_stratified: The same for the sample as it was drawn, cell by cell.
        upper_bound_corrected: The same with the catch rate of the canaries taken into account.
        agreeing: How many records both reviewers gave one verdict.
        pairs: How many records both reviewers judged.
        kappa: Cohen's kappa of the two reviewers; None where undefined, which ``claims`` then says.
        kappa_interval: Its 95 % interval.
        ac1: Gwet's AC1; None where undefined, which ``claims`` then says.
        ac1_interval: Its 95 % interval.
        canaries_planted: How many falsified answers the reviewers were shown.
        canaries_noticed: How many of these they called less than correct.
        canaries_kept_out: How many they would have kept out of the dataset.
        paces: How long everybody's verdicts took.
        trainings: How everybody's training rounds went.
        own_adjudications: The records on which somebody settled a difference that they were one
            side of.
        reviews_sha256: The digest of the file of review events.
        claims: What the sample allows to claim, in sentences.
    """

    round: int
    population: int
    sampled: int
    verdicts: dict[str, int]
    limits: tuple[Limit, ...]
    confidence: float
    upper_bound: int
    upper_bound_stratified: int | None
    upper_bound_corrected: int | None
    agreeing: int
    pairs: int
    kappa: float | None
    kappa_interval: tuple[float, float] | None
    ac1: float | None
    ac1_interval: tuple[float, float] | None
    canaries_planted: int
    canaries_noticed: int
    canaries_kept_out: CatchRate | None
    paces: tuple[PaceSummary, ...] = ()
    trainings: tuple[TrainingSummary, ...] = ()
    own_adjudications: tuple[str, ...] = ()
    reviews_sha256: str
    claims: tuple[str, ...]
