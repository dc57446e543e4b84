"""Odd states of what Goldwright itself keeps: runs, their files, and the cache."""

import fcntl
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from zoo.file_damage import (
    Change,
    damaged,
    each,
    each_replaced,
    first,
    flip,
    garbage,
    half,
    leave,
    link,
    nothing,
    replaced,
    without,
    write_text,
    zeros,
)
from zoo.specimen import Ending, Place, Specimen

TEMPLATES: Final = "ZOO_TEMPLATES"
RESUME: Final = ("resume", "latest")
STATUS: Final = ("status", "latest")
EXPORT: Final = ("export", "latest", "--version", "1.0", "--draft")


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


def _add_hooks(cache: Path) -> None:
    """Add hooks that would run, and write a file, for any git that asks for them."""
    for mirror in (cache / "mirrors").glob("*.git"):
        (mirror / "hooks").mkdir()
        for name in ("reference-transaction", "post-checkout", "pre-auto-gc"):
            hook = mirror / "hooks" / name
            hook.write_text(f"#!/bin/sh\ntouch {cache}/fired\nsleep 600\n")
            hook.chmod(0o755)


def _add_locks(cache: Path) -> None:
    for head in list(cache.rglob("HEAD")):
        head.with_name("HEAD.lock").touch()
        head.with_name("packed-refs.lock").touch()


ORACLE: Final = "01_oracle_answers.jsonl"
INDEX: Final = "index/*"
OBJECTS: Final = "mirrors/**/objects/??/*"

