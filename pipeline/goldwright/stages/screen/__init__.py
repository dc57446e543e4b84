"""The screen between the Author and everything else."""

from goldwright.stages.screen.rules import RULES, Accepted, Refusal, Screened, repeats, screen

__all__ = ["RULES", "Accepted", "Refusal", "Screened", "repeats", "screen"]
