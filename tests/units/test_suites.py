"""Suites: their definition, their checkpoints, and the one rule of merging."""

import tarfile
from pathlib import Path

import pytest

from goldwright.app.suites.suite_checkpoints import (
    CHECKPOINT_FILE,
    SuiteCheckpoint,
    SuiteDirectory,
    SuiteRecord,
)
from goldwright.app.suites.suite_definition import read_suite
from goldwright.app.suites.suite_eval import fill_in
from goldwright.app.suites.suite_merge import merge_shards
from goldwright.app.suites.suite_shipping import pack, unpack
from goldwright.canonical import digest_bytes
from goldwright.errors import DamagedStateError, InputError, QualityGateError

NAMES = ("alpha", "beta", "gamma")


def shard_with(root: Path, *names: str, data: bytes = b"[]", suite: str = "three") -> Path:
    """Make the directory of a shard in which some codebases are done."""
    place = SuiteDirectory(root)
    place.begin(SuiteRecord(name=suite, inputs={name: f"inputs of {name}" for name in NAMES}))
    for name in names:
        place.piece(name).mkdir(parents=True)
        (place.piece(name) / "golden.json").write_bytes(data)
        checkpoint = SuiteCheckpoint(
            codebase=name,
            inputs=f"inputs of {name}",
            commit="c" * 40,
            run="20260101T000000Z-smoke",
            dataset="golden.json",
            dataset_sha256=digest_bytes(data),
            records=1,
        )
        place.save(checkpoint)
    return root


def write_suite(directory: Path, text: str) -> Path:
    path = directory / "suite.toml"
    path.write_text(text)
    return path


def test_a_merge_reuses_what_is_valid_and_names_what_is_missing(tmp_path: Path) -> None:
    shards = [shard_with(tmp_path / "1", "alpha"), shard_with(tmp_path / "2", "alpha", "gamma")]
    state = merge_shards(shards, tmp_path / "all")
    assert [checkpoint.codebase for checkpoint in state.done] == ["alpha", "gamma"]
    assert state.missing == ("beta",)
    again = merge_shards([shard_with(tmp_path / "3", "beta")], tmp_path / "all")
    assert again.missing == ()


def test_a_merge_refuses_a_conflict_and_copies_nothing(tmp_path: Path) -> None:
    shards = [
        shard_with(tmp_path / "1", "alpha", "beta"),
        shard_with(tmp_path / "2", "beta", data=b"[ ]"),
    ]
    with pytest.raises(QualityGateError, match=r"beta: .*neither is taken"):
        merge_shards(shards, tmp_path / "all")
    assert not (tmp_path / "all" / "codebases").exists()


def test_a_merge_refuses_shards_of_different_suites(tmp_path: Path) -> None:
    shards = [shard_with(tmp_path / "1", "alpha"), shard_with(tmp_path / "2", suite="four")]
    with pytest.raises(InputError, match="belongs to the suite four"):
        merge_shards(shards, tmp_path / "all")


def test_a_merge_refuses_a_dataset_that_was_changed(tmp_path: Path) -> None:
    shard = shard_with(tmp_path / "1", "alpha")
    (shard / "codebases" / "alpha" / "golden.json").write_bytes(b"[{}]")
    with pytest.raises(DamagedStateError, match=CHECKPOINT_FILE):
        merge_shards([shard], tmp_path / "all")


def test_unfinished_work_gives_way_to_finished_work_and_is_put_aside(tmp_path: Path) -> None:
    target = shard_with(tmp_path / "all")
    unfinished = target / "codebases" / "alpha"
    unfinished.mkdir(parents=True)
    (unfinished / "paid.jsonl").write_text("{}")
    state = merge_shards([shard_with(tmp_path / "1", "alpha")], target)
    assert state.missing == ("beta", "gamma")
    aside = target / "codebases" / "alpha.unfinished-1~" / "paid.jsonl"
    assert aside.read_text() == "{}"


def test_a_name_in_a_foreign_record_cannot_leave_the_directory(tmp_path: Path) -> None:
    (tmp_path / "suite.json").write_text(
        '{"schema_version": "1.0.0", "name": "x", "inputs": {"../../up": "sha256:0"}}'
    )
    with pytest.raises(InputError, match="is no name of a codebase"):
        merge_shards([tmp_path], tmp_path / "all")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name = 'x'", "codebases"),
        ("name = 'x'\n[[codebases]]\nname = '../up'\nrepo = '.'", "name"),
        ("name = 'x'\nplan = 'smoke'\n" + "[[codebases]]\nname = 'a'\nrepo = '.'\n" * 2, "a twice"),
        ("name = ", "no TOML"),
    ],
)
def test_a_suite_that_is_none_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        read_suite(write_suite(tmp_path, text))


def test_the_inputs_of_a_codebase_are_the_same_on_another_machine(tmp_path: Path) -> None:
    text = "name = 'x'\nplan = 'smoke'\n[[codebases]]\nname = 'a'\nrepo = '{0}'\nrev = '{1}'\n"
    inputs = []
    for repo, rev in (("here", "v1"), ("there", "v1"), ("here", "v2")):
        suite = read_suite(write_suite(tmp_path, text.format(repo, rev)))
        inputs.append(suite.codebases[0].inputs)
    assert inputs[0] == inputs[1] != inputs[2]


def test_a_directory_with_a_blank_stays_one_word_of_a_command(tmp_path: Path) -> None:
    text = "name = 'x'\nplan = 'smoke'\n[[codebases]]\nname = 'a'\nrepo = 'my code'\n"
    codebase = read_suite(write_suite(tmp_path, text)).codebases[0]
    assert fill_in("cmd:search --in {repo}", codebase) == f"cmd:search --in '{tmp_path}/my code'"
    assert fill_in("trec:runs/{codebase}.txt", codebase) == "trec:runs/a.txt"


@pytest.mark.skipif(not hasattr(tarfile, "data_filter"), reason="Python before 3.11.4")
def test_an_archive_brings_a_directory_back_and_nothing_outside_it(tmp_path: Path) -> None:
    code = tmp_path / "code"
    (code / "inner").mkdir(parents=True)
    (code / "inner" / "a.py").write_text("x = 1\n")
    unpack(pack(code), tmp_path / "copy")
    assert (tmp_path / "copy" / "inner" / "a.py").read_text() == "x = 1\n"
    (code / "leak").symlink_to("/etc/passwd")
    with pytest.raises(InputError, match="cannot be unpacked"):
        unpack(pack(code), tmp_path / "other")
