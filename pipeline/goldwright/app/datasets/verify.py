"""Checking a finished dataset, a run, or a file of answers, against a codebase."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from goldwright.app.codebase import open_codebase
from goldwright.app.datasets.batch_labels import make_labels
from goldwright.app.datasets.blessing_ledger import refuse_damage, replay
from goldwright.app.environment import Environment
from goldwright.app.runs.adversary_power import power_figures
from goldwright.app.runs.run_files import run_for_reading
from goldwright.app.runs.run_report import report_on
from goldwright.app.runs.trust_cards import card_of_labels
from goldwright.errors import InputError
from goldwright.golden.datasets import OWN_FORMAT
from goldwright.golden.expected_ids import ExpectedIdResolver
from goldwright.golden.foreign import AuditReport, audit
from goldwright.golden.ledger import Ledger
from goldwright.golden.ledger_replay import Replay
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.queries import DatasetQuery, query_of
from goldwright.golden.verification import RecordFindings, drifted_files, failing_records
from goldwright.golden.versions import published_versions
from goldwright.interchange.opening import open_dataset
from goldwright.records import CheckFailure, GoldenLabel, TrustFigure
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.stages.gate import check_answers
from goldwright.text import counted
from goldwright.trust_card.card import TrustCard
from goldwright.workspace import RunDirectory


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """What a user asks of a check.

    Attributes:
        dataset: The dataset by path or version, or a run by path or name.
        repo: The codebase.
        rev: Its commit; HEAD where there is none.
        allow_drift: Whether to leave changed files out of the findings.
        allow_dirty: Whether to pin the files of the work tree as they are.
        card: Whether to compute the trust card, which takes records of our own.
        allowed_signers: A file of the keys of reviewers, who must have signed all that they said;
            None to ask for no signatures.
    """

    dataset: str
    repo: Path
    rev: str | None = None
    allow_drift: bool = False
    allow_dirty: bool = False
    card: bool = False
    allowed_signers: Path | None = None


@dataclass(frozen=True, slots=True)
class Verification:
    """The findings on a dataset.

    Attributes:
        source: Which file it was, and why this one was taken.
        format: Whose format it has.
        records: How many records it holds.
        failing: Records that the gate stops; only Goldwright's own can pass or fail it.
        drifted: Cited files whose content differs from the hashes in the metadata.
        has_metadata: Whether metadata stand beside it.
        audit: Defects that the records of any dataset can have.
        commit: The commit it was checked against.
        made_at: The commit that its metadata say it was made from; empty without metadata.
        card: What can be measured of its records without people, where that was asked for.
        replay: What the ledger beside it shows; None for what lies beside none.
        power: What canaries show of the Adversary, as further figures of the card; empty where no
            card was asked for, or nothing is known of canaries.
    """

    source: str
    format: str
    records: int
    failing: tuple[RecordFindings, ...]
    drifted: tuple[str, ...]
    has_metadata: bool
    audit: AuditReport
    commit: str
    made_at: str = ""
    card: TrustCard | None = None
    replay: Replay | None = None
    power: Mapping[str, TrustFigure] = field(default_factory=dict)

    def __repr__(self) -> str:
        outcome = "sound"
        if not self.is_sound:
            changed_files = counted(len(self.drifted), "file")
            failing_count = len(self.failing)
            outcome = f"{failing_count} fail the gate, {changed_files} changed"
            if self.format != OWN_FORMAT:
                outcome = f"{self.audit.records_hit} with a defect"
        records = counted(self.records, "record")
        short_commit = self.commit[:12]
        return f"<Verification: {records} at {short_commit}, {outcome}>"

    @property
    def misses_figures(self) -> bool:
        """Whether a figure of the card surely misses what is wanted."""
        verdicts = {figure.verdict for figure in self.power.values()}
        card = self.card
        has_card_misses = card is not None and bool(card.missed)
        return "short" in verdicts or has_card_misses

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong.

        Defects of the audit count for foreign datasets alone: the gate is the judge of our own.
        """
        if self.failing or self.drifted:
            return False
        if self.replay is not None and self.replay.unsigned:
            return False
        return self.format == OWN_FORMAT or not self.audit.defects


def gate_answers(
    answers: Path, *, repo: Path, rev: str | None, allow_dirty: bool, environment: Environment
) -> Iterator[tuple[str, tuple[CheckFailure, ...]]]:
    """Run the gate over a file of answers.

    Yields:
        For each record in the order of the file, its query id and the checks it fails.

    Raises:
        InputError: The file, the codebase or a record cannot be read.
    """
    if not answers.is_file():
        raise InputError(f"{answers}: no such file of answers")
    snapshot = open_snapshot(
        repo, rev=rev, cache=environment.cache, allow_dirty=allow_dirty, chance=environment.chance
    )
    return check_answers(answers, snapshot)


