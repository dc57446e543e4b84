"""Trying again: the only layer that does, by the table of policies."""

from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random

from tenacity import AsyncRetrying, RetryCallState

from goldwright.errors import ProviderError, QuarantineError, UnansweredError, UnreachableError
from goldwright.llm.port import FaultKind, Provider, ProviderFault, Reply, Request
from goldwright.llm.retry_policies import (
    CALL_DEADLINE_SECONDS,
    LONGEST_RETRY_AFTER,
    MOST_FAILED_ITEMS_IN_A_ROW,
    RETRY_POLICIES,
)

Sleep = Callable[[float], Awaitable[None]]


class RetryingProvider:
    """A provider whose faults are waited out, or turned into the end of an item or of the run."""

    def __init__(self, inner: Provider, *, name: str, sleep: Sleep, chance: Random) -> None:
        self._inner = inner
        self._name = name
        self._sleep = sleep
        self._chance = chance
        self._failed_in_a_row = 0

    async def ask(self, request: Request) -> Reply:
        """Answer a request, in as many attempts as the policies of its faults allow.

        Raises:
            UnansweredError: The item cannot be finished now.
            ProviderFault: The request is too long for the model; the caller may shorten it.
            ProviderError: The provider refuses or is out of reach; other items would fare no
                better.
        """
        call = _RetriedCall(self._chance)
        retrying = call.retrying(self._sleep)
        try:
            reply: Reply = await retrying(self._inner.ask, request)
        except ProviderFault as fault:
            if fault.kind == "too_long":
                raise
            # The fault is in the text; its traceback leads through tenacity alone.
            raise self._error(request, fault, call.attempts) from None
        self._failed_in_a_row = 0
        return reply

    def _error(
        self, request: Request, fault: ProviderFault, attempts: int
    ) -> ProviderError | QuarantineError:
        """Give the error in which a call ends that is not worth another attempt."""
        text = f"{self._name}: {fault.kind}: {fault}"
        if attempts > 1:
            text += f" (after {attempts} attempts)"
        policy = RETRY_POLICIES[fault.kind]
        if policy.ends == "run":
            return ProviderError(text)
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= MOST_FAILED_ITEMS_IN_A_ROW:
            count = self._failed_in_a_row
            return ProviderError(f"{text}; {count} items in a row could not be finished")
        if policy.tries == 1:
            # Not worth a second attempt now, so not worth one later: the item starts over.
            return QuarantineError(f"{request.item}: {text}")
        unanswered = UnreachableError if fault.kind == "unreachable" else UnansweredError
        return unanswered(f"{request.item}: {text}")


class _RetriedCall:
    """One call through all of its attempts; each kind of fault is counted by itself."""

    def __init__(self, chance: Random) -> None:
        self._faults: Counter[FaultKind] = Counter()
        self._chance = chance
        self._waited = 0.0

    @property
    def attempts(self) -> int:
        """The attempts that failed."""
        return self._faults.total()

    def retrying(self, sleep: Sleep) -> AsyncRetrying:
        return AsyncRetrying(
            retry=self._is_worth_another,
            wait=self._seconds_to_wait,
            stop=self._is_past_deadline,
            sleep=sleep,
            reraise=True,
        )

    # Tenacity calls the three functions in this order after each attempt: the first counts the
    # fault, the second and the third are called only if it says yes.

    def _is_worth_another(self, state: RetryCallState) -> bool:
        fault = _fault_of(state)
        if fault is None:
            return False
        self._faults[fault.kind] += 1
        count = self._faults[fault.kind]
        tries = RETRY_POLICIES[fault.kind].tries
        return tries == 0 or count < tries

    def _seconds_to_wait(self, state: RetryCallState) -> float:
        fault = _fault_of(state)
        if fault is None:
            return 0.0
        seconds = self._backoff(fault.kind)
        if fault.retry_after is None:
            return seconds
        retry_after = max(fault.retry_after, 0.0)
        retry_after = min(retry_after, LONGEST_RETRY_AFTER)
        # A little later than the provider says, and not all callers at once.
        delay = 1 + self._chance.uniform(0.01, 0.2)
        return max(seconds, retry_after * delay)

    def _backoff(self, kind: FaultKind) -> float:
        """Draw the wait after another fault of a kind."""
        policy = RETRY_POLICIES[kind]
        doublings = self._faults[kind] - 1
        doubled_base = policy.base * 2.0**doublings
        longest = min(policy.cap, doubled_base)
        by_chance = (1 - policy.floor) * self._chance.random()
        return longest * (policy.floor + by_chance)

    def _is_past_deadline(self, state: RetryCallState) -> bool:
        # Only the waits of this call count: waiting for its turn behind others costs it nothing.
        self._waited += state.upcoming_sleep
        return self._waited > CALL_DEADLINE_SECONDS


def _fault_of(state: RetryCallState) -> ProviderFault | None:
    if state.outcome is None:
        return None
    error = state.outcome.exception()
    return error if isinstance(error, ProviderFault) else None
