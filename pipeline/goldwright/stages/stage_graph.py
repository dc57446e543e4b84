"""The stages of a run as values: their order, and which depends on which.

The order of work, ``resume --from``, the files that move aside, the replies of models that no
longer count, progress and reports all follow from ``STAGES``. A new stage is one more value here.
"""

from dataclasses import dataclass
from typing import Final

from goldwright.workspace import StageFileName


@dataclass(frozen=True, slots=True)
class Stage:
    """One step between the plan and the dataset.

    Attributes:
        name: What ``--from``, the manifest and messages call it.
        role: Who plays it; None where code alone does.
        reads: The files that its work is a function of.
        writes: The files that hold its results.
        version: Goes up by one when the meaning of its results changes.
        counted: The file with one record for each case that has been through it.
        after: The stages that it depends on directly. The agreement depends on every other stage
            of a case, for a case in the queue is worked on again where the agreement is redone.
        progress: How progress describes the cases it is done with, as in "answered 12/60".
        is_repeatable: Whether it can be done again by itself, by ``resume --from``.
    """

    name: str
    role: str | None
    reads: tuple[StageFileName, ...]
    writes: tuple[StageFileName, ...]
    version: int
    counted: StageFileName
    after: tuple[str, ...]
    progress: str
    is_repeatable: bool = True


AUTHOR: Final = Stage(
    name="author",
    role="author",
    reads=(),
    writes=(StageFileName.CANDIDATES, StageFileName.REJECTED),
    version=3,
    counted=StageFileName.CANDIDATES,
    after=(),
    progress="queries written",
)
ORACLE: Final = Stage(
    name="oracle",
    role="oracle",
    reads=(StageFileName.CANDIDATES,),
    writes=(StageFileName.ORACLE_ANSWERS,),
    version=4,
    counted=StageFileName.ORACLE_ANSWERS,
    after=("author",),
    progress="answered",
)
GATE: Final = Stage(
    name="gate",
    role=None,
    reads=(StageFileName.ORACLE_ANSWERS,),
    writes=(StageFileName.VALIDATION_FAILURES,),
    version=3,
    # An answer that passes leaves no record, so what the gate is given is counted instead.
    counted=StageFileName.ORACLE_ANSWERS,
    after=("oracle",),
    progress="checked by the gate",
)
ADVERSARY: Final = Stage(
    name="adversary",
    role="adversary",
    reads=(StageFileName.CANDIDATES, StageFileName.ORACLE_ANSWERS),
    writes=(StageFileName.ADVERSARY_REPORTS,),
    version=2,
    counted=StageFileName.ADVERSARY_REPORTS,
    after=("gate",),
    progress="attacked",
)
COMPLETENESS: Final = Stage(
    name="completeness",
    role="completeness",
    reads=(StageFileName.CANDIDATES, StageFileName.ORACLE_ANSWERS),
    writes=(StageFileName.COMPLETENESS,),
    version=2,
    counted=StageFileName.COMPLETENESS,
    after=("gate",),
    progress="pooled for completeness",
)
AGREEMENT: Final = Stage(
    name="agreement",
    role="judge",
    reads=(
        StageFileName.ORACLE_ANSWERS,
        StageFileName.ADVERSARY_REPORTS,
        StageFileName.COMPLETENESS,
    ),
    writes=(StageFileName.NARRATIVE_VERDICTS, StageFileName.HUMAN_REVIEW_QUEUE),
    version=5,
    counted=StageFileName.NARRATIVE_VERDICTS,
    after=("adversary", "completeness"),
    progress="compared and judged",
)
CANARIES: Final = Stage(
    name="canaries",
    role="adversary",
    reads=(StageFileName.ORACLE_ANSWERS, StageFileName.ADVERSARY_REPORTS),
    writes=(StageFileName.CANARIES,),
    version=1,
    counted=StageFileName.CANARIES,
    after=("adversary",),
    progress="canaries attacked",
    is_repeatable=False,
)
REVIEW: Final = Stage(
    name="review",
    role=None,
    reads=(StageFileName.ORACLE_ANSWERS, StageFileName.NARRATIVE_VERDICTS),
    writes=(StageFileName.HUMAN_REVIEWS,),
    version=1,
    counted=StageFileName.HUMAN_REVIEWS,
    after=("agreement",),
    progress="reviewed",
    is_repeatable=False,
)

STAGES: Final = (
    AUTHOR,
    ORACLE,
    GATE,
    ADVERSARY,
    COMPLETENESS,
    AGREEMENT,
    CANARIES,
    REVIEW,
)
"""Every stage, each behind those that it depends on."""

REPEATABLE_STAGES: Final = tuple(stage for stage in STAGES if stage.is_repeatable)
"""The stages that a run goes through by itself, in their order."""

CASE_STAGES: Final = REPEATABLE_STAGES[1:]
"""The stages that follow a candidate, once the Author has written it."""

ROLES: Final = tuple(stage.role for stage in REPEATABLE_STAGES if stage.role is not None)
"""The roles, in the order in which a run first needs them."""


def stage_named(name: str) -> Stage:
    """Find a stage by its name.

    Raises:
        KeyError: No stage has this name.
    """
    stages = {stage.name: stage for stage in STAGES}
    return stages[name]


def stages_from(name: str) -> tuple[Stage, ...]:
    """A stage and all that depend on it, in their order."""
    affected = {name}
    # One pass is enough, because each stage stands behind those that it depends on.
    for stage in STAGES:
        if affected.intersection(stage.after):
            affected.add(stage.name)
    return tuple(stage for stage in STAGES if stage.name in affected)


def files_from(name: str) -> tuple[StageFileName, ...]:
    """The files that are written again when a stage is redone, in the order of the funnel."""
    outdated: set[StageFileName] = set()
    for stage in stages_from(name):
        outdated.update(stage.writes)
    return tuple(file for file in StageFileName if file in outdated)


def roles_from(name: str) -> tuple[str, ...]:
    """The roles that play again when a stage is redone, in the order of ``ROLES``."""
    playing = {stage.role for stage in stages_from(name)}
    return tuple(role for role in ROLES if role in playing)


def first_stage_of(role: str) -> Stage:
    """The stage in which a role first plays."""
    return next(stage for stage in STAGES if stage.role == role)


def stage_versions() -> dict[str, str]:
    """The version of every stage that can be redone, as the manifest keeps it."""
    return {stage.name: str(stage.version) for stage in REPEATABLE_STAGES}
