"""Tasks made from functions of real code: a test passes with their source, and fails without it."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from goldwright.relevance.asked_sentences import leave_out
from goldwright.relevance.contexts import PoolDocument, render_context
from goldwright.relevance.plain_functions import PlainFunction
from goldwright.relevance.pytest_validator import (
    PytestTask,
    Validation,
    sandboxed_python,
    validate,
)
from goldwright.relevance.solvers import extract_answer
from goldwright.relevance.task_inputs import hinted_calls
from goldwright.relevance.tasks import PytestCheck, RelevanceTask
from goldwright.sandbox.commands import SandboxCommand
from goldwright.sandbox.layers import Layer
from goldwright.sandbox.limits import SandboxLimits
from goldwright.sandbox.sandboxed_process import run

# Sets and hashes come in another order under each of these; every check is run so often.
HASH_SEEDS: Final = ("0", "1", "2")
_MOST_CALLS: Final = 40
_MOST_TESTED: Final = 5
# One value alone may be what an empty function returns.
_FEWEST_VALUES: Final = 2
_LIMITS: Final = SandboxLimits(wall_seconds=10.0, cpu_seconds=5)


@dataclass(frozen=True, slots=True)
class TaskSource:
    """A function and the documents that it takes to answer for it.

    Attributes:
        function: The function.
        documents: By document id, its own document first, then those of its helpers.
        calls: Argument lists that others call it with.
    """

    function: PlainFunction
    documents: Mapping[str, str]
    calls: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class MadeTask:
    """A task that was shown to depend on its documents.

    Attributes:
        task: The task.
        tests: The text of its tests.
        node_ids: Their names.
    """

    task: RelevanceTask
    tests: str
    node_ids: tuple[str, ...]


@dataclass
class TaskMaker:
    """Makes tasks, and counts why others were not made.

    Attributes:
        layer: How the code is confined.
        scratch: A directory for tests that are tried.
        attrition: By reason, how many functions made no task.
    """

    layer: Layer
    scratch: Path
    attrition: Counter[str] = field(default_factory=Counter)

    def make(self, task_id: str, source: TaskSource) -> MadeTask | None:
        """Make the task of a function, or count why there is none.

        Raises:
            OSError: A sandbox cannot be started.
        """
        values = self._steady_values(source)
        if values is None:
            return None
        asked_of, text = next(iter(source.documents.items()))
        shown_text = leave_out(text, source.function.sentence)
        if shown_text == text:
            self.attrition["its sentence does not stand in its document as it is read"] += 1
            return None
        source = replace(source, documents={**source.documents, asked_of: shown_text})
        made_task = _task(task_id, source, values)
        tests_file = self.scratch / f"test_{task_id}.py"
        tests_file.write_text(made_task.tests, encoding="utf-8")
        try:
            reason = self._fault(made_task, source, tests_file)
        finally:
            tests_file.unlink()
        if reason:
            self.attrition[reason] += 1
            return None
        return made_task

    def _steady_values(self, source: TaskSource) -> Mapping[str, str] | None:
        """Return argument lists and what the function returns for them, every time the same."""
        function = source.function
        all_calls = [*source.calls, *hinted_calls(function.node)]
        calls = list(dict.fromkeys(all_calls))
        recordings = [self._record(function, calls, seed) for seed in HASH_SEEDS]
        first = recordings[0]
        if any(recording != first for recording in recordings):
            self.attrition["it returns another value each time"] += 1
            return None
        values = _spread(first)
        if len(set(values.values())) < _FEWEST_VALUES:
            self.attrition["no two calls with different plain values"] += 1
            return None
        return values

    def _record(
        self, function: PlainFunction, calls: Sequence[str], hash_seed: str
    ) -> Mapping[str, str]:
        first_calls = list(calls[:_MOST_CALLS])
        request = {
            "source": function.source,
            "name": function.name,
            "calls": first_calls,
        }
        argv, package = sandboxed_python("call_recorder")
        arguments = [*argv, json.dumps(request)]
        command = SandboxCommand(
            argv=arguments,
            readable=[package],
            environment={"PYTHONHASHSEED": hash_seed},
            limits=_LIMITS,
        )
        result = run(self.layer, command)
        try:
            values: Mapping[str, str] = json.loads(result.stdout)
        except ValueError:
            return {}
        return values

    def _fault(self, made_task: MadeTask, source: TaskSource, tests_file: Path) -> str:
        """Say what is wrong: it must pass with its documents, and fail without any one of them."""
        seeded = list(source.documents)
        if self._passes(made_task, source, seeded, tests_file) != len(HASH_SEEDS):
            return "it does not pass three times with its documents"
        for missing in seeded:
            shown_documents = [document for document in seeded if document != missing]
            if self._passes(made_task, source, shown_documents, tests_file):
                return "it passes without one of its documents"
        return ""

    def _passes(
        self, made_task: MadeTask, source: TaskSource, shown_ids: Iterable[str], tests_file: Path
    ) -> int:
        """Count how often of three an answer from these documents passes."""
        pool = [
            PoolDocument(document_id, text, "seeded")
            for document_id, text in source.documents.items()
        ]
        all_shown_ids = set(shown_ids)
        is_shown = [item.document_id in all_shown_ids for item in pool]
        context = render_context(pool, is_shown, seed=0)
        answer = extract_answer(made_task.task.question, context)
        passed = 0
        for hash_seed in HASH_SEEDS:
            task = PytestTask(
                tests_file,
                made_task.node_ids,
                limits=_LIMITS,
                environment={"PYTHONHASHSEED": hash_seed},
            )
            verdict = validate(task, answer, layer=self.layer)
            passed += verdict.validation is Validation.PASSED
        return passed


def _spread(values: Mapping[str, str]) -> Mapping[str, str]:
    """Choose calls to test: first those whose values are not yet there, in their order."""
    first_calls: dict[str, str] = {}
    for call, value in values.items():
        first_calls.setdefault(value, call)
    order = [*first_calls.values(), *values]
    tested_calls = list(dict.fromkeys(order))[:_MOST_TESTED]
    return {call: values[call] for call in tested_calls}


def _task(task_id: str, source: TaskSource, values: Mapping[str, str]) -> MadeTask:
    function = source.function
    lines = [f"from answer import {function.name}", ""]
    names = []
    for number, (call, value) in enumerate(values.items(), start=1):
        names.append(f"test_{number}")
        call_text = f"{function.name}({call})"
        assertion = f"    assert {call_text} == {value}"
        lines += ["", f"def test_{number}():", assertion, ""]
    tests = f"test_{task_id}.py"
    node_ids = tuple(f"{tests}::{name}" for name in names)
    check = PytestCheck(tests=tests, node_ids=node_ids)
    instruction = f"Answer with Python code that defines `{function.name}`."
    first_document = next(iter(source.documents))
    task = RelevanceTask(
        id=task_id,
        query=function.sentence,
        instruction=instruction,
        check=check,
        seeded=tuple(source.documents),
        gold=function.source,
        asked_of=first_document,
    )
    return MadeTask(task, "\n".join(lines), node_ids)
