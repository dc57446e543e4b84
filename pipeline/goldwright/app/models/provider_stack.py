"""The wrappers that stand around every model: pace, money and retries."""

from random import Random

from goldwright.app.models.role_models import MAX_CASES_IN_BATCHES, RoleModel
from goldwright.engine.clock import Clock
from goldwright.llm.budget import Budget, BudgetedProvider
from goldwright.llm.catalog import open_adapter
from goldwright.llm.concurrency import ConcurrencyLimit, LimitedProvider
from goldwright.llm.port import Adapter, Provider
from goldwright.llm.request_rate import RequestRate
from goldwright.llm.retry import RetryingProvider
from goldwright.llm.stated_limits import StatedLimits


def open_role_adapter(role_model: RoleModel, *, timeout: float | None = None) -> Adapter:
    """Open the connection to a model; it has to be closed.

    Args:
        role_model: The model and how it is reached.
        timeout: Seconds for one attempt, in place of those of the settings.
    """
    if timeout is None:
        timeout = role_model.timeout
    return open_adapter(
        role_model.api,
        key=role_model.key,
        # In a cloud the SDK knows the address by the region.
        base_url=role_model.base_url or None,
        seconds=timeout,
        stream=role_model.stream,
        cloud=role_model.cloud,
    )


def with_pace_budget_and_retries(
    provider: Provider,
    role_model: RoleModel,
    *,
    budget: Budget,
    clock: Clock,
    chance: Random,
) -> Provider:
    """Wrap a provider so that it is asked at its pace, within the budget, and again on faults.

    Calls to one model share one pace, so a model is wrapped once and the result is shared.
    """
    per_second, at_a_time = role_model.requests_per_second, role_model.max_concurrency
    stated: StatedLimits | None = StatedLimits(seconds=clock.seconds)
    if role_model.in_batches:
        # What waits in a batch takes nobody's place.
        per_second, at_a_time, stated = None, MAX_CASES_IN_BATCHES, None
    rate = RequestRate(per_second, seconds=clock.seconds)
    pace = ConcurrencyLimit(
        at_a_time, rate=rate, seconds=clock.seconds, sleep=clock.sleep, stated=stated
    )
    limited = LimitedProvider(provider, pace)
    # Retries stand outside: a provider may bill an attempt that timed out, so each attempt
    # reserves money of its own.
    budgeted = BudgetedProvider(limited, budget, role_model.effective_pricing)
    return RetryingProvider(budgeted, name=role_model.name, sleep=clock.sleep, chance=chance)
