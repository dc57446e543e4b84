"""Several retrievers that were asked the queries of one dataset, and what asking them took."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, Final

from goldwright.errors import GoldwrightError
from goldwright.evaluation.measures import quality_measures
from goldwright.evaluation.notebook_tables import score_rows
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.strata import mean_of
from goldwright.evaluation.system_comparison import SystemComparison
from goldwright.evaluation.system_text import (
    cost_text,
    findings,
    pair_rows,
    seconds_text,
    win_matrix,
)
from goldwright.notebooks.frames import FrameLibrary, make_frame
from goldwright.notebooks.html import (
    block,
    folded,
    interval_text,
    mean_bar,
    paragraph,
    paragraphs,
    table,
)
from goldwright.text import counted

# Measures that a notebook shows beside the one that decides; all of them are in the frame.
_MORE_MEASURES: Final = 3
_PERCENTILES: Final = (0.5, 0.95)


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
        rank = ceil(share * len(ordered))
        rank_in_list = min(max(rank, 1), len(ordered))
        return ordered[rank_in_list - 1]


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

    @property
    def names(self) -> Sequence[str]:
        """The systems that answered every query, the best first where they are compared."""
        if self.comparison is None:
            return tuple(self.systems)
        return tuple(self.comparison.means)

    @property
    def size(self) -> str:
        """How many systems were asked how many queries, in words."""
        systems = counted(len(self.systems), "system")
        queries = counted(len(self.report.queries), "query")
        return f"{systems} on {queries}"

    def to_frame(self, library: FrameLibrary | None = None) -> Any:
        """Give the scores as a data frame: a row for each system and query, the best system first.

        The columns are ``system``, ``seconds`` (what the reply took when it was asked), and those
        of ``EvaluationReport.to_frame``.

        Args:
            library: ``pandas`` or ``polars``; by default the first that is installed.

        Raises:
            InputError: Neither is installed.

        Examples:
            >>> frame = goldwright.bench("queries.csv", ["bm25", "grep"], repo="shop").to_frame()
            >>> frame.pivot(index="query_id", columns="system", values="MRR").shape
            (3, 2)
        """
        rows = []
        for name in self.names:
            seconds = self.systems[name].timing.seconds
            for row in score_rows(self.systems[name].report.queries):
                query_id = str(row["query_id"])
                timed = {"system": name, "seconds": seconds.get(query_id)}
                rows.append({**timed, **row})
        return make_frame(rows, library)

    def __repr__(self) -> str:
        measure = self.measures[0]
        texts = []
        for name in self.names:
            mean = self.systems[name].report.mean(measure)
            texts.append(f"{name} {mean:.3f}")
        means = ", ".join(texts)
        return f"<Bench: {measure} of {means}>"

    def _repr_html_(self) -> str:
        """Show the comparison in a notebook."""
        comparison = self.comparison
        lead = list(findings(comparison)) if comparison is not None else []
        parts = [paragraph(text, is_soft=number > 0) for number, text in enumerate(lead)]
        header = self._header()
        rows = [header, *map(self._row, self.names)]
        parts.append(table(rows))
        if comparison is not None:
            every_pair = table(pair_rows(comparison))
            wins = table(win_matrix(comparison))
            parts.append(folded("Every pair", every_pair))
            parts.append(folded("Who wins on how many", wins))
        failed = [f"FAILED  {name}: {error}" for name, error in self.failures.items()]
        parts += map(paragraph, failed)
        dataset = paragraph(self.report.dataset, is_soft=True)
        notes = paragraphs(self.notes)
        return block(self.size, dataset, *parts, notes)

    def _header(self) -> Sequence[str]:
        percentiles = [f"p{share * 100:g}" for share in _PERCENTILES]
        first, *further_measures = self.measures[: _MORE_MEASURES + 1]
        header = ["", first, "", "95 %", "group", *further_measures, *percentiles]
        return [*header, "cost"] if self._has_costs else header

    def _row(self, name: str) -> Sequence[str]:
        system = self.systems[name]
        first, *further_measures = self.measures[: _MORE_MEASURES + 1]
        values = [query.values[first] for query in system.report.queries]
        mean = mean_of(values)
        bar = mean_bar(mean.value, mean.interval)
        interval = interval_text(mean.interval)
        letters = "–" if self.comparison is None else self.comparison.letters(name)
        further_means = [f"{system.report.mean(measure):.3f}" for measure in further_measures]
        latencies = [seconds_text(system.timing.percentile(share)) for share in _PERCENTILES]
        row = [name, f"{mean.value:.3f}", bar, interval, letters, *further_means, *latencies]
        if self._has_costs:
            row.append(cost_text(system.cost_usd))
        return row

    @property
    def _has_costs(self) -> bool:
        costs = [system.cost_usd for system in self.systems.values()]
        return any(cost is not None for cost in costs)