def verify_dataset(request: VerifyRequest, environment: Environment) -> Verification:
    """Check a dataset, or the selected records of a run, against a codebase.

    Records of ours are put through the gate, and the cited files of a dataset are compared with
    their hashes; any dataset is audited.

    Raises:
        InputError: The dataset, its metadata, the run or the codebase cannot be read, or a trust
            card is asked for and the dataset is not one of ours.
        QualityGateError: It is not the dataset that its metadata name.
        DamagedStateError: A file of the run is not what was written, or something that a blessing
            rests on is not what the ledger says.
    """
    directory = environment.workspace.run_named(request.dataset)
    if directory is None:
        # Before the codebase is opened: a file that was changed by hand is called that first.
        checked = _read_dataset(request, environment)
        replayed = _replay(checked, request, environment)
        snapshot = open_codebase(request, environment)
    else:
        snapshot = open_codebase(request, environment)
        checked = _read_run(directory, snapshot)
        replayed = None
    drifted: tuple[str, ...] = ()
    if not request.allow_drift:
        drifted = _drifted_files(checked.metadata, snapshot)
    failing = tuple(failing_records(checked.labels, snapshot))
    queries = checked.queries
    if not checked.labels:
        # Ids of others are read as an evaluation reads them.
        resolver = ExpectedIdResolver(snapshot, request.repo)
        queries = resolver.resolve_all(queries).queries
    audit_report = audit(checked.format, queries, snapshot)
    card = card_of_labels(checked.labels, snapshot) if request.card else None
    return Verification(
        source=checked.source,
        format=checked.format,
        records=len(checked.queries),
        failing=failing,
        drifted=drifted,
        has_metadata=checked.metadata is not None,
        audit=audit_report,
        commit=snapshot.commit,
        made_at=checked.metadata.repo_commit if checked.metadata is not None else "",
        card=card,
        replay=replayed,
        power=checked.power if request.card else {},
    )


@dataclass(frozen=True, slots=True)
class _CheckedRecords:
    """What is checked.

    Attributes:
        source: Where it comes from, in one line.
        format: The name of its format.
        queries: The records as those of any format.
        labels: The records, if they are ours.
        metadata: The metadata beside them; None where there are none.
        path: The file of the dataset; None for a run.
        power: What canaries showed of the Adversary.
    """

    source: str
    format: str
    queries: tuple[DatasetQuery, ...]
    labels: tuple[GoldenLabel, ...]
    metadata: DatasetMetadata | None
    path: Path | None = None
    power: Mapping[str, TrustFigure] = field(default_factory=dict)


def _read_dataset(request: VerifyRequest, environment: Environment) -> _CheckedRecords:
    dataset = open_dataset(request.dataset, environment.workspace.golden)
    if not dataset.is_own and request.card:
        raise InputError(
            f"{dataset.path}: is of the format {dataset.format}; "
            "only a dataset of Goldwright can have a trust card"
        )
    labels = dataset.labels if dataset.is_own else ()
    metadata = dataset.metadata
    power: Mapping[str, TrustFigure] = {}
    if metadata is not None:
        power = power_figures(metadata.canaries, metadata.adversary_power)
    return _CheckedRecords(
        dataset.description,
        dataset.format,
        dataset.queries,
        labels,
        metadata,
        dataset.path,
        power,
    )


def _is_published(path: Path) -> bool:
    """Return whether a file has the name of a published version, whatever stands beside it."""
    versions = published_versions(path.resolve().parent)
    return path.resolve() in {version.path for version in versions}


def _replay(
    checked: _CheckedRecords, request: VerifyRequest, environment: Environment
) -> Replay | None:
    """Replay the ledger beside a version of ours; None for what rests on none."""
    if checked.path is None or not _is_published(checked.path):
        return None
    golden = checked.path.parent
    golden_directory = environment.workspace.golden
    # A copy that was taken away from its ledger can be compared with nothing.
    if not Ledger(golden).entries() and golden.resolve() != golden_directory.resolve():
        if request.allowed_signers is not None:
            raise InputError(f"{golden}: holds no ledger, so there are no signatures to check")
        return None
    replayed = replay(environment, golden, request.allowed_signers)
    refuse_damage(replayed)
    return replayed


def _read_run(directory: RunDirectory, snapshot: Snapshot) -> _CheckedRecords:
    """Give the selected records of a run as its export would write them."""
    with run_for_reading(directory) as run:
        pinned, given_commit = run.manifest.commit, snapshot.commit
        if pinned != given_commit:
            short_pinned, short_given = pinned[:12], given_commit[:12]
            raise InputError(
                f"{directory.name}: is pinned to {short_pinned}, the codebase stands at "
                f"{short_given}; name the commit with --rev"
            )
        report = report_on(run)
        labels = tuple(make_labels(run, report, snapshot))
        power = power_figures(report.canary_rates, run.manifest.adversary_power)
    queries = tuple(query_of(label) for label in labels)
    source = f"the selected records of run {directory.name}"
    return _CheckedRecords(source, OWN_FORMAT, queries, labels, metadata=None, power=power)


def _drifted_files(metadata: DatasetMetadata | None, snapshot: Snapshot) -> tuple[str, ...]:
    if metadata is None:
        return ()
    return drifted_files(metadata.source_file_hashes, snapshot)
