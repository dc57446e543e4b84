"""What a sentence says beside its clauses: of each thing that it lists, and of all others.

"Only `a` and `b` call `f`, and neither of them catches the `E`" says that `f` is called by `a`,
`b` and nobody else, and that an `E` out of `f` passes through `a` and through `b`. Each such
statement is read as a sentence of its own. The rules look at the shape of a sentence: its words,
with a letter and a number for each piece of code.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from goldwright.evaluation.answers.answer_shapes import (
    CODE,
    LIST,
    NAME,
    NAMES,
    NOBODY_ELSE,
    PATH,
    PLACED,
    TEXT,
    THE,
    SentenceShape,
    Spoken,
    letter_of,
    plain_token,
)
from goldwright.evaluation.answers.answer_tokens import Sentence
from goldwright.evaluation.answers.answer_words import meaning_of
from goldwright.evaluation.answers.caller_entailments import called_as, done_alone, only_callers
from goldwright.evaluation.answers.error_entailments import (
    catchers,
    end_of_error,
    fates,
    guarded,
    turns,
    uncaught,
)

_HOLD: Final = "(?:holds?|contains?|has|have|says?|logs?|raises?|produces?|prints?|uses?|emits?)"
_APPOSITION: Final = re.compile(rf"\b({NAME}) in ({PATH})\b")
_DUTY: Final = re.compile(
    rf"\b(?:derive|inherit) from ({NAME})\b.*? (define|override|implement) "
    rf"(?:the methods? )?({LIST}) , which (?:is|are) ((?:not )?\w+)"
)
_STATEMENT: Final = re.compile(
    rf"\bin (?P<name>{NAME}){PLACED} , (?P<line>v\d+) (?:is|stands|runs)\b"
    rf"|\babove (?P<below>v\d+) says in (?P<holder>{NAME})"
)
_ASSIGNMENT: Final = re.compile(r"([^\W\d][\w.]*) = ([^=].*)", re.DOTALL)
_TAKEN: Final = re.compile(
    rf"\b({NAME}){PLACED}(?: , which)? (?:takes|accepts|receives|has) {THE}({NAME})\b"
)
_GIVEN: Final = re.compile(rf"\b(?:gives?|pass|passes|hands?) {THE}({NAME}) to ({NAME})\b")
_HANDED_ON: Final = re.compile(
    r"\b(?:(?:hands?|pass|passes|gives?|forwards?) (?:it|that|this)|"
    r"(?:it|that|this) is (?:handed|passed|given|forward(?:ed)?)) "
    rf"(?:(?:on|over|along|down) )?to ({LIST})"
)
_NO_OTHER_TAKES: Final = re.compile(
    rf"\b{NOBODY_ELSE} (?:takes|accepts|has) (?:it|(?:a|that|this|such a|any) parameter)\b"
)
_NO_OTHER_HOLDS: Final = re.compile(
    rf"\b{NOBODY_ELSE} {_HOLD} (?:it|(?:that|this|the same) (?:text|message|string|words?|line))\b"
)
_LIKEWISE: Final = re.compile(rf"^({LIST}) (.*?)(?: ,)? and so (?:does|do|is|are) ({LIST})(?= |$)")
_SUBCLASSES: Final = re.compile(
    rf"\b({NAME}){PLACED} has (?:the |as )?direct subclass(?:es)? ({LIST})(?: ,)? "
    r"and (?:no|none) other"
)
_EACH: Final = re.compile(
    rf"\b(?:each|all|both|every one) of (?:them|these|those) (\w+) ({LIST})(?= |$)"
)
_OVERRIDERS: Final = re.compile(rf"^(of the methods that {NAME} defines ,) (.* ; .*)")
_DEFINERS: Final = re.compile(
    rf"^(of the direct subclasses of {NAME} , only {LIST} defines?) ({LIST})(?= |$)"
)
_EVERY_DEFINES: Final = re.compile(
    rf"^(every direct subclass of {NAME} defines?) ({LIST}) (: {LIST})(?= |$)"
)
_DEFAULTS: Final = re.compile(
    rf"\bin ({NAME}) ,? ?((?:{NAME} is {CODE}(?: ,)?(?: and)? )+)"
    r"unless (?:they|these|those)(?: are)? (?:given|passed|set|supplied)\b"
)
_SIGNATURE: Final = re.compile(
    rf"\b({NAME}) (?:takes|accepts|has) .*? unless (?:they are )?(?:given|passed) , "
    rf"((?:{NAME} is {CODE}(?: ,)?(?: and)?(?: |$))+)"
)
_DEFAULT_OF: Final = re.compile(
    rf"\b({NAME}) defaults to ({CODE})(?: ,)? and ({NAME}){PLACED} (?:sets|gets|stores)\b"
)
_DEFAULT: Final = re.compile(rf"({NAME}) is ({CODE})")
# One of these stands in each sentence that entails more, but for places, lines and who catches.
_SIGNALS: Final = frozenset(
    "only other others else nobody nothing none neither so each all both every they these those "
    "derive inherit given passed above hands handed defaults as".split()
)
_CATCH_CONCEPT: Final = meaning_of("catch").concept


def entailed_sentences(sentence: Sentence, spoken: Spoken) -> Iterator[Sentence]:
    """Yield what a sentence says beside its clauses, as sentences of their own."""
    if not _may_entail(sentence):
        return
    shape = SentenceShape.of(sentence, spoken)
    for rule in _RULES:
        for line in rule(shape):
            yield [shape.tokens.get(word) or plain_token(word) for word in line.split()]


def _may_entail(sentence: Sentence) -> bool:
    """Whether a sentence has a word that some rule needs; most have none, which saves time."""
    words = {token.text for token in sentence if token.kind == "word"}
    concepts = {token.concept for token in sentence}
    if not _SIGNALS.isdisjoint(words) or _CATCH_CONCEPT in concepts or sentence[0].text == "in":
        return True
    after_in = [second for first, second in pairwise(sentence) if first.text == "in"]
    return any(letter_of(token) == "p" for token in after_in)


def _places(shape: SentenceShape) -> Iterator[str]:
    """Read "`f` in `a.py`" as "`f` is defined in `a.py`"."""
    for name, path in _APPOSITION.findall(shape.text):
        yield f"{name} is defined in {path}"


def _takers(shape: SentenceShape) -> Iterator[str]:
    """Join those who take an argument and hand it on, where no other does."""
    if not _NO_OTHER_TAKES.search(shape.text):
        return
    spoken = f"{shape.before} ; {shape.text}"
    if taking := _TAKEN.search(spoken):
        taker, argument = taking.groups()
    elif giving := _GIVEN.search(spoken):
        argument, taker = giving.groups()
    else:
        return
    takers = [taker]
    for receivers in _HANDED_ON.findall(spoken):
        takers.extend(NAMES.findall(receivers))
    listed = " and ".join(takers)
    yield f"a parameter {argument} is taken by {listed} and by no other function"


def _makers(shape: SentenceShape) -> Iterator[str]:
    """Say of who hands an argument on to ``A.__init__`` that it hands it on to ``A``."""
    taking = _TAKEN.search(shape.text)
    if taking is None:
        return
    taker, argument = taking.groups()
    for receivers in _HANDED_ON.findall(shape.text):
        for receiver in NAMES.findall(receivers):
            owner, _, method = shape.tokens[receiver].text.rpartition(".")
            if method == "__init__" and owner:
                yield f"{taker} hands its parameter {argument} on to {shape.add(owner)}"


def _only_holder(shape: SentenceShape) -> Iterator[str]:
    """Read "no other code holds that text", of the text that was quoted last."""
    texts = re.findall(TEXT, shape.before)
    if shape.holder and texts and _NO_OTHER_HOLDS.search(shape.text):
        yield f"{shape.holder} is the only code that holds the text {texts[-1]}"


def _likewise(shape: SentenceShape) -> Iterator[str]:
    """Read "`a` calls `f`, and so does `b`"."""
    for _, predicate, other_names in _LIKEWISE.findall(shape.text):
        yield from (f"{name} {predicate}" for name in NAMES.findall(other_names))


def _members(shape: SentenceShape) -> Iterator[str]:
    """Say of each member of a complete family what each of them does."""
    for base, members in _SUBCLASSES.findall(shape.text):
        for verb, methods in _EACH.findall(shape.text):
            for method in NAMES.findall(methods):
                yield f"every direct subclass of {base} {verb} {method} : {members}"


def _overriders(shape: SentenceShape) -> Iterator[str]:
    """Say of each class by itself what it overrides, and of each method who defines it."""
    for start, listed in _OVERRIDERS.findall(shape.text):
        yield from (f"{start} {part}" for part in listed.split(" ; "))
    for start, methods in _DEFINERS.findall(shape.text):
        yield from (f"{start} {method}" for method in NAMES.findall(methods))
    for start, methods, members in _EVERY_DEFINES.findall(shape.text):
        yield from (f"{start} {method} {members}" for method in NAMES.findall(methods))


def _defaults(shape: SentenceShape) -> Iterator[str]:
    """Give each of several parameters its default."""
    for parameter, value, callee in _DEFAULT_OF.findall(shape.text):
        yield f"the parameter {parameter} of {callee} defaults to {value}"
    for callee, listed in (*_DEFAULTS.findall(shape.text), *_SIGNATURE.findall(shape.text)):
        for parameter, value in _DEFAULT.findall(listed):
            yield f"the parameter {parameter} of {callee} defaults to {value}"


def _duties(shape: SentenceShape) -> Iterator[str]:
    """Read "derive from `A` and define `f`, which is abstract" as what a subclass must do."""
    for base, verb, methods, why in _DUTY.findall(shape.text):
        for method in NAMES.findall(methods):
            yield f"a subclass of {base} must {verb} {method} , which is {why} there"


def _assignments(shape: SentenceShape) -> Iterator[str]:
    """Read a line that is quoted, "in `f`, `x = 1` is there because ...", as what it does."""
    for quoted in _STATEMENT.finditer(shape.text):
        name = quoted["name"] or quoted["holder"]
        line = quoted["line"] or quoted["below"]
        assignment = _ASSIGNMENT.fullmatch(shape.tokens[line].text)
        if assignment is not None:
            target, value = map(shape.add, assignment.groups())
            yield f"{name} sets {target} to {value}"


_RULES: Final = (
    _places,
    only_callers,
    uncaught,
    catchers,
    end_of_error,
    turns,
    fates,
    guarded,
    called_as,
    _takers,
    _makers,
    _only_holder,
    _likewise,
    _members,
    _overriders,
    _defaults,
    done_alone,
    _duties,
    _assignments,
)
