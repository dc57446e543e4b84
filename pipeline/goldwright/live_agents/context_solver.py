"""A solver that is played by a model: it answers a question from the documents of one trial."""

from typing import Final

from goldwright.live_agents.tool_loop import Brief, converse
from goldwright.live_agents.untrusted_markers import masked_json
from goldwright.llm.port import Provider
from goldwright.llm.reply_parsing import read_reply
from goldwright.llm.reply_schema import reply_schema
from goldwright.prompts import PromptLibrary
from goldwright.records import Record

PROMPT: Final = "context_solver"
# A module of some functions, with room for thinking before it.
MOST_OUTPUT_TOKENS: Final = 8192


class SolverReply(Record):
    """What the solver hands back.

    Attributes:
        answer: Code, a name or a text; empty where the documents do not hold it.
    """

    answer: str


class LiveContextSolver:
    """Has a model answer questions, each from the documents that it is shown with it."""

    def __init__(self, model: str, provider: Provider, prompts: PromptLibrary) -> None:
        """Take the name of a model, its provider, and a library that holds the prompt."""
        self._model = model
        self._provider = provider
        self._prompts = prompts

    async def answer(self, item: str, question: str, documents: str) -> str:
        """Ask for an answer, under the name of a work item.

        Raises:
            QuarantineError: It was given up.
            RoleRefusedError: The model refuses.
            ProviderError: The provider refuses or is out of reach.
        """
        values = {"query": masked_json(question), "documents": masked_json(documents)}
        rules, task = self._prompts.halves(PROMPT, values)
        brief = Brief(
            item=item,
            model=self._model,
            system=rules,
            task=task,
            schema=reply_schema(SolverReply),
            parse_reply=lambda text: read_reply(text, SolverReply),
            max_output_tokens=MOST_OUTPUT_TOKENS,
        )
        reply = await converse(self._provider, brief)
        return reply.answer
