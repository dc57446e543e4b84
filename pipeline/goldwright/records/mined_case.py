"""A case that was mined from a history: a commit's subject, and what the commit changed."""

from typing import Literal

from pydantic import Field

from goldwright.records.base import Difficulty, Record, TaskType, is_empty

MiningLevel = Literal["file", "symbol"]
ChangeKind = Literal["fix", "feature", "removal", "rework", "unknown"]


class MinedStrata(Record):
    """Groups of mined cases.

    Attributes:
        change: What the subject says that the commit does.
        extent: How many files it changes.
    """

    change: ChangeKind
    extent: Literal["one file", "several files"]


class MinedCase(Record):
    """One line of a mined dataset, with the fields of CodeRAG's cases and more.

    Attributes:
        id: The first digits of the commit's id.
        query: Its subject without prefixes, numbers of issues and addresses.
        relevant_files: The files whose code it changed, by their paths at ``pinned_commit``.
        relevant_symbols: The functions, methods and classes that it changed, as ids at
            ``pinned_commit``; not there at the level of files.
        source: Where the case comes from.
        task_type: The cell's task type; nobody asked, so always ``general``.
        difficulty: The cell's difficulty, by the number of targets: one, up to three, more.
        strata: Groups of cases.
        level: Whether the targets are files or symbols.
        commit: The commit.
        parent: Its parent.
        date: When it was committed, as ISO 8601.
        pinned_commit: The commit at which the targets are what the case says.
        at_parent: Whether that is the parent, whose tree alone a retriever may see.
        lost_targets: How many of its targets are not there at ``pinned_commit``.
        subject: The subject as it was written.
    """

    id: str = Field(pattern=r"^[0-9a-f]{12,64}$")
    query: str = Field(min_length=1, max_length=2000)
    relevant_files: tuple[str, ...] = Field(min_length=1)
    relevant_symbols: tuple[str, ...] = Field(default=(), exclude_if=is_empty)
    source: Literal["git"] = "git"
    task_type: TaskType = "general"
    difficulty: Difficulty
    strata: MinedStrata
    level: MiningLevel
    commit: str = Field(pattern=r"^[0-9a-f]{40,64}$")
    parent: str = Field(pattern=r"^[0-9a-f]{40,64}$")
    date: str
    pinned_commit: str = Field(pattern=r"^[0-9a-f]{40,64}$")
    at_parent: bool = False
    lost_targets: int = Field(default=0, ge=0)
    subject: str
