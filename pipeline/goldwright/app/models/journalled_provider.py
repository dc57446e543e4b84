"""A model whose every call is journalled, outside of runs: for solvers, searchers and judges."""

from goldwright.app.environment import Environment
from goldwright.app.models.provider_stack import with_pace_budget_and_retries
from goldwright.app.models.role_models import RoleModel
from goldwright.app.models.spending_ceiling import budget_after_earlier_calls
from goldwright.llm.call_journal import CallJournal
from goldwright.llm.journaling import JournalingProvider, ReplayingProvider
from goldwright.llm.model_identity import SameModelProvider
from goldwright.llm.port import Adapter, Provider


def journalled_provider(
    role_model: RoleModel,
    adapter: Adapter,
    journal: CallJournal,
    *,
    ceiling: int | None,
    environment: Environment,
) -> Provider:
    """Put the wrappers around an adapter; what the journal holds is neither asked nor paid again.

    Args:
        role_model: The model.
        adapter: The connection to it.
        journal: Its calls; what earlier processes spent counts against the ceiling, too.
        ceiling: The most that may be spent, in micro-dollars; None for no ceiling.
        environment: Clock and chance.
    """
    same_model = SameModelProvider(adapter)
    journaling = JournalingProvider(
        same_model,
        journal,
        role_model.pricing,
        stopping=_do_nothing,
        now=environment.clock.now,
    )
    budget = budget_after_earlier_calls(ceiling, journal)
    provider = with_pace_budget_and_retries(
        journaling,
        role_model,
        budget=budget,
        clock=environment.clock,
        chance=environment.chance,
    )
    return role_model.with_effort(ReplayingProvider(provider, journal))


def _do_nothing() -> None:
    """Nobody has to be told that the work stops."""
