"""Live runs against a scripted server: the settings and the environment that lead a run to it."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from journeys.starting import call
from journeys.workplace import write_manifest

OWN = ("anthropic", "openai", "google")
KEYS: Mapping[str, str] = {
    "ANTHROPIC_API_KEY": "key-of-anthropic-0123456789",
    "OPENAI_API_KEY": "key-of-openai-0123456789",
    "GOOGLE_API_KEY": "key-of-google-0123456789",
    "NO_PROXY": "127.0.0.1",
}
CLAUDE = "anthropic:claude-sonnet-5"
GPT = "openai:gpt-5"
GEMINI = "google:gemini-3.8-flash"
LOCAL = "workshop:qwen3-coder"

PLAN = """{
  "schema_version": "1.0.0", "name": "small", "total": 6, "over_emission": 1.0, "top_up_rounds": 0,
  "minimum_total": 2, "minimum_cell_share": 0.5,
  "cells": {
    "locate": {"easy": 2, "medium": 0, "hard": 0}, "explain": {"easy": 2, "medium": 0, "hard": 0},
    "debug": {"easy": 2, "medium": 0, "hard": 0}, "extend": {"easy": 0, "medium": 0, "hard": 0},
    "review": {"easy": 0, "medium": 0, "hard": 0}, "general": {"easy": 0, "medium": 0, "hard": 0}
  }
}
"""


@dataclass
class Settings:
    """The content of a ``goldwright.toml`` that leads to one server."""

    url: str
    oracle: str = GPT
    others: str = CLAUDE
    judge: str = GEMINI
    run: str = ""
    canaries: int | None = 0
    agents: str = ""
    more: str = ""
    concurrency: int = 8
    providers: Mapping[str, str] = field(default_factory=dict)

    def text(self) -> str:
        """Write the settings."""
        addresses = {
            "anthropic": f'base_url = "{self.url}"',
            "openai": f'base_url = "{self.url}/v1"\napi = "responses"',
            "google": f'base_url = "{self.url}"',
            "workshop": f'base_url = "{self.url}/v1"',
        }
        models = (self.oracle, self.others, self.judge)
        tables = []
        for name, lines in addresses.items():
            if name in OWN or any(model.startswith(name) for model in models):
                limit = f"max_concurrency = {self.concurrency}"
                own_lines = self.providers.get(name, "")
                tables.append(f"[providers.{name}]\n{limit}\n{lines}\n{own_lines}")
        # Most tests are about something else, so their runs send none unless told otherwise.
        canaries = "" if self.canaries is None else f"canaries = {self.canaries}\n"
        return "\n".join(
            [
                f'[agents]\nauthor = "{self.others}"\noracle = "{self.oracle}"',
                f'adversary = "{self.others}"\ncompleteness = "{self.others}"',
                f'judge = "{self.judge}"\n{self.agents}',
                f"[run]\n{canaries}{self.run}",
                '[prices."workshop:qwen3-coder"]\ninput = 0\noutput = 0',
                *tables,
                self.more,
            ]
        )

    def write(self, directory: Path) -> None:
        """Put the settings and a small plan into a working directory."""
        (directory / "goldwright.toml").write_text(self.text())
        (directory / "small.json").write_text(PLAN)


@dataclass(frozen=True)
class Live:
    """The command in a working directory, with keys unless told otherwise."""

    workplace: Path
    code: Path
    cache: Path

    def __call__(self, *arguments: object, **variables: str) -> Any:
        """Run a command to its end."""
        own = {**KEYS, "GOLDWRIGHT_CACHE": str(self.cache), **variables}
        return call(*arguments, cwd=self.workplace, environment={**os.environ, **own})

    def start(self, *arguments: object, **variables: str) -> Any:
        """Start the small run."""
        return self("run", "small.json", "--repo", self.code, *arguments, **variables)

    def take(self, finished: Path) -> None:
        """Begin with a copy of another working directory."""
        shutil.copytree(finished, self.workplace, dirs_exist_ok=True)
        text = (self.run / "run.json").read_text()
        # It names the settings it was started with, which are looked at again by resume.
        write_manifest(self.run, json.loads(text.replace(str(finished), str(self.workplace))))

    @property
    def run(self) -> Path:
        """The only run there is."""
        (run,) = (self.workplace / "runs").iterdir()
        return run

    def status(self) -> Any:
        """Read the state of the latest run."""
        return report(self("status", "latest", "--json"))

    def records(self, file: str) -> list[dict[str, Any]]:
        """Read a file of the only run there is."""
        path = self.run / file
        lines = path.read_text().splitlines() if path.exists() else []
        return [json.loads(line) for line in lines]

    def draft(self, version: str = "1.0") -> Path:
        """Export the latest run as a draft."""
        result = self("export", "latest", "--version", version, "--draft")
        assert result.returncode == 0, result.stderr
        return self.workplace / f"golden/golden_v{version}.draft.json"

    def files(self) -> dict[str, bytes]:
        """Read every file of every run."""
        paths = (path for path in sorted((self.workplace / "runs").rglob("*")) if path.is_file())
        return {str(path): path.read_bytes() for path in paths if path.name != "run.lock"}


def report(result: "subprocess.CompletedProcess[str]") -> Any:
    """Read what a command printed as JSON."""
    return json.loads(result.stdout)


def metadata(draft: Path) -> Any:
    """Read the metadata beside a draft."""
    return json.loads(draft.with_suffix(".meta.json").read_text())


def without_provenance(draft: Path) -> list[dict[str, Any]]:
    """Read a dataset, leaving out who made it."""
    rows: list[dict[str, Any]] = json.loads(draft.read_text())
    return [{key: value for key, value in row.items() if key != "provenance"} for row in rows]
