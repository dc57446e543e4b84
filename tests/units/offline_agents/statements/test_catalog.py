"""The laws of statements: every kind keeps the promises of its own examples, in both readings."""

import ast
from pathlib import Path

import pytest

from goldwright.agents.toolset import Toolset
from goldwright.code_reading.modules import open_module
from goldwright.evaluation.answers.answer_wordings import in_words_of_facts
from goldwright.offline_agents.prose.prose_deeds import read_deeds
from goldwright.offline_agents.statements.catalog import DEED_VERBS, STATEMENTS, read_statement
from goldwright.offline_agents.statements.closed_sets import ClosedSet
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.only_makers import OnlyMakers
from goldwright.offline_agents.statements.statement import Example, Statement
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.snapshot import Snapshot, open_snapshot

EXAMPLES = [(kind, example) for kind in STATEMENTS for example in kind.examples]
SENTENCES = [sentence for _, example in EXAMPLES for sentence in (*example.holds, *example.fails)]
SAID_AS_DEEDS = [
    statement
    for statement in map(read_statement, SENTENCES)
    if statement is not None and predicate_of(statement)
]
# They need more than one function to be found, as closed sets do, so their inquiries find them.
FOUND_BY_INQUIRIES = {
    "maps_to",
    "derives",
    "caught_from",
    "starts_as",
    "call_order",
    "calls_as",
    "changes_inside",
    "overridden_by",
    "only_takers",
    "family_callers",
    "overrides",
    "set_by_subclasses",
    "holds_text",
    "only_holder",
    "library_uncalled",
}


def _name(value: object) -> str:
    return value.kind if isinstance(value, type) and issubclass(value, Statement) else "example"


@pytest.fixture
def write(tmp_path: Path) -> object:
    """Write an example as a codebase."""

    def open_example(example: Example) -> Snapshot:
        root = tmp_path / "code"
        root.mkdir(exist_ok=True)
        (root / "shop.py").write_text(example.code)
        return open_snapshot(root, cache=tmp_path / "cache")

    return open_example


def _token_codebase(snapshot: Snapshot) -> TokenCodebase:
    entity_ids = [entity.entity_id for entity in snapshot.entities_in("shop.py")]
    return TokenCodebase(snapshot, Toolset(snapshot), entity_ids)


@pytest.mark.parametrize("kind", STATEMENTS, ids=_name)
def test_every_kind_has_examples_that_hold_and_that_fail(kind: type[Statement]) -> None:
    """A kind without examples has neither a specification nor a test."""
    assert kind.examples
    assert all(example.holds and example.fails for example in kind.examples)


@pytest.mark.parametrize(("kind", "example"), EXAMPLES, ids=_name)
def test_a_sentence_is_read_back_as_what_wrote_it(kind: type[Statement], example: Example) -> None:
    """Writing and reading are one grammar, and no two kinds share a sentence."""
    for sentence in (*example.holds, *example.fails):
        statement = read_statement(sentence)
        assert isinstance(statement, kind), sentence
        assert statement.sentence() == sentence


@pytest.mark.parametrize("statement", SAID_AS_DEEDS, ids=Statement.sentence)
def test_what_is_said_as_a_deed_is_read_back_as_that(statement: Statement) -> None:
    """Narratives tell deeds by their predicates alone, and the Judge reads these."""
    deeds = list(read_deeds(statement.subject, predicate_of(statement), statement.conditions))
    assert deeds == [statement], "mend the patterns of its predicates"


@pytest.mark.parametrize("verb", DEED_VERBS)
def test_the_literal_matcher_knows_the_verbs_of_deeds(verb: str) -> None:
    """It shares nothing with the agents, and yet has to read what they write."""
    narrative = f"`Shop.pay` {verb} `x`. It does so when `load()` fails with `OSError`."
    spoken = in_words_of_facts(narrative)
    tells_where = "The `try` of `Shop.pay` that catches `OSError` holds only `load()`."
    assert tells_where in spoken, "add the verb to evaluation/answers/answer_wordings.py"


