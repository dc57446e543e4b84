"""Which tool of a server is asked, and how: one small rule, and a line on what there is where it
does not fit.
"""

from typing import Any

import pytest

from goldwright.errors import InputError
from goldwright.retrieval.connections.mcp_tool_choice import ToolChoice, ToolOffer, choose

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "integer"}
MAYBE: dict[str, Any] = {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}


def offer(name: str, description: str = "", /, **properties: dict[str, Any]) -> ToolOffer:
    """A tool whose parameters without a default are required."""
    required = [one for one, schema in properties.items() if "default" not in schema]
    return ToolOffer(
        name, description, {"type": "object", "properties": properties, "required": required}
    )


STATUS, SEARCH = offer("status"), offer("search_code", query=TEXT, top_k={**NUMBER, "default": 5})
LOOK, GIVE = (
    offer("look", "Finds code by its meaning.", q=TEXT),
    offer("give", "Gives a file.", path=TEXT),
)


@pytest.mark.parametrize(
    ("offers", "wanted", "tool"),
    [
        ([SEARCH], None, "search_code"),
        ([GIVE], None, "give"),
        ([STATUS, SEARCH, LOOK], None, "search_code"),
        ([STATUS, LOOK, GIVE], None, "look"),
        ([STATUS, SEARCH, GIVE], "give", "give"),
    ],
)
def test_the_tool_is_the_named_the_only_or_the_one_that_speaks_of_searching(
    offers: list[ToolOffer], wanted: str | None, tool: str
) -> None:
    assert choose(offers, wanted).tool == tool


@pytest.mark.parametrize(
    ("properties", "choice"),
    [
        ({"wherefrom": TEXT}, ToolChoice("t", "wherefrom")),
        ({"wherefrom": TEXT, "query": {**TEXT, "default": ""}}, ToolChoice("t", "wherefrom")),
        ({"text": TEXT, "question": {**TEXT}, "repo": {**TEXT, "default": "."}}, None),
        ({"lang": {**TEXT, "default": "py"}, "search_query": {**TEXT, "default": ""}}, ToolChoice("t", "search_query")),
        ({"mode": {**TEXT, "enum": ["a"], "default": "a"}, "ask": {**TEXT, "default": ""}}, ToolChoice("t", "ask")),
        ({"q": TEXT, "k": NUMBER}, ToolChoice("t", "q", "k")),
        ({"q": TEXT, "maxResults": {"type": "number", "maximum": 50}}, ToolChoice("t", "q", "maxResults", 50)),
        ({"q": {"type": ["string", "null"]}, "top_k": MAYBE}, ToolChoice("t", "q", "top_k")),
        ({"q": TEXT, "offset": {**NUMBER, "default": 0}, "limit": {**TEXT, "default": ""}}, ToolChoice("t", "q")),
    ],
)  # fmt: skip
def test_the_question_and_the_limit_go_where_the_rule_says(
    properties: dict[str, dict[str, Any]], choice: ToolChoice | None
) -> None:
    if choice is None:
        with pytest.raises(
            InputError, match="the tool t wants text too, which nothing here can tell"
        ):
            choose([offer("t", **properties)], None)
    else:
        assert choose([offer("t", **properties)], None) == choice


def test_the_limit_is_lowered_to_what_the_tool_allows() -> None:
    assert ToolChoice("t", "q", "k", 50).arguments("x", 100) == {"q": "x", "k": 50}
    assert ToolChoice("t", "q", "k").arguments("x", 100) == {"q": "x", "k": 100}
    assert ToolChoice("t", "q").arguments("x", 100) == {"q": "x"}


@pytest.mark.parametrize(
    ("offers", "wanted", "what"),
    [
        ([], None, "has none; name the tool"),
        ([STATUS, GIVE], None, "has status, give; name the tool to ask, as in mcp:TOOL@SERVER"),
        ([SEARCH, offer("find_code", q=TEXT)], None, "has search_code, find_code; name the tool"),
        ([STATUS, SEARCH], "Search_code", "has no tool 'Search_code'; it has status, search_code"),
        ([STATUS], None, "the tool status has no parameter that is the question; it has none"),
        ([offer("t", number=NUMBER)], None, "has no parameter that is the question; it has number"),
        (
            [offer("t", a={**TEXT, "default": ""}, b={**TEXT, "default": ""})],
            None,
            "has no parameter that is the",
        ),
        (
            [offer("t", query=TEXT, repo=TEXT)],
            None,
            "the tool t wants repo too, which nothing here can tell",
        ),
        (
            [ToolOffer("t", "", {"properties": ["query"]})],
            None,
            "has no parameter that is the question",
        ),
        (
            [offer(f"tool{number}") for number in range(20)],
            None,
            "tool7 and 12 more; name the tool",
        ),
    ],
)
def test_what_does_not_fit_is_told_with_what_there_is(
    offers: list[ToolOffer], wanted: str | None, what: str
) -> None:
    with pytest.raises(InputError) as caught:
        choose(offers, wanted)
    assert what in str(caught.value)
