"""All kinds of inquiries."""

from collections.abc import Mapping
from typing import Final

from goldwright.offline_agents.inquiries.inquiry import Inquiry
from goldwright.offline_agents.inquiries.raise_condition import RaiseCondition

INQUIRIES: Final[tuple[Inquiry, ...]] = (RaiseCondition(),)

BY_KIND: Final[Mapping[str, Inquiry]] = {inquiry.kind: inquiry for inquiry in INQUIRIES}
