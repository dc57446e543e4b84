"""The files of a run directory, by name."""

import shutil
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from goldwright.errors import GoldwrightError
from goldwright.manifest import RunManifest, load_manifest, save_manifest
from goldwright.workspace.lock import hold_lock

MANIFEST_FILE = "run.json"
CALLS_FILE = "calls.jsonl"
TRUST_CARD_FILE = "trust_card.json"


class StageFileName(StrEnum):
    """The files that stages and people write, in the order of the funnel."""

    CANDIDATES = "00_candidates.jsonl"
    ORACLE_ANSWERS = "01_oracle_answers.jsonl"
    ADVERSARY_REPORTS = "02_adversary_reports.jsonl"
    VALIDATION_FAILURES = "03_validation_failures.jsonl"
    HUMAN_REVIEW_QUEUE = "04_human_review_queue.jsonl"
    REJECTED = "05_rejected.jsonl"
    COMPLETENESS = "completeness.jsonl"
    NARRATIVE_VERDICTS = "narrative_verdicts.jsonl"
    CANARIES = "canaries.jsonl"
    HUMAN_REVIEWS = "human_reviews.jsonl"


STAGE_FILES: tuple[StageFileName, ...] = tuple(StageFileName)


@dataclass(frozen=True, slots=True)
class RunDirectory:
    """One directory under ``runs/``."""

    path: Path

    @property
    def name(self) -> str:
        """The name of the run, which is that of its directory."""
        return self.path.name

    @property
    def manifest_path(self) -> Path:
        """Where ``run.json`` lies."""
        return self.path / MANIFEST_FILE

    @property
    def calls_path(self) -> Path:
        """Where ``calls.jsonl`` lies."""
        return self.path / CALLS_FILE

    @property
    def trust_card_path(self) -> Path:
        """Where ``trust_card.json`` lies, or will lie."""
        return self.path / TRUST_CARD_FILE

    def stage_path(self, file: StageFileName) -> Path:
        """Where a stage file lies, or will lie."""
        return self.path / file

    def superseded_path(self, number: int) -> Path:
        """Where the files lie that the redoing with this number replaced."""
        # Two digits, so that the directories of a run sort in the order of the redoings.
        return self.path / "superseded" / f"{number:02d}"

    @property
    def holds_questions(self) -> bool:
        """Whether a question was ever written; one that failed at its start holds none."""
        if self.superseded_path(1).exists():
            return True
        try:
            return self.stage_path(StageFileName.CANDIDATES).stat().st_size > 0
        except OSError:
            return False

    def manifest(self) -> RunManifest:
        """Read the manifest.

        Raises:
            InputError: There is none, or a newer goldwright wrote it.
            DamagedStateError: It is not what the program wrote.
        """
        return load_manifest(self.manifest_path)

    def save(self, manifest: RunManifest) -> RunManifest:
        """Replace the manifest in one step and return it sealed; the caller holds the lock.

        Raises:
            InputError: The disk is full, or the directory cannot be written.
            DamagedStateError: The disk failed.
        """
        return save_manifest(manifest, self.manifest_path)

    def begin(self, manifest: RunManifest) -> None:
        """Write the first manifest; where that fails, the directory is gone again.

        Raises:
            InputError: The disk is full, or the directory cannot be written.
            DamagedStateError: The disk failed.
        """
        try:
            with self.lock():
                self.save(manifest)
        except GoldwrightError:
            # Without a manifest it is no run, and nobody has heard of it.
            shutil.rmtree(self.path, ignore_errors=True)
            raise

    def lock(self) -> AbstractContextManager[None]:
        """Be the only process that carries on this run.

        Raises:
            BusyError: Another process does.
        """
        lock_file = self.path / "run.lock"
        return hold_lock(lock_file, purpose=f"run {self.name}")
