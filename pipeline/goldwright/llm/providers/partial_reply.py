"""What of a streamed reply has come: the bill of one that breaks off."""

from dataclasses import dataclass, replace
from typing import Final

from goldwright.llm.port import Usage

# English and code have about four bytes a token in every tokenizer known.
_BYTES_PER_TOKEN: Final = 4


@dataclass(slots=True)
class PartialReply:
    """A reply on its way.

    Attributes:
        has_begun: Whether anything of it has come.
        counted: The provider's newest count; ``None`` if it has not counted yet.
        said_bytes: The length of the output that came without a count of its own.
    """

    has_begun: bool = False
    counted: Usage | None = None
    said_bytes: int = 0

    def begin(self) -> None:
        """Note that something came."""
        self.has_begun = True

    def count(self, usage: Usage) -> None:
        """Take a count of the provider, which stands for all before it; nonsense is left out."""
        if usage.counted:
            self.counted = usage

    def say(self, text: str) -> None:
        """Take a piece of output."""
        # Half a character may stand in a piece, and is no reason to give the reply up.
        self.said_bytes += len(text.encode("utf-8", "surrogatepass"))

    @property
    def usage(self) -> Usage | None:
        """What the reply has used so far; ``None`` as long as nothing of that is known.

        Its input is 0 where the provider counts at the end alone.
        """
        if self.counted is None and not self.said_bytes:
            return None
        counted = self.counted or Usage()
        said_tokens = -(-self.said_bytes // _BYTES_PER_TOKEN)
        return replace(counted, output=max(counted.output, said_tokens))
