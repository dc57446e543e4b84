"""The roles played by static analysis alone: no key, no network, no model."""

from goldwright.agents.offline.adversary import OfflineAdversary
from goldwright.agents.offline.judge import OfflineJudge
from goldwright.agents.offline.oracle import OfflineOracle

__all__ = ["OfflineAdversary", "OfflineJudge", "OfflineOracle"]
