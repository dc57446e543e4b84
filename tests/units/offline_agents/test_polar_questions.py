"""Questions for yes or no."""

import pytest

from goldwright.offline_agents.answers.polar_questions import affirmed, asks_yes_or_no


@pytest.mark.parametrize(
    ("question", "is_polar"),
    [
        ("Can I call `f` without `x`, and what happens then?", True),
        ("Do we still use the cache dir variable? Which function reads it?", True),
        ('Is there just one function behind "it is late", and which one is it?', True),
        ("Can you point me to the place where we open a socket?", False),
        ('Can somebody point me to where "it is late" comes from?', False),
        ("Is the option `x` required, or is there a default?", False),
        ("Which function reads it, and is it used?", False),
        ("Island hopping: where is that done?", False),
    ],
)
def test_which_questions_ask_for_yes_or_no(question: str, is_polar: bool) -> None:
    assert asks_yes_or_no(question) is is_polar


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("It is `f` in `a.py`.", "Yes: it is `f` in `a.py`."),
        ("`f` reads it.", "Yes: `f` reads it."),
        (
            "It is only logged: when `f` fails, it is.",
            "Yes, it is only logged: when `f` fails, it is.",
        ),
    ],
)
def test_a_yes_leads_the_answer_in(sentence: str, answer: str) -> None:
    assert affirmed(sentence) == answer
