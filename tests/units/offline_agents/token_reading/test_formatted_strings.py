"""Formatted strings give the tokens of the code inside, whichever Python reads them."""

import io
import tokenize

import pytest

from goldwright.offline_agents.statements.passes import calls_of
from goldwright.offline_agents.token_reading.formatted_strings import split_formatted
from goldwright.offline_agents.token_reading.line_blocks import CodeLine, read_blocks
from goldwright.offline_agents.token_reading.string_text import string_text

SOURCES = [
    'f"a {name} b"',
    "f'{one.two(three)!r:>{width}} {{literal}}'",
    'rf"{left != right}{mapping["a:b".__len__():]}"'.replace('"a:b"', "'a:b'"),
    'f"{value = !s}"',
    'f"""{first}\n  and {second(\n    third)}"""',
    "F'{a:%Y-%m-%d}{b[\"}\"]}'",
]


def _tokens(source: str) -> list[tokenize.TokenInfo]:
    return [
        part
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        for part in split_formatted(token)
    ]


@pytest.mark.parametrize("source", SOURCES)
def test_every_token_stands_where_it_says(source: str) -> None:
    lines = source.splitlines()
    on_one_line = [token for token in _tokens(source) if token.start[0] == token.end[0]]
    named = [token for token in on_one_line if token.string.isidentifier()]
    assert named
    for token in named:
        row, column = token.start
        assert lines[row - 1][column : token.end[1]] == token.string


def test_a_call_inside_is_a_call() -> None:
    line = read_blocks(['log(f"got {shorten(text, 80)!r}")'], 1).items[0]
    assert isinstance(line, CodeLine)
    assert "shorten" in {callee for callee, _ in calls_of(line.tokens)}


def test_the_text_is_that_of_the_whole_string() -> None:
    line = read_blocks(['raise KeyError(f"no {key!r} in {place}")'], 1).items[0]
    assert isinstance(line, CodeLine)
    assert string_text(line) == "no {key!r} in {place}"


@pytest.mark.parametrize("text", ['f"{open"', 'f"{open:>"', 'f"{open:{width}"', 'f"{open!r"'])
def test_what_makes_no_tokens_stays_whole(text: str) -> None:
    token = tokenize.TokenInfo(tokenize.STRING, text, (1, 0), (1, len(text)), "")
    assert split_formatted(token) == (token,)
