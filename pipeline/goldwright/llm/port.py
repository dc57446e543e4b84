"""The port to model providers: what is asked, what comes back, and what can go wrong.

A conversation is a tuple of turns. What a model answered is kept as ``AssistantMessage`` in the
provider's own JSON, because providers want it back verbatim; everything else is neutral.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol

from goldwright.canonical import canonical_json
from goldwright.records import Effort

Stop = Literal["done", "tools", "length", "refused", "paused", "overflow", "unknown"]
"""Why a reply ended: ``length`` is the output limit, ``overflow`` the context window."""

FaultKind = Literal[
    "unreachable",
    "timeout",
    "cut",
    "rate_limited",
    "overloaded",
    "server_error",
    "gateway_timeout",
    "conflict",
    "access",
    "spend_limit",
    "no_such_model",
    "other_model",
    "too_long",
    "bad_request",
    "malformed",
]


class ProviderFault(Exception):  # noqa: N818  # a policy decides whether it becomes an error
    """One attempt that brought no reply.

    Attributes:
        kind: Decides what is done about it.
        retry_after: The seconds to wait before another attempt, where the provider said so.
        may_be_billed: Whether the provider may charge for the attempt although no reply came.
        usage: What the provider had counted when the attempt broke off; ``None`` if nothing.
    """

    def __init__(
        self,
        kind: FaultKind,
        message: str,
        *,
        retry_after: float | None = None,
        may_be_billed: bool = False,
        usage: "Usage | None" = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.retry_after = retry_after
        self.may_be_billed = may_be_billed
        self.usage = usage


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool on offer.

    Attributes:
        name: The name by which the model calls it.
        description: What the model reads about it.
        parameters: A closed JSON schema in the subset that all providers take.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]

    def as_row(self) -> list[object]:
        """The fields in their order."""
        return [self.name, self.description, self.parameters]


# ToolUse, Usage and Reply are stored in calls.jsonl: their fields are named as in its JSON.
@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call that a model asks for.

    Attributes:
        call_id: The provider's id of the call.
        name: The tool.
        arguments: ``None`` where the model wrote something that is no JSON object.
    """

    call_id: str
    name: str
    arguments: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call returned, or with ``is_error`` why it returned nothing."""

    call_id: str
    name: str
    text: str
    is_error: bool = False

    def as_row(self) -> list[object]:
        """The fields in their order."""
        return [self.call_id, self.name, self.text, self.is_error]


@dataclass(frozen=True)
class UserMessage:
    """What we say to the model."""

    text: str

    @cached_property
    def as_json(self) -> str:
        """The turn as canonical JSON."""
        return canonical_json({"said": self.text})


@dataclass(frozen=True)
class AssistantMessage:
    """What the model said, as its provider wants it echoed."""

    echo: Any

    @cached_property
    def as_json(self) -> str:
        """The turn as canonical JSON."""
        return canonical_json({"heard": self.echo})


@dataclass(frozen=True)
class ToolResults:
    """The results of all calls of one reply, in their order, and a note of ours after them."""

    results: tuple[ToolResult, ...]
    note: str = ""

    @cached_property
    def as_json(self) -> str:
        """The turn as canonical JSON."""
        rows = [result.as_row() for result in self.results]
        return canonical_json({"shown": rows, "note": self.note})


Message = UserMessage | AssistantMessage | ToolResults


@dataclass(frozen=True, slots=True)
class CountedInput:
    """The input tokens that a provider counted for the first ``turns`` turns of a conversation."""

    turns: int
    input_tokens: int


@dataclass(frozen=True)
class Request:
    """One question to a model.

    Attributes:
        item: The work item it belongs to, as ``role:case``.
        model: The name of the model.
        system: The rules, which stand before the conversation.
        turns: The conversation so far.
        tools: The tools on offer.
        tools_closed: Forbids the use of the tools. They stay in the request, so that caches and
            earlier tool calls stay valid.
        schema: The JSON schema of the final reply.
        max_output_tokens: The most tokens the reply may have.
        measured: What the provider has counted already; a price bound is tighter with it.
        effort: How much the model is to think; None for its provider's own choice.
    """

    item: str
    model: str
    system: str
    turns: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    tools_closed: bool = False
    schema: Mapping[str, Any] | None = None
    max_output_tokens: int = 8192
    measured: CountedInput | None = None
    effort: Effort | None = None

    @property
    def tool_choice(self) -> Literal["none", "auto"]:
        """Whether the model may use the tools, in the words that most providers share."""
        return "none" if self.tools_closed else "auto"

    @cached_property
    def head(self) -> str:
        """All that the model sees but the turns, as canonical JSON."""
        tools = [tool.as_row() for tool in self.tools]
        head = [
            self.model,
            self.system,
            tools,
            self.tools_closed,
            self.schema,
            self.max_output_tokens,
        ]
        # Where nobody chose one, requests keep the keys that earlier journals name.
        parts = head if self.effort is None else [*head, self.effort]
        return canonical_json(parts)

    @property
    def input_bytes(self) -> int:
        """The length of all that the model sees, as ASCII JSON."""
        bytes_of_turns = sum(len(turn.as_json) for turn in self.turns)
        return len(self.head) + bytes_of_turns

    @property
    def role(self) -> str:
        """The role that asks."""
        return role_of(self.item)

    @cached_property
    def key(self) -> str:
        """A digest of all that the model sees: 32 hexadecimal digits."""
        digest = hashlib.sha256(self.head.encode("ascii"))
        for turn in self.turns:
            digest.update(b"\n")
            digest.update(turn.as_json.encode("ascii"))
        return digest.hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one reply; no token is counted twice.

    Attributes:
        fresh: Input that no cache held.
        cached: Input that was read from a cache.
        cache_written: Input that was written to a cache.
        output: All output, thinking included.
        counted: Whether the provider counted; if not, or if it counted nonsense, the numbers are 0.
    """

    fresh: int = 0
    cached: int = 0
    cache_written: int = 0
    output: int = 0
    counted: bool = True

    @property
    def input_tokens(self) -> int:
        """All input, however it was read."""
        return self.fresh + self.cached + self.cache_written

    @property
    def total(self) -> int:
        """Input and output."""
        return self.input_tokens + self.output


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered.

    Attributes:
        text: The text, without thinking.
        tool_uses: The calls it asks for.
        stop: Why it ended.
        stop_reason: The same in the provider's own words.
        usage: The tokens it took.
        model: The model that the provider says it came from.
        echo: The reply in the provider's own JSON, to be sent back with the next request.
    """

    text: str
    tool_uses: tuple[ToolUse, ...]
    stop: Stop
    stop_reason: str
    usage: Usage
    model: str
    echo: Any = field(repr=False, default=None)


def role_of(item: str) -> str:
    """The role of a work item, which is named ``role:case``."""
    return item.partition(":")[0]


class Provider(Protocol):
    """Answers requests: an adapter, or a wrapper around one."""

    async def ask(self, request: Request) -> Reply:
        """Answer a request.

        Raises:
            ProviderFault: This attempt brought no reply.
            GoldwrightError: There is no sense in trying again.
        """
        ...


class Adapter(Provider, Protocol):
    """A provider that holds connections."""

    async def close(self) -> None:
        """Close every connection; nothing may be asked afterwards."""
        ...
