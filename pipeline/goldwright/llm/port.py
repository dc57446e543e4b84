"""The port to model providers: what is asked, what comes back, and what can go wrong.

A conversation is a tuple of turns. What a model answered is kept as ``Heard`` in the provider's own
JSON, because providers want it back verbatim; everything else is neutral.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol

from goldwright.canonical import canonical_json

Stop = Literal["done", "tools", "length", "refused", "paused", "overflow", "unknown"]
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


class ProviderFault(Exception):  # noqa: N818  # a fault is what a policy decides about, not yet an error of ours
    """One attempt that brought no reply.

    ``retry_after`` is in seconds, where the provider said it; ``may_be_billed`` tells that the
    provider may charge for the attempt although nothing came back.
    """

    def __init__(
        self,
        kind: FaultKind,
        message: str,
        *,
        retry_after: float | None = None,
        may_be_billed: bool = False,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.retry_after = retry_after
        self.may_be_billed = may_be_billed


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool on offer; ``parameters`` is a closed JSON schema in the subset that all providers
    take.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call that a model asks for; ``arguments`` is ``None`` where what it wrote is no JSON
    object.
    """

    call_id: str
    name: str
    arguments: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call brought, or with ``is_error`` why it brought nothing."""

    call_id: str
    name: str
    text: str
    is_error: bool = False


@dataclass(frozen=True)
class UserMessage:
    """What we say to the model."""

    text: str

    @cached_property
    def written(self) -> str:
        """The turn as canonical JSON."""
        return canonical_json({"said": self.text})


@dataclass(frozen=True)
class AssistantMessage:
    """What the model said, as its provider wants it echoed."""

    echo: Any

    @cached_property
    def written(self) -> str:
        """The turn as canonical JSON."""
        return canonical_json({"heard": self.echo})


@dataclass(frozen=True)
class ToolResults:
    """The results of all calls of one reply, in their order, and a word of ours after them."""

    results: tuple[ToolResult, ...]
    note: str = ""

    @cached_property
    def written(self) -> str:
        """The turn as canonical JSON."""
        rows = [[one.call_id, one.name, one.text, one.is_error] for one in self.results]
        return canonical_json({"shown": rows, "note": self.note})


Message = UserMessage | AssistantMessage | ToolResults


@dataclass(frozen=True, slots=True)
class CountedInput:
    """The input tokens a provider counted for the first ``turns`` turns of a conversation."""

    turns: int
    input_tokens: int


@dataclass(frozen=True)
class Request:
    """One question to a model.

    ``item`` is the work item it belongs to (``role:case``); ``tools_closed`` keeps the tools in the
    request, so that caches and old tool calls stay valid, and forbids their use.
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

    @cached_property
    def head(self) -> str:
        """All but the turns, as canonical JSON."""
        tools = [[tool.name, tool.description, tool.parameters] for tool in self.tools]
        return canonical_json(
            [self.model, self.system, tools, self.tools_closed, self.schema, self.max_output_tokens]
        )

    @cached_property
    def key(self) -> str:
        """Name the request by all that the model gets to see: 32 hexadecimal digits."""
        digest = hashlib.sha256(self.head.encode("ascii"))
        for turn in self.turns:
            digest.update(b"\n" + turn.written.encode("ascii"))
        return digest.hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one reply: input read anew, read from a cache, written to a cache, and all output.

    ``counted`` is false where the provider did not say or said nonsense; the numbers are 0 then.
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
    """What a model answered; ``model`` is the one that the provider says it was."""

    text: str
    tool_uses: tuple[ToolUse, ...]
    stop: Stop
    stop_reason: str
    usage: Usage
    model: str
    echo: Any = field(repr=False, default=None)


class Provider(Protocol):
    """Whoever answers requests: an adapter, or a wrapper around one."""

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
