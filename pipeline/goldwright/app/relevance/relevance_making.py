"""Making a registry of tasks from a codebase's own functions."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import yaml

from goldwright.app.environment import Environment
from goldwright.atomic_files import replace_file
from goldwright.engine.progress import Progress
from goldwright.errors import InputError
from goldwright.relevance.plain_functions import plain_functions
from goldwright.relevance.task_inputs import literal_calls
from goldwright.relevance.task_making import MadeTask, TaskMaker, TaskSource
from goldwright.relevance.tasks import RelevanceTask
from goldwright.retrieval.entity_documents import documents
from goldwright.sandbox.detection import find_layer
from goldwright.sandbox.layers import NO_LAYER, Layer
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.snapshot.entities import entity_id
from goldwright.snapshot.product_code import product_code_among
from goldwright.text import counted

REGISTRY_FILE: Final = "tasks.yaml"
# Functions tried before it is looked whether there are tasks enough: the outcome must not depend on
# which of them happened to end first.
_BATCH: Final = 8


@dataclass(frozen=True, slots=True)
class MakingRequest:
    """What a user asks.

    Attributes:
        repo: The codebase.
        out: A directory for the registry and its tests; it must be new or empty.
        rev: The commit; HEAD where there is none.
        tasks: How many are wanted at most.
        seed: Chooses among the functions.
        workers: How many functions are tried at a time.
        allows_no_sandbox: Whether code may run without a sandbox where none works.
    """

    repo: Path
    out: Path
    rev: str | None = None
    tasks: int = 10
    seed: int = 0
    workers: int = 2
    allows_no_sandbox: bool = False


@dataclass(frozen=True, slots=True)
class MakingResult:
    """What came of it.

    Attributes:
        tasks: Those made, in the order of the registry.
        tried: How many functions were tried.
        attrition: By reason, how many of them made no task.
        sandbox: How their code was confined.
    """

    tasks: tuple[RelevanceTask, ...]
    tried: int
    attrition: Mapping[str, int]
    sandbox: str


def make_tasks(
    request: MakingRequest, environment: Environment, progress: Progress
) -> MakingResult:
    """Make tasks, and write their registry and tests.

    Raises:
        InputError: The codebase cannot be read, `out` is not empty, no sandbox works, or no
            function makes a task.
    """
    _check_out(request.out)
    layer = _find_layer(request)
    progress.phase("reading the codebase")
    snapshot = open_snapshot(request.repo, rev=request.rev, cache=environment.cache)
    sources = task_sources(snapshot)
    Random(request.seed).shuffle(sources)  # noqa: S311  # chooses functions, no secret
    with TemporaryDirectory(prefix="goldwright-tasks-") as scratch:
        maker = TaskMaker(layer, Path(scratch).resolve())
        made_tasks, tried = _make(maker, sources, request, progress)
    if not made_tasks:
        problem = _nothing_made(tried, maker.attrition)
        raise InputError(f"{request.repo}: {problem}")
    _write(request.out, made_tasks)
    tasks = tuple(task.task for task in made_tasks)
    return MakingResult(tasks, tried, dict(maker.attrition), layer.name)


def task_sources(snapshot: Snapshot) -> list[TaskSource]:
    """Find the functions of a codebase of which tasks may be made, in the order of its files.

    A name that stands at several places makes no task: the question names one function.
    """
    texts = {document.entity_id: document.text for document in documents(snapshot)}
    readable_files = list(_readable(snapshot))
    readable_texts = (snapshot.source(path).text for path in readable_files)
    calls = literal_calls(readable_texts)
    sources = []
    for path in product_code_among(snapshot, readable_files):
        for function in plain_functions(snapshot.source(path).text):
            names = (function.name, *function.helpers)
            ids = [entity_id(path, name) for name in names]
            is_unique = all(_is_unique(name, snapshot) for name in names)
            if is_unique and all(document_id in texts for document_id in ids):
                pool = {document_id: texts[document_id] for document_id in ids}
                calls_of_function = calls.get(function.name, ())
                sources.append(TaskSource(function, pool, calls_of_function))
    return sources


def _readable(snapshot: Snapshot) -> Iterator[str]:
    for path in snapshot.source_files:
        if path not in snapshot.unparsed:
            yield path


def _check_out(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out}: is there already; name a new directory")


def _find_layer(request: MakingRequest) -> Layer:
    try:
        return find_layer()
    except InputError:
        if request.allows_no_sandbox:
            return NO_LAYER
        raise


def _is_unique(name: str, snapshot: Snapshot) -> bool:
    """Find out whether one entity alone has a name."""
    return len(snapshot.named(name)) == 1


def _make(
    maker: TaskMaker, sources: Sequence[TaskSource], request: MakingRequest, progress: Progress
) -> tuple[list[MadeTask], int]:
    made_tasks: list[MadeTask] = []
    tried = 0
    with ThreadPoolExecutor(request.workers) as executor:
        while len(made_tasks) < request.tasks and tried < len(sources):
            counted_tasks = counted(len(made_tasks), "task")
            tried_share = f"{tried} of {len(sources)} functions"
            progress.phase(f"{counted_tasks} made; {tried_share} tried")
            batch = sources[tried : tried + _BATCH]
            outcomes = executor.map(partial(_make_one, maker), batch)
            made_tasks += filter(None, outcomes)
            tried += len(batch)
    return made_tasks[: request.tasks], tried


def _make_one(maker: TaskMaker, source: TaskSource) -> MadeTask | None:
    first_document = next(iter(source.documents))
    path, _, _ = first_document.partition("::")
    stem = re.sub(r"\W+", "_", path.removesuffix(".py"))
    task_id = f"{stem}_{source.function.name}"
    return maker.make(task_id, source)


def _nothing_made(tried: int, attrition: Counter[str]) -> str:
    reasons = [f"{count} {reason}" for reason, count in attrition.most_common()]
    sentence = f"no task could be made of {tried} functions"
    if not reasons:
        return sentence
    joint_reasons = "; ".join(reasons)
    return f"{sentence}: {joint_reasons}"


def _write(out: Path, made_tasks: Sequence[MadeTask]) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out}: cannot be made: {error.strerror}") from error
    for task in made_tasks:
        tests_name = f"test_{task.task.id}.py"
        replace_file(out / tests_name, task.tests.encode())
    fields = [task.task.model_dump(mode="json", exclude_defaults=True) for task in made_tasks]
    for task_fields, task in zip(fields, made_tasks, strict=True):
        # The kind is a default of the check, and what tells checks apart.
        task_fields["check"] = task.task.check.model_dump(mode="json")
    text = yaml.safe_dump({"tasks": fields}, sort_keys=False, allow_unicode=True, width=100)
    # The registry comes last: with it, everything it names is there.
    replace_file(out / REGISTRY_FILE, text.encode())
