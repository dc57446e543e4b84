"""All kinds of statements, and the reading of a sentence whose kind is not known."""

from typing import Final

from goldwright.offline_agents.statements.advises import Advises
from goldwright.offline_agents.statements.assigned import Assigned
from goldwright.offline_agents.statements.call_handling import CallHandling
from goldwright.offline_agents.statements.caught_from import CaughtFrom
from goldwright.offline_agents.statements.changes_inside import ChangesInside
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.handles import Handles
from goldwright.offline_agents.statements.keeps_attributes import KeepsAttributes
from goldwright.offline_agents.statements.keeps_results import KeepsResults, OnlyClearers
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.must_define import MayDefine, MustDefine
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.only_catchers import OnlyCatchers
from goldwright.offline_agents.statements.only_changers import OnlyChangers, OnlyDroppers
from goldwright.offline_agents.statements.only_makers import OnlyMakers
from goldwright.offline_agents.statements.only_subclasses import OnlySubclasses
from goldwright.offline_agents.statements.parameter import ParameterDefault
from goldwright.offline_agents.statements.raises import Raises
from goldwright.offline_agents.statements.returned import Returned
from goldwright.offline_agents.statements.starts_as import StartsAs
from goldwright.offline_agents.statements.statement import Statement
from goldwright.offline_agents.statements.stores_item import StoresItem
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
    DefinedIn,
    MustDefine,
    MayDefine,
    OnlySubclasses,
    CaughtFrom,
    OnlyCatchers,
    StoresItem,
    OnlyChangers,
    OnlyDroppers,
    KeepsResults,
    OnlyClearers,
    StartsAs,
    OnlyMakers,
    KeepsAttributes,
    Warns,
    Advises,
    ChangesInside,
)


def read_statement(sentence: str) -> Statement | None:
    """Read a sentence back; None for one that no kind could have written."""
    for kind in STATEMENTS:
        statement = kind.read(sentence)
        if statement is not None:
            return statement
    return None
