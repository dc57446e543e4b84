"""The GitHub Action, its steps run as a runner runs them: inputs as variables, outputs as files."""

import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import yaml

from journeys.conftest import Command, git
from journeys.tutorials import forked_program
from journeys.workplace import Workplace

ROOT = Path(__file__).parents[2]
EXPRESSION = re.compile(r"\$\{\{\s*(?P<name>[\w.]+)\s*\}\}")
RETRIEVER = """
def good(query, limit):
    return ["shop/orders.py"]

def poor(query, limit):
    return ["shop/__init__.py"]
"""
# Keeps what it was called with and the body of the comment.
GH = """#!/bin/sh
echo "$@" > "$RUNNER_TEMP/gh-arguments"
while [ $# -gt 0 ]; do
  [ "$1" = --body-file ] && cp "$2" "$RUNNER_TEMP/comment.md"
  shift
done
"""


@dataclass(frozen=True)
class Runner:
    """What a runner gives the steps of an action."""

    workplace: Path
    temporary: Path
    commands: Path
    directory: Path = ROOT

    def run(self, **inputs: str) -> "subprocess.CompletedProcess[str]":
        """Run the steps behind the installation; the first that fails gives the exit code."""
        action = yaml.safe_load((self.directory / "action.yml").read_text())
        given = {name: str(field.get("default", "")) for name, field in action["inputs"].items()}
        values = {f"inputs.{name}": text for name, text in {**given, **inputs}.items()}
        values["github.event.pull_request.number"] = "7"
        values |= {"github.server_url": "https://example.org", "github.repository": "ann/shop"}
        failed = None
        for step in action["runs"]["steps"][1:]:
            # The comment is made whatever came before it.
            done = self._run_step(step, values)
            for line in (self.temporary / "output").read_text().splitlines():
                name, _, value = line.partition("=")
                values[f"steps.{step.get('id')}.outputs.{name}"] = value
            failed = failed or (done if done.returncode else None)
        return failed or done

    def _run_step(
        self, step: Mapping[str, object], values: Mapping[str, str]
    ) -> "subprocess.CompletedProcess[str]":
        def value(match: re.Match[str]) -> str:
            return values.get(match["name"], "")

        output = self.temporary / "output"
        output.write_text("")
        variables = step["env"]
        assert isinstance(variables, dict)
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", str(step["run"])],
            cwd=self.workplace,
            env={
                **os.environ,
                "PATH": f"{self.commands}:{os.environ['PATH']}",
                "GITHUB_ACTION_PATH": str(self.directory),
                "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(self.temporary / "summary.md"),
                "GITHUB_REPOSITORY": "ann/shop",
                "RUNNER_TEMP": str(self.temporary),
                **{name: EXPRESSION.sub(value, text) for name, text in variables.items()},
            },
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def runner(
    finished: Workplace, workplace: Path, tmp_path_factory: pytest.TempPathFactory
) -> Runner:
    """A runner with a small dataset, and stand-ins for the installed program and for gh."""
    assert finished.root == workplace
    (workplace / "mine.py").write_text(RETRIEVER)
    temporary = tmp_path_factory.mktemp("runner")
    commands = tmp_path_factory.mktemp("commands")
    scripts = {
        "goldwright": forked_program(),
        "python": f'#!/bin/sh\nexec "{sys.executable}" "$@"\n',
        "gh": GH,
    }
    for name, text in scripts.items():
        (commands / name).write_text(text)
        (commands / name).chmod(stat.S_IRWXU)
    return Runner(workplace, temporary, commands)


@pytest.fixture
def act(runner: Runner, repository: Path) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run the action on the dataset."""

    def run(**inputs: str) -> "subprocess.CompletedProcess[str]":
        dataset = "golden/golden_v1.0.draft.json"
        return runner.run(dataset=dataset, repo=str(repository), **inputs)

    return run


def test_the_action_comments_and_keeps_the_exit_code(
    act: Callable[..., "subprocess.CompletedProcess[str]"],
    runner: Runner,
    goldwright: Command,
    repository: Path,
) -> None:
    dataset = "golden/golden_v1.0.draft.json"
    asked = ("--repo", repository, "--retriever", "bm25", "--runs", "2")
    assert goldwright("baseline", "save", "base.json", dataset, *asked).returncode == 0
    one = act(retrievers="  now=py:mine:poor\n", gates="true", baseline="base.json")
    assert one.returncode == 1, one.stderr
    comment = (runner.temporary / "comment.md").read_text()
    assert comment.startswith("<!-- goldwright evaluation -->\n### py:mine:poor on 8 queries: ")
    assert "gates fail" in comment
    assert "<summary>Baseline: on these queries: worse than the baseline</summary>" in comment
    assert (runner.temporary / "summary.md").read_text() == comment
    arguments = (runner.temporary / "gh-arguments").read_text()
    assert arguments.startswith("pr comment 7 --repo ann/shop --body-file ")

    two = act(retrievers="bm25\nmine=py:mine:poor", arguments="--measure 'nDCG@10'")
    assert two.returncode == 0, two.stderr
    comment = (runner.temporary / "comment.md").read_text()
    assert comment.startswith("<!-- goldwright bench -->\n### 2 systems on 8 queries")
    assert "nDCG@10: bm25-3" in comment


def test_no_text_of_a_workflow_is_taken_for_code(
    act: Callable[..., "subprocess.CompletedProcess[str]"], runner: Runner
) -> None:
    done = act(retrievers="$(touch owned)`touch owned`", arguments="; touch owned #")
    assert done.returncode == 2
    assert not (runner.workplace / "owned").exists()
    assert not (runner.temporary / "comment.md").exists()
    nobody = act(retrievers=" \n")
    assert (nobody.returncode, "retrievers: wanted one or more" in nobody.stderr) == (2, True)


@pytest.mark.thorough
def test_the_guard_comments_and_fails_only_where_it_is_required(
    runner: Runner, goldwright: Command, repository: Path
) -> None:
    guard = replace(runner, directory=ROOT / "guard")
    dataset = "golden/golden_v1.0.draft.json"
    # The runner's own dataset is of a plain directory, which has no commits to guard.
    assert goldwright("run", "smoke", "--repo", repository).returncode == 0
    export = ("export", "latest", "--version", "1.0", "--draft", "--replace")
    assert goldwright(*export).returncode == 0
    rows = json.loads((runner.workplace / dataset).read_text())
    cited = repository / rows[0]["expected_files"][0]
    git(repository, "mv", str(cited), str(cited.with_name("renamed.py")))
    git(repository, "rm", "--quiet", "-r", "--ignore-unmatch", rows[-1]["expected_files"][0])
    git(repository, "commit", "--quiet", "--message", "Clear up")
    commit = git(repository, "rev-parse", "HEAD").strip()

    def check(required: str) -> "subprocess.CompletedProcess[str]":
        return guard.run(
            dataset=dataset,
            repo=str(repository),
            commit=commit,
            required=required,
            repository="ann/fork",
            branch="clear-up",
        )

    done = check("false")
    assert done.returncode == 0, done.stderr
    comment = (runner.temporary / "comment.md").read_text()
    assert comment.startswith("<!-- goldwright guard -->\n### ")
    assert (
        "[Drop](https://example.org/ann/fork/new/clear-up?filename=golden%2Fguard%2Fq_" in comment
    )
    assert (runner.temporary / "summary.md").read_text() == comment
    assert check("true").returncode == 1
    # A commit that is not there is an error, required or not.
    wrong = guard.run(dataset=dataset, repo=str(repository), commit="0" * 40)
    assert wrong.returncode == 2
