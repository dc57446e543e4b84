"""Every task type, in the order of plans and reports."""

from typing import Final

from goldwright.plan import Cell
from goldwright.records import TaskType
from goldwright.task_types.debug import DEBUG
from goldwright.task_types.definition import TaskTypeDefinition, TierRule
from goldwright.task_types.explain import EXPLAIN
from goldwright.task_types.extend import EXTEND
from goldwright.task_types.general import GENERAL
from goldwright.task_types.locate import LOCATE
from goldwright.task_types.review import REVIEW

# The order is that of records.TASK_TYPES.
TASK_TYPE_DEFINITIONS: Final[tuple[TaskTypeDefinition, ...]] = (
    LOCATE,
    EXPLAIN,
    DEBUG,
    EXTEND,
    REVIEW,
    GENERAL,
)

_BY_NAME: Final = {definition.name: definition for definition in TASK_TYPE_DEFINITIONS}


def definition_of(task_type: TaskType) -> TaskTypeDefinition:
    """Look up the definition of a task type."""
    return _BY_NAME[task_type]


def tier_rule(cell: Cell) -> TierRule:
    """Look up what the targets of a cell's queries must be."""
    return _BY_NAME[cell.task_type].tiers[cell.difficulty]
