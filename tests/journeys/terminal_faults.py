"""Every command of the catalog, and the faults of a terminal, a process and its surroundings.

A fault is done to a process between its fork and its start, so it is the same for a process that a
shell starts and for one that the fork server starts.
"""

import json
import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from goldwright.cli.catalog import COMMAND_NAMES

# Seconds; the slowest command takes two on a busy machine, so whatever takes this long hangs.
PATIENCE: Final = 60.0
# Names at the limit of the file system, and one byte beyond it.
LONGEST_NAME: Final = 255

NO_CODES: Final[frozenset[int]] = frozenset()


@dataclass(frozen=True)
class Fault:
    """Something that is wrong around a command.

    Attributes:
        apply: Does it to the process that is about to become the command.
        codes: The exit codes with which a command may end besides its own.
        variables: What is set in its environment; an empty value removes the variable.
        is_silent: Whether stderr cannot be read afterwards.
    """

    apply: Callable[[], object] = lambda: None
    codes: frozenset[int] = NO_CODES
    variables: Mapping[str, str] = field(default_factory=dict)
    is_silent: bool = False


def _lead(number: int, path: str) -> Callable[[], object]:
    """Lead a standard stream to a device."""
    return lambda: os.dup2(os.open(path, os.O_RDWR), number)


def _close(*numbers: int) -> Callable[[], object]:
    def close() -> None:
        for number in numbers:
            os.close(number)

    return close


def _lead_to_nobody(*numbers: int) -> Callable[[], object]:
    """Lead standard streams into a pipe that nobody reads."""

    def lead() -> None:
        reading, writing = os.pipe()
        for number in numbers:
            os.dup2(writing, number)
        os.close(reading)
        os.close(writing)

    return lead


def _delete_directory() -> None:
    directory = Path.cwd() / "gone"
    directory.mkdir()
    os.chdir(directory)
    directory.rmdir()


def _limit(kind: int, most: int) -> Callable[[], object]:
    return lambda: resource.setrlimit(kind, (most, most))


REFUSED: Final = frozenset({2})
NOBODY_READS: Final = frozenset({141})

