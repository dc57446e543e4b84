"""What sentences say, word by word: of whom, under which conditions, and whether it is denied."""

from typing import Final

import pytest

from goldwright.evaluation.answers.answer_conditions import AnswerCondition
from goldwright.evaluation.answers.answer_statements import AnswerStatement, parse_text
from goldwright.evaluation.answers.answer_words import meaning_of

# Concepts are stems; these are the words that the tables below use for them.
_WORDS: Final = {
    meaning_of(word).concept: word
    for word in ("raise", "derive", "exceed", "instance", "equal", "at", "in")
}


def told(text: str) -> list[str]:
    """What a text states, each clause as "subjects: what is done (code) if its conditions"."""
    sentences = parse_text(text)
    return [_told(statement) for sentence in sentences for statement in sentence.statements]


def _told(statement: AnswerStatement) -> str:
    clause = statement.clause
    subjects = ", ".join(".".join(subject) for subject in clause.subjects)
    if not subjects:
        subjects = "others" if clause.is_about_others else "it"
    done = " ".join(_WORDS.get(concept, concept) for concept in clause.predicates) or "-"
    code = ", ".join(piece.text for piece in clause.pieces)
    denial = "not " if clause.is_denied else ""
    conditions = "; ".join(map(_condition_told, statement.conditions))
    return f"{denial}{subjects}: {done} ({code}){' if ' if conditions else ''}{conditions}"


def _condition_told(condition: AnswerCondition) -> str:
    concepts = sorted(_WORDS.get(concept, concept) for concept in condition.concepts)
    words = [*(piece.text for piece in condition.pieces), *concepts]
    return f"{'not ' if condition.is_denied else ''}{' '.join(words)}"


@pytest.mark.parametrize("opener", "if when whenever while once".split())
def test_a_condition_may_stand_behind_or_in_front_with_a_comma_or_without(opener: str) -> None:
    expected = ["f: raise (f, E) if a empty"]
    assert told(f"`f` raises `E` {opener} `a` is empty.") == expected
    assert told(f"{opener.capitalize()} `a` is empty, `f` raises `E`.") == expected
    assert told(f"{opener.capitalize()} `a` is empty `f` raises `E`.") == expected


@pytest.mark.parametrize("opener", ["until", "till", "provided", "assuming", "given that", "if"])
def test_other_words_open_a_condition_too(opener: str) -> None:
    assert told(f"`f` returns `1` {opener} `a` is set.") == ["f: return (f, 1) if a"]


@pytest.mark.parametrize("opener", ["unless", "except when", "except if"])
def test_an_exception_denies_its_condition(opener: str) -> None:
    assert told(f"`f` returns `1` {opener} `a` is set.") == ["f: return (f, 1) if not a"]
    assert told(f"{opener.capitalize()} `a` is empty, `f` returns `1`.") == [
        "f: return (f, 1) if not a empty"
    ]


@pytest.mark.parametrize("every", "each every all any".split())
def test_of_every_element_is_a_condition_and_for_a_purpose_is_none(every: str) -> None:
    assert told(f"`f` calls `g` for {every} item.") == ["f: call (f, g) if item"]
    assert told("`f` calls `g` for logging.") == ["f: call (f, g)"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`f` calls `g` for an `x` in `xs`.", "f: call (f, g) if x xs"),
        ("`f` calls `g` for a `x` in `xs`.", "f: call (f, g) if x xs"),
        ("`f` calls `g` for one item in `xs`.", "f: call (f, g) if xs item"),
        ("`f` calls `g` for an `x` of `xs`.", "f: call (f, g) if x xs"),
        ("`f` calls `g` for a reason.", "f: call (f, g)"),
        ("`f` returns `1` except for `a`.", "f: return (f, 1) if not a"),
        ("`f` returns `1` after catching `E`.", "f: return (f, 1) if E after catch"),
        ("`f` returns `1` after handling `E`.", "f: return (f, 1) if E after catch"),
        ("`f` calls `g` after `h`.", "f: call (f, g, h)"),
    ],
)
def test_what_else_opens_a_condition(text: str, expected: str) -> None:
    assert told(text) == [expected]


