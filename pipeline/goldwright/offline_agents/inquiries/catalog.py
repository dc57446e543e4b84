"""All kinds of inquiries."""

from collections.abc import Mapping
from typing import Final

from goldwright.offline_agents.inquiries.inquiry import Inquiry
from goldwright.offline_agents.inquiries.raise_condition import RaiseCondition
from goldwright.records import Intent

INQUIRIES: Final[tuple[Inquiry, ...]] = (RaiseCondition(),)

BY_KIND: Final[Mapping[str, Inquiry]] = {inquiry.kind: inquiry for inquiry in INQUIRIES}


def inquiry_of(intent: Intent | None) -> Inquiry | None:
    """Give the inquiry of an intent; None for a reason that none of them covers."""
    return None if intent is None else BY_KIND.get(intent.kind)
