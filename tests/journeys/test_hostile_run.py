"""A whole run over a repository that was built to do harm."""

import json
from pathlib import Path

from journeys.conftest import Command
from journeys.hostile import add_odd_files, build_hostile, plain_git
from journeys.sample_code import SHOP


def test_a_run_over_a_hostile_repository_finishes_and_runs_nothing(
    goldwright: Command, tmp_path: Path
) -> None:
    """Nothing fires, nothing outside is read, the files that cannot be parsed are passed over."""
    hostile = build_hostile(tmp_path)
    done = goldwright("run", "smoke", "--repo", hostile.root, "--rev", "HEAD")
    assert done.returncode in {0, 1}, done.stderr
    assert hostile.fired == []
    assert "\x1b" not in done.stderr
    report = json.loads(goldwright("status", "--json").stdout)
    assert (report["state"], sum(report["fates"].values())) == ("complete", report["emitted"])
    # The control: the same repository does fire for plain git, so the silence above means
    # something.
    plain_git(hostile.root, "status")
    plain_git(hostile.root, "add", "--all")
    assert hostile.fired != []


def test_a_directory_of_odd_files_is_read_past_them(
    goldwright: Command, workplace: Path, tmp_path: Path
) -> None:
    """Pipes, giants, links out and names with escapes stop nothing; honest code is asked about."""
    root = tmp_path / "odd"
    for name, text in SHOP.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "secret.py").write_text(
        "def stolen():\n    '''Hand over the crown jewels to whoever asks nicely.'''\n"
    )
    (root / "shop/link.py").symlink_to(tmp_path / "secret.py")
    add_odd_files(root)
    done = goldwright("run", "smoke", "--repo", root)
    assert done.returncode in {0, 1}, done.stderr
    written = "".join(path.read_text() for path in (workplace / "runs").rglob("*.jsonl"))
    assert "shop/" in written
    assert "crown jewels" not in written
    assert "stolen" not in written
