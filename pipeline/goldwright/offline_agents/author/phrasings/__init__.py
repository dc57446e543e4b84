"""The ways people ask: one table a task type, in one catalog.

A phrasing holds slots in braces, filled by the idea: ``base`` (*split the header*), ``third``
(*splits the header*) and ``gerund`` (*splitting the header*) of its action, and what its finder
adds. A slot with a capital starts a sentence.
"""

from typing import Final

from goldwright.offline_agents.author.phrasings.debug import DEBUG
from goldwright.offline_agents.author.phrasings.explain import EXPLAIN
from goldwright.offline_agents.author.phrasings.extend import EXTEND
from goldwright.offline_agents.author.phrasings.general import GENERAL
from goldwright.offline_agents.author.phrasings.locate import LOCATE
from goldwright.offline_agents.author.phrasings.review import REVIEW
from goldwright.records import TaskType

Table = dict[str, tuple[str, ...]]

PHRASINGS: Final[Table] = {
    **LOCATE,
    **EXPLAIN,
    **DEBUG,
    **EXTEND,
    **REVIEW,
    **{pattern: tuple(text for text, _ in rows) for pattern, rows in GENERAL.items()},
}
EXPECTATIONS: Final[dict[str, TaskType]] = {
    text: expected for rows in GENERAL.values() for text, expected in rows
}

__all__ = ["EXPECTATIONS", "PHRASINGS", "Table"]