@pytest.mark.parametrize(("kind", "example"), EXAMPLES, ids=_name)
def test_the_tree_gives_what_holds_and_not_what_fails(
    kind: type[Statement], example: Example, write: "object"
) -> None:
    """The Oracle's reading."""
    if issubclass(kind, ClosedSet) or kind.kind in FOUND_BY_INQUIRIES:
        pytest.skip("found by its inquiry")
    snapshot = write(example)  # type: ignore[operator]
    module = open_module(snapshot, "shop.py")
    assert module is not None
    sentences: set[str] = set()
    for name, node in module.definitions.items():
        if not isinstance(node, ast.ClassDef):
            sentences.update(found.statement.sentence() for found in kind.find(module, name, node))
    assert sentences.issuperset(example.holds)
    assert sentences.isdisjoint(example.fails)


@pytest.mark.parametrize(("kind", "example"), EXAMPLES, ids=_name)
def test_the_tokens_show_what_holds_and_refute_what_fails(
    kind: type[Statement], example: Example, write: "object"
) -> None:
    """The Adversary's reading."""
    code = _token_codebase(write(example))  # type: ignore[operator]
    for sentence in example.holds:
        statement = kind.read(sentence)
        assert statement is not None
        assert statement.is_shown(code)[0] == "shown", sentence
    for sentence in example.fails:
        statement = kind.read(sentence)
        assert statement is not None
        assert statement.is_shown(code)[0] == "refuted", sentence


@pytest.mark.parametrize(("kind", "example"), EXAMPLES, ids=_name)
def test_the_falsehoods_of_what_holds_are_refuted(
    kind: type[Statement], example: Example, write: "object"
) -> None:
    """What a careless reader could say is false, and the Adversary sees it."""
    code = _token_codebase(write(example))  # type: ignore[operator]
    statements = [kind.read(sentence) for sentence in example.holds]
    known = [statement for statement in statements if statement is not None]
    for statement in known:
        for falsehood in statement.falsehoods(known):
            if falsehood not in known:
                assert falsehood.is_shown(code)[0] == "refuted", falsehood.sentence()


SETS = [(kind, example) for kind, example in EXAMPLES if kind.set_field]


@pytest.mark.parametrize(("kind", "example"), SETS, ids=_name)
def test_a_set_with_a_member_less_or_more_is_not_shown(
    kind: type[Statement], example: Example, write: "object"
) -> None:
    """Who says that these are all is wrong by one as well."""
    code = _token_codebase(write(example))  # type: ignore[operator]
    for sentence in example.holds:
        statement = kind.read(sentence)
        assert statement is not None
        members = statement.members
        others = [(*members, "nobody_else")]
        if len(members) > 1:
            others += [members[:place] + members[place + 1 :] for place in range(len(members))]
        for changed in others:
            falsehood = statement.with_members(changed)
            assert falsehood.members == changed
            assert falsehood.is_shown(code)[0] != "shown", falsehood.sentence()


@pytest.mark.parametrize(("kind", "example"), EXAMPLES, ids=_name)
def test_falsehoods_differ_from_what_holds_and_from_one_another(
    kind: type[Statement], example: Example
) -> None:
    statements = [kind.read(sentence) for sentence in (*example.holds, *example.fails)]
    alternatives = [statement for statement in statements if statement is not None]
    for statement in alternatives:
        falsehoods = list(statement.falsehoods(()))
        assert statement not in falsehoods
        assert len(falsehoods) == len(set(falsehoods))
        assert statement not in list(statement.falsehoods(alternatives))


def test_who_makes_a_class_that_is_kept_under_another_name_cannot_be_seen(
    write: "object",
) -> None:
    """Whoever calls ``kind`` makes a basket, and no line of it says so."""
    code = "class Basket: ...\n\n\ndef start():\n    return Basket()\n"
    statement = OnlyMakers("Basket", ("start",))
    kept = f"{code}\n\ndef join(*, kind=Basket):\n    return kind()\n"
    for text, shown in ((code, "shown"), (kept, "unclear")):
        example = Example(code=text, holds=(), fails=())
        snapshot = write(example)  # type: ignore[operator]
        assert statement.is_shown(_token_codebase(snapshot))[0] == shown
