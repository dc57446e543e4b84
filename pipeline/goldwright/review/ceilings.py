"""The ceilings that a sample must stay below: the most findings with which a batch is blessed."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.plan import Plan
from goldwright.records import HumanVerdict
from goldwright.stages.stage_files import StageFiles

# Shares such as 0.07 of 100 lie just above a whole number in binary fractions.
_ROUNDING_SLACK: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Ceiling:
    """One limit on the findings in a sample.

    Attributes:
        name: What is limited, for people.
        found: How many findings there are.
        most: The largest number that still keeps the limit.
    """

    name: str
    found: int
    most: int

    @property
    def holds(self) -> bool:
        """Whether the sample keeps the limit."""
        return self.found <= self.most


def check_ceilings(
    plan: Plan, stage_files: StageFiles, verdicts: Mapping[str, HumanVerdict], *, sampled: int
) -> tuple[Ceiling, ...]:
    """Compare the verdicts on a sample with the ceilings of the plan.

    Args:
        plan: The plan of the run.
        stage_files: The records of the run.
        verdicts: The verdict on each record of the sample that has one.
        sampled: The size of the sample, which is what the ceilings are shares of.
    """
    counts = Counter(verdicts.values())
    bad = counts["major_issue"] + counts["wrong"]
    most_bad = largest_allowed(plan.major_ceiling, sampled)
    minor = counts["minor_issue"]
    most_minor = largest_allowed(plan.minor_ceiling, sampled)
    # One wrong answer to an easy query is one too many, however large the sample.
    wrong_on_easy = _wrong_on_easy(stage_files, verdicts)
    bad_name = f"major or wrong, below {plan.major_ceiling:.0%}"
    minor_name = f"minor, below {plan.minor_ceiling:.0%}"
    return (
        Ceiling(bad_name, bad, most_bad),
        Ceiling(minor_name, minor, most_minor),
        Ceiling("wrong on an easy query", wrong_on_easy, 0),
    )


def largest_allowed(ceiling: float, sampled: int) -> int:
    """The largest count whose share of the sample lies below a ceiling (0..1)."""
    smallest_breach = math.ceil(ceiling * sampled - _ROUNDING_SLACK)
    return max(smallest_breach - 1, 0)


def _wrong_on_easy(stage_files: StageFiles, verdicts: Mapping[str, HumanVerdict]) -> int:
    count = 0
    for query_id, verdict in verdicts.items():
        cell = stage_files.cell_of(query_id)
        count += verdict == "wrong" and cell.difficulty == "easy"
    return count
