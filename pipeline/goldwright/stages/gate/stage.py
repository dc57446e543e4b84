"""The gate's stage: code lets an answer pass, or writes down every failure of it."""

from dataclasses import dataclass, replace
from functools import partial

from goldwright.agents.declined_cases import decline_unreadable
from goldwright.engine.ordered_log import OrderedLog
from goldwright.records import AdversaryReport, CheckFailure, GateFailure
from goldwright.stages import stage_graph
from goldwright.stages.case_state import CaseState, cell_fields
from goldwright.stages.context import StageContext
from goldwright.stages.gate.gate import run_gate


@dataclass(frozen=True, slots=True)
class GateStage:
    """Puts an answer through every check of the gate.

    Attributes:
        context: What all stages share.
        failures: The file of the answers that failed.
        reports: The file of the next stage, which shows who has passed: a pass leaves no record.
        stage: Which stage it is.
    """

    context: StageContext
    failures: OrderedLog[GateFailure]
    reports: OrderedLog[AdversaryReport]
    stage: stage_graph.Stage = stage_graph.GATE

    def recall(self, case: CaseState) -> CaseState | None:
        """Take the failure that is in the file; an answer with a report has passed."""
        if case.query_id in self.failures.done:
            return replace(case, ending="failed_gate")
        if case.query_id in self.reports.done:
            return replace(case, passed_gate=True)
        return None

    async def compute(self, case: CaseState) -> tuple[CheckFailure, ...]:
        """Run the checks.

        Raises:
            RoleRefusedError: They failed over a file, so nobody knows whether the answer passes.
        """
        snapshot = self.context.snapshot
        answer = case.known_answer()
        shown_ranges = self.context.transcript.shown("oracle", case.query_id)
        check = partial(run_gate, answer, snapshot, shown_ranges, intent=case.candidate.intent)
        return decline_unreadable(snapshot, case.candidate, "checking by the gate", check)

    def write(self, place: int, case: CaseState, failures: tuple[CheckFailure, ...]) -> CaseState:
        """Write the failures, if there are any; a pass leaves no record."""
        if not failures:
            return replace(case, passed_gate=True)
        fields = {
            **cell_fields(case.candidate),
            "failures": failures,
            "created_at": self.context.now(),
        }
        record = GateFailure.model_validate(fields)
        self.failures.settle(place, record)
        return replace(case, ending="failed_gate")
