"""What the program stands on: Python, git, limits, the terminal, extras, settings and keys."""

import importlib.util
import platform
import resource
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldwright import __version__
from goldwright.app.doctor.findings import HealthFinding, attention, fine, problem, problem_of
from goldwright.app.environment import Environment
from goldwright.app.runs.run_inputs import read_run_inputs
from goldwright.errors import InputError
from goldwright.llm.catalog import PROVIDERS
from goldwright.sandbox.detection import look
from goldwright.sandbox.layers import LAYERS
from goldwright.snapshot.git.git_executable import (
    OLDEST_GIT_FOR_TABLES,
    find_git,
    git_version,
    is_mended,
)

_OLDEST_PYTHON: Final = (3, 11)
# A run holds a few files, a pipe for each worker and one for each request under way.
_FEW_FILES: Final = 256
_TOO_FEW_FILES: Final = 48
_GIGABYTE: Final = 1 << 30
# A worker that parses may take a gigabyte, and so may the run.
_LITTLE_MEMORY: Final = 2 * _GIGABYTE
# What each extra brings; those for the makers of the program are left out.
EXTRAS: Final[Mapping[str, tuple[str, ...]]] = {
    "dense": ("numpy", "sentence_transformers"),
    "mcp": ("mcp",),
    "onnx": ("onnxruntime", "tokenizers"),
    "otel": ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http"),
    "parquet": ("pyarrow",),
    "ray": ("ray",),
    "typescript": ("tree_sitter", "tree_sitter_typescript"),
}


@dataclass(frozen=True, slots=True)
class TerminalFacts:
    """Where the command prints to.

    Attributes:
        is_terminal: Whether stderr is one.
        columns: Its width.
        encoding: The encoding of stdout.
    """

    is_terminal: bool
    columns: int
    encoding: str


def examine_program(
    environment: Environment, terminal: TerminalFacts, config: Path | None = None
) -> Iterator[HealthFinding]:
    """Look at everything that is the same for every codebase; ``config`` as for a run."""
    yield _python()
    yield _git()
    yield from _limits()
    yield _terminal(terminal)
    yield from _sandboxes()
    for extra, modules in EXTRAS.items():
        yield _extra(extra, modules)
    yield from _keys(environment.variables)
    yield _settings(environment, config)


def _python() -> HealthFinding:
    implementation = platform.python_implementation()
    text = f"goldwright {__version__} on {implementation} "
    text += platform.python_version()
    if sys.version_info < _OLDEST_PYTHON:
        return problem("python", text, "install Python 3.11 or newer")
    return fine("python", text)


def _git() -> HealthFinding:
    try:
        executable = find_git()
        version = git_version()
    except InputError as error:
        return problem_of("git", error)
    version_text = ".".join(map(str, version))
    text = f"{version_text} at {executable}; reads SHA-1 and SHA-256"
    if version[:2] < OLDEST_GIT_FOR_TABLES:
        text += ", and no repository that keeps its refs in tables (reftable: 2.45)"
    # Distributions mend older releases without another number: worth a look, and no problem.
    if not is_mended(version):
        return attention(
            "git",
            text,
            "as released it has known faults in reading repositories that nobody trusts; your "
            "system's security updates mend them, and so does a newer release",
        )
    return fine("git", text)


def _limits() -> Iterator[HealthFinding]:
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    text = _limit_text(files, "open files")
    if files != resource.RLIM_INFINITY and files < _TOO_FEW_FILES:
        yield problem("open files", text, "raise it: ulimit -n 1024")
    elif files != resource.RLIM_INFINITY and files < _FEW_FILES:
        yield attention("open files", text, "raise it: ulimit -n 1024")
    else:
        yield fine("open files", text)
    for topic, kind, least in (
        ("memory", resource.RLIMIT_AS, _LITTLE_MEMORY),
        ("file size", resource.RLIMIT_FSIZE, _GIGABYTE),
    ):
        limit, _ = resource.getrlimit(kind)
        if limit == resource.RLIM_INFINITY or limit >= least:
            yield fine(topic, _limit_text(limit, "bytes"))
        else:
            yield attention(topic, _limit_text(limit, "bytes"), "a large codebase needs more")
    yield _worker_limits()


def _worker_limits() -> HealthFinding:
    """Say whether a worker can be held to limits, so that a file harms nothing but itself."""
    missing = [name for name in ("RLIMIT_AS", "RLIMIT_CPU") if not hasattr(resource, name)]
    if missing:
        missing_limits = ", ".join(missing)
        return attention("workers", f"cannot be held to {missing_limits} on this system")
    return fine("workers", "can be held to limits of time and memory")


def _sandboxes() -> Iterator[HealthFinding]:
    """Say which ways of confining unread code work, strongest first; one of them is enough."""
    faults = [(layer, look(layer)) for layer in LAYERS]
    is_any = any(fault is None for _, fault in faults)
    for layer, fault in faults:
        if fault is None:
            yield fine(layer.name, "a sandbox that works here")
        elif is_any:
            yield fine(layer.name, f"a sandbox that does not work here: {fault.reason}")
        else:
            remedy = "goldwright relevance wants one of them for tasks whose answers are code"
            text = f"a sandbox that does not work here: {fault.reason}"
            yield attention(layer.name, text, remedy)


def _limit_text(limit: int, unit: str) -> str:
    if limit == resource.RLIM_INFINITY:
        return "without a limit"
    return f"at most {limit:,} {unit}"


def _terminal(terminal: TerminalFacts) -> HealthFinding:
    place = "no terminal"
    if terminal.is_terminal:
        place = f"a terminal of {terminal.columns} columns"
    text = f"{place}, {terminal.encoding}"
    if terminal.encoding.lower().replace("-", "") != "utf8":
        return attention("output", text, "set PYTHONUTF8=1, so that all names can be printed")
    return fine("output", text)


def _extra(extra: str, modules: tuple[str, ...]) -> HealthFinding:
    topic = f"extra {extra}"
    missing = [module for module in modules if not _is_installed(module)]
    if missing:
        return fine(topic, f"not installed (pip install 'goldwright[{extra}]')")
    return fine(topic, "installed")


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        # The package around it is missing as well.
        return False


def _keys(variables: Mapping[str, str]) -> Iterator[HealthFinding]:
    """Say which keys there are; nothing of a key is ever printed."""
    for provider, definition in PROVIDERS.items():
        topic, names = f"key {provider}", definition.key_variables
        present = [name for name in names if variables.get(name)]
        if not present:
            choices = " or ".join(names)
            yield fine(topic, f"none ({choices})")
            continue
        first_name = present[0]
        key = variables[first_name]
        if key.strip() != key:
            yield attention(topic, f"{first_name} begins or ends with a space", "set it again")
        else:
            yield fine(topic, f"{first_name} is set")


def _settings(environment: Environment, config: Path | None) -> HealthFinding:
    try:
        inputs = read_run_inputs(config, environment, needs_keys=True)
    except InputError as error:
        return problem_of("settings", error)
    if not inputs.config_path:
        return fine("settings", "none (goldwright.toml); all roles are played offline")
    roles = inputs.model_setup.role_models
    if not roles:
        return fine("settings", f"{inputs.config_path}; all roles are played offline")
    role_texts = [f"{role}: {model.name}" for role, model in roles.items()]
    models = ", ".join(role_texts)
    return fine("settings", f"{inputs.config_path}; {models}")
