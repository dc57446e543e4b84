"""Live runs against a scripted server: the settings and the environment that lead a run to it."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "pipeline" / "goldwright"
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

PARTS = ("journal", "records", "snapshot", "workspace")
PLAN = """{
  "schema_version": "1.0.0", "name": "small", "total": 6, "over_emission": 1.5, "top_up_rounds": 0,
  "minimum_total": 2, "minimum_cell_share": 0.5,
  "cells": {
    "locate": {"easy": 2, "medium": 0, "hard": 0}, "explain": {"easy": 2, "medium": 0, "hard": 0},
    "debug": {"easy": 2, "medium": 0, "hard": 0}, "extend": {"easy": 0, "medium": 0, "hard": 0},
    "review": {"easy": 0, "medium": 0, "hard": 0}, "general": {"easy": 0, "medium": 0, "hard": 0}
  }
}
"""


def copy_code(directory: Path) -> Path:
    """Copy a part of this project that holds enough material for a small plan."""
    for part in PARTS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PROGRAM / part, directory / "goldwright" / part, ignore=ignored)
    for file in PROGRAM.glob("*.py"):
        shutil.copy(file, directory / "goldwright")
    return directory


@dataclass
class Settings:
    """The content of a ``goldwright.toml`` that leads to one server."""

    url: str
    oracle: str = GPT
    others: str = CLAUDE
    judge: str = GEMINI
    run: str = ""
    agents: str = ""
    more: str = ""
    concurrency: int = 8
    providers: Mapping[str, str] = field(default_factory=dict)

    def text(self) -> str:
        """Write the settings."""
        base = {
            "anthropic": f'base_url = "{self.url}"',
            "openai": f'base_url = "{self.url}/v1"\napi = "responses"',
            "google": f'base_url = "{self.url}"',
            "workshop": f'base_url = "{self.url}/v1"',
        }
        tables = [
            f"[providers.{name}]\nmax_concurrency = {self.concurrency}\n{lines}\n{self.providers.get(name, '')}"
            for name, lines in base.items()
            if name in OWN
            or any(model.startswith(name) for model in (self.oracle, self.others, self.judge))
        ]
        return "\n".join(
            [
                f'[agents]\nauthor = "{self.others}"\noracle = "{self.oracle}"',
                f'adversary = "{self.others}"\njudge = "{self.judge}"\n{self.agents}',
                f"[run]\n{self.run}",
                '[prices."workshop:qwen3-coder"]\ninput = 0\noutput = 0',
                *tables,
                self.more,
            ]
        )

    def write(self, directory: Path) -> None:
        """Put the settings and a small plan into a working directory."""
        (directory / "goldwright.toml").write_text(self.text())
        (directory / "small.json").write_text(PLAN)
