"""The offline Author on a small code base of its own."""

import textwrap
from pathlib import Path

import pytest

from goldwright.agents.roles import AuthorWork
from goldwright.offline_agents.author import OfflineAuthor
from goldwright.plan import Cell
from goldwright.records import CandidateDraft, QueryCandidate
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.snapshot.identifier_leaks import leaked_identifiers
from goldwright.task_types import TASK_TYPE_DEFINITIONS

PHRASINGS = {
    pattern: texts
    for definition in TASK_TYPE_DEFINITIONS
    for pattern, texts in definition.phrasings.items()
}
EXPECTATIONS = {
    text: task_type
    for definition in TASK_TYPE_DEFINITIONS
    for text, task_type in definition.expectations.items()
}

ASKS = ((Cell("locate", "easy"), 3), (Cell("debug", "easy"), 2), (Cell("explain", "medium"), 2))

SHOP = '''
    """Orders of a shop."""

    def compute_invoice_total(order, rate):
        """Compute the invoice total of an order with its sales tax.

        Adds every line of the order.
        """
        # Skip lines that were cancelled by the customer
        lines = open_lines(order)
        total = 0
        for line in lines:
            total += line.price
        if total < 0:
            raise ValueError("the invoice total of an order is negative")
        return apply_sales_tax(total, rate)


    def open_lines(order):
        """Gather the order lines that wait for delivery."""
        found = []
        for line in order:
            if not line.cancelled:
                found.append(line)
        return found


    def apply_sales_tax(total, rate):
        """Apply the sales tax rate to a sum."""
        if rate > 1:
            raise ValueError("the tax rate must be below one")
        tax = total * rate
        return total + tax


    def cancel_stale_baskets(baskets, age):
        """Cancel the baskets that nobody touched for a while."""
        count = 0
        for basket in baskets:
            if basket.age > age:
                basket.cancel()
                count += 1
        return count
'''


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    """A package with one module of four functions."""
    repo = tmp_path / "shop"
    repo.mkdir()
    (repo / "orders.py").write_text(textwrap.dedent(SHOP))
    return open_snapshot(repo, rev=None, cache=tmp_path / "cache")


def work(seed: int = 1, accepted: tuple[QueryCandidate, ...] = ()) -> AuthorWork:
    """One piece of work of a round over three cells."""
    return AuthorWork(ASKS[0][0], 3, 0, ASKS, accepted, seed)


def written(snapshot: Snapshot, seed: int = 1) -> list[CandidateDraft]:
    """All drafts of a round."""
    return [
        draft for drafts in OfflineAuthor(snapshot).agenda(work(seed)).values() for draft in drafts
    ]


def test_the_same_seed_gives_the_same_queries_and_another_seed_others(snapshot: Snapshot) -> None:
    """The agenda is a function of the snapshot and the seed."""
    assert written(snapshot, 1) == written(snapshot, 1)
    assert {draft.query_text for draft in written(snapshot, 1)} != {
        draft.query_text for draft in written(snapshot, 2)
    }


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_no_query_gives_its_target_away_and_every_target_resolves(
    snapshot: Snapshot, seed: int
) -> None:
    """What the screen would reject is not written."""
    for draft in written(snapshot, seed):
        assert leaked_identifiers(draft.query_text, draft.target_entity_ids) == ()
        assert all(snapshot.entity(target) is not None for target in draft.target_entity_ids)


def test_an_easy_bug_report_quotes_the_message_as_the_developer_wrote_it(
    snapshot: Snapshot,
) -> None:
    """The words in quotes are those of the raise."""
    cell = Cell("debug", "easy")
    drafts = OfflineAuthor(snapshot).agenda(AuthorWork(cell, 2, 0, ((cell, 2),), (), 1))[cell]
    assert drafts
    messages = ("the invoice total of an order is negative", "the tax rate must be below one")
    assert all(any(f'"{message}"' in draft.query_text for message in messages) for draft in drafts)


def test_a_small_code_base_gets_fewer_queries_rather_than_padding(snapshot: Snapshot) -> None:
    """No single-target query repeats the target of another."""
    drafts = written(snapshot)
    singles = [draft.target_entity_ids for draft in drafts if len(draft.target_entity_ids) == 1]
    assert len(singles) == len(set(singles))
    assert len(drafts) < sum(count for _, count in ASKS) + 1


def test_a_medium_query_says_why_it_is_medium(snapshot: Snapshot) -> None:
    """Without a rationale the record would be incomplete."""
    for draft in OfflineAuthor(snapshot).agenda(work())[Cell("explain", "medium")]:
        assert draft.difficulty_rationale


def test_there_are_a_dozen_ways_to_ask_each_common_question() -> None:
    """The main tables are wide enough for a batch; every general phrasing expects a misrouting."""
    main = (
        "locate",
        "explain",
        "explain_flow",
        "debug_message",
        "debug_symptom",
        "extend_family",
        "extend_option",
        "review_swallow",
    )
    assert all(len(PHRASINGS[pattern]) >= 12 for pattern in main)
    general = [
        text
        for pattern, texts in PHRASINGS.items()
        if pattern.startswith("general")
        for text in texts
    ]
    assert set(general) <= set(EXPECTATIONS)
