"""Odd terminals, limits, variables and signals: what surrounds a program."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from zoo.specimen import Ending, Place, Specimen, Start, Stream


def surrounded(
    name: str,
    why: str,
    start: Start,
    ending: Ending = "works",
    *says: str,
    arguments: tuple[str, ...] | None = None,
) -> Specimen:
    """Describe a start over honest code."""

    def make(place: Place) -> None:
        place.write_honest_code()
        (place.root / "tmp").mkdir()

    if arguments is None:
        return Specimen(name, why, make, ending, says, start=start)
    return Specimen(name, why, make, ending, says, start=start, arguments=arguments)


def limited(name: str, why: str, **limits: int) -> Specimen:
    """Describe a start with a resource limit; what is too low for the work is refused."""
    start = Start(limits=limits)
    return replace(surrounded(name, why, start), also=("refuses",))


def streams(
    name: str, why: str, out: Stream, errors: Stream, ending: Ending, *arguments: str
) -> Specimen:
    """Describe a start with odd streams."""
    return surrounded(name, why, Start(out=out, errors=errors), ending, arguments=arguments or None)


def variables(
    name: str, why: str, values: Mapping[str, str], ending: Ending = "works", *says: str
) -> Specimen:
    """Describe a start with odd environment variables."""
    return surrounded(name, why, Start(variables=values), ending, *says)


NO_HOME: Final = {"HOME": "", "GOLDWRIGHT_CACHE": "", "XDG_CACHE_HOME": ""}

PROCESSES: Final[tuple[Specimen, ...]] = (
    streams("stdout-closed", "started by a daemon", "closed", "file", "works"),
    streams("stderr-closed", "the same", "file", "closed", "works"),
    streams("stdout-and-stderr-closed", "the same", "closed", "closed", "works"),
    surrounded("stdin-closed", "the same", Start(has_input=False)),
    surrounded(
        "all-streams-closed",
        "files get their numbers",
        Start(out="closed", errors="closed", has_input=False),
    ),
    streams("stdout-full", "output to a disk that is full", "full", "file", "refuses"),
    streams("stderr-full", "messages to a disk that is full", "file", "full", "works"),
    streams("both-full", "the same for both", "full", "full", "refuses"),
    streams("stdout-gone", "`goldwright run … | head`", "gone", "file", "pipe closed"),
    streams("stderr-gone", "messages to a reader that left", "file", "gone", "works"),
    streams("help-to-a-full-disk", "the smallest command", "full", "file", "refuses", "--help"),
    streams(
        "help-to-nobody", "`goldwright --help | true`", "gone", "file", "pipe closed", "--help"
    ),
    streams(
        "error-to-nobody",
        "a usage error that nobody reads",
        "file",
        "gone",
        "refuses",
        "frobnicate",
    ),
    streams("error-to-a-full-disk", "the same", "file", "full", "refuses", "frobnicate"),
    surrounded(
        "terminal-of-one-column",
        "a terminal that was made tiny",
        Start(errors="terminal", variables={"COLUMNS": "1", "LINES": "1"}),
    ),
    surrounded(
        "terminal-without-columns",
        "what some editors say",
        Start(errors="terminal", variables={"COLUMNS": "0"}),
    ),
    surrounded(
        "terminal-of-garbage",
        "a variable of letters",
        Start(errors="terminal", variables={"COLUMNS": "wide", "TERM": "\x1b]0;x\x07"}),
    ),
    surrounded(
        "terminal-that-is-dumb",
        "an editor's",
        Start(out="terminal", errors="terminal", variables={"TERM": "dumb"}),
    ),
    limited("descriptors-16", "few open files", NOFILE=16),
    limited("descriptors-10", "hardly any", NOFILE=10),
    limited("descriptors-7", "even fewer", NOFILE=7),
    limited("memory-of-600-megabytes", "a small machine", AS=600 << 20),
    limited("memory-of-150-megabytes", "a smaller one", AS=150 << 20),
    limited("files-of-1000-bytes", "a quota", FSIZE=1_000),
    limited("files-of-40000-bytes", "a quota that is met half-way", FSIZE=40_000),
    # Not even its own words find room.
    surrounded(
        "files-of-0-bytes",
        "no file at all",
        Start(limits={"FSIZE": 0}, out="full", errors="full"),
        "refuses",
    ),
    limited("stack-of-300-kilobytes", "a small stack", STACK=300 << 10),
    surrounded(
        "working-directory-deleted",
        "another terminal removed it",
        Start(directory="deleted"),
        "refuses",
    ),
    surrounded(
        "working-directory-of-the-system",
        "nothing can be written there",
        Start(directory="/proc"),
        "refuses",
    ),
    surrounded("mask-of-everything", "new files have no permissions", Start(umask=0o777)),
    surrounded("mask-of-nothing", "new files are open to all", Start(umask=0)),
    variables("no-variables-for-home", "a service without a home", NO_HOME),
    variables(
        "home-that-is-missing",
        "a container's user",
        {"HOME": "{root}/nonexistent", "GOLDWRIGHT_CACHE": ""},
    ),
    variables("home-that-is-relative", "a slip", {"HOME": ".", "GOLDWRIGHT_CACHE": ""}, "refuses"),
    variables("path-without-git", "git is not there", {"PATH": "{root}/tmp"}, "refuses", "git"),
    variables("path-that-is-empty-of-all", "no PATH at all", {"PATH": ""}),
    variables(
        "temporary-directory-missing", "TMPDIR leads nowhere", {"TMPDIR": "{root}/nonexistent"}
    ),
    variables("temporary-directory-of-devices", "TMPDIR is no directory", {"TMPDIR": "/dev/null"}),
    variables(
        "language-of-turkey",
        "i and I are other letters there",
        {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    ),
    variables(
        "language-of-ascii",
        "no letters but these",
        {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ),
    variables("streams-in-ascii", "Python told so", {"PYTHONIOENCODING": "ascii"}),
    variables("streams-in-latin-1", "Python told worse", {"PYTHONIOENCODING": "latin-1"}),
    variables(
        "streams-in-nonsense", "a codec that is none", {"PYTHONIOENCODING": ":backslashreplace"}
    ),
    variables("time-zone-of-garbage", "TZ of letters", {"TZ": "\x1b]0;x\x07/../../etc/passwd"}),
    variables("python-with-warnings-as-errors", "as tests run", {"PYTHONWARNINGS": "error"}),
    variables("python-that-optimises", "assertions are gone", {"PYTHONOPTIMIZE": "2"}),
    variables("python-in-development-mode", "what is not closed shows", {"PYTHONDEVMODE": "1"}),
    variables("python-without-bytecode", "read-only systems", {"PYTHONDONTWRITEBYTECODE": "1"}),
    variables(
        "git-variables-of-another-repository",
        "started out of a hook of git",
        {
            "GIT_DIR": "{root}/nonexistent",
            "GIT_WORK_TREE": "/",
            "GIT_INDEX_FILE": "{root}/nonexistent",
            "GIT_OBJECT_DIRECTORY": "{root}/nonexistent",
        },
    ),
    variables(
        "git-variables-that-trace",
        "debugging left on",
        {"GIT_TRACE": "1", "GIT_TRACE2_EVENT": "1", "GIT_CURL_VERBOSE": "1"},
    ),
    variables(
        "git-variables-that-run",
        "commands in variables",
        {
            "GIT_SSH_COMMAND": "sleep 600",
            "GIT_EXTERNAL_DIFF": "sleep 600",
            "GIT_PAGER": "sleep 600",
            "PAGER": "sleep 600",
            "GIT_ASKPASS": "sleep 600",
            "EDITOR": "sleep 600",
        },
    ),
    variables(
        "variables-of-a-megabyte",
        "an environment that hardly fits",
        {f"V{n}": "v" * 100_000 for n in range(10)},
    ),
    variables("cache-that-is-relative", "a path without a root", {"GOLDWRIGHT_CACHE": "somewhere"}),
    variables(
        "cache-that-is-a-file",
        "a file in its place",
        {"GOLDWRIGHT_CACHE": "{code}/shop/stock.py"},
        "refuses",
    ),
    variables(
        "cache-below-a-file",
        "a directory that is a file",
        {"GOLDWRIGHT_CACHE": "{code}/shop/stock.py/cache"},
        "refuses",
    ),
    variables(
        "cache-that-is-a-device", "no directory", {"GOLDWRIGHT_CACHE": "/dev/null"}, "refuses"
    ),
    variables(
        "cache-in-proc",
        "a directory that takes no files",
        {"GOLDWRIGHT_CACHE": "/proc/cache"},
        "refuses",
    ),
    variables(
        "cache-with-a-long-name",
        "longer than a name may be",
        {"GOLDWRIGHT_CACHE": "{root}/" + "c" * 300},
        "refuses",
    ),
    variables(
        "cache-with-a-long-path",
        "longer than a path may be",
        {"GOLDWRIGHT_CACHE": "{root}/" + "c/" * 3_000},
        "refuses",
    ),
    variables(
        "cache-with-odd-letters",
        "escapes and line ends",
        {"GOLDWRIGHT_CACHE": "{root}/\x1b]0;x\x07\n\u202e"},
    ),
    variables(
        "cache-without-utf-8",
        "a path that is no text",
        {"GOLDWRIGHT_CACHE": "{root}/caf\udce9"},
        "refuses",
    ),
    variables(
        "cache-inside-the-codebase",
        "it must not read itself",
        {"GOLDWRIGHT_CACHE": "{code}/.cache"},
    ),
)
