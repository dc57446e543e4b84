"""The tutorials, followed to the letter from the first to the last."""

from importlib.metadata import version
from pathlib import Path

import pytest

from journeys.tutorials import ORDER, TUTORIALS, Reader


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Somebody with a fresh home directory, an active environment and no key."""
    return Reader(tmp_path_factory.mktemp("home"))


@pytest.mark.parametrize("page", ORDER)
def test_a_tutorial_works_as_printed_and_shows_what_is_printed(page: str, reader: Reader) -> None:
    for earlier in ORDER[: ORDER.index(page)]:
        if earlier not in reader.done:
            reader.follow(earlier)
    surprises = reader.follow(page)
    assert not surprises, "\n\n".join(surprises)


def test_every_tutorial_is_followed() -> None:
    assert {path.stem for path in TUTORIALS.glob("*.md")} == {*ORDER, "index"}


def test_the_codebase_of_the_tutorials_is_the_one_that_they_name() -> None:
    first = Path(TUTORIALS / "first-dataset.md").read_text(encoding="utf-8")
    assert f'"Starlette {version("starlette")}"' in first
