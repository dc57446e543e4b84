"""What an evaluation is written to: a page, JUnit XML, a TREC run, JSON."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Final

from goldwright.app.evaluate import Evaluation
from goldwright.atomic_files import READABLE, check_report, replace_file, replace_report
from goldwright.errors import InputError
from goldwright.evaluation import junit
from goldwright.pages.evaluation_page import MARK, evaluation_page
from goldwright.retrieval.trec import run_lines

RUN_NAME: Final = "goldwright"
HEAD: Final = b'{\n  "dataset": '


def save(
    done: Evaluation,
    *,
    html: Path | None,
    junit_xml: Path | None,
    run: Path | None,
    out: Path | None,
) -> None:
    """Write what is wanted, over earlier reports at most.

    Raises:
        InputError: Something else stands at a path, or it cannot be written.
    """
    if html is not None:
        page = evaluation_page(done.report, done.strata, done.gates, done.sufficiency)
        replace_report(html, page, head=MARK.encode())
    if junit_xml is not None:
        replace_report(junit_xml, junit.render_evaluation(done.report, done.gates), head=junit.HEAD)
    if out is not None:
        replace_report(out, as_json_text(done).encode("ascii"), head=HEAD)
    if run is not None:
        text = "".join(run_lines(done.lists.items(), name=RUN_NAME))
        replace_file(run, text.encode("utf-8", "surrogatepass"), mode=READABLE)


def check_outputs(
    *, html: Path | None, junit_xml: Path | None, run: Path | None, out: Path | None
) -> None:
    """Make sure before anything is asked that everything can be written afterwards.

    Raises:
        InputError: A directory is missing, or something stands at a path that is not to be
            replaced.
    """
    for path, head in ((html, MARK.encode()), (junit_xml, junit.HEAD), (out, HEAD)):
        if path is not None:
            check_report(path, head=head)
    if run is not None:
        check_report(run, head=b"")
        first = run.read_bytes().partition(b"\n")[0] if run.exists() else b""
        if first and not first.endswith(f" {RUN_NAME}".encode()):
            raise InputError(
                f"{run}: holds something else, which is not replaced; give another name"
            )


def as_json_text(done: Evaluation) -> str:
    """The evaluation as JSON, with what follows from it."""
    told = {
        **done.report.model_dump(mode="json"),
        "strata": [asdict(one) for one in done.strata],
        "gates": [{**asdict(one), "rule": one.gate.rule} for one in done.gates],
        "sufficiency": asdict(done.sufficiency) if done.sufficiency else None,
    }
    return json.dumps(told, indent=2) + "\n"
