"""The screen between the Author and everything else."""

from goldwright.stages.screen.rules import (
    RULES,
    AcceptedCandidates,
    ScreeningCase,
    ScreenRefusal,
    repeats,
    screen,
)

__all__ = ["RULES", "AcceptedCandidates", "ScreenRefusal", "ScreeningCase", "repeats", "screen"]
