"""The tests that a dataset gives: one for every query, one for every gate."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from goldwright.errors import GoldwrightError
from goldwright.evaluation.gates import Gate, check_gates
from goldwright.evaluation.junit import gate_failure
from goldwright.evaluation.report import QueryScore
from goldwright.pytest_plugin.request import PytestRequest


class MissedError(Exception):
    """A query or a gate was not reached; the text is the whole failure."""


class GoldenDataset(pytest.File):
    """The tests of a dataset."""

    def __init__(self, *, plan: PytestRequest, **named: Any) -> None:
        """Take what was asked for."""
        super().__init__(**named)
        self.plan = plan

    def collect(self) -> Iterator[pytest.Item]:
        """A test for every query, then one for every gate."""
        for label in self.plan.dataset.labels:
            yield QueryTest.from_parent(self, name=label.query_id, plan=self.plan)
        for gate in self.plan.gates:
            yield GateTest.from_parent(self, name=f"gate[{gate.name}]", plan=self.plan, gate=gate)


class GoldenTest(pytest.Item):
    """What tests of queries and of gates have in common."""

    def __init__(self, *, plan: PytestRequest, **named: Any) -> None:
        """Take what was asked for."""
        super().__init__(**named)
        self.plan = plan

    def setup(self) -> None:
        """Have the retriever asked; where that fails, one test says so and the others are not run."""
        try:
            self.plan.report()
        except GoldwrightError as error:
            self.session.shouldfail = f"--golden: {error}"
            raise

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the reason alone; where in the plugin it was raised helps nobody."""
        if isinstance(excinfo.value, (MissedError, GoldwrightError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where it stands and what it is called."""
        return self.plan.dataset.path, None, self.name


class QueryTest(GoldenTest):
    """One query, which must reach what each must."""

    def runtest(self) -> None:
        """Look the query up."""
        score = self.plan.report().by_id[self.name]
        self.user_properties.extend(score.values.items())
        rule = self.plan.each
        if not rule.lets(score.values[rule.measure]):
            raise MissedError("\n".join(_missed(score, rule)))


class GateTest(GoldenTest):
    """One gate."""

    def __init__(self, *, gate: Gate, **named: Any) -> None:
        """Take the gate."""
        super().__init__(**named)
        self.gate = gate

    def runtest(self) -> None:
        """Hold the evaluation against it."""
        (result,) = check_gates(self.plan.report(), [self.gate])
        if result.mean is not None:
            self.user_properties.append((self.gate.measure, result.mean.value))
        failure = gate_failure(result)
        if failure is not None:
            raise MissedError(failure)


def _missed(score: QueryScore, rule: Gate) -> Iterator[str]:
    yield f"{score.query_text} ({score.cell})"
    yield f"{rule.measure} is {score.values[rule.measure]:.3f}; wanted {rule.rule}"
    yield "expected:"
    for name, place in score.expected.items():
        yield f"  {name}: {f'place {place}' if place else 'not found'}"
    yield f"retrieved, the first {len(score.retrieved)} of {score.found}:"
    for place, name in enumerate(score.retrieved, start=1):
        yield f"  {place:>2}  {name}"
