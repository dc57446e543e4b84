"""Words as they are compared: their stems, what they mean, and what they deny."""

import pytest

from goldwright.evaluation.answers.answer_statements import parse_text
from goldwright.evaluation.answers.answer_tokens import MOST_TOKENS
from goldwright.evaluation.answers.answer_vocabulary import IRREGULAR_FORMS
from goldwright.evaluation.answers.answer_words import (
    Meaning,
    are_opposed,
    find_phrase,
    is_verb,
    meaning_of,
    stem,
)


@pytest.mark.parametrize(
    "forms",
    [
        "raise raises raised raising",
        "stop stops stopped stopping",
        "call calls called calling",
        "pass passes passed passing",
        "try tries tried trying",
        "cache caches cached caching",
        "build builds built building",
        "catch catches caught catching",
        "choose chooses chosen choosing",
        "give gives gave giving",
        "get gets got getting",
        "hold holds held holding",
        "keep keeps kept keeping",
        "lose loses lost losing",
        "make makes made making",
        "run runs ran running",
        "send sends sent sending",
        "throw throws threw thrown throwing",
        "use uses used using",
        "write writes wrote written writing",
        "die dies died",
        "go goes went",
        "key keys",
        "entry entries",
    ],
)
def test_forms_of_one_word_have_one_stem(forms: str) -> None:
    words = forms.split()
    assert {meaning_of(word) for word in words} == {meaning_of(words[0])}


def test_every_irregular_form_leads_to_a_plain_one() -> None:
    assert not [plain for plain in IRREGULAR_FORMS.values() if meaning_of(plain).is_denial]
    assert len(IRREGULAR_FORMS) >= 24


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("us", "us"),
        ("ring", "ring"),
        ("bed", "bed"),
        ("fly", "fly"),
        ("string", "string"),
        ("class", "class"),
        ("status", "status"),
        ("this", "this"),
        ("axis", "axis"),
        ("focus", "focus"),
        ("glass", "glass"),
        ("glasses", "glass"),
        ("ties", "tie"),
        ("cities", "city"),
        ("slapped", "slap"),
        ("telling", "tell"),
        ("buzzed", "buzz"),
        ("applying", "apply"),
        ("proceeding", "proceed"),
        ("passing", "pass"),
        ("planned", "plan"),
        ("calling", "call"),
        ("missed", "miss"),
        ("quickly", "quick"),
        ("files", "fil"),
        ("use", "use"),
    ],
)
def test_no_more_is_cut_off_than_an_ending(word: str, expected: str) -> None:
    assert stem(word) == expected


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("raise", "throw"),
        ("call", "invoke"),
        ("use", "consult"),
        ("catch", "handle"),
        ("set", "assign"),
        ("check", "verify"),
        ("derive", "inherit"),
        ("remove", "delete"),
        ("error", "exceptions"),
        ("parameters", "argument"),
        ("directory", "folders"),
    ],
)
def test_synonyms_mean_the_same(first: str, second: str) -> None:
    assert meaning_of(first) == meaning_of(second)
    assert meaning_of(first).concept


@pytest.mark.parametrize(
    ("word", "denial"),
    [
        ("accepts", "rejects"),
        ("accepted", "refused"),
        ("allows", "forbids"),
        ("includes", "excludes"),
        ("enabled", "disabled"),
        ("equals", "differs"),
        ("inside", "outside"),
        ("within", "outside"),
        ("valid", "invalid"),
        ("required", "optional"),
        ("succeeds", "fails"),
    ],
)
def test_a_word_that_denies_another_means_the_other_denied(word: str, denial: str) -> None:
    assert meaning_of(denial) == Meaning(meaning_of(word).concept, is_denial=True)
    assert not meaning_of(word).is_denial


@pytest.mark.parametrize("word", "not never no neither nor nobody without cannot falsy".split())
def test_a_denial_says_nothing_else(word: str) -> None:
    assert meaning_of(word) == Meaning("", is_denial=True)


@pytest.mark.parametrize("word", "the function method code it which will should".split())
def test_other_words_carry_nothing(word: str) -> None:
    assert meaning_of(word) == Meaning("", is_denial=False)


@pytest.mark.parametrize(
    ("first", "second"),
    [("first", "last"), ("above", "below"), ("returns", "raises"), ("caller", "callee")],
)
def test_opposites_cannot_both_hold(first: str, second: str) -> None:
    one_concept, other_concept = meaning_of(first).concept, meaning_of(second).concept
    assert are_opposed(one_concept, frozenset({other_concept}))
    assert are_opposed(other_concept, frozenset({one_concept}))
    assert not are_opposed(one_concept, frozenset({one_concept, "value"}))
    assert not are_opposed("value", frozenset({one_concept, other_concept}))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("gives back", ("return",)),
        ("hands the work to", ("call",)),
        ("hands part of the work to", ("call",)),
        ("fails with", ("raise",)),
        ("fails to", ("not",)),
        ("at least", ("atleast",)),
        ("at most", ("atmost",)),
        ("not only", ()),
        ("runs out of", ("lack",)),
        ("runs out", ("end", "without", "leave")),
        ("does nothing about", ("ignore",)),
        ("does nothing", ("idle",)),
    ],
)
def test_the_longest_phrase_counts(text: str, meaning: tuple[str, ...]) -> None:
    phrase = find_phrase([stem(word) for word in text.split()])
    assert phrase is not None
    assert phrase.meaning == meaning


def test_no_phrase_is_found_in_half_of_one() -> None:
    assert find_phrase([stem("gives")]) is None
    assert find_phrase([stem("gives"), stem("up")]) is None


@pytest.mark.parametrize("word", "calls raised is gets has might returns writes".split())
def test_verbs_are_known(word: str) -> None:
    assert is_verb(word)


@pytest.mark.parametrize("word", "cache_key error parameter the not".split())
def test_other_words_are_no_verbs(word: str) -> None:
    assert not is_verb(word)


def test_a_text_without_end_is_cut_into_sentences_that_end() -> None:
    words = " ".join(["word"] * (2 * MOST_TOKENS + 1))
    sentences = parse_text(words)
    assert [len(sentence.tokens) for sentence in sentences] == [MOST_TOKENS, MOST_TOKENS, 1]
    assert MOST_TOKENS == 300
