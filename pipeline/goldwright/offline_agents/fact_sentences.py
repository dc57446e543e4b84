"""The sentences that facts are made of: one table by which they are written and by which they are
read.

In a form, ``{s}`` is the subject, ``{t}`` and ``{d}`` are the parts, ``{c}`` is a condition in
words, ``{g}`` the conditions a statement stands under and ``{f}`` the same at the front of the
sentence. Wherever a code piece is, code marks stand around it, so a sentence has one reading.
"""

import re
from collections.abc import Iterator
from typing import Final

from goldwright.offline_agents.behaviours import Behaviour, BehaviourKind
from goldwright.offline_agents.condition_wording import (
    condition_of,
    guards_of,
    worded,
    worded_guards,
)

FORMS: Final[dict[str, tuple[str, ...]]] = {
    "raises": (
        "`{s}` raises `{t}`{g}.",
        "{f}`{s}` raises `{t}`.",
        "`{s}` fails with `{t}`{g}.",
    ),
    "raises+": (
        "`{s}` raises `{t}` with the message “{d}”{g}.",
        "{f}`{s}` raises `{t}` with the message “{d}”.",
        "“{d}” is the message of the `{t}` that `{s}` raises{g}.",
    ),
    "reraises": (
        "`{s}` catches `{t}` and raises it again{g}.",
        "`{s}` lets `{t}` out again after it has caught it{g}.",
    ),
    "swallows": (
        "`{s}` catches `{t}` and drops it without a word{g}.",
        "`{s}` silently swallows `{t}`{g}.",
        "A `{t}` that `{s}` catches is neither logged nor raised again{g}.",
    ),
    "returns": (
        "`{s}` returns `{t}`{g}.",
        "{f}`{s}` returns `{t}`.",
        "What `{s}` gives back is `{t}`{g}.",
    ),
    "otherwise": (
        "`{s}` otherwise returns `{t}`{g}.",
        "If nothing ended it before, `{s}` returns `{t}`{g}.",
    ),
    "stops": ("`{s}` returns early without a value{g}.", "{f}`{s}` returns early without a value."),
    "yields": ("`{s}` yields `{t}`{g}.", "{f}`{s}` yields `{t}`."),
    "calls": ("`{s}` calls `{t}`{g}.", "{f}`{s}` calls `{t}`.", "`{t}` is called by `{s}`{g}."),
    "passes": ("`{s}` passes `{d}` to `{t}`{g}.", "{f}`{s}` calls `{t}` with `{d}`."),
    "sets": (
        "`{s}` sets `{t}` to `{d}`{g}.",
        "{f}`{s}` sets `{t}` to `{d}`.",
        "`{s}` stores `{d}` in `{t}`{g}.",
    ),
    "loops": ("`{s}` loops over `{t}`{g}.", "`{s}` goes through `{t}` one `{d}` at a time{g}."),
    "holds": (
        "`{s}` holds `{t}` while it works{g}.",
        "`{s}` takes `{t}` for the duration of a `with` block{g}.",
    ),
    "enters": ("`{s}` runs a block inside `with {t}`{g}.", "`{s}` enters the context `{t}`{g}."),
    "opens": ("`{s}` runs `{t}` outside any `with` block{g}.",),
    "warns": ("`{s}` warns “{d}” through `{t}`{g}.", "{f}`{s}` warns “{d}” through `{t}`."),
    "logs": ("`{s}` logs “{d}” through `{t}`{g}.", "{f}`{s}` logs “{d}” through `{t}`."),
    "asserts": ("`{s}` asserts `{t}`{g}.",),
    "checks": ("`{s}` checks whether {c}{g}.", "`{s}` branches on whether {c}{g}."),
    "rebinds": ("`{s}` rebinds the global `{t}`{g}.",),
    "unlocked": ("`{s}` writes `{t}` without holding a lock{g}.",),
    "default": (
        "The parameter `{t}` of `{s}` defaults to `{d}`.",
        "`{s}` takes `{d}` for `{t}` when the caller leaves it out.",
    ),
    "mutable_default": (
        "The default `{t}={d}` of `{s}` is one mutable object that all calls share.",
    ),
    "requires": ("`{s}` has no default for `{t}`.",),
    "decorated": ("`{s}` is decorated with `@{t}`.", "The decorator `@{t}` is applied to `{s}`."),
    "inherits": ("`{s}` derives directly from `{t}`.", "`{t}` is a direct base class of `{s}`."),
    "attribute": (
        "`{s}` sets the class attribute `{t}` to `{d}`.",
        "The class attribute `{t}` of `{s}` is `{d}`.",
    ),
    "field": ("`{s}` declares the field `{t}` as `{d}`.",),
    "defines": ("`{s}` brings its own `{t}`.", "`{t}` is defined in the body of `{s}`."),
    "abstract": ("`{s}` leaves `{t}` to its subclasses.",),
    "bound": ("`{s}` is bound to `{t}`.",),
    "entry": ("`{s}` maps `{t}` to `{d}`.", "Under the key `{t}`, `{s}` holds `{d}`."),
    "listed": ("`{t}` is one of the elements of `{s}`.", "`{s}` contains `{t}`."),
    "result": (
        "`{s}` returns the result of a call of `{t}`{g}.",
        "{f}`{s}` hands on what `{t}` returns.",
    ),
    "changes": ("`{s}` gives `{t}` a new value{g}.", "{f}`{s}` assigns to `{t}`."),
    "refers": ("`{s}` makes use of `{t}`.", "`{t}` is one of the names that `{s}` uses."),
    "literal": ("The value of `{s}` is a literal of type `{t}`.",),
    "made": (
        "The value of `{s}` is made by a call of `{t}`.",
        "`{s}` holds what a call of `{t}` returns.",
    ),
    "placed": ("`{s}` is assigned at the level of its `{t}`, not inside a function.",),
    "never": (
        "`{s}` has no `{t}` statement of its own.",
        "No `{t}` statement stands in `{s}` itself.",
    ),
    "order": (
        "`{s}` calls `{t}` before `{d}`.",
        "In `{s}`, the call of `{t}` comes before that of `{d}`.",
    ),
}

