"""One real exchange with a model: a tool call, then a structured answer from what the tool said.

A server may answer and still be of no use: one that calls no tools, or writes no object, loses
every record of a run. The exchange finds that out for a fraction of a cent.
"""

from dataclasses import dataclass, field
from typing import Final

from goldwright.llm.port import (
    AssistantMessage,
    Message,
    Provider,
    Reply,
    Request,
    Tool,
    ToolResult,
    ToolResults,
    UserMessage,
)
from goldwright.llm.reply_parsing import ReplyError, read_reply
from goldwright.llm.reply_schema import reply_schema
from goldwright.records import Record

# Models that think before they write count their thoughts as output.
MOST_OUTPUT_TOKENS: Final = 1024
# A small model may miss what is asked once, and still be able to do it.
MOST_ATTEMPTS: Final = 2

WORD: Final = "heron-4127"
"""No model says it by itself."""

SYSTEM: Final = "You are tried out: whether you can call a tool, and answer by a form."
LOOK_UP: Final = Tool(
    "look_up",
    "Look up the word that is kept under a name.",
    {
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
        "additionalProperties": False,
    },
)
TASK: Final = (
    'Call the tool look_up with the name "test". Then answer with the word that it gives you, as '
    'the JSON object {"word": "..."} and nothing else.'
)
TASK_WITHOUT_TOOLS: Final = (
    f'Answer with the word {WORD}, as the JSON object {{"word": "..."}} and nothing else.'
)
CALL_FIRST: Final = "Call the tool look_up now, before you answer."
ANSWER_NOW: Final = "The tools are closed now. Answer with the JSON object."

CALLS_NO_TOOLS: Final = (
    "calls no tools, so it can play no role but the judge (does the server need a switch for "
    "them, as vLLM's --enable-auto-tool-choice?)"
)
WRITES_NO_FORM: Final = "calls tools, but does not answer by a JSON schema"
WRITES_NO_FORM_EITHER: Final = "does not answer by a JSON schema"
READS_NO_RESULTS: Final = "calls tools, but does not use what they give back"
DOES_AS_TOLD_NOT: Final = "answers by a JSON schema, but not what it was told to"


class WordReply(Record):
    """The form of the answer."""

    word: str


@dataclass
class AbilityCheck:
    """What one model can do.

    Attributes:
        provider: Answers for the model.
        model: Its name.
        item: The work item that the requests belong to.
        needs_tools: Whether a role that it is to play has tools.
        exchanges: Every request that was answered, with its reply.
    """

    provider: Provider
    model: str
    item: str
    needs_tools: bool = True
    exchanges: list[tuple[Request, Reply]] = field(default_factory=list)

    async def find_problem(self) -> str | None:
        """Play the exchange; gives what the model or its server cannot do, None for nothing.

        Raises:
            ProviderFault: An attempt brought no reply.
            GoldwrightError: There is no sense in trying again.
        """
        if not self.needs_tools:
            turns: list[Message] = [UserMessage(TASK_WITHOUT_TOOLS)]
            return await self._find_problem_of_form(turns, WRITES_NO_FORM_EITHER, DOES_AS_TOLD_NOT)
        turns = [UserMessage(TASK)]
        for _ in range(MOST_ATTEMPTS):
            reply = await self._ask(turns, is_closed=False)
            uses = reply.tool_uses
            if reply.stop == "tools" and uses:
                results = tuple(ToolResult(use.call_id, use.name, WORD) for use in uses)
                turns += [AssistantMessage(reply.echo), ToolResults(results, ANSWER_NOW)]
                return await self._find_problem_of_form(turns, WRITES_NO_FORM, READS_NO_RESULTS)
            if reply.text.strip():
                turns += [AssistantMessage(reply.echo), UserMessage(CALL_FIRST)]
        return CALLS_NO_TOOLS

    async def _find_problem_of_form(
        self, turns: list[Message], no_form: str, other_word: str
    ) -> str | None:
        problem = no_form
        for _ in range(MOST_ATTEMPTS):
            reply = await self._ask(turns, is_closed=True)
            try:
                word = read_reply(reply.text, WordReply).word
            except ReplyError:
                problem = no_form
                if reply.text.strip():
                    turns += [AssistantMessage(reply.echo), UserMessage(ANSWER_NOW)]
                continue
            if WORD in word:
                return None
            problem = other_word
        return problem

    async def _ask(self, turns: list[Message], *, is_closed: bool) -> Reply:
        tools = (LOOK_UP,) if self.needs_tools else ()
        schema = reply_schema(WordReply) if is_closed else None
        request = Request(
            item=self.item,
            model=self.model,
            system=SYSTEM,
            turns=tuple(turns),
            tools=tools,
            tools_closed=is_closed and self.needs_tools,
            schema=schema,
            max_output_tokens=MOST_OUTPUT_TOKENS,
        )
        reply = await self.provider.ask(request)
        self.exchanges.append((request, reply))
        return reply
