"""A file that harms its readers costs itself alone, whatever it does to them."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goldwright.snapshot import open_snapshot
from goldwright.snapshot.file_guard import (
    CRASHED,
    TOO_DEEP,
    TOO_SLOW,
    FileMaterial,
    guarded,
)
from goldwright.snapshot.indexing import parse_pool
from goldwright.snapshot.indexing.file_indexing import LARGEST_READ_HERE
from goldwright.snapshot.indexing.parse_pool import ParsePool
from goldwright.snapshot.size_limits import DEEPEST_TREE

GOOD = "def good():\n    return 1\n"


class _Read(FileMaterial):
    def __init__(self, path: str) -> None:
        self.path = path


def _write(root: Path, **texts: str) -> Path:
    root.mkdir()
    for name, text in texts.items():
        (root / f"{name}.py").write_text(text)
    return root


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("text", "is_readable"),
    [
        pytest.param(f"x = y{'.f()' * (DEEPEST_TREE // 2 - 10)}\n", True, id="calls in a row"),
        pytest.param(f"x = y{'.f()' * (DEEPEST_TREE // 2 + 10)}\n", False, id="more calls"),
        pytest.param(f"x = 1{' + 1' * 16_000}\n", False, id="operators"),
        pytest.param(f"x = {'-' * 3000}y\n", False, id="signs"),
        pytest.param("if x:\n  y\n" + "elif x:\n  y\n" * 900, True, id="a ladder"),
    ],
)
def test_how_deep_a_file_may_be_does_not_depend_on_who_reads_it(
    text: str, is_readable: bool, workers: int, tmp_path: Path
) -> None:
    # So much beside it that workers read it, or so little that this process does.
    padding = "# padding\n" * (160_000 if workers == 2 else 1)
    root = _write(tmp_path / "code", deep=text, good=GOOD, large=padding)
    snapshot = open_snapshot(root, cache=tmp_path / "cache", workers=workers)
    assert snapshot.unparsed == ({} if is_readable else {"deep.py": TOO_DEEP})
    assert snapshot.entity("good.py::good") is not None


def test_the_file_is_blamed_whose_material_was_at_hand(tmp_path: Path) -> None:
    """What is done about one file may read others; what fails over another is not its fault."""
    root = _write(tmp_path / "code", subject=GOOD, other=GOOD)
    snapshot = open_snapshot(root, cache=tmp_path / "cache")

    def walk(module: _Read) -> str:
        raise LookupError(f"nothing in {module.path}")

    def ask() -> str:
        return walk(_Read("other.py"))

    assert guarded(snapshot, "subject.py", "asking about it", ask, "nothing") == "nothing"
    assert list(snapshot.unparsed) == ["other.py"]
    assert snapshot.unparsed["other.py"].startswith("asking about it: LookupError: nothing in")
    assert snapshot.entity("other.py::good") is None
    assert not snapshot.named("good")[1:]


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", CRASHED),
        ("resource.setrlimit(resource.RLIMIT_CPU, (1, 1)); [1 for _ in iter(int, 1)]", TOO_SLOW),
    ],
)
def test_a_file_that_ends_its_worker_is_known_among_many(
    deed: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files before and behind it have their answers."""
    (tmp_path / "deadly_worker.py").write_text(
        "import os, resource, signal\n"
        "from goldwright.snapshot.indexing.parse_worker import answer_frames\n"
        "def answer(data):\n"
        f"    if data == b'bad': {deed}\n"
        "    return data\n"
        "answer_frames(answer)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    files = {str(number): b"bad" if number == 7 else b"good" for number in range(20)}
    pool = ParsePool(files, workers=2, arguments=(), module="deadly_worker", failed=str.encode)
    expected = {name: reason.encode() if name == "7" else b"good" for name in files}
    assert pool.parse() == expected


def test_a_worker_in_the_midst_of_a_file_does_not_outlive_its_parent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "busy_worker.py").write_text(
        "import os, time\n"
        "from goldwright.snapshot.indexing.parse_worker import answer_frames\n"
        "def answer(data):\n"
        "    print(os.getpid(), file=open(data, 'w'))\n"
        "    time.sleep(3600)\n"
        "answer_frames(answer)\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    told = tmp_path / "told"
    starting = (
        "import subprocess, sys, time, msgspec\n"
        "from goldwright.snapshot.indexing.parse_worker import write_frame\n"
        "worker = subprocess.Popen([sys.executable, '-m', 'busy_worker'], stdin=-1)\n"
        "write_frame(worker.stdin, msgspec.msgpack.encode([sys.argv[1].encode()]))\n"
        "worker.wait()\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", starting, str(told)])
    pid = int(_await(lambda: told.exists() and told.read_text()))
    parent.kill()
    parent.wait()
    _await(lambda: not _is_alive(pid))


def _await(look: Callable[[], object]) -> Any:
    """Look until something is there."""
    for _ in range(1200):
        seen = look()
        if seen:
            return seen
        time.sleep(0.05)
    raise AssertionError("nothing came of it in a minute")


def _is_alive(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    # What nobody has reaped is a zombie.
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_file_that_timed_out_is_read_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow or small machine is no fact of a file, so the cache does not keep it."""
    large = "# large\n" * (LARGEST_READ_HERE // 8) + GOOD
    root = _write(tmp_path / "code", large=large, deep=f"x = {'-' * 3000}y\n")
    cache = tmp_path / "cache"
    with monkeypatch.context() as patch:
        patch.setattr(parse_pool, "_parse_batch", _time_out)
        first = open_snapshot(root, cache=cache)
        assert first.unparsed == {"large.py": TOO_SLOW, "deep.py": TOO_SLOW}
    second = open_snapshot(root, cache=cache)
    assert second.unparsed == {"deep.py": TOO_DEEP}
    assert second.entity("large.py::good") is not None


def _time_out(worker: "subprocess.Popen[bytes]", _contents: list[bytes]) -> list[bytes]:
    worker.kill()
    return []
