"""Bytes to lines, and JSON Lines that somebody else wrote."""

from pathlib import Path

import pytest

from goldwright.errors import InputError
from goldwright.journal import read_jsonl, write_jsonl
from goldwright.journal.json_lines import JsonLine, split_lines
from goldwright.records import CheckFailure

GOOD = b'{"check":"c","claim":"1","message":"m"}'


def _refusal(directory: Path, data: bytes) -> str:
    path = directory / "answers.jsonl"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        list(read_jsonl(path, CheckFailure))
    return str(caught.value).removeprefix(f"{path}: ")


def test_only_the_newline_byte_ends_a_line() -> None:
    """Unicode's other line ends, which ``splitlines`` obeys, are text."""
    data = "a\u2028b\x0cc\r\n\nlast".encode()
    assert list(split_lines(data)) == [
        JsonLine(1, 0, "a\u2028b\x0cc\r".encode(), has_newline=True),
        JsonLine(2, 9, b"", has_newline=True),
        JsonLine(3, 10, b"last", has_newline=False),
    ]


@pytest.mark.parametrize(
    "data", [GOOD, GOOD + b"\n", b"\xef\xbb\xbf" + GOOD, b"\n\n " + GOOD + b" \r\n \n"]
)
def test_files_of_other_programs_may_have_blank_lines_a_bom_and_crlf(
    tmp_path: Path, data: bytes
) -> None:
    """What people and Windows editors add does not matter in a file that was handed over."""
    path = tmp_path / "answers.jsonl"
    path.write_bytes(data)
    assert list(read_jsonl(path, CheckFailure)) == [CheckFailure(check="c", claim="1", message="m")]


def test_a_bad_line_is_named_by_its_number(tmp_path: Path) -> None:
    """The error is one line that says where and what."""
    assert _refusal(tmp_path, GOOD + b"\n\n{oops\n") == "line 3: not one JSON object"
    assert _refusal(tmp_path, b'{"check":"c","claim":1,"message":"m"}') == (
        "line 1: claim: Input should be a valid string, found 1"
    )
    assert _refusal(tmp_path, b'{"check":"a","check":"b","claim":"1","message":"m"}').startswith(
        "line 1: "
    )
    assert "line 1: " in _refusal(tmp_path, b'{"check":"\xff"}')


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    """No traceback for a wrong path."""
    with pytest.raises(InputError, match="cannot be read: No such file"):
        list(read_jsonl(tmp_path / "none.jsonl", CheckFailure))


def test_exported_lines_are_canonical() -> None:
    """Equal values give equal bytes."""
    assert write_jsonl([{"b": 1, "a": "é"}, [2]]) == b'{"a":"\\u00e9","b":1}\n[2]\n'
