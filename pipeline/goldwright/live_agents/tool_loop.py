"""The tool loop: a model uses its tools until it hands back a reply that can be read.

Whatever a provider or a model does that is no such reply ends in one of three ways: it is put right
within the conversation, the work item is given up with a reason, or the model's refusal is passed
on. None of them is a verdict.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
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

# What is put right within one conversation, and how often, before the item is given up.
MOST_REPAIRS: Final = 2
MOST_EMPTY_REPLIES: Final = 1
MOST_DOUBLINGS: Final = 1
MOST_PAUSES: Final = 5
MOST_SHORTENINGS: Final = 1
MOST_BAD_CALLS: Final = 3
# What closes the tools, after which the model has to answer from what it has read.
MOST_TURNS: Final = 40
MOST_SHOWN_CHARACTERS: Final = 400 * 1024
MOST_EQUAL_CALLS: Final = 3
MOST_FRUITLESS_TURNS: Final = 6

CLOSING: Final = (
    "The tools are closed now. Hand back the JSON object from what you have read so far."
)
EMPTY: Final = "Your reply was empty. Hand back the JSON object that was asked for."
DROPPED: Final = "[taken out to make room; call the tool again if you need it]"


@dataclass(frozen=True, slots=True)
class Brief(Generic[T]):
    """What a model is to do.

    Attributes:
        item: The work item, as ``role:case``.
        model: The name of the model.
        system: The rules.
        task: The first message.
        schema: The JSON schema of the final reply.
        parse_reply: Makes a value of the final reply, or raises a ``ReplyError`` that says what is
            wrong.
        max_output_tokens: The most tokens a reply may have.
    """

    item: str
    model: str
    system: str
    task: str
    schema: Mapping[str, Any]
    parse_reply: Callable[[str], T]
    max_output_tokens: int = 16_384


async def converse(provider: Provider, brief: Brief[T], tools: ModelTools | None = None) -> T:
    """Talk with a model until its reply can be read.

    Raises:
        QuarantineError: The item was given up; the text says why.
        RoleRefusedError: The model refuses.
        ProviderError: The provider refuses or is out of reach.
    """
    conversation = _Conversation(brief, tools)
    while True:
        reply = await conversation.ask(provider)
        if reply.stop != "done" or not reply.text.strip():
            conversation.handle(reply)
            continue
        try:
            return brief.parse_reply(reply.text)
        except ReplyError as problem:
            conversation.send_back(reply, problem)


class _Conversation:
    """One conversation, and how often its patience was tried."""

    def __init__(self, brief: Brief[Any], tools: ModelTools | None) -> None:
        self._brief = brief
        self._tools = tools
        self._declared_tools = tools.tools if tools else ()
        self._turns: list[Message] = [UserMessage(brief.task)]
        self._measured: CountedInput | None = None
        self._max_output_tokens = brief.max_output_tokens
        self._are_tools_closed = False
        self._requests = 0
        self._uses: Counter[str] = Counter()
        self._calls: Counter[str] = Counter()
        self._fruitless_turns = 0

    async def ask(self, provider: Provider) -> Reply:
        """Ask for the next reply, shortening a conversation that is too long."""
        # Counted before the request: one that is too long is a turn too.
        self._requests += 1
        try:
            reply = await provider.ask(self._request())
        except ProviderFault as fault:
            # Retries hand on one kind of fault alone: that the request is too long.
            self._drop_older_results(str(fault))
            return await self.ask(provider)
        usage = reply.usage
        if usage.counted:
            self._measured = CountedInput(len(self._turns), usage.input_tokens)
        return reply

    def handle(self, reply: Reply) -> None:
        """Do what a reply calls for that is not the final one."""
        match reply.stop:
            case "tools" if reply.tool_uses:
                self._run_tools(reply)
            case "tools" | "done":
                # Either without any text, or asking for tools without a call.
                self._ask_for_empty_reply_again()
            case "length":
                self._double_output_limit()
            case "paused":
                self._go_on_after_pause(reply)
            case "overflow":
                self._drop_older_results("the context window is full")
            case "refused":
                raise RoleRefusedError(f"{reply.model}: {reply.stop_reason}")
            case "unknown":
                raise self._give_up(f"stopped for an unknown reason ({reply.stop_reason})")

    def send_back(self, reply: Reply, problem: ReplyError) -> None:
        """Have a reply mended that cannot be read."""
        self._count("repairs", MOST_REPAIRS, str(problem))
        text = f"That cannot be used: {problem}. Hand back the whole object again."
        self._turns += [AssistantMessage(reply.echo), UserMessage(text)]

    def _run_tools(self, reply: Reply) -> None:
        """Run the calls of a reply, and close the tools if more calls would lead nowhere."""
        tools = self._tools
        if tools is None or self._are_tools_closed:
            raise self._give_up("asks for tools that are closed")
        call_ids = {use.call_id for use in reply.tool_uses}
        if len(call_ids) < len(reply.tool_uses):
            # Providers match results to calls by their ids.
            raise self._give_up("two tool calls bear one id")
        shown_before = tools.shown_characters
        results = tuple(tools.run(use) for use in reply.tool_uses)
        if tools.bad_calls > MOST_BAD_CALLS:
            raise self._give_up(
                f"more than {MOST_BAD_CALLS} calls of tools that do not exist "
                "or with wrong arguments"
            )
        self._count_calls(reply.tool_uses, is_fruitless=tools.shown_characters == shown_before)
        self._are_tools_closed = self._has_read_enough(tools)
        note = CLOSING if self._are_tools_closed else ""
        self._turns.append(AssistantMessage(reply.echo))
        self._turns.append(ToolResults(results, note))

    def _count_calls(self, uses: tuple[ToolUse, ...], *, is_fruitless: bool) -> None:
        for use in uses:
            # Canonical, so that the order of the arguments makes no other call of it.
            call = canonical_json([use.name, use.arguments])
            self._calls[call] += 1
        if is_fruitless:
            self._fruitless_turns += 1
        else:
            self._fruitless_turns = 0

    def _has_read_enough(self, tools: ModelTools) -> bool:
        equal_calls = max(self._calls.values(), default=0)
        return (
            self._requests >= MOST_TURNS
            or equal_calls >= MOST_EQUAL_CALLS
            or self._fruitless_turns >= MOST_FRUITLESS_TURNS
            or tools.shown_characters >= MOST_SHOWN_CHARACTERS
        )

    def _ask_for_empty_reply_again(self) -> None:
        """Ask again within the last turn, because an empty reply cannot be echoed."""
        self._count("empty replies", MOST_EMPTY_REPLIES, "handed back nothing")
        match self._turns[-1]:
            case ToolResults(results, note):
                note = f"{note}\n\n{EMPTY}".strip()
                self._turns[-1] = ToolResults(results, note)
            case UserMessage(text):
                text = f"{text}\n\n{EMPTY}"
                self._turns[-1] = UserMessage(text)
            case AssistantMessage():
                self._turns.append(UserMessage(EMPTY))
        # The provider's count was of another last turn.
        self._measured = None

    def _double_output_limit(self) -> None:
        """Ask once more with twice the room for a reply that was cut off.

        Its text is dropped even if it can be read: half a reply may look like a whole one.
        """
        limit = self._max_output_tokens
        self._count("doublings", MOST_DOUBLINGS, f"does not end within {limit} tokens")
        self._max_output_tokens = 2 * limit

    def _go_on_after_pause(self, reply: Reply) -> None:
        self._count("pauses", MOST_PAUSES, "pauses without end")
        self._turns.append(AssistantMessage(reply.echo))

    def _drop_older_results(self, why: str) -> None:
        """Take the older half of the tool results out of a conversation that is too long."""
        self._count("shortenings", MOST_SHORTENINGS, f"too long: {why}")
        result_turns: list[tuple[int, ToolResults]] = []
        for index, turn in enumerate(self._turns):
            if isinstance(turn, ToolResults):
                result_turns.append((index, turn))
        if not result_turns:
            raise self._give_up(f"too long: {why}")
        # The half is rounded up, so that a single result is dropped too.
        older_half = (len(result_turns) + 1) // 2
        for index, turn in result_turns[:older_half]:
            self._turns[index] = _without_texts(turn)
        self._measured = None

    def _give_up(self, why: str) -> QuarantineError:
        """Give the error that says why this item cannot be finished."""
        brief = self._brief
        return QuarantineError(f"{brief.item}: {brief.model}: {why}")

    def _request(self) -> Request:
        brief = self._brief
        return Request(
            item=brief.item,
            model=brief.model,
            system=brief.system,
            turns=tuple(self._turns),
            tools=self._declared_tools,
            tools_closed=self._are_tools_closed,
            schema=brief.schema,
            max_output_tokens=self._max_output_tokens,
            measured=self._measured,
        )

    def _count(self, kind: str, most: int, why: str) -> None:
        """Count something that is put right, and give the item up at the first time too many."""
        self._uses[kind] += 1
        if self._uses[kind] > most:
            raise self._give_up(why)


def _without_texts(turn: ToolResults) -> ToolResults:
    results = tuple(replace(result, text=DROPPED) for result in turn.results)
    return ToolResults(results, turn.note)