@pytest.mark.parametrize(
    "joint", [" because", " since", ", although", ", though", ", whereas", ", so", ", but", "; and"]
)
def test_a_further_clause_stands_for_itself(joint: str) -> None:
    assert told(f"`f` raises `E`{joint} `g` returns `1`.") == [
        "f: raise (f, E)",
        "g: return (g, 1)",
    ]


@pytest.mark.parametrize("mark", [";", ":", " (", " –", " —"])
def test_marks_end_a_clause(mark: str) -> None:
    assert told(f"`f` raises `E`{mark} `a` is empty.") == ["f: raise (f, E)", "a: - (a)"]


@pytest.mark.parametrize("joint", [" and", " or", " then", ", then", ", and then"])
def test_one_subject_may_do_several_things(joint: str) -> None:
    assert told(f"`f` calls `g`{joint} returns `1`.") == ["f: call (f, g)", "it: return (1)"]


@pytest.mark.parametrize("relative", ["which", "who"])
def test_a_relative_clause_is_about_what_stands_in_front_of_it(relative: str) -> None:
    assert told(f"`f` calls `g`, {relative} raises `E`.") == ["f: call (f, g)", "it: raise (E)"]
    (first, second) = parse_text(f"`f` calls `g`, {relative} raises `E`.")[0].statements
    assert (first.topic, second.topic) == ((("f",),), (("g",),))


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("`f` returns `1` without calling `g`.", "not it: call (g)"),
        ("`f` returns `1` instead of `g`.", "not g: - (g)"),
        ("`f` returns `1` rather than `g`.", "not g: - (g)"),
        ("`f` returns `1`, and nobody calls `g`.", "not it: call (g)"),
        ("`f` returns `1`, and nothing calls `g`.", "not it: call (g)"),
        ("`f` returns `1`, and nowhere is `g` called.", "not it: call (g)"),
        ("`f` returns `1`, and no code calls `g`.", "not it: call (g)"),
    ],
)
def test_what_does_not_happen_beside_what_does(text: str, denied: str) -> None:
    assert told(text) == ["f: return (f, 1)", denied]


@pytest.mark.parametrize(
    ("claim", "is_denied"),
    [
        ("It is not true that", True),
        ("It is not right that", True),
        ("It is not correct that", True),
        ("It is false that", True),
        ("It is wrong that", True),
        ("It is incorrect that", True),
        ("It is untrue that", True),
        ("It is not the case that", True),
        ("It is true that", False),
        ("It is right that", False),
        ("It is correct that", False),
        ("It is not false that", False),
        ("It is the case that", False),
    ],
)
def test_who_says_of_a_sentence_that_it_is_true_or_false_says_or_denies_it(
    claim: str, is_denied: bool
) -> None:
    expected = "f: call (f, g)"
    assert told(f"{claim} `f` calls `g`.") == [f"not {expected}" if is_denied else expected]


@pytest.mark.parametrize(
    ("verb", "is_denied"),
    [
        ("never calls", True),
        ("cannot call", True),
        ("does not call", True),
        ("doesn't call", True),
        ("calls neither `h` nor", True),
        ("does not call `h` nor", True),
        ("does not never call", False),
        ("calls", False),
    ],
)
def test_a_clause_is_denied_by_an_odd_number_of_denials(verb: str, is_denied: bool) -> None:
    (sentence,) = told(f"`f` {verb} `g`.")
    assert sentence.startswith("not f: call") == is_denied


@pytest.mark.parametrize(
    "introduction",
    [
        *("No", "Yes", "Well", "As far as I can see", "In short", "To be clear", "At first"),
        *("By the way", "Of course", "On a miss", "From here", "For now", "Here", "Basically"),
        *("First", "Finally", "Next", "So"),
    ],
)
def test_what_only_leads_up_to_a_clause_says_nothing(introduction: str) -> None:
    assert told(f"{introduction}, `f` calls `g`.") == ["f: call (f, g)"]


