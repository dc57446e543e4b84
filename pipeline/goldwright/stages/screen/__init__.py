"""The screen between the Author and everything else."""

from goldwright.stages.screen.near_repeats import repeats
from goldwright.stages.screen.rules import RULES, screen
from goldwright.stages.screen.screening_case import (
    AcceptedCandidates,
    ScreeningCase,
    ScreenRefusal,
)

__all__ = ["RULES", "AcceptedCandidates", "ScreenRefusal", "ScreeningCase", "repeats", "screen"]
