"""Rewriting facts by rule: ten ways to say the same, and six to say what is false.

A rule returns None where it has no hold on a text.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

Rewrite = Callable[[str], str | None]

CODE: Final = re.compile(r"`[^`]*`|“[^”]*”")
_NAME: Final = re.compile(r"`([^\W\d]\w*(?:\.\w+)*)`")
_CONDITION_FIRST: Final = re.compile(r"^(When|If|For each) ([^,]+), (.+)\.$")
_PASSIVE: Final = re.compile(r"^(`[^`]+`) is called by (`[^`]+`)(?!,| and)(.*)$")
_ACTIVE: Final = re.compile(r"^(`[^`]+`) calls (`[^`]+`)(?! before| after|,| and)(.*)$")
_SUBJECT: Final = re.compile(r"^(`[^`]+`) (?!is called by)(.+)$")
_SYNONYMS: Final = (
    ("raises", "throws"),
    ("gives back", "returns"),
    ("returns", "hands back"),
    ("calls", "invokes"),
    ("is called by", "is invoked by"),
    ("checks whether", "tests whether"),
    ("branches on whether", "checks whether"),
    ("When ", "If "),
    (" when ", " if "),
    ("the parameter", "the argument"),
    ("The parameter", "The argument"),
    ("is falsy", "is not truthy"),
    ("catching", "handling"),
)
_DENIALS: Final = (
    (" calls ", " does not call "),
    (" is called by ", " is never called by "),
    (" returns ", " does not return "),
    (" gives back is ", " gives back is not "),
    (" raises ", " never raises "),
    (" checks whether ", " does not check whether "),
    (" branches on whether ", " never branches on whether "),
    (" defaults to ", " does not default to "),
    (" sets ", " does not set "),
    (" has no ", " has a "),
    (" is decorated with ", " is not decorated with "),
    (" is applied to ", " is not applied to "),
    (" overrides ", " does not override "),
    (" derives from ", " does not derive from "),
    (" catches ", " never catches "),
)
_INVERSIONS: Final = (
    (" is falsy", " is truthy"),
    (" is truthy", " is falsy"),
    (" is not `None`", " is `None`"),
    (" is `None`", " is not `None`"),
    (" is an instance of ", " is no instance of "),
    (" is no instance of ", " is an instance of "),
)


def without_marks(text: str) -> str:
    """Drop the marks around names; an expression cannot be told from words without them."""
    return _NAME.sub(r"\1", text)


def with_synonyms(text: str) -> str:
    """Put other words of the same meaning, outside code."""
    return _outside_code(text, _synonyms_in)


def in_other_voice(text: str) -> str | None:
    """Turn active into passive, and back."""
    if passive := _PASSIVE.match(text):
        callee, caller, rest = passive.groups()
        return f"{caller} calls {callee}{rest}"
    if active := _ACTIVE.match(text):
        caller, callee, rest = active.groups()
        return f"{callee} is called by {caller}{rest}"
    return None


def condition_last(text: str) -> str | None:
    """Move a condition that stands first behind what it is the condition of."""
    match = _CONDITION_FIRST.match(CODE.sub("\0", text))
    if match is None or "," in match[3]:
        return None
    opener, condition, rest = match.groups()
    pieces = CODE.findall(text)
    count = condition.count("\0")
    moved = f"{rest} {opener.lower()} {condition}."
    return _with_pieces(moved, (*pieces[count:], *pieces[:count]))


def with_short_names(text: str) -> str:
    """Leave the class out of a name."""
    return _NAME.sub(_shortened, text)


def with_calls(text: str) -> str:
    """Write parentheses behind what is called."""
    called = re.sub(r"(calls `[\w.]+)`", r"\1()`", text)
    return re.sub(r"^(`[\w.]+)`( is called by)", r"\1()`\2", called)


def contracted(text: str) -> str:
    """Write "isn't" for "is not"."""
    return _outside_code(text, _contractions_in)


def as_colleague(text: str) -> str:
    """Say it as somebody would who was asked."""
    return f"As far as I can see, {text[0].lower() if text[0] != '`' else '`'}{text[1:]}"


PARAPHRASES: Final[Mapping[str, Rewrite]] = {
    "names unmarked": without_marks,
    "synonyms": with_synonyms,
    "active for passive": in_other_voice,
    "condition behind": condition_last,
    "names without class": with_short_names,
    "call parentheses": with_calls,
    "contractions": contracted,
    "as a colleague": as_colleague,
}


def denied_verb(text: str) -> str | None:
    """Deny what a fact says."""
    return _first_replaced(text, _DENIALS)


def denied_as_a_whole(text: str) -> str:
    """Say that a fact is not true."""
    return f"It is not true that {text[0].lower() if text[0] != '`' else '`'}{text[1:]}"


def inverted_condition(text: str) -> str | None:
    """Turn the first condition into its opposite."""
    return _first_replaced(text, _INVERSIONS)


def swapped_order(text: str) -> str | None:
    """Let come last what comes first."""
    match = re.search(r"(`[^`]+`) (before|after) (`[^`]+`)", text)
    if match is None:
        return None
    first, word, second = match.groups()
    return text.replace(match[0], f"{second} {word} {first}")


def other_number(text: str) -> str | None:
    """Change the first number."""
    match = re.search(r"(?<![\w.])\d+(?![\w.])", text)
    if match is None:
        return None
    number = int(match[0]) + 1
    return f"{text[: match.start()]}{number}{text[match.end() :]}"


def swapped_roles(text: str) -> str | None:
    """Let the callee call the caller."""
    if active := _ACTIVE.match(text):
        caller, callee, rest = active.groups()
        return f"{callee} calls {caller}{rest}"
    if passive := _PASSIVE.match(text):
        callee, caller, rest = passive.groups()
        return f"{caller} is called by {callee}{rest}"
    return None


FALSIFICATIONS: Final[Mapping[str, Rewrite]] = {
    "denied verb": denied_verb,
    "denied as a whole": denied_as_a_whole,
    "condition inverted": inverted_condition,
    "order swapped": swapped_order,
    "another number": other_number,
    "caller for callee": swapped_roles,
}


def in_reverse(facts: Sequence[str]) -> str:
    """Say the last fact first."""
    return " ".join(reversed(facts))


def with_pronouns(facts: Sequence[str]) -> str:
    """Name a subject once, and speak of "it" in the sentences behind it."""
    sentences: list[str] = []
    subject = ""
    for fact in facts:
        match = _SUBJECT.match(fact)
        if match and match[1] == subject:
            sentences.append(f"It {match[2]}")
        else:
            sentences.append(fact)
            subject = match[1] if match else ""
    return " ".join(sentences)


def as_list(facts: Sequence[str]) -> str:
    """Write the facts as a list under a heading."""
    rows = "\n".join(f"- {fact}" for fact in facts)
    return f"In short:\n\n{rows}\n"


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    pieces = CODE.findall(text)
    around = CODE.split(text)
    changed = list(map(change, around))
    parts = [changed[0]]
    for piece, rest in zip(pieces, changed[1:], strict=True):
        parts.extend((piece, rest))
    return "".join(parts)


def _synonyms_in(text: str) -> str:
    for word, synonym in _SYNONYMS:
        if word in text:
            text = text.replace(word, synonym)
            if synonym in {"returns", "checks whether"}:
                # What was just put in is not replaced again.
                break
    return text


def _contractions_in(text: str) -> str:
    return text.replace("does not ", "doesn't ").replace("is not ", "isn't ")


def _shortened(match: re.Match[str]) -> str:
    name = match[1]
    is_class = name[:1].isupper()
    return f"`{name.rpartition('.')[2]}`" if is_class else match[0]


def _first_replaced(text: str, pairs: Sequence[tuple[str, str]]) -> str | None:
    pieces = CODE.findall(text)
    masked = CODE.sub("\0", text)
    for old, new in pairs:
        # Pairs that hold code are looked for in the text as it stands.
        if "`" in old and old in text:
            return text.replace(old, new, 1)
        if old in masked:
            return _with_pieces(masked.replace(old, new, 1), pieces)
    return None


def _with_pieces(masked: str, pieces: Sequence[str]) -> str:
    """Put pieces of code back where they were taken out."""
    for piece in pieces:
        masked = masked.replace("\0", piece, 1)
    return masked
