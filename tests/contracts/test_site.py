"""The documentation site: it builds without a warning, and is whole where there is no network."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import goldwright
from goldwright.cli.catalog import COMMAND_NAMES
from goldwright.stages.gate.checks import CHECKS

ROOT = Path(__file__).parents[2]
# What a browser fetches by itself; a link waits for a click.
FETCHED = frozenset(
    {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}
)
WITHOUT_FETCHING = frozenset({"canonical", "next", "prev"})
SIGNS_OF_MARKDOWN = re.compile(r"\*\*\w|\]\([\w./#-]+\)|\\\||\|---|^\|.*\|$", re.MULTILINE)
# Their text is code, in which every sign is meant.
CODE_BLOCKS = frozenset({"pre", "script", "style"})


class Page(HTMLParser):
    """What a page refers to, and the anchors in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.prose = ""
        self._blocks = 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._blocks += tag in CODE_BLOCKS
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        for name, value in given.items():
            if (tag, name) in FETCHED and given.get("rel") not in WITHOUT_FETCHING:
                self.fetched.append(value)
            if (tag, name) == ("a", "href"):
                self.links.append(value)

    def handle_endtag(self, tag: str) -> None:
        self._blocks -= tag in CODE_BLOCKS

    def handle_data(self, data: str) -> None:
        if not self._blocks:
            self.prose += data


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as ``make site`` builds it."""
    pytest.importorskip("material", reason="the extra docs is not installed")
    out = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(out)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return out


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    """Every page by its path."""
    return {path.resolve(): Page(path) for path in site.rglob("*.html")}


def test_no_link_is_dead(site: Path, pages: dict[Path, Page]) -> None:
    dead = []
    for path, page in pages.items():
        # The page for addresses that there are not is shown at any of them.
        if path.name == "404.html":
            continue
        for link in (*page.links, *page.fetched):
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchors = pages[target].anchors if target in pages else set()
            if not target.is_file() or (parts.fragment and unquote(parts.fragment) not in anchors):
                dead.append(f"{path.relative_to(site.resolve())}: {link}")
    assert dead == []
    assert len(pages) > 80


def test_no_sign_of_markdown_is_left_on_a_page(pages: dict[Path, Page]) -> None:
    """What GitHub reads as a table, a list or a link, the site's builder may read otherwise."""
    left = [
        f"{path.name}: {sign}"
        for path, page in pages.items()
        for sign in SIGNS_OF_MARKDOWN.findall(page.prose)
    ]
    assert left == []


def test_nothing_comes_from_a_network(site: Path, pages: dict[Path, Page]) -> None:
    """Pages are read from a folder, in a train: fonts, scripts and search lie in it."""
    fetched = [address for page in pages.values() for address in page.fetched]
    assert [address for address in fetched if urlsplit(address).netloc] == []
    styles = "".join(path.read_text("utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"(?:@import|url\()\s*[\"']?(?:https?:)?//[^)]*", styles) == []
    assert (site / "search" / "search_index.js").is_file()


def test_every_command_public_name_and_check_is_in_the_reference(site: Path) -> None:
    written = "".join(path.read_text("utf-8") for path in (site / "reference").rglob("*.html"))
    names = [*COMMAND_NAMES, *goldwright.__all__, *(check.code for check in CHECKS)]
    assert [name for name in names if f'id="{name.lower()}"' not in written] == []
