"""Which tool of an MCP server is asked, and which parameters take the question and the limit.

The tool is the requested one; otherwise the only one; otherwise the only one with ``search``,
``retriev`` or ``find`` in its name; otherwise the only one with such a word in its description.

The question goes to the one required parameter that takes a text. Where several are required, or
none is, it goes to the one with the first name of ``QUESTION_NAMES`` that is there, or to the only
one that takes a text.

The limit goes to the parameter that takes a whole number and has the first name of ``LIMIT_NAMES``
that is there, and it is lowered to the ``maximum`` of that parameter. In both lists names are
compared without case, underscores and hyphens.

Any further required parameter is an error, because its value is not known.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from goldwright.errors import InputError
from goldwright.text import make_visible, shorten

SEARCH_WORDS: Final = ("search", "retriev", "find")
QUESTION_NAMES: Final = (
    "query",
    "q",
    "question",
    "searchquery",
    "search",
    "text",
    "prompt",
    "input",
    "keywords",
)
LIMIT_NAMES: Final = (
    "limit",
    "k",
    "topk",
    "n",
    "topn",
    "maxresults",
    "numresults",
    "nresults",
    "count",
    "size",
)
# Names in a message, and characters of each.
_MOST_LISTED: Final = 8
_LONGEST_NAME: Final = 60

# The JSON schemas of a tool's parameters by their names.
_Parameters: TypeAlias = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """A tool as a server offers it.

    Attributes:
        name: The name to call it by.
        description: What it does; may be empty.
        schema: The JSON schema of its arguments.
    """

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """The tool that is asked, and how.

    Attributes:
        name: The name of the tool.
        question_parameter: The parameter for the question.
        limit_parameter: The parameter for the limit; None where it has none.
        largest_limit: The largest value that this parameter takes; None for any.
    """

    name: str
    question_parameter: str
    limit_parameter: str | None = None
    largest_limit: int | None = None

    def arguments(self, text: str, limit: int) -> dict[str, object]:
        """Return the arguments for one question."""
        arguments: dict[str, object] = {self.question_parameter: text}
        if self.limit_parameter is not None:
            if self.largest_limit is not None:
                limit = min(limit, self.largest_limit)
            arguments[self.limit_parameter] = limit
        return arguments


def choose_tool(offers: Sequence[ToolOffer], requested_name: str | None) -> ToolChoice:
    """Choose a tool and its parameters by the rule of this module.

    Raises:
        InputError: No tool fits, or several do, or its parameters do not; the text lists what the
            server offers.
    """
    offer = _requested_or_only_tool(offers, requested_name)
    parameters = _parameters(offer)
    declared = offer.schema.get("required", ())
    required = [name for name in declared if name in parameters]
    question_parameter = _question_parameter(offer, parameters, required)
    limit_parameter = _limit_parameter(parameters)
    filled = {question_parameter, limit_parameter}
    unfilled = [name for name in required if name not in filled]
    unknown = [name for name in unfilled if "default" not in parameters[name]]
    if unknown:
        tool = _shown(offer.name)
        names = _listed(unknown)
        raise InputError(f"the tool {tool} also requires {names}, whose value is not known")
    largest_limit = _largest_limit(parameters, limit_parameter)
    return ToolChoice(offer.name, question_parameter, limit_parameter, largest_limit)


def _requested_or_only_tool(offers: Sequence[ToolOffer], requested_name: str | None) -> ToolOffer:
    all_names = _listed(offer.name for offer in offers)
    if requested_name is not None:
        for offer in offers:
            if offer.name == requested_name:
                return offer
        raise InputError(f"has no tool {requested_name!r}; it has {all_names}")
    named_for_search = [offer for offer in offers if _mentions_search(offer.name)]
    described_for_search = [offer for offer in offers if _mentions_search(offer.description)]
    for candidates in (offers, named_for_search, described_for_search):
        if len(candidates) == 1:
            return candidates[0]
    raise InputError(f"has {all_names}; name the tool to ask, as in mcp:TOOL@SERVER")


def _mentions_search(text: str) -> bool:
    lower_text = text.lower()
    return any(word in lower_text for word in SEARCH_WORDS)


def _parameters(offer: ToolOffer) -> _Parameters:
    """Return the parameters whose schema is an object; servers may send anything."""
    properties = offer.schema.get("properties", {})
    if not isinstance(properties, Mapping):
        return {}
    return {name: schema for name, schema in properties.items() if isinstance(schema, Mapping)}


def _question_parameter(offer: ToolOffer, parameters: _Parameters, required: Sequence[str]) -> str:
    texts = _names_accepting(parameters, ("string",))
    required_texts = [name for name in texts if name in required]
    for candidates in (required_texts, texts):
        if len(candidates) == 1:
            return candidates[0]
        preferred = _first_preferred(QUESTION_NAMES, candidates)
        if preferred is not None:
            return preferred
    tool = _shown(offer.name)
    names = _listed(parameters)
    raise InputError(f"the tool {tool} has no parameter for the question; it has {names}")


def _limit_parameter(parameters: _Parameters) -> str | None:
    numbers = _names_accepting(parameters, ("integer", "number"))
    return _first_preferred(LIMIT_NAMES, numbers)


def _largest_limit(parameters: _Parameters, limit_parameter: str | None) -> int | None:
    if limit_parameter is None:
        return None
    largest = parameters[limit_parameter].get("maximum")
    if isinstance(largest, int | float):
        return int(largest)
    return None


def _names_accepting(parameters: _Parameters, kinds: Sequence[str]) -> list[str]:
    """List the parameters that take a value of one of these kinds of JSON values."""
    return [name for name, schema in parameters.items() if _accepts(schema, kinds)]


def _accepts(schema: Mapping[str, Any], kinds: Sequence[str]) -> bool:
    if "enum" in schema or "const" in schema:
        # Only certain values, among which no question and no limit will be.
        return False
    declared = schema.get("type")
    if not isinstance(declared, list):
        declared = [declared]
    if any(kind in kinds for kind in declared):
        return True
    one_of = schema.get("oneOf", ())
    alternatives = schema.get("anyOf", one_of)
    for alternative in alternatives:
        if isinstance(alternative, Mapping) and _accepts(alternative, kinds):
            return True
    return False


def _first_preferred(preferred: Iterable[str], names: Iterable[str]) -> str | None:
    """Return the name that is written like the first of the preferred ones."""
    name_by_spelling: dict[str, str] = {}
    for name in names:
        joined = name.replace("_", "").replace("-", "")
        spelling = joined.lower()
        name_by_spelling[spelling] = name
    for spelling in preferred:
        if spelling in name_by_spelling:
            return name_by_spelling[spelling]
    return None


def _shown(name: str) -> str:
    return shorten(make_visible(name), _LONGEST_NAME)


def _listed(names: Iterable[str]) -> str:
    all_names = list(names)
    if not all_names:
        return "none"
    shown_names = map(_shown, all_names[:_MOST_LISTED])
    listed = ", ".join(shown_names)
    hidden_count = len(all_names) - _MOST_LISTED
    if hidden_count > 0:
        return f"{listed} and {hidden_count} more"
    return listed
