"""What the trials of a model would cost, before any is made."""

from dataclasses import dataclass
from typing import Final

from goldwright.app.models.cost_estimate import (
    BYTES_PER_TOKEN,
    QUICK,
    THOROUGH,
    RoleAssumption,
    usage_of_one_piece,
)
from goldwright.app.scoring.answer_judging import AnswerJudgeSetup
from goldwright.live_agents.code_searcher import PROMPT

# A search, two looks around and two readings are what most questions about code take.
_SEARCHER: Final = RoleAssumption(
    requests=6, shown_tokens=2000, reply_tokens=200, last_reply_tokens=300
)


@dataclass(frozen=True, slots=True)
class TrialsCost:
    """The cost of all trials in micro-dollars, and what the likely one rests on."""

    low: int
    likely: int
    high: int
    assumption: str


def estimate_trials(trials: int, setup: AnswerJudgeSetup) -> TrialsCost:
    """Estimate what some trials of a model cost."""
    prompt = setup.prompts.prompts[PROMPT]
    prompt_tokens = len(prompt.body) // BYTES_PER_TOKEN
    pricing = setup.role_model.pricing

    def cost(assumption: RoleAssumption) -> int:
        return trials * pricing.cost(usage_of_one_piece(assumption, prompt_tokens))

    low = cost(_SEARCHER.scaled(*QUICK))
    high = cost(_SEARCHER.scaled(*THOROUGH))
    return TrialsCost(low, cost(_SEARCHER), high, _SEARCHER.sentence)
