"""Connecting the tool under test, and what it says of itself."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Any, Final

from goldwright.app.environment import Environment
from goldwright.benefit.surface import AgentTool, Handshake, ToolReply, ToolSurface
from goldwright.canonical import canonical_json, digest
from goldwright.errors import InputError
from goldwright.retrieval.connections.port import RetrieverQuery
from goldwright.retrieval.connections.spec import connect, retriever_name
from goldwright.snapshot import Snapshot

# How many results a search brings, as agents usually ask.
_RESULTS: Final = 5
# A retriever that is no server is offered to the agent as this tool.
_PLAIN_NAME: Final = "search_code"
_PLAIN_ARGUMENTS: Final = {"query": {"type": "string"}}
_PLAIN_OFFER: Final = {
    "name": _PLAIN_NAME,
    "description": "Find the entities of the codebase that answer a question.",
    "schema": {"query": "string", "limit": "integer"},
}


@contextmanager
def open_tool(
    spec: str, snapshot: Snapshot, environment: Environment, *, seconds: float
) -> Iterator[ToolSurface]:
    """Start the tool and read its handshake; the end of the block closes it.

    Raises:
        InputError: There is no such tool.
        RetrieverError: It did not start, or does not answer.
    """
    connected = connect(
        spec,
        snapshot,
        root=environment.root,
        seconds=seconds,
        cache=environment.cache,
        environment=environment.variables,
    )
    with connected as connection:
        offers = _offers(spec, connection)
        handshake = _handshake(spec, connection)
        yield ToolSurface(handshake, _ConnectedTool(connection), offers)


def _handshake(spec: str, connection: Any) -> Handshake:
    offers = [_PLAIN_OFFER]
    name, server = retriever_name(spec), ""
    if spec.startswith("mcp:"):
        name, server = connection.name, connection.server
        offers = [
            {"name": offer.name, "description": offer.description, "schema": dict(offer.schema)}
            for offer in connection.offers
        ]
    tool_names = tuple(str(offer["name"]) for offer in offers)
    return Handshake(
        name=name,
        server=server,
        tools=tool_names,
        tools_sha256=digest(offers),
        schemas=canonical_json(offers),
    )


def _offers(spec: str, connection: Any) -> tuple[AgentTool, ...]:
    if spec.startswith("mcp:"):
        return tuple(
            AgentTool(offer.name, offer.description, offer.schema) for offer in connection.offers
        )
    schema = {"type": "object", "properties": _PLAIN_ARGUMENTS, "required": ["query"]}
    return (AgentTool(_PLAIN_NAME, str(_PLAIN_OFFER["description"]), schema),)


class _ConnectedTool:
    """Asks a connection, one question at a time: it holds one session."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._lock = Lock()

    def is_alive(self) -> bool:
        if not hasattr(self._connection, "is_alive"):
            return True
        with self._lock:
            return bool(self._connection.is_alive())

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        if hasattr(self._connection, "call"):
            with self._lock:
                text: str = self._connection.call(name, arguments)
            return text
        question = arguments.get("query")
        if not isinstance(question, str) or not question:
            raise InputError("query: wanted a text")
        return self.search(question).text

    def search(self, question: str) -> ToolReply:
        query = RetrieverQuery(query_id="task", text=question, limit=_RESULTS)
        with self._lock:
            if hasattr(self._connection, "ask_for_text"):
                reply, text = self._connection.ask_for_text(query)
            else:
                reply, text = self._connection.ask(query), ""
        ranked_hits = sorted(reply.hits, key=lambda hit: -hit[1])
        ranked_ids = tuple(hit_id for hit_id, _ in ranked_hits)
        ids = ranked_ids[:_RESULTS]
        return ToolReply(text or canonical_json(ids), ids)
