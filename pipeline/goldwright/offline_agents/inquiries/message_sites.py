"""The places where a function says something: an error that it raises, a line that it logs."""

from goldwright.code_reading.errors import RaiseSite, raise_sites
from goldwright.code_reading.log_calls import LogSite, log_sites
from goldwright.code_reading.modules import Function, Module
from goldwright.offline_agents.inquiries.inquiry import Lead
from goldwright.offline_agents.statements.logs import Logs
from goldwright.offline_agents.statements.raises import Raises


def message_sites(module: Module, function: Function) -> tuple[RaiseSite | LogSite, ...]:
    """List the errors that a function raises itself, and behind them what it logs."""
    return (*raise_sites(module, function), *log_sites(module, function))


def lead_of_message(kind: str, entity_id: str, site: RaiseSite | LogSite, detail: str) -> Lead:
    """Make a lead of a message, with its lines and its words.

    Args:
        kind: The kind of inquiry.
        entity_id: The entity that the question turns on.
        site: Where the message is said.
        detail: What is meant there beside its words.
    """
    return Lead(kind, entity_id, site.first, site.last, detail, site.message)


def how_it_is_said(statement: Raises | Logs) -> str:
    """Say in a predicate that a message is raised, or logged."""
    match statement:
        case Raises(error=error, message=message):
            return f"raises `{error}` with the message “{message}”"
        case Logs(level=level, message=message):
            return f"logs “{message}” as `{level}`"
