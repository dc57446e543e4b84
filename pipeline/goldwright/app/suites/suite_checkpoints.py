"""What a suite has on disk: a directory for each codebase, and a checkpoint once it is done.

A checkpoint is written last and by the driver alone. It names the inputs and the digest of the
dataset beside it, so it can be held against both on another machine. A failure leaves a note for
people and no checkpoint; the next call tries again.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from goldwright.app.suites.suite_definition import Suite, SuiteCodebase, is_codebase_name
from goldwright.atomic_files import replace_file
from goldwright.canonical import canonical_json, digest_bytes
from goldwright.errors import DamagedStateError, InputError
from goldwright.golden.loading import read_bytes
from goldwright.records.validation_problems import first_validation_problem
from goldwright.strict_json import strict_json

SUITE_FILE: Final = "suite.json"
PIECES: Final = "codebases"
CHECKPOINT_FILE: Final = "checkpoint.json"
FAILURE_FILE: Final = "failure.txt"
# No codebase has such a name, so a copy that a crash cut off is never taken for one.
COPY_ENDING: Final = ".copy~"


class SuiteCheckpoint(BaseModel):
    """A codebase of a suite that is done.

    Attributes:
        codebase: Its name.
        inputs: The digest of what its dataset rests on.
        commit: The commit that the run pinned.
        run: The name of the run in ``runs/`` beside the checkpoint.
        dataset: The name of the dataset beside the checkpoint.
        dataset_sha256: The digest of that file.
        records: How many records it holds.
        short_cells: Cells that the codebase could not fill, as people read them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: Literal["1.0.0"] = "1.0.0"
    codebase: str
    inputs: str
    commit: str
    run: str
    dataset: str = Field(pattern=r"^[A-Za-z0-9._-]+$")
    dataset_sha256: str
    records: int = Field(ge=1)
    short_cells: tuple[str, ...] = ()

    @property
    def outcome(self) -> tuple[str, str, str]:
        """What two checkpoints of one codebase must agree on: inputs, commit and dataset."""
        return (self.inputs, self.commit, self.dataset_sha256)


