"""The files that an evaluation is written to: a page, JUnit XML, JSON, a TREC run."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from goldwright.app.scoring.evaluate import Evaluation
from goldwright.atomic_files import READABLE, check_report, replace_file, replace_report
from goldwright.errors import InputError
from goldwright.evaluation import junit
from goldwright.evaluation.gates import GateResult
from goldwright.evaluation.markdown import evaluation_markdown
from goldwright.pages.evaluation_page import MARK, evaluation_page
from goldwright.regular_files import read_regular
from goldwright.retrieval.trec import run_lines

RUN_NAME: Final = "goldwright"
"""The last column of a TREC run, which names the system."""

# How our own files of each kind begin: a report replaces an earlier report and nothing else.
HTML_HEAD: Final = MARK.encode()
JSON_HEAD: Final = b'{\n  "dataset": '
MARKDOWN_HEAD: Final = b"<!-- goldwright evaluation -->\n"


@dataclass(frozen=True, slots=True)
class EvaluationOutputs:
    """Where an evaluation is written to; None where it is not.

    Attributes:
        html: The page.
        junit_xml: Gates and queries for a build server.
        json: The evaluation, for ``goldwright compare``.
        trec_run: The lists that came back, as a TREC run.
        markdown: A comment for a pull request.
    """

    html: Path | None = None
    junit_xml: Path | None = None
    json: Path | None = None
    trec_run: Path | None = None
    markdown: Path | None = None

    def check(self) -> None:
        """Make sure before anything is asked that everything can be written afterwards.

        Raises:
            InputError: A directory is missing, or something else stands at a path.
        """
        if self.html is not None:
            check_report(self.html, head=HTML_HEAD)
        if self.junit_xml is not None:
            check_report(self.junit_xml, head=junit.HEAD)
        if self.json is not None:
            check_report(self.json, head=JSON_HEAD)
        if self.markdown is not None:
            check_report(self.markdown, head=MARKDOWN_HEAD)
        if self.trec_run is not None:
            _check_trec_run(self.trec_run)

    def write(self, evaluation: Evaluation) -> None:
        """Write an evaluation, over earlier reports at most.

        Raises:
            InputError: Something else stands at a path, or it cannot be written.
        """
        report = evaluation.report
        if self.html is not None:
            page = evaluation_page(
                report,
                evaluation.strata,
                evaluation.gates,
                evaluation.sufficiency,
                evaluation.snippets,
            )
            replace_report(self.html, page, head=HTML_HEAD)
        if self.junit_xml is not None:
            xml = junit.render_evaluation(report, evaluation.gates)
            replace_report(self.junit_xml, xml, head=junit.HEAD)
        if self.json is not None:
            text = as_json_text(evaluation)
            replace_report(self.json, text.encode("ascii"), head=JSON_HEAD)
        if self.markdown is not None:
            comment = evaluation_markdown(report, evaluation.strata, evaluation.gates)
            data = MARKDOWN_HEAD + comment.encode("utf-8", "backslashreplace")
            replace_report(self.markdown, data, head=MARKDOWN_HEAD)
        # A TREC run has no head by which an earlier one is known; check() has looked at its lines.
        if self.trec_run is not None:
            lines = run_lines(evaluation.rankings.items(), name=RUN_NAME)
            # Ids of a foreign retriever may hold half a surrogate pair.
            data = "".join(lines).encode("utf-8", "surrogatepass")
            replace_file(self.trec_run, data, mode=READABLE)


def as_json_text(evaluation: Evaluation) -> str:
    """Write an evaluation as JSON, with what follows from it."""
    sufficiency = evaluation.sufficiency
    document = evaluation.report.model_dump(mode="json")
    document["strata"] = [asdict(stratum) for stratum in evaluation.strata]
    document["gates"] = [_gate_json(result) for result in evaluation.gates]
    document["sufficiency"] = asdict(sufficiency) if sufficiency else None
    return json.dumps(document, indent=2) + "\n"


def _check_trec_run(path: Path) -> None:
    """Refuse a file that is no TREC run of ours, which has no head but names us in each line."""
    check_report(path, head=b"")
    if not path.exists():
        return
    first_line = read_regular(path).partition(b"\n")[0]
    # An empty file is a name that was reserved.
    if first_line and not first_line.endswith(f" {RUN_NAME}".encode()):
        raise InputError(f"{path}: holds something else, which is not replaced; give another name")


def _gate_json(result: GateResult) -> dict[str, object]:
    document = asdict(result)
    document["rule"] = result.gate.rule
    return document
