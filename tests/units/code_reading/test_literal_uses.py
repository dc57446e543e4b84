"""Where a string literal stands: the closed set, and what keeps it from being closed."""

from pathlib import Path

from goldwright.code_reading.literal_uses import closed_literal_uses
from goldwright.snapshot import Snapshot, open_snapshot


def _open(tmp_path: Path, code: str) -> Snapshot:
    root = tmp_path / "code"
    root.mkdir()
    (root / "shop.py").write_text(code)
    return open_snapshot(root, cache=tmp_path / "cache")


def test_reads_and_stores_are_told_apart(tmp_path: Path) -> None:
    """The receiver says what the name belongs to."""
    code = 'def f(headers):\n    headers["X-Out"] = 1\n    return headers.get("X-In")\n'
    snapshot = _open(tmp_path, code)
    (stored,) = closed_literal_uses(snapshot, "X-Out") or ()
    (read,) = closed_literal_uses(snapshot, "X-In") or ()
    assert (stored.manner, stored.receiver, stored.owner) == ("stored", "headers", "f")
    assert (read.manner, read.receiver, read.line) == ("read", "headers", 3)


def test_a_list_of_exports_is_told_from_uses(tmp_path: Path) -> None:
    """``__all__`` names what a module offers, and a search for the name finds it there."""
    code = '__all__ = ["LIMIT_OF"]\n\ndef f(settings):\n    return settings["LIMIT_OF"]\n'
    uses = closed_literal_uses(_open(tmp_path, code), "LIMIT_OF") or ()
    assert {(use.owner, use.manner) for use in uses} == {("", "exported"), ("f", "read")}


def test_a_quotation_in_a_comment_leaves_the_set_open(tmp_path: Path) -> None:
    """The search finds what the walk does not."""
    code = '# see "LIMIT_OF"\ndef f(settings):\n    return settings["LIMIT_OF"]\n'
    assert closed_literal_uses(_open(tmp_path, code), "LIMIT_OF") is None


def test_the_environment_of_the_process_is_no_other_environ(tmp_path: Path) -> None:
    """A request of a web server has an ``environ``, too."""
    code = (
        "import os\n\ndef f(environ):\n"
        '    return environ["PATH_INFO"], os.environ["SHOP_HOME"], os.getenv("SHOP_NAME")\n'
    )
    snapshot = _open(tmp_path, code)
    receivers = [
        use.receiver
        for literal in ("PATH_INFO", "SHOP_HOME", "SHOP_NAME")
        for use in closed_literal_uses(snapshot, literal) or ()
    ]
    assert receivers == ["environ", "os.environ", "os.environ"]


def test_the_first_of_two_names_may_be_that_of_a_section(tmp_path: Path) -> None:
    code = (
        "def f(config, settings):\n"
        '    return config.get("TASK_HISTORY", "db"), settings.get("LIMIT_OF", "3")\n'
    )
    snapshot = _open(tmp_path, code)
    (section,) = closed_literal_uses(snapshot, "TASK_HISTORY") or ()
    (setting,) = closed_literal_uses(snapshot, "LIMIT_OF") or ()
    assert (section.manner, setting.manner) == ("other", "read")
