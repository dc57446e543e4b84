"""Which tool of a server is asked, and how: one small rule, and a line on what there is where it
does not fit.
"""

from typing import Any

import pytest

from goldwright.errors import InputError
from goldwright.retrieval.connections.mcp_tool_choice import ToolChoice, ToolOffer, choose_tool

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "integer"}
OPTIONAL_TEXT: dict[str, Any] = {**TEXT, "default": ""}
OPTIONAL_NUMBER: dict[str, Any] = {**NUMBER, "default": 0}
ONE_OF_SOME: dict[str, Any] = {**TEXT, "enum": ["a"], "default": "a"}
UP_TO_50: dict[str, Any] = {"type": "number", "maximum": 50}
MAYBE: dict[str, Any] = {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}


def offer(name: str, description: str = "", /, **properties: dict[str, Any]) -> ToolOffer:
    """A tool whose parameters without a default are required."""
    required = [name for name, schema in properties.items() if "default" not in schema]
    return ToolOffer(
        name, description, {"type": "object", "properties": properties, "required": required}
    )


STATUS, SEARCH = offer("status"), offer("search_code", query=TEXT, top_k={**NUMBER, "default": 5})
LOOK = offer("look", "Finds code by its meaning.", q=TEXT)
GIVE = offer("give", "Gives a file.", path=TEXT)


@pytest.mark.parametrize(
    ("offers", "requested", "tool"),
    [
        ([SEARCH], None, "search_code"),
        ([GIVE], None, "give"),
        ([STATUS, SEARCH, LOOK], None, "search_code"),
        ([STATUS, LOOK, GIVE], None, "look"),
        ([STATUS, SEARCH, GIVE], "give", "give"),
    ],
)
def test_the_tool_is_the_named_the_only_or_the_one_that_speaks_of_searching(
    offers: list[ToolOffer], requested: str | None, tool: str
) -> None:
    assert choose_tool(offers, requested).name == tool


@pytest.mark.parametrize(
    ("properties", "choice"),
    [
        ({"wherefrom": TEXT}, ToolChoice("t", "wherefrom")),
        ({"wherefrom": TEXT, "query": OPTIONAL_TEXT}, ToolChoice("t", "wherefrom")),
        ({"lang": OPTIONAL_TEXT, "search_query": OPTIONAL_TEXT}, ToolChoice("t", "search_query")),
        ({"mode": ONE_OF_SOME, "ask": OPTIONAL_TEXT}, ToolChoice("t", "ask")),
        ({"q": TEXT, "k": NUMBER}, ToolChoice("t", "q", "k")),
        ({"q": TEXT, "maxResults": UP_TO_50}, ToolChoice("t", "q", "maxResults", 50)),
        ({"q": {"type": ["string", "null"]}, "top_k": MAYBE}, ToolChoice("t", "q", "top_k")),
        ({"q": TEXT, "offset": OPTIONAL_NUMBER, "limit": OPTIONAL_TEXT}, ToolChoice("t", "q")),
    ],
)
def test_the_question_and_the_limit_go_where_the_rule_says(
    properties: dict[str, dict[str, Any]], choice: ToolChoice
) -> None:
    assert choose_tool([offer("t", **properties)], None) == choice


def test_of_two_required_texts_the_one_without_the_preferred_name_has_no_value() -> None:
    with pytest.raises(InputError, match="the tool t also requires text, whose value is not known"):
        choose_tool([offer("t", text=TEXT, question=TEXT, repo=OPTIONAL_TEXT)], None)


def test_the_limit_is_lowered_to_what_the_tool_allows() -> None:
    assert ToolChoice("t", "q", "k", 50).arguments("x", 100) == {"q": "x", "k": 50}
    assert ToolChoice("t", "q", "k").arguments("x", 100) == {"q": "x", "k": 100}
    assert ToolChoice("t", "q").arguments("x", 100) == {"q": "x"}


@pytest.mark.parametrize(
    ("offers", "requested", "what"),
    [
        ([], None, "has none; name the tool"),
        ([STATUS, GIVE], None, "has status, give; name the tool to ask, as in mcp:TOOL@SERVER"),
        ([SEARCH, offer("find_code", q=TEXT)], None, "has search_code, find_code; name the tool"),
        ([STATUS, SEARCH], "Search_code", "has no tool 'Search_code'; it has status, search_code"),
        ([STATUS], None, "the tool status has no parameter for the question; it has none"),
        ([offer("t", number=NUMBER)], None, "has no parameter for the question; it has number"),
        (
            [offer("t", a=OPTIONAL_TEXT, b=OPTIONAL_TEXT)],
            None,
            "has no parameter for the",
        ),
        (
            [offer("t", query=TEXT, repo=TEXT)],
            None,
            "the tool t also requires repo, whose value is not known",
        ),
        (
            [ToolOffer("t", "", {"properties": ["query"]})],
            None,
            "has no parameter for the question",
        ),
        (
            [offer(f"tool{number}") for number in range(20)],
            None,
            "tool7 and 12 more; name the tool",
        ),
    ],
)
def test_what_does_not_fit_is_told_with_what_there_is(
    offers: list[ToolOffer], requested: str | None, what: str
) -> None:
    with pytest.raises(InputError) as caught:
        choose_tool(offers, requested)
    assert what in str(caught.value)
