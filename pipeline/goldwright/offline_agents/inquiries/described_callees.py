"""Questions that describe a function by what it does, and want its callers.

In phrasings, ``{deed}`` follows "the function that".
"""

from collections.abc import Mapping
from typing import Final

from goldwright.offline_agents.inquiries.named_callees import (
    WITH_ARGUMENTS,
    WITH_DEEDS,
    WITH_SIGNATURE,
)

_EXTEND: Final = (
    "We have a function that {deed}. If I add a required parameter to it, which calls break?",
    "Who calls the function that {deed}, and with which arguments? I need to pass another one.",
    "I need to pass another flag to the function that {deed}. Where do we call it, and with what?",
    "We have a function that {deed}. I am changing its signature. Which calls are affected?",
)
_EXTEND_SIGNATURE: Final = (
    (
        "I want to add a parameter to the function that {deed}. What does it take now, and who "
        "calls it?"
    ),
    "We have a function that {deed}. What is its signature, and who calls it? It needs a flag.",
)
TWO_LEVELS: Final = (
    (
        "The function that {deed} needs a value that only the callers of its callers have. "
        "Which functions do I have to change?"
    ),
    (
        "I want to pass a new argument to the function that {deed}, and its callers have to get "
        "it from their own callers. Which functions do I have to change?"
    ),
    (
        "We have a function that {deed}. Another argument has to come from the callers of its "
        "callers. Which functions do I have to change?"
    ),
)
_GENERAL: Final = (
    "We have a function that {deed}. Who calls it, and what do they do with the result?",
    "Where is the result of the function that {deed} used, and for what?",
    "I want to change the result of the function that {deed}. Which callers use it, and how?",
)
WAYS_TO_ASK: Final[Mapping[str, tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]]] = {
    "extend": ((_EXTEND, WITH_ARGUMENTS), (_EXTEND_SIGNATURE, WITH_SIGNATURE)),
    "general": ((_GENERAL, WITH_DEEDS),),
}
