"""What is published beside a dataset: where it came from, who made it, and its known limits."""

from typing import Final, Literal

from goldwright.golden.ledger import LedgerHead
from goldwright.golden.reviewer_summaries import PaceSummary, TrainingSummary
from goldwright.records import PoolSystem, Record, TrustFigure
from goldwright.text import counted

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


class CellCount(Record):
    """The records of one cell of the plan.

    Attributes:
        task_type: The task type of the cell.
        difficulty: The difficulty of the cell.
        target: How many records the plan asks for; 0 where all of them came back from a rebase.
        count: How many records the dataset holds.
        emitted: How many candidates were written for the cell.
        fates: How many of the emitted candidates ended in each fate.
    """

    task_type: str
    difficulty: str
    target: int
    count: int
    emitted: int
    fates: dict[str, int]

    @property
    def fates_summary(self) -> str:
        """The fates that any candidate had, with their counts: ``3 blessed, 1 failed gate``."""
        counts: list[str] = []
        for fate, count in self.fates.items():
            if count:
                words = fate.replace("_", " ")
                counts.append(f"{count} {words}")
        return ", ".join(counts) or "nothing"


class CatchRate(Record):
    """How many falsified answers of one kind were caught.

    Attributes:
        caught: How many were caught.
        released: How many were released.
        interval: The 95 % interval of the share that is caught, in 0..1.
    """

    caught: int
    released: int
    interval: tuple[float, float]


class CanaryRate(CatchRate):
    """Who caught the falsified answers of one kind, with Wilson intervals.

    ``caught`` of ``released`` is the Adversary's rate, of those that passed the gate.

    Attributes:
        gate: The gate's rate, of all that were made; None for kinds that are made so that they
            pass it.
        judge: The judge's rate, of those it was asked about; None where it was asked about none.
        stopped: The rate of those that did not come through, of all that were made.
    """

    gate: CatchRate | None = None
    judge: CatchRate | None = None
    stopped: CatchRate | None = None


class Limit(Record):
    """One ceiling of the spot check.

    Attributes:
        name: What is counted.
        found: How many the sample holds.
        most: The largest number that keeps the ceiling.
    """

    name: str
    found: int
    most: int


class SpotCheckSummary(Record):
    """What people found in the sample.

    Attributes:
        round: Which sample of the batch it is, from 1.
        population: How many records the sample was drawn from.
        sampled: How many records were drawn.
        verdicts: How many records got each verdict.
        limits: The ceilings on verdicts.
        confidence: The level of the three bounds below, in 0..1.
        upper_bound: The most records of the batch that may be major or wrong, had the sample been
            drawn from the batch as a whole (hypergeometric).
        upper_bound_stratified: The same for the sample as it was drawn, cell by cell.
        upper_bound_corrected: The same with the catch rate of the canaries taken into account.
        agreeing: How many records both reviewers gave one verdict.
        pairs: How many records both reviewers judged.
        kappa: Cohen's kappa of the two reviewers; None where undefined, which ``claims`` then says.
        kappa_interval: Its 95 % interval.
        ac1: Gwet's AC1; None where undefined, which ``claims`` then says.
        ac1_interval: Its 95 % interval.
        canaries_planted: How many falsified answers the reviewers were shown.
        canaries_noticed: How many of these they called less than correct.
        canaries_kept_out: How many they would have kept out of the dataset.
        paces: How long everybody's verdicts took.
        trainings: How everybody's training rounds went.
        own_adjudications: The records on which somebody settled a difference that they were one
            side of.
        reviews_sha256: The digest of the file of review events.
        claims: What the sample allows to claim, in sentences.
    """

    round: int
    population: int
    sampled: int
    verdicts: dict[str, int]
    limits: tuple[Limit, ...]
    confidence: float
    upper_bound: int
    upper_bound_stratified: int | None
    upper_bound_corrected: int | None
    agreeing: int
    pairs: int
    kappa: float | None
    kappa_interval: tuple[float, float] | None
    ac1: float | None
    ac1_interval: tuple[float, float] | None
    canaries_planted: int
    canaries_noticed: int
    canaries_kept_out: CatchRate | None
    paces: tuple[PaceSummary, ...] = ()
    trainings: tuple[TrainingSummary, ...] = ()
    own_adjudications: tuple[str, ...] = ()
    reviews_sha256: str
    claims: tuple[str, ...]