def test_what_comes_first_is_no_introduction() -> None:
    assert told("Before `a`, `f` calls `g`.") == ["a: - (a)", "f: call (f, g)"]
    assert told("After `a`, `f` calls `g`.") == ["a: - (a)", "f: call (f, g)"]


@pytest.mark.parametrize(
    "text",
    [
        "If `a` is set, `f` calls `g`; otherwise it returns `None`.",
        "`f` calls `g` if `a` is set, or else it returns `None`.",
        "`f` calls `g` if `a` is set. Otherwise, it returns `None`.",
        "`f` calls `g` if `a` is set or else it returns `None`.",
    ],
)
def test_otherwise_turns_the_conditions_round(text: str) -> None:
    assert told(text) == ["f: call (f, g) if a", "it: return (None) if not a"]


def test_otherwise_may_have_conditions_of_its_own() -> None:
    text = "If `a` is set, `f` calls `g`; otherwise it returns `1` if `b` is set."
    assert told(text)[-1] == "it: return (1) if not a; b"


@pytest.mark.parametrize(
    ("text", "otherwise"),
    [
        ("If `a` is set and `b` is set, `f` calls `g`; otherwise it returns `1`.", "not a b"),
        # Whether the one or the other does not hold is not said.
        ("If `a` is set and `b` is not, `f` calls `g`; otherwise it returns `1`.", ""),
        ("After catching `E`, `f` calls `g` if `a` is set; otherwise it returns `1`.", "E"),
        ("If `a or b`, `f` calls `g`; otherwise it returns `1`.", "not a; not b"),
        ("If `a` of `b` is set, `f` calls `g`; otherwise it returns `1`.", "not a b"),
        ("If `a` is set, `f` calls `g`; otherwise it returns `1`.", "not a"),
        ("If `a` is empty, `f` calls `g`; otherwise it returns `1`.", "not a empty"),
        ("Unless `a` is set, `f` calls `g`; otherwise it returns `1`.", "if a"),
    ],
)
def test_where_conditions_do_not_hold_together(text: str, otherwise: str) -> None:
    last = told(text)[-1]
    assert last.startswith("it: return (1)")
    assert otherwise in last
    assert (" if " in last) == bool(otherwise)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("if `a` and `b` are empty", "a empty; b empty"),
        ("if `a` and `b` were empty", "a empty; b empty"),
        ("if the `a` and the `b` are empty", "a empty; b empty"),
        ("if `a` is `x` and `b` and `c` are empty", "a x; b empty; c empty"),
        ("if `a` and `b` hold keys", "a key; b key"),
        ("if `a` and `b` have keys", "a key; b key"),
        ("if `a` is set and `b` is empty", "a; b empty"),
        ("if `a` or `b` are empty", "a b empty"),
        ("unless `a` or `b` is set", "not a; not b"),
        ("unless `a` and `b` are set", "not a b"),
        ("if neither `a` nor `b` is set", "not a; not b"),
        ("if `a` is neither `b` nor `c`", "not a b c"),
        ("if `a` is not set", "not a"),
        ("if `a` is unset", "not a"),
        ("unless `a` is unset", "a"),
        ("if `not a`", "not a"),
        ("if `not not a`", "a"),
        ("if `a and b`", "a; b"),
        ("if `a or b`", "a or b"),
        ("unless `a or b`", "not a; not b"),
        ("unless `a and b`", "not a and b"),
        ("if `not (a or b)`", "not a; not b"),
        ("if `not (a and b)`", "not a and b"),
        ("if `a is not b`", "not a is b"),
        ("if `a not in b`", "not a in b"),
        ("if `a != b`", "not a == b equal"),
        ("unless `a != b`", "a == b equal"),
        ("if `a == b`", "a == b equal"),
        ("if `a > 3`", "a > 3 exceed"),
        ("if `a < 3`", "a < 3 below"),
        ("if `a >= 3`", "a >= 3 atleast"),
        ("if `a <= 3`", "a <= 3 atmost"),
        ("if `1 < a < 3`", "1 < a < 3"),
        ("if `a > 3 or b`", "a > 3 or b exceed"),
        ("if `isinstance(a, B)`", "isinstance(a, B) instance"),
        ("if `a` is at least `3`", "a >= 3 atleast"),
        ("if `a` is at most `3`", "a <= 3 atmost"),
        ("if `a` exceeds `3`", "a > 3 exceed"),
        ("if `a` is below `3`", "a < 3 below"),
        ("if `a` equals `3`", "a == 3 equal"),
        (
            "if `a` is `None`, `b` is in `c` and `d` is no `B`",
            "a is None; b in c; not isinstance(d, B) instance",
        ),
        ("if `a` is an instance of `B`", "a B instance"),
        ("if `a` == 3", "a 3 equal"),
        ("if `a` != 3", "not a 3 equal"),
        ("if `a` > 3", "a 3 exceed"),
        ("if `a` < 3", "a 3 below"),
        ("if `a` >= 3", "a 3 atleast"),
        ("if `a` <= 3", "a 3 atmost"),
        ("if `a` is true", "a"),
        ("if `a` is false", "not a"),
        ("if `a` is truthy", "a"),
        ("if `a` is falsy", "not a"),
        ("if a key is missing", "not key"),
    ],
)
def test_conditions_are_taken_apart_in_words_and_in_code(condition: str, expected: str) -> None:
    assert told(f"`f` raises `E` {condition}.") == [f"f: raise (f, E) if {expected}"]


