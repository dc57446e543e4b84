"""The tool under test, as an agent meets it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class ToolReply:
    """What the tool returned: the text that an agent reads, and the ids in it, best first."""

    text: str
    ids: tuple[str, ...]


class SearchTool(Protocol):
    """A tool that finds places for a question."""

    def search(self, question: str) -> ToolReply:
        """Search.

        Raises:
            RetrieverError: It is out of reach, died, or is too slow.
            InputError: Its reply has the wrong form.
        """
        ...

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Call one of the tools on offer as a model does; gives the text of its result.

        Raises:
            RetrieverError: It is out of reach, died, is too slow, or says that the call failed.
            InputError: Its reply has the wrong form, or an argument has.
        """
        ...

    def is_alive(self) -> bool:
        """Whether it can still be called: a server that died cannot."""
        ...


@dataclass(frozen=True, slots=True)
class AgentTool:
    """A tool as it is described to an agent; ``schema`` is the JSON schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Handshake:
    """How a tool presented itself.

    Attributes:
        name: The tool as reports name it.
        server: Name and version that an MCP server gave; empty for other tools.
        tools: The names of all tools on offer.
        tools_sha256: Digest of their names, descriptions and schemas.
        schemas: The text of these, which every turn of the arm with the tool pays for.
    """

    name: str
    server: str
    tools: tuple[str, ...]
    tools_sha256: str
    schemas: str


@dataclass(frozen=True, slots=True)
class ToolSurface:
    """A tool that answered its handshake, and what it offers."""

    handshake: Handshake
    tool: SearchTool
    offers: tuple[AgentTool, ...] = ()


NATIVE_TOOLS: Mapping[str, Mapping[str, Any]] = {
    "list": {"description": "List paths below a folder or matching a glob.", "pattern": "string"},
    "grep": {"description": "Find lines that hold a text.", "text": "string", "path": "string"},
    "read": {
        "description": "Read lines of a file.",
        "path": "string",
        "first": "integer",
        "last": "integer",
    },
}
"""What both arms have; the text of this is what their schemas cost."""
