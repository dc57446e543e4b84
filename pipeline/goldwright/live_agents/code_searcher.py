"""A searcher that is played by a model: it answers a question from what its tools show it."""

from dataclasses import dataclass
from typing import Final

from goldwright.agents.roles import RoleRefusedError
from goldwright.agents.toolset import Toolset
from goldwright.canonical import canonical_json
from goldwright.errors import QuarantineError, UnansweredError
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.searcher_tools import SearcherTools, ToolsUnderTest
from goldwright.live_agents.tool_loop import Brief, converse
from goldwright.live_agents.untrusted_markers import MarkSource, masked_json
from goldwright.llm.call_journal import CallJournal
from goldwright.llm.port import Provider
from goldwright.llm.reply_parsing import read_reply
from goldwright.llm.reply_schema import reply_schema
from goldwright.prompts import PromptLibrary
from goldwright.records import Record

PROMPT: Final = "code_searcher"
NATIVE_TOOLS: Final = frozenset({"list", "search", "read"})
"""What every agent has that is worth comparing with."""

_MOST_OUTPUT_TOKENS: Final = 8192


class SearcherReply(Record):
    """What the searcher hands back.

    Attributes:
        answer: A text; empty where the codebase does not hold the answer.
    """

    answer: str


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """What a conversation came to.

    Attributes:
        answer: What the model says; empty where it gave up or refused.
        calls: Calls of any tool.
        uptake: Calls of the tools under test that returned something.
        errors: Calls of these that failed.
        schema_characters: The length of the descriptions of all tools, as each request holds them.
        result_characters: The length of all results, as often as requests held them.
    """

    answer: str
    calls: int
    uptake: int
    errors: int
    schema_characters: int
    result_characters: int


@dataclass(frozen=True, slots=True)
class LiveCodeSearcher:
    """Has a model answer questions about a codebase.

    Attributes:
        model: Its name, without its provider.
        provider: Answers requests to it.
        journal: Holds what its calls came to.
        prompts: A library that holds the prompt.
        secret: The marks around material are drawn from it.
    """

    model: str
    provider: Provider
    journal: CallJournal
    prompts: PromptLibrary
    secret: str

    async def search(
        self, item: str, question: str, toolset: Toolset, under_test: ToolsUnderTest | None
    ) -> SearchOutcome:
        """Answer a question, under the name of a work item.

        Raises:
            UnansweredError: The provider did not answer; the next call goes on there.
            ProviderError: The provider refuses or is out of reach.
            BudgetError: The next call could pass the ceiling.
        """

        def requests() -> int:
            return self.journal.spent(item).calls

        renderer = OutputRenderer(toolset.snapshot)
        marks = MarkSource(self.secret, item)
        tools = SearcherTools(toolset, renderer, marks, under_test, requests)
        rules, task = self.prompts.halves(PROMPT, {"query": masked_json(question)})
        brief = Brief(
            item=item,
            model=self.model,
            system=rules,
            task=task,
            schema=reply_schema(SearcherReply),
            parse_reply=lambda text: read_reply(text, SearcherReply),
            max_output_tokens=_MOST_OUTPUT_TOKENS,
        )
        try:
            answer = (await converse(self.provider, brief, tools)).answer
        except UnansweredError:
            raise
        except (QuarantineError, RoleRefusedError):
            # The model's own failure is one of the arm.
            answer = ""
        schemas = canonical_json([tool.as_row() for tool in tools.tools])
        return SearchOutcome(
            answer=answer,
            calls=tools.calls,
            uptake=tools.uptake,
            errors=tools.errors,
            schema_characters=len(schemas),
            result_characters=tools.characters_read(),
        )
