"""What words mean to the literal matcher: their stems, synonyms, opposites, and what denies.

All of it is data about English as people write it about code, and nothing of it is about the
wording of any one author. Words are written here in their plain form and compared as stems.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

# Words that carry nothing which could be right or wrong. Pronouns and general nouns for code ("the
# function") stand for what was named before.
_STOP_WORDS: Final = """
    a about all also an and another any are as at be been being both but by can case code
    could defined did directly do does done each either else eventually every exactly finally following
    for from function had has have having he helper here how however i if in indeed instead into
    is it itself its just let like located lives may means merely message method might module must
    name named namely no now of off
    on one ones only or otherwise our out own part per place please quite rather really said same
    see she should simply so some something such sure than that the their them then there these
    stands sits they thing this those though thus to too under up upon us very via was way we well were what
    whatever when where whether which while who whole whom whose will with would yes yet you your
"""
# In a condition these say only that it holds: "if `x` is set" is "if `x`".
_TRUTH_WORDS: Final = "given hold holds passed set so true truthy"
_NEGATIONS: Final = """
    absent cannot hardly incorrect lack lacking missing neither never no nobody none nor not
    nothing nowhere rarely seldom untrue without wrong falsy false unset mistaken
"""
# "neither a nor b" and "not a nor b" deny once.
_SECOND_NEGATIONS: Final = "nor"
# The first word of each line stands for the others.
_SYNONYMS: Final = """
    call invoke run execute delegate
    use read consult access query
    raise throw
    return
    catch handle intercept trap
    ignore swallow suppress
    set assign store put
    check test verify examine inspect branch decide depend
    default
    create make build construct instantiate
    remove delete strip discard
    clear purge flush
    start begin
    end finish terminate
    get fetch retrieve obtain
    print display show
    parameter argument
    error exception
    derive inherit subclass extend
    decorate wrap
    caller callers
    change modify alter
    wait sleep block
    keep retain stay remain
    convert turn transform
    choose select pick
    blank space whitespace
    necessary required require mandatory need
    iterate loop
    directory folder
    answer reply response
"""
# Of each pair, the second denies the first: "not accepted" is "rejected".
_COMPLEMENTS: Final = """
    accept reject
    accept refuse
    allow forbid
    allow disallow
    include exclude
    enable disable
    equal differ
    equal different
    equal unequal
    inside outside
    within outside
    necessary optional
    valid invalid
    known unknown
    possible impossible
    succeed fail
"""
# Neither of a pair is the denial of the other, but no statement holds of both.
_OPPOSITES: Final = """
    before after
    first last
    always sometimes
    more less
    most least
    above below
    highest lowest
    maximum minimum
    start end
    open close
    raise return
    raise ignore
    raise log
    catch raise
    empty full
    some all
    left right
    old new
    read write
    add remove
    caller callee
    once twice
    keep remove
"""
# Phrases of several words, by the one word that says the same.
_PHRASES: Final = """
    give back = return
    hand back = return
    pass back = return
    send back = return
    hand on = return
    result = return
    evaluate to = return
    come back = return
    call on = call
    turn to = call
    rely on = call
    go through = call
    hand over to = call
    hand the work to = call
    hand part of the work to = call
    pass on to = call
    fail with = raise
    die with = raise
    error out with = raise
    blow up with = raise
    end in = raise
    end with = raise
    leave out = default
    left out = default
    leave it out = default
    left it out = default
    omit = default
    turn on = check
    look up = get
    look at = use
    take into account = use
    more than = exceed
    greater than = exceed
    larger than = exceed
    longer than = exceed
    less than = below
    fewer than = below
    smaller than = below
    shorter than = below
    at least = atleast
    at most = atmost
    only while = while
    only after = after
    only once = once
    only before = before
    look whether = check
    ask whether = check
    has to be given = necessary
    have to be given = necessary
    must be given = necessary
    must be passed = necessary
    no default = necessary
    as long as = while
    as soon as = when
    in case = if
    even if = although
    only if = if
    only when = when
    not only =
    not just =
    not merely =
    whether or not =
    no matter =
    no doubt =
    no sooner =
    fail to = not
    decline to = not
    refuse to = not
    no longer = not
    no instance = not instance
"""
# What is done to code: a fact that says so is stated with the same verb or not at all.
_PREDICATES: Final = "call raise return catch set check default decorate derive"
_OTHER_VERBS: Final = """
    accept add allow append apply assert begin belong build cache change choose clear close come
    compare compute connect contain convert copy count create depend end enter expect fail find get
    give go handle happen ignore include insert iterate join keep lead leave let load log look
    make match mean move need reach say stay treat want
    open parse pass pick pop print push put read register reject remove replace reset run save
    search send skip sort split start stop stand strip take tell update use wait walk warn write
    yield
