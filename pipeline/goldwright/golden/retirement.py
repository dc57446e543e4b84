"""Which agents' records are turned away more often than others', by a stated test."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from goldwright.stats.fisher import fisher_greater
from goldwright.stats.multiple import holm

ALPHA: Final = 0.05
FEWEST_RECORDS: Final = 20


@dataclass(frozen=True, slots=True)
class AgentRecord:
    """How an agent's records fared against those of all others in its role.

    ``p_value`` is Fisher's exact one-sided one that its rate of rejection is higher, adjusted for the number of
    agents (Holm); None where it or the others have fewer than 20 records, or there are no others.
    """

    agent: str
    rejected: int
    total: int
    others_rejected: int
    others_total: int
    p_value: float | None

    @property
    def is_to_retire(self) -> bool:
        """Tell whether its records are rejected at a significantly higher rate."""
        return self.p_value is not None and self.p_value < ALPHA


def judge_agents(fates: Mapping[str, Counter[bool]]) -> tuple[AgentRecord, ...]:
    """Compare each agent of one role with all the others.

    Args:
        fates: For each agent, how many of its records were rejected (True) and not (False).
    """
    everything = sum(fates.values(), Counter[bool]())
    raw: dict[str, float] = {}
    for agent, counts in fates.items():
        others = everything - counts
        if min(counts.total(), others.total()) >= FEWEST_RECORDS:
            raw[agent] = fisher_greater(counts[True], counts.total(), others[True], others.total())
    adjusted = holm(raw)
    return tuple(
        AgentRecord(
            agent=agent,
            rejected=counts[True],
            total=counts.total(),
            others_rejected=(everything - counts)[True],
            others_total=(everything - counts).total(),
            p_value=adjusted.get(agent),
        )
        for agent, counts in sorted(fates.items())
    )
