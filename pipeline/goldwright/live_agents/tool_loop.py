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
from goldwright.live_agents.conversation_limits import (
    MOST_BAD_CALLS,
    MOST_CALLS_OF_CLOSED_TOOLS,
    MOST_DOUBLE_IDS,
    MOST_DOUBLINGS,
    MOST_EMPTY_REPLIES,
    MOST_EQUAL_CALLS,
    MOST_FRUITLESS_TURNS,
    MOST_PAUSES,
    MOST_REPAIRS,
    MOST_SHORTENINGS,
    MOST_SHOWN_CHARACTERS,
    MOST_TURNS,
)
from goldwright.live_agents.draft_submission import (
    CHECK_DRAFT,
    SUBMIT,
    DraftReview,
    DraftSubmission,
    ReturnedDraftError,
)
from goldwright.live_agents.model_tools import ModelTools
from goldwright.llm.port import (
    AssistantMessage,
    CountedInput,
    Message,
    Provider,
    ProviderFault,
    Reply,
    Request,
    ToolResult,
    ToolResults,
    ToolUse,
    UserMessage,
)
from goldwright.llm.reply_parsing import ReplyError

T = TypeVar("T")

CLOSING: Final = (
    "The tools are closed now. Hand back the JSON object from what you have read so far."
)
CLOSED: Final = "the tools are closed"
EMPTY: Final = "Your reply was empty. Hand back the JSON object that was asked for."
DOUBLE_IDS: Final = "Two of your calls bore one id, so none was run. Call again."
DROPPED: Final = "[taken out to make room; call the tool again if you need it]"


@dataclass(frozen=True, slots=True)
class Brief(Generic[T]):
    """What a model is to do.

    Attributes:
        item: The work item, as ``role:case``.
        model: The name of the model.
        system: The rules.
        task: The first message.
        schema: The JSON schema of the draft that the model hands in.
        parse_reply: Makes a value of a draft, or raises a ``ReplyError`` that says what is wrong.
        max_output_tokens: The most tokens a reply may have.
        review: What programs have to say of a draft; None where they have nothing to say.
    """

    item: str
    model: str
    system: str
    task: str
    schema: Mapping[str, Any]
    parse_reply: Callable[[str], T]
    max_output_tokens: int = 16_384
    review: DraftReview[T] | None = None


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
        handed_in = await conversation.take(reply)
        if handed_in is not None:
            return handed_in.value


@dataclass(frozen=True, slots=True)
class _ConversationEnd(Generic[T]):
    """What a conversation came to."""

    value: T


