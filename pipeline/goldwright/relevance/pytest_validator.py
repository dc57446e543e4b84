"""Whether an answer passes its task's tests, decided where no code of the answer is ever loaded."""

import json
import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

import goldwright
from goldwright.sandbox.commands import SandboxCommand, SandboxResult
from goldwright.sandbox.layers import PYTHON, Layer
from goldwright.sandbox.limits import SandboxLimits
from goldwright.sandbox.sandboxed_process import start

_PACKAGE = Path(goldwright.__file__).parent
# Of more tests than anybody writes for one answer.
_MOST_OUTCOME_BYTES = 16 << 20

# Loads one of our modules with nothing of the task's on the path before it.
_START = "import sys; sys.path[:0] = {paths!r}; from {module} import main; main()"


class Validation(StrEnum):
    """What an answer is worth."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_VALIDATED = "not validated"


@dataclass(frozen=True)
class PytestTask:
    """Tests that an answer has to pass.

    Attributes:
        tests: The file of the tests; it imports the answer as the module `answer`.
        node_ids: The tests that must pass, as pytest names them from the file's directory:
            `test_it.py::test_that`. No other test may be there.
        readable: Directories whose packages tests and answer may import.
        limits: What each of the two processes may take.
        environment: Variables of both processes besides those that every sandbox sets.
    """

    tests: Path
    node_ids: Sequence[str]
    readable: Sequence[Path] = ()
    limits: SandboxLimits = field(default_factory=SandboxLimits)
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ValidationResult:
    """What came of an answer.

    Attributes:
        validation: Passed, failed, or not validated because the tests themselves could not run.
        reason: In one line, why it did not pass; empty where it did.
        outcomes: By node id, what pytest said.
    """

    validation: Validation
    reason: str = ""
    outcomes: Mapping[str, str] = field(default_factory=dict)


def validate(task: PytestTask, answer: str, *, layer: Layer) -> ValidationResult:
    """Run a task's tests against an answer, each in a sandbox of its own.

    The tests reach the answer through a socket that carries plain data alone. Only exact node ids
    that passed in every phase count; a skip, an expected failure, a missing or an additional test
    does not.

    Args:
        task: The tests.
        answer: Python source.
        layer: How both processes are confined.

    Raises:
        OSError: The layer's program cannot be started, or a file cannot be made.
    """
    with _both_processes(task, answer, layer) as (tests_result, outcomes):
        outcome_data = os.pread(outcomes.fileno(), _MOST_OUTCOME_BYTES, 0)
    return _judge(task, tests_result, outcome_data)


@contextmanager
def _both_processes(
    task: PytestTask, answer: str, layer: Layer
) -> Iterator[tuple[SandboxResult, IO[bytes]]]:
    with ExitStack() as stack:
        directory = Path(stack.enter_context(TemporaryDirectory(prefix="goldwright-answer-")))
        source = directory.resolve() / "answer.py"
        source.write_text(answer, encoding="utf-8", errors="backslashreplace")
        tests_end, answer_end = socket.socketpair()
        stack.enter_context(tests_end)
        # A file, since a pipe that nobody reads meanwhile takes the outcomes of some hundred tests.
        outcomes = stack.enter_context(TemporaryFile())
        with answer_end:
            answer_command = _answer_command(task, source, answer_end.fileno())
            process = start(layer, answer_command)
            stack.enter_context(process)
        command = _tests_command(task, tests_end.fileno(), outcomes.fileno())
        with start(layer, command) as tests:
            # Ours is closed, so that each side notices when the other one ends.
            tests_end.close()
            yield tests.wait(), outcomes


def _answer_command(task: PytestTask, source: Path, descriptor: int) -> SandboxCommand:
    server, _ = sandboxed_python("answer_server", task.readable)
    argv = [*server, str(descriptor), str(source)]
    readable = [*task.readable, _PACKAGE.parent, source]
    return SandboxCommand(
        argv=argv,
        readable=readable,
        environment=task.environment,
        inherited=[descriptor],
        limits=task.limits,
    )


def _tests_command(task: PytestTask, answer: int, outcomes: int) -> SandboxCommand:
    root = task.tests.parent.resolve()
    tests = root / task.tests.name
    settings = {
        "answer": answer,
        "outcomes": outcomes,
        "module": "answer",
        "root": str(root),
        "tests": [str(tests)],
    }
    session, _ = sandboxed_python("test_session", task.readable)
    argv = [*session, json.dumps(settings)]
    readable = [*task.readable, _PACKAGE.parent, tests]
    # No plug-in of the environment takes part.
    environment = {**task.environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return SandboxCommand(
        argv=argv,
        readable=readable,
        scratch=True,
        environment=environment,
        inherited=[answer, outcomes],
        limits=task.limits,
    )


def sandboxed_python(module: str, readable: Sequence[Path] = ()) -> tuple[list[str], Path]:
    """Return the command line of an isolated module, and the directory that it has to read."""
    readable_paths = [str(path.resolve()) for path in readable]
    paths = [str(_PACKAGE.parent), *readable_paths]
    name = f"goldwright.relevance.isolated.{module}"
    program = _START.format(paths=paths, module=name)
    return [*PYTHON, "-c", program], _PACKAGE.parent


def _judge(task: PytestTask, result: SandboxResult, outcome_data: bytes) -> ValidationResult:
    if result.is_timed_out:
        return ValidationResult(Validation.FAILED, "the tests did not end in time")
    if not outcome_data:
        stderr = result.stderr.decode(errors="replace")
        last_lines = stderr.strip().splitlines()[-1:]
        reason = last_lines[0] if last_lines else f"exit {result.exit_code}"
        return ValidationResult(Validation.NOT_VALIDATED, f"the tests did not run: {reason}")
    outcomes: dict[str, str] = json.loads(outcome_data)
    if set(outcomes) != set(task.node_ids):
        return ValidationResult(Validation.FAILED, _difference(task, outcomes), outcomes)
    failed = [f"{node} {outcome}" for node, outcome in outcomes.items() if outcome != "passed"]
    if failed:
        return ValidationResult(Validation.FAILED, failed[0], outcomes)
    return ValidationResult(Validation.PASSED, outcomes=outcomes)


def _difference(task: PytestTask, outcomes: Mapping[str, str]) -> str:
    missing = [node for node in task.node_ids if node not in outcomes]
    if missing:
        return f"{missing[0]} did not run"
    extra_nodes = [node for node in outcomes if node not in task.node_ids]
    return f"{extra_nodes[0]} is no test of the task"
