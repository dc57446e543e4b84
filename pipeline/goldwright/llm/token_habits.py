"""What the calls of each role have used so far: the usage to expect where nobody saw the bill.

Providers count in tokens, and each model has its own tokenizer; what we know of a request is its
length in bytes. The replies that came tell how the one becomes the other, how much of the input is
read from a cache, and how long replies are.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from goldwright.llm.port import Usage


@dataclass(slots=True)
class TokenHabits:
    """Sums over replies that a provider counted.

    Attributes:
        replies: How many they are.
        input_bytes: The bytes of their requests.
        fresh: Their tokens of input that no cache held.
        cached: Those that were read from a cache.
        cache_written: Those that were written to a cache.
        output: Their tokens of output.
    """

    replies: int = 0
    input_bytes: int = 0
    fresh: int = 0
    cached: int = 0
    cache_written: int = 0
    output: int = 0

    def learn(self, input_bytes: int, usage: Usage) -> None:
        """Count a reply in."""
        self.replies += 1
        self.input_bytes += input_bytes
        self.fresh += usage.fresh
        self.cached += usage.cached
        self.cache_written += usage.cache_written
        self.output += usage.output

    def expected_usage(self, input_bytes: int) -> Usage:
        """Give what a request of a given size uses if it is like those before, rounded up."""
        return Usage(
            fresh=_round_up(self.fresh * input_bytes, self.input_bytes),
            cached=_round_up(self.cached * input_bytes, self.input_bytes),
            cache_written=_round_up(self.cache_written * input_bytes, self.input_bytes),
            output=_round_up(self.output, self.replies),
        )


# Before the first reply: English and code have about four bytes a token in every tokenizer known,
# and half a thousand tokens are a tool call with some thought before it.
_BEFORE_THE_FIRST_REPLY: Final = TokenHabits(
    replies=1, input_bytes=4000, fresh=1000, cached=0, cache_written=0, output=500
)


class LearnedHabits:
    """Habits by model and role; what a role has not shown yet is taken from its model."""

    def __init__(self) -> None:
        self._by_role: defaultdict[tuple[str, str], TokenHabits] = defaultdict(TokenHabits)
        self._by_model: defaultdict[str, TokenHabits] = defaultdict(TokenHabits)

    def learn(self, model: str, role: str, input_bytes: int, usage: Usage) -> None:
        """Count a reply in, unless its provider did not count."""
        if usage.counted and input_bytes > 0:
            self._by_role[model, role].learn(input_bytes, usage)
            self._by_model[model].learn(input_bytes, usage)

    def expected_usage(self, model: str, role: str, input_bytes: int) -> Usage:
        """Give what a request of a role to a model is expected to use."""
        for habits in (self._by_role.get((model, role)), self._by_model.get(model)):
            if habits is not None:
                return habits.expected_usage(input_bytes)
        return _BEFORE_THE_FIRST_REPLY.expected_usage(input_bytes)


def _round_up(dividend: int, divisor: int) -> int:
    return -(-dividend // divisor)
