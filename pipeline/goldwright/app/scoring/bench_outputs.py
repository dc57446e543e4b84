"""The files that a comparison of retrievers is written to: a page, Markdown, JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright.app.scoring.bench import as_json_text
from goldwright.atomic_files import check_report, replace_report
from goldwright.evaluation.bench import Bench
from goldwright.pages.bench_page import MARK, bench_page

# How our own files of each kind begin: a report replaces an earlier report and nothing else.
HTML_HEAD: Final = MARK.encode()
MARKDOWN_HEAD: Final = b"<!-- goldwright bench -->\n"
JSON_HEAD: Final = b'{\n  "comparison": '


@dataclass(frozen=True, slots=True)
class BenchOutputs:
    """Where a comparison is written to; None where it is not.

    Attributes:
        html: The page.
        markdown: A comment for a pull request.
        json: The comparison, with the report of every system.
    """

    html: Path | None = None
    markdown: Path | None = None
    json: Path | None = None

    def check(self) -> None:
        """Make sure before anything is asked that everything can be written afterwards.

        Raises:
            InputError: A directory is missing, or something else stands at a path.
        """
        for path, head in (
            (self.html, HTML_HEAD),
            (self.markdown, MARKDOWN_HEAD),
            (self.json, JSON_HEAD),
        ):
            if path is not None:
                check_report(path, head=head)

    def write(self, result: Bench, *, markdown: str, retrievers: Sequence[str] = ()) -> None:
        """Write a comparison, over earlier ones at most.

        Args:
            result: The comparison, or a share of it.
            markdown: The comment for a pull request.
            retrievers: Of a share, the names of all retrievers that the whole compares.

        Raises:
            InputError: Something else stands at a path, or it cannot be written.
        """
        if self.html is not None:
            page = bench_page(result)
            replace_report(self.html, page, head=HTML_HEAD)
        if self.markdown is not None:
            data = MARKDOWN_HEAD + markdown.encode("utf-8", "backslashreplace")
            replace_report(self.markdown, data, head=MARKDOWN_HEAD)
        if self.json is not None:
            text = as_json_text(result, retrievers=retrievers)
            replace_report(self.json, text.encode("ascii"), head=JSON_HEAD)
