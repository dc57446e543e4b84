"""The documents are true: what they name exists, and what they list is complete."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from goldwright.app.piece_executors import PIECE_EXECUTORS
from goldwright.cli.catalog import goldwright
from goldwright.config import read_config
from goldwright.records import DIFFICULTIES, TASK_TYPES
from goldwright.stages.stage_graph import REPEATABLE_STAGES

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "pipeline" / "goldwright"
README = ROOT / "README.md"
ARCHITECTURE = ROOT / "ARCHITECTURE.md"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
RUNS = ROOT / "docs" / "runs.md"
SCALE = ROOT / "docs" / "scale.md"
PAGES = sorted((ROOT / "docs").glob("*.md"))
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
DECISIONS = sorted((ROOT / "pipeline" / "decisions").glob("*.md"))
GUIDES = [README, ARCHITECTURE, CONTRIBUTING, *PAGES, *TUTORIALS]
DOCUMENTS = [*GUIDES, ROOT / "CHANGELOG.md", *DECISIONS]
LARGEST_GLOSSARY = 30
Words = tuple[str, ...]


def name_of(path: Path) -> str:
    """A test's id: the path inside the repository."""
    return path.relative_to(ROOT).as_posix()


def blocks(path: Path, language: str) -> list[str]:
    """The fenced blocks of one language, with a title or without; cut lines are made whole."""
    text = path.read_text(encoding="utf-8").replace(" \\\n", " ")
    fence = rf'^```{language}(?: title="[^"]*")?\n(.*?)^```$'
    return re.findall(fence, text, re.DOTALL | re.MULTILINE)


def section(path: Path, heading: str) -> str:
    """The text below a heading, up to the next one of its kind."""
    text = path.read_text(encoding="utf-8")
    _, _, below = text.partition(f"\n## {heading}\n")
    return below.partition("\n## ")[0]


@pytest.mark.parametrize(
    ("path", "most"), [(README, 130), (ARCHITECTURE, 150), (CONTRIBUTING, 100)]
)
def test_a_document_stays_readable_in_one_sitting(path: Path, most: int) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= most


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_every_link_leads_to_a_file(path: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]
    assert [link for link in local if not (path.parent / link).exists()] == []


def test_no_text_of_the_program_sends_its_reader_to_a_file_of_the_repository() -> None:
    # Whoever installed a wheel has none of them.
    documents = {name_of(page) for page in GUIDES}
    named = re.compile(
        "|".join(rf"\b{re.escape(name)}" for name in sorted(documents - {"README.md"}))
    )
    sources = [path for path in PACKAGE.rglob("*.*") if path.suffix != ".pyc"]
    lines = [
        f"{name_of(path)}: {line.strip()}"
        for path in sources
        for line in path.read_text(encoding="utf-8").splitlines()
        if named.search(line)
    ]
    assert lines == []


def test_every_page_is_linked_from_the_readme() -> None:
    readme = README.read_text(encoding="utf-8")
    assert [name_of(page) for page in PAGES if f"({name_of(page)})" not in readme] == []


def test_every_image_is_shown_somewhere() -> None:
    texts = "".join(path.read_text(encoding="utf-8") for path in GUIDES)
    images = sorted((ROOT / "docs" / "images").iterdir())
    assert [image.name for image in images if f"images/{image.name})" not in texts] == []


