"""What a piece of each role's work has cost in the runs of a workspace."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from math import sqrt
from typing import Final

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

# Other codebases and questions cost more or less than those before, whatever chance does.
_ANOTHER_CODEBASE: Final = 1.25
# Standard errors to either side, for an interval of about 95 %.
_DEVIATIONS: Final = 2.0


@dataclass
class ItemCosts:
    """What the pieces of work of one role with one model came to.

    Attributes:
        spend: All of them together.
        micro_usd: The cost of each.
    """

    spend: Spend = field(default_factory=Spend)
    micro_usd: list[int] = field(default_factory=list)

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

    @property
    def spread(self) -> float:
        """The factor, above 1, by which the mean of other work may lie above or below."""
        if not self.spend.micro_usd:
            return _ANOTHER_CODEBASE
        squares = sum((cost - self.mean) ** 2 for cost in self.micro_usd)
        deviation = sqrt(squares / max(self.count - 1, 1))
        return _ANOTHER_CODEBASE + _DEVIATIONS * deviation / self.mean / sqrt(self.count)


def read_item_costs(
    runs: Iterable[RunDirectory], models: Mapping[str, str], efforts: Mapping[str, str]
) -> dict[str, ItemCosts]:
    """Read what a piece of each role's work has cost with the models that are to play.

    Args:
        runs: The runs, newest first; one that cannot be read tells nothing.
        models: The ``provider:model`` of each role that a model plays.
        efforts: How much the model of a role is to think, where that is set: as much as in the runs
            that count for it.

    Returns:
        The roles for which enough was found, at the prices of single requests.
    """
    costs_by_role: dict[str, ItemCosts] = {}
    with_models = (run for run in runs if _has_models(run))
    for run in islice(with_models, MOST_RUNS):
        for role, spend in _item_spends(run, models, efforts):
            costs_by_role.setdefault(role, ItemCosts()).add(spend)
    return {role: costs for role, costs in costs_by_role.items() if costs.count >= FEWEST_ITEMS}


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
    found = []
    for item, spend in spends.items():
        role = role_of(item)
        is_same = role in models and played.get(role) == models[role]
        is_same = is_same and played_efforts.get(role) == efforts.get(role)
        if is_same and spend.calls:
            price = BATCH_PRICE if role in batched_roles else 1
            found.append((role, replace(spend, micro_usd=round(spend.micro_usd / price))))
    return found
