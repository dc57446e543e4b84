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
    CODES,
    LIST,
    NAME,
    PATH,
    PLACED,
    TEXT,
    SentenceShape,
    Spoken,
    letter_of,
    plain_token,
)
from goldwright.evaluation.answers.answer_tokens import Sentence
from goldwright.evaluation.answers.answer_words import meaning_of

_THE: Final = r"(?:(?:the|a|an|that|this|its) )?"
_CALL: Final = "(?:calls?|invokes?|runs?|executes?|uses?)"
_CATCH: Final = "(?:catch|catches|handles?|intercepts?|traps?)"
_HOLD: Final = "(?:holds?|contains?|has|have|says?|logs?|raises?|produces?|prints?|uses?|emits?)"
_NOBODY_ELSE: Final = (
    r"(?:nobody else|nothing else|no one else|none else|"
    r"no other(?: (?:code|function|method|class|caller|callers|place|one|module))?)"
)
_OF_THEM: Final = "(?:none|neither|each|all|both|every one) of (?:them|these|those)"

# What answers the question before the sentence begins.
_VERDICT: Final = r"(?:[a-z ]+ : )?"
_APPOSITION: Final = re.compile(rf"\b({NAME}) in ({PATH})\b")
_ONLY: Final = re.compile(rf"\bonly ({LIST}){PLACED} ({_CALL}) ({NAME})\b")
_CALLERS: Final = re.compile(rf"\b({LIST}){PLACED} ({_CALL}) ({NAME}){PLACED}(?= |$)")
_NOBODY_DOES: Final = re.compile(
    rf"\b{_NOBODY_ELSE} (?:does|do|{_CALL} (?:it|them|that|this)|{_CALL} ({NAME}))\b"
)
_UNCAUGHT: Final = re.compile(
    rf"\b(?:and|but) (?:(?:none|neither) of (?:them|these|those) {_CATCH}|"
    rf"(?:(?:it|they) )?(?:does|do) not {_CATCH}) {_THE}({NAME})(?: |$)"
)
_UNCAUGHT_FROM: Final = re.compile(
    rf"\b({LIST}) (?:does|do) not {_CATCH} {_THE}({NAME}) "
    rf"(?:out of|from|of|(?:that|which)) ({NAME})\b"
)
_CATCHING: Final = re.compile(
    rf"\b({NAME}){PLACED} {_CATCH} {_THE}({NAME})(?: out of {NAME})? with ({CODE})\b"
)
_ONLY_CATCHES: Final = re.compile(
    rf"\bonly ({NAME}){PLACED} {_CALL} ({NAME})(?: ,)? and (?:it )?{_CATCH} "
    rf"{_THE}({NAME}) with ({CODE})\b"
)
_LETTING: Final = re.compile(rf"\b({LIST}) lets? (?:it|{_THE}({NAME})) through\b")
_CATCHING_LIST: Final = re.compile(
    rf"\b({LIST}){PLACED} {_CATCH} {_THE}({NAME}) with ({CODE})(?= |$)"
)
_RAISING: Final = re.compile(rf"\b({NAME}){PLACED}(?: , which)? (?:raises?|throws?) ({NAME})\b")
_CATCHES_THAT: Final = re.compile(
    rf"\b({NAME}){PLACED} {_CATCH} (?:it|that|this|that error|the error) with ({CODE})\b"
)
_ENDS: Final = re.compile(
    rf"\bends in ({NAME}){PLACED} , which {_CATCH} (?:it|that|this|the error) with ({CODE})\b"
)
_STARTS: Final = re.compile(
    rf"\b(?:it|error) (?:comes|starts) (?:from|in) ({NAME}){PLACED} , which "
    rf"(?:raises?|throws?) ({NAME})\b"
)
_TURNS: Final = re.compile(
    rf"\b({NAME}){PLACED} {_CATCH} {_THE}({CODE})\b.*? "
    rf"and ((?:goes on|leaves) .*?{CODE})(?= |$)"
)
_DUTY: Final = re.compile(
    rf"\b(?:derive|inherit) from ({NAME})\b.*? (define|override|implement) "
    rf"(?:the methods? )?({LIST}) , which (?:is|are) ((?:not )?\w+)"
)
_STATEMENT: Final = re.compile(
    rf"\bin (?P<name>{NAME}){PLACED} , (?P<line>v\d+) (?:is|stands|runs)\b"
    rf"|\babove (?P<below>v\d+) says in (?P<holder>{NAME})"
)
_ASSIGNMENT: Final = re.compile(r"([^\W\d][\w.]*) = ([^=].*)", re.DOTALL)
_ELSEWHERE: Final = re.compile(
    rf"\b(?:where else|wherever else|everywhere else|elsewhere) .*?({NAME}) is called , "
    rf"(?:(?:it|the error|{_THE}{NAME}) is not (?:caught|handled)"
    r"|nothing around the call (?:catches|handles) it)\b"
    rf"|{_NOBODY_ELSE} that calls ({NAME}) {_CATCH} it\b"
)
_GUARDED: Final = re.compile(
    rf"\b({NAME}){PLACED} {_CATCH} {_THE}({CODE}) (?:around only|only around) ({CODES})(?= |$)"
)
_CALLED_AS: Final = re.compile(rf"^({LIST}){PLACED} calls? ({NAME}) as (.+)$")
_CALL_OF: Final = re.compile(rf"(?:({LIST}) as )?({CODE})(?= |$)")
_TAKEN: Final = re.compile(
    rf"\b({NAME}){PLACED}(?: , which)? (?:takes|accepts|receives|has) {_THE}({NAME})\b"
)
_GIVEN: Final = re.compile(rf"\b(?:gives?|pass|passes|hands?) {_THE}({NAME}) to ({NAME})\b")
_HANDED_ON: Final = re.compile(
    r"\b(?:(?:hands?|pass|passes|gives?|forwards?) (?:it|that|this)|"
    r"(?:it|that|this) is (?:handed|passed|given|forward(?:ed)?)) "
    rf"(?:(?:on|over|along|down) )?to ({LIST})"
)
_NO_OTHER_TAKES: Final = re.compile(
    rf"\b{_NOBODY_ELSE} (?:takes|accepts|has) (?:it|(?:a|that|this|such a|any) parameter)\b"
)
_NO_OTHER_HOLDS: Final = re.compile(
    rf"\b{_NOBODY_ELSE} {_HOLD} (?:it|(?:that|this|the same) (?:text|message|string|words?|line))\b"
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
_DONE_ALONE: Final = re.compile(
    rf"^{_VERDICT}(?:it|{NAME}) is ({NAME}){PLACED} that .*? {_NOBODY_ELSE} {_CALL} ({NAME})"
    rf"(?:(?: ,)? and (?:none|nobody) {_CALL} ({LIST}))?"
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
_NAMES: Final = re.compile(NAME)


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


def _only_callers(shape: SentenceShape) -> Iterator[str]:
    """Let "only `a` and `b` call `f`" stand apart from what else its sentence says."""
    for callers, verb, callee in _ONLY.findall(shape.text):
        yield f"only {callers} {verb} {callee}"
    nobody = _NOBODY_DOES.search(shape.text)
    if nobody is None:
        return
    in_front = shape.text[: nobody.start()]
    calls = list(_CALLERS.finditer(in_front))
    if not calls:
        calls = list(_CALLERS.finditer(shape.before))
    if calls:
        callers, verb, callee = calls[-1].groups()
        yield f"only {callers} {verb} {callee}"


def _uncaught(shape: SentenceShape) -> Iterator[str]:
    """Say of each caller that it lets an error through."""
    for callers, error, callee in _UNCAUGHT_FROM.findall(shape.text):
        yield from _passing_through(callers, error, callee)
    for match in _UNCAUGHT.finditer(shape.text):
        calls = list(_CALLERS.finditer(shape.text[: match.start()]))
        if len(calls) == 1:
            callers, _, callee = calls[0].groups()
            yield from _passing_through(callers, match[1], callee)


def _passing_through(callers: str, error: str, callee: str) -> Iterator[str]:
    for caller in _NAMES.findall(callers):
        yield f"{error} out of {callee} passes through {caller} uncaught"


def _catchers(shape: SentenceShape) -> Iterator[str]:
    """Say who catches an error and that no other caller does."""
    for caller, callee, error, clause in _ONLY_CATCHES.findall(shape.text):
        yield f"{error} out of {callee} is caught in {caller} by {clause}"
    raisings = _RAISING.findall(shape.before)
    if len(raisings) == 1:
        callee, error = raisings[0]
        for caller, clause in _CATCHES_THAT.findall(shape.text):
            yield f"{error} out of {callee} is caught in {caller} by {clause}"
    elsewhere = _ELSEWHERE.search(shape.text)
    catching = _CATCHING.findall(shape.text)
    if elsewhere is None or not catching:
        return
    callee = elsewhere[1] or elsewhere[2]
    for caller, error, clause in catching:
        yield f"{error} out of {callee} is caught in {caller} by {clause}"
    callers = " and ".join(dict.fromkeys(caller for caller, _, _ in catching))
    _, error, _ = catching[0]
    yield f"of the code that calls {callee} , only {callers} catch {error} around the call"


def _end_of_error(shape: SentenceShape) -> Iterator[str]:
    """Read "it ends in `g`, which catches it with `except E`" with where it comes from."""
    ends = _ENDS.findall(shape.before)
    starts = _STARTS.findall(shape.text)
    if len(ends) == len(starts) == 1:
        (caller, clause), (callee, error) = ends[0], starts[0]
        yield f"{error} out of {callee} is caught in {caller} by {clause}"


def _turns(shape: SentenceShape) -> Iterator[str]:
    """Read "`f` catches `E` and goes on with the next turn of the loop" as what comes after."""
    for name, error, predicate in _TURNS.findall(shape.text):
        yield f"after {name} has caught {error} , it {predicate}"


def _fates(shape: SentenceShape) -> Iterator[str]:
    """Say of each caller whether an error is caught there, where the callers are told before."""
    calls = _ONLY.search(shape.text)
    if calls is None:
        return
    callee, behind = calls[3], shape.text[calls.end() :]
    catching = _CATCHING_LIST.findall(behind)
    for callers, error, clause in catching:
        for caller in _NAMES.findall(callers):
            yield f"{error} out of {callee} is caught in {caller} by {clause}"
    errors = {error for _, error, _ in catching}
    for callers, named_error in _LETTING.findall(behind):
        error = named_error or (errors.pop() if len(errors) == 1 else "")
        if error:
            yield from _passing_through(callers, error, callee)


def _guarded(shape: SentenceShape) -> Iterator[str]:
    """Read "catches `E` around only `x`" as what the ``try`` holds."""
    for name, error, guarded in _GUARDED.findall(shape.text):
        yield f"the try of {name} that catches {error} holds only {guarded}"


def _called_as(shape: SentenceShape) -> Iterator[str]:
    """Read "`a` and `b` call `f` as `f(1)`; `c` as `f(2)` and `f(3)`", call by call."""
    for functions, callee, calls in _CALLED_AS.findall(shape.text):
        callers = _NAMES.findall(functions)
        for caller_names, call in _CALL_OF.findall(calls):
            callers = _NAMES.findall(caller_names) or callers
            yield from (f"{caller} calls {callee} as {call}" for caller in callers)


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
        takers.extend(_NAMES.findall(receivers))
    listed = " and ".join(takers)
    yield f"a parameter {argument} is taken by {listed} and by no other function"


def _makers(shape: SentenceShape) -> Iterator[str]:
    """Say of who hands an argument on to ``A.__init__`` that it hands it on to ``A``."""
    taking = _TAKEN.search(shape.text)
    if taking is None:
        return
    taker, argument = taking.groups()
    for receivers in _HANDED_ON.findall(shape.text):
        for receiver in _NAMES.findall(receivers):
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
        yield from (f"{name} {predicate}" for name in _NAMES.findall(other_names))


def _members(shape: SentenceShape) -> Iterator[str]:
    """Say of each member of a complete family what each of them does."""
    for base, members in _SUBCLASSES.findall(shape.text):
        for verb, methods in _EACH.findall(shape.text):
            for method in _NAMES.findall(methods):
                yield f"every direct subclass of {base} {verb} {method} : {members}"


def _overriders(shape: SentenceShape) -> Iterator[str]:
    """Say of each class by itself what it overrides, and of each method who defines it."""
    for start, listed in _OVERRIDERS.findall(shape.text):
        yield from (f"{start} {part}" for part in listed.split(" ; "))
    for start, methods in _DEFINERS.findall(shape.text):
        yield from (f"{start} {method}" for method in _NAMES.findall(methods))
    for start, methods, members in _EVERY_DEFINES.findall(shape.text):
        yield from (f"{start} {method} {members}" for method in _NAMES.findall(methods))


def _defaults(shape: SentenceShape) -> Iterator[str]:
    """Give each of several parameters its default."""
    for parameter, value, callee in _DEFAULT_OF.findall(shape.text):
        yield f"the parameter {parameter} of {callee} defaults to {value}"
    for callee, listed in (*_DEFAULTS.findall(shape.text), *_SIGNATURE.findall(shape.text)):
        for parameter, value in _DEFAULT.findall(listed):
            yield f"the parameter {parameter} of {callee} defaults to {value}"


def _done_alone(shape: SentenceShape) -> Iterator[str]:
    """Read "it is `f` that deletes files; no other code calls `os.remove`" as who calls it."""
    for function, callee, uncalled in _DONE_ALONE.findall(shape.text):
        yield f"in code , {callee} is called in {function} and nowhere else"
        if uncalled:
            yield f"code calls {callee} , and never {uncalled}"


def _duties(shape: SentenceShape) -> Iterator[str]:
    """Read "derive from `A` and define `f`, which is abstract" as what a subclass must do."""
    for base, verb, methods, why in _DUTY.findall(shape.text):
        for method in _NAMES.findall(methods):
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
    _only_callers,
    _uncaught,
    _catchers,
    _end_of_error,
    _turns,
    _fates,
    _guarded,
    _called_as,
    _takers,
    _makers,
    _only_holder,
    _likewise,
    _members,
    _overriders,
    _defaults,
    _done_alone,
    _duties,
    _assignments,
)