@pytest.mark.parametrize("path", GUIDES, ids=name_of)
def test_every_command_line_is_one_that_the_program_takes(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where a page has its reader save settings, a command may name them.
    for name in re.findall(r'^```toml title="([^"]*)"', path.read_text("utf-8"), re.MULTILINE):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    for arguments in command_lines(path):
        parse(arguments)


def command_lines(path: Path) -> Iterator[list[str]]:
    """The arguments of every line that calls the program."""
    for text in (*blocks(path, "sh"), *blocks(path, "console")):
        for line in text.splitlines():
            program, _, arguments = line.removeprefix("$ ").partition(" ")
            if program == "goldwright":
                yield shlex.split(arguments, comments=True)


def parse(arguments: list[str]) -> None:
    """Parse a command line as the program does, without doing anything.

    Raises:
        click.UsageError: The program would refuse it.
    """
    command: click.Command = goldwright
    while isinstance(command, click.Group):
        name = arguments.pop(0)
        found = command.get_command(click.Context(command), name)
        assert found is not None, f"no command {name}"
        command = found
    command.make_context(command.name, arguments)


@pytest.mark.parametrize("path", GUIDES, ids=name_of)
def test_every_example_of_settings_is_valid(path: Path, tmp_path: Path) -> None:
    for text in blocks(path, "toml"):
        settings = tmp_path / "goldwright.toml"
        settings.write_text(text, encoding="utf-8")
        read_config(settings, root=tmp_path)


@pytest.mark.parametrize("path", GUIDES, ids=name_of)
def test_every_target_of_make_exists(path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = re.findall(r"(?:^|`)make ([a-z-]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(named) - targets == set()


def test_continuous_integration_runs_the_command_of_the_readme() -> None:
    commands = re.findall(r"```sh\n(.*?)(?:\s+#.*)?\n```", section(README, "Tests"))
    last_line = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1]
    assert commands == [last_line]


def test_the_floors_are_those_of_the_contract() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    assert floors() == [layer.split(" | ") for layer in layers]


def floors() -> list[list[str]]:
    """The packages of each floor, from the top; a dash begins a floor."""
    rows = re.findall(r"^([─ ]) (\w+) {2}", section(ARCHITECTURE, "The floors"), re.MULTILINE)
    found: list[list[str]] = []
    for mark, package in rows:
        if mark == "─":
            found.append([])
        found[-1].append(package)
    return found


def test_every_package_has_its_line() -> None:
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__"}
    assert sorted(package for floor in floors() for package in floor) == sorted(packages | modules)


def test_the_glossary_is_small_and_made_of_words_that_the_code_uses() -> None:
    glossary = glossary_words()
    known = set(names_in_code())
    missing = [word for word in glossary if not any(holds(name, word) for name in known)]
    assert missing == []
    assert 0 < len(glossary) <= LARGEST_GLOSSARY


def glossary_words() -> list[str]:
    """The words of the first column, a row may explain several."""
    rows = re.findall(r"^\| (.+?) \|", section(ARCHITECTURE, "Words"), re.MULTILINE)
    return [word for row in rows[1:] for word in row.split(", ") if not word.startswith("-")]


def names_in_code() -> Iterator[Words]:
    """The words of the name of every module, with its folder, and of every class."""
    for path in PACKAGE.rglob("*.py"):
        yield words_of("_".join(path.relative_to(PACKAGE).with_suffix("").parts[-2:]))
        classes = re.findall(r"^ *class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        yield from map(words_of, classes)


def words_of(name: str) -> Words:
    """Split a name at underscores and capitals; plurals count as singulars."""
    words = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)
    return tuple(re.sub(r"(?<=s)es$|(?<!s)s$", "", word.lower()) for word in words)


def holds(name: Words, word: str) -> bool:
    """Whether the words of a name hold those of a glossary entry, one after the other."""
    wanted = tuple(word.split())
    return any(
        name[start : start + len(wanted)] == wanted for start in range(len(name) - len(wanted) + 1)
    )


@pytest.mark.parametrize("path", [ARCHITECTURE, CONTRIBUTING], ids=name_of)
def test_every_path_that_is_named_exists(path: Path) -> None:
    named = re.findall(r"`([\w./…-]+(?:/|\.(?:py|toml|md|txt)))`", path.read_text(encoding="utf-8"))
    assert named
    assert [place for place in dict.fromkeys(named) if not exists(place)] == []


def exists(place: str) -> bool:
    """Whether a path lies in the repository or the package; a bare file name may lie anywhere."""
    pattern = place.rstrip("/").replace("…", "*")
    if "/" not in pattern:
        return any(ROOT.glob(pattern)) or any(PACKAGE.rglob(pattern))
    return any(ROOT.glob(pattern)) or any(PACKAGE.glob(pattern))


def test_the_page_about_runs_names_every_task_type_and_difficulty() -> None:
    plans = section(RUNS, "Plans")
    ((task_types, difficulties),) = re.findall(
        r"^Task types are (.+?); difficulties (.+?)\.", plans, re.MULTILINE
    )
    assert code_in(task_types) == list(TASK_TYPES), "docs/runs.md, Plans: “Task types are”"
    assert code_in(difficulties) == list(DIFFICULTIES), "docs/runs.md, Plans: “difficulties”"


def test_the_page_about_runs_names_every_stage_with_its_files() -> None:
    rows = re.findall(r"^\| (\w+) \| .+ \| (`.+`) \|$", section(RUNS, "Stages"), re.MULTILINE)
    files_by_stage = {name: code_in(files) for name, files in rows}
    written = {stage.name: list(stage.writes) for stage in REPEATABLE_STAGES}
    assert files_by_stage == written, "docs/runs.md, Stages: a row of the table for each"


def test_the_page_about_runs_names_every_stage_that_can_be_done_again() -> None:
    (names,) = re.findall(r"`--from` takes (.+?);", section(RUNS, "Carrying a run on"))
    stages = [stage.name for stage in REPEATABLE_STAGES]
    assert code_in(names) == stages, "docs/runs.md: list the stages behind “`--from` takes”"


def test_the_page_about_scale_names_every_executor() -> None:
    page = SCALE.read_text(encoding="utf-8")
    named = set(re.findall(r"--executor (\w+)", page))
    unnamed = [entry.name for entry in PIECE_EXECUTORS if entry.name not in named]
    assert unnamed == [], "docs/scale.md: say where they compute"


def code_in(text: str) -> list[str]:
    """What stands between code marks."""
    return re.findall(r"`(.+?)`", text)


def test_decisions_are_numbered_without_a_gap() -> None:
    numbers = [int(path.name.partition("-")[0]) for path in DECISIONS]
    assert numbers == list(range(1, len(DECISIONS) + 1))


@pytest.mark.parametrize("path", DECISIONS, ids=name_of)
def test_a_decision_says_what_was_asked_and_what_was_decided(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    number = int(path.name.partition("-")[0])
    assert lines[0].startswith(f"# {number}. ")
    assert lines[2].startswith("Status: accepted, ")
    assert {"## Question", "## Decision", "## Consequences"} <= set(lines)
