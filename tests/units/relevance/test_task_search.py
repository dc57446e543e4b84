"""A task's trials: contexts of one length, and a search that goes on where a log ends."""

import asyncio

import pytest

from goldwright.errors import DamagedStateError
from goldwright.relevance.adaptive_design import DesignSettings
from goldwright.relevance.contexts import PoolDocument, build_pool, render_context
from goldwright.relevance.solvers import ExtractiveSolver
from goldwright.relevance.task_search import TaskSearch, TrialRecord

_POOL = [
    PoolDocument(f"pkg/m.py::f{n}", f"def f{n}():\n    return {n}\n", "random") for n in range(8)
]
_RELEVANT = "pkg/m.py::f3"


def _search(*, seed: int = 1) -> TaskSearch:
    return TaskSearch("task", _POOL, DesignSettings(), seed)


def _play(search: TaskSearch, most: int = 1000) -> list[TrialRecord]:
    played: list[TrialRecord] = []
    while len(played) < most and (trial := search.next_trial()):
        is_shown = any(
            document.document_id == _RELEVANT
            for document, shown in zip(_POOL, trial.included, strict=True)
            if shown
        )
        played.append(search.record(trial, "passed" if is_shown else "failed"))
    return played


@pytest.mark.parametrize("stopped_after", [0, 1, 5, 12])
def test_a_search_goes_on_where_the_log_ends(stopped_after: int) -> None:
    whole = _play(_search())
    resumed = _search()
    resumed.replay(whole[:stopped_after])
    assert whole[:stopped_after] + _play(resumed) == whole


def test_a_log_of_another_search_is_refused() -> None:
    log = _play(_search(seed=1), most=6)
    with pytest.raises(DamagedStateError, match="is none of this pool, seed and settings"):
        _search(seed=2).replay(log)


def test_a_trial_without_an_outcome_does_not_count_as_passed() -> None:
    search = _search()
    trial = search.next_trial()
    assert trial is not None
    assert search.record(trial, "none", "the solver did not answer").outcome == "none"
    assert search.design.trials == 1


def test_every_context_of_a_pool_is_equally_long() -> None:
    lengths = {
        len(render_context(_POOL, [bool(mask >> n & 1) for n in range(8)], seed=mask))
        for mask in range(0, 256, 5)
    }
    assert len(lengths) == 1


def test_a_context_names_no_document() -> None:
    shown = render_context(_POOL, [True] * 8, seed=0)
    assert not any(document.document_id in shown for document in _POOL)
    assert render_context(_POOL, [True] * 8, seed=1) != shown


def test_a_pool_holds_each_document_once_and_hides_where_it_came_from() -> None:
    seeded = [PoolDocument("a", "x", "seeded")]
    random = [PoolDocument(name, "x", "random") for name in "abcdefgh"]
    pools = [build_pool(seeded, [], random, seed=seed) for seed in range(20)]
    assert all(len(pool) == 8 for pool in pools)
    assert len({[document.document_id for document in pool].index("a") for pool in pools}) > 3


def _answer(query: str, *texts: str) -> str:
    pool = [PoolDocument(str(number), text, "random") for number, text in enumerate(texts)]
    context = render_context(pool, [True] * len(pool), seed=0)
    return asyncio.run(ExtractiveSolver().solve(query, context, seed=0)).answer


def test_the_extractive_solver_returns_what_is_asked_for_with_what_that_needs() -> None:
    answer = _answer(
        "Write `pad`.",
        "pad\npkg/m.py\ndef pad(text):\n    return _fill(re.sub('a', 'b', text))",
        "_fill\npkg/m.py\ndef _fill(text):\n    return text * 2",
        "unused\npkg/m.py\ndef unused():\n    return 1",
    )
    scope: dict[str, object] = {}
    exec(answer, scope)  # noqa: S102  # code of this test
    assert scope["pad"]("ab") == "bbbb"  # type: ignore[operator]
    assert "unused" not in answer


def test_the_extractive_solver_knows_nothing_by_itself() -> None:
    assert _answer("Write `len`.", "# blank") == ""
    assert _answer("Which function sorts?") == ""


def test_the_extractive_solver_names_what_shares_most_words() -> None:
    answer = _answer(
        "Which function sorts entries by their deadline?",
        "Queue.order\npkg/queue.py\ndef order(self):\n    return sorted(entries, key=deadline)",
        "other\npkg/m.py\ndef other():\n    return 1",
    )
    assert answer == "pkg.queue.Queue.order"
