"""Behaviours as clauses of flowing prose, with their code and, where that would name too much,
without it.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from goldwright.offline_agents.behaviours import Behaviour, PathCondition
from goldwright.offline_agents.condition_wording import worded

Safe = Callable[[str], bool]

_LONGEST_GUARD: Final = 24
_MOST_WORDS: Final = 6
_CODE: Final = re.compile(r"`[^`]+`")
_NAME: Final = re.compile(r"[A-Za-z_][\w.]*")
_STRING: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NOISE: Final = frozenset("self cls not and or is in None True False lambda if else for".split())
_CALLING: Final = frozenset({"calls", "passes", "result", "returns", "yields"})
_NOUNS: Final = {
    "raises": "exception",
    "swallows": "exception",
    "reraises": "exception",
    "sets": "the value of",
    "changes": "the value of",
    "loops": "",
    "holds": "the lock",
    "enters": "the context",
    "inherits": "the base class",
    "decorated": "the decorator",
    "abstract": "the method",
}

_RICH: Final[dict[str, tuple[str, ...]]] = {
    "raises": ("{p} raises `{t}`", "{p} gives up with `{t}`", "{p} answers with `{t}`"),
    "raises+": ("{p} raises `{t}`, saying “{d}”", "{p} gives up with `{t}` and the message “{d}”"),
    "reraises": ("a caught `{t}` is raised again", "{p} catches `{t}` only to raise it again"),
    "swallows": ("a caught `{t}` is dropped without a trace", "{p} swallows `{t}`: nothing is logged, nothing raised"),
    "returns": ("{p} returns `{t}`", "the result is `{t}`", "{p} hands back `{t}`"),
    "stops": ("{p} returns early, without a value", "{p} leaves early and gives nothing back"),
    "yields": ("{p} yields `{t}`", "each round hands out `{t}`"),
    "calls": ("{p} calls `{t}`", "{p} turns to `{t}`", "{p} relies on `{t}`"),
    "passes": ("{p} calls `{t}` with `{d}`", "`{d}` goes to `{t}`"),
    "sets": ("{p} sets `{t}` to `{d}`", "`{t}` becomes `{d}`", "{p} stores `{d}` in `{t}`"),
    "loops": ("{p} loops over `{t}`", "{p} goes through `{t}` item by item"),
    "holds": ("{p} holds `{t}` while it works", "the work is done under `{t}`"),
    "enters": ("part of the work runs inside `with {t}`", "{p} enters the context `{t}`"),
    "opens": ("{p} opens a file by `{t}` outside any `with` block", "`{t}` runs outside any `with` block"),
    "warns": ("{p} warns “{d}”", "a warning goes out that says “{d}”"),
    "logs": ("{p} logs “{d}”", "the log gets the line “{d}”"),
    "asserts": ("{p} asserts `{t}`", "an `assert` insists on `{t}`"),
    "checks": ("{p} checks whether {c}", "much turns on whether {c}"),
    "rebinds": ("{p} rebinds the global `{t}`", "the module's global `{t}` is rebound"),
    "unlocked": ("{p} writes `{t}` with no lock around it", "`{t}` is written without a lock"),
    "default": ("`{t}` defaults to `{d}`", "a caller who leaves `{t}` out gets `{d}`"),
    "mutable_default": ("the default `{t}={d}` is one object that every call shares", "all calls share the mutable default `{t}={d}`"),
    "requires": ("`{t}` has to be given", "there is no default for `{t}`"),
    "decorated": ("it is wrapped by the decorator `@{t}`", "`@{t}` decorates it"),
    "inherits": ("it derives directly from `{t}`", "its direct base class is `{t}`"),
    "attribute": ("its class attribute `{t}` is `{d}`", "the class sets `{t}` to `{d}`"),
    "field": ("it declares the field `{t}` as `{d}`", "the field `{t}` is typed `{d}`"),
    "defines": ("it brings its own `{t}`", "the method `{t}` is its own"),
    "abstract": ("`{t}` is left to its subclasses", "subclasses have to supply `{t}`"),
    "bound": ("the value is `{t}`", "it is bound to `{t}`"),
    "entry": ("`{t}` maps to `{d}`", "the key `{t}` leads to `{d}`"),
    "listed": ("`{t}` is one of its elements", "it contains `{t}`"),
    "result": ("the result is that of a call of `{t}`", "{p} hands on what `{t}` returns"),
    "changes": ("{p} gives `{t}` a new value", "`{t}` is assigned anew"),
    "refers": ("{p} makes use of `{t}`", "`{t}` plays a part as well"),
    "literal": ("the value is a literal of type `{t}`", "it is a plain `{t}`"),
    "made": ("the value is made by calling `{t}`", "it holds what `{t}` returns when called"),
    "placed": ("it is assigned once the {t} is set up, outside any function", "the assignment stands at the level of the {t}"),
    "never": ("there is no `{t}` statement in its own body", "its own body has no `{t}` statement"),
    "order": ("`{t}` is called before `{d}`", "the call of `{t}` comes ahead of that of `{d}`"),
}  # fmt: skip
_PLAIN: Final[dict[str, tuple[str, ...]]] = {
    "raises": ("{p} raises the project's own {w}", "{p} gives up with the project's own {w}"),
    "swallows": ("a caught {w} is dropped without a trace",),
    "reraises": ("a caught {w} is raised again",),
    "result": ("{p} returns what {w} gives it", "the result is what {w} returns"),
    "returns": ("{p} returns what {w} gives it", "the result comes from {w}"),
    "yields": ("{p} yields what {w} gives it",),
    "calls": ("{p} calls on {w}", "{p} hands part of the work to {w}"),
    "passes": ("{p} sets an option of {w} explicitly",),
    "sets": ("{p} updates {w}",),
    "loops": ("{p} goes through {w} item by item",),
    "holds": ("the work is done under {w}",),
    "enters": ("part of the work runs inside {w}",),
    "opens": ("a file is opened outside any `with` block",),
    "asserts": ("an `assert` guards it",),
    "inherits": ("it builds on {w}",),
    "decorated": ("{w} decorates it",),
    "abstract": ("its subclasses have to supply {w}",),
    "changes": ("{p} updates {w}",),
}


def clause(behaviour: Behaviour, pronoun: str, choice: int, safe: Safe) -> str:
    """Say a behaviour as a clause without capital or full stop; empty when no wording is safe."""
    before, behind = guard_clauses(behaviour.guards, safe)
    core = next((text for text in _wordings(behaviour, pronoun, choice) if safe(text)), "")
    if not core:
        return ""
    if before and choice % 2:
        return f"{before}, {core}"
    return f"{core} {behind}".strip()


def guard_clauses(guards: Sequence[PathCondition], safe: Safe) -> tuple[str, str]:
    """Say conditions in front of a clause and behind it; both are empty for none."""
    if not guards:
        return "", ""
    first, *others = dict.fromkeys(_guard(guard, safe) for guard in guards)
    text = " and ".join([first, *(other.removeprefix("when ") for other in others)])
    return text, text


def _guard(guard: PathCondition, safe: Safe) -> str:
    code, detail = spoken_code(guard.text), spoken_code(guard.detail)
    forms = {
        "when": (
            f"when {worded(guard.text)}",
            _in_words(f"when {worded(guard.text)}"),
            "in some cases",
        ),
        "each": (
            f"for each `{guard.detail}` in `{guard.text}`",
            f"for each {detail} of {code}",
            "for each item in turn",
        ),
        "while": (
            f"as long as `{guard.text}` holds",
            f"as long as {code} holds",
            "again and again",
        ),
        "handling": (
            f"after catching `{guard.text}`",
            f"after catching {code}",
            "after an exception was caught",
        ),
        "case": (f"when `{guard.text}` matches `{guard.detail}`", "", "when the pattern matches"),
        "some": ("on one of the paths", "", "on one of the paths"),
    }[guard.kind]
    return next(
        (form for form in forms if form and len(form.split()) <= _LONGEST_GUARD and safe(form)),
        forms[-1],
    )


def _in_words(text: str) -> str:
    """Say a condition with its code spoken; empty when a piece of it is too long for that."""
    pieces = [spoken_code(code) for code in _CODE.findall(text)]
    if any(not piece for piece in pieces):
        return ""
    left = iter(pieces)
    return _CODE.sub(lambda _: next(left), text)


def spoken_code(code: str) -> str:
    """Speak of a piece of code by the words of the names in it, in quotes; empty when there are too
    many or none.
    """
    chains = [chain for chain in _NAME.findall(_STRING.sub("", code)) if chain not in _NOISE]
    words = [word.lower() for chain in chains for word in _WORD.findall(chain.rpartition(".")[2])]
    return f"“{' '.join(words)}”" if 0 < len(words) <= _MOST_WORDS else ""


def _wordings(behaviour: Behaviour, pronoun: str, choice: int) -> list[str]:
    key = "raises+" if behaviour.kind == "raises" and behaviour.detail else behaviour.kind
    rich = _RICH[key]
    plain = _PLAIN.get(behaviour.kind, ())
    forms = [rich[(choice + shift) % len(rich)] for shift in range(len(rich))]
    if key == "raises+":
        forms.extend(_RICH["raises"])
    forms.extend(plain[(choice + shift) % len(plain)] for shift in range(len(plain)))
    words = _purpose(behaviour)
    return [
        form.format(
            p=pronoun, t=behaviour.text, d=behaviour.detail, c=worded(behaviour.text), w=words
        )
        for form in forms
    ]


def _purpose(behaviour: Behaviour) -> str:
    """Speak of a callee, an exception or a value by the words of its name."""
    code = behaviour.text.partition("(")[0] if behaviour.kind in _CALLING else behaviour.text
    noun = _NOUNS.get(behaviour.kind, "the helper")
    return f"{noun} {spoken_code(code)}".strip()
