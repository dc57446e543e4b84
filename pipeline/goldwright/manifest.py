"""The manifest of a run: everything that, with the recorded calls, determines its results."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, get_args

from pydantic import Field, ValidationError

from goldwright.atomic_files import read_failure, replace_file
from goldwright.canonical import digest
from goldwright.errors import DamagedStateError, InputError
from goldwright.plan import Plan
from goldwright.records import BUILT_IN_POOL, PoolSystem, Record, WeakAdversary
from goldwright.records.base import is_empty
from goldwright.records.seal import Seal
from goldwright.records.validation_problems import first_validation_problem
from goldwright.regular_files import IrregularFileError, read_regular
from goldwright.strict_json import strict_json

RunState = Literal["open", "complete"]

MANIFEST_VERSION: Final = "1.0.0"
# A run is opened and closed again without any change, so its state is left out.
_NOT_DIGESTED: Final = {"state", "digest"}
# Digits of one part of a version. Python refuses to read integers of thousands of digits.
_LONGEST_NUMBER: Final = 9


def _is_no(value: object) -> bool:
    """Likewise, where the older manifests mean that something was not so."""
    return value is False


def _is_absent(value: object) -> bool:
    """Whether a field that older manifests lack can be left out, so that their digests stay."""
    return value is None


class RedoneStage(Record):
    """A stage that was done again; its older files lie under ``superseded/<number>/``.

    Attributes:
        number: Counts them from 1.
        from_stage: The first stage that was done again.
        files: The files that were moved away.
        keeps_replies: Whether what models have answered still counts; it does where the run itself
            took another Adversary, and not where a person wants everything asked again.
    """

    number: int = Field(ge=1)
    from_stage: str
    files: tuple[str, ...]
    keeps_replies: bool = Field(default=False, exclude_if=is_empty)


class RunManifest(Record):
    """What ``run.json`` holds, in this order.

    Attributes:
        schema_version: The version of this schema.
        run: The name of the run.
        goldwright_version: The program that started it.
        created_at: When, in UTC.
        state: ``complete`` once the run has done all it can do by itself.
        plan: The plan.
        plan_path: Where the plan was read from.
        plan_digest: The digest of the plan's content.
        repo: The codebase, as the user named it.
        mirror: Where its mirror lies.
        origin: Whether the codebase is a git repository or a plain directory.
        commit: The commit that the run is pinned to.
        tree: The tree id of that commit.
        unparsed: The source files of which nothing is read, each with its reason.
        seed: Chooses among equally good queries.
        roles: Who plays each role.
        models: ``provider:model`` for each role that a model plays.
        families: The family of each of these models, where it is known.
        allow_same_family: Whether the Oracle's model may be of the same family as those that
            question it.
        retired: Models that may play no role any more.
        apis: For each role that a model plays, the protocol that it is spoken to in.
        efforts: How much the models of roles are to think, where the settings say so.
        budget_micro_usd: The ceiling of the run, in millionths of a dollar.
        budget_is_by_flag: Whether the ceiling was given on the command line.
        focus_area: The part of the codebase to ask about.
        pool: The searches that fill the pool of completeness.
        prices_of: The date of the price table.
        canaries: How many canaries are sent to the Adversary.
        adversary_power: The share of canaries that it has to catch, in 0..1; None where no power
            was stated.
        batch: Whether models whose roles can wait are asked in batches.
        weak_adversaries: The Adversaries that were found to be weak and followed by others.
        secret: Drawn for the run; the marks around material that models see are derived from it.
        round: The number of the batch, from 1; each replaces one that people turned down.
        requeued_from: The run of the batch before.
        lessons: What people found in that batch.
        spent_targets: The entities of its faulty records.
        config_path: Where the configuration was read from.
        prompt_digests: The digest of each prompt by its name.
        stage_versions: The version of each stage.
        config_digest: The digest of the configuration's content.
        seals: The count and digest of each file of the run.
        redone: The stages that were done again, oldest first.
        redoing: A stage whose older files may not all be moved away yet.
        stopped_by: What kept an open run from going on when it was last carried on; empty where
            nothing but a person or a signal did.
        digest: The digest of everything above but ``state``; set when the manifest is written.
    """

    schema_version: Literal["1.0.0"] = MANIFEST_VERSION
    run: str
    goldwright_version: str
    created_at: str
    state: RunState = "open"
    plan: Plan
    plan_path: str
    plan_digest: str
    repo: str
    mirror: str
    origin: Literal["git", "directory"]
    commit: str
    tree: str
    unparsed: dict[str, str] = Field(default_factory=dict)
    seed: int
    roles: dict[str, str]
    models: dict[str, str] = Field(default_factory=dict)
    families: dict[str, str | None] = Field(default_factory=dict)
    allow_same_family: bool = False
    retired: tuple[str, ...] = ()
    apis: dict[str, str] = Field(default_factory=dict)
    efforts: dict[str, str] = Field(default_factory=dict, exclude_if=is_empty)
    budget_micro_usd: int | None = None
    budget_is_by_flag: bool = False
    focus_area: str | None = None
    pool: tuple[PoolSystem, ...] = BUILT_IN_POOL
    prices_of: str = ""
    canaries: int = Field(default=0, ge=0)
    adversary_power: float | None = Field(default=None, ge=0, lt=1, exclude_if=_is_absent)
    batch: bool = Field(default=False, exclude_if=_is_no)
    weak_adversaries: tuple[WeakAdversary, ...] = Field(default=(), exclude_if=is_empty)
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
    stopped_by: str = Field(default="", exclude_if=is_empty)
    digest: str = ""

    def without_files(self, unparsed: Mapping[str, str]) -> "RunManifest":
        """Return the manifest of a run that reads nothing of some files, each with its reason."""
        return self.model_copy(update={"unparsed": dict(sorted(unparsed.items()))})

    def sealed(self, file: str, seal: Seal) -> "RunManifest":
        """Return the manifest with one more file sealed, or sealed again."""
        return self.model_copy(update={"seals": {**self.seals, file: seal}})

    def completed(self) -> "RunManifest":
        """Return the manifest of a run that has done all it can do by itself."""
        return self.model_copy(update={"state": "complete", "stopped_by": ""})

    def stopped(self, reason: str) -> "RunManifest":
        """Return the manifest of a run that something kept from going on; empty for nothing."""
        return self.model_copy(update={"stopped_by": reason})


def manifest_digest(manifest: RunManifest) -> str:
    """Digest all that a manifest says: agents, models, seed, settings, plan, and what is sealed."""
    content = manifest.model_dump(mode="json", exclude=_NOT_DIGESTED)
    return digest(content)


def save_manifest(manifest: RunManifest, path: Path) -> RunManifest:
    """Replace the manifest in one step, sealed whole.

    Returns:
        The manifest as it was written.

    Raises:
        InputError: The disk is full, or the directory cannot be written.
        DamagedStateError: The disk failed.
    """
    # Indented, since people read this file; its digest is taken of what it says.
    sealed = manifest.model_copy(update={"digest": manifest_digest(manifest)})
    text = sealed.model_dump_json(indent=2, ensure_ascii=True)
    replace_file(path, text.encode("ascii") + b"\n")
    return sealed


def load_manifest(path: Path) -> RunManifest:
    """Read a manifest.

    Raises:
        InputError: There is none, or a newer goldwright wrote it.
        DamagedStateError: It is not what the program wrote.
    """
    try:
        data = read_regular(path)
    except FileNotFoundError as error:
        raise InputError(
            f"{path.parent}: holds no {path.name}, so it is no run that began; start a new one"
        ) from error
    except IrregularFileError as error:
        raise DamagedStateError(f"{path}: damaged manifest: {error.strerror}") from error
    except OSError as error:
        raise read_failure(path, error) from error
    # First, because this version's model would call a newer manifest damaged.
    fields = _read_fields(data, path)
    _refuse_newer(fields, path)
    try:
        manifest = RunManifest.model_validate_json(data)
    except ValidationError as error:
        problem = first_validation_problem(error)
        if _is_as_written(fields):
            # A task type or a field that this version does not know yet.
            raise InputError(
                f"{path}: a newer goldwright may have written it; this one reads no such manifest: "
                f"{problem}"
            ) from error
        raise DamagedStateError(f"{path}: damaged manifest: {problem}") from error
    # A lowered threshold would otherwise bless what the plan that was run does not.
    if manifest.plan.content_digest() != manifest.plan_digest:
        raise DamagedStateError(
            f"{path}: damaged manifest: its plan is not the one that plan_digest names"
        )
    # Agents, seed and models stand in every metadata: nobody may put in others afterwards.
    if manifest_digest(manifest) != manifest.digest:
        raise DamagedStateError(
            f"{path}: damaged manifest: it does not say what was written (digest)"
        )
    return manifest


def _read_fields(data: bytes, path: Path) -> dict[str, object]:
    """Read what a manifest says, whatever its fields; nothing where it is no object."""
    try:
        fields = strict_json(data, source=str(path))
    except InputError as error:
        raise DamagedStateError(f"damaged manifest: {error}") from error
    return fields if isinstance(fields, dict) else {}


def _is_as_written(fields: Mapping[str, object]) -> bool:
    """Whether a manifest says what its digest names, whatever program wrote it."""
    content = {name: value for name, value in fields.items() if name not in _NOT_DIGESTED}
    # The digest says nothing of the state.
    return fields.get("state") in get_args(RunState) and digest(content) == fields.get("digest")


def _refuse_newer(fields: Mapping[str, object], path: Path) -> None:
    version = fields.get("schema_version")
    # Numbers are compared, not texts: 10.0.0 is newer than 2.0.0.
    if _version_numbers(version) > _version_numbers(MANIFEST_VERSION):
        raise InputError(
            f"{path}: written by a newer goldwright "
            f"(schema {version}; this one reads {MANIFEST_VERSION})"
        )


def _version_numbers(version: object) -> tuple[int, ...]:
    """Read the numbers of a version; anything else has none, and so is older than any version."""
    if not isinstance(version, str):
        return ()
    return tuple(int(part) for part in version.split(".") if _is_number(part))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER
