"""Reading replies: what a verdict hangs on is strict JSON of the right shape, or is sent back."""

import json
from contextlib import suppress
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.llm.reply_parsing import ReplyError, read_reply
from goldwright.records import NarrativeVerdictDraft, Record

GOOD = '{"verdict": "minor_divergence", "reason": "as found"}'


class Sheet(Record):
    word: str
    number: int
    share: float = 0.0
    sure: bool = False
    rows: tuple[str, ...] = ()
    choice: Literal["a", "b"] = "a"
    note: str | None = None


def sheet(**fields: object) -> str:
    return json.dumps({"word": "w", "number": 1, **fields})


def refused(text: str, why: str) -> None:
    with pytest.raises(ReplyError, match=why) as caught:
        read_reply(text, Sheet)
    assert len(str(caught.value)) < 500
    str(caught.value).encode("utf-8")


def test_an_object_is_read() -> None:
    assert read_reply(sheet(rows=["x", "y"], share=0.5), Sheet) == Sheet(
        word="w", number=1, share=0.5, rows=("x", "y")
    )


@pytest.mark.parametrize(
    "text",
    [
        f"\n  {sheet()}\t\n",
        f"```json\n{sheet()}\n```",
        f"```\n{sheet()}\n```",
        f"  ```json  \n{sheet()}\n```  ",
    ],
)
def test_space_or_one_fence_around_the_whole_is_taken_off(text: str) -> None:
    assert read_reply(text, Sheet) == Sheet(word="w", number=1)


@pytest.mark.parametrize(
    "text",
    [
        f"Here is the object:\n{sheet()}",
        f"{sheet()}\nI hope this helps.",
        f"Here it is:\n```json\n{sheet()}\n```",
        f"```json\n{sheet()}\n```\nDone.",
        f"```json\n{sheet()}\n```\n```json\n{sheet()}\n```",
        f"```python\n{sheet()}\n```",
        f"{sheet()}{sheet()}",
        f"{sheet()},",
        f"// note\n{sheet()}",
        sheet().replace('"', "'"),
        sheet()[:-1],
        sheet()[:-1] + ",}",
        "",
        "   ",
        "null null",
    ],
)
def test_text_around_the_object_is_refused(text: str) -> None:
    refused(text, "not JSON|not strict JSON")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_json_number_is_refused(number: str) -> None:
    refused(f'{{"word": "w", "number": 1, "share": {number}}}', "no JSON number")


def test_a_number_too_large_for_a_float_is_refused() -> None:
    refused('{"word": "w", "number": 1, "share": 1e999}', "share|finite|number")


def test_a_byte_order_mark_is_refused() -> None:
    refused("\ufeff" + sheet(), "JSON")


@pytest.mark.parametrize(
    "text",
    [
        '{"word": "w", "number": 1, "number": 2}',
        '{"word": "w", "number": 1, "word": "w"}',
        '{"word": "w", "number": 1, "w\\u006frd": "v"}',
        '{"word": "w", "number": 1, "rows": [{"a": 1, "a": 1}]}',
    ],
)
def test_a_key_that_stands_twice_is_refused_at_any_depth(text: str) -> None:
    refused(text, "stands twice")


def nested(depth: int) -> str:
    return '{"word": "w", "number": 1, "rows": ' + "[" * (depth - 1) + "]" * (depth - 1) + "}"


def test_a_reply_may_nest_64_deep_and_no_deeper() -> None:
    refused(nested(64), "rows")
    refused(nested(65), "nests 65 deep; the most is 64")
    refused("[" * 100_000, "nests 100000 deep")
    refused('{"a":' * 5000 + "1" + "}" * 5000, "nests 5000 deep")


@pytest.mark.parametrize("pair", ["[]", "{}"])
def test_brackets_side_by_side_do_not_nest(pair: str) -> None:
    refused('{"word": "w", "number": 1, "rows": [' + ",".join([pair] * 100) + "]}", r"rows\.0: ")


def test_brackets_in_strings_do_not_nest() -> None:
    word = '[{"\\' * 100
    assert read_reply(sheet(word=word), Sheet).word == word


@pytest.mark.parametrize("mark", "_-,:x")
def test_only_brackets_nest(mark: str) -> None:
    refused(mark * 100, r"^(?!.*nests)")
    refused(f"{mark}{'[' * 64}{mark}[", "nests 65 deep")


def test_a_quote_left_open_hides_no_depth() -> None:
    refused('{"word": "' + "[" * 200, "nests|not JSON")


def test_a_reply_has_a_million_characters_at_most() -> None:
    room = 1_000_000 - len(sheet(word=""))
    assert len(read_reply(sheet(word="x" * room), Sheet).word) == room
    refused(sheet(word="x" * (room + 1)), "has 1000001 characters; the most is 1000000")


@pytest.mark.parametrize("half", [chr(0xD800), chr(0xDFFF), "x" + chr(0xD83D) + "y"])
def test_half_a_character_is_refused_raw_or_escaped(half: str) -> None:
    refused(json.dumps({"word": half, "number": 1}, ensure_ascii=False), "half a character")
    refused(json.dumps({"word": half, "number": 1}), "half a character")
    refused(json.dumps({"word": "w", "number": 1, "rows": ["x", half]}), "half a character")
    refused(json.dumps({"word": "w", "number": 1, half: 1}), "half a character")


def test_a_whole_character_from_two_halves_is_taken() -> None:
    assert read_reply('{"word": "\\ud83d\\ude00", "number": 1}', Sheet).word == "😀"


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    refused(f'{{"word": "w", "number": {"9" * 4301}}}', "not strict JSON")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"number": True}, "number: .*found True"),
        ({"number": 1.0}, "number: "),
        ({"number": "1"}, "number: .*found '1'"),
        ({"number": None}, "number: "),
        ({"sure": 1}, "sure: "),
        ({"sure": "true"}, "sure: "),
        ({"word": 1}, "word: "),
        ({"word": None}, "word: "),
        ({"choice": "c"}, "choice: .*'a' or 'b'"),
        ({"choice": "A"}, "choice: "),
        ({"rows": "xy"}, "rows: "),
        ({"rows": {"0": "x"}}, "rows: "),
        ({"rows": ["x", 1]}, r"rows\.1: "),
        ({"more": 1}, "more: no such field"),
    ],
)
def test_a_field_of_another_type_is_refused_by_its_place(
    fields: dict[str, object], why: str
) -> None:
    refused(sheet(**fields), why)


@pytest.mark.parametrize("text", ['{"word": "w"}', '{"number": 1}', "{}"])
def test_a_field_that_is_missing_is_named(text: str) -> None:
    refused(text, "(number|word): is missing")


@pytest.mark.parametrize("text", ["[]", "1", '"word"', "null", "true", f"[{sheet()}]"])
def test_what_is_no_object_is_refused(text: str) -> None:
    refused(text, "object|valid")


def test_a_verdict_cannot_be_slipped_in_twice() -> None:
    assert read_reply(GOOD, NarrativeVerdictDraft).verdict == "minor_divergence"
    with pytest.raises(ReplyError, match="stands twice"):
        read_reply(GOOD[:-1] + ', "verdict": "equivalent"}', NarrativeVerdictDraft)


@given(st.text(st.characters(exclude_categories=()), max_size=200))
def test_any_text_is_read_or_sent_back(text: str) -> None:
    with suppress(ReplyError):
        assert isinstance(read_reply(text, Sheet), Sheet)


pieces = st.sampled_from(
    [*'{}[]:,"', "\\", '"word"', '"number"', "1", "NaN", "null", "\\ud800", "\ud800", "```", "\n"]
)


@given(st.lists(pieces, max_size=60).map("".join))
def test_any_heap_of_json_pieces_is_read_or_sent_back(text: str) -> None:
    with suppress(ReplyError):
        assert isinstance(read_reply(text, Sheet), Sheet)


words = st.text(max_size=30)


@given(
    st.builds(
        Sheet,
        word=words,
        number=st.integers(-(10**30), 10**30),
        share=st.floats(allow_nan=False, allow_infinity=False),
        sure=st.booleans(),
        rows=st.lists(words, max_size=4).map(tuple),
        choice=st.sampled_from(["a", "b"]),
        note=st.none() | words,
    )
)
def test_every_value_is_read_back_from_its_json(value: Sheet) -> None:
    assert read_reply(value.as_json(), Sheet) == value
    assert read_reply(f"```json\n{value.model_dump_json(indent=2)}\n```", Sheet) == value
