"""Which tool of an MCP server is asked, and under which names it takes the question and the limit.

The tool is the one that was named; else the only one; else the only one whose name holds
``search``, ``retriev`` or ``find``; else the only one whose description does.

The question goes to the one required parameter that takes a text. Where several are required, or
none is, it goes to the one with a name of ``QUERIES``, the first of these that is there, or to the
only one that takes a text. The limit goes to the first parameter that takes a whole number and has
a name of ``LIMITS``, whatever its case and underscores; it is lowered to the ``maximum`` of that
parameter. A further required parameter ends it, for nobody can tell its value.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from goldwright.errors import InputError
from goldwright.text import make_visible, shorten

SPEAKING: Final = ("search", "retriev", "find")
QUERIES: Final = (
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
LIMITS: Final = (
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
_MOST_NAMED: Final = 8


@dataclass(frozen=True, slots=True)
class ToolOffer:
    """A tool as a server offers it."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """The tool that is asked, the parameter for the question, and those for the limit with its
    largest value.
    """

    tool: str
    query: str
    limit: str | None = None
    largest: int | None = None

    def arguments(self, text: str, limit: int) -> dict[str, object]:
        """The arguments for one question."""
        if self.limit is None:
            return {self.query: text}
        return {
            self.query: text,
            self.limit: limit if self.largest is None else min(limit, self.largest),
        }


def choose(offers: Sequence[ToolOffer], wanted: str | None) -> ToolChoice:
    """Choose a tool and its parameters by the rule of this module.

    Raises:
        InputError: No tool, or several, or none of its parameters fit; the text tells what there
            is.
    """
    offer = _tool(offers, wanted)
    properties = _properties(offer)
    required = [one for one in offer.schema.get("required", ()) if one in properties]
    query = _query(offer, properties, required)
    limit = _first(
        LIMITS, [name for name, one in properties.items() if _takes(one, "integer", "number")]
    )
    more = [
        one for one in required if one not in (query, limit) and "default" not in properties[one]
    ]
    if more:
        raise InputError(
            f"the tool {_shown(offer.name)} wants {_listed(more)} too, which nothing here can tell"
        )
    largest = properties[limit].get("maximum") if limit is not None else None
    return ToolChoice(
        offer.name, query, limit, int(largest) if isinstance(largest, int | float) else None
    )


def _tool(offers: Sequence[ToolOffer], wanted: str | None) -> ToolOffer:
    names = [one.name for one in offers]
    if wanted is not None:
        found = [one for one in offers if one.name == wanted]
        if not found:
            raise InputError(f"has no tool {wanted!r}; it has {_listed(names)}")
        return found[0]
    for fitting in (
        list(offers),
        [one for one in offers if _speaks(one.name)],
        [one for one in offers if _speaks(one.description)],
    ):
        if len(fitting) == 1:
            return fitting[0]
    raise InputError(f"has {_listed(names)}; name the tool to ask, as in mcp:TOOL@SERVER")


def _query(
    offer: ToolOffer, properties: Mapping[str, Mapping[str, Any]], required: Sequence[str]
) -> str:
    texts = [name for name, one in properties.items() if _takes(one, "string")]
    needed = [name for name in texts if name in required]
    for fitting in (needed, texts):
        found = fitting[0] if len(fitting) == 1 else _first(QUERIES, fitting)
        if found is not None:
            return found
    raise InputError(
        f"the tool {_shown(offer.name)} has no parameter that is the question; it has {_listed(properties)}"
    )


def _properties(offer: ToolOffer) -> Mapping[str, Mapping[str, Any]]:
    properties = offer.schema.get("properties", {})
    if not isinstance(properties, Mapping):
        return {}
    return {name: one for name, one in properties.items() if isinstance(one, Mapping)}


def _takes(schema: Mapping[str, Any], *kinds: str) -> bool:
    if "enum" in schema or "const" in schema:
        return False
    told = schema.get("type")
    listed = told if isinstance(told, list) else [told]
    ways = schema.get("anyOf", schema.get("oneOf", ()))
    return any(kind in listed for kind in kinds) or any(
        _takes(one, *kinds) for one in ways if isinstance(one, Mapping)
    )


def _first(wanted: Sequence[str], names: Iterable[str]) -> str | None:
    plain = {name.replace("_", "").replace("-", "").lower(): name for name in names}
    return next((plain[one] for one in wanted if one in plain), None)


def _speaks(text: str) -> bool:
    return any(word in text.lower() for word in SPEAKING)


def _shown(name: str) -> str:
    return shorten(make_visible(name), 60)


def _listed(names: Iterable[str]) -> str:
    all_names = list(names)
    more = f" and {len(all_names) - _MOST_NAMED} more" if len(all_names) > _MOST_NAMED else ""
    return ", ".join(map(_shown, all_names[:_MOST_NAMED])) + more if all_names else "none"
