"""What can be a flag can be a setting: one table, held against the commands and the plugin."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import pytest

from goldwright.cli.catalog import COMMAND_NAMES, goldwright
from goldwright.cli.init import command as init
from goldwright.cli.settings_command import SettingsCommand, settable_options
from goldwright.config import COMMAND_KEYS, RunSettings, read_settings
from goldwright.errors import GoldwrightError, InputError

# Flags that no file sets, for every command, and why.
NOWHERE = {
    "config": "names the file itself",
    "shard": "which share a call takes is another one for each job",
    "json": "what a program reads on stdout must not hang on a file that it does not know",
    "version": "a version is written once, so its name is good for one call",
}
# The same for single commands.
NOT_IN_THE_FILE: Mapping[str, Mapping[str, str]] = {
    "run": {"dry_run": "a file with it would let no run begin"},
    "resume": {
        "from": "what is done again is chosen once",
        "as_filled": "lowers the plan of one run",
        "accept_changes": "consent to changes is given for the changes that were shown",
        "budget_usd": "is budget_usd of [run]",
    },
    "retry": {"hint": "is about one record"},
    "drop": {"why": "is about one record"},
    "show": {"matching": "is about one list"},
    "requeue": {"against": "is the reason of one batch"},
    "review": {
        "scripted": "that verdicts come from a script is said each time",
        "more": "is added to one sample, once",
        "second": "which of the reviewers somebody is, they say each time",
        "adjudicate": "which of the reviewers somebody is, they say each time",
        "listen": "who is let in, and from where, is decided each time",
        "invite": "who is let in, and from where, is decided each time",
    },
    "export": {
        "base": "is the version before one that is written once",
        "replace": "consent to replacing a draft is given for that draft",
    },
    "adopt": {"replace": "consent to replacing a draft is given for that draft"},
    "compare": {
        "list_models": "prints a list in place of any comparison",
        "manifest": "is a file of settings of its own, which takes none of this one",
        "default": "goes with the manifest",
    },
    "convert": {
        "to": "a conversion is one file, made once",
        "from": "a conversion is one file, made once",
        "out": "must be free, so it is good for one call",
        "repo": "goes with some formats only, and is refused with others",
        "rev": "goes with repo",
        "allow_dirty": "goes with repo",
    },
    "cells": {
        "dry_run": "a file with it would let no comparison begin",
        "new_version": "gives up what was frozen, which is decided each time",
    },
    "bench": {"refresh": "asks everything again, which is wanted once"},
    "baseline": {"replace": "gives up what was kept, which is decided each time"},
    "relevance": {
        "unsafe_no_sandbox": "runs what nobody has read unconfined, which is decided each time",
        "dry_run": "a file with it would let no trial begin",
        **dict.fromkeys(
            ("worlds", "documents", "combination", "without", "with"),
            "a simulation asks what would be, another thing each time",
        ),
    },
    "benefit": {
        "dry_run": "a file with it would let no comparison begin",
        **dict.fromkeys(
            ("tasks", "worlds", "without", "lift", "spread"),
            "a simulation asks what would be, another thing each time",
        ),
    },
    "suite": {"partial": "gives up codebases, which is decided each time"},
    "doctor": {
        "heal": "deletes files, which is decided each time",
        "repo": "looks at one codebase beside the machine; settings may be what is broken",
        "rev": "goes with the codebase on the command line",
    },
    "init": {"force": "writes over the file itself", "repo": "is what is written into it"},
}
# pytest's flags begin with --golden-, but for the retriever; --golden starts a session of ours.
PYTEST_FLAG = "--golden-"


def leaves() -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, under the name of its section."""
    for name in COMMAND_NAMES:
        command = goldwright.get_command(click.Context(goldwright), name)
        assert command is not None
        if isinstance(command, click.Group):
            for subcommand in command.commands.values():
                yield name, subcommand
        else:
            yield name, command


def flags_by_section() -> dict[str, set[str]]:
    flags: dict[str, set[str]] = {}
    for section, command in leaves():
        flags.setdefault(section, set()).update(settable_options(command))
    return flags


def test_every_flag_can_be_set_in_the_file_or_is_an_exception_with_a_reason() -> None:
    for section, flags in flags_by_section().items():
        settable = set(COMMAND_KEYS.get(section, ()))
        if section == "run":
            settable |= set(RunSettings.model_fields) & flags
        exceptions = set(NOT_IN_THE_FILE.get(section, ())) | set(NOWHERE) & flags
        assert settable | exceptions == flags, section
        assert not settable & exceptions, section


