"""The answer to a question whose reason is not known: what the targets do, one by one."""

from collections.abc import Iterator, Sequence

from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.inquiry import AnswerPart, AnswerPlan
from goldwright.offline_agents.inquiries.surroundings import find_statements
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.call_handling import CallHandling
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.statement import Finding

_KINDS = (Raises, Returned, ParameterDefault, CallHandling, Assigned)


class PlainReading:
    """What the Oracle falls back on: people's and models' questions come without a known reason."""

    def answer_for(self, targets: Sequence[str], code: CodeContext) -> AnswerPlan:
        """State what the targets do, one statement of each in turn."""
        existing_targets = [
            target for target in targets if code.snapshot.entity(target) is not None
        ]
        by_target = [list(find_statements(code, target, _KINDS)) for target in existing_targets]
        statements = tuple(_in_turn(by_target))
        names = ", ".join(
            f"`{name_of(target)}` in {path_of(target)}" for target in existing_targets
        )
        parts = [
            AnswerPart(target, "supporting" if place else "primary", "The question is about it.")
            for place, target in enumerate(existing_targets)
        ]
        facts, further = statements[:4], statements[4:]
        return AnswerPlan(
            parts=tuple(parts),
            opening=f"This is done by {names}.",
            facts=facts,
            context=further,
            neighbours=further,
        )


def _in_turn(lists: Sequence[Sequence[Finding]]) -> Iterator[Finding]:
    longest = max((len(findings) for findings in lists), default=0)
    for place in range(longest):
        for findings in lists:
            if place < len(findings):
                yield findings[place]
