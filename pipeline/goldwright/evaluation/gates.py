"""Gates: what a retriever must reach, written as one line each, and whether it does."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from goldwright.errors import InputError
from goldwright.evaluation.measures import Measure
from goldwright.evaluation.report import EvaluationReport, QueryScore, value_of
from goldwright.evaluation.strata import MeanWithInterval, mean_of
from goldwright.records import DIFFICULTIES, TASK_TYPES

FORM: Final = "[each] [STRATUM:] MEASURE >= FLOOR, as in 'MRR >= 0.4', 'locate: MRR >= 0.6' or 'each easy: P@1 >= 1'"
_FORM: Final = re.compile(
    r"(?P<each>each\s+)?(?:(?P<stratum>[\w/.-]+)\s*(?::\s*|\s+))??(?P<measure>[\w.@]+)\s*(?P<sign>>=?)\s*(?P<floor>[0-9.]+)"
)
_QUERY: Final = "query"
_EQUAL: Final = 1e-12
ALL: Final = "all"
# A dataset may have no query of these; then nothing was shown, and a gate on them fails.
_OWN_STRATA: Final = frozenset(
    {
        *TASK_TYPES,
        *DIFFICULTIES,
        *(f"{task_type}/{difficulty}" for task_type in TASK_TYPES for difficulty in DIFFICULTIES),
    }
)

PROFILE: Final[Mapping[str, str]] = {
    "mrr": "MRR >= 0.40",
    "recall": "R@10 >= 0.50",
    "file-coverage": "FileCoverage@5 >= 0.50",
    "easy-first": "each easy: P@1 >= 1",
    "locate": "locate: MRR >= 0.60",
    "no-zero-recall": "each task_type: R@10 > 0",
}


@dataclass(frozen=True, slots=True)
class Gate:
    """A floor under a measure.

    ``stratum`` is ``all`` or the name of a stratum, as in ``locate``, ``hard`` or ``locate/hard``,
    and what must reach the floor (or, where it is ``strict``, exceed it) is the mean over its
    queries. With ``each``, it is every single query of the stratum; with ``each`` and the name of
    a dimension, as in ``task_type``, it is the mean of each of its strata.
    """

    name: str
    measure: str
    floor: float
    stratum: str = ALL
    each: bool = False
    strict: bool = False

    @classmethod
    def read(cls, text: str, *, name: str | None = None) -> Self:
        """Read a gate from one line; its name is the line itself where none is given.

        Raises:
            InputError: It is no gate; the text says what one looks like.
        """
        found = _FORM.fullmatch(text.strip())
        if found is None:
            raise InputError(f"{text!r}: no gate; wanted {FORM}")
        stratum = found["stratum"] or ALL
        try:
            floor = float(found["floor"])
        except ValueError as error:
            raise InputError(f"{text!r}: {found['floor']!r} is no number") from error
        if not 0 <= floor <= 1:
            raise InputError(f"{text!r}: a measure lies in 0..1, so does its floor")
        Measure.named(found["measure"])
        each = bool(found["each"])
        return cls(
            name or text,
            found["measure"],
            floor,
            ALL if stratum == _QUERY else stratum,
            each,
            found["sign"] == ">",
        )

    def lets(self, value: float) -> bool:
        """Tell whether a value passes."""
        return value > self.floor if self.strict else value >= self.floor - _EQUAL

    @property
    def rule(self) -> str:
        """The gate as one line."""
        each = "each " if self.each else ""
        stratum = "" if self.stratum == ALL else f"{self.stratum}: "
        if self.each and self.stratum == ALL:
            stratum = "query: "
        return f"{each}{stratum}{self.measure} {'>' if self.strict else '>='} {self.floor:g}"


@dataclass(frozen=True, slots=True)
class GateResult:
    """What a gate came to.

    ``mean`` is what was reached, with its interval; where each query or each task type must pass,
    ``below`` names those that do not, ``of`` counts them all, and ``mean`` is the least of them. A
    stratum without queries cannot pass: nothing was shown.
    """

    gate: Gate
    passed: bool
    mean: MeanWithInterval | None
    below: tuple[str, ...] = ()
    of: int = 1

    @property
    def is_close(self) -> bool:
        """Tell whether the 95 % interval holds the floor, so that other queries could turn the
        outcome.
        """
        if self.mean is None or self.mean.interval is None:
            return False
        low, high = self.mean.interval
        return low < self.gate.floor <= high


def choose_gates(
    without: Iterable[str] = (), further: Iterable[str] = (), *, profile: bool = True
) -> tuple[Gate, ...]:
    """Give the gates of the profile (or none), but for some of them, and further ones by their
    lines.

    Raises:
        InputError: The profile has no gate of some name, or a line is no gate.
    """
    left = dict(PROFILE) if profile else {}
    for name in without:
        if name not in PROFILE:
            raise InputError(f"{name}: no gate of the profile; it has {', '.join(PROFILE)}")
        left.pop(name, None)
    return (*(Gate.read(rule, name=name) for name, rule in left.items()), *map(Gate.read, further))


def check_gates(report: EvaluationReport, gates: Sequence[Gate]) -> tuple[GateResult, ...]:
    """Hold an evaluation against gates.

    Raises:
        InputError: The evaluation lacks the measure or the stratum of some gate.
    """
    refuse_unknown_strata(gates, [query.strata for query in report.queries])
    return tuple(_check(report, gate) for gate in gates)


def refuse_unknown_strata(gates: Iterable[Gate], strata: Sequence[Mapping[str, str]]) -> None:
    """Make sure that every gate is about a stratum that queries can belong to.

    Args:
        gates: The gates.
        strata: Of each query, the names of its strata by dimension.

    Raises:
        InputError: A gate names a stratum that no query has, and that is none of ours.
    """
    dimensions = {dimension for query in strata for dimension in query}
    names = {name for query in strata for name in query.values()}
    for gate in gates:
        known = {ALL, *_OWN_STRATA, *names, *(dimensions if gate.each else ())}
        is_cell = gate.stratum.count("/") == 1 and set(gate.stratum.split("/")) <= names
        if gate.stratum not in known and not is_cell:
            listed = ", ".join(sorted(names)) or "none"
            raise InputError(f"{gate.rule!r}: no query is of {gate.stratum!r}; there are {listed}")


def _check(report: EvaluationReport, gate: Gate) -> GateResult:
    groups = _groups(report.queries, gate)
    if not groups:
        return GateResult(gate, passed=False, mean=None)
    means = {
        name: mean_of([value_of(one, gate.measure) for one in group])
        for name, group in groups.items()
    }
    below = tuple(name for name, mean in means.items() if not gate.lets(mean.value))
    least = min(means.values(), key=lambda mean: mean.value)
    return GateResult(gate, not below, least, below if gate.each else (), len(groups))


def _groups(queries: Iterable[QueryScore], gate: Gate) -> Mapping[str, Sequence[QueryScore]]:
    """The queries whose mean must pass, by name."""
    groups: dict[str, list[QueryScore]] = {}
    for query in queries:
        name = _group_name(query, gate)
        if name is not None:
            groups.setdefault(name, []).append(query)
    return groups


def _group_name(query: QueryScore, gate: Gate) -> str | None:
    """Name the group in which a query stands before a gate; None where it stands in none."""
    if gate.each and gate.stratum in query.strata:
        return query.strata[gate.stratum]
    if gate.stratum != ALL and not query.belongs_to(gate.stratum):
        return None
    return query.query_id if gate.each else gate.stratum
