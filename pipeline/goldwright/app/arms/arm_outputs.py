"""The page that a comparison of arms is drawn on."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.atomic_files import check_report, replace_report
from goldwright.evaluation.arms.arm_table import ArmComparison
from goldwright.pages.arm_page import MARK, arm_page

_HEAD: Final = MARK.encode()


@dataclass(frozen=True, slots=True)
class ArmOutputs:
    """Where a comparison is drawn; None where it is not."""

    html: Path | None = None

    def check(self) -> None:
        """Make sure before anything is asked that the page can be written afterwards.

        Raises:
            InputError: A directory is missing, or something else stands at the path.
        """
        if self.html is not None:
            check_report(self.html, head=_HEAD)

    def write(self, comparison: ArmComparison) -> None:
        """Write the page, over an earlier one at most.

        Raises:
            InputError: Something else stands at the path, or it cannot be written.
        """
        if self.html is not None:
            replace_report(self.html, arm_page(comparison), head=_HEAD)
