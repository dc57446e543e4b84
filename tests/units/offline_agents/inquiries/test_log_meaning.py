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
    post.count += 1
    return post.count


def deliver(post):
    """Send all lines."""
    return send("one", post)
'''
RAISES = "raises the exception again"


def _plans(root: Path, behind: str) -> Iterator[AnswerPlan]:
    code_root = root / "code"
    code_root.mkdir()
    (code_root / "mail.py").write_text(CODE.format(behind=behind))
    code = CodeContext(open_snapshot(code_root, cache=root / "cache"))
    module = code.module("mail.py")
    assert isinstance(module, Module)
    inquiry = LogMeaning()
    for lead in inquiry.leads(module):
        for question in inquiry.questions(lead, code):
            plan = inquiry.answer(question.intent, question.targets, code)
            if plan is not None:
                yield plan


@pytest.mark.parametrize(
    ("behind", "ending"),
    [
        ("raise", f", and {RAISES}."),
        ("return None", ", and then returns `None`."),
        ("post.close()", ", and then calls `post.close()`."),
        # What cannot be said in a sentence is not skipped.
        ("del post.count\n        post.close()", "after catching `OSError`."),
        ("", "after catching `OSError`. Either way it then returns `post.count`."),
    ],
)
def test_the_opening_says_what_stands_right_behind_the_message(
    tmp_path: Path, behind: str, ending: str
) -> None:
    plans = list(_plans(tmp_path, behind))
    assert 2 in {len(plan.parts) for plan in plans}
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
