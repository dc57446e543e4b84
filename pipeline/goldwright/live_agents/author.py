"""The Author played by a model."""

import json
from typing import Final

from goldwright.agents.roles import AuthorWork, RoleRefusedError
from goldwright.agents.toolset import Toolset
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.role_client import NOTHING, RoleClient
from goldwright.live_agents.tool_loop import Brief
from goldwright.live_agents.untrusted_markers import masked
from goldwright.llm.reply_parsing import read_reply
from goldwright.llm.reply_schema import reply_schema
from goldwright.records import CandidateDraft, Record
from goldwright.task_types import definition_of

MOST_ACCEPTED: Final = 100
WHOLE_CODEBASE: Final = "the whole codebase"


class CandidateBatch(Record):
    """What an Author hands back."""

    candidates: tuple[CandidateDraft, ...]


class LiveAuthor:
    """Has a model write the candidates of one cell."""

    def __init__(self, client: RoleClient, renderer: OutputRenderer) -> None:
        self.identity = client.identity
        self._client = client
        self._renderer = renderer

    async def play(self, work: AuthorWork, toolset: Toolset) -> tuple[CandidateDraft, ...]:
        """Ask for as many candidates as the work wants; what comes beyond that is cut off by the
        stage.
        """
        item = f"author:{work.round}:{work.cell}"
        toolbox = self._client.toolbox(item, toolset, self._renderer)
        try:
            emission = await self._client.play(self._brief(item, work), toolbox)
        except RoleRefusedError as refusal:
            # There is no record yet that a person could decide on.
            raise self._client.given_up(item, f"refused: {refusal}") from refusal
        return emission.candidates

    def _brief(self, item: str, work: AuthorWork) -> Brief[CandidateBatch]:
        values = {
            "task_type": work.cell.task_type,
            "difficulty": work.cell.difficulty,
            "count": str(work.count),
            "scope": work.focus_area or WHOLE_CODEBASE,
            "plan": "\n".join(f"- {cell}: {count}" for cell, count in work.cells),
            "accepted": _accepted(work),
            "lessons": self._client.lessons,
        }
        rules, task = self._client.prompts.halves("author_preamble", values)
        kind = self._client.prompts.render_declared(definition_of(work.cell.task_type).prompt, values)
        return Brief(
            item=item,
            model=self._client.model,
            system=f"{rules}\n{kind}",
            task=task,
            schema=reply_schema(CandidateBatch),
            read=lambda text: read_reply(text, CandidateBatch),
        )


def _accepted(work: AuthorWork) -> str:
    """List what stands already, that of the cell first, as JSON, so that no text of it can pass for
    ours.
    """
    nearest = sorted(work.accepted, key=lambda one: one.task_type != work.cell.task_type)
    rows = [
        json.dumps(masked([one.query_text, *one.target_entity_ids]))
        for one in nearest[:MOST_ACCEPTED]
    ]
    return "\n".join(rows) or NOTHING
