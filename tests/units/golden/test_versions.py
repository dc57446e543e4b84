"""Published versions: which ones there are, which one a reader takes, and what it says of it."""

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.errors import InputError, QualityGateError
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.versions import Version, checked_metadata, find_dataset, published_versions

EMPTY = "sha256:4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"  # of b"[]"
OTHER = "sha256:" + "0" * 64


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """Three versions, and files that are none."""
    directory = tmp_path / "golden"
    directory.mkdir()
    for name in (
        "golden_v1.9.json",
        "golden_v1.10.json",
        "golden_v1.0.json",
        "golden_v1.0.meta.json",
        "golden_v2.0.draft.json",
        "golden_v2.0.draft.meta.json",
        "golden_v01.2.json",
        "golden_v3.json",
        "golden_v3.0.json.bak",
        "golden_v\u0663.0.json",
        "README.md",
    ):
        (directory / name).write_bytes(b"[]")
    (directory / "golden_v9.0.json").mkdir()
    return directory


def metadata(sha256: str) -> bytes:
    """The metadata of a dataset without records."""
    made = DatasetMetadata(
        version="1.9",
        dataset_status="human_blessed",
        dataset_sha256=sha256,
        query_count=0,
        cells=(),
        repo_commit="c" * 40,
        repo_tree="d" * 40,
        repo_origin="git",
        pipeline_version="0.1.0",
        run="run",
        plan="phase1",
        plan_digest=OTHER,
        seed=0,
        roles={},
        models={},
        families={},
        allow_same_family=False,
        canaries={},
        prompt_digests={},
        stage_versions={},
        human_reviewers=(),
        total_tokens=0,
        usd=0.0,
        low_confidence=(),
        source_file_hashes={},
        known_limits=(),
    )
    return made.model_dump_json().encode()


@given(st.integers(0, 999_999), st.integers(0, 999_999), st.sampled_from(["", "v", "golden_v"]))
def test_a_version_is_read_as_it_is_written(major: int, minor: int, prefix: str) -> None:
    version = Version.parse(f"{prefix}{major}.{minor}")
    assert (version.major, version.minor) == (major, minor)
    assert str(version) == f"{major}.{minor}"


@pytest.mark.parametrize(
    "text", ["", "1", "1.", ".1", "1.0.0", "01.0", "1.00", "-1.0", "golden_1.0", "V1.0", "1.0\n"]
)
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"no version; wanted MAJOR\.MINOR"):
        Version.parse(text)


def test_blessed_versions_stand_in_the_order_of_their_numbers(golden: Path) -> None:
    """Drafts, metadata, directories and misspelt names are no versions."""
    assert [str(one.version) for one in published_versions(golden)] == ["1.0", "1.9", "1.10"]
    assert [one.path.name for one in published_versions(golden)] == [
        "golden_v1.0.json",
        "golden_v1.9.json",
        "golden_v1.10.json",
    ]


def test_a_directory_that_is_not_there_holds_no_version(tmp_path: Path) -> None:
    assert published_versions(tmp_path / "none") == ()


def test_a_directory_that_is_a_file_is_an_input_error(golden: Path) -> None:
    with pytest.raises(InputError, match=r"README\.md: cannot be read: Not a directory"):
        published_versions(golden / "README.md")


@pytest.mark.parametrize("asked", [None, "latest"])
def test_the_newest_is_taken_unless_another_is_asked_for(golden: Path, asked: str | None) -> None:
    found = find_dataset(asked, golden)
    assert (found.path, found.version, found.is_newest) == (
        golden / "golden_v1.10.json",
        Version(1, 10),
        True,
    )
    assert found.description == f"golden_v1.10.json (the newest of 3), {EMPTY}"


@pytest.mark.parametrize("asked", ["1.9", "v1.9", "golden_v1.9"])
def test_a_pinned_version_is_taken_and_says_that_there_is_a_newer_one(
    golden: Path, asked: str
) -> None:
    found = find_dataset(asked, golden)
    assert (found.path, found.version, found.is_newest) == (
        golden / "golden_v1.9.json",
        Version(1, 9),
        False,
    )
    assert found.description == f"golden_v1.9.json (pinned; the newest is 1.10), {EMPTY}"


def test_a_pinned_version_that_is_the_newest_is_only_pinned(golden: Path) -> None:
    assert find_dataset("1.10", golden).how == "pinned"


def test_a_lone_version_is_the_only_one(tmp_path: Path) -> None:
    (tmp_path / "golden_v0.1.json").write_bytes(b"[]")
    assert (
        find_dataset(None, tmp_path).description == f"golden_v0.1.json (the only version), {EMPTY}"
    )


def test_a_draft_is_taken_by_its_path_alone(golden: Path) -> None:
    draft = golden / "golden_v2.0.draft.json"
    found = find_dataset(str(draft), golden)
    assert (found.path, found.version, found.is_newest) == (draft, None, False)
    assert found.description == f"{draft} (named by its path), {EMPTY}"
    with pytest.raises(
        InputError, match=r"no blessed version 2\.0, only a draft, .*golden_v2\.0\.draft\.json"
    ):
        find_dataset("2.0", golden)


