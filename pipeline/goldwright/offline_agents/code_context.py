"""What Author and Oracle know of a codebase beside single definitions."""

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property

from goldwright.code_reading.callers import (
    callers_by_name,
    closed_callers,
    may_have_few_callers,
)
from goldwright.code_reading.class_makers import closed_makers
from goldwright.code_reading.contracts import closed_subclasses
from goldwright.code_reading.docstrings import docstring_of, documented_share
from goldwright.code_reading.message_places import places_of_message
from goldwright.code_reading.modules import Function, Module, open_function, open_module
from goldwright.code_reading.name_files import product_files_with
from goldwright.code_reading.word_lines import is_on_few_lines
from goldwright.records import Intent
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import split_entity_id
from goldwright.snapshot.product_code import product_code_among


@dataclass
class CodeContext:
    """Definitions as syntax trees, and sets that are closed by two derivations.

    Attributes:
        snapshot: The codebase.
        answerable: Which questions the code answers, by intent and targets, as far as known.
        reading_costs: How hard the answers are to read, of those that are answerable.
        ranks: Where a search puts the best of some entities, by its words and these, as far as
            known.
    """

    snapshot: Snapshot
    answerable: dict[tuple[Intent, tuple[str, ...]], bool] = field(default_factory=dict, repr=False)
    reading_costs: dict[tuple[Intent, tuple[str, ...]], float] = field(
        default_factory=dict, repr=False
    )
    ranks: dict[tuple[str, frozenset[str]], int] = field(default_factory=dict, repr=False)
    _callers: dict[str, tuple[str, ...] | None] = field(default_factory=dict, repr=False)
    _documented: dict[str, bool] = field(default_factory=dict, repr=False)

    def module(self, path: str) -> Module | None:
        """Open a file; None where it cannot be read as Python."""
        return open_module(self.snapshot, path)

    def function(self, entity_id: str) -> tuple[Module, Function] | None:
        """Open a function; None where the id means none, or several."""
        return open_function(self.snapshot, entity_id)

    def is_documented(self, entity_id: str) -> bool:
        """Tell whether a function or class has a docstring."""
        if entity_id not in self._documented:
            docstring = docstring_of(self.snapshot, entity_id)
            self._documented[entity_id] = docstring != ""
        return self._documented[entity_id]

    @cached_property
    def documented_share(self) -> float:
        """The share of product functions and classes that have a docstring, in 0..1."""
        paths = product_code_among(self.snapshot, self.snapshot.files_in("python"))
        return documented_share(self.snapshot, paths)

    def places_of_message(self, message: str) -> frozenset[str] | None:
        """Give the product definitions that hold a message in a string; None for too many."""
        return places_of_message(self.snapshot, message)

    def closed_callers(self, entity_id: str) -> tuple[str, ...] | None:
        """Give all product functions that call a function; None where not all are known."""
        if entity_id not in self._callers:
            name = name_of(entity_id).rpartition(".")[2]
            files = product_files_with(self.snapshot, name)
            callers = None
            if name == "__init__":
                callers = self._makers(entity_id.rpartition(".")[0])
            # A special method is called by syntax, which no name gives away.
            if files is not None and not name.startswith("__"):
                callers = closed_callers(self.snapshot, entity_id, files)
            if callers:
                # Those of the same file first: whoever overlooks one overlooks one further away.
                own_path = path_of(entity_id)
                own_first = sorted(callers, key=lambda caller: path_of(caller) != own_path)
                callers = tuple(own_first)
            self._callers[entity_id] = callers
        return self._callers[entity_id]

    def few_callers(self, entity_id: str, most: int) -> tuple[str, ...]:
        """Give all product functions that call a function, where they are at most so many.

        Returns:
            The ids; empty where they are more, where none calls it, or where not all are known.
        """
        # The graph tells of most that they have too many, or none, before a file is read.
        if not may_have_few_callers(self.snapshot, entity_id, most):
            return ()
        callers = self.closed_callers(entity_id) or ()
        return callers if len(callers) <= most else ()

    def _makers(self, class_id: str) -> tuple[str, ...] | None:
        """Give who calls the ``__init__`` of a class: all that make its objects, and no others.

        A subclass would call it too.
        """
        simple_name = name_of(class_id).rpartition(".")[2]
        files = product_files_with(self.snapshot, simple_name)
        if files is None or self.snapshot.graph.subclasses(class_id):
            return None
        return closed_makers(self.snapshot, class_id, files)

    def family_callers(self, base: str, method: str, family: Collection[str]) -> tuple[str, ...]:
        """Give all product functions that call a method by its name.

        Args:
            base: The id of the class that declares it.
            method: Its simple name.
            family: The ids of the class and all its subclasses.

        Returns:
            The ids, overrides that go on to what they override among them; empty where a class
            outside of the family defines such a method too, or where not all callers are known.
        """
        files = product_files_with(self.snapshot, method)
        if files is None or method.startswith("__") or not is_on_few_lines(self.snapshot, method):
            return ()
        classes = (base, *family)
        definitions = {f"{class_id}.{method}" for class_id in classes}
        return callers_by_name(self.snapshot, method, files, definitions) or ()

    def closed_subclasses(self, class_id: str) -> tuple[str, ...] | None:
        """Give all direct subclasses of a class in product code; None where unsure."""
        name = name_of(class_id).rpartition(".")[2]
        files = product_files_with(self.snapshot, name)
        if files is None:
            return None
        return closed_subclasses(self.snapshot, class_id, files)


def name_of(entity_id: str) -> str:
    """Give the qualified name of an entity."""
    return split_entity_id(entity_id)[1]


def path_of(entity_id: str) -> str:
    """Give the file of an entity."""
    return split_entity_id(entity_id)[0]