def test_code_that_is_too_long_for_a_condition_is_one_piece() -> None:
    for name, pieces in (("a" * 494, 2), ("a" * 495, 1)):
        (sentence,) = parse_text(f"`f` raises `E` if `{name} and b`.")
        (statement,) = sentence.statements
        assert len(statement.conditions) == pieces


@pytest.mark.parametrize(
    ("text", "agents", "patients"),
    [
        ("`g` calls `f`.", "g", "f"),
        ("`g` calls `f` and `h` with `a`.", "g", "f h"),
        ("`f` is called by `g`.", "g", "f"),
        ("`f` was called by `g` or `h`.", "g h", "f"),
        ("`f` is called.", "", "f"),
        ("`f` gets set by `g`.", "g", "f"),
        ("`f` is set by `g` in `h`.", "g", "f"),
        ("`f` is kept by `g`.", "g", "f"),
        ("`f` is calling `g`.", "f", "g"),
        ("`f`, `g`.", "", ""),
    ],
)
def test_who_does_it_and_to_what(text: str, agents: str, patients: str) -> None:
    clause = parse_text(text)[0].statements[0].clause
    assert [name[0] for name in clause.agents] == agents.split()
    assert [name[0] for name in clause.patients] == patients.split()


@pytest.mark.parametrize(
    ("text", "is_about_others"),
    [
        ("A subclass calls `f`.", True),
        ("Users call `f`.", True),
        ("An error is raised.", True),
        ("The caller sets `a`.", False),
        ("Its caller sets `a`.", False),
        ("They call `f`.", False),
        ("It calls `f`.", False),
        ("There is a call of `f`.", False),
        ("Errors there are raised.", False),
        ("`g` calls `f`.", False),
    ],
)
def test_a_noun_that_was_not_spoken_of_is_somebody_else(text: str, is_about_others: bool) -> None:
    clause = parse_text(text)[0].statements[0].clause
    assert clause.is_about_others == is_about_others


@pytest.mark.parametrize("owner", ["Its", "Their"])
def test_a_part_of_what_was_spoken_of_has_an_owner(owner: str) -> None:
    clause = parse_text(f"{owner} parameter `a` is set.")[0].statements[0].clause
    assert (clause.has_owner, clause.subjects) == (True, (("a",),))
    assert not parse_text("The parameter `a` is set.")[0].statements[0].clause.has_owner


