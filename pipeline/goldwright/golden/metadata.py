"""What is published beside a dataset: where it came from, who made it, and its known limits."""

from typing import Final, Literal

from goldwright.golden.batch_summaries import BatchSummary, CellCount, VersionBound
from goldwright.golden.catch_rates import CanaryRate
from goldwright.golden.label_recall import LabelRecall
from goldwright.golden.ledger import LedgerHead
from goldwright.golden.spot_check_summaries import SpotCheckSummary
from goldwright.records import Record, TrustFigure

DatasetStatus = Literal[
    "agent_curated_pending_human_review",
    "adopted_pending_human_review",
    "human_blessed",
    "human_blessed_below_floors",
    "scripted_review",
]
VERSION_STATUSES: Final[frozenset[DatasetStatus]] = frozenset(
    {"human_blessed", "human_blessed_below_floors", "scripted_review"}
)
"""What a published version may be: blessed, blessed but too small since a rebase, or reviewed by a
script in people's names, which is for trying things out."""


class BaseVersion(Record):
    """The version that a batch was added to; the metadata of its records are published beside it.

    Attributes:
        version: Its number.
        dataset_sha256: The digest of its dataset.
        query_count: How many records it holds.
        renamed: The query ids of the added batch that clashed: the new id, and the id in the run.
        left_out: The query ids of records of the batch that nearly repeat one of the base.
    """

    version: str
    dataset_sha256: str
    query_count: int
    renamed: dict[str, str]
    left_out: tuple[str, ...]


class RebaseSummary(Record):
    """The version that a dataset was carried over from, and what became of its records.

    Attributes:
        version: The number of that version.
        dataset_sha256: The digest of its dataset.
        repo_commit: The commit that it was made from.
        unchanged: How many records kept their blessing where they were.
        moved: How many records kept their blessing at other places.
        edited: The query ids of records whose code has changed; they went back to people.
        gone: The query ids of records whose code is gone; they went back to people.
        returned_to: The run in which people review these; None when there are none.
    """

    version: str
    dataset_sha256: str
    repo_commit: str
    unchanged: int
    moved: int
    edited: tuple[str, ...]
    gone: tuple[str, ...]
    returned_to: str | None


class DatasetMetadata(Record):
    """The content of ``golden_vX.Y.meta.json``.

    Cells, reviewers, sittings, the bound and the trust card are of the whole version. Where there
    is a ``base``, what says how records were made (run, plan, seed, roles, models, prompts, costs,
    label recall, spot check) is about the batch that was added; of the others, ``batches`` tells.

    Attributes:
        schema_version: The version of this format.
        version: The version of the dataset.
        dataset_status: Whether people blessed it.
        dataset_sha256: The digest of the dataset file.
        query_count: How many records it holds.
        cells: The records of each cell of the plan.
        repo_commit: The commit of the codebase.
        repo_tree: The git tree of that commit.
        repo_origin: Whether the codebase is a git repository or a plain directory.
        pipeline_version: The version of the program.
        pipeline_commit: The commit of the program, where it runs from a checkout.
        pipeline_digest: The digest of the program's files.
        run: The run that made the records.
        plan: The plan of the run.
        plan_digest: The digest of the plan.
        seed: The seed of the run.
        roles: Which agent played each role.
        models: The model of each role that a model played.
        families: The model family of each of these roles.
        allow_same_family: Whether roles may be played by models of one family.
        retired_agents: Models that may play no more.
        canaries: The catch rates of gate, Adversary and judge by kind of falsehood, where they
            were measured.
        adversary_power: The share of falsified answers that the Adversary had to catch, in 0..1;
            None where that was not stated.
        prompt_digests: The digest of each prompt.
        stage_versions: The version of each stage.
        human_reviewers: Everybody who reviewed.
        sittings: Who reviewed in which review pass.
        spot_check: What people found in the sample of the newest batch; None for drafts.
        trust_card: What can be measured of the records without people, by the names of the figures;
            of all records of the dataset, those of a base among them.
        label_recall: How complete the labels are, as far as a pool of searches shows it; None for
            runs that made none.
        base: The version that the records were added to.
        rebased: The version that the records were carried over from.
        total_tokens: The tokens that the run used.
        usd: The cost of the run in dollars.
        low_confidence: The query ids of records whose answer the Oracle was not sure of.
        source_file_hashes: The SHA-256 of each cited file, by path.
        ledger: The last entry of the ledger before this version; None for drafts.
        batches: What is known of each batch, the newest last: of its records in the version now.
        bound: How many records of the version may be bad; None for drafts, and where no batch has
            a sample.
        known_limits: What the dataset cannot claim, in sentences.
    """

    schema_version: Literal["1.0.0"] = "1.0.0"
    version: str
    dataset_status: DatasetStatus
    dataset_sha256: str
    query_count: int
    cells: tuple[CellCount, ...]
    repo_commit: str
    repo_tree: str
    repo_origin: Literal["git", "directory"]
    pipeline_version: str
    pipeline_commit: str | None = None
    pipeline_digest: str = ""
    run: str
    plan: str
    plan_digest: str
    seed: int
    roles: dict[str, str]
    models: dict[str, str]
    families: dict[str, str | None]
    allow_same_family: bool
    retired_agents: tuple[str, ...] = ()
    canaries: dict[str, CanaryRate]
    adversary_power: float | None = None
    prompt_digests: dict[str, str]
    stage_versions: dict[str, str]
    human_reviewers: tuple[str, ...]
    sittings: dict[str, tuple[str, ...]] = {}
    spot_check: SpotCheckSummary | None = None
    trust_card: dict[str, TrustFigure] = {}
    label_recall: LabelRecall | None = None
    base: BaseVersion | None = None
    rebased: RebaseSummary | None = None
    total_tokens: int
    usd: float
    low_confidence: tuple[str, ...]
    ledger: LedgerHead | None = None
    batches: tuple[BatchSummary, ...] = ()
    bound: VersionBound | None = None
    source_file_hashes: dict[str, str]
    known_limits: tuple[str, ...]