"""
BEING: Final = frozenset("is are was were be been being gets get".split())
_AUXILIARIES: Final = BEING | frozenset(
    "has have had does do did can cannot could will would must may might should shall".split()
)
NUMBER_WORDS: Final = "zero one two three four five six seven eight nine ten eleven twelve".split()

_IRREGULAR: Final = {
    "built": "build",
    "caught": "catch",
    "chosen": "choose",
    "died": "die",
    "done": "do",
    "gave": "give",
    "gets": "get",
    "got": "get",
    "held": "hold",
    "kept": "keep",
    "lost": "lose",
    "made": "make",
    "ran": "run",
    "read": "read",
    "sent": "send",
    "threw": "throw",
    "thrown": "throw",
    "used": "use",
    "using": "use",
    "went": "go",
    "written": "write",
    "wrote": "write",
}
# Letters that must remain of a word whose ending is cut off, so that "used" is not "us".
_SHORTEST_STEM: Final = 3
_VOWELS: Final = frozenset("aeiouy")
# Doubled before an ending ("stopped"), but not the "ll" and "ss" of "call" and "pass".
_UNDOUBLED: Final = frozenset("bdgmnprt")
_DISTINCT_WORDS: Final = 1 << 14


class Meaning(NamedTuple):
    """What a word means.

    Attributes:
        concept: One stem for all synonyms, and for a word and its denial; empty for words that
            carry nothing.
        is_denial: Whether the word denies, by itself or as the denial of its concept.
    """

    concept: str
    is_denial: bool


@lru_cache(maxsize=_DISTINCT_WORDS)
def meaning_of(word: str) -> Meaning:
    """Look up what a word in lower case means."""
    if word in NEGATIONS:
        return Meaning("", is_denial=True)
    if word in STOP_WORDS:
        return Meaning("", is_denial=False)
    plain = stem(word)
    if plain in _DENIED:
        return Meaning(_DENIED[plain], is_denial=True)
    return Meaning(_HEAD_OF.get(plain, plain), is_denial=False)


def is_verb(word: str) -> bool:
    """Tell whether a word is a verb that is known."""
    return word in _AUXILIARIES or meaning_of(word).concept in _VERBS


def find_phrase(stems: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    """Find the longest phrase that stems begin with: its length, and the words that mean it.

    The length is 0 where there is none.
    """
    longest: tuple[int, tuple[str, ...]] = (0, ())
    for phrase, words in _PHRASES_FROM.get(stems[0], ()):
        size = len(phrase)
        if size > longest[0] and tuple(stems[:size]) == phrase:
            longest = (size, words)
    return longest


def are_opposed(word: str, words: frozenset[str]) -> bool:
    """Tell whether one of some concepts cannot hold where another one holds."""
    return not words.isdisjoint(_OPPOSITES_OF.get(word, ()))


@lru_cache(maxsize=_DISTINCT_WORDS)
def stem(word: str) -> str:
    """Cut the inflection off an English word in lower case: "raises" and "raising" are "rais"."""
    plain = _IRREGULAR.get(word, word)
    plain = _without_plural(plain)
    for ending in ("ing", "ed", "ly"):
        rest = plain.removesuffix(ending)
        if rest != plain and len(rest) >= _SHORTEST_STEM and not _VOWELS.isdisjoint(rest):
            plain = _undoubled(rest)
            break
    if len(plain) > _SHORTEST_STEM:
        return plain.removesuffix("e")
    return plain


def _without_plural(word: str) -> str:
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


def _undoubled(word: str) -> str:
    is_doubled = word[-1] == word[-2] and word[-1] in _UNDOUBLED
    return word[:-1] if is_doubled else word


def _stems(text: str) -> tuple[str, ...]:
    return tuple(map(stem, text.split()))


def _lines(table: str) -> Iterator[tuple[str, ...]]:
    for line in table.strip().splitlines():
        yield _stems(line)


def _heads() -> dict[str, str]:
    heads = {}
    for head, *synonyms in _lines(_SYNONYMS):
        heads.update(dict.fromkeys(synonyms, head))
    return heads


def _concepts(words: str) -> frozenset[str]:
    stems = _stems(words)
    return frozenset(_HEAD_OF.get(word, word) for word in stems)


def _denied(heads: dict[str, str]) -> dict[str, str]:
    return {denial: heads.get(word, word) for word, denial in _lines(_COMPLEMENTS)}


def _opposites(heads: dict[str, str]) -> dict[str, frozenset[str]]:
    opposites: dict[str, frozenset[str]] = {}
    for pair in _lines(_OPPOSITES):
        first, second = (heads.get(word, word) for word in pair)
        opposites[first] = opposites.get(first, frozenset()) | {second}
        opposites[second] = opposites.get(second, frozenset()) | {first}
    return opposites


def _phrases() -> dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]]:
    phrases: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
    for line in _PHRASES.strip().splitlines():
        phrase, _, words = line.partition("=")
        stems = _stems(phrase)
        phrases.setdefault(stems[0], []).append((stems, tuple(words.split())))
    return phrases


STOP_WORDS: Final = frozenset(_STOP_WORDS.split())
NEGATIONS: Final = frozenset(_NEGATIONS.split())
TRUTH_WORDS: Final = frozenset(_TRUTH_WORDS.split())
_HEAD_OF: Final = _heads()
_DENIED: Final = _denied(_HEAD_OF)
_OPPOSITES_OF: Final = _opposites(_HEAD_OF)
_PHRASES_FROM: Final = _phrases()
PREDICATES: Final = _concepts(_PREDICATES)
_VERBS: Final = PREDICATES | _concepts(_OTHER_VERBS)