def test_a_clause_without_a_subject_may_end_with_an_article() -> None:
    assert told("Calls `g` on each.") == ["it: call (g)"]


@pytest.mark.parametrize("article", "A An The Every Each Its".split())
def test_a_verb_behind_an_article_is_a_noun(article: str) -> None:
    assert told(f"{article} call of `f` raises `E`.") == ["f: call raise (f, E)"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("`f` returns true.", "f, true"),
        ("`f` returns none.", "f, none"),
        ("`f` sets `a` to false.", "f, a, false"),
        ("`a` defaults to none.", "a, none"),
        ("`f` is true.", "f"),
        ("`f` calls none of them.", "f"),
    ],
)
def test_truth_words_are_values_where_they_are_given(text: str, code: str) -> None:
    pieces = parse_text(text)[0].statements[0].clause.pieces
    assert ", ".join(piece.text for piece in pieces) == code


@pytest.mark.parametrize(
    ("text", "is_complete"),
    [
        ("`f` is called by `g` alone.", True),
        ("Only `g` calls `f`.", True),
        ("Solely `g` calls `f`.", True),
        ("Exclusively `g` calls `f`.", True),
        ("`f` is called by `g`, and by no other code.", True),
        ("`f` calls `g` and nothing else.", True),
        ("`f` is called by `g`, and by no others.", True),
        ("`f` is called by `g`.", False),
        ("`f` is called by `g` and by other code.", False),
        ("`f` is only called once.", False),
    ],
)
def test_a_list_is_complete_where_that_is_said(text: str, is_complete: bool) -> None:
    assert parse_text(text)[0].is_complete == is_complete


@pytest.mark.parametrize(
    ("ending", "conditions"),
    [
        ("no `E` occurs", ["not E catch before"]),
        ("no `E` occurred", ["not E catch before"]),
        ("no `E` happens", ["not E catch before"]),
        ("no `E` arises", ["not E catch before"]),
        ("no `E` was raised", ["not E catch before"]),
        ("no `E` was thrown", ["not E catch before"]),
        ("no `E` is caught", ["not E catch before"]),
        ("no `E` was caught before", ["not E catch before"]),
        ("no `E` or `K` occurs", ["not E catch before", "not K catch before"]),
        ("no `E` nor `K` occurs", ["not E catch before", "not K catch before"]),
        ("no `E` and `K` occurs", ["not E catch before", "not K catch before"]),
        (
            "no `E`, `K` or `V` was thrown",
            ["not E catch before", "not K catch before", "not V catch before"],
        ),
    ],
)
def test_errors_that_did_not_occur_were_not_caught(ending: str, conditions: list[str]) -> None:
    (statement,) = parse_text(f"`f` returns `1` if {ending}.")[0].statements
    (caught,) = parse_text("`f` returns `1` if no `E` was caught before.")[0].statements
    concepts = caught.conditions[0].concepts
    assert [condition.pieces[0].text for condition in statement.conditions] == [
        condition.split()[1] for condition in conditions
    ]
    for condition in statement.conditions:
        assert (condition.is_denied, condition.concepts) == (True, concepts)
        assert len(condition.pieces) == 1