class SuiteRecord(BaseModel):
    """Which suite a directory belongs to.

    Attributes:
        name: The suite's name.
        inputs: By codebase, in the order of the suite, the digest of what its dataset rests on.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: Literal["1.0.0"] = "1.0.0"
    name: str
    inputs: dict[str, str]


@dataclass(frozen=True, slots=True)
class SuiteDirectory:
    """The directory of a suite, or of a shard of one."""

    root: Path

    def piece(self, name: str) -> Path:
        """The directory of a codebase."""
        return self.root / PIECES / name

    def record(self) -> SuiteRecord:
        """Read which suite this is.

        Raises:
            InputError: It is the directory of none.
        """
        path = self.root / SUITE_FILE
        if not path.is_file():
            raise InputError(f"{self.root}: is no directory of a suite (it has no {SUITE_FILE})")
        fields = strict_json(read_bytes(path, content="suite"), source=str(path))
        try:
            record = SuiteRecord.model_validate(fields)
        except ValidationError as error:
            problem = first_validation_problem(error)
            raise InputError(f"{path}: no record of a suite: {problem}") from error
        # They become directories, and the file may come from elsewhere.
        for name in record.inputs:
            if not is_codebase_name(name):
                raise InputError(f"{path}: {name!r} is no name of a codebase")
        return record

    def begin(self, record: SuiteRecord) -> None:
        """Make this the directory of a suite; a directory of the same suite stays as it is.

        Raises:
            InputError: It belongs to another suite, or to an earlier state of this one.
        """
        path = self.root / SUITE_FILE
        if path.exists():
            refuse_other_suite(self.record(), record, self.root)
            return
        try:
            self.root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{self.root}: cannot be made: {error.strerror}") from error
        # The order of the codebases is content: it decides what a shard is.
        record_json = record.model_dump_json(indent=2)
        replace_file(path, f"{record_json}\n".encode())

    def checkpoint(self, name: str, inputs: str) -> SuiteCheckpoint | None:
        """Give the checkpoint of a codebase, held against its inputs and its dataset.

        Raises:
            InputError: It was made of other inputs.
            DamagedStateError: It or its dataset is not what was written.
        """
        path = self.piece(name) / CHECKPOINT_FILE
        if not path.is_file():
            return None
        checkpoint = _parse_checkpoint(path)
        if checkpoint.codebase != name:
            raise DamagedStateError(f"{path}: speaks of {checkpoint.codebase}, not of {name}")
        if checkpoint.inputs != inputs:
            raise InputError(f"{path}: was made of other inputs; choose another directory")
        dataset = self.dataset(checkpoint)
        if not dataset.is_file():
            raise DamagedStateError(f"{path}: {dataset.name} is gone; delete the checkpoint")
        if digest_bytes(read_bytes(dataset, content="dataset")) != checkpoint.dataset_sha256:
            raise DamagedStateError(f"{dataset}: is not what {CHECKPOINT_FILE} was written for")
        return checkpoint

    def dataset(self, checkpoint: SuiteCheckpoint) -> Path:
        """The dataset of a codebase that is done."""
        return self.piece(checkpoint.codebase) / checkpoint.dataset

    def save(self, checkpoint: SuiteCheckpoint) -> None:
        """Write a checkpoint, the last thing that is done for a codebase."""
        directory = self.piece(checkpoint.codebase)
        (directory / FAILURE_FILE).unlink(missing_ok=True)
        text = canonical_json(checkpoint.model_dump(mode="json"))
        data = f"{text}\n".encode("ascii")
        replace_file(directory / CHECKPOINT_FILE, data)

    def note_failure(self, name: str, message: str) -> None:
        """Keep for people why a codebase is not done."""
        directory = self.piece(name)
        directory.mkdir(parents=True, exist_ok=True)
        data = f"{message}\n".encode("utf-8", "replace")
        replace_file(directory / FAILURE_FILE, data)

    def failure(self, name: str) -> str | None:
        """Why a codebase is not done, where an earlier call said so."""
        path = self.piece(name) / FAILURE_FILE
        if not path.is_file():
            return None
        return read_bytes(path, content="note").decode("utf-8", "replace").strip()


def record_of(suite: Suite) -> SuiteRecord:
    """Write down which suite this is."""
    return SuiteRecord(name=suite.name, inputs=_inputs_of(suite.codebases))


def refuse_other_suite(existing: SuiteRecord, record: SuiteRecord, directory: Path) -> None:
    """Refuse a directory of another suite.

    Raises:
        InputError: Name or codebases differ, or the inputs of one; the text names the first.
    """
    if existing.name != record.name:
        raise InputError(f"{directory}: belongs to the suite {existing.name}, not {record.name}")
    if list(existing.inputs) != list(record.inputs):
        raise InputError(f"{directory}: was made with other codebases; choose another directory")
    for name, inputs in record.inputs.items():
        if existing.inputs[name] != inputs:
            raise InputError(
                f"{directory}: {name} had another revision, plan, settings, seed or version of "
                "goldwright; choose another directory"
            )


def replace_piece(copy: Path, target: Path) -> None:
    """Give a copied directory the place of a codebase, in one step.

    Raises:
        InputError: The directory cannot be written.
    """
    try:
        # A directory without a checkpoint is unfinished work, which was finished elsewhere. It may
        # have cost money, so it is put aside and not deleted.
        if target.exists():
            target.rename(_free_name(target))
        copy.rename(target)
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{target}: cannot be written: {reason}") from error


def _free_name(target: Path) -> Path:
    number = 1
    while (target.with_name(f"{target.name}.unfinished-{number}~")).exists():
        number += 1
    return target.with_name(f"{target.name}.unfinished-{number}~")


def _inputs_of(codebases: tuple[SuiteCodebase, ...]) -> dict[str, str]:
    return {codebase.name: codebase.inputs for codebase in codebases}


def _parse_checkpoint(path: Path) -> SuiteCheckpoint:
    data = read_bytes(path, content="checkpoint")
    try:
        return SuiteCheckpoint.model_validate_json(data)
    except ValidationError as error:
        problem = first_validation_problem(error)
        raise DamagedStateError(f"{path}: no checkpoint: {problem}") from error
