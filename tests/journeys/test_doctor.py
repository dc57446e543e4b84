"""What the doctor finds out before a run does."""

import json
import tomllib
from pathlib import Path

from goldwright.app.doctor.program import EXTRAS
from goldwright.cli.doctor import MOST_ALIKE
from journeys.conftest import Command, git

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
KEY = "sk-canary-0123456789abcdef"


def findings(output: str) -> dict[str, tuple[str, str]]:
    """The last grade and text of each topic."""
    return {finding["topic"]: (finding["grade"], finding["text"]) for finding in json.loads(output)}


def test_where_all_is_well_every_line_says_so(goldwright: Command, repository: Path) -> None:
    """A line for each thing, exit code 0, and of a key nothing but that it is set."""
    for _ in range(2):
        result = goldwright("doctor", "--repo", repository, ANTHROPIC_API_KEY=KEY)
        assert result.returncode == 0, result.stdout
        assert "problem" not in result.stdout
        assert KEY not in result.stdout + result.stderr
    topics = findings(goldwright("doctor", "--repo", repository, "--json").stdout)
    assert {"python", "git", "open files", "output", "extra dense", "key openai"} <= topics.keys()
    assert topics["copies"] == ("ok", topics["copies"][1])
    assert topics["copies"][1].startswith("1 of 1 sound")
    assert topics["indexes"][1].startswith("1 of 1 sound")
    assert topics["unparsed"] == ("ok", "none")


def test_what_a_run_would_find_out_about_a_codebase_is_told(
    goldwright: Command, repository: Path, tmp_path: Path
) -> None:
    """What stands aside and why, pointers, submodules, a history that is cut off."""
    (repository / "broken.py").write_text("def broken(:\n")
    (repository / "swapped.py").write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n"
    )
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},elsewhere")
    git(repository, "add", "broken.py", "swapped.py")
    git(repository, "commit", "--quiet", "--message", "Odd files")
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{repository}", "shallow")
    result = goldwright("doctor", "--repo", tmp_path / "shallow", "--json")
    assert result.returncode == 0, result.stdout
    found = json.loads(result.stdout)
    worth_knowing = {line["topic"]: line["text"] for line in found if line["grade"] == "attention"}
    assert {"history", "unparsed", "submodules", "Git LFS"} <= worth_knowing.keys()
    assert any("broken.py: " in line["text"] for line in found)


def test_what_stands_in_the_way_of_a_run_is_a_problem(
    goldwright: Command, workplace: Path, repository: Path, tmp_path: Path
) -> None:
    """Uncommitted work, a codebase that is not there, settings that cannot be read: 2."""
    (repository / "new.py").write_text("x = 1\n")
    git(repository, "add", "new.py")
    git(repository, "commit", "--quiet", "--message", "New")
    (repository / "new.py").write_text("x = 2\n")
    dirty = goldwright("doctor", "--repo", repository, "--json")
    grade, text = findings(dirty.stdout)["work tree"]
    assert (dirty.returncode, grade) == (2, "problem")
    assert "--allow-dirty" in text
    assert findings(dirty.stdout)["unparsed"] == ("ok", "none")
    assert goldwright("doctor", "--repo", repository, "--rev", "HEAD").returncode == 0
    missing = goldwright("doctor", "--repo", tmp_path / "nowhere")
    assert (missing.returncode, "does not exist" in missing.stdout) == (2, True)
    (workplace / "goldwright.toml").write_text("[agents]\noracle = 'anthropic:claude'\n")
    assert findings(goldwright("doctor", "--json").stdout)["settings"][0] == "problem"


def test_a_damaged_cache_is_found_and_taken_out(
    goldwright: Command, repository: Path, tmp_path: Path
) -> None:
    """4 as long as it is there; a run would have made it again as well."""
    assert goldwright("doctor", "--repo", repository).returncode == 0
    pack = next((tmp_path / "cache/mirrors").rglob("*.pack"))
    pack.chmod(0o600)
    pack.write_bytes(pack.read_bytes()[:-30])
    facts = next((tmp_path / "cache/index").iterdir())
    facts.write_bytes(facts.read_bytes()[:-1])
    (tmp_path / "cache/index/.facts-left").touch()
    found = goldwright("doctor")
    assert found.returncode == 4
    assert found.stdout.count("problem ") == 2
    healed = goldwright("doctor", "--heal")
    assert healed.returncode == 0
    assert healed.stdout.count("healed") == 2
    again = goldwright("doctor", "--repo", repository, "--json")
    assert again.returncode == 0
    assert "left over" not in findings(again.stdout)


def test_every_extra_is_looked_for() -> None:
    """Those for the makers of the program are their own business."""
    project = tomllib.loads(PYPROJECT.read_text())["project"]
    extras = project["optional-dependencies"]
    assert {*extras} - {"dev", "docs"} == {*EXTRAS}


def test_damage_of_one_kind_is_told_in_few_lines(goldwright: Command, tmp_path: Path) -> None:
    """A cache of many codebases may be damaged in as many places, for one reason."""
    for number in range(MOST_ALIKE + 3):
        mirror = tmp_path / f"cache/mirrors/{number:032x}.git"
        (mirror / "objects").mkdir(parents=True)
        (mirror / "refs").mkdir()
        (mirror / "config").write_text("[core]\n")
    found = goldwright("doctor")
    assert found.returncode == 4
    lines = [line for line in found.stdout.splitlines() if " damage " in line]
    assert len(lines) == MOST_ALIKE + 1
    assert "3 more" in lines[-1]
    as_json = json.loads(goldwright("doctor", "--json").stdout)
    assert sum(finding["topic"] == "damage" for finding in as_json) == MOST_ALIKE + 3
