"""The pytest plugin: ``pytest --golden DATASET --retriever SPEC``, a test for every query and every
gate.

Every pytest where this package is installed loads this module, so it imports nothing of the
program; the rest of the plugin loads once it is asked for.
"""

import importlib
from typing import Any, Final

import pytest

EACH: Final = "Hit@10 >= 1"
_PLAN: Final[pytest.StashKey[Any]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    add = parser.getgroup("goldwright", "golden datasets for code retrieval").addoption
    add(
        "--golden",
        metavar="DATASET",
        help="a golden dataset: a file, or a version in golden/ (or latest)",
    )
    add(
        "--retriever",
        metavar="SPEC",
        help="whom to ask: bm25, py:MODULE:CALLABLE … as goldwright eval takes it",
    )
    add(
        "--golden-repo",
        metavar="DIR",
        help="the codebase that the dataset is about [default: the rootdir]",
    )
    add("--golden-rev", metavar="REV", help="its commit [default: HEAD]")
    add(
        "--golden-each",
        metavar="RULE",
        default=EACH,
        help="what each query must reach [default: %(default)s]",
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
    add(
        "--golden-timeout",
        metavar="SECONDS",
        type=float,
        default=60.0,
        help="what one query may take [default: 60]",
    )
    add(
        "--golden-allow-drift", action="store_true", help="score although cited files changed since"
    )
    add(
        "--golden-allow-dirty",
        action="store_true",
        help="take the work tree with its uncommitted changes",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Read what was asked for; what is wrong with it ends pytest before the first test."""
    if config.getoption("--golden") is not None:
        if config.getoption("--retriever") is None:
            raise pytest.UsageError("--golden says what to ask; --retriever SPEC must say whom")
        config.stash[_PLAN] = importlib.import_module("goldwright.pytest_plugin.session").begin(
            config
        )
    elif config.getoption("--retriever") is not None:
        raise pytest.UsageError("--retriever says whom to ask; --golden DATASET must say what")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test that takes ``golden_query`` every query, under its id."""
    if "golden_query" in metafunc.fixturenames:
        plan = metafunc.config.stash.get(_PLAN, None)
        labels = plan.dataset.labels if plan else ()
        metafunc.parametrize(
            "golden_query", labels, ids=[one.query_id for one in labels], scope="session"
        )


@pytest.fixture(scope="session")
def golden(pytestconfig: pytest.Config) -> Any:
    """The dataset of ``--golden``: ``labels``, ``sha256``, ``taken``; the test is skipped where
    none was given.
    """
    return _plan(pytestconfig).dataset


@pytest.fixture(scope="session")
def golden_report(pytestconfig: pytest.Config) -> Any:
    """What the retriever of ``--retriever`` came to on it: ``mean("MRR", task_type="locate")``,
    ``queries``.
    """
    return _plan(pytestconfig).report_or_fail()


@pytest.fixture(scope="session")
def golden_score(golden_query: Any, golden_report: Any) -> Any:
    """What the query of ``golden_query`` came to: ``values["MRR"]``, ``expected``, ``retrieved``."""
    return golden_report.by_id[golden_query.query_id]


def _plan(config: pytest.Config) -> Any:
    plan = config.stash.get(_PLAN, None)
    if plan is None:
        pytest.skip("needs --golden DATASET")
    return plan
