"""Every fusion by name."""

from collections.abc import Mapping
from typing import Final

from goldwright.errors import InputError
from goldwright.retrieval.fusions.port import Fusion
from goldwright.retrieval.fusions.reciprocal_ranks import add_reciprocal_ranks
from goldwright.retrieval.fusions.scaled_scores import add_scaled_scores
from goldwright.retrieval.fusions.z_scores import add_z_scores

FUSIONS: Final[Mapping[str, Fusion]] = {
    "zscore": add_z_scores,
    "rrf": add_reciprocal_ranks,
    "weighted": add_scaled_scores,
}
DEFAULT_FUSION: Final = "zscore"


def find_fusion(name: str) -> Fusion:
    """Find a fusion.

    Raises:
        InputError: No fusion has this name.
    """
    if name not in FUSIONS:
        names = ", ".join(FUSIONS)
        raise InputError(f"{name}: no fusion; wanted one of {names}")
    return FUSIONS[name]