def test_what_stands_behind_an_error_that_did_not_occur_is_read_as_well() -> None:
    (statement,) = parse_text("`f` returns `1` if no `E` is raised before `g`.")[0].statements
    (condition,) = statement.conditions
    assert [piece.text for piece in condition.pieces] == ["E", "g"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`a` is `1` unless it is given.", "a: default (a, 1)"),
        ("`a` is `1` unless one is explicitly passed.", "a: default (a, 1)"),
        ("`a` was `1` unless another has been specified.", "a: default (a, 1)"),
        ("`a` is `1` unless it was supplied.", "a: default (a, 1)"),
        ("`a` is `1` unless given.", "a: default (a, 1)"),
        ("`a` is `1` unless `b` is given.", "a: - (a, 1) if not b"),
        ('`f` raises `E` ("no key").', "f: raise (f, E, no key)"),
        ("`f` calls `g` in the loop over `xs`.", "f: call (f, g) if xs"),
        ("`f` calls `g` in the loop over `xs` with `x`.", "f: call (f, g) if for x in xs"),
        ("`f` calls `g` inside the loop `for x in xs`.", "f: call (f, g) if for x in xs"),
        ("`f` calls `g` within the loop `while x`.", "f: call (f, g) if x"),
        ("`f` calls `g` in the loop.", "f: call (f, g)"),
        ("`f` calls `g` in the loop over all of them.", "f: call (f, g)"),
        ("`f` calls `g` in the loop that `a` opens.", "f: call (f, g, a)"),
        ("`f` does NOT call `g`.", "not f: call (f, g)"),
        ("`f` NEVER calls `g`.", "not f: call (f, g)"),
        ("`f` can't call `g`.", "not f: call (f, g)"),
        ("`f` isn’t called by `g`.", "not f: call (f, g)"),
        ("`f` calls two of `g`.", "f: call (f, 2, g)"),
        ("`f` calls one of `g`.", "f: call (f, g)"),
    ],
)
def test_ways_to_say_one_thing(text: str, expected: str) -> None:
    assert told(text) == [expected]


@pytest.mark.parametrize("loop", ["the same loop", "that loop"])
def test_a_loop_that_was_named_is_meant_again(loop: str) -> None:
    assert told(f"In the loop `for x in xs`, `f` calls `g`. In {loop}, it calls `h`.")[0] == (
        "f: call (f, g) if for x in xs"
    )
    named = told("In the loop `for x in xs`, `f` calls `g`. In the same loop, it calls `h`.")
    assert named[1] == "it: call (h) if for x in xs"


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("`f` is long. It calls `g`.", "f"),
        ("Look at `f`. It calls `g`.", "f"),
        ("Look at `a.py`. It calls `g`.", ""),
        ("`f` is long. Look at `h`. It calls `g`.", "f"),
        # A part of it is no new subject.
        ("`f` is long. Its `a` is set. It calls `g`.", "f"),
        ("`f` is long. The `a` is set. It calls `g`.", "a"),
        ("`f` is long, its `a` is set and it calls `g`.", "f"),
        ("`f` is long; the `a` is set and it calls `g`.", "a"),
    ],
)
def test_it_is_what_was_spoken_of(text: str, topic: str) -> None:
    last = parse_text(text)[-1].statements[-1]
    assert [name[0] for name in last.topic] == topic.split()


def test_what_is_only_said_to_be_true_or_false_is_a_statement() -> None:
    assert told("It is false.") == ["not it: - ()"]
    assert len(told("It is not true that `f` calls `g`, and that is wrong.")) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("If `a` is set, `f` calls `g`; `h` ends.", ["f: call (f, g) if a", "h: - (h)"]),
        ("If `a` is set, `f` calls `g`: `h` ends.", ["f: call (f, g) if a", "h: - (h) if a"]),
        ("If `a` is set, `f` calls `g` (`h` ends).", ["f: call (f, g) if a", "h: - (h) if a"]),
        (
            "`f` calls `g` if `a` is set and when `b` is set `h` ends.",
            ["f: call (f, g) if a", "h: - (h) if b"],
        ),
        (
            "`f` calls `g` if `a` is set, and if `b` is set, it ends.",
            ["f: call (f, g) if a", "it: - () if b"],
        ),
    ],
)
def test_conditions_hold_up_to_a_semicolon_or_other_conditions(
    text: str, expected: list[str]
) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("If `a` is set it calls `g`.", ["it: call (g) if a"]),
        ("If `a` is of `b` `f` calls `g`.", ["f: call (f, g) if a b"]),
        ("`f` calls `g` if it is set.", ["f: call (f, g)"]),
        ("`f` calls `g` when it raises.", ["f: call (f, g) if raise"]),
        ("When `a` is empty, as in `b`, `f` calls `g`.", ["f: call (f, g) if a empty; b"]),
        # A name behind such a word is its object, and calls nothing by itself.
        ("`f` ends until `a` in `b` calls `g`.", ["f: - (f) if a b g call"]),
        ("`f` ends if it is not `a` calls.", ["f: - (f) if not a call"]),
        ("When `a` blurs, `b` blurs it.", ["b: - (b) if a blur"]),
        ("When `a` blurs, `b` does.", ["b: - (b) if a blur"]),
        ("When `a` blurs, `b` glass.", ["a: - (a, b)"]),
    ],
)
def test_a_condition_ends_where_a_subject_with_its_verb_begins(
    text: str, expected: list[str]
) -> None:
    assert told(text) == expected


