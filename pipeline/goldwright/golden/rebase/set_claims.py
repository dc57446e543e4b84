"""Sentences that count or close a set, and whether what they count is the same at both commits.

That a function has three callers, or that one module alone reads a variable, rests on code that
the record does not cite. So the sets behind such a sentence are derived again from both commits.
"""

import keyword
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

from goldwright.code_blocks import without_code_blocks
from goldwright.golden.rebase.anchor_targets import AnchorTarget
from goldwright.golden.rebase.anchors import Anchors
from goldwright.golden.rebase.derived_sets import DerivedSets
from goldwright.records import GoldenLabel
from goldwright.snapshot import Snapshot
from goldwright.text import name_some

_ENDS: Final = frozenset(".!?")
_PIECE: Final = re.compile(r"`[^`]*`|“[^”]*”|\"[^\"]*\"|[.!?](?=\s|$)")
# What is counted stands outside the cited lines. What a body does (two exceptions, three steps)
# is no such set: the body is the same text, or the record is not carried.
_SET_NOUNS: Final = (
    r"(?:callers?|calls?|call sites?|subclass(?:es)?|class(?:es)?|implementations?|implementers?"
    r"|members?|readers?|writers?|users?|uses?|usages?|references?|places?|spots?|sites?|packages?"
    r"|modules?|files?|functions?|methods?|tests?|handlers?|instances?|family|families|kinds?"
    r"|options?)"
)
_SET_VERBS: Final = (
    r"(?:call(?:s|ed|ing)?|deriv\w+|implement\w*|inherit\w*|overrid\w*|reads?|writes?|uses?|used"
    r"|refers?|referred|imports?|imported|registers?|registered)"
)
_SETS: Final = re.compile(
    rf"\b(?:{_SET_NOUNS}|{_SET_VERBS}|repository|codebase|project|elsewhere|anywhere|nowhere"
    r"|everywhere|nobody)\b",
    re.IGNORECASE,
)
_NUMBERS: Final = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen)"
_COUNTS_OR_CLOSES: Final = re.compile(
    r"\b(?:only|every|everywhere|all|each|none|nobody|nothing|never|nowhere|elsewhere|sole|solely"
    r"|exactly|alone|both|no other|no one|anywhere else|nothing else)\b"
    # A number, "no" or "which" counts what stands behind it, an adjective or two in between.
    rf"|\b(?:{_NUMBERS}|no|which|single|several|many|other)\s+(?:[\w-]+\s+){{0,2}}?{_SET_NOUNS}\b",
    re.IGNORECASE,
)
# Who asks for the one place counts nothing.
_ONE_PLACE: Final = re.compile(
    r"\b(?:which|what)\s+(?:[\w-]+\s+)?(?:call|class|file|function|method|module|place|test)\b",
    re.IGNORECASE,
)
_IN_FILE: Final = re.compile(
    r"\b(?:functions|methods|classes|members|names)\s+(?:in|of)\s+(?:the|this|that|its)\s+"
    r"(?:file|module|class|package)\b",
    re.IGNORECASE,
)
_IMPORTS: Final = re.compile(r"\bimport", re.IGNORECASE)
_CODE: Final = re.compile(r"`([^`]+)`")
# Code, and what the code says by itself, as in an error message.
_QUOTED: Final = re.compile(r"`[^`]+`|“[^”]*”|\"[^\"]*\"")
_ALONE: Final = re.compile(r"[\"']?[^\W\d]\w*(?:\.[^\W\d]\w*)*[\"']?")
# They stand everywhere, and nobody counts them.
_NO_NAMES: Final = frozenset({*keyword.kwlist, "self", "cls"})
_DOTTED: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