FAULTS: Final[Mapping[str, Fault]] = {
    "stdin closed": Fault(_close(0)),
    "stdout closed": Fault(_close(1)),
    "stderr closed": Fault(_close(2), is_silent=True),
    "all streams closed": Fault(_close(0, 1, 2), is_silent=True),
    "stdout full": Fault(_lead(1, "/dev/full"), REFUSED),
    "stderr full": Fault(_lead(2, "/dev/full"), is_silent=True),
    "both full": Fault(
        lambda: (_lead(1, "/dev/full")(), _lead(2, "/dev/full")()), REFUSED, is_silent=True
    ),
    "stdout without a reader": Fault(_lead_to_nobody(1), NOBODY_READS),
    "stderr without a reader": Fault(_lead_to_nobody(2), is_silent=True),
    "both without a reader": Fault(_lead_to_nobody(1, 2), NOBODY_READS, is_silent=True),
    "directory deleted": Fault(_delete_directory, REFUSED),
    "12 descriptors": Fault(_limit(resource.RLIMIT_NOFILE, 12), REFUSED),
    "16 descriptors": Fault(_limit(resource.RLIMIT_NOFILE, 16), REFUSED),
    "24 descriptors": Fault(_limit(resource.RLIMIT_NOFILE, 24), REFUSED),
    "40 descriptors": Fault(_limit(resource.RLIMIT_NOFILE, 40), REFUSED),
    # Where messages go into a file, they are cut off as well, so there is room for one.
    "files of 600 bytes": Fault(_limit(resource.RLIMIT_FSIZE, 600), REFUSED),
    "files of 4,000 bytes": Fault(_limit(resource.RLIMIT_FSIZE, 4000), REFUSED),
    "300 MB of memory": Fault(_limit(resource.RLIMIT_AS, 300 << 20), REFUSED),
    "150 MB of memory": Fault(_limit(resource.RLIMIT_AS, 150 << 20), REFUSED),
    "no locale": Fault(variables={"LC_ALL": "", "LANG": ""}),
    "an odd locale": Fault(variables={"LC_ALL": "xx_YY.KOI8-R", "LANG": "?"}),
    "the locale C in ASCII": Fault(
        variables={"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    ),
    "a dumb terminal": Fault(variables={"TERM": "dumb", "FORCE_COLOR": "1"}),
    "an unknown terminal": Fault(variables={"TERM": "\x1b[31m"}),
    "one column": Fault(variables={"COLUMNS": "1", "LINES": "1"}),
    "100,000 columns": Fault(variables={"COLUMNS": "100000", "LINES": "-3"}),
    "columns that are no number": Fault(variables={"COLUMNS": "wide"}),
    "no home": Fault(variables={"HOME": ""}),
    "a home that is no path": Fault(variables={"HOME": "nowhere"}),
    "no PATH": Fault(variables={"PATH": ""}, codes=REFUSED),
    "no place for temporary files": Fault(variables={"TMPDIR": "/nonexistent"}),
}
"""The faults by name."""


Program = Callable[..., "subprocess.CompletedProcess[str]"]


def prepare(root: Path, code: Path, call: Program) -> None:
    """Make a finished run with its draft, and the files that commands read."""
    call("run", "smoke", "--repo", code)
    call("export", "latest", "--version", "1.0", "--draft")
    add_files(root, code, call)


def add_files(root: Path, code: Path, call: Program) -> None:
    """Make the files that commands read beside a run and its draft."""
    for name in ("golden_v1.0.draft.json", "golden_v1.0.draft.meta.json"):
        shutil.copy(root / "golden" / name, root / name.replace("golden_v1.0.draft", "draft"))
    (run,) = (root / "runs").iterdir()
    shutil.copy(run / "01_oracle_answers.jsonl", root / "answers.jsonl")
    shutil.copy(root / "draft.json", root / "answers.json")
    asked = ("draft.json", "--repo", code, "--retriever", "bm25")
    (root / "scores.json").write_text(call("eval", *asked, "--json").stdout)
    call("baseline", "save", "baseline.json", *asked)
    (root / "qrels.txt").write_text("q1 0 a.py 1\nq2 0 b.py 1\n")
    (root / "run.txt").write_text("q1 Q0 a.py 1 2.0 x\nq2 Q0 c.py 1 1.0 x\n")
    pages = root / "pages"
    pages.mkdir()
    for number in range(20):
        (pages / f"page{number}.txt").write_text(f"Page {number} tells of subject {number}.\n")
    rows = [f"What does subject {number} say?,page{number % 20}.txt" for number in range(25)]
    suite = f"name = 'one'\nplan = 'smoke'\n[[codebases]]\nname = 'code'\nrepo = '{code}'\n"
    (root / "suite.toml").write_text(suite)
    call("suite", "run", "suite.toml", "--out", "suite")
    (root / "questions.csv").write_text("\n".join(["query,expected", *rows]) + "\n")


def command_lines(root: Path, code: Path) -> dict[str, tuple[str, ...]]:
    """Give for every command a line that works in a workplace of ``prepare``."""
    repo = ("--repo", str(code))
    (run,) = (root / "runs").iterdir()
    first_line = (run / "01_oracle_answers.jsonl").read_text("utf-8").splitlines()[0]
    query_id = json.loads(first_line)["query_id"]
    lines = {
        "run": ("run", "smoke", *repo),
        "resume": ("resume", "latest", "--from", "gate"),
        "status": ("status",),
        "cost": ("cost",),
        "casts": ("casts",),
        "trace": ("trace", "latest", query_id),
        "gate": ("gate", "answers.jsonl", *repo),
        "retry": ("retry", "latest", query_id, "--hint", "look again"),
        "drop": ("drop", "latest", query_id, "--why", "no use"),
        "requeue": ("requeue", "latest"),
        "review": ("review", "latest", "--reviewer", "Ada", "--terminal", "--scripted"),
        "spot-check": ("spot-check", "latest"),
        "export": ("export", "latest", "--version", "2.0", "--draft"),
        "verify": ("verify", "draft.json", *repo),
        "mine": ("mine", *repo, "--out", "mined.jsonl"),
        "cells": (
            *("cells", "pages", "--name", "pages", "--queries", "questions.csv"),
            *("--models", "bm25", "--chunkers", "document,window-512-50", "--dry-run"),
        ),
        "relevance": ("relevance", "simulate", "--worlds", "10", "--documents", "5"),
        "benefit": ("benefit", "simulate", "--worlds", "10", "--tasks", "5"),
        "init": ("init", "fresh", "--force"),
        "show": ("show", "latest", query_id),
        "adopt": ("adopt", "answers.json", *repo, "--version", "4.0"),
        "guard": ("guard", "draft.json", *repo),
        "rebase": ("rebase", "draft.json", *repo, "--version", "3.0"),
        "diff": ("diff", "draft.json", "draft.json"),
        "drift": ("drift", "latest", "draft.json"),
        "convert": ("convert", "draft.json", "--to", "trec", "--out", "trec"),
        "eval": ("eval", "draft.json", *repo, "--retriever", "bm25", "--json"),
        "bench": ("bench", "draft.json", *repo, "--retriever", "bm25", "--retriever", "grep"),
        "doctor": ("doctor", "--repo", str(code)),
        "baseline": (
            "baseline",
            "check",
            "baseline.json",
            "draft.json",
            *repo,
            "--retriever",
            "bm25",
        ),
        "compare": ("compare", "scores.json", "scores.json"),
        "score": ("score", "qrels.txt", "run.txt"),
        "agents": ("agents", "check"),
        "completion": ("completion", "bash"),
        "suite": ("suite", "eval", "suite.toml", "suite", "--retriever", "bm25"),
        "merge": ("merge", "suite", "--out", "merged"),
    }
    missing = set(COMMAND_NAMES) - set(lines)
    if missing:
        raise AssertionError(f"no line for {missing}")
    return lines


def complaints(
    done: "subprocess.CompletedProcess[str]", *, fault: Fault, own_code: int
) -> list[str]:
    """Say what is wrong with the way a command ended under a fault.

    Args:
        done: How it ended.
        fault: What was wrong around it.
        own_code: How it ends where nothing is wrong.
    """
    text = done.stdout + done.stderr
    found = []
    if done.returncode not in fault.codes | {own_code}:
        found.append(f"exit {done.returncode}, not {sorted(fault.codes | {own_code})}")
    unwanted = ("Traceback", "Exception ignored", "\x1b")
    found.extend(f"printed {word!r}" for word in unwanted if word in text)
    has_to_speak = done.returncode == 2 and not fault.is_silent
    lines = [line for line in done.stderr.splitlines() if line.startswith("goldwright: ")]
    # The doctor says what is wrong in a table of its own.
    has_spoken = len(lines) == 1 or (not lines and done.stdout)
    if has_to_speak and not has_spoken:
        found.append(f"{len(lines)} lines that say why")
    return found
