"""The laws of the catalog of stages: their order, and what is redone together."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Final, cast

import pytest

from goldwright.agents.roles import Cast
from goldwright.engine.progress import SilentProgress
from goldwright.snapshot import Snapshot
from goldwright.stages.case_pipeline import CasePipeline
from goldwright.stages.context import StageContext
from goldwright.stages.stage_graph import (
    AGREEMENT,
    CASE_STAGES,
    REPEATABLE_STAGES,
    ROLES,
    STAGES,
    Stage,
    files_from,
    first_stage_of,
    roles_from,
    stage_named,
    stage_versions,
    stages_from,
)
from goldwright.workspace import StageFileName
from units.review.batches import EASY, Made

GoldenCheck = Callable[[Path, str], None]
APPROVED: Final = Path(__file__).parents[1] / "golden_files" / "stages.json"
STAGE_NAMES = [stage.name for stage in STAGES]


def test_every_stage_stands_behind_those_it_depends_on() -> None:
    for position, stage in enumerate(STAGES):
        assert set(stage.after) <= set(STAGE_NAMES[:position])


def test_every_stage_reads_only_what_a_stage_it_depends_on_has_written() -> None:
    for stage in STAGES:
        upstream = [other for other in STAGES if stage in stages_from(other.name)]
        written = {file for other in upstream if other is not stage for file in other.writes}
        assert set(stage.reads) <= written


def test_every_file_is_written_by_exactly_one_stage() -> None:
    written = [file for stage in STAGES for file in stage.writes]
    message = "workspace/layout.py and stages/stage_graph.py name other files"
    assert sorted(written) == sorted(StageFileName), message


def test_names_are_unique_and_find_their_stage() -> None:
    assert len(set(STAGE_NAMES)) == len(STAGES)
    assert [stage_named(name) for name in STAGE_NAMES] == list(STAGES)
    with pytest.raises(KeyError):
        stage_named("screen")


@pytest.mark.parametrize("stage", CASE_STAGES, ids=lambda stage: stage.name)
def test_every_stage_of_a_case_is_one_that_the_agreement_depends_on(stage: Stage) -> None:
    """A queued case is worked on again where the agreement, which queued it, is redone too."""
    assert AGREEMENT in stages_from(stage.name), f"{stage.name}: name it in AGREEMENT.after"


def test_what_follows_from_the_catalog_is_what_was_approved(check_golden: GoldenCheck) -> None:
    """What is redone with a stage, and the versions: one goes up with the meaning of results."""
    redone = {
        stage.name: {
            "stages": [affected.name for affected in stages_from(stage.name)],
            "files": list(files_from(stage.name)),
            "roles": list(roles_from(stage.name)),
        }
        for stage in REPEATABLE_STAGES
    }
    first_stages = {role: first_stage_of(role).name for role in ROLES}
    approved = {
        "versions": stage_versions(),
        "first stage of a role": first_stages,
        "redone from a stage": redone,
    }
    check_golden(APPROVED, json.dumps(approved, indent=2) + "\n")


def test_the_case_pipeline_has_the_stages_of_the_catalog_in_their_order() -> None:
    player = SimpleNamespace(identity="agent:any:offline-1")
    players = SimpleNamespace(oracle=player, adversary=player, completeness=player, judge=player)
    context = SimpleNamespace(snapshot=cast(Snapshot, None))
    pipeline = CasePipeline(
        cast(Cast, players),
        cast(StageContext, context),
        Made({"q1": EASY}).stage_files(),
        SilentProgress(),
    )
    played = [stage.stage.name for stage in pipeline._stages]
    catalog = [stage.name for stage in CASE_STAGES]
    assert played == catalog, "make it in stages/case_pipeline.py, in the order of the graph"
