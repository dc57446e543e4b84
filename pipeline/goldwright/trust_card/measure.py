"""What a figure of the trust card is made of: observations, an estimate and a wanted value."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from goldwright.trust_card.material import CardMaterial

Interval = tuple[float, float]
FigureVerdict = Literal["ok", "short", "undecided", "too few"]
Unit = Literal["share", "points", "number"]

# With fewer observations a value that looks good says nothing yet.
FEWEST_OBSERVATIONS: Final = 5


@dataclass(frozen=True, slots=True)
class FigureGoal:
    """The value that is wanted of a figure.

    Attributes:
        direction: Whether larger or smaller values are better.
        limit: The last value that is good enough.
    """

    direction: Literal["at least", "at most"]
    limit: float

    def is_met_by(self, value: float) -> bool:
        """Whether a value is good enough."""
        if self.direction == "at least":
            return value >= self.limit
        return value <= self.limit

    def is_missed_by(self, interval: Interval) -> bool:
        """Whether no value of an interval is good enough."""
        low, high = interval
        if self.direction == "at least":
            return high < self.limit
        return low > self.limit


NO_FAULT: Final = FigureGoal("at most", 0.0)


@dataclass(frozen=True, slots=True)
class Observation:
    """What one record, or one part of it, adds to a figure.

    Attributes:
        query_id: The record.
        value: 1 or 0 for a share, else a number.
        note: What is wrong, where something is; it makes the record an example.
        group: What the observation is compared within, for figures that compare.
        expected: The value to expect without any fault, for figures of a difference.
    """

    query_id: str
    value: float
    note: str = ""
    group: str = ""
    expected: float = 0.0

    @classmethod
    def of_fault(cls, query_id: str, problem: str) -> "Observation":
        """Count a fault: 1 where there is a problem, 0 where its description is empty."""
        return cls(query_id, float(problem != ""), problem)

    @classmethod
    def of_merit(cls, query_id: str, problem: str) -> "Observation":
        """Count a merit: 0 where there is a problem, 1 where its description is empty."""
        return cls(query_id, float(problem == ""), problem)


@dataclass(frozen=True, slots=True)
class FigureEstimate:
    """A value with what it rests on.

    Attributes:
        value: The value; None where there is nothing to measure.
        n: How many observations there are.
        interval: The 95 % interval of the value; None where none can be given.
    """

    value: float | None
    n: int
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class FigureExample:
    """A record that a figure holds against the dataset, and why."""

    query_id: str
    note: str


@dataclass(frozen=True, slots=True)
class FigureText:
    """What a figure is, for its readers.

    Attributes:
        name: Its key in JSON, in snake case.
        title: What its row in a table says.
        method: What is counted and how.
        unit: How its values are written.
        goal: The wanted value; None for a figure that only describes.
    """

    name: str
    title: str
    method: str
    unit: Unit = "share"
    goal: FigureGoal | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of one dataset, with the records that it holds against it."""

    text: FigureText
    estimate: FigureEstimate
    examples: tuple[FigureExample, ...] = ()

    @property
    def verdict(self) -> FigureVerdict | None:
        """How the value stands to the goal; None where no value is wanted.

        ``short`` says that the goal is surely missed: the whole interval lies on its wrong side;
        ``undecided``, that the value misses it and the interval does not; ``too few``, that there
        are fewer than five observations.
        """
        goal = self.text.goal
        estimate = self.estimate
        if goal is None:
            return None
        is_enough = estimate.n >= FEWEST_OBSERVATIONS
        if estimate.value is None:
            return "too few"
        if goal.is_met_by(estimate.value):
            verdict: FigureVerdict = "ok"
        elif estimate.interval is not None and goal.is_missed_by(estimate.interval):
            verdict = "short"
            # Where no fault is wanted a single one is proof, however few the observations are.
            is_enough = is_enough or goal == NO_FAULT
        else:
            verdict = "undecided"
        return verdict if is_enough else "too few"


@dataclass(frozen=True, slots=True)
class FigureMeasure:
    """How a figure is measured.

    Attributes:
        text: What the figure is.
        observe: Takes the observations from a dataset and its codebase.
        estimate: Sums up the observations of one dataset, or of several together.
    """

    text: FigureText
    observe: Callable[[CardMaterial], Iterable[Observation]]
    estimate: Callable[[Sequence[Observation]], FigureEstimate]

    def figure(self, observations: Sequence[Observation]) -> Figure:
        """Make the figure of some observations."""
        examples = [
            FigureExample(observation.query_id, observation.note)
            for observation in observations
            if observation.note
        ]
        return Figure(self.text, self.estimate(observations), tuple(examples))