def test_a_version_that_is_named_by_its_path_is_known_as_one(golden: Path) -> None:
    found = find_dataset(str(golden / ".." / "golden" / "golden_v1.10.json"), golden)
    assert (found.version, found.is_newest, found.how) == (
        Version(1, 10),
        True,
        "named by its path",
    )
    assert find_dataset(str(golden / "golden_v1.9.json"), golden).is_newest is False


@pytest.mark.parametrize(
    ("asked", "advice"),
    [
        ("lates", "; did you mean latest?"),
        ("golden_v1.1.json", "golden_v1.10.json (and drafts"),
        ("mine.csv", "No such file or directory"),
    ],
)
def test_a_path_that_is_not_there_is_told_with_what_may_have_been_meant(
    golden: Path, asked: str, advice: str
) -> None:
    with pytest.raises(InputError) as caught:
        find_dataset(asked, golden)
    text = str(caught.value)
    assert text.startswith(f"{asked}: cannot read the dataset: No such file or directory")
    assert advice in text
    # A misspelt word and a list of one's own have nothing to do with the versions there are.
    assert (str(golden) in text) == (asked == "golden_v1.1.json")


def test_without_a_dataset_it_is_said_which_command_writes_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"goldwright export latest --version 1\.0 --draft writes"):
        find_dataset("latest", tmp_path / "golden")


@pytest.mark.parametrize("asked", ["1.1", "golden_v1.1.json", "nothing/here.json", "x" * 5000, ""])
def test_a_dataset_that_is_not_there_is_answered_with_what_there_is(
    golden: Path, asked: str
) -> None:
    with pytest.raises(InputError) as caught:
        find_dataset(asked, golden)
    assert "holds golden_v1.0.json, golden_v1.9.json, golden_v1.10.json (and drafts" in str(
        caught.value
    )
    assert "\n" not in str(caught.value)


def test_a_draft_is_the_latest_until_people_have_blessed_a_version(tmp_path: Path) -> None:
    for version in ("1.0", "1.10", "1.9"):
        (tmp_path / f"golden_v{version}.draft.json").write_bytes(b"[]")
    for selector in (None, "latest"):
        draft = find_dataset(selector, tmp_path)
        assert draft.path.name == "golden_v1.10.draft.json"
        assert (draft.version, draft.is_newest) == (None, False)
        assert "(the newest of 3 drafts; people have blessed no version)" in draft.description
    with pytest.raises(InputError, match=r"no blessed version 1\.10"):
        find_dataset("1.10", tmp_path)
    (tmp_path / "golden_v0.1.json").write_bytes(b"[]")
    assert find_dataset("latest", tmp_path).path.name == "golden_v0.1.json"


def test_there_is_no_latest_in_an_empty_directory(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no version that people blessed; goldwright export"):
        find_dataset(None, tmp_path)


def test_a_name_that_acts_on_terminals_is_made_visible(tmp_path: Path) -> None:
    path = tmp_path / "a\nb\x1b[31m.json"
    path.write_bytes(b"[]")
    assert find_dataset(str(path), tmp_path).description.endswith(
        f"a\\u{{a}}b\\u{{1b}}[31m.json (named by its path), {EMPTY}"
    )


def test_a_dataset_without_metadata_passes(golden: Path) -> None:
    assert checked_metadata(find_dataset("1.9", golden), b"[]") is None


def test_a_dataset_passes_with_the_hash_that_its_metadata_names(golden: Path) -> None:
    (golden / "golden_v1.9.meta.json").write_bytes(metadata(EMPTY))
    found = checked_metadata(find_dataset("1.9", golden), b"[]")
    assert found is not None
    assert found.dataset_sha256 == EMPTY


def test_a_dataset_with_another_hash_than_its_metadata_names_is_refused(golden: Path) -> None:
    (golden / "golden_v1.9.meta.json").write_bytes(metadata(OTHER))
    with pytest.raises(
        QualityGateError,
        match=rf"golden_v1\.9\.json: is {EMPTY}, where golden_v1\.9\.meta\.json names",
    ):
        checked_metadata(find_dataset("1.9", golden), b"[]")


def test_a_dataset_that_changes_while_it_is_read_is_refused(golden: Path) -> None:
    found = find_dataset("1.9", golden)
    now = "sha256:" + hashlib.sha256(b"[ ]").hexdigest()
    with pytest.raises(
        QualityGateError, match=f"changed while it was read: {EMPTY} before, {now} now"
    ):
        checked_metadata(found, b"[ ]")


def test_metadata_that_is_none_is_named(golden: Path) -> None:
    with pytest.raises(InputError, match=r"golden_v1\.0\.meta\.json"):
        checked_metadata(find_dataset("1.0", golden), b"[]")


def test_a_draft_under_the_name_of_a_blessed_version_is_refused(golden: Path) -> None:
    draft = metadata(EMPTY).replace(b'"human_blessed"', b'"agent_curated_pending_human_review"')
    (golden / "golden_v1.9.meta.json").write_bytes(draft)
    with pytest.raises(QualityGateError, match="is named as a blessed version"):
        checked_metadata(find_dataset("1.9", golden), b"[]")
