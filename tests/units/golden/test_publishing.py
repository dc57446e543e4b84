"""A version stands whole with its metadata, or not at all."""

import subprocess
import sys
from pathlib import Path

import pytest

from goldwright.canonical import digest_bytes
from goldwright.errors import InputError
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.publishing import (
    clear_older_draft,
    publish_version,
    refuse_draft_of_another_run,
)
from units.golden.test_versions import EMPTY, metadata

DATA = b"[]"
NO_ROOM = """
import resource, sys
from pathlib import Path
from goldwright.errors import GoldwrightError
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.publishing import publish_version
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
made = DatasetMetadata.model_validate_json(sys.stdin.read())
try:
    publish_version(Path(sys.argv[1]), b" " * 30_000, made)
except GoldwrightError as error:
    print(type(error).__name__, error)
"""


def of(run: str) -> DatasetMetadata:
    """The metadata of version 1.9, made by a run."""
    return DatasetMetadata.model_validate_json(metadata(EMPTY)).model_copy(update={"run": run})


def names(golden: Path) -> list[str]:
    """What lies in the directory."""
    return sorted(one.name for one in golden.iterdir())


def test_a_version_is_three_files_that_nobody_may_write(tmp_path: Path) -> None:
    path = tmp_path / "golden" / "golden_v1.9.json"
    assert publish_version(path, DATA, of("run"))
    assert names(path.parent) == ["golden_v1.9.json", "golden_v1.9.md", "golden_v1.9.meta.json"]
    assert {one.stat().st_mode & 0o777 for one in path.parent.iterdir()} == {0o444}


def test_the_same_dataset_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "golden_v1.9.json"
    publish_version(path, DATA, of("run"))
    before = {one.name: (one.stat().st_ino, one.read_bytes()) for one in tmp_path.iterdir()}
    assert not publish_version(path, DATA, of("another"))
    assert {one.name: (one.stat().st_ino, one.read_bytes()) for one in tmp_path.iterdir()} == before


def test_a_full_disk_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "golden_v1.9.json"
    command = [sys.executable, "-c", NO_ROOM, str(path)]
    done = subprocess.run(
        command,
        input=of("run").model_dump_json(),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.startswith("NoRoomError")
    assert "no room to write" in done.stdout
    assert names(tmp_path) == []
    assert publish_version(path, DATA, of("run"))


def test_metadata_that_a_crash_of_this_run_left_alone_are_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "golden_v1.9.json"
    publish_version(path, DATA, of("run"))
    path.unlink()
    assert publish_version(path, DATA, of("run").model_copy(update={"usd": 1.5}))
    assert '"usd": 1.5' in (tmp_path / "golden_v1.9.meta.json").read_text()


def test_a_card_that_was_lost_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "golden_v1.9.json"
    publish_version(path, DATA, of("run"))
    card = tmp_path / "golden_v1.9.md"
    text = card.read_text()
    card.unlink()
    assert not publish_version(path, DATA, of("run"))
    assert card.read_text() == text


def test_a_card_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    card = tmp_path / "golden_v1.9.md"
    card.write_text("mine")
    with pytest.raises(InputError, match=r"golden_v1\.9\.md: is there already"):
        publish_version(tmp_path / "golden_v1.9.json", DATA, of("run"))
    assert (names(tmp_path), card.read_text()) == (["golden_v1.9.md"], "mine")


@pytest.mark.parametrize("content", [of("another").model_dump_json().encode(), b"[]\n", b"\xff"])
def test_metadata_of_somebody_else_are_left_alone(tmp_path: Path, content: bytes) -> None:
    beside = tmp_path / "golden_v1.9.meta.json"
    beside.write_bytes(content)
    with pytest.raises(InputError, match=r"golden_v1\.9\.meta\.json: is there already"):
        publish_version(tmp_path / "golden_v1.9.json", DATA, of("run"))
    assert (names(tmp_path), beside.read_bytes()) == (["golden_v1.9.meta.json"], content)


def test_a_dataset_that_stands_there_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "golden_v1.9.json"
    path.write_bytes(b"[1]")
    with pytest.raises(InputError, match="never overwritten"):
        publish_version(path, DATA, of("run"))
    assert (names(tmp_path), path.read_bytes()) == (["golden_v1.9.json"], b"[1]")


def draft_of(run: str, data: bytes) -> DatasetMetadata:
    """The metadata of a draft."""
    update = {
        "dataset_status": "agent_curated_pending_human_review",
        "dataset_sha256": digest_bytes(data),
    }
    return of(run).model_copy(update=update)


def test_a_draft_gives_way_to_another_one(tmp_path: Path) -> None:
    path = tmp_path / "golden_v1.9.draft.json"
    publish_version(path, DATA, draft_of("one", DATA))
    assert clear_older_draft(path, DATA, draft_of("one", DATA)) is None
    # Of the same records, a plan that was changed since tells something else.
    planned_otherwise = draft_of("one", DATA).model_copy(update={"plan": "as-filled"})
    assert clear_older_draft(path, DATA, planned_otherwise) == "one"
    publish_version(path, DATA, draft_of("one", DATA))
    assert clear_older_draft(path, b"[ ]", draft_of("one", b"[ ]")) == "one"
    assert names(tmp_path) == []
    assert publish_version(path, b"[ ]", draft_of("two", b"[ ]"))
    # Another run may be of another commit, though its records are the same.
    assert (
        clear_older_draft(path, b"[ ]", draft_of("three", b"[ ]"), may_replace_others=True) == "two"
    )


def test_the_draft_of_another_run_stays_unless_somebody_says_so(tmp_path: Path) -> None:
    path = tmp_path / "golden_v1.9.draft.json"
    publish_version(path, DATA, draft_of("one", DATA))
    for data in (DATA, b"[ ]"):
        with pytest.raises(InputError, match=r"is the draft of one; .* or pass --replace"):
            clear_older_draft(path, data, draft_of("two", data))
    with pytest.raises(InputError, match=r"is the draft of one; "):
        refuse_draft_of_another_run(path, "two")
    refuse_draft_of_another_run(path, "one")
    assert path.read_bytes() == DATA


def test_what_is_no_draft_of_ours_stays(tmp_path: Path) -> None:
    version = tmp_path / "golden_v1.9.json"
    publish_version(version, DATA, of("one"))
    edited = tmp_path / "golden_v1.8.draft.json"
    publish_version(edited, DATA, draft_of("one", DATA))
    edited.chmod(0o644)
    edited.write_bytes(b"[  ]")
    alone = tmp_path / "golden_v1.7.draft.json"
    alone.write_bytes(DATA)
    for path in (version, edited, alone):
        assert clear_older_draft(path, b"[ ]", draft_of("two", b"[ ]")) is None
        assert path.is_file()
        with pytest.raises(InputError):
            publish_version(path, b"[ ]", draft_of("two", b"[ ]"))
