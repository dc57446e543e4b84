"""Cases from a git history: what people wrote of a change, and what the change touched."""

from goldwright.mining.filters import FILTER_TITLES, FILTERS, Filter
from goldwright.mining.miner import Mined, mine_history
from goldwright.mining.settings import MiningSettings

__all__ = [
    "FILTERS",
    "FILTER_TITLES",
    "Filter",
    "Mined",
    "MiningSettings",
    "mine_history",
]
