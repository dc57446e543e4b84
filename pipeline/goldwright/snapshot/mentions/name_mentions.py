"""Finding what a word names among the entities and modules of a codebase."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.entities import Entity
from goldwright.snapshot.identifiers import BRANDS, is_acronym, is_code_shaped
from goldwright.snapshot.languages.language_catalog import WORDS, is_special_name
from goldwright.snapshot.mentions.code_words import CodeWord
from goldwright.snapshot.mentions.entity_lookup import entities_below, entities_named
from goldwright.snapshot.mentions.mention_types import SELF, Mention, mention_of
from goldwright.snapshot.mentions.path_lookup import PathLookup

# Names joined by dots; a digit in front makes a number or a version of it.
_CHAIN: Final = re.compile(r"(?<!\w)[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_MODULE_NOUNS: Final = frozenset(
    {"module", "modules", "package", "packages", "subpackage", "submodule"}
)
_TOP_LEVEL_DOMAINS: Final = frozenset({"com", "dev", "io", "net", "org"})
# Between a small letter and a capital, and before the last capital of several.
_CAMEL_JOINT: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True)
class NameMentionFinder:
    """Finds what names mean in one codebase, alone or joined by dots."""

    codebase: Codebase
    lookup: PathLookup

    def find(self, text: str, word: CodeWord) -> Iterator[Mention]:
        """Yield what the names in a text mean, in their order; ``word`` says how it is marked."""
        # Only a name of the codebase itself may hold a hyphen, as the module ``my-tool.main``.
        if "-" in text and "." in text and (entities := entities_named(self.codebase, text)):
            yield mention_of(text, "dotted", word, entities, is_called=word.is_called)
            return
        uncalled = _uncalled(word)
        for match in _CHAIN.finditer(text.replace("\\", "/")):
            # A parenthesis that follows the word calls its last name alone.
            is_last = match.end() == len(text)
            yield from self._find_chain(match, text, word if is_last else uncalled)

    def _find_chain(self, match: re.Match[str], text: str, word: CodeWord) -> Iterator[Mention]:
        chain = match[0]
        parts = chain.split(".")
        if len(parts) > 1:
            yield from self._find_dotted(parts, word)
        elif word.is_attribute and match.start() <= 1:
            # The dot stands in front of the word or is its first character.
            yield from self._find_member(chain, word, receiver="")
        else:
            core = text.strip("./~")
            is_whole = word.is_lone and len(chain) == len(core)
            is_marked = word.is_in_expression or is_whole
            yield from self._find_simple(chain, word, is_marked=is_marked)

    def _find_simple(self, name: str, word: CodeWord, *, is_marked: bool) -> Iterator[Mention]:
        """Find what a name without dots means."""
        # Between code marks nothing is emphasized: an attribute may well be called ``_cache_``.
        if not word.is_in_code and not self.codebase.named(name):
            name = _without_emphasis(name)
        if name in WORDS.names or is_special_name(name):
            return
        if not (is_marked or word.is_called or is_code_shaped(name)):
            return
        # MD5 is a word of the trade, unless it is marked as code.
        if name.lower() in BRANDS and not (word.is_in_code or word.is_called):
            return
        if entities := self._named_or_plural(name):
            yield mention_of(name, "name", word, entities, is_called=word.is_called)
        elif word.next_word in _MODULE_NOUNS and (paths := self.lookup.modules(name)):
            yield mention_of(name, "path", word, paths=paths)
        elif _is_claimed(name, word, is_marked=is_marked):
            yield mention_of(name, "name", word, is_called=word.is_called)

    def _named_or_plural(self, name: str) -> tuple[Entity, ...]:
        entities = self.codebase.named(name)
        if not entities and name.endswith("s") and is_code_shaped(name):
            return self.codebase.named(name[:-1])
        return entities

    def _find_dotted(self, parts: list[str], word: CodeWord) -> Iterator[Mention]:
        # Of ``Session.__name__`` the class is what the text names.
        while len(parts) > 1 and is_special_name(parts[-1]):
            if entities_named(self.codebase, ".".join(parts)):
                break
            parts = parts[:-1]
            word = _uncalled(word)
        if parts[0] in WORDS.receivers:
            yield from self._find_on_self(parts[1:], word)
        elif len(parts) == 1:
            yield from self._find_simple(parts[0], word, is_marked=word.is_in_code)
        else:
            yield from self._find_by_beginning(parts, word)

    def _find_on_self(self, parts: list[str], word: CodeWord) -> Iterator[Mention]:
        """Find ``self.name``, and of ``self.name.last`` both ends."""
        if len(parts) == 1:
            yield from self._find_member(parts[0], word, receiver=SELF)
        elif parts:
            first, last = parts[0], parts[-1]
            yield from self._find_member(first, _uncalled(word), receiver=SELF)
            yield from self._find_member(last, word, receiver="")

    def _find_by_beginning(self, parts: list[str], word: CodeWord) -> Iterator[Mention]:
        """Find the longest beginning of a chain that names an entity or a module."""
        chain = ".".join(parts)
        for length in range(len(parts), 1, -1):
            beginning = ".".join(parts[:length])
            tail = ".".join(parts[length:])
            if entities := entities_named(self.codebase, beginning):
                is_called = word.is_called
                yield mention_of(chain, "dotted", word, entities, is_called=is_called, tail=tail)
                return
            if paths := self.lookup.modules(beginning):
                yield self._in_module(chain, tail, paths, word)
                return
        yield from self._find_by_head(parts, word)

    def _in_module(self, chain: str, tail: str, paths: frozenset[str], word: CodeWord) -> Mention:
        """Find what follows the name of a module; the module itself where that names nothing."""
        if entities := entities_below(self.codebase, paths, tail):
            return mention_of(chain, "dotted", word, entities, is_called=word.is_called)
        return mention_of(chain, "path", word, paths=paths, tail=tail)

    def _find_by_head(self, parts: list[str], word: CodeWord) -> Iterator[Mention]:
        """Find a chain whose first name alone is known, as a package, class or variable."""
        chain = ".".join(parts)
        head, _, tail = chain.partition(".")
        if entities := entities_below(self.codebase, self._packages(head), tail):
            yield mention_of(chain, "dotted", word, entities, is_called=word.is_called)
        elif classes := self._classes(head):
            if not self._is_of_standard_module(parts, classes):
                yield self._member_of(classes, parts, word)
        elif head not in WORDS.standard_modules and head not in WORDS.names:
            yield from self._find_attribute(parts, word)

    def _is_of_standard_module(self, parts: list[str], classes: tuple[Entity, ...]) -> bool:
        """Check whether ``email.utils.parsedate`` is the library's and of no class ``email``."""
        if len(parts) == 2 or parts[0] not in WORDS.standard_modules:  # one dot is an attribute
            return False
        attribute_name = parts[1]
        owners = {f"{entity.name}.{attribute_name}" for entity in classes}
        return not any(member.name in owners for member in self._members(attribute_name))

    def _member_of(self, classes: tuple[Entity, ...], parts: list[str], word: CodeWord) -> Mention:
        """Find the member of a class, which may be that of a base class of whatever name."""
        chain = ".".join(parts)
        last = parts[-1]
        if members := self._members(last):
            return mention_of(chain, "member", word, members, is_called=word.is_called)
        return mention_of(chain, "member", word, classes, is_called=word.is_called, tail=last)

    def _find_attribute(self, parts: list[str], word: CodeWord) -> Iterator[Mention]:
        """Find an attribute of a variable; where no class has it, what the text claims."""
        members = tuple(self._find_member(parts[-1], word, receiver=parts[0]))
        yield from members
        if not members and _is_claimed_chain(parts, word):
            yield mention_of(".".join(parts), "dotted", word, is_called=word.is_called)

    def _packages(self, name: str) -> tuple[str, ...]:
        modules = self.lookup.modules(name)
        return tuple(path for path in modules if path.endswith("/"))

    def _classes(self, name: str) -> tuple[Entity, ...]:
        namesakes = self.codebase.named(name)
        return tuple(entity for entity in namesakes if entity.kind == "class")

    def _members(self, name: str) -> tuple[Entity, ...]:
        namesakes = self.codebase.named(name)
        return tuple(entity for entity in namesakes if entity.parent_name)

    def _find_member(self, name: str, word: CodeWord, *, receiver: str) -> Iterator[Mention]:
        """Find an attribute of an object.

        ``receiver`` is ``SELF``, the name of a variable, or empty where the text gives none.
        """
        if is_special_name(name):
            return
        is_shaped = is_code_shaped(name)
        is_telling = is_shaped or (word.is_called and name not in WORDS.object_methods)
        is_claimed = _is_marked(word) and _is_own_word(name)
        if not receiver and not is_telling and not is_claimed:
            return
        text = f"{receiver}.{name}" if receiver else name
        # ``self.name`` and ``name()`` use something, even where it does not exist.
        is_use = word.is_called or receiver == SELF
        if receiver == SELF:
            members = self._members(name)
        else:
            members = self._members_of_variable(receiver, name, is_telling=is_telling)
        if members:
            yield mention_of(text, "member", word, members, is_called=word.is_called)
            return
        is_invented = is_shaped and not self.codebase.named(name)
        is_use_of_something = is_use and (is_claimed or is_invented)
        if is_use_of_something or (is_claimed and not receiver):
            yield mention_of(text, "member", word, is_called=word.is_called)

    def _members_of_variable(
        self, variable: str, name: str, *, is_telling: bool
    ) -> tuple[Entity, ...]:
        """Find what an attribute of a variable can be; of any object if the variable has no name.

        Where the variable is called like a class, its members come first.
        """
        namesakes = self.codebase.named(name)
        if not variable:
            return namesakes
        owned = tuple(entity for entity in namesakes if _is_instance_name(variable, entity))
        if owned or not is_telling:
            return owned
        return namesakes


