"""A seat at the table: the model that plays a role, and what it needs to play it."""

import json
from dataclasses import dataclass
from typing import TypeVar

from goldwright.agents.toolset import Toolset
from goldwright.errors import QuarantineError, UnansweredError
from goldwright.live_agents.model_tools import ModelTools
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.tool_loop import Brief, converse
from goldwright.live_agents.untrusted_markers import MarkSource, masked
from goldwright.llm.call_journal import CallJournal
from goldwright.llm.port import Provider
from goldwright.prompts import PromptLibrary

T = TypeVar("T")

NOTHING = "(none)"


@dataclass(frozen=True, slots=True)
class RoleClient:
    """One model in one role; ``secret`` is the run's own, from which the marks around material are
    drawn.

    ``findings`` are what people found wrong with the batch that this one replaces.
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
        """Who plays here, as records name it."""
        return f"agent:{self.role}:{self.model}"

    @property
    def lessons(self) -> str:
        """The findings as a list for a prompt, each as JSON, so that no text of them can pass for
        ours.
        """
        return "\n".join(f"- {json.dumps(masked(finding))}" for finding in self.findings) or NOTHING

    def toolbox(self, item: str, toolset: Toolset, renderer: OutputRenderer) -> ModelTools:
        """Put the tools of a desk into a model's hands."""
        return ModelTools(toolset, renderer, MarkSource(self.secret, item))

    async def play(self, brief: Brief[T], toolbox: ModelTools | None = None) -> T:
        """Have the model do one piece of work; what is given up is noted, so that the next resume
        begins anew.

        Raises:
            QuarantineError: It was given up.
            RoleRefusedError: The model refuses.
        """
        try:
            return await converse(self.provider, brief, toolbox)
        except UnansweredError:
            raise
        except QuarantineError as error:
            self.call_journal.quarantine(brief.item, str(error))
            raise

    def given_up(self, item: str, why: str) -> QuarantineError:
        """Note that a piece of work was given up, and give the error that says so."""
        self.call_journal.quarantine(item, why)
        return QuarantineError(f"{item}: {self.model}: {why}")
