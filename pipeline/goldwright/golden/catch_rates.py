"""How many falsified answers were caught, and by whom, as the metadata of a dataset say it."""

from goldwright.records import Record


class CatchRate(Record):
    """How many falsified answers of one kind were caught.

    Attributes:
        caught: How many were caught.
        released: How many were released.
        interval: The 95 % interval of the share that is caught, in 0..1.
    """

    caught: int
    released: int
    interval: tuple[float, float]


class CanaryRate(CatchRate):
    """Who caught the falsified answers of one kind, with Wilson intervals.

    ``caught`` of ``released`` is the Adversary's rate, of those that passed the gate.

    Attributes:
        gate: The gate's rate, of all that were made; None for kinds that are made so that they
            pass it.
        judge: The judge's rate, of those it was asked about; None where it was asked about none.
        stopped: The rate of those that did not come through, of all that were made.
    """

    gate: CatchRate | None = None
    judge: CatchRate | None = None
    stopped: CatchRate | None = None
