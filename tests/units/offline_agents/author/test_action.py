"""From docstrings and comments to actions."""

import pytest

from goldwright.offline_agents.author.actions import action_of
from goldwright.offline_agents.author.docstring_prose import comment_sentence, first_sentence, plain
from goldwright.offline_agents.author.identifier_words import IdentifierSpeller


def read(docstring: str, parameters: frozenset[str] = frozenset()) -> str | None:
    """The action of a docstring in its base form."""
    text = plain(first_sentence(docstring), parameters)
    told = action_of(text) if text else None
    return told.base if told else None


@pytest.mark.parametrize(
    ("docstring", "base"),
    [
        ("Parses a :class:`~pkg.Range` header and caches it.", "parse a range header"),
        ("Return True if the host is trusted (see RFC).", "check whether the host is trusted"),
        (
            "Creates and returns a fresh token for the account.",
            "create a fresh token for the account",
        ),
        ("Helper function to join two search paths.", "join two search paths"),
        ("Yields all unique triangles in a graph.", "go through all unique triangles in a graph"),
        ("Fall back to the default handler.", "fall back to the default handler"),
    ],
)
def test_a_docstring_reads_as_an_action(docstring: str, base: str) -> None:
    """Markup, asides and second verbs go; colourless verbs get colour."""
    assert read(docstring) == base


@pytest.mark.parametrize(
    "docstring",
    [
        "Deprecated since 2.0.",
        "See :func:`other_thing`.",
        "List of tables.",
        "Return ``x_y`` as is.",
        "We hate this hack.",
        "set up the memory queue initialize the disk queue",
    ],
)
def test_a_docstring_that_would_read_badly_is_refused(docstring: str) -> None:
    """Fragments, code, asides of the author and run-on sentences tell nothing."""
    assert read(docstring) is None


def test_a_comment_must_command() -> None:
    """Only an imperative comment is a step; a description is none."""
    text = plain(comment_sentence(("# Remove the trailing slash", "# from the path.")))
    assert text is not None
    told = action_of(text, imperative_only=True)
    assert told is not None
    assert told.gerund == "removing the trailing slash from the path"
    assert action_of("Removes the slash", imperative_only=True) is None


def test_a_name_is_read_only_with_words_the_code_base_knows() -> None:
    """Short forms are written out, unknown words refuse the name."""
    speller = IdentifierSpeller({"configuration", "files", "file"})
    told = speller.action("load_config_files")
    assert told is not None
    assert told.base == "load configuration files"
    assert speller.action("load_xqz_files") is None
    assert speller.topic("BaseFileHandlerMixin") is None
