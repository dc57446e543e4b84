"""Which agents' records are turned away more often than others', by stated tests."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from goldwright.golden.judged_records import JUDGED_ROLES, JudgedRecord, JudgedRole
from goldwright.stats.multiple_testing import holm
from goldwright.stats.stratified_tests import StratumRates, rank_sum_greater, stratified_greater

ALPHA: Final = 0.05
# On each side of a comparison; with fewer, no test is made.
FEWEST_RECORDS: Final = 20
# With fewer runs of its own, what sets an agent's records apart may be the code of those runs.
FEWEST_RUNS: Final = 3


@dataclass(frozen=True, slots=True)
class AgentRecord:
    """How an agent's records fared against those of all other agents of its role.

    Attributes:
        agent: The agent.
        rejected: How many of its records count against it.
        total: How many records it has.
        others_rejected: How many records of the others count against them.
        others_total: How many records the others have.
        runs: How many runs it has records in.
        shared_runs: In how many of these another agent of the role has records too.
        runs_above: In how many of its runs more of its records were rejected than at the others'
            rate, cell by cell.
        side_by_side: Whether it is compared within shared runs; otherwise what differs may be the
            code or the plan of the runs and not the agent.
        p_value: The probability of such rejections if its rate is no higher, in 0..1, adjusted for
            the number of agents of all roles (Holm). None where nothing can be tested: fewer than
            20 records of it or of the others in strata that both have, or, unless it is side by
            side, fewer than 3 runs of its own.
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
        """Whether its records are rejected at a significantly higher rate.

        Unless it is side by side with others, at least 3 of its runs have to lie above the others'
        rate, too.
        """
        if self.p_value is None or self.p_value >= ALPHA:
            return False
        return self.side_by_side or self.runs_above >= FEWEST_RUNS


def judge_agents(records: Iterable[JudgedRecord]) -> dict[JudgedRole, tuple[AgentRecord, ...]]:
    """Compare each agent with all others of its role, and adjust for all agents of all roles.

    Side by side, where an agent and others have 20 records each in strata of the same runs: the
    exact stratified test of ``stats.stratified_tests``, with one stratum for each stratum of each
    run. Whatever makes runs differ cancels out.

    Otherwise two tests, of which the larger p-value counts: the same test with the runs put
    together, and the exact rank-sum test of whole runs, by how many more of a run's records were
    rejected than at the rate of all agents in the same strata. The second holds whatever runs
    differ in besides their agents, as long as chance alone settled which run an agent played. Three
    runs against three cannot reach significance, and four against four can.
    """
    all_records = tuple(records)
    agents_by_role: dict[JudgedRole, list[AgentRecord]] = {}
    p_values: dict[str, float] = {}
    for role in JUDGED_ROLES:
        role_records = [record for record in all_records if record.role == role]
        agents_by_role[role] = list(_compare_agents(role_records))
        for agent in agents_by_role[role]:
            if agent.p_value is not None:
                p_values[_test_name(role, agent)] = agent.p_value
    # An agent that could not be tested is left out of the adjustment: it costs the others nothing.
    adjusted = holm(p_values)
    judged: dict[JudgedRole, tuple[AgentRecord, ...]] = {}
    for role, agents in agents_by_role.items():
        judged_agents = _with_adjusted_p_values(agents, role, adjusted)
        judged[role] = tuple(judged_agents)
    return judged


def _with_adjusted_p_values(
    agents: Iterable[AgentRecord], role: JudgedRole, adjusted: Mapping[str, float]
) -> Iterator[AgentRecord]:
    for agent in agents:
        p_value = adjusted.get(_test_name(role, agent))
        yield replace(agent, p_value=p_value)


def _test_name(role: JudgedRole, agent: AgentRecord) -> str:
    return f"{role} {agent.agent}"


class _RunStratum(NamedTuple):
    """A stratum of one run; the run is empty where runs are pooled."""

    run: str
    stratum: str


@dataclass(frozen=True)
class _RejectionCounts:
    """The records of one agent or of several, counted by run and stratum.

    Attributes:
        rejected: How many records count against the agents.
        total: How many records there are.
    """

    rejected: Counter[_RunStratum]
    total: Counter[_RunStratum]

    @classmethod
    def of(cls, records: Iterable[JudgedRecord]) -> "_RejectionCounts":
        rejected: Counter[_RunStratum] = Counter()
        total: Counter[_RunStratum] = Counter()
        for record in records:
            stratum = _RunStratum(record.run, record.stratum)
            total[stratum] += 1
            if record.is_against:
                rejected[stratum] += 1
        return cls(rejected, total)

    @property
    def runs(self) -> tuple[str, ...]:
        """The runs with any record, in alphabetical order."""
        names = {stratum.run for stratum in self.total}
        return tuple(sorted(names))

    def add(self, counts: "_RejectionCounts") -> "_RejectionCounts":
        """Count the records of both."""
        rejected = self.rejected + counts.rejected
        total = self.total + counts.total
        return _RejectionCounts(rejected, total)

    def pool_runs(self) -> "_RejectionCounts":
        """Count the records of each stratum over all runs, as if they were of one run."""
        rejected = _pool_runs(self.rejected)
        total = _pool_runs(self.total)
        return _RejectionCounts(rejected, total)


