"""The laws of the catalog of stages: their order, and what is redone together."""

from types import SimpleNamespace
from typing import cast

import pytest

from goldwright.agents.roles import Cast
from goldwright.engine.progress import SilentProgress
from goldwright.snapshot import Snapshot
from goldwright.stages.case_pipeline import CasePipeline
from goldwright.stages.catalog import (
    CASE_STAGES,
    REPEATABLE_STAGES,
    ROLES,
    STAGES,
    files_from,
    first_stage_of,
    roles_from,
    stage_named,
    stage_versions,
    stages_from,
)
from goldwright.stages.context import StageContext
from goldwright.workspace import StageFileName
from units.review.batches import EASY, Made

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
    assert sorted(written) == sorted(StageFileName)


def test_names_are_unique_and_find_their_stage() -> None:
    assert len(set(STAGE_NAMES)) == len(STAGES)
    assert [stage_named(name) for name in STAGE_NAMES] == list(STAGES)
    with pytest.raises(KeyError):
        stage_named("screen")


def test_six_stages_can_be_redone_by_themselves() -> None:
    names = [stage.name for stage in REPEATABLE_STAGES]
    assert names == ["author", "oracle", "gate", "adversary", "completeness", "agreement"]


@pytest.mark.parametrize(
    ("name", "affected"),
    [
        (
            "author",
            [
                "author",
                "oracle",
                "gate",
                "adversary",
                "completeness",
                "agreement",
                "canaries",
                "review",
            ],
        ),
        (
            "oracle",
            ["oracle", "gate", "adversary", "completeness", "agreement", "canaries", "review"],
        ),
        ("gate", ["gate", "adversary", "completeness", "agreement", "canaries", "review"]),
        ("adversary", ["adversary", "agreement", "canaries", "review"]),
        ("completeness", ["completeness", "agreement", "review"]),
        ("agreement", ["agreement", "review"]),
    ],
)
def test_a_stage_is_redone_with_all_that_depend_on_it(name: str, affected: list[str]) -> None:
    assert [stage.name for stage in stages_from(name)] == affected


@pytest.mark.parametrize(
    ("name", "files"),
    [
        (
            "author",
            [
                "00_candidates.jsonl",
                "01_oracle_answers.jsonl",
                "02_adversary_reports.jsonl",
                "03_validation_failures.jsonl",
                "04_human_review_queue.jsonl",
                "05_rejected.jsonl",
                "completeness.jsonl",
                "narrative_verdicts.jsonl",
                "canaries.jsonl",
                "human_reviews.jsonl",
            ],
        ),
        (
            "oracle",
            [
                "01_oracle_answers.jsonl",
                "02_adversary_reports.jsonl",
                "03_validation_failures.jsonl",
                "04_human_review_queue.jsonl",
                "completeness.jsonl",
                "narrative_verdicts.jsonl",
                "canaries.jsonl",
                "human_reviews.jsonl",
            ],
        ),
        (
            "gate",
            [
                "02_adversary_reports.jsonl",
                "03_validation_failures.jsonl",
                "04_human_review_queue.jsonl",
                "completeness.jsonl",
                "narrative_verdicts.jsonl",
                "canaries.jsonl",
                "human_reviews.jsonl",
            ],
        ),
        (
            "adversary",
            [
                "02_adversary_reports.jsonl",
                "04_human_review_queue.jsonl",
                "narrative_verdicts.jsonl",
                "canaries.jsonl",
                "human_reviews.jsonl",
            ],
        ),
        (
            "completeness",
            [
                "04_human_review_queue.jsonl",
                "completeness.jsonl",
                "narrative_verdicts.jsonl",
                "human_reviews.jsonl",
            ],
        ),
        (
            "agreement",
            [
                "04_human_review_queue.jsonl",
                "narrative_verdicts.jsonl",
                "human_reviews.jsonl",
            ],
        ),
    ],
)
def test_redoing_a_stage_moves_its_files_and_all_later_ones_aside(
    name: str, files: list[str]
) -> None:
    assert list(files_from(name)) == files


@pytest.mark.parametrize(
    ("name", "roles"),
    [
        ("author", ("author", "oracle", "adversary", "completeness", "judge")),
        ("oracle", ("oracle", "adversary", "completeness", "judge")),
        ("gate", ("adversary", "completeness", "judge")),
        ("adversary", ("adversary", "judge")),
        ("completeness", ("completeness", "judge")),
        ("agreement", ("judge",)),
    ],
)
def test_redoing_a_stage_makes_its_role_and_all_later_ones_play_again(
    name: str, roles: tuple[str, ...]
) -> None:
    assert roles_from(name) == roles


def test_a_role_first_plays_in_the_stage_that_needs_it_first() -> None:
    first_stages = {role: first_stage_of(role).name for role in ROLES}
    assert first_stages == {
        "author": "author",
        "oracle": "oracle",
        "adversary": "adversary",
        "completeness": "completeness",
        "judge": "agreement",
    }


def test_the_versions_in_a_manifest_are_those_of_the_stages_that_can_be_redone() -> None:
    """A version goes up when the meaning of a stage's results changes, and only then."""
    assert stage_versions() == {
        "author": "3",
        "oracle": "4",
        "gate": "3",
        "adversary": "2",
        "completeness": "2",
        "agreement": "5",
    }


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
    assert tuple(stage.stage for stage in pipeline._stages) == CASE_STAGES
