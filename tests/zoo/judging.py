"""Holding how a program ended against what a specimen wants; nothing here knows the program."""

import re
from collections.abc import Iterator
from typing import Final

from zoo.keeping import MOST_CPU_SECONDS, Ended
from zoo.specimen import EXIT_CODES, Specimen

TRACEBACK: Final = "Traceback (most recent call last)"
ERRORS: Final = frozenset(
    code for ending, code in EXIT_CODES.items() if ending in ("refuses", "damaged", "busy")
)
# What takes a terminal over: everything below a blank but line end and tab, and the second set of
# controls. A program that draws on a terminal may move its cursor and colour its own text.
CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
DRAWING: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
# What turns the order of letters around, or hides between them.
INVISIBLE: Final = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")


def faults(specimen: Specimen, ended: Ended) -> Iterator[str]:
    """Say what is wrong with the way a program ended on a specimen."""
    if ended.exit_code is None:
        yield f"does not end: killed after {ended.seconds:.0f} s"
    elif ended.exit_code not in specimen.exit_codes:
        wanted = " or ".join(map(str, sorted(specimen.exit_codes)))
        yield f"ends in {ended.exit_code}, wanted {wanted}"
    if ended.cpu_seconds > MOST_CPU_SECONDS:
        yield f"takes {ended.cpu_seconds:.0f} s of processors"
    yield from _faults_of_text(specimen, ended)
    yield from (f"still runs: {orphan}" for orphan in ended.orphans)
    has_failed = ended.exit_code in ERRORS or not specimen.exit_codes - ERRORS
    if has_failed and specimen.start.errors == "file":
        yield from _faults_of_line(specimen, ended.errors)


def _faults_of_text(specimen: Specimen, ended: Ended) -> Iterator[str]:
    streams = (
        ("stdout", specimen.start.out, ended.out),
        ("stderr", specimen.start.errors, ended.errors),
    )
    for name, kind, text in streams:
        if TRACEBACK in text:
            yield f"a traceback on {name}"
        drawn = DRAWING.sub("", text) if kind == "terminal" else text
        for pattern in (CONTROL, INVISIBLE):
            if found := pattern.search(drawn):
                yield f"a raw {found.group()!a} on {name}"


def _faults_of_line(specimen: Specimen, errors: str) -> Iterator[str]:
    """The last line says what is wrong; what came before it is progress."""
    line = errors.strip().rpartition("\n")[2]
    if not line:
        yield "says nothing"
    if len(line) > 400:
        yield f"says {len(line)} characters in one line"
    yield from (f"does not say {word!r}" for word in specimen.says if word not in errors)
    yield from (f"says {word!r}" for word in specimen.never_says if word in errors)
