"""Whether a text means by its names what the code of the cited lines means by them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from goldwright.snapshot.entities import Entity
from goldwright.snapshot.languages.language_catalog import WORDS
from goldwright.snapshot.mentions.cited_code import CitedCode, PlacedUse
from goldwright.snapshot.mentions.scope_resolution import ScopeResolver


@dataclass(frozen=True, slots=True)
class CitedNames:
    """The names on the cited lines.

    Attributes:
        cited: The lines.
        resolver: What names on them mean.
    """

    cited: CitedCode
    resolver: ScopeResolver

    def has_name(self, name: str, *, is_called: bool) -> bool:
        """Return whether a name stands there by itself or as an attribute."""
        if self.cited.has_unread_word(name):
            return True
        for place in self.cited.uses(name):
            if _is_called_alike(place, name, is_called=is_called):
                return True
        # What is called is code, and no data, unless a literal text calls it.
        if is_called:
            return self.cited.has_literal(f"{name}(")
        return self.cited.has_data(name)

    def calls(self, name: str) -> bool:
        """Return whether what goes by a name is called there, by itself or as an attribute."""
        uses = (place.use for place in self.cited.uses(name))
        return any(use.is_called and use.chain[-1] == name for use in uses)

    def has_own_attribute(self, name: str) -> bool:
        """Return whether a name stands there as an attribute of the object that a method is of."""
        for place in self.cited.uses(name):
            chain = place.use.chain
            if len(chain) > 1 and chain[0] in WORDS.receivers and chain[1] == name:
                return True
            # What a class defines is an attribute of its objects.
            if place.use.kind == "definition":
                return True
        return self.cited.has_unread_word(name)

    def has_chain(self, parts: tuple[str, ...], *, is_called: bool) -> bool:
        """Return whether several names stand there joined by dots, or in a literal string."""
        for place in self.cited.uses(parts[-1]):
            if _contains(place, parts, is_called=is_called):
                return True
        return not is_called and self.cited.has_literal(".".join(parts))

    def has_parts(self, parts: tuple[str, ...], *, is_called: bool) -> bool:
        """Whether names stand there apart, and the last one may be an attribute of the others.

        So it is with ``Session.send`` where ``Session`` stands and ``found.send()`` is called.
        """
        *heads, last = parts
        if not self._has_open_attribute(last, is_called=is_called):
            return False
        return all(map(self.is_known, heads))

    def is_known(self, name: str) -> bool:
        """Return whether a name stands there in whatever way, or is called like a class around."""
        if any(self.cited.uses(name)) or self.cited.has_data(name):
            return True
        return self._is_like_class_around(name)

    def has_word(self, name: str) -> bool:
        """Return whether a name stands there in whatever way, be it in a comment."""
        return self.cited.has_word(name) or self.is_known(name)

    def means(self, entities: Iterable[Entity]) -> bool:
        """Return whether the lines belong to an entity, or a name there surely means it."""
        return any(self.cited.defines(entity) or self.resolver.means(entity) for entity in entities)

    def uses_module(self, dotted: str) -> bool:
        """Return whether a module is named there, or something that is imported from it."""
        if self.has_chain(tuple(dotted.split(".")), is_called=False):
            return True
        for origin in self.cited.imported_here():
            module = origin.dotted.rpartition(".")[0]
            # The dots make both begin at a complete part.
            if f".{module}".endswith(f".{dotted}"):
                return True
        return False

    def _has_open_attribute(self, name: str, *, is_called: bool) -> bool:
        """Return whether an attribute is used of an object that may be of any class."""
        for place in self.cited.uses(name):
            chain = place.use.chain
            if len(chain) == 1 or chain[-1] != name:
                continue
            if is_called and not place.use.is_called:
                continue
            if self.resolver.is_open(place):
                return True
        return False

    def _is_like_class_around(self, name: str) -> bool:
        """Whether a variable of the text is called like a class: ``session`` for ``Session``.

        It is a class that the lines belong to.
        """
        squeezed = name.replace("_", "").lower()
        return any(part.lower() == squeezed for part in self._class_names_around())

    def _class_names_around(self) -> Iterator[str]:
        for path in self.cited.paths:
            for entity in self.resolver.codebase.entities_in(path):
                if entity.kind == "class" and self.cited.defines(entity):
                    yield from entity.name.split(".")


def _is_called_alike(place: PlacedUse, name: str, *, is_called: bool) -> bool:
    """Return whether a use of a name can be what a text calls by that name alone."""
    chain = place.use.chain
    if chain[0] == name or not is_called:
        return True
    # An attribute of the own object is handed on, to be called elsewhere.
    is_of_receiver = chain[0] in WORDS.receivers
    is_own = is_of_receiver and chain[1] == name
    return is_own or (place.use.is_called and chain[-1] == name)


def _contains(place: PlacedUse, parts: tuple[str, ...], *, is_called: bool) -> bool:
    """Return whether a chain holds names in a row, and at its end where they are called."""
    chain = place.use.chain
    size = len(parts)
    if is_called:
        return place.use.is_called and chain[-size:] == parts
    starts = range(len(chain) - size + 1)
    return any(chain[start : start + size] == parts for start in starts)
