"""A crash leaves a report that can be handed on, and one line where there can be none."""

from pathlib import Path

import pytest

from goldwright.process.crash_reports import passes_through_goldwright, report_crash, summarise
from goldwright.regular_files import read_regular


def _crash(tmp_path: Path, message: str = "no such key") -> Exception:
    try:
        read_regular(tmp_path / "nothing")
    except OSError as error:
        crash = KeyError(message)
        crash.__traceback__ = error.__traceback__
        return crash
    raise AssertionError("there is such a file")


def test_the_line_names_the_error_and_the_place_of_ours(tmp_path: Path) -> None:
    line = summarise(_crash(tmp_path))
    assert line.startswith("KeyError: 'no such key' (at regular_files.py:")


def test_a_long_or_hostile_message_stays_one_short_line(tmp_path: Path) -> None:
    line = summarise(_crash(tmp_path, "\x1b]0;x\x07\n" * 5_000))
    assert len(line) < 250
    assert line.isprintable()


def test_an_error_that_cannot_say_what_it_is_is_named_by_its_kind() -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert summarise(MuteError()) == "MuteError (at an unknown place)"


def test_the_report_holds_the_traceback_and_no_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    report = report_crash(
        _crash(tmp_path, "sk-very-secret-1"),
        ["run", "--key", "sk-very-secret-1"],
        variables={"SOME_API_KEY": "sk-very-secret-1", "TOKEN": "x", "PATH": "/usr/bin"},
    )
    (path,) = tmp_path.glob("goldwright-crash-*.txt")
    text = path.read_text("utf-8")
    assert report.whereabouts == f"the report is {path}"
    assert "regular_files.py" in text
    assert "<SOME_API_KEY>" in text
    assert "sk-very-secret-1" not in text
    assert path.stat().st_mode & 0o077 == 0


def test_without_a_place_for_the_report_the_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    report = report_crash(_crash(tmp_path), ["run"], variables={})
    assert "no report could be written (No such file or directory)" in report.whereabouts
    assert "KeyError" in report.summary


def test_an_error_of_foreign_code_alone_is_none_of_ours(tmp_path: Path) -> None:
    assert passes_through_goldwright(_crash(tmp_path).__traceback__)
    with pytest.raises(ZeroDivisionError) as foreign:
        _ = 1 // 0
    assert not passes_through_goldwright(foreign.value.__traceback__)
