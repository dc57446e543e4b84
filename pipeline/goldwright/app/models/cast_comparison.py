"""The casts of several runs side by side: what each made of the same plan on the same code."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from goldwright.app.environment import Environment
from goldwright.app.runs.run_files import OpenRun, run_for_reading
from goldwright.app.runs.run_report import report_on
from goldwright.canaries.catch_counts import count_catches
from goldwright.llm.budget import MICRO
from goldwright.llm.spend import Spend
from goldwright.stats.binomial import wilson


@dataclass(slots=True)
class Share:
    """How many of how many, with the 95 % Wilson interval of the rate.

    Attributes:
        count: Those that are meant.
        total: All of them.
    """

    count: int = 0
    total: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the rate; 0 to 1 where nothing was counted."""
        return wilson(self.count, self.total)

    def add(self, count: int, total: int) -> None:
        """Count more of them in."""
        self.count += count
        self.total += total


@dataclass(slots=True)
class CastResult:
    """What one cast came to, over all its runs of a plan on one codebase.

    Attributes:
        players: Who plays each role: ``provider:model``, or the name of an agent of ours.
        runs: The names of its runs.
        emitted: How many records its Authors emitted.
        survivors: How many of them agreement let through.
        rejections: How many were rejected, by reason.
        first_try: The answers of its Oracle that passed the gate with nothing put right before.
        canary_power: The falsified answers that its Adversary caught, of those that reached it.
        spend: What its calls came to.
    """

    players: Mapping[str, str]
    runs: list[str] = field(default_factory=list)
    emitted: int = 0
    survivors: int = 0
    rejections: Counter[str] = field(default_factory=Counter)
    first_try: Share = field(default_factory=Share)
    canary_power: Share = field(default_factory=Share)
    spend: Spend = field(default_factory=Spend)

    @property
    def survivors_per_dollar(self) -> float | None:
        """Survivors for each dollar; None where nothing was paid."""
        if not self.spend.micro_usd:
            return None
        return self.survivors * MICRO / self.spend.micro_usd

    @property
    def tokens_per_survivor(self) -> float | None:
        """Tokens for each survivor; None without survivors or without calls."""
        if not self.survivors or not self.spend.calls:
            return None
        return self.spend.tokens / self.survivors

    def add(self, run: OpenRun) -> None:
        """Count a run of this cast in."""
        report = report_on(run)
        catches = count_catches(report.canaries).adversary
        self.runs.append(report.name)
        self.emitted += len(report.record_fates)
        self.survivors += report.survivors
        self.rejections.update(report.rejections)
        answer_count = len(run.stage_files.answers.done)
        self.first_try.add(_first_tries(run), answer_count)
        self.canary_power.add(catches.caught, catches.total)
        self.spend.add(report.spend)


@dataclass(frozen=True, slots=True)
class Contest:
    """The casts that played one plan on one codebase, the only ones that can be compared.

    Attributes:
        repo: The codebase, as the first run named it.
        tree: The id of its content.
        plan: The name of the plan.
        casts: The casts: most survivors per dollar first, those that cost nothing last.
    """

    repo: str
    tree: str
    plan: str
    casts: tuple[CastResult, ...]


def compare_casts(names: Sequence[str], environment: Environment) -> tuple[Contest, ...]:
    """Sum up the casts of runs; of all runs where none is named.

    Raises:
        InputError: There is no such run.
        DamagedStateError: A file of one is not what was written.
    """
    workspace = environment.workspace
    names_or_latest = names or ["latest"]
    directories = [workspace.find_run(name) for name in names_or_latest]
    if not names:
        directories = list(workspace.all_runs())
    # A run that is named twice counts once.
    unique = {directory.name: directory for directory in directories}
    contests: dict[tuple[str, str], _OpenContest] = {}
    for directory in unique.values():
        with run_for_reading(directory) as run:
            manifest = run.manifest
            key = (manifest.tree, manifest.plan_digest)
            new_contest = _OpenContest(manifest.repo, manifest.plan.name)
            contest = contests.setdefault(key, new_contest)
            contest.add(run)
    return tuple(contest.close(tree) for (tree, _), contest in contests.items())


@dataclass(slots=True)
class _OpenContest:
    """A contest to which runs are added still."""

    repo: str
    plan: str
    casts: dict[tuple[tuple[str, str], ...], CastResult] = field(default_factory=dict)

    def add(self, run: OpenRun) -> None:
        manifest = run.manifest
        players = {**manifest.roles, **manifest.models}
        key = tuple(sorted(players.items()))
        cast = self.casts.setdefault(key, CastResult(players))
        cast.add(run)

    def close(self, tree: str) -> Contest:
        ranked = sorted(self.casts.values(), key=_rank)
        return Contest(self.repo, tree, self.plan, tuple(ranked))


def _rank(cast: CastResult) -> tuple[bool, float, int]:
    per_dollar = cast.survivors_per_dollar
    return per_dollar is None, -(per_dollar or 0.0), -cast.survivors


def _first_tries(run: OpenRun) -> int:
    """Count the answers that passed the gate and had no slip of their Oracle before them."""
    files = run.stage_files
    count = 0
    for query_id in files.answers.done:
        slipped = run.transcript.slips("oracle", query_id)
        count += not slipped and query_id not in files.failures.done
    return count
