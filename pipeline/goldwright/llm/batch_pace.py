"""When a batch is handed in, and how often its provider is asked about it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from goldwright.llm.port import ProviderFault
from goldwright.llm.retry_policies import RETRY_POLICIES

FIRST_POLL: Final = 10.0
"""Seconds; small batches may end within minutes."""
# Attempts in a row to ask how a batch stands; a day's work is not thrown away for a bad hour.
_MOST_FAILED_POLLS: Final = 60
_POLL_GROWTH: Final = 1.5


@dataclass(frozen=True, slots=True)
class BatchPace:
    """When batches are handed in and asked about, in seconds.

    Attributes:
        gathering: No new request for so long, and the batch is handed in.
        first_poll: From handing in to the first question.
        longest_poll: Between later questions; pauses grow up to this.
    """

    gathering: float = 30.0
    first_poll: float = FIRST_POLL
    longest_poll: float = 120.0


def is_hopeless(fault: ProviderFault, failures: int) -> bool:
    """Whether there is no sense in asking about a batch once more."""
    return RETRY_POLICIES[fault.kind].tries == 1 or failures > _MOST_FAILED_POLLS


def pauses_of(pace: BatchPace) -> Iterator[float]:
    """Yield pauses, in seconds, that grow from the first to the longest, without end."""
    pause = pace.first_poll
    while True:
        yield pause
        pause = min(pause * _POLL_GROWTH, pace.longest_poll)
