"""What is said to happen behind a line in the log: the very next thing, or nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.inquiry import AnswerPlan
from goldwright.offline_agents.inquiries.log_meaning import LogMeaning
from goldwright.snapshot import open_snapshot

CODE = '''import logging

logger = logging.getLogger(__name__)


def send(line, post):
    """Send a line."""
    try:
        post.push(line)
    except OSError:
        logger.warning("the post office is closed today")
        {behind}
    {then}
    return post.count


def deliver(post):
    """Send all lines."""
    return send("one", post)
'''
RAISES = "raises the exception again"


def _plans(
    root: Path, behind: str, then: str = "post.count += 1", code: str = CODE
) -> Iterator[AnswerPlan]:
    code_root = root / "code"
    code_root.mkdir()
    (code_root / "mail.py").write_text(code.format(behind=behind, then=then))
    context = CodeContext(open_snapshot(code_root, cache=root / "cache"))
    module = context.module("mail.py")
    assert isinstance(module, Module)
    inquiry = LogMeaning()
    for lead in inquiry.leads(module):
        for question in inquiry.questions(lead, context):
            plan = inquiry.answer(question.intent, question.targets, context)
            if plan is not None:
                yield plan


@pytest.mark.parametrize(
    ("behind", "ending"),
    [
        ("raise", f", and {RAISES}."),
        ("return None", ", and then returns `None`."),
        ("post.close()", ", and then calls `post.close()`."),
    ],
)
def test_the_opening_says_what_stands_right_behind_the_message(
    tmp_path: Path, behind: str, ending: str
) -> None:
    plans = list(_plans(tmp_path, behind))
    assert {len(plan.parts) for plan in plans} == {1, 2}
    for plan in plans:
        # Who asks what leads there does not ask what comes next.
        is_asked = len(plan.parts) == 1 or behind == "raise"
        assert plan.opening.endswith(ending if is_asked else "after catching `OSError`.")


def test_that_an_error_goes_on_up_is_a_fact(tmp_path: Path) -> None:
    (alone,) = (
        plan for plan in _plans(tmp_path, "post.close()\n        raise") if len(plan.parts) == 1
    )
    assert alone.opening.endswith(f", and {RAISES}.")
    facts = [fact.statement.sentence() for fact in alone.facts]
    assert "When `send` catches `OSError`, it raises it again." in facts


def _alone(plans: Iterator[AnswerPlan]) -> list[str]:
    return [plan.opening for plan in plans if len(plan.parts) == 1]


def test_behind_the_last_of_its_block_it_goes_on_with_what_comes_next(tmp_path: Path) -> None:
    (opening,) = _alone(_plans(tmp_path, "", "post.close()"))
    assert opening.endswith("after catching `OSError`. Either way it then calls `post.close()`.")


@pytest.mark.parametrize(
    ("behind", "then"),
    [
        # What cannot be said in a sentence is not skipped.
        ("del post.count\n        post.close()", "post.close()"),
        ("", "post.count += 1"),
    ],
)
def test_where_the_next_thing_cannot_be_said_nobody_is_asked_for_it(
    tmp_path: Path, behind: str, then: str
) -> None:
    assert _alone(_plans(tmp_path, behind, then)) == []


LOOP = '''import logging

logger = logging.getLogger(__name__)


def serve(post):
    """Serve until all is done."""
    while True:
        try:
            if post.serve_once():
                break
        except OSError:
            logger.warning("the post office is closed today")
            {behind}
        {then}
    post.shut_down()
'''


@pytest.mark.parametrize(("behind", "then"), [("", "post.count += 1"), ("continue", "post.rest()")])
def test_what_comes_behind_a_loop_is_not_what_a_turn_goes_on_with(
    tmp_path: Path, behind: str, then: str
) -> None:
    """The next turn comes first, and perhaps for ever."""
    assert _alone(_plans(tmp_path, behind, then, LOOP)) == []
