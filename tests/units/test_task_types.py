"""A task type is whole: every piece that it needs is there, and a forgotten one is named here."""

import pytest

from goldwright.records import DIFFICULTIES, TASK_TYPES, TaskType
from goldwright.task_types import definition_of


@pytest.mark.parametrize("task_type", TASK_TYPES)
def test_every_task_type_has_a_definition_with_all_its_tiers(task_type: TaskType) -> None:
    """Without its line in the catalog a run would stop at the first query."""
    definition = definition_of(task_type)
    assert definition.name == task_type
    assert set(definition.tiers) == set(DIFFICULTIES)
