"""The tools of a desk as a model calls them: declared, checked, carried out, and shown as material."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from goldwright.agents.tools.outputs import (
    BlameOutput,
    ListOutput,
    LogOutput,
    OutlineOutput,
    ReadOutput,
    SearchOutput,
)
from goldwright.agents.toolset import ToolError, Toolset
from goldwright.live_agents.output_rendering import OutputRenderer, ToolOutput
from goldwright.live_agents.untrusted_markers import MarkSource, fenced
from goldwright.llm.port import Tool, ToolResult, ToolUse
from goldwright.text import make_visible, shorten

_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": ["integer", "null"]}
_CHOICE: Final = {"type": "boolean"}
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int, type(None)),
}


@dataclass(frozen=True, slots=True)
class _ToolSpec:
    """One tool: what a model reads about it, its arguments, and what it does at a desk."""

    description: str
    arguments: Mapping[str, Mapping[str, Any]]
    call: Callable[[Toolset, Mapping[str, Any]], ToolOutput]


_KINDS: Final[Mapping[str, _ToolSpec]] = {
    "list": _ToolSpec(
        "List the files below a folder, or those that match a glob such as src/**/*.py. An empty pattern lists all.",
        {"pattern": _TEXT},
        lambda toolset, given: toolset.list(given["pattern"]),
    ),
    "search": _ToolSpec(
        "Find lines that match a regular expression (RE2), or a literal text, in all files or below a path.",
        {"pattern": _TEXT, "path": _TEXT, "literal": _CHOICE, "ignore_case": _CHOICE},
        lambda toolset, given: toolset.search(
            given["pattern"],
            given["path"],
            literal=given["literal"],
            ignore_case=given["ignore_case"],
        ),
    ),
    "read": _ToolSpec(
        "Read numbered lines of a file, from first to last (1-based, inclusive); null stands for its start or end.",
        {"path": _TEXT, "first": _NUMBER, "last": _NUMBER},
        lambda toolset, given: toolset.read(given["path"], given["first"], given["last"]),
    ),
    "outline": _ToolSpec(
        "List the functions, classes and methods of a Python file with their lines.",
        {"path": _TEXT},
        lambda toolset, given: toolset.outline(given["path"]),
    ),
    "log": _ToolSpec(
        "List the latest commits, of one file or folder where a path is given; null takes 20.",
        {"path": _TEXT, "limit": _NUMBER},
        lambda toolset, given: toolset.log(given["path"] or None, given["limit"] or 20),
    ),
    "blame": _ToolSpec(
        "Tell which commit last changed each of some lines of a file; null takes its start or its end.",
        {"path": _TEXT, "first": _NUMBER, "last": _NUMBER},
        lambda toolset, given: toolset.blame(given["path"], given["first"], given["last"]),
    ),
}


def declared(names: frozenset[str]) -> tuple[Tool, ...]:
    """Declare tools to a model, always in the same order."""
    return tuple(
        Tool(name, kind.description, _closed(kind.arguments))
        for name, kind in _KINDS.items()
        if name in names
    )


class ModelTools:
    """Carries out a model's calls at one desk; ``flags`` are the lines shown that speak to a model."""

    def __init__(self, toolset: Toolset, renderer: OutputRenderer, mark: MarkSource) -> None:
        self.tools = declared(toolset.tools)
        self.bad_calls = 0
        self.shown_bytes = 0
        self._toolset = toolset
        self._renderer = renderer
        self._mark = mark

    def serve(self, use: ToolUse) -> ToolResult:
        """Carry out one call; what cannot be done is told to the model in the result."""
        problem = self._problem(use)
        if problem is not None or use.arguments is None:
            self.bad_calls += 1
            return ToolResult(use.call_id, use.name, problem or "", is_error=True)
        try:
            found = _KINDS[use.name].call(self._toolset, use.arguments)
        except ToolError as error:
            return ToolResult(use.call_id, use.name, str(error), is_error=True)
        text = self._told(use, found)
        self.shown_bytes += len(text)
        return ToolResult(use.call_id, use.name, text)

    def _problem(self, use: ToolUse) -> str | None:
        if use.name not in {tool.name for tool in self.tools}:
            names = ", ".join(tool.name for tool in self.tools)
            return f"there is no tool {shorten(make_visible(use.name), 60)} here; the tools are {names}"
        if use.arguments is None:
            return "the arguments are no JSON object"
        wanted = _KINDS[use.name].arguments
        if use.arguments.keys() != wanted.keys():
            return f"the arguments of {use.name} are exactly {', '.join(wanted)}"
        wrong = [name for name, value in use.arguments.items() if not _fits(value, wanted[name])]
        return f"{wrong[0]}: wanted {wanted[wrong[0]]['type']}" if wrong else None

    def _told(self, use: ToolUse, found: ToolOutput) -> str:
        body = self._renderer.body(found)
        for flag in self._renderer.suspected(found):
            self._toolset.flag(flag)
        title = f"step {found.step}, {use.name}: {_heading(found)}"
        return fenced(title, body, self._mark.at(found.step))


def _closed(arguments: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: dict(kind) for name, kind in arguments.items()},
        "required": list(arguments),
        "additionalProperties": False,
    }


def _fits(value: object, kind: Mapping[str, Any]) -> bool:
    named = kind["type"] if isinstance(kind["type"], str) else kind["type"][0]
    allowed = _TYPES[named]
    return isinstance(value, allowed) and (bool in allowed or not isinstance(value, bool))


def _heading(found: ToolOutput) -> str:
    match found:
        case ReadOutput(path, first, last):
            return f"{make_visible(path)} lines {first} to {last}"
        case ListOutput(total=total):
            return f"{total} paths"
        case SearchOutput(hits):
            return f"{len(hits)} lines"
        case OutlineOutput(path) | BlameOutput(path):
            return make_visible(path)
        case LogOutput(entries):
            return f"{len(entries)} commits"
