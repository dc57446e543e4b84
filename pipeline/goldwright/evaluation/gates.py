"""Gates: what a retriever must reach, written as one line each, and whether it does."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from operator import attrgetter
from typing import Final, Self

from goldwright.errors import InputError
from goldwright.evaluation.measures import Measure, applicable_measures
from goldwright.evaluation.query_scores import QueryScore, value_of
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.strata import MeanWithInterval, mean_of
from goldwright.golden.queries import DatasetQuery
from goldwright.records import DIFFICULTIES, TASK_TYPES

FORM: Final = (
    "[each] [STRATUM:] MEASURE >= FLOOR, "
    "as in 'MRR >= 0.4', 'locate: MRR >= 0.6' or 'each easy: P@1 >= 1'"
)
# The stratum of all queries.
ALL: Final = "all"
# The floors of the project's specification. BM25, which knows no meaning, reaches an MRR of 0.50
# to 0.66 on drafts of four codebases, and fails easy-first on each.
PROFILE: Final[Mapping[str, str]] = {
    "mrr": "MRR >= 0.40",
    "recall": "R@10 >= 0.50",
    "file-coverage": "FileCoverage@5 >= 0.50",
    "easy-first": "each easy: P@1 >= 1",
    "locate": "locate: MRR >= 0.60",
    "no-zero-recall": "each task_type: R@10 > 0",
}

# The strata and cells of our own plans. A dataset may have no query of these; a gate on them is no
# mistake then, but fails, for nothing was shown.
_PLAN_CELLS: Final = tuple(map("/".join, product(TASK_TYPES, DIFFICULTIES)))
_PLAN_STRATA: Final = frozenset([ALL, *TASK_TYPES, *DIFFICULTIES, *_PLAN_CELLS])
# The stratum may be followed by a colon or by a space alone. It is matched lazily (``??``), for a
# measure by itself would pass for a stratum.
_GATE: Final = re.compile(
    r"(?P<each>each\s+)?"
    r"(?:(?P<stratum>[\w/.-]+)\s*(?::\s*|\s+))??"
    r"(?P<measure>[\w.@]+)\s*"
    r"(?P<sign>>=?)\s*"
    r"(?P<floor>[0-9.]+)"
)
# Another word for ``all``, so that a gate can say "each query".
_QUERY: Final = "query"
# A mean that reaches its floor may lie below it by rounding.
_ROUNDING: Final = 1e-12
_FEWEST_DIGITS: Final = 3
# What a number of this size has at most.
_MOST_DIGITS: Final = 17


@dataclass(frozen=True, slots=True)
class Gate:
    """A floor under a measure.

    Attributes:
        name: The name of the gate, or its line.
        measure: The measure, as in ``MRR``.
        floor: What must be reached, in 0..1.
        stratum: The queries that it is about: ``all``, or the name of a stratum or cell, as in
            ``locate``, ``hard`` or ``locate/hard``. With ``each``, also the name of a dimension,
            as in ``task_type``.
        each: Whether every single query of the stratum must reach the floor, or the mean of each
            stratum of the dimension; otherwise the mean over the queries must.
        strict: Whether the floor must be exceeded.
    """

    name: str
    measure: str
    floor: float
    stratum: str = ALL
    each: bool = False
    strict: bool = False

    @classmethod
    def read(cls, text: str, *, name: str | None = None) -> Self:
        """Read a gate from one line, which is its name where no name is given.

        Raises:
            InputError: The line is no gate; the text says what a gate looks like.
        """
        match = _GATE.fullmatch(text.strip())
        if match is None:
            raise InputError(f"{text!r}: no gate; wanted {FORM}")
        floor = _read_floor(match["floor"], text)
        measure = match["measure"]
        # Refuses a measure that nobody knows.
        Measure.find(measure)
        stratum = match["stratum"]
        if stratum in {None, _QUERY}:
            stratum = ALL
        return cls(
            name=name or text,
            measure=measure,
            floor=floor,
            stratum=stratum,
            each=match["each"] is not None,
            strict=match["sign"] == ">",
        )

    def is_passed_by(self, value: float) -> bool:
        """Whether a value reaches the floor, or exceeds it where that is asked for."""
        if self.strict:
            return value > self.floor
        return value >= self.floor - _ROUNDING

    @property
    def rule(self) -> str:
        """The gate as one line."""
        sign = ">" if self.strict else ">="
        claim = f"{self.measure} {sign} {self.floor:g}"
        if self.each and self.stratum == ALL:
            return f"each {_QUERY}: {claim}"
        if self.each:
            return f"each {self.stratum}: {claim}"
        if self.stratum == ALL:
            return claim
        return f"{self.stratum}: {claim}"


@dataclass(frozen=True, slots=True)
class GateResult:
    """The outcome of a gate.

    Attributes:
        gate: The gate.
        passed: Whether it passes; a stratum without queries does not, for it shows nothing.
        mean: The mean that was reached, or the least one where several must pass; None without
            queries.
        below: Where several must pass, the queries or strata that do not.
        of: How many must pass.
    """

    gate: Gate
    passed: bool
    mean: MeanWithInterval | None
    below: tuple[str, ...] = ()
    of: int = 1

    @property
    def reached(self) -> str:
        """The mean with three digits, or with as many as show on which side of the floor it lies;
        empty without queries.
        """
        if self.mean is None:
            return ""
        digit_counts = range(_FEWEST_DIGITS, _MOST_DIGITS + 1)
        texts = [f"{self.mean.value:.{digits}f}" for digits in digit_counts]
        telling = (text for text in texts if self._passes(float(text)) is self.passed)
        return next(telling, texts[-1])

    def _passes(self, value: float) -> bool:
        floor = self.gate.floor
        return value > floor if self.gate.strict else value >= floor

    @property
    def is_close(self) -> bool:
        """Whether other queries could turn the outcome: the 95 % interval holds the floor."""
        if self.mean is None or self.mean.interval is None:
            return False
        low, high = self.mean.interval
        # An interval that begins at the floor passes from end to end.
        return low < self.gate.floor <= high


def choose_gates(
    without: Iterable[str] = (), further: Iterable[str] = (), *, profile: bool = True
) -> tuple[Gate, ...]:
    """Choose gates by name and by line.

    Args:
        without: Names of gates of the profile to leave out.
        further: Further gates, a line each.
        profile: Whether to take the gates of the profile at all.

    Raises:
        InputError: The profile has no gate of some name, or a line is no gate.
    """
    rules = dict(PROFILE) if profile else {}
    for name in without:
        if name not in PROFILE:
            names = ", ".join(PROFILE)
            raise InputError(f"{name}: no gate of the profile; it has {names}")
        rules.pop(name, None)
    gates = []
    for name, rule in rules.items():
        gate = Gate.read(rule, name=name)
        gates.append(gate)
    gates.extend(map(Gate.read, further))
    return tuple(gates)


def check_gates(report: EvaluationReport, gates: Sequence[Gate]) -> tuple[GateResult, ...]:
    """Check an evaluation against gates.

    Raises:
        InputError: The evaluation lacks the measure or the stratum of some gate.
    """
    refuse_unknown_strata(gates, [query.strata for query in report.queries])
    return tuple(_check_gate(report, gate) for gate in gates)


def refuse_unknown_strata(gates: Iterable[Gate], strata: Sequence[Mapping[str, str]]) -> None:
    """Make sure that every gate is about a stratum that queries can belong to.

    Args:
        gates: The gates.
        strata: For each query its strata by dimension.

    Raises:
        InputError: A gate names a stratum that no query has, and that no plan has either.
    """
    names: set[str] = set()
    dimensions: set[str] = set()
    for query_strata in strata:
        names.update(query_strata.values())
        dimensions.update(query_strata.keys())
    for gate in gates:
        possible = names.union(_PLAN_STRATA)
        if gate.each:
            possible |= dimensions
        if gate.stratum not in possible and not _is_cell(gate.stratum, names):
            available = ", ".join(sorted(names)) or "none"
            problem = f"no query is of {gate.stratum!r}; there are {available}"
            raise InputError(f"{gate.rule!r}: {problem}")


def split_profile(
    gates: Sequence[Gate], queries: Sequence[DatasetQuery], planned: Iterable[str] = ()
) -> tuple[tuple[Gate, ...], tuple[Gate, ...]]:
    """Set the gates of the profile aside that a dataset can never show.

    Queries of others may be of no task type or difficulty, or expect no files; a plan may ask for
    some only. Other gates stay: whoever wrote one meant it.

    Args:
        gates: The gates.
        queries: The queries of the dataset.
        planned: Strata of which it was to hold queries: where it holds none, it fails.

    Returns:
        The gates that stay, and those that were set aside.
    """
    names: set[str] = {ALL, *planned}
    for query in queries:
        names.update(query.strata.values())
        names.update(query.strata)
    applicable = applicable_measures([gate.measure for gate in gates], queries)
    applied: list[Gate] = []
    set_aside: list[Gate] = []
    for gate in gates:
        is_shown = gate.stratum in names and gate.measure in applicable
        is_own_rule = gate.name not in PROFILE
        (applied if is_own_rule or is_shown else set_aside).append(gate)
    return tuple(applied), tuple(set_aside)


def _is_cell(name: str, strata: set[str]) -> bool:
    """Whether a name is made of the names of two strata, as in ``locate/hard``."""
    parts = name.split("/")
    return len(parts) == 2 and strata.issuperset(parts)


def _read_floor(number: str, text: str) -> float:
    try:
        floor = float(number)
    except ValueError as error:
        raise InputError(f"{text!r}: {number!r} is no number") from error
    if not 0 <= floor <= 1:
        raise InputError(f"{text!r}: a measure lies in 0..1, so does its floor")
    return floor


def _check_gate(report: EvaluationReport, gate: Gate) -> GateResult:
    means = []
    below = []
    for name, queries in _group_queries(report.queries, gate).items():
        values = [value_of(query, gate.measure) for query in queries]
        mean = mean_of(values)
        means.append(mean)
        if not gate.is_passed_by(mean.value):
            below.append(name)
    if not means:
        return GateResult(gate, passed=False, mean=None)
    lowest = min(means, key=attrgetter("value"))
    if not gate.each:
        return GateResult(gate, passed=not below, mean=lowest)
    return GateResult(gate, passed=not below, mean=lowest, below=tuple(below), of=len(means))


def _group_queries(queries: Iterable[QueryScore], gate: Gate) -> Mapping[str, Sequence[QueryScore]]:
    """Group the queries whose mean must pass, by name."""
    groups: dict[str, list[QueryScore]] = {}
    for query in queries:
        name = _group_name(query, gate)
        if name is not None:
            groups.setdefault(name, []).append(query)
    return groups


def _group_name(query: QueryScore, gate: Gate) -> str | None:
    """Name the group in which a gate looks at a query; None where it does not look at it."""
    if gate.each and gate.stratum in query.strata:
        return query.strata[gate.stratum]
    if gate.stratum != ALL and not query.belongs_to(gate.stratum):
        return None
    if gate.each:
        return query.query_id
    return gate.stratum
