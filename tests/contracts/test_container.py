"""The image: what it is built from is there, and what it runs, it runs as an ordinary user."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "").splitlines()


def instructions(name: str) -> list[str]:
    """The arguments of every instruction of a name."""
    return [line.removeprefix(name).strip() for line in LINES if line.startswith(f"{name} ")]


def test_nothing_runs_as_root() -> None:
    last_stage = LINES[max(place for place, line in enumerate(LINES) if line.startswith("FROM ")) :]
    (user,) = [line.split()[1] for line in last_stage if line.startswith("USER ")]
    # A number: a cluster that demands ordinary users cannot look a name up.
    assert int(user) >= 1000
    after = last_stage[last_stage.index(f"USER {user}") :]
    assert not [line for line in after if line.startswith(("RUN ", "USER root"))]
    assert instructions("ENTRYPOINT") == ['["goldwright"]']


def test_the_package_that_is_built_has_what_it_needs() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    taken = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    included = re.search(r"force-include\]\n((?:\".+\n)+)", project)
    assert included is not None
    needed = set(re.findall(r'^"(\w+)" =', included[1], re.MULTILINE))
    assert needed | {"pipeline", "pyproject.toml", "README.md", "constraints.txt"} <= taken
    assert all((ROOT / name).exists() for name in taken)


def test_versions_are_pinned_and_the_interpreter_is_one_that_is_supported() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for image in instructions("FROM"):
        version = re.match(r"python:(3\.\d+)-slim", image)
        assert version is not None, image
        assert f"Python :: {version[1]}" in project
    assert any("-c /wheels/constraints.txt" in command for command in instructions("RUN"))
