"""The manifest says what a run was made of, and is either whole or refused."""

import json
from pathlib import Path

import pytest

from goldwright.canonical import digest
from goldwright.errors import DamagedStateError, InputError
from goldwright.manifest import RunManifest, load_manifest, manifest_digest, save_manifest
from goldwright.plan import Plan
from goldwright.records import WeakAdversary
from goldwright.records.seal import Seal

PLAN = Plan(
    schema_version="1.0.0", name="smoke", total=1, cells={"locate": {"easy": 1}}, minimum_total=1
)
MANIFEST = RunManifest(
    run="20260414T120000Z-smoke-00ff",
    goldwright_version="0.1.0",
    created_at="2026-04-14T12:00:00Z",
    plan=PLAN,
    plan_path="plans/smoke.json",
    plan_digest=PLAN.content_digest(),
    repo="/repo",
    mirror="/mirror",
    origin="git",
    commit="c" * 40,
    tree="d" * 40,
    seed=7,
    adversary_power=0.5,
    weak_adversaries=(
        WeakAdversary(
            agent="agent:adversary:a",
            caught=0,
            released=8,
            reaction="swap",
            followed_by="agent:adversary:b",
        ),
    ),
    roles={"oracle": "agent:oracle:offline-1"},
    batch=True,
    prompt_digests={"oracle": "sha256:2"},
    seals={"calls.jsonl": Seal(count=3, digest="sha256:" + "a" * 64)},
)


def test_a_saved_manifest_comes_back_as_it_was(tmp_path: Path) -> None:
    """Plan, seals and all."""
    path = tmp_path / "run.json"
    save_manifest(MANIFEST, path)
    sealed = MANIFEST.model_copy(update={"digest": manifest_digest(MANIFEST)})
    assert load_manifest(path) == sealed


def test_people_read_it_in_one_order(tmp_path: Path) -> None:
    """Indented, first what it is, then what it was made of."""
    path = tmp_path / "run.json"
    save_manifest(MANIFEST, path)
    text = path.read_text("ascii")
    assert text.startswith(
        '{\n  "schema_version": "1.0.0",\n  "run": "20260414T120000Z-smoke-00ff",\n'
    )
    assert text.endswith("}\n")
    # Efforts stand there where the settings name some, and a reason where something stopped it.
    assert list(json.loads(text)) == [
        name for name in RunManifest.model_fields if name not in {"efforts", "stopped_by"}
    ]


def test_an_older_manifest_without_a_stated_power_keeps_its_digest() -> None:
    """What was added later is left out where it says nothing; a power of 0 says something."""
    plain = MANIFEST.model_copy(update={"adversary_power": None, "weak_adversaries": ()})
    fields = json.loads(plain.model_dump_json())
    assert not {"adversary_power", "weak_adversaries"} & fields.keys()
    nothing = plain.model_copy(update={"adversary_power": 0.0})
    assert json.loads(nothing.model_dump_json())["adversary_power"] == 0


@pytest.mark.parametrize("length", [0, 1, 40, 400, -2])
def test_a_cut_manifest_is_damaged_state(tmp_path: Path, length: int) -> None:
    """It is replaced in one step, so half of one was never written by us."""
    path = tmp_path / "run.json"
    save_manifest(MANIFEST, path)
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(DamagedStateError, match="damaged manifest"):
        load_manifest(path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"seed": 7', '"seed": "7"'),
        ('"seed": 7', '"sead": 7'),
        ('"state": "open"', '"state": "ajar"'),
        ("{", "[{"),
    ],
)
def test_an_edited_manifest_is_damaged_state(tmp_path: Path, old: str, new: str) -> None:
    """A wrong type, an unknown field, an unknown word, no object."""
    path = tmp_path / "run.json"
    save_manifest(MANIFEST, path)
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(DamagedStateError, match="damaged manifest"):
        load_manifest(path)


@pytest.mark.parametrize("version", ["1.0.1", "1.1.0", "2.0.0", "10.0.0"])
def test_a_newer_manifest_is_an_input_error(tmp_path: Path, version: str) -> None:
    """It is not damaged; this program is too old."""
    path = tmp_path / "run.json"
    path.write_text(json.dumps({"schema_version": version, "unknown": True}))
    with pytest.raises(InputError, match=f"written by a newer goldwright \\(schema {version}"):
        load_manifest(path)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('"locate"', '"trace"', "plan.cells.trace"),
        ('"seed": 7', '"seed": 7, "luck": 1', "luck"),
    ],
    ids=["task type", "field"],
)
def test_a_manifest_that_its_digest_bears_out_is_not_called_damaged(
    tmp_path: Path, old: str, new: str, named: str
) -> None:
    """A newer goldwright of the same schema knows more task types and more fields."""
    path = tmp_path / "run.json"
    save_manifest(MANIFEST, path)
    fields = json.loads(path.read_text().replace(old, new, 1))
    written = {name: value for name, value in fields.items() if name not in {"state", "digest"}}
    path.write_text(json.dumps({**fields, "digest": digest(written)}))
    with pytest.raises(InputError, match=rf"a newer goldwright may have written it.*: {named}: "):
        load_manifest(path)


def test_a_missing_manifest_is_an_input_error(tmp_path: Path) -> None:
    """The directory is no run, or one that died before it began."""
    with pytest.raises(InputError, match=r"holds no run\.json"):
        load_manifest(tmp_path / "run.json")


def test_a_plan_that_is_not_the_one_its_digest_names_is_damage(tmp_path: Path) -> None:
    """A lowered threshold would otherwise bless what the plan that was run does not."""
    path = tmp_path / "run.json"
    save_manifest(MANIFEST, path)
    path.write_text(path.read_text().replace('"minimum_total": 1', '"minimum_total": 0'))
    with pytest.raises(DamagedStateError, match="its plan is not the one that plan_digest names"):
        load_manifest(path)


@pytest.mark.parametrize("field", ["seed", "commit", "config_digest", "allow_same_family"])
def test_a_manifest_that_somebody_changed_is_damaged(tmp_path: Path, field: str) -> None:
    path = tmp_path / "run.json"
    save_manifest(MANIFEST, path)
    row = json.loads(path.read_text())
    changed = {"seed": 77, "allow_same_family": True}.get(field, "other")
    path.write_text(json.dumps({**row, field: changed}))
    with pytest.raises(DamagedStateError, match="does not say what was written"):
        load_manifest(path)
