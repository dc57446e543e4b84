"""Where a parameter comes from: from known callers, from outside, or from who knows where."""

from pathlib import Path

import pytest

from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.inquiry import Question
from goldwright.offline_agents.inquiries.parameter_path import ParameterPath
from goldwright.snapshot import open_snapshot

CODE = '''from threading import Thread


def run_queue(spinner, jobs):
    """Run all jobs."""
    return wait_for(spinner, jobs)


def wait_for(spinner, jobs):
    """Wait for all jobs."""
    for job in jobs:
        spinner.turn(job)
    return spinner.total


'''
THREAD = '''def start(jobs, make):
    """Start the queue."""
    return Thread(target=run_queue, args=(make(), jobs))
'''


def _extend_questions(directory: Path, source: str) -> list[Question]:
    root = directory / "code"
    root.mkdir(parents=True)
    (root / "queue.py").write_text(source)
    context = CodeContext(open_snapshot(root, cache=directory / "cache"))
    module = context.module("queue.py")
    assert isinstance(module, Module)
    inquiry = ParameterPath()
    return [
        question
        for lead in inquiry.leads(module)
        for question in inquiry.questions(lead, context)
        if question.cell.task_type == "extend"
    ]


@pytest.mark.parametrize(("code", "is_whole"), [(CODE, True), (CODE + THREAD, False)])
def test_a_function_that_is_handed_on_as_a_value_is_no_beginning(
    tmp_path: Path, code: str, *, is_whole: bool
) -> None:
    questions = _extend_questions(tmp_path, code)
    assert questions
    for question in questions:
        asks_for_all = any("do I have to change" in phrasing for phrasing in question.phrasings)
        assert asks_for_all is is_whole


def test_what_else_gives_an_argument_by_its_name_would_have_to_be_changed_too(
    tmp_path: Path,
) -> None:
    partial = "make_run = partial(wait_for, spinner=None)\n"
    assert _extend_questions(tmp_path / "whole", CODE)
    assert not _extend_questions(tmp_path / "partial", CODE + partial)