class _Conversation(Generic[T]):
    """One conversation, and how often its patience was tried."""

    def __init__(self, brief: Brief[T], tools: ModelTools | None) -> None:
        self._brief = brief
        self._tools = tools
        self._submission = DraftSubmission(
            brief.schema, brief.parse_reply, brief.review, self._slip
        )
        # Handing in by a tool is for those who have others; who has none replies by the schema.
        self._declared_tools = (*tools.tools, *self._submission.tools) if tools else ()
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

    async def take(self, reply: Reply) -> _ConversationEnd[T] | None:
        """Do what a reply calls for; gives the value once the draft is handed in."""
        if reply.stop == "done" and reply.text.strip():
            return self._take_text(reply)
        if reply.stop == "tools" and reply.tool_uses:
            return await self._run_tools(reply)
        self._handle(reply)
        return None

    def _handle(self, reply: Reply) -> None:
        match reply.stop:
            case "tools" | "done":
                # Either without any text, or asking for tools without a call.
                self._count("empty replies", MOST_EMPTY_REPLIES, "handed back nothing")
                self._ask_again(EMPTY)
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

    def _take_text(self, reply: Reply) -> _ConversationEnd[T] | None:
        """Take a draft that was written as text, or have it mended."""
        try:
            return _ConversationEnd(self._submission.take_text(reply.text))
        except ReplyError as problem:
            self._count("repairs", MOST_REPAIRS, str(problem))
            text = f"That cannot be used: {problem}. Hand back the whole object again."
            # From the second time on by the schema, which goes out only with closed tools. The
            # first reply may be a remark of a model that is still to look around.
            if self._uses["repairs"] > 1:
                self._are_tools_closed = True
        except ReturnedDraftError as returned:
            text = str(returned)
        self._turns += [AssistantMessage(reply.echo), UserMessage(text)]
        return None

    async def _run_tools(self, reply: Reply) -> _ConversationEnd[T] | None:
        """Run the calls of a reply, and close the tools if more calls would lead nowhere."""
        tools = self._tools
        if tools is None:
            raise self._give_up("asks for tools that are closed")
        uses = reply.tool_uses
        if len({use.call_id for use in uses}) < len(uses):
            # Providers match results to calls by their ids, so such a reply cannot be answered.
            self._count("double ids", MOST_DOUBLE_IDS, "two tool calls bear one id")
            self._ask_again(DOUBLE_IDS)
            return None
        shown_before = tools.shown_characters
        results: list[ToolResult] = []
        for use in uses:
            result = await self._run(use, tools)
            if isinstance(result, _ConversationEnd):
                return result
            results.append(result)
        self._count_reading(uses, tools, is_fruitless=tools.shown_characters == shown_before)
        self._check_patience(uses, tools)
        self._are_tools_closed = self._are_tools_closed or self._has_read_enough(tools)
        note = CLOSING if self._are_tools_closed else ""
        self._turns.append(AssistantMessage(reply.echo))
        self._turns.append(ToolResults(tuple(results), note))
        return None

    async def _run(self, use: ToolUse, tools: ModelTools) -> ToolResult | _ConversationEnd[T]:
        if use.name == SUBMIT:
            return self._submit(use)
        if self._are_tools_closed:
            return ToolResult(use.call_id, use.name, CLOSED, is_error=True)
        if use.name == CHECK_DRAFT:
            return self._submission.check(use)
        return await tools.run(use)

    def _submit(self, use: ToolUse) -> ToolResult | _ConversationEnd[T]:
        """Take the draft of a call; also while the tools are closed, for it is what is wanted."""
        try:
            return _ConversationEnd(self._submission.take_call(use))
        except ReplyError as problem:
            self._count("repairs", MOST_REPAIRS, str(problem))
            text = f"That cannot be used: {problem}. Hand in the whole object again."
        except ReturnedDraftError as returned:
            text = str(returned)
        return ToolResult(use.call_id, use.name, text, is_error=True)

    def _check_patience(self, uses: tuple[ToolUse, ...], tools: ModelTools) -> None:
        """Give up a model that calls what does not exist, or what is closed, again and again."""
        if tools.bad_calls > MOST_BAD_CALLS:
            raise self._give_up(
                f"more than {MOST_BAD_CALLS} calls of tools that do not exist "
                "or with wrong arguments"
            )
        if self._are_tools_closed and any(use.name != SUBMIT for use in uses):
            self._count(
                "closed calls", MOST_CALLS_OF_CLOSED_TOOLS, "asks for tools that are closed"
            )

    def _count_reading(
        self, uses: tuple[ToolUse, ...], tools: ModelTools, *, is_fruitless: bool
    ) -> None:
        reading = [use for use in uses if use.name not in {CHECK_DRAFT, SUBMIT}]
        if not reading:
            # Drafts have limits of their own.
            return
        for use in reading:
            if tools.problem_of(use) is not None:
                # It was not run, so the model may make it again.
                continue
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

    def _ask_again(self, request: str) -> None:
        """Ask again within the last turn, because such a reply cannot be echoed."""
        match self._turns[-1]:
            case ToolResults(results, note):
                note = f"{note}\n\n{request}".strip()
                self._turns[-1] = ToolResults(results, note)
            case UserMessage(text):
                text = f"{text}\n\n{request}"
                self._turns[-1] = UserMessage(text)
            case AssistantMessage():
                self._turns.append(UserMessage(request))
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
        turns = tuple(self._turns)
        # Beside open tools a schema would make some servers answer without a single call.
        schema = brief.schema if self._is_to_reply_now else None
        return Request(
            item=brief.item,
            model=brief.model,
            system=brief.system,
            turns=turns,
            tools=self._declared_tools,
            tools_closed=self._are_tools_closed,
            schema=schema,
            max_output_tokens=self._max_output_tokens,
            measured=self._measured,
        )

    @property
    def _is_to_reply_now(self) -> bool:
        return self._are_tools_closed or self._tools is None

    def _slip(self, kind: str) -> None:
        if self._tools is not None:
            self._tools.slip(kind)

    def _count(self, kind: str, most: int, why: str) -> None:
        """Count something that is put right, and give the item up at the first time too many."""
        self._uses[kind] += 1
        if self._uses[kind] > most:
            raise self._give_up(why)


def _without_texts(turn: ToolResults) -> ToolResults:
    results = tuple(replace(result, text=DROPPED) for result in turn.results)
    return ToolResults(results, turn.note)
