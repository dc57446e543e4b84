"""Easier words than those of the grammar are taken out again without a loss."""

import pytest

from goldwright.offline_agents.prose.prose_paraphrases import (
    as_spoken,
    in_grammar,
    with_each,
    without_each,
)
from goldwright.offline_agents.prose.prose_reading import read_narrative
from goldwright.offline_agents.statements.defined_in import DefinedIn
from goldwright.offline_agents.statements.only_callers import OnlyCallers
from goldwright.offline_agents.statements.returned import Returned
from goldwright.path_conditions import Condition

CALLERS = "`pay` and `rent` call `take` in `till.py`; no other product code does."


@pytest.mark.parametrize(
    ("sentence", "spoken"),
    [
        (
            "`pay` logs “no change” as `warning` when `coin` is `None`.",
            "`pay` logs “no change” at `warning` level when `coin` is `None`.",
        ),
        (
            "`pay` logs “no change” as `exception`.",
            "`pay` logs “no change” with the traceback.",
        ),
        (
            "`pay` returns `coin` for each `coin` in `purse`, when `coin` is in `till`.",
            "`pay` returns `coin` for the first `coin` in `purse` for which `coin` is in `till`.",
        ),
        (
            "`pay` raises `PayError` (“no change”) for each `coin` in `purse`.",
            "`pay` raises `PayError` (“no change”) for the first `coin` in `purse`.",
        ),
        (
            "`pay` raises `E` when `till` is `None`, for each `coin` in `purse`, unless `x`.",
            "`pay` raises `E` when `till` is `None`, in the loop `for coin in purse`, unless `x`.",
        ),
        (
            "In product code only `pay` calls `Till.__init__`, as `Till(1)`.",
            "In product code only `pay` instantiates `Till`, as `Till(1)`.",
        ),
        (
            "Only `pay` calls `Till.__init__` and `Purse.__init__` and only `rent` calls `lend`.",
            "Only `pay` instantiates `Till` and `Purse` and only `rent` calls `lend`.",
        ),
    ],
)
def test_a_sentence_is_spoken_and_read_back(sentence: str, spoken: str) -> None:
    assert as_spoken(sentence, {"Till", "Purse"}) == spoken
    assert in_grammar(spoken) == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "`pay` calls `count(coin)` for each `coin` in `purse`.",
        # Of two loops nobody would know which item is the first.
        "`pay` returns `coin` for each `purse` in `purses`, for each `coin` in `purse`.",
        "`pay` logs “who returns” as `level` for each `coin` in `purse`.",
        "`pay` calls `Purse.__init__`.",
        # Of two, one is only called: it is not said that objects of it are made.
        "`pay` calls `Till.__init__` and `Purse.__init__`.",
        "`pay` calls `Till.__init__` and `lend`.",
    ],
)
def test_what_would_be_wrong_or_is_unknown_stays(sentence: str) -> None:
    assert as_spoken(sentence, {"Till"}) == sentence


@pytest.mark.parametrize("count", [2, 3])
def test_all_callers_that_were_named_are_each_of_them(count: int) -> None:
    callers = "`pay` and `rent`" if count == 2 else "`pay`, `lend` and `rent`"
    before = CALLERS.replace("`pay` and `rent`", callers)
    sentence = f"{callers} call `take` as `take(coin)`."
    spoken = with_each(sentence, before)
    assert spoken.startswith("Both call it as" if count == 2 else "Each of them calls it as")
    assert without_each(spoken, before) == sentence


def test_some_of_the_callers_are_not_each_of_them() -> None:
    sentence = "`pay` and `lend` call `take` as `take(coin)`."
    assert with_each(sentence, CALLERS) == sentence


def test_a_narrative_in_easy_words_states_what_it_did() -> None:
    narrative = (
        "In product code only `pay` (`till.py`) instantiates `Till`. `pay` returns `coin` for the "
        "first `coin` in `purse` for which `coin.is_new` is truthy."
    )
    path = (Condition("for", "purse", "coin"), Condition("if", "coin.is_new"))
    assert [statement for _, statement in read_narrative(narrative)] == [
        DefinedIn("pay", "till.py"),
        OnlyCallers("Till.__init__", ("pay",)),
        Returned("pay", "coin", path),
    ]