def _pool_runs(counts: Counter[_RunStratum]) -> Counter[_RunStratum]:
    pooled: Counter[_RunStratum] = Counter()
    for stratum, count in counts.items():
        pooled[_pooled(stratum)] += count
    return pooled


def _pooled(stratum: _RunStratum) -> _RunStratum:
    return _RunStratum("", stratum.stratum)


def _compare_agents(records: Sequence[JudgedRecord]) -> Iterator[AgentRecord]:
    """Compare the agents of one role, in alphabetical order; p-values are not adjusted yet."""
    agents = sorted({record.agent for record in records})
    for agent in agents:
        agent_records: list[JudgedRecord] = []
        peer_records: list[JudgedRecord] = []
        for record in records:
            if record.agent == agent:
                agent_records.append(record)
            else:
                peer_records.append(record)
        counts = _RejectionCounts.of(agent_records)
        peers = _RejectionCounts.of(peer_records)
        yield _compare_agent(agent, counts, peers)


def _compare_agent(agent: str, counts: _RejectionCounts, peers: _RejectionCounts) -> AgentRecord:
    """Compare the records of an agent with those of its peers, the other agents of its role."""
    # Runs differ in their code and plan too, so agents are compared within runs where they can be.
    p_value = _test_within_runs(counts, peers)
    side_by_side = p_value is not None
    if p_value is None:
        p_value = _test_across_runs(counts, peers)
    shared_runs = set(counts.runs) & set(peers.runs)
    excesses = _excesses(counts, peers.pool_runs())
    runs_above = sum(excess > 0 for excess in excesses)
    return AgentRecord(
        agent=agent,
        rejected=counts.rejected.total(),
        total=counts.total.total(),
        others_rejected=peers.rejected.total(),
        others_total=peers.total.total(),
        runs=len(counts.runs),
        shared_runs=len(shared_runs),
        runs_above=runs_above,
        side_by_side=side_by_side,
        p_value=p_value,
    )


def _test_within_runs(counts: _RejectionCounts, peers: _RejectionCounts) -> float | None:
    strata = _shared_strata(counts, peers)
    if not _are_enough(strata):
        return None
    return stratified_greater(strata)


def _test_across_runs(counts: _RejectionCounts, peers: _RejectionCounts) -> float | None:
    strata = _shared_strata(counts.pool_runs(), peers.pool_runs())
    if len(counts.runs) < FEWEST_RUNS or not _are_enough(strata):
        return None
    # The agent's own records are part of the reference, so that every run of both sides has one.
    everybody = counts.add(peers).pool_runs()
    agent_excesses = _excesses(counts, everybody)
    peer_excesses = _excesses(peers, everybody)
    by_record = stratified_greater(strata)
    by_run = rank_sum_greater(agent_excesses, peer_excesses)
    return max(by_record, by_run)


def _shared_strata(counts: _RejectionCounts, peers: _RejectionCounts) -> tuple[StratumRates, ...]:
    """Put both sides next to each other wherever both have records."""
    # A stratum of one side alone says nothing of the difference.
    shared = counts.total.keys() & peers.total.keys()
    strata: list[StratumRates] = []
    for stratum in sorted(shared):
        rates = StratumRates(
            bad=counts.rejected[stratum],
            total=counts.total[stratum],
            other_bad=peers.rejected[stratum],
            other_total=peers.total[stratum],
        )
        strata.append(rates)
    return tuple(strata)


def _are_enough(strata: Sequence[StratumRates]) -> bool:
    agent_total = 0
    peer_total = 0
    for stratum in strata:
        agent_total += stratum.total
        peer_total += stratum.other_total
    return min(agent_total, peer_total) >= FEWEST_RECORDS


def _excesses(counts: _RejectionCounts, reference: _RejectionCounts) -> tuple[float, ...]:
    """By how much the rejection rate of each run lies above the reference rate of its strata.

    Args:
        counts: The records of the runs.
        reference: Records with their runs pooled; their rates are what is expected.

    Returns:
        One difference of rates for each run, in -1..1, in alphabetical order; runs whose strata
        have no reference are left out.
    """
    excesses: list[float] = []
    for run in counts.runs:
        total = 0
        rejected = 0
        expected: list[float] = []
        for stratum, count in counts.total.items():
            reference_total = reference.total[_pooled(stratum)]
            if stratum.run != run or not reference_total:
                continue
            reference_rejected = reference.rejected[_pooled(stratum)]
            total += count
            rejected += counts.rejected[stratum]
            expected.append(count * reference_rejected / reference_total)
        if total:
            difference = rejected - sum(expected)
            excesses.append(difference / total)
    return tuple(excesses)
