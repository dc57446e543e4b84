"""How to ask why of what a comment says: "skip it here" becomes "Why do we skip it here"."""

import re
from collections.abc import Sequence
from typing import Final

from goldwright.offline_agents.inquiries.deeds import is_spoken
from goldwright.snapshot.identifiers import is_code_shaped

# Verbs that comments begin with when they say what the code below does.
_IMPERATIVES: Final = frozenset(
    """
    use skip ignore keep make set add remove check avoid copy call return store wrap force reset
    convert disable enable strip import raise close wait create handle allow clear get put run try
    treat prefer replace save load update delete find patch escape sort split parse compute mark
    drop pass send write read start stop defer delay override restore preserve normalize define
    register encode decode cache resolve flush limit exclude include apply leave move bypass catch
    relabel rename divide transform orient insert append combine swap clean open hook sleep give
    cut round order forgive print look tee wake detach attach lock unlock release acquire kill shut
    flatten merge
    """.split()
)
# Verbs that need nothing to be done to.
_INTRANSITIVE: Final = frozenset("cut round order wait sleep stop start write read look".split())
_ADVERBS: Final = frozenset("only always explicitly manually temporarily first also".split())
# Behind a verb these words begin something else than the thing that it is done to.
_NO_OBJECTS: Final = frozenset(
    """
    as to by in on at from for with without into of if when while and or but before after is are was
    be not up out off over until via
    """.split()
)
# What goes before "we" in a question: "we can't return it" is asked as "why can't we return it".
_FINITE: Final = re.compile(
    r"\b(?:would|will|could|can|may|might|must|should|is|are|was|were|has|does|makes|breaks|fails)\b"
)
_AUXILIARY: Final = re.compile(
    r"(?:are|could|did|do|have|may|might|must|should|were|would)(?:n't)?|can(?:'t)?|cannot|will|won't"
)


def as_why_clause(why: str) -> str:
    """Put a question behind another clause: "Why can't we close it" as "why we can't close it"."""
    plain = why.replace("Why do we ", "why we ")
    return re.sub(rf"^Why ({_AUXILIARY.pattern}) we ", r"why we \1 ", plain)


def why_question(claim: str) -> str:
    """Make a question of what a comment says; empty where that would be no good English.

    Args:
        claim: What a comment says, without its reason: two words or more.
    """
    words = claim.split()
    if not _is_plain_english(claim, words):
        return ""
    predicate = _of_ourselves(words)
    if not predicate and _is_order(words):
        predicate = f"do we {_with_small_letter(words)}"
    return f"Why {predicate}" if predicate else ""


def _is_plain_english(claim: str, words: Sequence[str]) -> bool:
    is_code = any(is_code_shaped(word.strip(".,;:()'")) for word in words)
    # Notes leave articles out, and are quoted as they stand.
    is_note = not is_spoken(words[1:])
    has_signs = re.search(r"[=\[\]{}<>|#()/_;.:]", claim) is not None
    return not (is_code or is_note or has_signs)


def _of_ourselves(words: Sequence[str]) -> str:
    """Turn "we can't close it" or "calling it" round, as it stands behind "why"; else empty."""
    first, second = words[0].lower(), words[1].lower()
    behind_first = " ".join(words[1:])
    if first == "don't":
        return f"don't we {behind_first}"
    if first == "we" and _AUXILIARY.fullmatch(second):
        predicate = " ".join(words[2:])
        return f"{second} we {predicate}"
    if first == "we":
        return f"do we {behind_first}"
    # "Calling it here would be too late" is a sentence of its own, and no reason for a call.
    is_call = first == "calling" and not _FINITE.search(behind_first)
    return f"do we call {behind_first}" if is_call else ""


def _is_order(words: Sequence[str]) -> bool:
    """Find out whether words say what to do, and to what, as in "always close the file"."""
    first, second = words[0].lower(), words[1].lower()
    if first in _ADVERBS and second in _IMPERATIVES and len(words) > 2:
        return words[2].lower() not in _NO_OBJECTS
    # "Set as default" lacks the thing that is set, and no question can be made of it.
    is_whole = second not in _NO_OBJECTS or first in _INTRANSITIVE
    return first in _IMPERATIVES and is_whole


def _with_small_letter(words: Sequence[str]) -> str:
    return " ".join((words[0].lower(), *words[1:]))
