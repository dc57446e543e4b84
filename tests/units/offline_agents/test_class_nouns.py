"""What people call the objects of a class."""

from pathlib import Path

import pytest

from goldwright.offline_agents.inquiries.class_nouns import (
    common_part,
    has_namesakes,
    is_kind_of_its_own,
    noun_of_class,
    part_of,
    with_article,
)
from goldwright.snapshot import open_snapshot


@pytest.mark.parametrize(
    ("class_id", "noun"),
    [
        ("shop/store.py::BaseFileStore", "file store"),
        # All words of a name would give it away.
        ("shop/store.py::FileStore", "store"),
        ("shop/web.py::SharedHTTPAdapter", "HTTP adapter"),
        # What stands apart is no phrase, and a verb or an adjective no thing.
        ("shop/store.py::FileMetaStore", "store"),
        ("shop/shell.py::ShellComplete", ""),
        ("shop/web.py::Accept", ""),
        ("shop/conf.py::BaseSettings", ""),
        ("shop/conf.py::BaseComparable", ""),
    ],
)
def test_a_class_is_called_by_the_last_words_of_its_name(class_id: str, noun: str) -> None:
    """A noun of one thing, and nothing else."""
    assert noun_of_class(class_id) == noun


@pytest.mark.parametrize(
    ("entity_id", "noun", "part"),
    [
        ("shop/payments/card.py::CardTerminal", "terminal", "shop.payments.card"),
        # Nobody says "a transport for transports".
        ("src/shop/transports/base.py::Transport", "transport", "shop"),
        ("shop/spidermiddlewares/base.py::Base", "middleware", "shop"),
        ("shop/abc.py::AbstractRouter", "router", "shop"),
        ("shop.py::Store", "store", ""),
    ],
)
def test_a_part_of_the_code_is_named_without_the_noun(entity_id: str, noun: str, part: str) -> None:
    """The packages and the file, as far as they say anything."""
    assert part_of(entity_id, noun) == part


@pytest.mark.parametrize(
    ("noun", "spoken"),
    [
        ("exporter", "an exporter"),
        ("parser", "a parser"),
        ("HTTP store", "an HTTP store"),
    ],
)
def test_an_article_follows_the_sound(noun: str, spoken: str) -> None:
    """Spelled words are read letter by letter."""
    assert with_article(noun) == spoken


def test_a_class_below_another_of_the_same_noun_is_not_the_kind() -> None:
    """Who speaks of stores means all of them."""
    assert is_kind_of_its_own("file store", ["Store"])
    assert is_kind_of_its_own("store", ["ABC"])
    assert not is_kind_of_its_own("file store", ["BaseFileStore"])
    assert not is_kind_of_its_own("store", ["BaseFileStore"])
    # "FileStore" is a file store by its whole name.
    assert not is_kind_of_its_own("file store", ["FileStore"])


CARRIERS = """
class Carrier: ...

class BikeCarrier(Carrier): ...

class Deposit: ...
"""


def test_other_classes_of_the_same_noun_are_found_where_the_question_looks(tmp_path: Path) -> None:
    """Whoever asks for "the carrier classes" means those that derive from nothing as well."""
    code = tmp_path / "code"
    for folder, text in (("shop", CARRIERS), ("depot", "class RailCarrier: ...\n")):
        (code / folder).mkdir(parents=True)
        (code / folder / "sending.py").write_text(text)
    snapshot = open_snapshot(code, cache=tmp_path / "cache")
    family = ("shop/sending.py::Carrier", "shop/sending.py::BikeCarrier")

    assert has_namesakes(snapshot, "carrier", "", family)
    assert not has_namesakes(snapshot, "carrier", "shop.sending", family)
    assert has_namesakes(snapshot, "carrier", "shop.sending", family[:1])
    # A package at the top is taken for the whole project.
    assert has_namesakes(snapshot, "carrier", "shop", family)


def test_a_part_is_named_only_where_all_stand_in_it() -> None:
    base = "shop/sending.py::Carrier"
    assert common_part((base, "shop/sending.py::BikeCarrier"), "carrier") == "shop.sending"
    assert common_part((base, "depot/rail.py::RailCarrier"), "carrier") == ""
