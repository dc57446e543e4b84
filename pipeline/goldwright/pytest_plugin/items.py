"""The tests of a dataset: one for every query, one for every gate."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from goldwright.app.scoring.baselines import compare_with_baseline
from goldwright.errors import GoldwrightError
from goldwright.evaluation.baselines.baseline import Baseline
from goldwright.evaluation.baselines.regression import RegressionVerdict
from goldwright.evaluation.baselines.regression_rules import QueryFall
from goldwright.evaluation.gates import Gate, check_gates
from goldwright.evaluation.junit import gate_failure
from goldwright.evaluation.query_scores import QueryScore
from goldwright.pytest_plugin.golden_session import BASELINE_GATE, GoldenSession
from goldwright.text import counted

# As many as goldwright baseline check names.
_MOST_FALLS: Final = 20


class MissedError(Exception):
    """A query or a gate was not reached; the text is the whole failure."""


class GoldenDataset(pytest.File):
    """The file of a dataset, as a collector of tests.

    Attributes:
        golden_session: The session; pytest's own ``session`` is another.
    """

    def __init__(self, *, golden_session: GoldenSession, **node_arguments: Any) -> None:
        """Take the session, and what pytest gives to every node."""
        super().__init__(**node_arguments)
        self.golden_session = golden_session

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test for every query, then one for every gate."""
        session = self.golden_session
        for query in session.dataset.queries:
            test = QueryTest.from_parent(self, name=query.query_id, golden_session=session)
            if query.query_id in session.known_failures:
                # Not strict: a query that is found again is no failure, but shown as XPASS.
                test.add_marker(pytest.mark.xfail(reason="fails in the baseline", strict=False))
            yield test
        for gate in session.gates:
            name = f"gate[{gate.name}]"
            yield GateTest.from_parent(self, name=name, golden_session=session, gate=gate)
        if session.baseline is not None and session.checks_baseline:
            name = f"gate[{BASELINE_GATE}]"
            yield BaselineTest.from_parent(
                self, name=name, golden_session=session, baseline=session.baseline
            )


class GoldenTest(pytest.Item):
    """The common part of the tests of queries and of gates."""

    def __init__(self, *, golden_session: GoldenSession, **node_arguments: Any) -> None:
        """Take the session, and what pytest gives to every node."""
        super().__init__(**node_arguments)
        self.golden_session = golden_session

    def setup(self) -> None:
        """Have the retriever asked.

        Where that fails, this test fails with the reason alone and the others are not run:
        pytest would show what this step holds, and with it the environment of the process.
        """
        try:
            self.golden_session.report()
        except GoldwrightError as error:
            reason = f"--golden: {error}"
            self.session.shouldfail = reason
            raise pytest.fail.Exception(reason, pytrace=False) from None

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the reason alone, for a traceback through the plugin helps nobody."""
        if isinstance(excinfo.value, (MissedError, GoldwrightError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Name the file and the test; a query has no line of its own."""
        return self.golden_session.dataset.path, None, self.name


class QueryTest(GoldenTest):
    """The test of one query, by the rule that every query must pass."""

    def runtest(self) -> None:
        """Check the score of the query."""
        report = self.golden_session.report()
        score = report.by_id.get(self.name)
        if score is None:
            pytest.skip("the code that it cites has changed since: rebase")
        # As properties, all values of the query reach pytest's own JUnit XML.
        self.user_properties.extend(score.values.items())
        rule = self.golden_session.each
        if not rule.is_passed_by(score.values[rule.measure]):
            lines = _explain_miss(score, rule)
            raise MissedError("\n".join(lines))


class GateTest(GoldenTest):
    """The test of one gate."""

    def __init__(self, *, gate: Gate, **node_arguments: Any) -> None:
        """Take the gate."""
        super().__init__(**node_arguments)
        self.gate = gate

    def runtest(self) -> None:
        """Check the evaluation."""
        report = self.golden_session.report()
        (result,) = check_gates(report, [self.gate])
        if result.mean is not None:
            reached = (self.gate.measure, result.mean.value)
            self.user_properties.append(reached)
        failure = gate_failure(result)
        if failure is not None:
            raise MissedError(failure)


class BaselineTest(GoldenTest):
    """The test that the retriever is no worse than when its baseline was saved."""

    def __init__(self, *, baseline: Baseline, **node_arguments: Any) -> None:
        """Take the baseline."""
        super().__init__(**node_arguments)
        self.baseline = baseline

    def runtest(self) -> None:
        """Hold the evaluation against the baseline, as ``goldwright baseline check`` does."""
        verdict = compare_with_baseline(self.baseline, self.golden_session.report())
        if not verdict.ok:
            raise MissedError("\n".join(_explain_falls(verdict)))


def _explain_falls(verdict: RegressionVerdict) -> Iterator[str]:
    """Yield lines: what fell below the baseline, over all queries and then query by query."""
    yield f"worse than the baseline, by the rule {verdict.mode}"
    yield from (str(fall) for fall in verdict.regressions if fall.query_id is None)
    # A line for each query: what fell first, of the measures that fell.
    by_query: dict[str, QueryFall] = {}
    for fall in verdict.regressions:
        if fall.query_id is not None:
            by_query.setdefault(fall.query_id, fall)
    falls = list(by_query.values())
    yield from map(str, falls[:_MOST_FALLS])
    if len(falls) > _MOST_FALLS:
        queries = counted(len(falls) - _MOST_FALLS, "further query")
        yield f"and {queries}; goldwright baseline check --json names them all"


def _explain_miss(score: QueryScore, rule: Gate) -> Iterator[str]:
    """Yield lines: the query, what was wanted, what was expected and what was retrieved."""
    value = score.values[rule.measure]
    strata = score.cell or ", ".join(score.strata.values())
    yield f"{score.query_text} ({strata})" if strata else score.query_text
    yield f"{rule.measure} is {value:.3f}; wanted {rule.rule}"
    yield "expected:"
    for entity_id, rank in score.expected.items():
        place = "not found" if rank is None else f"place {rank}"
        yield f"  {entity_id}: {place}"
    count = len(score.retrieved)
    yield f"retrieved, the first {count} of {score.found}:"
    for rank, result_id in enumerate(score.retrieved, start=1):
        yield f"  {rank:>2}  {result_id}"
