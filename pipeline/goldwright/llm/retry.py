"""Trying again: the only layer that does, by the table of policies."""

from collections import Counter
from collections.abc import Awaitable, Callable
from random import Random

from tenacity import AsyncRetrying, RetryCallState

from goldwright.errors import ProviderError, QuarantineError, UnansweredError
from goldwright.llm.port import FaultKind, Provider, ProviderFault, Reply, Request
from goldwright.llm.retry_policies import (
    CALL_DEADLINE_SECONDS,
    IN_A_ROW,
    LONGEST_RETRY_AFTER,
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
        """Answer a request, in as many attempts as its faults are worth.

        Raises:
            UnansweredError: The item cannot be finished now.
            ProviderFault: The request is too long for the model; the caller may shorten it.
            ProviderError: The provider refuses or is out of reach; nothing else would fare better.
        """
        call = _RetriedCall(self._chance)
        try:
            reply: Reply = await call.retrying(self._sleep)(self._inner.ask, request)
        except ProviderFault as fault:
            if fault.kind == "too_long":
                raise
            raise self._end(request, fault, call) from None
        self._failed_in_a_row = 0
        return reply

    def _end(
        self, request: Request, fault: ProviderFault, call: "_RetriedCall"
    ) -> ProviderError | QuarantineError:
        tries = call.faults.total()
        text = f"{self._name}: {fault.kind}: {fault}" + (
            f" (after {tries} attempts)" if tries > 1 else ""
        )
        if RETRY_POLICIES[fault.kind].ends == "run":
            return ProviderError(text)
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= IN_A_ROW:
            return ProviderError(
                f"{text}; {self._failed_in_a_row} items in a row could not be finished"
            )
        # What was not worth a second attempt now is not worth one later.
        is_final = RETRY_POLICIES[fault.kind].tries == 1
        return (QuarantineError if is_final else UnansweredError)(f"{request.item}: {text}")


class _RetriedCall:
    """One call through all its attempts."""

    def __init__(self, chance: Random) -> None:
        self.faults: Counter[FaultKind] = Counter()
        self._chance = chance
        self._waited = 0.0

    def retrying(self, sleep: Sleep) -> AsyncRetrying:
        return AsyncRetrying(
            retry=self._is_worth_it,
            wait=self._wait,
            stop=self._is_too_late,
            sleep=sleep,
            reraise=True,
        )

    def _is_worth_it(self, state: RetryCallState) -> bool:
        fault = _fault(state)
        if fault is None:
            return False
        self.faults[fault.kind] += 1
        tries = RETRY_POLICIES[fault.kind].tries
        return tries == 0 or self.faults[fault.kind] < tries

    def _wait(self, state: RetryCallState) -> float:
        fault = _fault(state)
        if fault is None:
            return 0.0
        policy = RETRY_POLICIES[fault.kind]
        longest = min(policy.cap, policy.base * 2.0 ** (self.faults[fault.kind] - 1))
        seconds = longest * (policy.floor + (1 - policy.floor) * self._chance.random())
        if fault.retry_after is not None:
            # A little later than told, and not all at once.
            told = min(max(fault.retry_after, 0.0), LONGEST_RETRY_AFTER)
            seconds = max(seconds, told * (1 + self._chance.uniform(0.01, 0.2)))
        return seconds

    def _is_too_late(self, state: RetryCallState) -> bool:
        # Only waits of its own count: a call that stood in line for others has lost nothing.
        self._waited += state.upcoming_sleep
        return self._waited > CALL_DEADLINE_SECONDS


def _fault(state: RetryCallState) -> ProviderFault | None:
    error = state.outcome.exception() if state.outcome else None
    return error if isinstance(error, ProviderFault) else None
