"""People read the same guidelines wherever they judge."""

from pathlib import Path

from goldwright.review.guidelines import VERDICT_GUIDELINES

REVIEW_PAGE = Path(__file__).parents[3] / "docs" / "review.md"


def test_the_documents_say_what_the_page_says() -> None:
    text = " ".join(REVIEW_PAGE.read_text(encoding="utf-8").split())
    assert [sentence for sentence in VERDICT_GUIDELINES if sentence not in text] == []
