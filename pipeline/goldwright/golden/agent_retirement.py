"""Which agents' records are turned away more often than others', by stated tests."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from goldwright.stages.agreement import compare_structure
from goldwright.stages.fates import Fate, RecordFate
from goldwright.review.review_state import REJECTING_VERDICTS, ReviewState
from goldwright.stats.multiple_testing import holm
from goldwright.stats.stratified_tests import StratumRates, rank_sum_greater, stratified_greater

ALPHA: Final = 0.05
FEWEST_RECORDS: Final = 20
FEWEST_RUNS: Final = 3
TURNED_AWAY: Final[frozenset[Fate]] = frozenset({"queued", "failed_gate", "rejected"})

JudgedRole = Literal["oracle", "adversary"]
JUDGED_ROLES: Final[tuple[JudgedRole, ...]] = get_args(JudgedRole)


@dataclass(frozen=True, slots=True)
class JudgedRecord:
    """One record that counts for an agent, or against it (``is_against``).

    Only records of one ``stratum`` are compared with one another: those of a cell, and for an
    Adversary of what it did with them.
    """

    role: JudgedRole
    agent: str
    run: str
    stratum: str
    is_against: bool


@dataclass(frozen=True, slots=True)
class AgentRecord:
    """How an agent's records fared against those of all others in its role.

    ``rejected`` of ``total`` records of ``runs`` runs count against it; in ``shared_runs`` of these
    another agent of the role has records too. ``side_by_side`` tells that it is compared within
    shared runs; otherwise what differs may be the code or the plan of the runs and not the agent.
    ``runs_above`` counts the runs in which more of its records were rejected than at the others'
    rate, cell by cell.

    ``p_value`` is that its rate is no higher, in 0..1, adjusted for the number of agents of all
    roles (Holm). It is None where nothing can be tested: fewer than 20 records of it or of the
    others in strata that both have, or, unless it is side by side, fewer than 3 runs of its own.
    """

    agent: str
    rejected: int
    total: int
    others_rejected: int
    others_total: int
    runs: int
    shared_runs: int
    runs_above: int
    side_by_side: bool
    p_value: float | None

    @property
    def is_to_retire(self) -> bool:
        """Tell whether its records are rejected at a significantly higher rate.

        Unless it is side by side with others, at least 3 of its runs have to lie above the others'
        rate, too.
        """
        is_shown = self.side_by_side or self.runs_above >= FEWEST_RUNS
        return is_shown and self.p_value is not None and self.p_value < ALPHA


def judge_agents(records: Iterable[JudgedRecord]) -> dict[JudgedRole, tuple[AgentRecord, ...]]:
    """Compare each agent with all the others of its role, and adjust for all agents of all roles at
    once.

    Side by side, where an agent and others have 20 records each in strata of the same runs: the
    exact stratified test of ``stats.stratified``, a stratum being one of one run. Whatever makes
    runs differ cancels out.

    Otherwise two tests, of which the larger p-value counts: the same one with the runs put
    together, and the exact rank-sum test of whole runs, by how many more of a run's records were
    rejected than at the rate of all agents in the same strata. The second holds whatever runs
    differ in besides their agents, as long as chance alone settled which run an agent played; three
    runs against three cannot reach significance, and four against four can.
    """
    known = tuple(records)
    found = {role: tuple(_judged([one for one in known if one.role == role])) for role in JUDGED_ROLES}
    raw = {
        f"{role} {one.agent}": one.p_value for role, ones in found.items() for one in ones if one.p_value is not None
    }
    adjusted = holm(raw)
    return {
        role: tuple(replace(one, p_value=adjusted.get(f"{role} {one.agent}")) for one in ones)
        for role, ones in found.items()
    }


def judged_records(run: str, review_state: ReviewState, standings: Sequence[RecordFate]) -> Iterator[JudgedRecord]:
    """List what counts for and against the agents of a run.

    An Oracle: every answer of which something has become, by cell. Against it count those that the
    gate turned away, that wait in the queue, or that people dropped, sent back or judged
    ``major_issue`` or ``wrong``; a queued one that people kept counts for it.

    An Adversary: only what people have spoken about, by cell and by what it did. What it let pass
    (its report leaves nothing against the answer) counts against it where people settled on
    ``major_issue`` or ``wrong`` or took the record out, and for it where they settled on anything
    better. What it stopped (its report alone leaves an objection: a claim not supported, a blocking
    issue, an entity missed) counts against it where people kept the record as it was, and for it
    where they kept it only with a change, dropped it or sent it back. What others stopped (the
    gate, the judge, the checks of its citations) and what people have not settled counts nowhere;
    nor do falsified answers, of which a run reports its own rates.
    """
    for one in standings:
        cell = str(one.cell)
        answer = review_state.stage_files.answers.done.get(one.query_id)
        if answer is not None and one.fate != "open":
            yield JudgedRecord("oracle", answer.authored_by, run, cell, one.fate in TURNED_AWAY)
        report = review_state.stage_files.reports.done.get(one.query_id)
        if answer is None or report is None:
            continue
        has_stopped = bool(compare_structure(answer, report).objections)
        is_against = _stopped_wrongly(one.query_id, review_state) if has_stopped else _passed_wrongly(one.query_id, review_state)
        if is_against is not None:
            part = "stopped" if has_stopped else "let pass"
            yield JudgedRecord("adversary", report.authored_by, run, f"{cell}, {part}", is_against)


def _stopped_wrongly(query_id: str, review_state: ReviewState) -> bool | None:
    if query_id in review_state.rulings.kept:
        content = review_state.seen_by(query_id, "first")
        return content is not None and not content.edits
    return False if _is_out(query_id, review_state) or query_id in review_state.retries() else None


def _passed_wrongly(query_id: str, review_state: ReviewState) -> bool | None:
    if query_id in review_state.stage_files.queue.done or query_id in review_state.events.canaries:
        return None
    case = review_state.settlement(query_id, twice=query_id in review_state.events.sampled)
    if case is not None and case.stage == "settled":
        return case.verdict in REJECTING_VERDICTS
    return True if _is_out(query_id, review_state) else None


def _is_out(query_id: str, review_state: ReviewState) -> bool:
    return query_id in review_state.rulings.dropped or query_id in review_state.stage_files.rejected.done


@dataclass(frozen=True)
class _ComparedSide:
    """The records of one agent, or of all others, counted by run and stratum: against, and in all.
    """

    against: Counter[tuple[str, str]]
    total: Counter[tuple[str, str]]

    @classmethod
    def of(cls, records: Iterable[JudgedRecord]) -> "_ComparedSide":
        known = tuple(records)
        against = Counter((one.run, one.stratum) for one in known if one.is_against)
        return cls(against, Counter((one.run, one.stratum) for one in known))

    @property
    def runs(self) -> tuple[str, ...]:
        return tuple(sorted({run for run, _ in self.total}))

    def together(self) -> "_ComparedSide":
        """Put all runs together."""
        return _ComparedSide(_by_stratum(self.against), _by_stratum(self.total))


def _by_stratum(counts: Counter[tuple[str, str]]) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for (_, stratum), count in counts.items():
        found["", stratum] += count
    return found


def _judged(records: Sequence[JudgedRecord]) -> Iterator[AgentRecord]:
    for agent in sorted({one.agent for one in records}):
        mine = _ComparedSide.of(one for one in records if one.agent == agent)
        others = _ComparedSide.of(one for one in records if one.agent != agent)
        within = _strata(mine, others)
        side_by_side = _are_enough(within)
        above = _excesses(mine, others.together())
        yield AgentRecord(
            agent=agent,
            rejected=mine.against.total(),
            total=mine.total.total(),
            others_rejected=others.against.total(),
            others_total=others.total.total(),
            runs=len(mine.runs),
            shared_runs=len({*mine.runs} & {*others.runs}),
            runs_above=sum(excess > 0 for excess in above),
            side_by_side=side_by_side,
            p_value=stratified_greater(within) if side_by_side else _apart(mine, others),
        )


def _apart(mine: _ComparedSide, others: _ComparedSide) -> float | None:
    together = _strata(mine.together(), others.together())
    if len(mine.runs) < FEWEST_RUNS or not _are_enough(together):
        return None
    everybody = _ComparedSide(mine.against + others.against, mine.total + others.total).together()
    by_run = rank_sum_greater(_excesses(mine, everybody), _excesses(others, everybody))
    return max(stratified_greater(together), by_run)


def _strata(mine: _ComparedSide, others: _ComparedSide) -> tuple[StratumRates, ...]:
    """Put both sides next to each other wherever both have records."""
    shared = sorted(mine.total.keys() & others.total.keys())
    return tuple(StratumRates(mine.against[key], mine.total[key], others.against[key], others.total[key]) for key in shared)


def _are_enough(strata: Sequence[StratumRates]) -> bool:
    mine, others = sum(one.total for one in strata), sum(one.other_total for one in strata)
    return min(mine, others) >= FEWEST_RECORDS


def _excesses(side: _ComparedSide, known: _ComparedSide) -> tuple[float, ...]:
    """For each run, by how much its rate lies above the known one of the same strata; without any,
    none.
    """
    found = []
    for run in side.runs:
        keys = [key for key in side.total if key[0] == run and known.total["", key[1]]]
        expected = sum(side.total[key] * known.against["", key[1]] / known.total["", key[1]] for key in keys)
        count = sum(side.total[key] for key in keys)
        if count:
            found.append((sum(side.against[key] for key in keys) - expected) / count)
    return tuple(found)
