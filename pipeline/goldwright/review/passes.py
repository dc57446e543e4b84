"""The three review passes, by the names that records give them."""

from typing import Final, get_args

from goldwright.records import ReviewPass

FIRST: Final = "first"
SECOND: Final = "second"
ADJUDICATION: Final = "adjudication"

INDEPENDENT_PASSES: Final[tuple[ReviewPass, ...]] = (FIRST, SECOND)
"""The passes in which nobody sees what the other reviewer said or changed."""

REVIEW_PASSES: Final[tuple[ReviewPass, ...]] = get_args(ReviewPass)
