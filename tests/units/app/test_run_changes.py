"""What changed since a run was started, as its resumption says it."""

from goldwright.app.runs.run_changes import RunChange, changed_stages
from goldwright.stages.stage_graph import stage_versions


def test_a_run_of_the_same_stages_has_no_changes() -> None:
    assert list(changed_stages(stage_versions())) == []


def test_a_stage_that_a_run_does_not_have_is_told_from_one_of_another_version() -> None:
    versions = {**stage_versions(), "gate": "0"}
    del versions["completeness"]
    assert list(changed_stages(versions)) == [
        RunChange("gate", "the stage gate has another version than this goldwright"),
        RunChange("completeness", "the stage completeness is new"),
    ]
