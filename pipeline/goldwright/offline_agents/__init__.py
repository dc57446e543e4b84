"""The roles played by static analysis alone: no key, no network, no model."""

from goldwright.offline_agents.adversary import OfflineAdversary
from goldwright.offline_agents.completeness import OfflineCompletenessReader
from goldwright.offline_agents.judge import OfflineJudge
from goldwright.offline_agents.oracle import OfflineOracle

__all__ = ["OfflineAdversary", "OfflineCompletenessReader", "OfflineJudge", "OfflineOracle"]
