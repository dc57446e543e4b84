"""The tools of a toolset as a model calls them: declared, checked, run, and shown as material."""

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
    ToolError,
)
from goldwright.agents.toolset import Toolset
from goldwright.live_agents.output_rendering import OutputRenderer, ToolOutput
from goldwright.live_agents.untrusted_markers import MarkSource, fence
from goldwright.llm.port import Tool, ToolResult, ToolUse
from goldwright.text import counted, make_visible, shorten

Arguments = Mapping[str, Any]

_DEFAULT_COMMITS: Final = 20
_STRING: Final = {"type": "string"}
_OPTIONAL_INTEGER: Final = {"type": ["integer", "null"]}
_BOOLEAN: Final = {"type": "boolean"}
_WHOLE_FILE: Final = {"first": None, "last": None}


@dataclass(frozen=True, slots=True)
class _ToolSpec:
    """One tool.

    Attributes:
        description: What a model reads about it.
        arguments: The JSON schema of each argument; all of them are declared as required.
        call: Runs it at a toolset, with arguments that were checked.
        defaults: What stands for an argument that a call leaves out all the same, or that is null.
    """

    description: str
    arguments: Mapping[str, Mapping[str, Any]]
    call: Callable[[Toolset, Arguments], ToolOutput]
    defaults: Arguments


def _list(toolset: Toolset, arguments: Arguments) -> ListOutput:
    return toolset.list(arguments["pattern"])


def _search(toolset: Toolset, arguments: Arguments) -> SearchOutput:
    return toolset.search(
        arguments["pattern"],
        arguments["path"],
        literal=arguments["literal"],
        ignore_case=arguments["ignore_case"],
    )


def _read(toolset: Toolset, arguments: Arguments) -> ReadOutput:
    return toolset.read(arguments["path"], arguments["first"], arguments["last"])


def _outline(toolset: Toolset, arguments: Arguments) -> OutlineOutput:
    return toolset.outline(arguments["path"])


def _log(toolset: Toolset, arguments: Arguments) -> LogOutput:
    limit = arguments["limit"] or _DEFAULT_COMMITS
    return toolset.log(arguments["path"] or None, limit)


def _blame(toolset: Toolset, arguments: Arguments) -> BlameOutput:
    return toolset.blame(arguments["path"], arguments["first"], arguments["last"])


# The order and the texts are a part of every request: to change them is to change the key of every
# call, and what providers have cached.
_SPECS: Final[Mapping[str, _ToolSpec]] = {
    "list": _ToolSpec(
        "List the files below a folder, or those that match a glob such as src/**/*.py. "
        "An empty pattern lists all.",
        {"pattern": _STRING},
        _list,
        {"pattern": ""},
    ),
    "search": _ToolSpec(
        "Find lines that match a regular expression (RE2), or a literal text, "
        "in all files or below a path.",
        {"pattern": _STRING, "path": _STRING, "literal": _BOOLEAN, "ignore_case": _BOOLEAN},
        _search,
        {"path": "", "literal": False, "ignore_case": False},
    ),
    "read": _ToolSpec(
        "Read numbered lines of a file, from first to last (1-based, inclusive); "
        "null stands for its start or end.",
        {"path": _STRING, "first": _OPTIONAL_INTEGER, "last": _OPTIONAL_INTEGER},
        _read,
        _WHOLE_FILE,
    ),
    "outline": _ToolSpec(
        "List the functions, classes and methods of a Python file with their lines.",
        {"path": _STRING},
        _outline,
        {},
    ),
    "log": _ToolSpec(
        "List the latest commits, of one file or folder where a path is given; null takes 20.",
        {"path": _STRING, "limit": _OPTIONAL_INTEGER},
        _log,
        {"path": "", "limit": None},
    ),
    "blame": _ToolSpec(
        "Tell which commit last changed each of some lines of a file; "
        "null takes its start or its end.",
        {"path": _STRING, "first": _OPTIONAL_INTEGER, "last": _OPTIONAL_INTEGER},
        _blame,
        _WHOLE_FILE,
    ),
}


def declare_tools(names: frozenset[str]) -> tuple[Tool, ...]:
    """Declare tools to a model, always in the same order."""
    tools: list[Tool] = []
    for name, spec in _SPECS.items():
        if name in names:
            schema = _closed_schema(spec.arguments)
            tools.append(Tool(name, spec.description, schema))
    return tuple(tools)


