"""What a piece of each role's work has cost in the runs of a workspace."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import exp, hypot, log, sqrt
from pathlib import Path
from typing import Final

from goldwright.app.models.planned_pieces import planned_pieces
from goldwright.app.models.role_models import BATCH_ROLES
from goldwright.app.runs.run_files import run_for_reading
from goldwright.errors import GoldwrightError
from goldwright.llm.catalog import BATCH_PRICE
from goldwright.llm.port import role_of
from goldwright.llm.spend import Spend
from goldwright.workspace import RunDirectory

MOST_RUNS: Final = 5
"""The newest runs with models that are read; older ones tell of older prompts."""

FEWEST_ITEMS: Final = 3
"""Fewer pieces of work say less than the assumptions."""

# Factors. Other questions cost more or less than those before, whatever chance does; and of those
# that are planned, another share is written and comes through (measured on scripted runs, 2026-11).
_ANOTHER_RUN: Final = 1.25
_SAME_CODEBASE: Final = 1.5
_ANOTHER_CODEBASE: Final = 2.5
# Standard errors to either side, for an interval of about 95 %.
_DEVIATIONS: Final = 2.0


@dataclass(frozen=True, slots=True)
class PlayedPieces:
    """How many pieces of work a role had in one run.

    Attributes:
        played: The pieces.
        planned: How many the plan of that run wanted before top-ups.
        is_same_repo: Whether it was a run over the same codebase.
    """

    played: int
    planned: int
    is_same_repo: bool


@dataclass
class ItemCosts:
    """What the pieces of work of one role with one model came to.

    Attributes:
        spend: All of them together.
        micro_usd: The cost of each.
        runs: How many pieces each finished run had.
    """

    spend: Spend = field(default_factory=Spend)
    micro_usd: list[int] = field(default_factory=list)
    runs: list[PlayedPieces] = field(default_factory=list)

    def add(self, spend: Spend) -> None:
        """Count a piece of work in."""
        self.spend.add(spend)
        self.micro_usd.append(spend.micro_usd)

    @property
    def count(self) -> int:
        """The pieces of work."""
        return len(self.micro_usd)

    @property
    def mean(self) -> float:
        """What a piece came to on average, in micro-dollars."""
        return self.spend.micro_usd / self.count

    def expected_pieces(self, planned: int) -> float:
        """How many pieces a run is to be expected to have that plans so many before top-ups."""
        runs = self._nearest_runs
        if not runs:
            return planned
        played_count = sum(run.played for run in runs)
        planned_count = sum(run.planned for run in runs)
        share = played_count / planned_count
        if not runs[0].is_same_repo:
            # Of another codebase it is known only that it lies somewhere between that and all.
            share = sqrt(share)
        return planned * share

    def spread(self, planned: int) -> float:
        """The factor, above 1, by which a run may cost more or less than is expected.

        Args:
            planned: How many pieces it plans before top-ups.
        """
        # Factors that have nothing to do with one another rarely come to their worst together.
        spread_of_pieces = self._spread_of_pieces(planned)
        logs = (log(self._spread_of_costs), log(spread_of_pieces))
        return exp(hypot(*logs))

    @property
    def _spread_of_costs(self) -> float:
        if not self.spend.micro_usd:
            return _ANOTHER_RUN
        differences = [cost - self.mean for cost in self.micro_usd]
        squares = sum(difference**2 for difference in differences)
        degrees_of_freedom = max(self.count - 1, 1)
        deviation = sqrt(squares / degrees_of_freedom)
        standard_errors = _DEVIATIONS * deviation / self.mean / sqrt(self.count)
        return _ANOTHER_RUN + standard_errors

    def _spread_of_pieces(self, planned: int) -> float:
        runs = self._nearest_runs
        if not runs or not runs[0].is_same_repo:
            return _ANOTHER_CODEBASE
        ratios = [planned / run.planned for run in runs]
        sizes = [abs(log(ratio)) for ratio in ratios]
        # A larger plan comes to where a codebase holds nothing more for a cell.
        return _SAME_CODEBASE * exp(min(sizes) / 2)

    @property
    def _nearest_runs(self) -> Sequence[PlayedPieces]:
        same_repo = [run for run in self.runs if run.is_same_repo]
        return same_repo or self.runs


def read_item_costs(
    runs: Iterable[RunDirectory],
    models: Mapping[str, str],
    efforts: Mapping[str, str],
    *,
    repo: str,
) -> dict[str, ItemCosts]:
    """Read what a piece of each role's work has cost with the models that are to play.

    Args:
        runs: The runs, newest first; one that cannot be read tells nothing.
        models: The ``provider:model`` of each role that a model plays.
        efforts: How much the model of a role is to think, where that is set: as much as in the runs
            that count for it.
        repo: The codebase, as a user names it.

    Returns:
        The roles for which enough was found, at the prices of single requests.
    """
    costs_by_role: dict[str, ItemCosts] = {}
    with_models = (run for run in runs if _has_models(run))
    for run in islice(with_models, MOST_RUNS):
        spends = _item_spends(run, models, efforts)
        for role, spend in spends:
            costs_by_role.setdefault(role, ItemCosts()).add(spend)
        counts = Counter(role for role, _ in spends)
        for role, pieces in _played_pieces(run, counts, repo):
            costs_by_role[role].runs.append(pieces)
    return {role: costs for role, costs in costs_by_role.items() if costs.count >= FEWEST_ITEMS}


def _played_pieces(
    directory: RunDirectory, counts: Mapping[str, int], repo: str
) -> Iterator[tuple[str, PlayedPieces]]:
    manifest = directory.manifest()
    # What is left of an open run has not been paid yet.
    if manifest.state != "complete" or manifest.plan.is_return:
        return
    planned = planned_pieces(manifest.plan, manifest.canaries)
    repo_of_run = Path(manifest.repo).resolve()
    is_same_repo = repo_of_run == Path(repo).resolve()
    for role, count in counts.items():
        yield role, PlayedPieces(count, planned[role], is_same_repo)


def _has_models(directory: RunDirectory) -> bool:
    try:
        return bool(directory.manifest().models)
    except GoldwrightError:
        return False


def _item_spends(
    directory: RunDirectory, models: Mapping[str, str], efforts: Mapping[str, str]
) -> list[tuple[str, Spend]]:
    """The cost of each piece of work whose role had the same model, which thought as much."""
    try:
        with run_for_reading(directory) as run:
            played = dict(run.manifest.models)
            # A piece of an Adversary that another one followed holds the cost of both.
            if run.manifest.weak_adversaries:
                played.pop("adversary", None)
            played_efforts = run.manifest.efforts
            batched_roles = BATCH_ROLES if run.manifest.batch else ()
            spends = run.call_journal.spent_by_item()
    except GoldwrightError:
        return []
    item_spends = []
    for item, spend in spends.items():
        role = role_of(item)
        if role not in models or not spend.calls:
            continue
        has_same_model = played.get(role) == models[role]
        has_same_effort = played_efforts.get(role) == efforts.get(role)
        if has_same_model and has_same_effort:
            price = BATCH_PRICE if role in batched_roles else 1
            single_price = round(spend.micro_usd / price)
            item_spends.append((role, replace(spend, micro_usd=single_price)))
    return item_spends
