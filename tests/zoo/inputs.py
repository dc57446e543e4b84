"""Odd settings, plans and datasets: what a person hands over beside the codebase."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from zoo.specimen import RUN, Ending, Place, Specimen

DEEP_JSON: Final = b"[" * 100_000
DEEP_TOML: Final = b"a = " + b"[" * 20_000 + b"]" * 20_000 + b"\n"


def given(
    name: str,
    why: str,
    file: str,
    content: bytes | Callable[[Path], object],
    arguments: tuple[str, ...],
    *says: str,
    ending: Ending = "refuses",
) -> Specimen:
    """Describe a file that is handed over on the desk.

    Args:
        name: The name of the specimen.
        why: Why it matters.
        file: The name of the file.
        content: What it holds, or what makes it.
        arguments: The command that reads it.
        says: What the error says.
        ending: How the program is to end.
    """

    def make(place: Place) -> None:
        place.write_honest_code()
        path = place.desk / file
        if callable(content):
            content(path)
        else:
            path.write_bytes(content)

    return Specimen(name, why, make, ending, says, arguments=arguments)


def settings(
    name: str,
    why: str,
    content: bytes | Callable[[Path], object],
    ending: Ending = "refuses",
    *says: str,
) -> Specimen:
    """Describe a settings file."""
    return given(
        f"settings-{name}",
        why,
        "goldwright.toml",
        content,
        RUN,
        *(says or ("goldwright.toml",) * (ending == "refuses")),
        ending=ending,
    )


def plan(name: str, why: str, content: bytes | Callable[[Path], object]) -> Specimen:
    """Describe a plan."""
    return given(
        f"plan-{name}",
        why,
        "mine.json",
        content,
        ("run", "mine.json", "--repo", "{code}"),
        "mine.json",
    )


def dataset(name: str, why: str, content: bytes | Callable[[Path], object]) -> Specimen:
    """Describe a dataset."""
    return given(
        f"dataset-{name}",
        why,
        "golden.json",
        content,
        ("verify", "golden.json", "--repo", "{code}"),
        "golden.json",
    )


def answers(name: str, why: str, content: bytes | Callable[[Path], object]) -> Specimen:
    """Describe answers for the gate."""
    return given(
        f"answers-{name}",
        why,
        "answers.jsonl",
        content,
        ("gate", "answers.jsonl", "--repo", "{code}"),
        "answers.jsonl",
    )


def command(name: str, why: str, *arguments: str, ending: Ending = "refuses") -> Specimen:
    """Describe a command line."""

    def make(place: Place) -> None:
        place.write_honest_code()

    return Specimen(name, why, make, ending, arguments=arguments)


def _link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(8 << 30)


INPUTS: Final[tuple[Specimen, ...]] = (
    settings("20000-deep", "brackets in brackets", DEEP_TOML),
    settings(
        "tables-5000-deep", "names in names", b"[" + b".".join([b"a"] * 5_000) + b"]\nx = 1\n"
    ),
    settings("of-pipes", "whoever opens it waits for ever", os.mkfifo),
    settings("that-are-a-directory", "a directory in its place", Path.mkdir),
    settings("without-end", "a link to /dev/zero", _link("/dev/zero")),
    settings("that-link-to-themselves", "a circle of one", _link("goldwright.toml")),
    settings("that-link-to-nowhere", "a link without a file", _link("nowhere")),
    settings("of-8-gigabytes", "a sparse file", _sparse),
    settings("without-utf-8", "bytes that are no text", b"\xff\xfe[run]\n"),
    settings(
        "with-byte-order-mark",
        "what some editors put first",
        b"\xef\xbb\xbf[run]\nseed = 1\n",
        "works",
    ),
    settings(
        "with-escapes", "names that are quoted in the error", b'["\\u001b]0;owned\\u0007"]\nx = 1\n'
    ),
    settings("with-giant-numbers", "digits without end", b"[run]\nseed = " + b"9" * 10_000 + b"\n"),
    settings("with-giant-date", "a year that is none", b"[run]\nseed = 9999-99-99\n"),
    settings(
        "of-a-million-keys",
        "a table of names",
        b"[x]\n" + b"".join(b"k%d = 1\n" % n for n in range(200_000)),
    ),
    settings(
        "of-prompts-elsewhere",
        "a directory that never ends",
        b"[paths]\nprompts = '/proc'\n",
        "refuses",
        "/proc",
    ),
    settings(
        "of-focus-elsewhere",
        "a part of the codebase that is none",
        b"[run]\nfocus_area = '../../etc'\n",
        "refuses",
        "etc",
    ),
    plan("100000-deep", "brackets in brackets", DEEP_JSON),
    plan("objects-50000-deep", "braces in braces", b'{"a":' * 50_000),
    plan("of-pipes", "whoever opens it waits for ever", os.mkfifo),
    plan("that-is-a-directory", "a directory in its place", Path.mkdir),
    plan("without-end", "a link to /dev/zero", _link("/dev/zero")),
    plan("of-8-gigabytes", "a sparse file", _sparse),
    plan("with-giant-numbers", "digits without end", b'{"total": ' + b"9" * 100_000 + b"}"),
    plan("with-giant-floats", "numbers beyond floats", b'{"total": 1e999999}'),
    plan("with-not-a-number", "JSON that is none", b'{"total": NaN}'),
    plan("with-double-names", "the last of two wins, silently", b'{"total": 1, "total": 2}'),
    plan("with-lone-surrogates", "text that no UTF-8 holds", b'{"\\ud800": "\\udfff"}'),
    plan("with-escapes", "names that are quoted in the error", b'{"\\u001b]0;owned\\u0007": 1}'),
    plan("that-is-empty", "no byte", b""),
    dataset("100000-deep", "brackets in brackets", DEEP_JSON),
    dataset("of-pipes", "whoever opens it waits for ever", os.mkfifo),
    dataset("that-is-a-directory", "a directory in its place", Path.mkdir),
    dataset("without-end", "a link to /dev/zero", _link("/dev/zero")),
    dataset("of-8-gigabytes", "a sparse file", _sparse),
    dataset(
        "with-escapes", "names that are quoted in the error", b'[{"\\u001b]0;owned\\u0007": 1}]'
    ),
    dataset("with-lone-surrogates", "text that no UTF-8 holds", b'[{"query_id": "\\ud800"}]'),
    answers("100000-deep", "brackets in brackets", DEEP_JSON),
    answers("of-pipes", "whoever opens it waits for ever", os.mkfifo),
    answers("that-are-a-directory", "a directory in its place", Path.mkdir),
    answers("without-end", "a link to /dev/zero", _link("/dev/zero")),
    answers("of-nul-bytes", "a file that a crash left", bytes(5_000)),
    answers("without-utf-8", "bytes that are no text", b'{"query_id": "\xff"}\n'),
    command("command-that-is-none", "a slip of the hand", "frobnicate"),
    command("command-with-escapes", "it is quoted in the error", "\x1b]0;owned\x07"),
    command("command-without-utf-8", "bytes that are no text", "caf\udce9"),
    command("command-of-100000-letters", "it is quoted in the error", "c" * 100_000),
    command("seed-of-5000-digits", "digits without end", *RUN[:-1], "9" * 5_000),
    command("seed-of-letters", "a slip", *RUN[:-1], "seven"),
    command("run-that-is-a-path", "a name that leads elsewhere", "status", "../../../etc"),
    command("run-of-300-letters", "longer than a name may be", "status", "r" * 300),
    command("run-without-utf-8", "bytes that are no text", "status", "caf\udce9"),
    command("run-with-escapes", "it is quoted in the error", "status", "\x1b]0;owned\x07"),
    command("runs-that-are-none", "nothing was run yet", "status", "latest"),
)
