"""What stands beside a dataset: where it came from, who made it, and what it can not claim."""

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


class CatchRate(Record):
    """How many falsified answers of one kind the Adversary caught, with an exact 95 % interval of the share."""

    caught: int
    released: int
    interval: tuple[float, float]


class DatasetMetadata(Record):
    """The content of ``golden_vX.Y.meta.json``; ``source_file_hashes`` maps each file to its SHA-256.

    ``models`` and ``families`` hold the roles that models played; ``canaries`` the catch rate of the
    Adversary by kind of falsehood, where it was measured.
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
    run: str
    plan: str
    plan_digest: str
    seed: int
    roles: dict[str, str]
    models: dict[str, str]
    families: dict[str, str | None]
    allow_same_family: bool
    canaries: dict[str, CatchRate]
    prompt_digests: dict[str, str]
    stage_versions: dict[str, str]
    human_reviewers: tuple[str, ...]
    spot_check: None = None
    total_tokens: int
    usd: float
    low_confidence: tuple[str, ...]
    source_file_hashes: dict[str, str]
    known_limits: tuple[str, ...]
