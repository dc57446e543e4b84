"""Laws of the catalog of the zoo."""

import re
from pathlib import Path

import pytest

from zoo.catalog import SECTIONS, SPECIMENS
from zoo.specimen import Place, Specimen

README = Path(__file__).parents[1] / "zoo" / "README.md"


def test_each_specimen_has_a_name_of_its_own() -> None:
    """A name finds one specimen, and can be typed."""
    assert len(SPECIMENS) == sum(len(specimens) for specimens in SECTIONS.values())
    for name in SPECIMENS:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name), name


def test_the_readme_describes_each_section() -> None:
    """Who comes to score another tool finds what there is."""
    text = README.read_text("utf-8")
    for section in SECTIONS:
        assert f"| `{section}` |" in text, section


@pytest.mark.parametrize("specimen", [SPECIMENS["codec-idna"], SPECIMENS["repository-honest"]])
def test_a_specimen_is_made_the_same_each_time(specimen: Specimen, tmp_path: Path) -> None:
    """Scores of two tools are about the same files."""
    copies = []
    for name in ("first", "second"):
        place = Place(tmp_path / name)
        place.desk.mkdir(parents=True)
        specimen.make(place)
        files = [path for path in place.code.rglob("*") if path.is_file()]
        copies.append({str(path.relative_to(place.code)) for path in files})
    assert copies[0] == copies[1] != set()
