"""The offline Author: one agenda a round, dealt out to the cells that ask for their share."""

from typing import Final

from goldwright.agents.roles import AuthorWork
from goldwright.agents.toolset import Toolset
from goldwright.offline_agents.author.assignment import Assignment, assign
from goldwright.offline_agents.author.codebase_survey import CodebaseSurvey, survey_codebase
from goldwright.offline_agents.author.context import AuthorContext
from goldwright.records import CandidateDraft
from goldwright.snapshot import Snapshot

# A top-up round shuffles anew, so that what the screen refused is not simply proposed again.
ROUND_STRIDE: Final = 1_000_003


class OfflineAuthor:
    """Writes queries from what developers wrote about their own code; the same seed gives the same
    queries.
    """

    identity = "agent:author:offline-1"

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._survey: CodebaseSurvey | None = None
        self._agendas: dict[tuple[object, ...], Assignment] = {}

    async def play(self, work: AuthorWork, toolset: Toolset) -> tuple[CandidateDraft, ...]:
        """Give the drafts of one cell out of the agenda of its round, and read their targets at the
        desk.
        """
        drafts = self.agenda(work)[work.cell][: work.count]
        for target in dict.fromkeys(
            target for draft in drafts for target in draft.target_entity_ids
        ):
            entity = self._snapshot.entity(target)
            if entity is not None:
                toolset.read(entity.path, entity.spans[0].first, entity.spans[0].last)
        return drafts

    def agenda(self, work: AuthorWork) -> Assignment:
        """Deal the round that a piece of work belongs to, once for all of its cells."""
        key = (
            work.seed,
            work.round,
            work.cells,
            work.focus_area,
            tuple(one.query_id for one in work.accepted),
        )
        if key not in self._agendas:
            if self._survey is None:
                self._survey = survey_codebase(self._snapshot)
            ground = AuthorContext(
                self._snapshot, self._survey, work.seed + ROUND_STRIDE * work.round
            )
            self._agendas[key] = assign(ground, work.cells, work.accepted, work.focus_area)
        return self._agendas[key]
