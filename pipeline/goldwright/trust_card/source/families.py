"""Which classes derive from which, in the code that is no test."""

from functools import cached_property

from goldwright.trust_card.source.codebase import CodeReading


class ClassFamilies:
    """The subclasses of every class, as far as imports show them."""

    def __init__(self, code: CodeReading) -> None:
        self._code = code

    def subclasses(self, class_id: str) -> tuple[str, ...]:
        """The classes that derive directly from a class, by id."""
        return tuple(sorted(self._subclasses.get(class_id, ())))

    def descendants(self, class_id: str) -> frozenset[str]:
        """All classes that derive from a class, directly or through others."""
        descendants: set[str] = set()
        stack = [class_id]
        while stack:
            for subclass_id in self._subclasses.get(stack.pop(), ()):
                if subclass_id not in descendants:
                    descendants.add(subclass_id)
                    stack.append(subclass_id)
        return frozenset(descendants)

    def overriding(self, method_id: str) -> frozenset[str]:
        """The methods of descendants that override a method."""
        class_id, _, name = method_id.rpartition(".")
        overriding = set()
        for descendant in self.descendants(class_id):
            member_id = f"{descendant}.{name}"
            if self._code.names.definition(member_id) is not None:
                overriding.add(member_id)
        return frozenset(overriding)

    @cached_property
    def _subclasses(self) -> dict[str, set[str]]:
        subclasses: dict[str, set[str]] = {}
        for definition in self._code.definitions(self._code.product_paths):
            if definition.kind != "class":
                continue
            for base_id in self._code.names.direct_bases(definition.entity_id):
                subclasses.setdefault(base_id, set()).add(definition.entity_id)
        return subclasses