class SetClaims:
    """The sentences of one record that speak of sets beyond its citations."""

    def __init__(
        self, label: GoldenLabel, targets: Mapping[str, AnchorTarget], anchors: Anchors
    ) -> None:
        """Read a record.

        Args:
            label: The record at the old commit.
            targets: Where each entity of the record is now, by its old id, as far as it is known.
            anchors: The two commits.
        """
        self._label = label
        self._targets = targets
        self._anchors = anchors
        self._derived = DerivedSets(label, targets, anchors)

    def stale(self) -> dict[str, str]:
        """Give the claims whose sets have changed, each with what is another set now."""
        stale: dict[str, str] = {}
        is_derived = False
        for claim_id, text in _texts(self._label):
            before = ""
            for sentence in _sentences(text):
                is_same = self._derived.are_same(sentence, before=before)
                is_derived = is_derived or is_same is True
                change = None if is_same else self._change_of(sentence)
                if change is None and is_same is False:
                    change = self._refutation(sentence, before)
                before = f"{before} {sentence}".strip()
                if change is not None:
                    stale.setdefault(claim_id, change)
        question = self._label.query_text
        # The question asks for the sets of the answer, and these are the same.
        is_answered = is_derived and not stale
        if not is_answered and _counts_or_closes(_ONE_PLACE.sub(" ", question)):
            change = self._change_behind(question)
            if change is not None:
                stale.setdefault("narrative", change)
        return stale

    def _change_of(self, sentence: str) -> str | None:
        """Say what has changed of the set of a sentence that was not derived, or came out other."""
        return self._change_behind(sentence) if _counts_or_closes(sentence) else None

    def _refutation(self, sentence: str, before: str) -> str:
        """Say of a set that was derived and came out other who belongs to it now."""
        newcomers = self._derived.newcomers(sentence, before=before)
        names = [f"`{name}`" for name in newcomers]
        newcomer_text = f", with {name_some(names)}" if names else ""
        return f"the code shows another set now{newcomer_text}: {sentence}"

    def _change_behind(self, sentence: str) -> str | None:
        """Say which uses behind a sentence have changed; None where they have not."""
        words = _words_of(sentence)
        with_imports = _IMPORTS.search(words) is not None
        for name in (*self._names, *self._names_in(sentence)):
            change = self._anchors.uses.change_of(name, with_imports=with_imports)
            if change is not None:
                return f"{change}, and the words count or close a set: {sentence.strip()}"
        if _IN_FILE.search(words) and self._changed_files:
            path = self._changed_files[0]
            return f"{path} defines other names now, and the words count them: {sentence.strip()}"
        return None

    @cached_property
    def _names(self) -> tuple[str, ...]:
        entity_ids = self._label.entity_ids
        names = [entity_id.rpartition("::")[2] for entity_id in entity_ids]
        return tuple(dict.fromkeys(map(_used_name, names)))

    def _names_in(self, sentence: str) -> Iterator[str]:
        """Yield the names in code marks by which entities of either commit are used."""
        for code in _CODE.findall(sentence):
            # A path is no name; what it holds is compared where the words speak of that.
            if "/" in code:
                continue
            # What stands alone in code marks is what is counted: a library's function, a setting.
            is_alone = _ALONE.fullmatch(code) is not None
            for dotted in _DOTTED.findall(code):
                name = _used_name(dotted)
                if name in _NO_NAMES:
                    continue
                if is_alone or self._anchors.old.named(name) or self._anchors.new.named(name):
                    yield name

    @cached_property
    def _changed_files(self) -> tuple[str, ...]:
        """Give the files of the record that define other names than they did."""
        old, new = self._anchors.old, self._anchors.new
        changed = []
        for path in self._label.expected_files:
            new_path = self._anchors.file(path)
            if new_path is None or _names_defined(old, path) != _names_defined(new, new_path):
                changed.append(path)
        return tuple(changed)


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text, none cut inside code or a quotation; what is left, too."""
    start = 0
    for match in _PIECE.finditer(text):
        if match[0] in _ENDS:
            yield text[start : match.end()].strip()
            start = match.end()
    yield text[start:].strip()


def _words_of(sentence: str) -> str:
    """Give what a sentence says in words of its own."""
    return _QUOTED.sub(" ", sentence)


def _counts_or_closes(sentence: str) -> bool:
    """Find out whether a sentence counts or closes a set of what stands elsewhere."""
    words = _words_of(sentence)
    if not sentence.endswith("?"):
        # There it is a verb, and nothing is counted.
        words = words.replace(" which calls ", " ")
    return bool(_COUNTS_OR_CLOSES.search(words) and _SETS.search(words))


def _texts(label: GoldenLabel) -> Iterator[tuple[str, str]]:
    """Yield every text of a record with the id of its claim."""
    yield "narrative", without_code_blocks(label.canonical_narrative)
    for number, text in enumerate(label.must_mention_facts, start=1):
        yield f"fact-{number}", text
    for number, text in enumerate(label.must_not_mention_facts, start=1):
        yield f"not-fact-{number}", text
    for number, entity in enumerate(label.expected_entities, start=1):
        yield f"entity-{number}", entity.rationale


def _used_name(dotted: str) -> str:
    """Give the name by which code uses an entity: its last part, and of a constructor the class."""
    parts = dotted.split(".")
    last_part = parts[-1]
    is_special = last_part.startswith("__") and last_part.endswith("__")
    if is_special and len(parts) > 1:
        return parts[-2]
    return last_part


def _names_defined(snapshot: Snapshot, path: str) -> list[str]:
    return sorted(entity.name for entity in snapshot.entities_in(path))