STATES: Final[tuple[Specimen, ...]] = (
    of_run("run-finished", "nothing odd: the control", leave, "works"),
    of_run("run-finished-resumed", "nothing to do", leave, "works", RESUME),
    of_run("manifest-cut", "what a power loss leaves", damaged(first("run.json"), half), "damaged"),
    of_run("manifest-empty", "the same", damaged(first("run.json"), nothing), "damaged"),
    of_run(
        "manifest-of-zeros",
        "the same, on another disk",
        damaged(first("run.json"), zeros),
        "damaged",
    ),
    of_run(
        "manifest-deep",
        "brackets in brackets",
        damaged(first("run.json"), lambda _: b"[" * 100_000),
        "damaged",
    ),
    of_run(
        "manifest-that-is-a-pipe",
        "whoever opens it waits for ever",
        replaced("run.json", os.mkfifo),
        "refuses",
    ),
    of_run(
        "manifest-that-is-a-directory",
        "a directory in its place",
        replaced("run.json", Path.mkdir),
        "refuses",
    ),
    of_run(
        "manifest-without-end",
        "a link to /dev/zero",
        replaced("run.json", link("/dev/zero")),
        "refuses",
    ),
    of_run("stage-file-cut", "shorter than its seal says", damaged(first(ORACLE), half), "damaged"),
    of_run(
        "stage-file-of-one-other-bit",
        "a bit that fell over",
        damaged(first(ORACLE), flip),
        "damaged",
    ),
    of_run("stage-file-gone", "somebody tidied up", without(ORACLE), "damaged"),
    of_run(
        "stage-file-of-zeros",
        "what a power loss leaves",
        damaged(first(ORACLE), zeros),
        "damaged",
    ),
    of_run(
        "stage-file-that-is-a-pipe",
        "whoever opens it waits for ever",
        replaced(ORACLE, os.mkfifo),
        "damaged",
    ),
    of_run(
        "stage-file-that-is-a-directory",
        "a directory in its place",
        replaced(ORACLE, Path.mkdir),
        "refuses",
    ),
    of_run(
        "stage-file-without-end",
        "a link to /dev/zero",
        replaced(ORACLE, link("/dev/zero")),
        "damaged",
    ),
    of_run(
        "stage-file-deep",
        "a line of brackets",
        damaged(first(ORACLE), lambda data: data + b"[" * 100_000 + b"\n"),
        "damaged",
    ),
    of_run(
        "calls-that-are-a-pipe",
        "the same for the journal of calls",
        replaced("calls.jsonl", os.mkfifo),
        "damaged",
        RESUME,
    ),
    of_run(
        "calls-cut",
        "shorter than its seal says",
        damaged(first("calls.jsonl"), half),
        "damaged",
        RESUME,
    ),
    of_run(
        "lock-that-is-a-pipe",
        "whoever opens it waits for ever",
        replaced("run.lock", os.mkfifo),
        "refuses",
        RESUME,
    ),
    of_run(
        "lock-that-is-a-directory",
        "a directory in its place",
        replaced("run.lock", Path.mkdir),
        "refuses",
        RESUME,
    ),
    of_run(
        "trust-card-of-garbage",
        "a file of figures",
        damaged(first("trust_card.json"), garbage),
        "works",
    ),
    of_run(
        "trust-card-that-is-a-pipe",
        "whoever opens it waits for ever",
        replaced("trust_card.json", os.mkfifo),
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
        replaced("../../golden/golden_v1.0.draft.json", os.mkfifo),
        "refuses",
        EXPORT,
    ),
    of_run(
        "export-into-a-file",
        "golden/ is a file",
        replaced("../../golden", write_text),
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
        replaced("runs/20260101T000000Z-smoke-0000", write_text),
        "refuses",
        "status",
        "latest",
    ),
    of_cache("cache-gone", "somebody tidied up", without("*"), "works"),
    of_cache("index-cut", "what a power loss leaves", each(INDEX, half)),
    of_cache("index-empty", "the same", each(INDEX, nothing)),
    of_cache("index-of-zeros", "the same, on another disk", each(INDEX, zeros)),
    of_cache("index-of-garbage", "another program's file", each(INDEX, garbage)),
    of_cache("index-of-one-other-bit", "a bit that fell over", each(INDEX, flip)),
    of_cache(
        "index-that-is-a-pipe",
        "whoever opens it waits for ever",
        each_replaced("index", os.mkfifo),
    ),
    of_cache(
        "index-files-that-are-pipes",
        "the same for its files",
        each_replaced(INDEX, os.mkfifo),
    ),
    of_cache(
        "index-files-that-are-directories",
        "directories in their place",
        each_replaced(INDEX, Path.mkdir),
    ),
    of_cache(
        "index-without-end",
        "links to /dev/zero",
        each_replaced(INDEX, link("/dev/zero")),
    ),
    of_cache("mirror-gone", "somebody tidied up", without("mirrors")),
    of_cache("mirror-without-head", "half of a mirror", without("HEAD")),
    of_cache("mirror-without-refs", "the same", without("refs")),
    of_cache("mirror-without-objects", "the same", without("objects")),
    of_cache("mirror-without-configuration", "the same", without("config")),
    of_cache("mirror-of-garbled-configuration", "the same", each("config", garbage)),
    of_cache(
        "mirror-with-a-pipe-for-a-head",
        "whoever opens it waits for ever",
        each_replaced("**/HEAD", os.mkfifo),
    ),
    of_cache(
        "mirror-that-is-a-file",
        "a file in its place",
        each_replaced("mirrors/*.git", write_text),
    ),
    of_cache(
        "mirror-with-hooks",
        "what another program put there",
        _add_hooks,
    ),
    of_cache(
        "mirror-with-locks",
        "a git that died",
        _add_locks,
    ),
    of_cache("objects-cut", "what a power loss leaves", each("*.pack", half)),
    of_cache("objects-of-zeros", "the same", each("*.pack", zeros)),
    of_cache("objects-of-one-other-bit", "a bit that fell over", each("*.pack", flip)),
    of_cache("objects-index-of-garbage", "the index of a pack", each("*.idx", garbage)),
    of_cache("objects-index-empty", "the same", each("*.idx", nothing)),
)
