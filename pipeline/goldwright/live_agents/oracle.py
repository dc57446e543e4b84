"""The Oracle played by a model."""

import json

from goldwright.agents.roles import OracleWork
from goldwright.agents.toolset import Toolset
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.role_client import NOTHING, RoleClient
from goldwright.live_agents.tool_loop import Brief
from goldwright.live_agents.untrusted_markers import masked
from goldwright.llm.reply_parsing import read_reply
from goldwright.llm.reply_schema import reply_schema
from goldwright.records import AnswerDraft, QueryCandidate


class LiveOracle:
    """Has a model answer one candidate; the gate decides afterwards what its answer is worth."""

    def __init__(self, seat: RoleClient, veil: OutputRenderer) -> None:
        self.identity = seat.identity
        self._seat = seat
        self._veil = veil

    async def play(self, work: OracleWork, desk: Toolset) -> AnswerDraft:
        """Ask for the answer to one candidate."""
        item = f"oracle:{work.candidate.query_id}"
        values = {
            "candidate": _question(work.candidate),
            "hint": json.dumps(masked(work.candidate.hint)) if work.candidate.hint else NOTHING,
            "lessons": self._seat.lessons,
        }
        rules, task = self._seat.prompts.halves("oracle", values)
        brief = Brief(
            item=item,
            model=self._seat.model,
            system=rules,
            task=task,
            schema=reply_schema(AnswerDraft),
            read=lambda text: read_reply(text, AnswerDraft),
        )
        return await self._seat.play(brief, self._seat.toolbox(item, desk, self._veil))


def _question(candidate: QueryCandidate) -> str:
    wanted = {"query_text", "task_type", "difficulty", "focus_area", "target_entity_ids"}
    return json.dumps(masked(candidate.model_dump(mode="json", include=wanted)))
