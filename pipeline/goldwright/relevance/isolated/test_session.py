"""The process of the tests: pytest over files that can be trusted, and no code of the answer.

What every test came to is written once, at the very end, to a file that the answer's process does
not have.
"""

import json
import os
import socket
import sys
from typing import Any

import pytest

from goldwright.relevance.isolated.answer_proxy import AnswerModule


class OutcomeRecorder:
    """Keeps the outcome of every test: passed only where all of its phases passed.

    Attributes:
        outcomes: By node id.
    """

    def __init__(self, answer: AnswerModule) -> None:
        """Start with nothing; no test passes once the answer's process is gone."""
        self._answer = answer
        self.outcomes: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the report of one phase."""
        earlier = self.outcomes.get(report.nodeid, "passed")
        outcome: str = "xfailed" if hasattr(report, "wasxfail") else report.outcome
        if self._answer.is_broken and outcome == "passed":
            outcome = "failed with the end of the answer's process"
        self.outcomes[report.nodeid] = outcome if earlier == "passed" else earlier

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Take the report of a file that could not be collected."""
        if report.failed:
            self.outcomes[report.nodeid] = "not collected"


def main() -> None:
    """Run the tests that the arguments name, and tell what they came to."""
    settings: dict[str, Any] = json.loads(sys.argv[1])
    with socket.socket(fileno=settings["answer"]) as connection:
        answer = AnswerModule(settings["module"], connection)
        sys.modules[settings["module"]] = answer
        recorder = OutcomeRecorder(answer)
        arguments = ["-c", os.devnull, "--rootdir", settings["root"], "--noconftest", "-q"]
        arguments += ["-p", "no:cacheprovider", "--import-mode=importlib", *settings["tests"]]
        pytest.main(arguments, plugins=[recorder])
    outcome_data = json.dumps(recorder.outcomes).encode()
    os.write(settings["outcomes"], outcome_data)
