"""Why a relevant document was missed is told by words alone, and only where nothing served."""

import pytest

from goldwright.relevance.failure_buckets import FailureBucket, ProvenQuery, failures_of

QUERY = "split long options from values"


def _buckets(relevant: str, irrelevant: str, ranking: list[str]) -> list[FailureBucket]:
    query = ProvenQuery("q", QUERY, {"gold": relevant}, {"noise": irrelevant})
    return [failure.bucket for failure in failures_of(query, ranking, 2, str.split)]


@pytest.mark.parametrize(
    ("relevant", "irrelevant", "bucket"),
    [
        ("tear apart", "split long options", FailureBucket.VOCABULARY_MISMATCH),
        ("split long", "split options", FailureBucket.DISTRACTOR_OVERLAP),
        ("split long options", "split options", FailureBucket.SPECIFICITY_GAP),
    ],
)
def test_a_missed_document_has_one_reason(
    relevant: str, irrelevant: str, bucket: FailureBucket
) -> None:
    assert _buckets(relevant, irrelevant, ["noise", "other", "gold"]) == [bucket]
    assert _buckets(relevant, irrelevant, ["noise", "gold"]) == []


def test_a_distractor_that_is_not_shown_distracts_nobody() -> None:
    shown_late = ["a", "b", "noise"]
    assert _buckets("split long", "split options", shown_late) == [FailureBucket.SPECIFICITY_GAP]


def test_an_alternative_of_what_was_found_is_not_missed() -> None:
    """Of two documents either of which is enough, one serves."""
    documents = {"one": "split", "two": "split"}
    alternatives = ProvenQuery("q", QUERY, documents, {}, (("one",), ("two",)))
    assert failures_of(alternatives, ["one"], 1, str.split) == []
    together = ProvenQuery("q", QUERY, documents, {}, (("one", "two"),))
    (failure,) = failures_of(together, ["one", "x", "two"], 2, str.split)
    assert (failure.document_id, failure.rank) == ("two", 3)
