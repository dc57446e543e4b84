"""The one skeleton of every stage in which a role plays: Oracle, Adversary and judge."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from goldwright.agents.toolset import Toolset
from goldwright.engine.ordered_log import OrderedLog
from goldwright.records import QueryCandidate, QueryRecord, Record
from goldwright.stages.case_state import CaseState
from goldwright.stages.context import RoleOutput, StageContext
from goldwright.stages.stage_graph import Stage

D = TypeVar("D", bound=Record)
R = TypeVar("R", bound=QueryRecord)


@dataclass(frozen=True, slots=True)
class RoleStage(Generic[D, R]):
    """Has a role do one work item for each case, and writes its draft as a record.

    Attributes:
        stage: Which stage it is.
        identity: Who plays.
        play: Makes the draft of a case with tools of its own.
        tools: Which tools a query calls for; empty for a role that has none.
        fields: The fields of the record that come from the candidate.
        record_type: The record that the draft becomes.
        log: The file of these records.
        keep: Puts the record into the case.
        context: What all stages share.
    """

    stage: Stage
    identity: str
    play: Callable[[CaseState, Toolset], Awaitable[D]]
    tools: Callable[[QueryCandidate], frozenset[str]]
    fields: Callable[[QueryCandidate], Mapping[str, object]]
    record_type: type[R]
    log: OrderedLog[R]
    keep: Callable[[CaseState, R], CaseState]
    context: StageContext

    def recall(self, case: CaseState) -> CaseState | None:
        """Take the record that stands in the file."""
        record = self.log.done.get(case.query_id)
        if record is None:
            return None
        return self.keep(case, record)

    async def compute(self, case: CaseState) -> RoleOutput[D]:
        """Have the role play, and write nothing.

        Raises:
            RoleRefusedError: It declines this piece of work.
            QuarantineError: It cannot be finished now.
        """
        play_case = partial(self.play, case)
        tools = self.tools(case.candidate)
        return await self.context.play(self.identity, play_case, tools)

    def write(self, place: int, case: CaseState, output: RoleOutput[D]) -> CaseState:
        """Write the record, behind the proof of what was read for it."""
        role = self.stage.role or self.stage.name
        # A judge reads nothing, so there is nothing to prove.
        if self.tools(case.candidate):
            self.context.record(role, case.query_id, output)
        item = f"{role}:{case.query_id}"
        shared_fields = self.fields(case.candidate)
        stamp = self.context.stamp(item, output)
        fields = {**shared_fields, **dict(output.draft), **stamp}
        record = self.record_type.model_validate(fields)
        self.log.settle(place, record)
        return self.keep(case, record)
