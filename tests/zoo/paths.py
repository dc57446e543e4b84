"""Odd names, and odd things in the place of files, in a plain directory."""

import os
import socket
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from zoo.specimen import Ending, Place, Specimen

CODE: Final = "def odd(value):\n    '''Refuse what is odd.'''\n    raise ValueError('odd')\n"
OUTSIDE: Final = "def crown_jewels():\n    '''Hand over the crown jewels.'''\n    return 1\n"


def beside(
    name: str,
    why: str,
    add: Callable[[Path], object],
    ending: Ending = "works",
    *,
    needs_root: bool = False,
) -> Specimen:
    """Describe something that stands beside honest code in a plain directory."""

    def make(place: Place) -> None:
        place.write_honest_code()
        add(place.code)

    return Specimen(name, why, make, ending, needs_root=needs_root)


def named(name: str, why: str, *paths: str | bytes) -> Specimen:
    """Describe files with odd names beside honest code."""

    def add(code: Path) -> None:
        for path in paths:
            file = os.path.join(os.fsencode(code), os.fsencode(path))  # noqa: PTH118  # bytes
            os.makedirs(os.path.dirname(file), exist_ok=True)  # noqa: PTH103, PTH120  # bytes
            with open(file, "w") as stream:  # noqa: PTH123  # bytes
                stream.write(CODE)

    return beside(name, why, add)


@contextmanager
def _working_in(directory: Path) -> Iterator[None]:
    """Work in a directory: the whole path of what is made may be longer than a call takes."""
    home = os.open(".", os.O_RDONLY)
    os.chdir(directory)
    try:
        yield
    finally:
        os.fchdir(home)
        os.close(home)


def _deep(name: str, levels: int) -> Callable[[Path], None]:
    """Go down step by step, and leave a module at the end."""

    def add(code: Path) -> None:
        with _working_in(code):
            for _ in range(levels):
                os.mkdir(name)  # noqa: PTH102  # pathlib recurses where this fails
                os.chdir(name)
            Path("deep.py").write_text(CODE)

    return add


