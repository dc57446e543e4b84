"""All kinds of statements, and the reading of a sentence whose kind is not known."""

from typing import Final

from goldwright.offline_agents.statements.advises import Advises
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.call_handling import CallHandling
from goldwright.offline_agents.statements.call_order import CallOrder
from goldwright.offline_agents.statements.calls_as import CallsAs
from goldwright.offline_agents.statements.caught_from import CaughtFrom
from goldwright.offline_agents.statements.changes_inside import ChangesInside
from goldwright.offline_agents.statements.commented import Commented
from goldwright.offline_agents.statements.declared_result import DeclaredResult
from goldwright.offline_agents.statements.deed import Deed
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.derives import Derives
from goldwright.offline_agents.statements.described import Described
from goldwright.offline_agents.statements.empty_method import EmptyMethod
from goldwright.offline_agents.statements.falls_back import FallsBack
from goldwright.offline_agents.statements.family_callers import FamilyCallers
from goldwright.offline_agents.statements.goes_on import GoesOn
from goldwright.offline_agents.statements.handles import Handles
from goldwright.offline_agents.statements.hands_on import HandsOn
from goldwright.offline_agents.statements.holds_text import HoldsText
from goldwright.offline_agents.statements.keeps_results import KeepsResults, OnlyClearers
from goldwright.offline_agents.statements.library_callers import LibraryCallers
from goldwright.offline_agents.statements.library_uncalled import LibraryUncalled
from goldwright.offline_agents.statements.literal_users import LiteralUsers
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.maps_to import MapsTo
from goldwright.offline_agents.statements.module_purpose import ModulePurpose
from goldwright.offline_agents.statements.must_define import MayDefine, MustDefine
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.only_catchers import OnlyCatchers
from goldwright.offline_agents.statements.only_changers import OnlyChangers, OnlyDroppers
from goldwright.offline_agents.statements.only_holder import OnlyHolder
from goldwright.offline_agents.statements.only_makers import OnlyMakers
from goldwright.offline_agents.statements.only_subclasses import OnlySubclasses
from goldwright.offline_agents.statements.only_takers import OnlyTakers
from goldwright.offline_agents.statements.overridden_by import OverriddenBy
from goldwright.offline_agents.statements.overrides import Overrides
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.passes import Passes
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.reasoned import Reasoned
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.runs import Runs
from goldwright.offline_agents.statements.set_by_subclasses import SetBySubclasses
from goldwright.offline_agents.statements.starts_as import StartsAs
from goldwright.offline_agents.statements.statement import Statement
from goldwright.offline_agents.statements.stored import Stored
from goldwright.offline_agents.statements.stores_item import StoresItem
from goldwright.offline_agents.statements.table_users import TableUsers
from goldwright.offline_agents.statements.takes import Takes
from goldwright.offline_agents.statements.tries import Tries
from goldwright.offline_agents.statements.warns import Warns

STATEMENTS: Final[tuple[type[Statement], ...]] = (
    Raises,
    Returned,
    Assigned,
    ParameterDefault,
    CallHandling,
    OnlyCallers,
    Logs,
    Handles,
    GoesOn,
    DefinedIn,
    MustDefine,
    MayDefine,
    OnlySubclasses,
    LiteralUsers,
    LibraryCallers,
    LibraryUncalled,
    Runs,
    Stored,
    Passes,
    Described,
    MapsTo,
    TableUsers,
    Derives,
    CaughtFrom,
    OnlyCatchers,
    StoresItem,
    OnlyChangers,
    OnlyDroppers,
    KeepsResults,
    OnlyClearers,
    StartsAs,
    Takes,
    FallsBack,
    Reasoned,
    CallOrder,
    CallsAs,
    OnlyMakers,
    Warns,
    Advises,
    ChangesInside,
    OverriddenBy,
    HandsOn,
    OnlyTakers,
    FamilyCallers,
    Overrides,
    DeclaredResult,
    SetBySubclasses,
    EmptyMethod,
    OnlyHolder,
    HoldsText,
    Tries,
    Commented,
    ModulePurpose,
)

DEEDS: Final[tuple[type[Deed], ...]] = tuple(kind for kind in STATEMENTS if issubclass(kind, Deed))
"""The kinds that are told as what a function does."""

DEED_VERBS: Final = tuple(verb for kind in DEEDS for verb in kind.verbs)
"""The verbs by which sentences tell deeds, as in "`pay` sets `x` to `1`"."""


def read_statement(sentence: str) -> Statement | None:
    """Read a sentence back; None for one that no kind could have written."""
    for kind in STATEMENTS:
        statement = kind.read(sentence)
        if statement is not None:
            return statement
    return None
