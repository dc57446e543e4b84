"""Tokens of a conversation, counted by a rule where no provider counts them."""

from typing import Final

# The usual estimate for English and code; both arms are counted by the same rule.
_CHARACTERS_OF_A_TOKEN: Final = 4


def count_tokens(text: str) -> int:
    """Count a quarter of the characters, rounded up."""
    return count_tokens_of(len(text))


def count_tokens_of(characters: int) -> int:
    """Count the tokens of a text of so many characters."""
    return -(-characters // _CHARACTERS_OF_A_TOKEN)


class TokenLedger:
    """What every turn of one conversation costs: all that was said so far is read again.

    Attributes:
        turns: Requests so far.
        schema_tokens: Descriptions of tools, as often as they were sent.
        prompt_tokens: Rules and question, as often as they were sent.
        call_tokens: What the agent said, when it said it and as often as it was read again.
        result_tokens: Results of tools, as often as they were read.
    """

    def __init__(self, prompt: str, schemas: str) -> None:
        self._prompt = count_tokens(prompt)
        self._schemas = count_tokens(schemas)
        self._said = 0
        self._shown = 0
        self.turns = 0
        self.schema_tokens = 0
        self.prompt_tokens = 0
        self.call_tokens = 0
        self.result_tokens = 0

    def say(self, text: str) -> None:
        """Count one turn: everything so far is read, and ``text`` is written."""
        self.turns += 1
        self.schema_tokens += self._schemas
        self.prompt_tokens += self._prompt
        self.result_tokens += self._shown
        spoken = count_tokens(text)
        self.call_tokens += self._said + spoken
        self._said += spoken

    def show(self, text: str) -> None:
        """Add the result of a tool, which every later turn reads."""
        self._shown += count_tokens(text)

    @property
    def total(self) -> int:
        """All tokens; the parts add up to it."""
        return self.schema_tokens + self.prompt_tokens + self.call_tokens + self.result_tokens
