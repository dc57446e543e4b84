"""All kinds of inquiries."""

from collections.abc import Mapping
from typing import Final

from goldwright.offline_agents.inquiries.cache_lifetime import CacheLifetime
from goldwright.offline_agents.inquiries.caller_coping import CallerCoping
from goldwright.offline_agents.inquiries.callers import Callers
from goldwright.offline_agents.inquiries.class_role import ClassRole
from goldwright.offline_agents.inquiries.commented_reason import CommentedReason
from goldwright.offline_agents.inquiries.contract import Contract
from goldwright.offline_agents.inquiries.default_value import DefaultValue
from goldwright.offline_agents.inquiries.deprecation import Deprecation
from goldwright.offline_agents.inquiries.error_translation import ErrorTranslation
from goldwright.offline_agents.inquiries.family import Family
from goldwright.offline_agents.inquiries.hidden_error import HiddenError
from goldwright.offline_agents.inquiries.inquiry import Inquiry
from goldwright.offline_agents.inquiries.library_call import LibraryCall
from goldwright.offline_agents.inquiries.literal_use import LiteralUseInquiry
from goldwright.offline_agents.inquiries.log_meaning import LogMeaning
from goldwright.offline_agents.inquiries.message_origin import MessageOrigin
from goldwright.offline_agents.inquiries.option_readers import OptionReaders
from goldwright.offline_agents.inquiries.outcomes import Outcomes
from goldwright.offline_agents.inquiries.parameter_path import ParameterPath
from goldwright.offline_agents.inquiries.raise_condition import RaiseCondition
from goldwright.offline_agents.inquiries.shared_state import SharedState
from goldwright.offline_agents.inquiries.steps import Steps
from goldwright.offline_agents.inquiries.swallowed_error import SwallowedError
from goldwright.offline_agents.inquiries.table_additions import TableAdditions
from goldwright.records import Intent

INQUIRIES: Final[tuple[Inquiry, ...]] = (
    RaiseCondition(),
    MessageOrigin(),
    CallerCoping(),
    Outcomes(),
    SwallowedError(),
    LogMeaning(),
    Contract(),
    LiteralUseInquiry(),
    LibraryCall(),
    OptionReaders(),
    TableAdditions(),
    ErrorTranslation(),
    HiddenError(),
    CacheLifetime(),
    DefaultValue(),
    CommentedReason(),
    Steps(),
    Deprecation(),
    ClassRole(),
    SharedState(),
    Callers(),
    ParameterPath(),
    Family(),
)

BY_KIND: Final[Mapping[str, Inquiry]] = {inquiry.kind: inquiry for inquiry in INQUIRIES}


def inquiry_of(intent: Intent | None) -> Inquiry | None:
    """Give the inquiry of an intent; None for a reason that none of them covers."""
    return None if intent is None else BY_KIND.get(intent.kind)
