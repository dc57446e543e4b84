"""The pytest plugin: ``pytest --golden DATASET --retriever SPEC``.

It adds a test for every query and every gate of a dataset. Every pytest where this package is
installed loads this module, so it imports nothing of the program; the other modules of the plugin
load once a dataset is named.
"""

import importlib
from collections.abc import Callable
from typing import Any, Final

import pytest

# What each query must reach unless --golden-each says otherwise: an expected entity on the first
# page of ten results.
DEFAULT_EACH: Final = "Hit@10 >= 1"

_SESSION: Final[pytest.StashKey[Any]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("goldwright", "golden datasets for code retrieval")
    _add_target_options(group.addoption)
    _add_rule_options(group.addoption)
    _add_baseline_option(group.addoption)
    _add_run_options(group.addoption)


def pytest_configure(config: pytest.Config) -> None:
    """Read the options; what is wrong with them ends pytest before the first test."""
    has_dataset = config.getoption("--golden") is not None
    retrievers = config.getoption("--retriever") or []
    if len(retrievers) > 1:
        raise pytest.UsageError(
            f"--retriever stands {len(retrievers)} times; a session asks one, and goldwright bench "
            "compares several"
        )
    if retrievers and not has_dataset:
        raise pytest.UsageError("--retriever says whom to ask; --golden DATASET must say what")
    if not has_dataset:
        return
    hooks = importlib.import_module("goldwright.pytest_plugin.hooks")
    config.stash[_SESSION] = hooks.start_session(config)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test that takes ``golden_query`` every query, under its id."""
    if "golden_query" not in metafunc.fixturenames:
        return
    session = metafunc.config.stash.get(_SESSION, None)
    # Without a dataset there is no query, and pytest skips the test.
    queries = session.dataset.queries if session else ()
    # A record of ours says more than its query.
    values = [query.label or query for query in queries]
    ids = [query.query_id for query in queries]
    metafunc.parametrize("golden_query", values, ids=ids, scope="session")


@pytest.fixture(scope="session")
def golden(pytestconfig: pytest.Config) -> Any:
    """The dataset of ``--golden``: ``queries``, ``sha256``, ``description``.

    The test is skipped where no dataset was named.
    """
    return _session(pytestconfig).dataset


@pytest.fixture(scope="session")
def golden_report(pytestconfig: pytest.Config) -> Any:
    """The evaluation of ``--retriever``: ``mean("MRR", task_type="locate")``, ``queries``."""
    return _session(pytestconfig).report_or_fail()


@pytest.fixture(scope="session")
def golden_score(golden_query: Any, golden_report: Any) -> Any:
    """The scores of ``golden_query``: ``values["MRR"]``, ``expected``, ``retrieved``."""
    return golden_report.by_id[golden_query.query_id]


def _add_target_options(add: Callable[..., None]) -> None:
    add(
        "--golden",
        metavar="DATASET",
        help="a dataset in any format: a file, a folder, or a version in golden/ (or latest)",
    )
    add(
        "--retriever",
        metavar="SPEC",
        action="append",
        help="whom to ask: bm25, py:MODULE:CALLABLE … as goldwright eval takes it",
    )
    add(
        "--golden-repo",
        metavar="DIR",
        help="the codebase that the dataset is about [default: the rootdir; none for a dataset "
        "that comes with documents]",
    )
    add("--golden-rev", metavar="REV", help="its commit [default: HEAD]")


def _add_rule_options(add: Callable[..., None]) -> None:
    add(
        "--golden-each",
        metavar="RULE",
        help=f"what each query must reach [default: {DEFAULT_EACH}]",
    )
    add(
        "--golden-gate",
        metavar="RULE",
        action="append",
        default=[],
        help="a further gate: 'locate: MRR >= 0.6'",
    )
    add(
        "--golden-without-gate",
        metavar="NAME",
        action="append",
        default=[],
        help="leave out a gate of the profile",
    )


def _add_baseline_option(add: Callable[..., None]) -> None:
    add(
        "--golden-baseline",
        metavar="FILE",
        help="a baseline of goldwright baseline save: a further gate asks that the retriever is no "
        "worse, and queries that missed their rule in all of its runs are expected to fail",
    )


def _add_run_options(add: Callable[..., None]) -> None:
    add(
        "--golden-timeout",
        metavar="SECONDS",
        type=float,
        help="what one query may take [default: 60]",
    )
    add(
        "--golden-allow-drift",
        action="store_true",
        help="score although cited files changed since, or expected ids name nothing",
    )
    add(
        "--golden-allow-dirty",
        action="store_true",
        help="take the work tree with its uncommitted changes",
    )


def _session(config: pytest.Config) -> Any:
    session = config.stash.get(_SESSION, None)
    if session is None:
        pytest.skip("needs --golden DATASET")
    return session