class BatchSummary(Record):
    """What is known of one batch of a version.

    Attributes:
        version: The version that it came in with.
        run: The run that made it.
        plan: The plan of the run.
        query_ids: Its records that are in the version.
        cells: How many of them each cell of the plan holds.
        human_reviewers: Everybody who reviewed it.
        sittings: Who reviewed in which review pass.
        spot_check: What people found in its sample; None where they decided each record.
        scripted_events: How many review events came from a script.
        minimum_total: How many records its plan asks for at the least.
        minimum_cell_share: Which share of its target each cell holds at the least, in 0..1.
    """

    version: str
    run: str
    plan: str
    query_ids: tuple[str, ...]
    cells: tuple[CellCount, ...]
    human_reviewers: tuple[str, ...]
    sittings: dict[str, tuple[str, ...]]
    spot_check: SpotCheckSummary | None
    scripted_events: int
    minimum_total: int
    minimum_cell_share: float

    @property
    def is_returned(self) -> bool:
        """Whether its records came back from a rebase, so that other batches count them already."""
        return self.plan == "rebase" and self.minimum_total == 0

    @property
    def in_short(self) -> str:
        """What a reader of a comparison wants to know: its size, plan and people."""
        people = ", ".join(self.human_reviewers) or "nobody"
        counted_records = counted(len(self.query_ids), "record")
        records = f"{counted_records} of {self.plan}"
        return f"{records} in {self.version}, reviewed by {people}"


class VersionBound(Record):
    """How many records of a whole version may be major or wrong.

    Attributes:
        records: How many records it holds.
        sampled: How many of them people drew and judged.
        upper_bound: The most that may be bad.
        confidence: The confidence of that, in 0..1.
    """

    records: int
    sampled: int
    upper_bound: int
    confidence: float


class LabelRecall(Record):
    """How many of the entities that belong to the answers are labelled, as far as a pool shows it.

    Attributes:
        systems: The searches that filled the pools.
        readers: Who judged what they brought, as records name it.
        recaptured: How many relevant entities were brought by searches that know nothing of the
            labels, and are labelled.
        brought: How many relevant entities these searches brought.
        interval: The 95 % Wilson interval of the share, in 0..1.
        records: How many records the estimate rests on: those that somebody could judge.
        not_judged: How many records nobody could, since their reasons have no rule; they are no
            part of it.
        added: How many entities were added as alternatives, because they answer as well.
        sent_to_people: How many records of the run went to people, because their labels were
            found to lack something.
        unjudged: How many entities of the pool stayed open.
        method: How it was estimated, and on which assumptions.
    """

    systems: tuple[PoolSystem, ...]
    readers: tuple[str, ...]
    recaptured: int
    brought: int
    interval: tuple[float, float]
    records: int
    not_judged: int
    added: int
    sent_to_people: int
    unjudged: int
    method: str


def label_recall_line(recall: LabelRecall) -> str:
    """Put an estimate into a line."""
    if not recall.brought:
        return "The pool brought nothing by which the recall of the labels could be estimated."
    low, high = recall.interval
    share = f"{recall.recaptured} of {recall.brought} are labelled"
    counted_records = counted(recall.records, "record")
    records = f"{counted_records}, {recall.not_judged} more could not be judged"
    brought = f"independent searches ({', '.join(recall.systems)}) bring"
    counts = f"{share} (95 % interval {low:.1%} to {high:.1%}; {records})"
    line = f"Of the entities that {brought} and that were judged relevant, {counts}"
    if recall.unjudged:
        # Relevant ones may be among them, so they belong to the figure and not to its small print.
        line = f"{line}; {recall.unjudged} more that they bring were judged by nobody"
    return f"{line}."


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