_SLOTS: Final = {
    "s": r"(?P<s>[^`]+)",
    "t": r"(?P<t>[^`]+)",
    "d": r"(?P<d>[^`]+)",
    "g": r"(?P<g> (?:when `|for each `|as long as `|after catching `|on one of ).+)?",
    "f": r"(?:(?P<f>(?:When `|For each `|As long as `|After catching `|On one of ).+), )?",
    "c": r"(?P<c>(?:[^`]|`[^`]*`)+?)",
}


def write(behaviour: Behaviour, choice: int, *, otherwise: bool = False) -> str:
    """Write a behaviour as a sentence, in the form that ``choice`` (any number) falls on."""
    key = _key(behaviour, otherwise=otherwise)
    forms = FORMS[key]
    guards = worded_guards(behaviour.guards)
    usable = [form for form in forms if guards or "{f}" not in form]
    form = usable[choice % len(usable)]
    return form.format(
        s=behaviour.subject,
        t=behaviour.text,
        d=behaviour.detail,
        c=worded(behaviour.text),
        g=f" {guards}" if guards else "",
        f=f"{guards[:1].upper()}{guards[1:]}, " if guards else "",
    )


def readings(sentence: str) -> Iterator[Behaviour]:
    """Yield what a sentence can say, without lines; nothing when it is in none of the forms."""
    for kind, pattern in _PATTERNS:
        if match := pattern.fullmatch(sentence.strip()):
            behaviour = _behaviour(kind, match.groupdict())
            if behaviour is not None:
                yield behaviour


def is_writable(behaviour: Behaviour) -> bool:
    """Tell whether a behaviour survives being written and read again."""
    pieces = [
        behaviour.text,
        behaviour.detail,
        *(part for guard in behaviour.guards for part in (guard.text, guard.detail)),
    ]
    if any("`" in piece or "\n" in piece or "”" in piece or "“" in piece for piece in pieces):
        return False
    return behaviour in set(readings(write(behaviour, 0)))


def _key(behaviour: Behaviour, *, otherwise: bool) -> str:
    if behaviour.kind == "raises" and behaviour.detail:
        return "raises+"
    return "otherwise" if otherwise and behaviour.kind == "returns" else behaviour.kind


def _behaviour(kind: BehaviourKind, parts: dict[str, str | None]) -> Behaviour | None:
    front, behind = parts.get("f"), parts.get("g")
    words = (front[:1].lower() + front[1:]) if front else (behind or "").strip()
    guards = guards_of(words)
    condition = parts.get("c")
    text = condition_of(condition) if condition else parts.get("t")
    if guards is None or text is None:
        return (
            None
            if guards is None or kind != "stops"
            else Behaviour(kind, parts["s"] or "", guards=guards)
        )
    return Behaviour(kind, parts["s"] or "", text, parts.get("d") or "", guards)


def _pattern(form: str) -> re.Pattern[str]:
    pieces = re.split(r"\{([a-z])\}", form)
    written = [
        re.escape(piece) if number % 2 == 0 else _slot(piece, form)
        for number, piece in enumerate(pieces)
    ]
    return re.compile("".join(written))


def _slot(name: str, form: str) -> str:
    return r"(?P<d>[^”]+)" if name == "d" and "“{d}”" in form else _SLOTS[name]


def _kind(key: str) -> BehaviourKind:
    named: dict[str, BehaviourKind] = {"raises+": "raises", "otherwise": "returns"}
    return named.get(key, key)  # type: ignore[arg-type]  # the other keys are the kinds themselves


_PATTERNS: Final = tuple(
    (_kind(key), _pattern(form)) for key, forms in FORMS.items() for form in forms
)
