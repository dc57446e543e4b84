"""The narrative judge played by a model; it has no tools and sees no code."""

import json

from goldwright.agents.live.loop import Brief
from goldwright.agents.live.seat import Seat
from goldwright.agents.live.spotlight import masked
from goldwright.agents.roles import JudgeWork
from goldwright.llm.replies import read_reply
from goldwright.llm.schema import reply_schema
from goldwright.records import VerdictDraft


class LiveJudge:
    """Has a model compare a narrative with the findings."""

    def __init__(self, seat: Seat) -> None:
        self.identity = seat.identity
        self._seat = seat

    async def play(self, work: JudgeWork) -> VerdictDraft:
        """Ask for one verdict."""
        values = {
            "query": json.dumps(masked(work.query_text)),
            "narrative": json.dumps(masked(work.narrative)),
            "findings": json.dumps(masked(work.findings)),
        }
        rules, task = self._seat.prompts.halves("judge", values)
        brief = Brief(
            item=f"judge:{work.query_id}",
            model=self._seat.model,
            system=rules,
            task=task,
            schema=reply_schema(VerdictDraft),
            read=lambda text: read_reply(text, VerdictDraft),
            max_output_tokens=4096,
        )
        return await self._seat.play(brief)
