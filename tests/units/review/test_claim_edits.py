"""Changing one claim: what a field holds afterwards, and that lines follow their facts."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.errors import InputError
from goldwright.records import AnswerDraft, FactCitation, FileRange
from goldwright.review.claim_edits import edit_claim
from goldwright.stages.gate.examples import ANSWER

PLACE = FileRange(file="shop/prices.py", start=4, end=5)
KINDS = {"fact": "must_mention_facts", "not-fact": "must_not_mention_facts"}
Lines = tuple[str, int, int]
Facts = tuple[tuple[str, tuple[Lines, ...]], ...]


def an_answer(facts: Facts, falsehoods: Facts) -> AnswerDraft:
    """Make an answer of facts, each with the lines that bear it."""
    citations = [
        FactCitation(claim_id=f"{kind}-{number}", file=file, start=start, end=end)
        for kind, rows in (("fact", facts), ("not-fact", falsehoods))
        for number, (_, lines) in enumerate(rows, start=1)
        for file, start, end in lines
    ]
    changed = {
        "must_mention_facts": tuple(text for text, _ in facts),
        "must_not_mention_facts": tuple(text for text, _ in falsehoods),
        "fact_citations": tuple(citations),
    }
    return ANSWER.model_copy(update=changed)


def rows_of(answer: AnswerDraft, kind: str) -> Facts:
    """Read the facts of one kind with their lines."""
    texts: tuple[str, ...] = getattr(answer, KINDS[kind])
    return tuple(
        (
            text,
            tuple(
                (c.file, c.start, c.end)
                for c in answer.fact_citations
                if c.claim_id == f"{kind}-{number}"
            ),
        )
        for number, text in enumerate(texts, start=1)
    )


def after(
    answer: AnswerDraft, claim_id: str, text: str, lines: FileRange | None = None
) -> AnswerDraft:
    """Give the answer with a claim changed."""
    change = edit_claim(answer, claim_id, text, lines)
    return answer.model_copy(
        update={change.field: change.after, "fact_citations": change.citations}
    )


places = st.tuples(st.sampled_from(("a.py", "b.py")), st.integers(1, 9), st.integers(10, 19))
rows = st.lists(
    st.tuples(
        st.sampled_from(("one", "two", "two", "three")),
        st.lists(places, min_size=1, max_size=3).map(tuple),
    )
)
facts_of = rows.map(tuple)


@given(facts_of, facts_of, st.sampled_from(("fact", "not-fact")), st.data())
def test_a_change_of_one_fact_leaves_every_other_one_with_its_lines(
    facts: Facts, falsehoods: Facts, kind: str, data: st.DataObject
) -> None:
    answer = an_answer(facts, falsehoods)
    own, other = (facts, falsehoods) if kind == "fact" else (falsehoods, facts)
    if not own:
        return
    number = data.draw(st.integers(1, len(own)))
    kept = own[number - 1][1]
    reworded = after(answer, f"{kind}-{number}", "  said better ")
    removed = after(answer, f"{kind}-{number}", " \n ")
    moved = after(answer, f"{kind}-{number}", "said better", PLACE)
    assert rows_of(reworded, kind) == (*own[: number - 1], ("said better", kept), *own[number:])
    assert rows_of(removed, kind) == (*own[: number - 1], *own[number:])
    assert rows_of(moved, kind)[number - 1] == ("said better", (("shop/prices.py", 4, 5),))
    for changed in (reworded, removed, moved):
        assert rows_of(changed, "not-fact" if kind == "fact" else "fact") == other
        assert len(changed.fact_citations) == sum(
            len(lines) for found in KINDS for _, lines in rows_of(changed, found)
        )


@given(facts_of, facts_of, st.sampled_from(("fact", "not-fact")))
def test_one_more_fact_comes_last_with_its_lines(
    facts: Facts, falsehoods: Facts, kind: str
) -> None:
    answer = an_answer(facts, falsehoods)
    more = after(answer, f"{kind}-new", "one more", PLACE)
    own, other = (facts, falsehoods) if kind == "fact" else (falsehoods, facts)
    assert rows_of(more, kind) == (*own, ("one more", (("shop/prices.py", 4, 5),)))
    assert rows_of(more, "not-fact" if kind == "fact" else "fact") == other
    assert rows_of(after(more, f"{kind}-{len(own) + 1}", ""), kind) == own


def test_taking_the_middle_fact_out_moves_the_lines_of_the_last_one_up() -> None:
    changed = edit_claim(ANSWER, "fact-2", "", None)
    assert changed.after == (
        "The amount is one when the caller gives none.",
        "A pair of article and amount is appended to the list.",
    )
    assert [(one.claim_id, one.start) for one in changed.citations] == [
        ("fact-1", 9),
        ("fact-2", 12),
        ("not-fact-1", 9),
    ]


def test_the_order_of_the_lines_is_that_of_the_claims() -> None:
    for claim_id in ("fact-2", "not-fact-1", "fact-new", "not-fact-new"):
        found = edit_claim(ANSWER, claim_id, "Something else.", PLACE).citations
        ids = [one.claim_id for one in found]
        assert ids == sorted(ids)
        assert Counter(ids).most_common(1)[0][1] == 1


def test_the_narrative_is_changed_without_touching_a_line() -> None:
    changed = edit_claim(ANSWER, "narrative", " Another text.\n", None)
    assert (changed.field, changed.after, changed.citations) == (
        "canonical_narrative",
        "Another text.",
        ANSWER.fact_citations,
    )


@pytest.mark.parametrize(
    "claim_id",
    ["fact-0", "fact-4", "fact-", "fact--1", "fact-x", "fact-1.0", "fact-²", "not-fact-2",
     "entity-1", "file-1", "range-1", "fact", "", "new", "-new", "narrative-1", "not-narrative"],
)  # fmt: skip
def test_a_claim_that_is_not_there_cannot_be_changed(claim_id: str) -> None:
    with pytest.raises(InputError):
        edit_claim(ANSWER, claim_id, "Something else.", PLACE)


@pytest.mark.parametrize("claim_id", ["fact-new", "not-fact-new"])
def test_a_new_fact_without_lines_is_refused(claim_id: str) -> None:
    with pytest.raises(InputError, match="name the lines that support it"):
        edit_claim(ANSWER, claim_id, "Something else.", None)


@pytest.mark.parametrize("claim_id", ["fact-new", "not-fact-new"])
def test_a_new_fact_without_text_is_refused(claim_id: str) -> None:
    with pytest.raises(InputError):
        edit_claim(ANSWER, claim_id, "  ", PLACE)
