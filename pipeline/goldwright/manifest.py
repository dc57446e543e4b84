"""The manifest of a run: everything that, with the recorded calls, determines its results."""

from pathlib import Path
from typing import Final, Literal

from pydantic import Field, ValidationError

from goldwright.atomic_files import replace_file
from goldwright.canonical import digest
from goldwright.errors import DamagedStateError, InputError
from goldwright.plan import Plan
from goldwright.records import Record
from goldwright.records.seal import Seal
from goldwright.records.strict_json import first_validation_problem, strict_json

MANIFEST_VERSION: Final = "1.0.0"
_LONGEST_NUMBER = 9


class RedoneStage(Record):
    """A stage that was done again: its older files lie under ``superseded/<number>/``."""

    number: int = Field(ge=1)
    from_stage: str
    files: tuple[str, ...]


class RunManifest(Record):
    """What ``run.json`` holds, in this order.

    ``roles`` maps author, oracle, adversary and judge to who plays them, ``models`` to
    ``provider:model`` where that is a model, ``apis`` to the way it is spoken to; ``prices_of`` is
    the date of the price table; ``secret`` is drawn for the run, and the marks around material that
    models are shown are derived from it. ``round`` counts the batches of which each replaces one
    that people turned down; such a run names the one before it, what people found there
    (``lessons``), and the entities of its faulty records (``spent_targets``). ``seals`` maps a file
    of the run to its count and digest; ``redoing`` is a redoing of a stage that was begun and whose
    older files may not all be moved away yet.
    """

    schema_version: Literal["1.0.0"] = MANIFEST_VERSION
    run: str
    goldwright_version: str
    created_at: str
    state: Literal["open", "complete"] = "open"
    plan: Plan
    plan_path: str
    plan_digest: str
    repo: str
    mirror: str
    origin: Literal["git", "directory"]
    commit: str
    tree: str
    seed: int
    roles: dict[str, str]
    models: dict[str, str] = Field(default_factory=dict)
    families: dict[str, str | None] = Field(default_factory=dict)
    allow_same_family: bool = False
    retired: tuple[str, ...] = ()
    apis: dict[str, str] = Field(default_factory=dict)
    budget_micro_usd: int | None = None
    budget_is_by_flag: bool = False
    focus_area: str | None = None
    prices_of: str = ""
    canaries: int = Field(default=0, ge=0)
    secret: str = ""
    round: int = Field(default=1, ge=1)
    requeued_from: str | None = None
    lessons: tuple[str, ...] = ()
    spent_targets: tuple[str, ...] = ()
    config_path: str = ""
    prompt_digests: dict[str, str] = Field(default_factory=dict)
    stage_versions: dict[str, str] = Field(default_factory=dict)
    config_digest: str = ""
    seals: dict[str, Seal] = Field(default_factory=dict)
    redone: tuple[RedoneStage, ...] = ()
    redoing: RedoneStage | None = None

    @property
    def settings_digest(self) -> str:
        """Name everything that may change a result: no path, no time, no run name."""
        included = {
            "plan_digest", "origin", "commit", "tree", "seed",
            "roles", "models", "focus_area", "prompt_digests", "stage_versions", "config_digest",
            "round", "lessons", "spent_targets",
        }  # fmt: skip
        return digest(self.model_dump(mode="json", include=included))

    def sealed(self, file: str, seal: Seal) -> "RunManifest":
        """Give the manifest with one more file sealed, or sealed anew."""
        return self.model_copy(update={"seals": {**self.seals, file: seal}})

    def completed(self) -> "RunManifest":
        """Give the manifest of a run that has done all it can do by itself."""
        return self.model_copy(update={"state": "complete"})


def save_manifest(manifest: RunManifest, path: Path) -> None:
    """Put the manifest in its place in one step.

    Raises:
        InputError: There is no room, or the directory cannot be written.
        DamagedStateError: The disk failed.
    """
    text = manifest.model_dump_json(indent=2, ensure_ascii=True)
    replace_file(path, text.encode("ascii") + b"\n")


def load_manifest(path: Path) -> RunManifest:
    """Read a manifest.

    Raises:
        InputError: There is none, or a newer goldwright wrote it.
        DamagedStateError: It is not what the program wrote.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise InputError(
            f"{path.parent}: holds no {path.name}, so it is no run that began; start a new one"
        ) from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    _refuse_newer(data, path)
    try:
        manifest = RunManifest.model_validate_json(data)
    except ValidationError as error:
        raise DamagedStateError(
            f"{path}: damaged manifest: {first_validation_problem(error)}"
        ) from error
    if manifest.plan.content_digest() != manifest.plan_digest:
        raise DamagedStateError(
            f"{path}: damaged manifest: its plan is not the one that plan_digest names"
        )
    return manifest


def _refuse_newer(data: bytes, path: Path) -> None:
    try:
        parsed = strict_json(data, source=str(path))
    except InputError as error:
        raise DamagedStateError(f"damaged manifest: {error}") from error
    version = parsed.get("schema_version") if isinstance(parsed, dict) else None
    if _numbers(version) > _numbers(MANIFEST_VERSION):
        raise InputError(
            f"{path}: written by a newer goldwright (schema {version}; this one reads {MANIFEST_VERSION})"
        )


def _numbers(version: object) -> tuple[int, ...]:
    parts = version.split(".") if isinstance(version, str) else []
    return tuple(
        int(part)
        for part in parts
        if part.isascii() and part.isdigit() and len(part) <= _LONGEST_NUMBER
    )
