"""What stands beside a dataset: where it came from, who made it, and what it cannot claim."""

from typing import Literal

from goldwright.records import Record

DatasetStatus = Literal["agent_curated_pending_human_review", "human_blessed"]


class CellCount(Record):
    """A cell's target, what it holds, and what became of everything emitted for it."""

    task_type: str
    difficulty: str
    target: int
    count: int
    emitted: int
    fates: dict[str, int]

    @property
    def told_fates(self) -> str:
        """The fates in words."""
        counts = (f"{count} {fate.replace('_', ' ')}" for fate, count in self.fates.items() if count)
        return ", ".join(counts) or "nothing"


class CatchRate(Record):
    """How many falsified answers of one kind the Adversary caught, with an exact 95 % interval of
    the share.
    """

    caught: int
    released: int
    interval: tuple[float, float]


class Limit(Record):
    """One ceiling on what the sample may hold: what was found, and the largest number that keeps
    it.
    """

    name: str
    found: int
    most: int


class SpotCheckSummary(Record):
    """What people found in the sample.

    The bounds are the most records of the batch that may be major or wrong at ``confidence``
    (0..1): had the sample been drawn from the batch as a whole (hypergeometric), drawn cell by cell
    as it was, and with the catch rate of the canaries taken into account. ``kappa`` is Cohen's,
    ``ac1`` Gwet's; both have 95 % intervals and are missing where they are undefined, which
    ``claims`` then says.
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
    reviews_sha256: str
    claims: tuple[str, ...]


class BaseVersion(Record):
    """The version that a dataset adds to; the metadata of its records stand beside it.

    ``renamed`` maps query ids of the added batch as they are here to what they were in their run;
    ``left_out`` are records of the batch that nearly repeat one of the base.
    """

    version: str
    dataset_sha256: str
    query_count: int
    renamed: dict[str, str]
    left_out: tuple[str, ...]


class RebaseSummary(Record):
    """Where a version was carried from, and what became of each record on the way.

    ``unchanged`` and ``moved`` count the records that kept their blessing; ``edited`` and ``gone``
    are ids of those that went back to people, in the run ``returned_to``.
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
    """The content of ``golden_vX.Y.meta.json``; ``source_file_hashes`` maps each file to its
    SHA-256.

    ``models`` and ``families`` hold the roles that models played; ``canaries`` the catch rate of
    the Adversary by kind of falsehood, where it was measured; ``retired_agents`` are models that
    may play no more. ``pipeline_commit`` is the commit of the program where it runs from a
    checkout, ``pipeline_digest`` names its files in any case. ``sittings`` names who reviewed in
    which sitting. Where there is a ``base``, everything else is about the batch that was added.
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
    canaries: dict[str, CatchRate]
    prompt_digests: dict[str, str]
    stage_versions: dict[str, str]
    human_reviewers: tuple[str, ...]
    sittings: dict[str, tuple[str, ...]] = {}
    spot_check: SpotCheckSummary | None = None
    base: BaseVersion | None = None
    rebased: RebaseSummary | None = None
    total_tokens: int
    usd: float
    low_confidence: tuple[str, ...]
    source_file_hashes: dict[str, str]
    known_limits: tuple[str, ...]
