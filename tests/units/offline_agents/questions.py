"""Questions as an inquiry would make them, without any code behind them."""

from collections.abc import Mapping, Sequence
from typing import Any

from goldwright.offline_agents.inquiries.inquiry import Question
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent, IntentKind

EASY = Cell("locate", "easy")
MEDIUM = Cell("locate", "medium")


def question(
    *targets: str,
    cell: Cell = EASY,
    kind: IntentKind = "steps",
    phrasings: Sequence[str] = ("Where is it decided how the {thing} goes on?",),
    slots: Mapping[str, str] | None = None,
    detail: str = "",
    **fields: Any,
) -> Question:
    """Make a question about the first of some targets."""
    path = targets[0].partition("::")[0]
    lines = FileRange(file=path, start=1, end=2)
    return Question(
        cell,
        tuple(phrasings),
        {"thing": "shop"} if slots is None else slots,
        targets,
        Intent(kind=kind, subject=targets[0], lines=lines, detail=detail),
        **{"score": 0.5, **fields},
    )