def test_every_flag_of_the_plugin_can_be_set_in_the_file(pytestconfig: pytest.Config) -> None:
    flags = {"retriever"}
    # Every option that pytest knows; ours are told by their beginning.
    for name in vars(pytestconfig.option):
        if name.startswith("golden_"):
            flags.add(name.removeprefix("golden_"))
    assert set(COMMAND_KEYS["pytest"]) == flags


def test_a_command_reads_settings_where_the_file_has_a_section_for_it() -> None:
    for section, command in leaves():
        if isinstance(command, SettingsCommand):
            assert command.section == section
        assert isinstance(command, SettingsCommand) == (section in COMMAND_KEYS), section


def parse(arguments: list[str], section: str = "eval") -> dict[str, Any]:
    """What a command would be called with."""
    command = goldwright.get_command(click.Context(goldwright), section)
    assert command is not None
    return command.make_context(section, arguments).params


class TestReading:
    @pytest.fixture(autouse=True)
    def _workplace(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        self.file = tmp_path / "goldwright.toml"

    def test_a_flag_wins_over_its_section_and_the_section_over_that_of_all_commands(self) -> None:
        self.file.write_text(
            "[commands]\ndepth = 20\ntimeout = 2\nlimit = 3\n"
            '[eval]\nretriever = "bm25"\ntimeout = 4\nlimit = 5\n'
        )
        params = parse(["1.0", "--limit", "7"])
        assert (params["depth"], params["timeout"], params["limit"]) == (20, 4.0, 7)
        assert params["retriever"] == "bm25"

    def test_what_the_file_turns_on_the_command_line_turns_off(self) -> None:
        self.file.write_text('[eval]\nretriever = "bm25"\ngates = true\nrepo = "."\ngate = "x"\n')
        on = parse(["1.0"])
        off = parse(["1.0", "--no-gates", "--no-repo", "--no-gate"])
        assert (on["uses_profile"], on["repo"], on["further_gates"]) == (
            True,
            self.file.parent,
            ("x",),
        )
        assert (off["uses_profile"], off["repo"], off["further_gates"]) == (False, None, ())

    def test_paths_start_at_the_file_wherever_it_is(self) -> None:
        elsewhere = self.file.parent / "elsewhere"
        elsewhere.mkdir()
        file = elsewhere / "goldwright.toml"
        file.write_text(
            '[bench]\nrepo = "src"\nhtml = "/pages/x"\nretriever = ["a=trec:run.txt", "py:m:f"]\n'
        )
        params = parse(["1.0", "--config", str(file)], "bench")
        assert params["repo"] == elsewhere / "src"
        assert params["html"] == Path("/pages/x")
        assert params["retrievers"] == (f"a=trec:{elsewhere}/run.txt", "py:m:f")

    def test_what_a_run_is_made_with_is_no_flag_and_flags_are_not_recorded_with_a_run(self) -> None:
        self.file.write_text("[run]\nseed = 7\ncanaries = 2\n[eval]\ndepth = 3\n")
        settings = read_settings(None, root=self.file.parent)
        assert settings.config.run.seed == 7
        assert settings.flags_of("run") == {"canaries": 2}
        self.file.write_text("[run]\nseed = 7\n")
        plain = read_settings(None, root=self.file.parent)
        assert plain.config.content_digest() == settings.config.content_digest()

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("[evl]", "[evl]: no such section; did you mean eval?"),
            ("[eval]\nretreiver = 1", "eval.retreiver: no such setting; did you mean retriever?"),
            ("[bench]\nallow-drift = true", "bench.allow-drift: no such setting; did you mean"),
            ("[run]\nbudget = 1", "run.budget: no such setting; did you mean budget_usd?"),
            ("[agents]\nautor = 1", "agents.autor: no such setting; did you mean author?"),
            (
                "[providers.mine]\nbaseurl = 'http://x'",
                "providers.mine.baseurl: no such field; did you mean base_url?",
            ),
            ("eval = 3", "eval: wanted a section, as in [eval]"),
            ("seed = 3", "seed: stands in no section; write it below [run] or [commands]"),
            (
                "repo = '.'\n[eval]\ndepth = 3",
                "repo: stands in no section; write it below [run] or [",
            ),
            ("[eval]\ndepth = true", "eval.depth: wanted a number, found True"),
            ("[eval]\ndepth = 5000", "eval.depth: 5000 is not in the range 1<=x<=1000."),
            ("[eval]\ngates = 1", "eval.gates: wanted true or false, found 1"),
            ("[eval]\nrepo = 1", "eval.repo: wanted text, found 1"),
            ("[eval]\nrepo = ['a']", "eval.repo: wanted text, found ['a']"),
            ("[eval]\nties = 'chance'", "eval.ties: 'chance' is not one of 'id', 'trec'."),
            ("[eval]\nmeasure = [1]", "eval.measure: wanted text, found 1"),
        ],
    )
    def test_what_is_no_setting_is_refused_in_one_line(self, text: str, problem: str) -> None:
        self.file.write_text(text)
        with pytest.raises(InputError) as caught:
            parse(["1.0", "--retriever", "bm25"])
        message = str(caught.value)
        assert f"{self.file}: {problem}" in message
        assert "\n" not in message

    def test_help_is_printed_although_the_file_is_broken(self) -> None:
        self.file.write_text("[evl]")
        with pytest.raises(click.exceptions.Exit):
            parse(["--help"])


