"""Who the embedded agents are, as records name them; known without loading them."""

from collections.abc import Mapping
from typing import Final

# A number rises with every change of what an agent says, so that records tell the versions apart.
OFFLINE_IDENTITIES: Final[Mapping[str, str]] = {
    "author": "agent:author:offline-2",
    "oracle": "agent:oracle:offline-2",
    "adversary": "agent:adversary:offline-2",
    "completeness": "agent:completeness:offline-1",
    "judge": "agent:judge:offline-2",
}
