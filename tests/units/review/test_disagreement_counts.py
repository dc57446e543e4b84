"""Where two reviewers differ, and why two coefficients of agreement part."""

import pytest

from goldwright.records import HumanVerdict
from goldwright.review.disagreement_counts import (
    VerdictDifference,
    difference_sentences,
    differences_of,
    parting_sentence,
)
from goldwright.stats.rater_agreement import compare_raters

VERDICTS = ("correct", "minor_issue", "major_issue", "wrong")


def test_differences_are_grouped_whoever_said_which() -> None:
    pairs: dict[str, tuple[HumanVerdict, HumanVerdict]] = {
        "q1": ("correct", "minor_issue"),
        "q2": ("minor_issue", "correct"),
        "q3": ("wrong", "minor_issue"),
        "q4": ("correct", "correct"),
        "q5": ("wrong", "major_issue"),
    }
    differences = differences_of(pairs)
    assert differences == (
        VerdictDifference(("correct", "minor_issue"), ("q1", "q2")),
        VerdictDifference(("major_issue", "wrong"), ("q5",)),
        VerdictDifference(("minor_issue", "wrong"), ("q3",)),
    )
    assert [difference.is_about_standing for difference in differences] == [False, False, True]
    (sentence,) = difference_sentences(differences)
    assert "differed on 4, of these on 1 about whether the record may stand and on 3" in sentence
    assert "correct against minor issue 2, major issue against wrong 1" in sentence


def test_reviewers_who_agree_differ_on_nothing() -> None:
    assert not list(difference_sentences(differences_of({"q1": ("wrong", "wrong")})))


@pytest.mark.parametrize(
    ("alike", "apart", "parts"),
    # Nearly everything of one kind is where kappa falls; two kinds in balance are where it does
    # not.
    [(("correct", "correct"), 1, True), (None, 1, False)],
)
def test_an_explanation_stands_where_the_coefficients_part(
    alike: tuple[str, str] | None, apart: int, *, parts: bool
) -> None:
    pairs = [alike] * 16 if alike else [("correct", "correct"), ("wrong", "wrong")] * 8
    agreement = compare_raters([*pairs, *[("correct", "wrong")] * apart], VERDICTS, seed=1)
    assert bool(parting_sentence(agreement.kappa, agreement.ac1)) == parts
