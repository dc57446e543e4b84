"""The mechanical gate: pure code that lets an answer pass or says which claims do not hold."""

from goldwright.stages.gate.answers import check_answers
from goldwright.stages.gate.gate import run_gate

__all__ = ["check_answers", "run_gate"]
