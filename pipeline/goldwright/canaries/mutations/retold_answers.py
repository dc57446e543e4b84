"""Answers rewritten from the code, with something else in mind than the question."""

from collections.abc import Collection, Mapping, Sequence

from goldwright.agents.toolset import Toolset
from goldwright.canaries.mutations.case import MutationCase
from goldwright.offline_agents.answers.answer_writing import write_answer
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan
from goldwright.offline_agents.oracle import draft_answer
from goldwright.offline_agents.statements.statement import Finding
from goldwright.records import AnswerDraft


def answer_fields(
    case: MutationCase, plan: AnswerPlan, code: CodeContext, unsaid: Collection[str] = ()
) -> Mapping[str, object] | None:
    """Write a plan as the fields of an answer; None where it is too little or too much for one.

    Args:
        case: The record.
        plan: What the answer says.
        code: Its codebase.
        unsaid: Words of which the narrative does not speak beside the facts.
    """
    new_answer = write_answer(plan, code, unsaid=unsaid)
    if new_answer is None:
        return None
    toolset = Toolset(case.snapshot)
    draft = draft_answer(plan.parts, new_answer, case.snapshot, toolset, is_whole=True)
    return {name: getattr(draft, name) for name in AnswerDraft.model_fields}


def without_sentence(findings: Sequence[Finding], sentence: str) -> tuple[Finding, ...]:
    """Leave out the findings that say one sentence."""
    return tuple(finding for finding in findings if finding.statement.sentence() != sentence)