def _uncalled(word: CodeWord) -> CodeWord:
    """Give a word as if no parenthesis followed it."""
    if not word.is_called:
        return word
    return replace(word, is_called=False)


def _is_instance_name(variable: str, member: Entity) -> bool:
    """Whether a variable is called like the class of a member: ``session`` for ``Session``."""
    class_name = member.parent_name.rpartition(".")[2]
    snake_case = _CAMEL_JOINT.sub("_", class_name)
    return snake_case.lower() == variable.lower()


def _is_marked(word: CodeWord) -> bool:
    """Return whether code marks make a name of a word, however plain it is."""
    return word.is_in_expression or (word.is_lone and not word.is_template)


def _is_claimed(name: str, word: CodeWord, *, is_marked: bool) -> bool:
    """Return whether a name that means nothing here is written as a name of the code."""
    if not _is_own_word(name):
        return False
    if is_marked:
        return True
    if word.is_called:
        # ``O(n)`` and ``f(x)`` are no code.
        return len(name) > 1
    if word.is_in_code:
        return is_code_shaped(name)
    # In prose, a digit alone makes no name of a word.
    return "_" in name.strip("_") or _has_inner_capital(name)


def _is_claimed_chain(parts: list[str], word: CodeWord) -> bool:
    """Tell the same of names joined by dots, the first of which means nothing either."""
    last = parts[-1]
    if not _is_own_word(last) or last in _TOP_LEVEL_DOMAINS or is_special_name(last):
        return False
    # ``e.g`` is an abbreviation.
    if all(len(part) == 1 for part in parts):
        return False
    if _is_marked(word) or word.is_called:
        return True
    return any("_" in part.strip("_") or _has_inner_capital(part) for part in parts)


def _is_own_word(name: str) -> bool:
    """Rule out words of the trade, of the language and of its library, acronyms and prefixes."""
    if name.lower() in BRANDS or name in WORDS.type_names or name in WORDS.names:
        return False
    if name in WORDS.standard_modules or name in WORDS.object_methods:
        return False
    # ``test_`` is the beginning of names; what has underscores on both sides is one.
    is_prefix = name.endswith("_") and not name.startswith("_")
    if is_prefix or not name.strip("_"):
        return False
    return not is_acronym(name)


def _has_inner_capital(name: str) -> bool:
    return name.isalpha() and is_code_shaped(name)


def _without_emphasis(name: str) -> str:
    """Take Markdown's underscores off: ``__Word__`` and ``_Word_``, but not a special name."""
    if is_special_name(name) or not (name.startswith("_") and name.endswith("_")):
        return name
    return name.strip("_") or name
