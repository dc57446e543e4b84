"""The offline Author: a survey of the codebase, and its questions dealt to the cells of a round."""

from typing import Final

from goldwright.agents.offline_identities import OFFLINE_IDENTITIES
from goldwright.agents.roles import AuthorWork
from goldwright.agents.toolset import Toolset
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.questions.question_dealing import Dealt, deal_questions
from goldwright.offline_agents.survey.codebase_survey import CodebaseSurvey, survey_codebase
from goldwright.records import CandidateDraft, FileRange
from goldwright.snapshot import Snapshot
from goldwright.snapshot.garbage import keep_for_good

# A top-up round shuffles again, so that what the screen refused is not simply proposed once more.
ROUND_STRIDE: Final = 1_000_003


class OfflineAuthor:
    """Asks what the code itself makes worth asking; the same seed gives the same queries."""

    identity = OFFLINE_IDENTITIES["author"]

    def __init__(self, snapshot: Snapshot) -> None:
        self._code = CodeContext(snapshot)
        self._survey: CodebaseSurvey | None = None
        self._rounds: dict[tuple[object, ...], Dealt] = {}

    async def play(self, work: AuthorWork, toolset: Toolset) -> tuple[CandidateDraft, ...]:
        """Give the drafts of one cell, and read their targets."""
        deal = self._deal(work)[work.cell]
        drafts = deal.drafts[: work.count]
        if deal.shortfall is not None:
            toolset.note(*deal.shortfall.lines())
        targets = [target for draft in drafts for target in draft.target_entity_ids]
        for target in dict.fromkeys(targets):
            entity = self._code.snapshot.entity(target)
            if entity is not None:
                first_span = entity.spans[0]
                toolset.read(entity.path, first_span.first, first_span.last)
        for draft in drafts:
            # Of a long target a reading shows the beginning alone.
            if draft.intent is not None:
                _read_whole(draft.intent.lines, toolset)
        return drafts

    def _deal(self, work: AuthorWork) -> Dealt:
        """Deal the round that a piece of work belongs to, once for all of its cells."""
        accepted_ids = tuple(candidate.query_id for candidate in work.accepted)
        key = (work.seed, work.round, work.cells, work.focus_area, accepted_ids)
        if key not in self._rounds:
            if self._survey is None:
                self._survey = survey_codebase(self._code.snapshot)
                keep_for_good()
            round_seed = work.seed + ROUND_STRIDE * work.round
            self._rounds[key] = deal_questions(
                self._survey,
                self._code,
                work.cells,
                work.accepted,
                seed=round_seed,
                focus_area=work.focus_area,
            )
        return self._rounds[key]


def _read_whole(lines: FileRange, toolset: Toolset) -> None:
    """Read lines, as many at a time as are shown at once."""
    start = lines.start
    while start <= lines.end and not toolset.has_shown(lines):
        shown = toolset.read(lines.file, start, lines.end)
        if shown.last < start:
            return
        start = shown.last + 1