def _socket(code: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener, _working_in(code):
        listener.bind("socket.py")


def _hidden(code: Path) -> None:
    (code / "closed.py").write_text(CODE)
    (code / "closed.py").chmod(0)
    (code / "closed").mkdir(mode=0)


def _outside(code: Path) -> Path:
    outside = code.parent / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text(OUTSIDE)
    return outside


def _many_links(code: Path) -> None:
    for number in range(30):
        (code / f"l{number}").symlink_to(f"l{number + 1}")
    (code / "l30").symlink_to(code)


def _wide(code: Path) -> None:
    for number in range(5_000):
        (code / f"module_{number}.py").write_text(f"def name_{number}():\n    return {number}\n")


def _giant(code: Path) -> None:
    with (code / "giant.py").open("wb") as file:
        file.truncate(3 << 30)


def _device(code: Path, minor: int) -> None:
    os.mknod(code / "device.py", stat.S_IFCHR | 0o666, os.makedev(1, minor))


def _link(code: Path, name: str, target: object) -> None:
    (code / name).symlink_to(str(target))


PATHS: Final[tuple[Specimen, ...]] = (
    named("name-with-a-line-end", "a line of output becomes two", "line\nend.py", "line\r\nend.py"),
    named(
        "name-with-escapes",
        "a name that takes over the terminal",
        "\x1b]0;owned\x07.py",
        "\x1b[2J.py",
        "\x9b2J.py",
    ),
    named("name-that-turns-around", "a name that reads other than it is", "\u202eyp.gnorw.py"),
    named(
        "name-without-utf-8",
        "bytes that are no text",
        b"caf\xe9.py",
        b"\xff\xfe.py",
        b"\xed\xa0\x80.py",
    ),
    named("name-of-255-bytes", "the longest a file system takes", "n" * 252 + ".py"),
    named("names-equal-but-for-case", "one file on other systems", "Case.py", "case.py", "CASE.py"),
    named(
        "names-equal-but-for-form",
        "composed and decomposed letters",
        "caf\u00e9.py",
        "cafe\u0301.py",
    ),
    named(
        "names-with-quotes-and-blanks",
        "what a shell takes apart",
        "a b.py",
        "'q'.py",
        '"q".py',
        "a\\b.py",
        "a\tb.py",
        " .py",
    ),
    named(
        "names-of-options", "what a command takes as an option", "-rf.py", "--output=x.py", "-.py"
    ),
    named(
        "names-with-colons", "an id is a path, two colons and a name", "a::b.py", "::.py", "a:b.py"
    ),
    named(
        "names-of-patterns",
        "what a shell or git expands",
        "*.py",
        "?.py",
        "[a].py",
        ":(top)x.py",
        "!x.py",
        "#x.py",
    ),
    named(
        "names-of-commands",
        "what a shell runs",
        "$(touch owned).py",
        "`touch owned`.py",
        ";touch owned;.py",
        "| cat.py",
    ),
    named(
        "names-of-templates",
        "what a formatter fills in",
        "{0}.py",
        "{path}.py",
        "%s.py",
        "${HOME}.py",
    ),
    named(
        "names-of-other-systems",
        "devices, and what cannot be written elsewhere",
        "con.py",
        "nul.py",
        "aux/x.py",
        "trailing./x.py",
        "a<b>|c.py",
    ),
    named(
        "names-of-dots", "nearly a directory above", "...py", "..py", ".py", ".../x.py", "..x/y.py"
    ),
    named("names-of-markup", "a page that runs it", "<script>alert(1)<!.py", "&amp;.py"),
    named("names-of-formulas", "a table that computes it", "=cmd|'.py", "@sum.py", "+1.py"),
    named(
        "names-of-modules-we-use",
        "what stands first on the path is imported",
        "json.py",
        "typing.py",
        "sitecustomize.py",
        "click/__init__.py",
        "goldwright/__init__.py",
        "pydantic.py",
        "encodings/idna.py",
    ),
    named(
        "names-of-git",
        "what git keeps for itself",
        ".GIT/x.py",
        "git~1/x.py",
        ".git\u200c/x.py",
        ".gitmodules.py",
    ),
    beside(
        "directory-named-as-a-module",
        "a name that promises a file",
        lambda code: (code / "package.py").mkdir(),
    ),
    beside(
        "init-that-is-a-directory",
        "the same for a package",
        lambda code: (code / "package/__init__.py").mkdir(parents=True),
    ),
    beside("directories-1000-deep", "deeper than recursion", _deep("d", 1_000)),
    beside("path-longer-than-a-system-call-takes", "6,000 bytes", _deep("d" * 100, 60)),
    beside(
        "pipe-named-as-a-module",
        "whoever opens it waits for ever",
        lambda code: os.mkfifo(code / "pipe.py"),
    ),
    beside(
        "pipe-named-as-ignore-file",
        "the same for what git reads",
        lambda code: os.mkfifo(code / ".gitignore"),
    ),
    beside("socket-named-as-a-module", "it cannot be opened", _socket),
    beside(
        "device-without-end",
        "/dev/zero under the name of a module",
        lambda code: _device(code, 5),
        needs_root=True,
    ),
    beside(
        "device-that-is-full",
        "/dev/full under the name of a module",
        lambda code: _device(code, 7),
        needs_root=True,
    ),
    beside("sparse-file-of-3-gigabytes", "more than memory holds", _giant),
    beside("link-to-itself", "a circle of one", lambda code: _link(code, "self.py", "self.py")),
    beside(
        "link-to-the-directory-above",
        "a circle through a directory",
        lambda code: _link(code, "shop/loop", ".."),
    ),
    beside("links-30-long", "nearly more than the kernel follows", _many_links),
    beside(
        "link-to-nowhere",
        "a name without a file",
        lambda code: _link(code, "dangling.py", "/nonexistent/x.py"),
    ),
    beside(
        "link-out-of-the-codebase",
        "what lies outside is nobody's business",
        lambda code: _link(code, "linked.py", _outside(code) / "secret.py"),
    ),
    beside(
        "directory-link-out-of-the-codebase",
        "the same for a directory",
        lambda code: _link(code, "linked", _outside(code)),
    ),
    beside(
        "link-into-proc",
        "files that change while they are read",
        lambda code: _link(code, "self", "/proc/self"),
    ),
    beside(
        "link-to-the-root",
        "the whole disk inside a codebase",
        lambda code: _link(code, "root", "/"),
    ),
    beside(
        "hard-link-to-the-outside",
        "it looks like any file",
        lambda code: os.link(_outside(code) / "secret.py", code / "hard.py"),
    ),
    beside("files-that-nobody-may-read", "permissions", _hidden),
    beside("files-5000", "many small files", _wide),
)