@pytest.mark.parametrize("text", ["If `a` calls `b`.", "When `a` calls `b`."])
def test_a_condition_of_nothing_is_a_statement(text: str) -> None:
    assert told(text) == ["a: call (a, b)"]


@pytest.mark.parametrize(
    ("ending", "further"),
    [
        ("and its caller returns `1`", "it: return (1)"),
        ("and there the warning is logged", "it: - ()"),
        ("and a man returns `1`", "others: return (1)"),
        ("and an old man returns `1`", "others: return (1)"),
        ("and the very old man of the sea returns `1`", "it: return (1)"),
        ("and it returns `1`", "it: return (1)"),
        ("and `h` returns `1`", "h: return (h, 1)"),
        ("and rejects `1`", "not it: - (1)"),
        ("and blurs the view", "it: - ()"),
        ("and a caller", None),
        ("and `h` as well", None),
        ("and `h`", None),
        ("and glass", None),
        ("and the old man", None),
        ("and the man if he returns", None),
        ("and so on", None),
    ],
)
def test_a_conjunction_begins_a_clause_where_a_verb_follows(
    ending: str, further: str | None
) -> None:
    statements = told(f"`f` calls `g` {ending}.")
    assert statements[0].startswith("f: call (f, g")
    assert statements[1:] == ([further] if further else [])


@pytest.mark.parametrize("place", ["past", "behind", "after"])
@pytest.mark.parametrize("checks", ["that check", "the guard", "this check", "these guards"])
def test_past_a_check_what_it_tests_does_not_hold(place: str, checks: str) -> None:
    text = f"`f` raises `E` if `a`. {place.capitalize()} {checks} it returns `1`."
    assert told(text) == ["f: raise (f, E) if a", "it: return (1) if not a"]
    assert told(f"`f` raises `E` if `a`. {place.capitalize()} a check it returns `1`.")[-1] != (
        "it: return (1) if not a"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nor does `f` call `g`.", "not it: call (f, g)"),
        ("Neither `f` nor `h` calls `g`.", "not f, h: call (f, h, g)"),
        ("`f` does not call `g` without `h`.", "not f: call (f, g)"),
    ],
)
def test_neither_and_nor_deny_once(text: str, expected: str) -> None:
    assert told(text)[0] == expected


@pytest.mark.parametrize(
    "ending", ["no `E` occurs", "no `E` was caught before", "no `E` is caught"]
)
def test_an_error_that_did_not_occur_is_one_condition(ending: str) -> None:
    (statement,) = parse_text(f"`f` returns `1` if {ending}.")[0].statements
    (caught,) = parse_text("`f` returns `1` if no `E` was caught before.")[0].statements
    assert statement.conditions == caught.conditions


@pytest.mark.parametrize(
    ("conditions", "otherwise"),
    [
        ("if `a` in the loop `for x in xs`", "for x in xs; not a"),
        ("after catching `E` if `a`", "E after catch; not a"),
    ],
)
def test_where_something_happens_stays_where_its_condition_does_not_hold(
    conditions: str, otherwise: str
) -> None:
    last = told(f"`f` calls `g` {conditions}. Otherwise it returns `1`.")[-1]
    assert last == f"it: return (1) if {otherwise}"
