"""Several retrievers that were asked the queries of one dataset, and what asking them took."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from goldwright.errors import GoldwrightError
from goldwright.evaluation.measures import quality_measures
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.system_comparison import SystemComparison


@dataclass(slots=True)
class Timing:
    """What asking a retriever took.

    Attributes:
        seconds: By the id of the query, how long its reply took when it was asked.
        asked: How many queries were asked now; the replies to the others were kept.
        kept_since: When the oldest of the kept replies was asked; None where all were asked now.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    asked: int = 0
    kept_since: str | None = None

    def percentile(self, share: float) -> float | None:
        """The seconds within which a share of the queries was answered; None where none was timed.

        It is the nearest rank: with sixty queries, p99 is the slowest one.
        """
        ordered = sorted(self.seconds.values())
        if not ordered:
            return None
        place = max(0, min(len(ordered) - 1, -int(-share * len(ordered) // 1) - 1))
        return ordered[place]


@dataclass(frozen=True, slots=True)
class BenchedSystem:
    """A retriever that answered every query.

    Attributes:
        report: Its scores, query by query.
        timing: What asking it took.
        cost_usd: What its replies say that they cost, in dollars; None where they say nothing.
    """

    report: EvaluationReport
    timing: Timing
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class Bench:
    """A comparison of retrievers.

    Attributes:
        systems: Those that answered every query, by name, in the order of the request.
        failures: Why others did not, by name.
        comparison: Their means and pairs by the measure that decides; None where fewer than two
            answered every query.
        notes: What makes the numbers less, or other, than they look, each with the systems that it
            is true of.
    """

    systems: Mapping[str, BenchedSystem]
    failures: Mapping[str, GoldwrightError]
    comparison: SystemComparison | None
    notes: tuple[str, ...]

    @property
    def report(self) -> EvaluationReport:
        """The report of any system: dataset, commit and queries are those of all."""
        return next(iter(self.systems.values())).report

    @property
    def measures(self) -> Sequence[str]:
        """The measures of quality that all were scored by, the one that decides first."""
        names = quality_measures(self.report.measures)
        if self.comparison is None:
            return names
        main = self.comparison.measure
        return (main, *(name for name in names if name != main))
