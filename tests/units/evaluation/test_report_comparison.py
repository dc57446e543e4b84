"""Two evaluations side by side."""

import pytest

from goldwright.errors import InputError
from goldwright.evaluation.report_comparison import compare_reports
from units.evaluation.evaluations import report_of_values


def test_evaluations_of_different_texts_are_not_compared() -> None:
    """Code with docstrings and code without them are two corpora."""
    with_docstrings = report_of_values(1.0, 0.5)
    without = report_of_values(0.5, 0.5, blank_docstrings=True)
    with pytest.raises(InputError, match="blank_docstrings: False in the one, True in the other"):
        compare_reports(with_docstrings, without, seed=0)
    (comparison,) = compare_reports(without, without, seed=0)
    assert comparison.difference.mean == 0
