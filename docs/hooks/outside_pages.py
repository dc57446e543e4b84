"""Bring documents of the repository that lie outside docs/ into the site, with their links."""

import posixpath
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#\s]+)(#[^)]*)?\)")
FIXED = {
    "ARCHITECTURE.md": "project/architecture.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
}
# What was decided long ago shall not stand above what is so.
FOUND_LATE = "---\nsearch:\n  boost: 0.2\n---\n\n"
INDEX_HEAD = """# Decisions

What could have gone another way, and why it went this one; a page each.

"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the documents, and a list of the decisions."""
    root = Path(config.config_file_path).parent
    decisions = sorted((root / "pipeline" / "decisions").glob("*.md"))
    places = dict(FIXED)
    for path in decisions:
        places[path.relative_to(root).as_posix()] = f"decisions/{path.name}"
    for name, place in places.items():
        text = (root / name).read_text(encoding="utf-8")
        content = FOUND_LATE + with_links(text, name, place, places)
        files.append(File.generated(config, place, content=content))
    index = INDEX_HEAD + "".join(map(decision_line, decisions))
    files.append(File.generated(config, "project/decisions.md", content=index))
    return files


def with_links(text: str, name: str, place: str, places: Mapping[str, str]) -> str:
    """Let links lead to pages of the site; one that leads to none of them becomes plain text."""

    def rewrite(link: re.Match[str]) -> str:
        words, target, anchor = link.groups(default="")
        if "://" in target:
            return link[0]
        wanted = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        there = places.get(wanted)
        if wanted.startswith("docs/"):
            there = wanted.removeprefix("docs/")
        if there is None:
            return words
        return f"[{words}]({posixpath.relpath(there, PurePosixPath(place).parent)}{anchor})"

    return LINK.sub(rewrite, text)


def decision_line(path: Path) -> str:
    """The number and title of a decision, as a line that leads to it."""
    heading = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
    number, _, title = heading.partition(". ")
    return f"- [{number} · {title}](../decisions/{path.name})\n"
