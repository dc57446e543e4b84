"""What inquiries ask for the cells that they name."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import cast

import pytest

from goldwright.offline_agents.inquiries.catalog import INQUIRIES
from goldwright.offline_agents.inquiries.inquiry import Inquiry, Question
from goldwright.plan import Cell
from goldwright.records import DIFFICULTIES, TaskType
from units.offline_agents.records import Sample

UNKNOWN = cast("TaskType", "unknown")
OF_SEVERAL_TYPES = [
    inquiry for inquiry in INQUIRIES if len({cell.task_type for cell in inquiry.cells}) > 1
]


@pytest.mark.parametrize("inquiry", INQUIRIES, ids=lambda inquiry: inquiry.kind)
def test_every_cell_of_an_inquiry_gets_a_question(
    inquiry: Inquiry, samples: Mapping[str, Sample]
) -> None:
    asked = {question.cell for question in questions_of(inquiry, samples)}
    assert set(inquiry.cells) - asked == set(), "word questions for the cell"


@pytest.mark.parametrize("inquiry", OF_SEVERAL_TYPES, ids=lambda inquiry: inquiry.kind)
def test_no_question_is_worded_as_one_of_another_task_type(
    inquiry: Inquiry, samples: Mapping[str, Sample]
) -> None:
    """Where words for a task type are missing, that is an error or no question."""
    kind = type(inquiry)
    more_cells = (*kind.cells, *(Cell(UNKNOWN, difficulty) for difficulty in DIFFICULTIES))
    inquiry_of_more = type(kind.__name__, (kind,), {"cells": more_cells})()
    asked: set[str] = set()
    with suppress(KeyError):
        for question in questions_of(inquiry_of_more, samples):
            asked.add(question.cell.task_type)
    assert UNKNOWN not in asked, "choose the phrasings from a mapping by task type"


def questions_of(inquiry: Inquiry, samples: Mapping[str, Sample]) -> Iterator[Question]:
    """Yield all that is asked about the samples, whatever its tier."""
    for sample in samples.values():
        for path in sample.snapshot.source_files:
            module = sample.code.module(path)
            for lead in inquiry.leads(module) if module else ():
                yield from inquiry.questions(lead, sample.code)
