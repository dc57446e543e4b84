"""Questions for the reason that a comment gives."""

from pathlib import Path

import pytest

from goldwright.code_reading.modules import Module
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.commented_reason import CommentedReason
from goldwright.snapshot import open_snapshot

CODE = '''def send(parcel, post):
    """Send a parcel."""
    label = post.label(parcel)
    # {comment}
    parcel.close(label)
    post.take(parcel, label)
    return label
'''


@pytest.mark.parametrize(
    ("comment", "why"),
    [
        ("we can't close the parcel twice because the label is gone", "we can't close the"),
        ("we close the parcel because it may be wet inside", "we close the parcel"),
        ("always close the parcel first because it may be wet", "we always close the parcel first"),
        ("don't close the parcel later because it may be wet", "we don't close the parcel later"),
    ],
)
def test_what_a_comment_says_is_asked_for_in_good_english(
    comment: str, why: str, tmp_path: Path
) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "mail.py").write_text(CODE.format(comment=comment))
    code = CodeContext(open_snapshot(tmp_path / "code", cache=tmp_path / "cache"))
    module = code.module("mail.py")
    assert isinstance(module, Module)
    inquiry = CommentedReason()

    (lead,) = inquiry.leads(module)
    questions = list(inquiry.questions(lead, code))

    assert questions
    subject, verb, *rest = why.split()
    is_plain = verb in {"close", "always"}
    asked = f"Why do {why}" if is_plain else f"Why {verb} {subject} {' '.join(rest)}"
    for question in questions:
        assert question.slots["why"].startswith(asked)
        assert question.slots["that_we"].startswith(f"why {why}")


def test_a_comment_of_sentences_without_ends_is_not_asked_about(tmp_path: Path) -> None:
    comment = "we can't close it twice because the label is gone\n    # Labels are dear"
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "mail.py").write_text(CODE.format(comment=comment))
    code = CodeContext(open_snapshot(tmp_path / "code", cache=tmp_path / "cache"))
    module = code.module("mail.py")
    assert isinstance(module, Module)
    assert not list(CommentedReason().leads(module))


@pytest.mark.parametrize(
    ("comment", "why"),
    [
        (
            "Calling close after the label because the parcel may be wet inside",
            "Why do we call close after the label",
        ),
        ("Calling close later would be too late, because the parcel may be wet", ""),
    ],
)
def test_a_call_that_is_said_to_be_something_is_quoted_and_not_asked_about_as_if_it_were_made(
    comment: str, why: str, tmp_path: Path
) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "mail.py").write_text(CODE.format(comment=comment))
    code = CodeContext(open_snapshot(tmp_path / "code", cache=tmp_path / "cache"))
    module = code.module("mail.py")
    assert isinstance(module, Module)
    inquiry = CommentedReason()
    (lead,) = inquiry.leads(module)
    questions = list(inquiry.questions(lead, code))
    assert {question.slots["why"] for question in questions} == {why}