class ModelTools:
    """Runs a model's calls at one toolset.

    Attributes:
        tools: The tools as they are declared to the model.
        bad_calls: Calls in a row of tools that do not exist, or with wrong arguments.
        shown_characters: The length of all results that were shown, in characters.
    """

    def __init__(self, toolset: Toolset, renderer: OutputRenderer, marks: MarkSource) -> None:
        self.tools = declare_tools(toolset.tools)
        self.bad_calls = 0
        self.shown_characters = 0
        self._toolset = toolset
        self._renderer = renderer
        self._marks = marks

    async def run(self, use: ToolUse) -> ToolResult:
        """Run one call; the result says so where it cannot be run."""
        return self._run_own(use)

    def _run_own(self, use: ToolUse) -> ToolResult:
        """Run one call at the toolset, which waits for nothing."""
        problem = self.problem_of(use)
        if problem is not None or use.arguments is None:
            self.bad_calls += 1
            self.slip("bad_call")
            return _error_result(use, problem or "")
        self.bad_calls = 0
        spec = _SPECS[use.name]
        try:
            output = spec.call(self._toolset, _with_defaults(use.arguments, spec))
        except ToolError as error:
            return _error_result(use, str(error))
        text = self._show(use, output)
        self.shown_characters += len(text)
        return ToolResult(use.call_id, use.name, text)

    def slip(self, kind: str) -> None:
        """Count something that the model has to put right."""
        self._toolset.slip(kind)

    def problem_of(self, use: ToolUse) -> str | None:
        """Say why a call cannot be run; None for one that can."""
        names = [tool.name for tool in self.tools]
        if use.name not in names:
            # The name is the model's own: it may be long, and hold anything.
            name = shorten(make_visible(use.name), 60)
            tools = ", ".join(names)
            return f"there is no tool {name} here; the tools are {tools}"
        if use.arguments is None:
            return "the arguments are no JSON object"
        spec = _SPECS[use.name]
        schemas = spec.arguments
        arguments = _with_defaults(use.arguments, spec)
        if arguments.keys() != schemas.keys():
            names_of_arguments = ", ".join(schemas)
            return f"the arguments of {use.name} are exactly {names_of_arguments}"
        for name, value in arguments.items():
            schema = schemas[name]
            if not _matches_schema(value, schema):
                return f"{name}: wanted {schema['type']}"
        return None

    def _show(self, use: ToolUse, output: ToolOutput) -> str:
        """Render a result behind its title, and flag what in it is addressed to a model."""
        body = self._renderer.render(output)
        for flag in self._renderer.describe_suspicions(output):
            self._toolset.flag(flag)
        step, heading = output.step, _heading_of(output)
        title = f"step {step}, {use.name}: {heading}"
        return fence(title, body, self._marks.at(step))


def _error_result(use: ToolUse, text: str) -> ToolResult:
    return ToolResult(use.call_id, use.name, text, is_error=True)


def _closed_schema(arguments: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    # Strict modes of providers want every argument required; an optional one may be null.
    properties = {name: dict(schema) for name, schema in arguments.items()}
    return {
        "type": "object",
        "properties": properties,
        "required": list(arguments),
        "additionalProperties": False,
    }


def _with_defaults(arguments: Arguments, spec: _ToolSpec) -> Arguments:
    """Fill in what a call leaves out, as many models do whatever is declared as required."""
    given_arguments = {name: value for name, value in arguments.items() if value is not None}
    absent = {name: None for name in arguments if name not in given_arguments}
    return {**absent, **spec.defaults, **given_arguments}


def _matches_schema(value: object, schema: Mapping[str, Any]) -> bool:
    if schema == _STRING:
        return isinstance(value, str)
    if schema == _BOOLEAN:
        return isinstance(value, bool)
    if isinstance(value, bool):
        # In Python, True is an int too.
        return False
    return value is None or isinstance(value, int)


def _heading_of(output: ToolOutput) -> str:
    match output:
        case ReadOutput(path, first, last):
            visible_path = make_visible(path)
            return f"{visible_path} lines {first} to {last}"
        case ListOutput(total=total):
            return f"{counted(total, 'path')}"
        case SearchOutput(hits):
            return f"{counted(len(hits), 'line')}"
        case OutlineOutput(path) | BlameOutput(path):
            return make_visible(path)
        case LogOutput(entries):
            return f"{counted(len(entries), 'commit')}"
