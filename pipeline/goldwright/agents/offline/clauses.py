"""Behaviours as clauses of flowing prose, with their code and, where that would name too much, without it."""

from collections.abc import Callable, Sequence
from typing import Final

from goldwright.agents.offline.behaviour import Behaviour, Guard
from goldwright.agents.offline.conditions import worded

Safe = Callable[[str], bool]

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
    "raises": ("{p} raises an exception of the project's own", "{p} gives up with an exception class of the project"),
    "swallows": ("an exception of the project's own is caught and dropped",),
    "reraises": ("a caught exception is raised again",),
    "result": ("{p} returns what a further call gives it", "the result comes out of another call"),
    "returns": ("{p} returns what a further call gives it", "the result comes out of another call"),
    "yields": ("{p} yields one result after another",),
    "calls": ("{p} delegates to {w}", "{p} hands part of the work to {w}"),
    "passes": ("{p} sets an option of {w} explicitly",),
    "sets": ("{p} changes the state of an object it was given", "a value is stored for later use"),
    "loops": ("{p} works through a collection item by item",),
    "holds": ("the work is done under a lock",),
    "enters": ("part of the work runs inside a context manager",),
    "opens": ("a file is opened outside any `with` block",),
    "asserts": ("an `assert` guards it",),
    "inherits": ("it builds on a base class of the project",),
    "decorated": ("a decorator of the project wraps it",),
    "abstract": ("a method is left to its subclasses",),
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


def guard_clauses(guards: Sequence[Guard], safe: Safe) -> tuple[str, str]:
    """Say conditions in front of a clause and behind it; both are empty for none."""
    if not guards:
        return "", ""
    parts = [_guard(guard, safe) for guard in guards]
    text = parts[0] if len(parts) == 1 else " and ".join(parts)
    return text, text


def _guard(guard: Guard, safe: Safe) -> str:
    rich, plain = {
        "when": (f"when {worded(guard.text)}", "when a condition set beforehand is met"),
        "each": (f"for each `{guard.detail}` in `{guard.text}`", "for each item in turn"),
        "while": (f"as long as `{guard.text}` holds", "as long as a condition holds"),
        "handling": (f"after catching `{guard.text}`", "after catching an exception"),
        "case": (f"when `{guard.text}` matches `{guard.detail}`", "when the pattern matches"),
        "some": ("on one of the paths", "on one of the paths"),
    }[guard.kind]
    return rich if safe(rich) else plain


def _wordings(behaviour: Behaviour, pronoun: str, choice: int) -> list[str]:
    key = "raises+" if behaviour.kind == "raises" and behaviour.detail else behaviour.kind
    rich = _RICH[key]
    plain = _PLAIN.get(behaviour.kind, ())
    forms = [rich[(choice + shift) % len(rich)] for shift in range(len(rich))]
    if key == "raises+":
        forms.extend(_RICH["raises"])
    forms.extend(plain[(choice + shift) % len(plain)] for shift in range(len(plain)))
    words = _purpose(behaviour.text)
    return [
        form.format(p=pronoun, t=behaviour.text, d=behaviour.detail, c=worded(behaviour.text), w=words) for form in forms
    ]


def _purpose(callee: str) -> str:
    """Speak of a callee by the words of its name where they are plain; else by its kind only."""
    words = callee.rpartition(".")[2].strip("_").split("_")
    if len(words) > 1 and all(word.isalpha() and word.islower() and len(word) > 1 for word in words):
        return f"a further helper (“{' '.join(words)}”)"
    return "another function of the project"
