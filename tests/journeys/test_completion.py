"""What a shell completes: asked of the program as bash asks it."""

import subprocess
from pathlib import Path

import pytest

from journeys.conftest import Command


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("goldwright spot", {"spot-check"}),
        ("goldwright run pha", {"phase1", "phase2"}),
        ("goldwright status ", {"latest", "20260101T000000Z-smoke-0001"}),
        ("goldwright eval ", {"latest", "1.0"}),
        ("goldwright eval --retr", {"--retriever"}),
        ("goldwright completion ", {"bash", "zsh", "fish"}),
    ],
)
def test_commands_options_and_names_of_the_workspace_are_completed(
    goldwright: Command, workplace: Path, line: str, offered: set[str]
) -> None:
    (workplace / "runs/20260101T000000Z-smoke-0001").mkdir(parents=True)
    (workplace / "golden").mkdir(exist_ok=True)
    (workplace / "golden/golden_v1.0.json").write_text("[]")
    (workplace / "golden/golden_v1.1.draft.json").write_text("[]")
    words = len(line.split(" ")) - 1
    asked = goldwright(_GOLDWRIGHT_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(words))
    assert (asked.returncode, asked.stderr) == (0, "")
    assert {answer.partition(",")[2] for answer in asked.stdout.splitlines()} == offered


def test_bash_takes_the_script(goldwright: Command, tmp_path: Path) -> None:
    script = tmp_path / "completion.sh"
    script.write_text(goldwright("completion", "bash").stdout)
    taken = subprocess.run(
        ["bash", "-c", f"source {script} && complete -p goldwright"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "_goldwright_completion" in taken.stdout
