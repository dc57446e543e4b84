"""The tool loop: a model looks around through its desk until it hands back what can be read.

Whatever a provider or a model does that is no answer ends in one of three ways: it is put right
within the conversation, the item is given up with its reason, or the model's refusal is passed on.
None is a verdict.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from goldwright.agents.roles import RoleRefusedError
from goldwright.canonical import canonical_json
from goldwright.errors import QuarantineError
from goldwright.live_agents.model_tools import ModelTools
from goldwright.llm.port import (
    AssistantMessage,
    CountedInput,
    Message,
    Provider,
    ProviderFault,
    Reply,
    Request,
    ToolResults,
    ToolUse,
    UserMessage,
)
from goldwright.llm.reply_parsing import ReplyError

T = TypeVar("T")

MOST_TURNS: Final = 40
MOST_REPAIRS: Final = 2
MOST_PAUSES: Final = 5
MOST_BAD_CALLS: Final = 3
SAME_CALL_ENDS_IT: Final = 3
FRUITLESS_TURNS_END_IT: Final = 6
MOST_SHOWN_BYTES: Final = 400 * 1024
CLOSING: Final = (
    "The tools are closed now. Hand back the JSON object from what you have read so far."
)
EMPTY: Final = "Your reply was empty. Hand back the JSON object that was asked for."
DROPPED: Final = "[taken out to make room; call the tool again if you need it]"


@dataclass(frozen=True, slots=True)
class Brief(Generic[T]):
    """What a model is to do; ``read`` makes a value of its last word, or says what is wrong with
    it.
    """

    item: str
    model: str
    system: str
    task: str
    schema: Mapping[str, Any]
    read: Callable[[str], T]
    max_output_tokens: int = 16_384


async def converse(provider: Provider, brief: Brief[T], toolbox: ModelTools | None = None) -> T:
    """Talk with a model until its last word can be read.

    Raises:
        QuarantineError: It was given up, with its reason.
        RoleRefusedError: The model refuses.
        ProviderError: The provider does.
    """
    talk = _Conversation(brief, toolbox)
    while True:
        reply = await talk.ask(provider)
        if reply.stop == "done" and reply.text.strip():
            try:
                return brief.read(reply.text)
            except ReplyError as problem:
                talk.send_back(reply, problem)
        else:
            talk.take(reply)


class _Conversation:
    """One conversation, and how often its patience was used."""

    def __init__(self, brief: Brief[Any], toolbox: ModelTools | None) -> None:
        self._brief = brief
        self._toolbox = toolbox
        self._turns: list[Message] = [UserMessage(brief.task)]
        self._used: Counter[str] = Counter()
        self._calls: Counter[str] = Counter()
        self._measured: CountedInput | None = None
        self._room = brief.max_output_tokens
        self._closed = False
        self._fruitless = 0

    async def ask(self, provider: Provider) -> Reply:
        self._used["turns"] += 1
        try:
            reply = await provider.ask(self._request())
        except ProviderFault as fault:
            self.make_room(str(fault))
            return await self.ask(provider)
        if reply.usage.counted:
            self._measured = CountedInput(len(self._turns), reply.usage.input_tokens)
        return reply

    def take(self, reply: Reply) -> None:
        """Do what a reply calls for that is not the last word."""
        match reply.stop:
            case "tools" if reply.tool_uses:
                self.serve(reply)
            case "tools" | "done":
                self.nudge()
            case "length":
                self.widen()
            case "paused":
                self.go_on(reply)
            case "overflow":
                self.make_room()
            case "refused":
                raise RoleRefusedError(f"{reply.model}: {reply.stop_reason}")
            case "unknown":
                raise self.given_up(f"stopped for an unknown reason ({reply.stop_reason})")

    def serve(self, reply: Reply) -> None:
        """Carry out the calls of a reply, and close the tools where more of them would lead
        nowhere.
        """
        toolbox = self._toolbox
        if toolbox is None or self._closed:
            raise self.given_up("asks for tools that are closed")
        names = [use.call_id for use in reply.tool_uses]
        if len(set(names)) < len(names):
            raise self.given_up("two tool calls bear one id")
        before = toolbox.shown_bytes
        results = tuple(toolbox.serve(use) for use in reply.tool_uses)
        if toolbox.bad_calls > MOST_BAD_CALLS:
            raise self.given_up(
                f"more than {MOST_BAD_CALLS} calls of tools that do not exist or with wrong arguments"
            )
        self._fruitless = 0 if toolbox.shown_bytes > before else self._fruitless + 1
        self._closed = self._is_enough(reply.tool_uses, toolbox)
        self._turns += [
            AssistantMessage(reply.echo),
            ToolResults(results, CLOSING if self._closed else ""),
        ]

    def send_back(self, reply: Reply, problem: ReplyError) -> None:
        """Have a reply mended, telling what is wrong and not repeating it."""
        self._count("repairs", MOST_REPAIRS, f"{problem}")
        self._turns += [
            AssistantMessage(reply.echo),
            UserMessage(f"That cannot be used: {problem}. Hand back the whole object again."),
        ]

    def nudge(self) -> None:
        """Ask again for what came back empty; an empty turn cannot be echoed."""
        self._count("nudges", 1, "handed back nothing")
        match self._turns[-1]:
            case ToolResults(results, note):
                self._turns[-1] = ToolResults(results, f"{note}\n\n{EMPTY}".strip())
            case UserMessage(text):
                self._turns[-1] = UserMessage(f"{text}\n\n{EMPTY}")
            case AssistantMessage():
                self._turns.append(UserMessage(EMPTY))
        self._measured = None

    def widen(self) -> None:
        """Ask once more with twice the room for a reply that was cut off; half a reply is none."""
        self._count("widenings", 1, f"does not end within {self._room} tokens")
        self._room *= 2

    def go_on(self, reply: Reply) -> None:
        """Let the model go on where it paused."""
        self._count("pauses", MOST_PAUSES, "pauses without end")
        self._turns.append(AssistantMessage(reply.echo))

    def make_room(self, why: str = "the context window is full") -> None:
        """Take the older half of what was shown out of the conversation."""
        self._count("clearings", 1, f"too long: {why}")
        shown = [place for place, turn in enumerate(self._turns) if isinstance(turn, ToolResults)]
        if not shown:
            raise self.given_up(f"too long: {why}")
        for place in shown[: (len(shown) + 1) // 2]:
            turn = self._turns[place]
            if isinstance(turn, ToolResults):
                self._turns[place] = _emptied(turn)
        self._measured = None

    def given_up(self, why: str) -> QuarantineError:
        """Say that this item cannot be finished, and why."""
        return QuarantineError(f"{self._brief.item}: {self._brief.model}: {why}")

    def _request(self) -> Request:
        brief = self._brief
        return Request(
            item=brief.item,
            model=brief.model,
            system=brief.system,
            turns=tuple(self._turns),
            tools=self._toolbox.tools if self._toolbox else (),
            tools_closed=self._closed,
            schema=brief.schema,
            max_output_tokens=self._room,
            measured=self._measured,
        )

    def _is_enough(self, uses: tuple[ToolUse, ...], toolbox: ModelTools) -> bool:
        self._calls.update(canonical_json([use.name, use.arguments]) for use in uses)
        return (
            self._used["turns"] >= MOST_TURNS
            or self._fruitless >= FRUITLESS_TURNS_END_IT
            or toolbox.shown_bytes >= MOST_SHOWN_BYTES
            or max(self._calls.values(), default=0) >= SAME_CALL_ENDS_IT
        )

    def _count(self, what: str, most: int, why: str) -> None:
        self._used[what] += 1
        if self._used[what] > most:
            raise self.given_up(why)


def _emptied(turn: ToolResults) -> ToolResults:
    results = tuple(type(one)(one.call_id, one.name, DROPPED, one.is_error) for one in turn.results)
    return ToolResults(results, turn.note)
