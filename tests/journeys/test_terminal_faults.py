"""Whatever is wrong with terminal, process or disk: the right code, one line, and no traceback."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from effort import is_thorough
from goldwright.cli.catalog import COMMAND_NAMES
from journeys.sharing import make_once
from journeys.starting import call
from journeys.terminal_faults import FAULTS, Fault, add_files, command_lines, complaints
from journeys.workplace import Workplace


@pytest.fixture(scope="module")
def desk(shared: Path, finished_shop: Workplace) -> Workplace:
    """A workplace with everything that commands read."""

    def fill(directory: Path) -> None:
        place = _workplace(directory)
        for made, own in zip(_places(finished_shop), _places(place), strict=True):
            shutil.copytree(made, own)
        add_files(place.root, place.code, lambda *words: _start(words, place))

    return _workplace(make_once(shared / "terminal-faults", fill))


def _places(place: Workplace) -> tuple[Path, ...]:
    return place.root, place.cache, place.code


def _workplace(directory: Path) -> Workplace:
    return Workplace(directory / "desk", directory / "cache", directory / "code")


def _start(
    line: tuple[object, ...], place: Workplace, fault: str = ""
) -> "subprocess.CompletedProcess[str]":
    variables = {**os.environ, "GOLDWRIGHT_CACHE": str(place.cache)}
    variables.update(FAULTS.get(fault, Fault()).variables)
    environment = {name: value for name, value in variables.items() if value}
    return call(*line, cwd=place.root, environment=environment, surroundings=fault)


def _faults_of(command: str) -> list[str]:
    """Deal the faults out to the commands: each to one of them, or all to all."""
    names = list(FAULTS)
    if is_thorough():
        return names
    position = COMMAND_NAMES.index(command)
    return [name for index, name in enumerate(names) if index % len(COMMAND_NAMES) == position]


@pytest.mark.parametrize("command", COMMAND_NAMES)
def test_a_command_ends_as_it_should_whatever_is_wrong_around_it(
    command: str, desk: Workplace, tmp_path: Path
) -> None:
    line = command_lines(desk.root, desk.code)[command]
    own = _start_in_copy(line, desk, tmp_path / "own")
    assert not complaints(own, fault=Fault(), own_code=own.returncode)
    found = {}
    for name in _faults_of(command):
        done = _start_in_copy(line, desk, tmp_path / name.replace(" ", "-"), name)
        problems = complaints(done, fault=FAULTS[name], own_code=own.returncode)
        if problems:
            found[name] = (problems, done.stderr[-300:])
    assert not found


def _start_in_copy(
    line: tuple[str, ...], desk: Workplace, directory: Path, fault: str = ""
) -> "subprocess.CompletedProcess[str]":
    """Start a command in a copy of the workplace, because many of them change it."""
    copy = _workplace(directory)
    shutil.copytree(desk.root, copy.root)
    shutil.copytree(desk.cache, copy.cache)
    return _start(line, copy, fault)