class TestInit:
    def written(self, directory: Path, *arguments: str) -> str:
        with init.make_context("init", [str(directory), *arguments]) as context:
            init.invoke(context)
        return (directory / "goldwright.toml").read_text("utf-8")

    def test_the_file_holds_every_setting_and_each_is_legal_without_its_mark(
        self, tmp_path: Path
    ) -> None:
        text = self.written(tmp_path)
        lines = [line.removeprefix("# ") if " = " in line else line for line in text.splitlines()]
        file = tmp_path / "goldwright.toml"
        file.write_text("\n".join(lines))
        settings = read_settings(file, root=tmp_path)
        for section, keys in COMMAND_KEYS.items():
            assert set(settings.sections[section]) == set(keys), section
        # Numbers, choices and switches are such as the flags take.
        parse(["1.0", "--config", str(file), "--retriever", "bm25"])
        parse(["1.0", "--config", str(file)], "bench")

    def test_with_all_marks_it_sets_nothing_but_the_codebase(self, tmp_path: Path) -> None:
        (tmp_path / "src").mkdir()
        (tmp_path / "src" / "shop.py").touch()
        document = tomllib.loads(self.written(tmp_path))
        assert {name: table for name, table in document.items() if table} == {
            "commands": {"repo": "."}
        }

    def test_the_repository_around_a_directory_is_named_from_there(self, tmp_path: Path) -> None:
        (tmp_path / ".git").mkdir()
        directory = tmp_path / "golden" / "sets"
        directory.mkdir(parents=True)
        document = tomllib.loads(self.written(directory))
        assert document["commands"] == {"repo": "../.."}

    def test_the_codebase_that_is_named_is_written(self, tmp_path: Path) -> None:
        code, directory = tmp_path / "code", tmp_path / "work"
        code.mkdir()
        directory.mkdir()
        document = tomllib.loads(self.written(directory, "--repo", str(code)))
        assert document["commands"] == {"repo": "../code"}
        with pytest.raises(GoldwrightError, match="no such directory"):
            self.written(directory, "--repo", str(tmp_path / "nowhere"), "--force")

    def test_a_file_that_is_there_stays_unless_it_is_to_go(self, tmp_path: Path) -> None:
        file = tmp_path / "goldwright.toml"
        file.write_text("mine")
        with pytest.raises(GoldwrightError, match="--force"):
            self.written(tmp_path)
        assert file.read_text() == "mine"
        assert self.written(tmp_path, "--force") != "mine"


def test_settings_about_arms_are_no_reason_to_refuse_two_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "goldwright.toml").write_text(
        '[commands]\nrepo = "."\ndepth = 20\n[compare]\nhtml = "arms.html"\n'
    )
    command = goldwright.get_command(click.Context(goldwright), "compare")
    assert command is not None
    # It looks for the reports, and so has not taken the call for one about arms.
    with (
        command.make_context("compare", ["before.json", "after.json"]) as context,
        pytest.raises(InputError, match=r"before\.json"),
    ):
        command.invoke(context)
