"""Schemas of replies: the subset that every provider takes, and no value of ours outside it."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import pytest
from pydantic import Field

from goldwright.live_agents.author import CandidateBatch
from goldwright.live_agents.judge import JudgeReply
from goldwright.llm.reply_schema import reply_schema
from goldwright.records import INTENT_MEANINGS, AnswerDraft, AnswerVerdict, Record, ReportDraft

KNOWN = {
    "type",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "anyOf",
}

# What models hand back in each of the roles, and when they judge the answer of a retriever.
REPLIES = (CandidateBatch, AnswerDraft, ReportDraft, JudgeReply, AnswerVerdict)


class Leaf(Record):
    """What hangs on a branch."""

    word: str = Field(min_length=1, max_length=9, description="one word")


class Tree(Record):
    leaf: Leaf
    leaves: tuple[Leaf, ...] = ()
    count: int = Field(ge=1)
    share: float = 0.5
    sure: bool = True
    choice: Literal["a", "b"]
    only: Literal["x"] = "x"
    note: str | None = None
    best: Leaf | None = None


class Dictionary(Record):
    words: dict[str, str]


class Chain(Record):
    after: "Chain | None" = None


class Anything(Record):
    what: Any


class Nothing(Record):
    """A record without fields."""


LEAF = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}


def test_a_schema_is_closed_complete_and_written_out() -> None:
    assert reply_schema(Tree) == {
        "type": "object",
        "properties": {
            "leaf": LEAF,
            "leaves": {"type": "array", "items": LEAF},
            "count": {"type": "integer"},
            "share": {"type": "number"},
            "sure": {"type": "boolean"},
            "choice": {"type": "string", "enum": ["a", "b"]},
            "only": {"type": "string", "const": "x"},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "best": {"anyOf": [LEAF, {"type": "null"}]},
        },
        "required": ["leaf", "leaves", "count", "share", "sure", "choice", "only", "note", "best"],
        "additionalProperties": False,
    }


def schemas_in(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield schema
    for one in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        yield from schemas_in(one)
    if "items" in schema:
        yield from schemas_in(schema["items"])


@pytest.mark.parametrize("model", [*REPLIES, Tree])
def test_every_schema_in_use_keeps_to_the_subset(model: type[Record]) -> None:
    schema = reply_schema(model)
    assert set(schema["properties"]) == set(model.model_fields)
    for one in schemas_in(schema):
        assert not one.keys() - KNOWN
        assert ("type" in one) != ("anyOf" in one)
        if one.get("type") == "object":
            assert one["additionalProperties"] is False
            assert one["required"] == list(one["properties"])


@pytest.mark.parametrize("model", REPLIES)
def test_schemas_nest_no_deeper_than_providers_take(model: type[Record]) -> None:
    """Strict modes take ten levels of objects at most and a hundred fields in all."""

    def depth(schema: Mapping[str, Any]) -> int:
        inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
        inner += [schema["items"]] if "items" in schema else []
        return (schema.get("type") == "object") + max(map(depth, inner), default=0)

    schema = reply_schema(model)
    assert depth(schema) <= 5
    assert sum(len(one.get("properties", {})) for one in schemas_in(schema)) <= 100


def test_the_reason_of_a_question_is_one_of_the_kinds_or_null() -> None:
    """A choice of words inside an object that may be missing: the hardest case for strict modes."""
    candidate = reply_schema(CandidateBatch)["properties"]["candidates"]["items"]
    intent, nothing = candidate["properties"]["intent"]["anyOf"]
    assert nothing == {"type": "null"}
    assert intent["properties"]["kind"] == {"type": "string", "enum": list(INTENT_MEANINGS)}
    assert intent["required"] == ["kind", "subject", "lines", "detail", "settles"]


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (Dictionary, "without named fields"),
        (Anything, "no portable schema"),
        (Nothing, "without named fields"),
    ],
)
def test_what_the_subset_cannot_say_is_refused(model: type[Record], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        reply_schema(model)


def test_a_schema_that_holds_itself_is_refused() -> None:
    with pytest.raises((ValueError, RecursionError)):
        reply_schema(Chain)


def test_the_same_model_gives_the_same_schema_and_none_is_shared() -> None:
    first = reply_schema(AnswerDraft)
    first["properties"].clear()
    assert reply_schema(AnswerDraft) == reply_schema(AnswerDraft) != first
