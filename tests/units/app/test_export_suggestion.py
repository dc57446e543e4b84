"""Which version an export is told to take: one that nothing bears."""

from pathlib import Path

from goldwright.app.datasets.export_suggestion import _free_version
from goldwright.golden.versions import Version


def test_a_version_that_a_draft_or_a_list_of_others_bears_is_not_suggested(tmp_path: Path) -> None:
    assert _free_version(Version(2, 0), tmp_path) == Version(2, 0)
    (tmp_path / "golden_v2.0.draft.json").touch()
    (tmp_path / "golden_v2.1.json").touch()
    assert _free_version(Version(2, 0), tmp_path) == Version(2, 2)
    # What people confirmed and its draft may well be of one number.
    assert _free_version(Version(2, 0), tmp_path, with_drafts=False) == Version(2, 0)
