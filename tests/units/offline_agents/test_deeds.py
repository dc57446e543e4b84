"""What a function is for, said in the third person; and tables of words that are words."""

import re
from typing import get_args

import pytest

from goldwright.code_reading.modules import open_module
from goldwright.offline_agents.inquiries import deeds
from goldwright.offline_agents.inquiries.catalog import BY_KIND
from goldwright.offline_agents.inquiries.deeds import MOST_WORDS, deed_of
from goldwright.records import IntentKind
from units.code_reading.sources import PATH, CodeInMemory


def deed(docstring: str) -> str:
    code = CodeInMemory({PATH: f'def work():\n    """{docstring}"""\n'})
    assert open_module(code, PATH) is not None
    return deed_of(code, f"{PATH}::work")


@pytest.mark.parametrize(
    ("docstring", "spoken"),
    [
        ("Return the price of a full basket.", "returns the price of a full basket"),
        ("Returns the price of a full basket", "returns the price of a full basket"),
        ("Calculate the price of a full basket: all of it", "works out the price of a full basket"),
        ("Check this price of a full basket, if any", "checks the price of a full basket"),
        ("Check this price of a full basket when asked", "checks the price of a full basket"),
        ("Remove the price of a full basket\n\nSlowly.", "removes the price of a full basket"),
        ("Send letters of old customers", "sends letters of old customers"),
        (
            "Verify that the price of a full basket holds",
            "checks that the price of a full basket holds",
        ),
        # In other words than its author's, and without the details of how it is done.
        (
            "Check whether the basket of a customer is full",
            "finds out whether the basket of a customer is full",
        ),
        (
            "Convert the price of a basket to a sum in cents",
            "turns the price of a basket into a sum",
        ),
        ("Add the price of a full basket based on settings", "adds the price of a full basket"),
        ("Get the full name of the customer for a key", "fetches the full name of the customer"),
        (
            "Convert the price of a basket into one to add",
            "converts the price of a basket into one to add",
        ),
        # What would be left says too little, or breaks off.
        ("Get the name for a full basket", "fetches the name for a full basket"),
        (
            "Set the default prices options used by old baskets",
            "sets the default prices options used by old baskets",
        ),
        ("Close the basket and release the old price", ""),
        # No verb that is known, no plain English, too short or too long.
        ("Basket of the old price of goods", ""),
        ("Return the priceOf a basket of goods", ""),
        ("Return the `price` of a basket of goods", ""),
        ("Return the price", ""),
        ("Return the price of this", ""),
        ("Return the price of 3 baskets", ""),
        (f"Return the price of a basket {'full ' * MOST_WORDS}", ""),
        # Two deeds, or what may be two.
        ("Return the price and remove the old basket", ""),
        ("Remove the basket and report the old price", ""),
        ("Return the price or the old basket", ""),
        ("Return and remove the old basket price", ""),
        ("Return the price or not of old baskets", "returns the price or not of old baskets"),
        # The clause that is left out belongs to its last word.
        ("Find the price of a full basket to which others refer", ""),
        # A note without articles.
        ("Return price of old basket", ""),
        ("Return the old price from request", ""),
        ("Return glass of old basket wine", ""),
    ],
)
def test_a_docstring_becomes_a_deed_or_nothing(docstring: str, spoken: str) -> None:
    assert deed(docstring) == spoken


def test_verbs_are_known_as_they_stand_and_spoken_in_the_third_person() -> None:
    """What a table says of one verb twice, it says alike."""
    table = deeds._THIRD_PERSON  # the table is what the law is about
    for verb, spoken in table.items():
        assert re.fullmatch(r"[a-z]+", verb), verb
        assert re.fullmatch(r"[a-z]+s( up| down| in| out| on)?", spoken), spoken
        assert table.get(spoken, spoken) == spoken, verb


# Of these the other verb says what is meant.
SYNONYMS = frozenset(
    """
    calculate construct create display execute fetch invoke invokes obtain retrieve setup verify
    """.split()
)


def test_a_verb_keeps_its_stem_unless_another_says_it_better() -> None:
    table = deeds._THIRD_PERSON  # the table is what the law is about
    changed = {verb for verb, spoken in table.items() if verb[:3] != spoken[:3]}
    assert changed <= SYNONYMS


def test_kinds_of_questions_are_named_as_records_name_them() -> None:
    assert set(BY_KIND) <= set(get_args(IntentKind))


def test_what_makes_an_object_is_no_function_that_does_something() -> None:
    docstring = '"""Open the old letters of a customer."""'
    code = CodeInMemory({PATH: f"class Log:\n    def __init__(self):\n        {docstring}\n"})
    assert open_module(code, PATH) is not None
    assert deed_of(code, f"{PATH}::Log.__init__") == ""


def test_a_second_verb_would_stay_in_its_imperative() -> None:
    assert deed("Open the old letters of a customer") == "opens the old letters of a customer"
    assert deed("Open the old letters of a customer and use them as the log") == ""
