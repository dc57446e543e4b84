"""The tools of a searcher: those of the codebase, and those of the tool under test beside them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from goldwright.agents.toolset import Toolset
from goldwright.errors import InputError, RetrieverError
from goldwright.live_agents.draft_submission import CHECK_DRAFT, SUBMIT
from goldwright.live_agents.model_tools import ModelTools
from goldwright.live_agents.output_rendering import OutputRenderer
from goldwright.live_agents.untrusted_markers import MarkSource, fence
from goldwright.llm.port import Tool, ToolResult, ToolUse
from goldwright.scanners.secrets import mask_secrets

# What all providers take as the name of a tool.
_UNFIT: Final = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST_NAME: Final = 64
_SCALARS: Final = frozenset({"string", "integer", "number", "boolean"})
# As our own tools: more of one result would crowd out the others.
_LONGEST_RESULT: Final = 32 * 1024
_NO_OBJECT: Final = "the arguments are no JSON object"


class OfferedTool(Protocol):
    """A tool under test as its server describes it; ``schema`` is that of its arguments."""

    @property
    def name(self) -> str:
        """Its name at the server."""
        ...

    @property
    def description(self) -> str:
        """What an agent reads about it."""
        ...

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON schema of its arguments."""
        ...


class ToolServer(Protocol):
    """Runs calls of the tools under test."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Give the text of the result; other conversations go on while it is waited for.

        Raises:
            RetrieverError: It is out of reach, died, is too slow, or says that the call failed.
            InputError: Its reply has the wrong form, or an argument has.
        """
        ...


@dataclass(frozen=True, slots=True)
class ToolsUnderTest:
    """What a server offers, and the server."""

    offers: Sequence[OfferedTool]
    server: ToolServer


class SearcherTools(ModelTools):
    """Runs a model's calls at a toolset, or at the tool under test.

    Attributes:
        calls: Calls of any tool that were run.
        uptake: Calls of the tool under test that returned something.
        errors: Calls of it that failed.
    """

    def __init__(
        self,
        toolset: Toolset,
        renderer: OutputRenderer,
        marks: MarkSource,
        under_test: ToolsUnderTest | None,
        requests: Callable[[], int],
    ) -> None:
        """Offer the tools.

        Args:
            toolset: Of the codebase.
            renderer: Writes its results.
            marks: Fence them in.
            under_test: What is offered beside them.
            requests: Gives how often the model was asked so far.
        """
        super().__init__(toolset, renderer, marks)
        self._requests = requests
        self._results: list[tuple[int, int]] = []
        self.calls = 0
        self.uptake = 0
        self.errors = 0
        self._server = under_test.server if under_test else None
        self._offers: dict[str, OfferedTool] = {}
        taken_names = {tool.name for tool in self.tools} | {SUBMIT, CHECK_DRAFT}
        for offer in under_test.offers if under_test else ():
            name = _name_for(offer.name, taken_names)
            taken_names.add(name)
            self._offers[name] = offer
            schema = closed_schema(offer.schema)
            self.tools = (*self.tools, Tool(name, offer.description, schema))

    def characters_read(self) -> int:
        """The characters of all results, as often as later requests held them."""
        requests = self._requests()
        return sum(length * max(requests - shown_at, 0) for length, shown_at in self._results)

    async def run(self, use: ToolUse) -> ToolResult:
        """Run one call; the result says so where it cannot be run."""
        self.calls += 1
        result = await self._run(use)
        self._results.append((len(result.text), self._requests()))
        return result

    async def _run(self, use: ToolUse) -> ToolResult:
        offer = self._offers.get(use.name)
        if offer is None or self._server is None:
            return self._run_own(use)
        if use.arguments is None:
            self.bad_calls += 1
            return ToolResult(use.call_id, use.name, _NO_OBJECT, is_error=True)
        self.bad_calls = 0
        given_arguments = {
            name: value for name, value in use.arguments.items() if value is not None
        }
        try:
            text = await self._server.call(offer.name, given_arguments)
        except (RetrieverError, InputError) as error:
            self.errors += 1
            return ToolResult(use.call_id, use.name, str(error), is_error=True)
        self.uptake += 1
        shown_text = mask_secrets(text)[:_LONGEST_RESULT]
        self.shown_characters += len(shown_text)
        mark = self._marks.at(self.calls)
        return ToolResult(use.call_id, use.name, fence(f"{use.name}:", shown_text, mark))

    def problem_of(self, use: ToolUse) -> str | None:
        """Say why a call cannot be run; None for one that can."""
        if use.name not in self._offers:
            return super().problem_of(use)
        return _NO_OBJECT if use.arguments is None else None


def closed_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Write the schema of a server's tool in the subset that all providers take.

    Every argument is required, and one that may be left out may be null; what is neither a scalar
    nor a list of scalars is left to the server's own default.
    """
    required = schema.get("required")
    demanded = required if isinstance(required, list) else []
    properties: dict[str, Any] = {}
    for name, argument in _mapping(schema.get("properties")).items():
        kind = _kind_of(_mapping(argument))
        if kind is None:
            continue
        if name not in demanded:
            kind["type"] = [kind["type"], "null"]
        description = _mapping(argument).get("description")
        if description:
            kind["description"] = str(description)
        properties[name] = kind
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _kind_of(argument: Mapping[str, Any]) -> dict[str, Any] | None:
    # Unions with null, as servers write an argument that may be left out.
    choices = argument.get("anyOf")
    listed = choices if isinstance(choices, list) else []
    stated_type = argument.get("type")
    kinds = stated_type if isinstance(stated_type, list) else [stated_type]
    kinds = [*kinds, *(_mapping(choice).get("type") for choice in listed)]
    names = [name for name in kinds if isinstance(name, str)]
    kind = next((name for name in names if name in {*_SCALARS, "array"}), None)
    if kind in _SCALARS:
        return {"type": kind}
    items = _mapping(argument.get("items")).get("type") if kind == "array" else None
    if isinstance(items, str) and items in _SCALARS:
        return {"type": "array", "items": {"type": items}}
    return None


def _mapping(value: object) -> Mapping[str, Any]:
    """What a foreign server wrote where an object belongs; empty for anything else."""
    return value if isinstance(value, Mapping) else {}


def _name_for(name: str, taken_names: set[str]) -> str:
    fit = _UNFIT.sub("_", name)[:_LONGEST_NAME]
    return f"server_{fit}"[:_LONGEST_NAME] if fit in taken_names else fit
