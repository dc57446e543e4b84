"""The model that plays a role, and what it needs to play it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from goldwright.agents.toolset import Toolset
from goldwright.errors import QuarantineError, UnansweredError
from goldwright.live_agents.findings_in_prompts import findings_in_prompt
from goldwright.live_agents.model_tools import ModelTools
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.tool_loop import Brief, converse
from goldwright.live_agents.untrusted_markers import MarkSource
from goldwright.llm.call_journal import CallJournal
from goldwright.llm.port import Provider
from goldwright.llm.reply_schema import reply_schema
from goldwright.prompts import PromptLibrary
from goldwright.records import Record

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RoleClient:
    """One model in one role.

    Attributes:
        role: The role.
        model: The name of the model, without its provider.
        provider: Answers requests to the model.
        call_journal: Takes note of work that is given up.
        prompts: Holds the prompts of the role.
        secret: The run's own, from which the marks around material are drawn.
        findings: What people found wrong with the batch that this one replaces.
    """

    role: str
    model: str
    provider: Provider
    call_journal: CallJournal
    prompts: PromptLibrary
    secret: str
    findings: tuple[str, ...] = ()

    @property
    def identity(self) -> str:
        """The name of the agent in records."""
        return f"agent:{self.role}:{self.model}"

    @property
    def lessons(self) -> str:
        """The findings as a list for a prompt."""
        return findings_in_prompt(self.findings)

    def brief(
        self,
        item: str,
        prompt: str,
        values: Mapping[str, str],
        reply: type[Record],
        reader: Callable[[str], T],
    ) -> Brief[T]:
        """Make the brief of a piece of work.

        Args:
            item: The work item.
            prompt: The name of the prompt.
            values: What is put into the prompt.
            reply: The record that the model is to hand back, whose schema it is given.
            reader: Makes a value of such a reply, or raises a ``ReplyError``.
        """
        rules, task = self.prompts.halves(prompt, values)
        schema = reply_schema(reply)
        return Brief(item, self.model, rules, task, schema, reader)

    def open_tools(self, item: str, toolset: Toolset, renderer: OutputRenderer) -> ModelTools:
        """Give the model the tools of a toolset for one work item."""
        return ModelTools(toolset, renderer, MarkSource(self.secret, item))

    async def play(self, brief: Brief[T], tools: ModelTools | None = None) -> T:
        """Have the model do one piece of work.

        Work that is given up is noted, so that the next resume starts it over.

        Raises:
            QuarantineError: It was given up.
            RoleRefusedError: The model refuses.
        """
        try:
            return await converse(self.provider, brief, tools)
        except UnansweredError:
            # Its answers so far stay valid: the next resume goes on at the same request.
            raise
        except QuarantineError as error:
            self.call_journal.quarantine(brief.item, str(error))
            raise

    def give_up(self, item: str, why: str) -> QuarantineError:
        """Note that a piece of work was given up, and give the error that says so."""
        self.call_journal.quarantine(item, why)
        return QuarantineError(f"{item}: {self.model}: {why}")
