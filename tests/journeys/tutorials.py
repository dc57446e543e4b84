"""A reader of the tutorials, who does what they say and sees whether they show what happens.

Blocks of ``sh`` are run one after the other by a shell, and a block of ``text`` behind one is what
it prints; ``…`` in it stands for anything. Other blocks with a title are files to be saved. What a
title says of a block of ``sh`` is kept: how it ends, or that it takes keys or a server.
"""

import os
import re
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from journeys.starting import Started
from scripted.brain import tried_out
from scripted.server import serve_in_thread

TUTORIALS: Final = Path(__file__).parents[2] / "docs" / "tutorials"
ORDER: Final = (
    "first-dataset",
    "score-my-search",
    "gate-my-ci",
    "with-models",
    "follow-the-code",
)
LAST_FUNCTION: Final = ", the last function"
NEVER_RUN: Final = frozenset({"With your keys", "Once, with a network"})
WITH_SERVER: Final = "With your server"
SERVES_PAGE: Final = "Serves a page; Ctrl-C ends it"
OLLAMA_PORT: Final = "11434"
# Names of runs, digests, commits and times are new on every machine.
DIFFERENT_EVERYWHERE: Final = (
    (re.compile(r"\d{8}T\d{6}Z-(\w+)-[0-9a-f]{4}"), r"RUN-\1"),
    (re.compile(r"sha256:[0-9a-f]{64}"), "sha256:DIGEST"),
    (re.compile(r"\b[0-9a-f]{12}\b"), "COMMIT"),
    (re.compile(r"\b\d+ ms"), "0 ms"),
    (re.compile(r"[ \t]+"), " "),
)
# The program, forked off the server of the tests: what it prints goes where a shell wants it.
PROGRAM: Final = """#!{python} -SI
import json, os, socket, sys
start = {{"arguments": sys.argv[1:], "directory": os.getcwd(), "environment": dict(os.environ),
    "out": f"/proc/{{os.getpid()}}/fd/1", "errors": f"/proc/{{os.getpid()}}/fd/2",
    "killed_at": 0, "surroundings": "", "fault": None}}
connection = socket.socket(socket.AF_UNIX)
connection.connect({socket!r})
connection.sendall(json.dumps(start).encode() + b"\\n")
lines = b""
while lines.count(b"\\n") < 2:
    lines += connection.recv(64) or sys.exit(70)
sys.exit(int(lines.split()[1]))
"""


def forked_program() -> str:
    """The script that stands for the installed program."""
    return PROGRAM.format(python=sys.executable, socket=str(Started.fork_server) + "/socket")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    title: str
    text: str
    line: int

    @property
    def exit_code(self) -> int:
        """The exit code that the title tells of."""
        told = re.search(r"Exits with (\d+)", self.title)
        return int(told[1]) if told else 0


def blocks_of(page: str) -> Iterator[Block]:
    """The blocks of a page, from top to bottom."""
    fences = re.compile(r'^```(\w+)(?: title="([^"]*)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)
    text = (TUTORIALS / f"{page}.md").read_text(encoding="utf-8")
    for match in fences.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield Block(match[1], match[2] or "", match[3], line)


@dataclass
class Reader:
    """Works through tutorials in a home directory of their own."""

    home: Path
    done: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        packages = Path(sysconfig.get_paths()["purelib"])
        place = self.home / "environment" / "lib" / "python3" / "site-packages"
        place.parent.mkdir(parents=True)
        place.symlink_to(packages)
        programs = self.home / "bin"
        programs.mkdir()
        program = programs / "goldwright"
        program.write_text(forked_program())
        program.chmod(0o755)
        (self.home / "retrieval").mkdir()

    @property
    def variables(self) -> dict[str, str]:
        """A terminal in which the environment is active, on a machine without keys."""
        path = [self.home / "bin", Path(sys.executable).parent, os.environ["PATH"]]
        kept = {name: os.environ[name] for name in ("PYTHONPATH", "LANG") if name in os.environ}
        return {
            **kept,
            "HOME": str(self.home),
            "PATH": os.pathsep.join(map(str, path)),
            "VIRTUAL_ENV": str(self.home / "environment"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def follow(self, page: str) -> list[str]:
        """Do what a tutorial says, and give what is not as it shows."""
        self.done.append(page)
        surprises = []
        said = ""
        for block in blocks_of(page):
            place = f"{page}.md:{block.line}"
            if block.language == "text":
                surprises += differences(place, block.text, self.plain(said))
            elif block.language == "sh" and block.title not in NEVER_RUN:
                said = self.do(place, block)
            elif block.title:
                self.save(block)
        return surprises

    def plain(self, text: str) -> str:
        """What was printed, with the home directory as a reader would write it."""
        return text.replace(str(self.home), "~")

    def do(self, place: str, block: Block) -> str:
        """Run a block in a shell, and give what it prints."""
        if block.title == SERVES_PAGE:
            return self.look_at_page(block.text)
        if block.title == WITH_SERVER:
            return self.with_server(place, block)
        return self.run(place, block)

    def run(self, place: str, block: Block) -> str:
        """Run a block, which has to end as its title says."""
        done = subprocess.run(
            ["/bin/sh", "-e", "-c", block.text],
            cwd=self.home / "retrieval",
            env=self.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == block.exit_code, f"{place}: {done.returncode}\n{done.stdout}"
        return done.stdout

    def look_at_page(self, command: str) -> str:
        """Start a review, wait for its address, and end it as a reader does."""
        words = command.split()[1:]
        with Started(*words, cwd=self.home / "retrieval", environment=self.variables) as started:
            address = started.first_line()
            started.send_signal(signal.SIGINT)
            started.wait()
        assert "http://127.0.0.1:" in address, address
        return address

    def with_server(self, place: str, block: Block) -> str:
        """Run a block while a server listens where the settings say."""
        settings = self.home / "retrieval" / "local.toml"
        written = settings.read_text()
        with serve_in_thread(tried_out) as server:
            settings.write_text(written.replace(OLLAMA_PORT, server.url.rpartition(":")[2]))
            said = self.run(place, block)
        settings.write_text(written)
        return said

    def save(self, block: Block) -> None:
        """Save a file, or its last function."""
        path = self.home / "retrieval" / block.title.removesuffix(LAST_FUNCTION)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = block.text
        if block.title.endswith(LAST_FUNCTION):
            before, _, _ = path.read_text().rpartition("def find(")
            text = before + text
        path.write_text(text)


def differences(place: str, shown: str, printed: str) -> list[str]:
    """What to say where a page shows something else than was printed."""
    pieces = [re.escape(piece.strip()) for piece in same_everywhere(shown).split("…")]
    # What comes before is progress, which a terminal draws and takes away.
    pattern = r"(?:.*\n)?\s*" + r"\s*.*?\s*".join(pieces)
    if re.fullmatch(pattern, same_everywhere(printed).strip(), re.DOTALL):
        return []
    return [f"{place} shows something else than\n{printed}"]


def same_everywhere(text: str) -> str:
    """Text in which nothing is left that differs from machine to machine."""
    for pattern, word in DIFFERENT_EVERYWHERE:
        text = pattern.sub(word, text)
    return text
