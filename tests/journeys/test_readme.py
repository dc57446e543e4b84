"""The first commands of the README work as they are printed, one after the other."""

import re
import shlex
from pathlib import Path

from journeys.conftest import Command

README = Path(__file__).parents[2] / "README.md"
YOUR_PROJECT = "~/src/yourproject"


def first_commands() -> list[list[str]]:
    """The words of every line of the first block of commands, without its comments."""
    block = re.search(r"## Five commands\n\n```sh\n(.*?)```", README.read_text(), re.DOTALL)
    assert block is not None
    return [shlex.split(line, comments=True) for line in block[1].splitlines()]


def test_the_five_commands_work_as_printed(goldwright: Command, code: Path) -> None:
    commands = first_commands()
    assert len(commands) == 5
    for program, *words in commands:
        assert program == "goldwright"
        arguments = [str(code) if word == YOUR_PROJECT else word for word in words]
        done = goldwright(*arguments)
        # A small package fills no Phase 1: that is said, and everything goes on.
        accepted = {0, 1} if words[0] == "run" else {0}
        assert done.returncode in accepted, (words, done.stderr)
        assert "Traceback" not in done.stderr
