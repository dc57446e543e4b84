"""Odd states of what Goldwright itself keeps: runs, stage files, settings of them, and the cache."""

import fcntl
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from zoo.specimen import Ending, Place, Specimen

TEMPLATES: Final = "ZOO_TEMPLATES"
RESUME: Final = ("resume", "latest")
STATUS: Final = ("status", "latest")
EXPORT: Final = ("export", "latest", "--version", "1.0", "--draft")

Change = Callable[[Path], object]


@functools.cache
def _finished() -> Place:
    """A place with a finished run, made once for all processes of a campaign."""
    directory = Path(os.environ.get(TEMPLATES) or tempfile.mkdtemp(prefix="zoo-"))
    place = Place(directory / "finished")
    with (directory / "finished.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.root.exists():
            place.desk.mkdir(parents=True)
            place.write_honest_code()
            environment = {**os.environ, "GOLDWRIGHT_CACHE": str(place.cache)}
            command = (
                sys.executable,
                "-m",
                "goldwright",
                "run",
                "smoke",
                "--repo",
                str(place.code),
                "--seed",
                "7",
            )
            subprocess.run(
                command, cwd=place.desk, env=environment, check=True, capture_output=True
            )
    return place


def _copy_finished(place: Place) -> Place:
    template = _finished()
    shutil.copytree(template.desk, place.desk, dirs_exist_ok=True)
    shutil.copytree(template.cache, place.cache)
    # The cache knows a codebase by its path.
    place.code.symlink_to(template.code)
    return template


def of_run(
    name: str,
    why: str,
    change: Change,
    ending: Ending,
    arguments: tuple[str, ...] = STATUS,
    *says: str,
) -> Specimen:
    """Describe a run that was changed after it ended."""

    def make(place: Place) -> None:
        _copy_finished(place)
        (run,) = (place.desk / "runs").iterdir()
        change(run)

    return Specimen(name, why, make, ending, says, arguments=arguments, is_own=True)


def of_desk(name: str, why: str, change: Change, ending: Ending, *arguments: str) -> Specimen:
    """Describe a working directory that was changed."""

    def make(place: Place) -> None:
        place.write_honest_code()
        change(place.desk)

    run = ("run", "smoke", "--repo", "{code}")
    return Specimen(name, why, make, ending, arguments=arguments or run, is_own=True)


def of_cache(
    name: str,
    why: str,
    change: Change,
    ending: Ending = "works",
    arguments: tuple[str, ...] = RESUME,
) -> Specimen:
    """Describe a cache that was changed after a run; it is disposable, so the program goes on."""

    def make(place: Place) -> None:
        _copy_finished(place)
        # Something is left to do, so that the codebase is opened.
        change(place.cache)

    # Doing a stage again reads the codebase out of the cache.
    again = (*arguments, "--from", "oracle") if arguments == RESUME else arguments
    return Specimen(name, why, make, ending, arguments=again, is_own=True)


def _first(pattern: str) -> Callable[[Path], Path]:
    def find(root: Path) -> Path:
        return min(path for path in root.rglob(pattern) if path.is_file())

    return find


def _damaged(find: Callable[[Path], Path], damage: Callable[[bytes], bytes]) -> Change:
    def change(root: Path) -> None:
        path = find(root)
        path.chmod(0o600)
        path.write_bytes(damage(path.read_bytes()))

    return change


def _each(pattern: str, damage: Callable[[bytes], bytes]) -> Change:
    """Damage every file of a pattern."""

    def change(root: Path) -> None:
        paths = [path for path in root.rglob(pattern) if path.is_file()]
        if not paths:
            raise FileNotFoundError(pattern)
        for path in paths:
            path.chmod(0o600)
            path.write_bytes(damage(path.read_bytes()))

    return change


def _replaced(name: str, make_other: Callable[[Path], object]) -> Change:
    def change(root: Path) -> None:
        path = root / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
        make_other(path)

    return change


def _link(target: str) -> Callable[[Path], object]:
    return lambda path: path.symlink_to(target)


def _half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _flip(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def _nothing(_data: bytes) -> bytes:
    return b""


def _garbage(data: bytes) -> bytes:
    return b"\xff\x00garbage" * (len(data) // 9 + 1)


def _zeros(data: bytes) -> bytes:
    return bytes(len(data))


def _without(pattern: str) -> Change:
    def change(root: Path) -> None:
        for path in sorted(root.rglob(pattern), reverse=True):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    return change


def _read_only(root: Path) -> None:
    (root / "runs").mkdir(mode=0o500)


ORACLE: Final = "01_oracle_answers.jsonl"
INDEX: Final = "index/*"
OBJECTS: Final = "mirrors/**/objects/??/*"

STATES: Final[tuple[Specimen, ...]] = (
    of_run("run-finished", "nothing odd: the control", lambda run: None, "works"),
    of_run("run-finished-resumed", "nothing to do", lambda run: None, "works", RESUME),
    of_run(
        "manifest-cut", "what a power loss leaves", _damaged(_first("run.json"), _half), "damaged"
    ),
    of_run("manifest-empty", "the same", _damaged(_first("run.json"), _nothing), "damaged"),
    of_run(
        "manifest-of-zeros",
        "the same, on another disk",
        _damaged(_first("run.json"), _zeros),
        "damaged",
    ),
    of_run(
        "manifest-deep",
        "brackets in brackets",
        _damaged(_first("run.json"), lambda _: b"[" * 100_000),
        "damaged",
    ),
    of_run(
        "manifest-that-is-a-pipe",
        "whoever opens it waits for ever",
        _replaced("run.json", os.mkfifo),
        "refuses",
    ),
    of_run(
        "manifest-that-is-a-directory",
        "a directory in its place",
        _replaced("run.json", Path.mkdir),
        "refuses",
    ),
    of_run(
        "manifest-without-end",
        "a link to /dev/zero",
        _replaced("run.json", _link("/dev/zero")),
        "refuses",
    ),
    of_run(
        "stage-file-cut", "shorter than its seal says", _damaged(_first(ORACLE), _half), "damaged"
    ),
    of_run(
        "stage-file-of-one-other-bit",
        "a bit that fell over",
        _damaged(_first(ORACLE), _flip),
        "damaged",
    ),
    of_run("stage-file-gone", "somebody tidied up", _without(ORACLE), "damaged"),
    of_run(
        "stage-file-of-zeros",
        "what a power loss leaves",
        _damaged(_first(ORACLE), _zeros),
        "damaged",
    ),
    of_run(
        "stage-file-that-is-a-pipe",
        "whoever opens it waits for ever",
        _replaced(ORACLE, os.mkfifo),
        "damaged",
    ),
    of_run(
        "stage-file-that-is-a-directory",
        "a directory in its place",
        _replaced(ORACLE, Path.mkdir),
        "refuses",
    ),
    of_run(
        "stage-file-without-end",
        "a link to /dev/zero",
        _replaced(ORACLE, _link("/dev/zero")),
        "damaged",
    ),
    of_run(
        "stage-file-deep",
        "a line of brackets",
        _damaged(_first(ORACLE), lambda data: data + b"[" * 100_000 + b"\n"),
        "damaged",
    ),
    of_run(
        "calls-that-are-a-pipe",
        "the same for the journal of calls",
        _replaced("calls.jsonl", os.mkfifo),
        "damaged",
        RESUME,
    ),
    of_run(
        "calls-cut",
        "shorter than its seal says",
        _damaged(_first("calls.jsonl"), _half),
        "damaged",
        RESUME,
    ),
    of_run(
        "lock-that-is-a-pipe",
        "whoever opens it waits for ever",
        _replaced("run.lock", os.mkfifo),
        "refuses",
        RESUME,
    ),
    of_run(
        "lock-that-is-a-directory",
        "a directory in its place",
        _replaced("run.lock", Path.mkdir),
        "refuses",
        RESUME,
    ),
    of_run(
        "trust-card-of-garbage",
        "a file of figures",
        _damaged(_first("trust_card.json"), _garbage),
        "damaged",
    ),
    of_run(
        "trust-card-that-is-a-pipe",
        "whoever opens it waits for ever",
        _replaced("trust_card.json", os.mkfifo),
        "damaged",
    ),
    of_run(
        "run-with-files-of-others",
        "what editors and systems leave",
        lambda run: [
            (run / name).write_text("x") for name in (".DS_Store", "notes.txt~", ".nfs0001")
        ],
        "works",
        RESUME,
    ),
    of_run(
        "export-onto-a-pipe",
        "the name of the version is taken",
        lambda run: (
            (run.parents[1] / "golden").mkdir(),
            os.mkfifo(run.parents[1] / "golden/golden_v1.0.draft.json"),
        ),
        "refuses",
        EXPORT,
    ),
    of_run(
        "export-into-a-file",
        "golden/ is a file",
        lambda run: (run.parents[1] / "golden").write_text("x"),
        "refuses",
        EXPORT,
    ),
    of_desk(
        "runs-that-are-a-file",
        "a file in the place of runs/",
        lambda desk: (desk / "runs").write_text("x"),
        "refuses",
    ),
    of_desk(
        "runs-that-link-to-themselves",
        "a circle of one",
        lambda desk: (desk / "runs").symlink_to("runs"),
        "refuses",
    ),
    of_desk(
        "runs-that-link-to-nowhere",
        "a disk that is not there",
        lambda desk: (desk / "runs").symlink_to("/nonexistent/runs"),
        "refuses",
    ),
    of_desk(
        "runs-on-devices",
        "a directory that takes no directories",
        lambda desk: (desk / "runs").symlink_to("/proc"),
        "refuses",
    ),
    of_desk(
        "runs-of-directories-alone",
        "nothing of ours in them",
        lambda desk: (desk / "runs/20260101T000000Z-smoke-0000").mkdir(parents=True),
        "refuses",
        "status",
        "latest",
    ),
    of_desk(
        "runs-of-files",
        "files among the runs",
        lambda desk: ((desk / "runs").mkdir(), (desk / "runs/20260101T000000Z-smoke-0000").touch()),
        "refuses",
        "status",
        "latest",
    ),
    of_cache("cache-gone", "somebody tidied up", _without("*"), "works"),
    of_cache("index-cut", "what a power loss leaves", _each(INDEX, _half)),
    of_cache("index-empty", "the same", _each(INDEX, _nothing)),
    of_cache("index-of-zeros", "the same, on another disk", _each(INDEX, _zeros)),
    of_cache("index-of-garbage", "another program's file", _each(INDEX, _garbage)),
    of_cache("index-of-one-other-bit", "a bit that fell over", _each(INDEX, _flip)),
    of_cache(
        "index-that-is-a-pipe",
        "whoever opens it waits for ever",
        lambda cache: (os.rename(cache / "index", cache / "old"), os.mkfifo(cache / "index")),
    ),  # noqa: PTH104
    of_cache(
        "index-files-that-are-pipes",
        "the same for its files",
        lambda cache: [
            (path.unlink(), os.mkfifo(path)) for path in list((cache / "index").iterdir())
        ],
    ),
    of_cache(
        "index-files-that-are-directories",
        "directories in their place",
        lambda cache: [(path.unlink(), path.mkdir()) for path in list((cache / "index").iterdir())],
    ),
    of_cache(
        "index-without-end",
        "links to /dev/zero",
        lambda cache: [
            (path.unlink(), path.symlink_to("/dev/zero"))
            for path in list((cache / "index").iterdir())
        ],
    ),
    of_cache("mirror-gone", "somebody tidied up", _without("mirrors")),
    of_cache("mirror-without-head", "half of a mirror", _without("HEAD")),
    of_cache("mirror-without-refs", "the same", _without("refs")),
    of_cache("mirror-without-objects", "the same", _without("objects")),
    of_cache("mirror-without-configuration", "the same", _without("config")),
    of_cache("mirror-of-garbled-configuration", "the same", _each("config", _garbage)),
    of_cache(
        "mirror-with-a-pipe-for-a-head",
        "whoever opens it waits for ever",
        lambda cache: [(path.unlink(), os.mkfifo(path)) for path in list(cache.rglob("HEAD"))],
    ),
    of_cache(
        "mirror-that-is-a-file",
        "a file in its place",
        lambda cache: [
            (shutil.rmtree(path), path.write_text("x"))
            for path in list((cache / "mirrors").iterdir())
            if path.is_dir()
        ],
    ),
    of_cache(
        "mirror-with-hooks",
        "what another program put there",
        lambda cache: [
            (path / "hooks").mkdir(exist_ok=True)
            for path in (cache / "mirrors").iterdir()
            if path.is_dir()
        ],
    ),
    of_cache(
        "mirror-with-locks",
        "a git that died",
        lambda cache: [
            path.with_name(path.name + ".lock").touch() for path in list(cache.rglob("HEAD"))
        ],
    ),
    of_cache("objects-cut", "what a power loss leaves", _each("*.pack", _half)),
    of_cache("objects-of-zeros", "the same", _each("*.pack", _zeros)),
    of_cache("objects-of-one-other-bit", "a bit that fell over", _each("*.pack", _flip)),
    of_cache("objects-index-of-garbage", "the index of a pack", _each("*.idx", _garbage)),
    of_cache("objects-index-empty", "the same", _each("*.idx", _nothing)),
)
