"""The screen between the Author and everything else."""

from goldwright.stages.screen.rules import RULES, repeats, screen
from goldwright.stages.screen.screening_case import (
    AcceptedCandidates,
    ScreeningCase,
    ScreenRefusal,
)

__all__ = ["RULES", "AcceptedCandidates", "ScreenRefusal", "ScreeningCase", "repeats", "screen"]
