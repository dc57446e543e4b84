"""A tiny shop in memory, and answers about it, for the examples inside the checks."""

from collections.abc import Iterator, Mapping

from goldwright.records import (
    AnswerDraft,
    Evidence,
    ExpectedEntity,
    FactCitation,
    FileRange,
    Intent,
)
from goldwright.snapshot.entities import Entity, EntityKind, FileEntry, Span, entity_id
from goldwright.snapshot.source_text import SourceText
from goldwright.stages.gate.check_protocol import GateCase

BASKET = "shop/basket.py"
PRICES = "shop/prices.py"
README = "README.md"

# The checks read no content by its id, so any object id will do.
_ANY_OBJECT_ID = "0" * 40

# Ranges and entities below name lines of these texts.
_BASKET_SOURCE = """\
from shop.prices import price_of


class Basket:
    def __init__(self, owner):
        self.owner = owner
        self.lines = []

    def add(self, article, amount=1):
        if amount < 1:
            raise ValueError("amount must be positive")
        self.lines.append((article, amount))

    def total(self):
        return sum(price_of(article) * amount for article, amount in self.lines)
"""

_PRICES_SOURCE = """\
PRICE_LIST = {"apple": 30, "pear": 45}


def price_of(article):
    return PRICE_LIST[article]


def build(rows):
    return dict(rows)
"""

_README_SOURCE = "# Shop\n\nSells fruit.\n"

# Between 80 and 250 words, and without a name outside ``Basket.add`` and its file.
_NARRATIVE = (
    "Items enter a basket through `Basket.add` in shop/basket.py. The method takes an article and "
    "an `amount`, one unless the caller says otherwise. It first compares it with one, and when "
    "the number is too small it raises a `ValueError` whose text says that the amount must be "
    "positive, so nothing is stored for a bad request. Otherwise it appends a pair of the article "
    "and the amount to `self.lines`, a plain list that every basket owns. Nothing is priced at "
    "this point, and adding the same article twice simply keeps two pairs."
)

FILLER = (
    "The answer lies in the code that takes care of this. It looks at what comes in, decides what "
    "is to be done about it, and does so in the order in which its statements stand. Where "
    "something is missing or wrong, that is noticed before anything else happens, so no caller is "
    "left with half of the work. What it keeps, it keeps for later, and what it hands back is what "
    "its callers rely on. Whoever wants to change it should start at its first lines, read on to "
    "the last, and mind that others lean on the same decision."
)
"""A narrative that fits any question."""


class ShopCodebase:
    """A codebase of three files, described and not parsed."""

    def __init__(self, sources: Mapping[str, str], entities: tuple[Entity, ...]) -> None:
        self._sources = dict(sources)
        self._entities = {entity.entity_id: entity for entity in entities}
        self.files: dict[str, FileEntry] = {}
        for path, text in sources.items():
            size = len(text)
            self.files[path] = FileEntry(path, _ANY_OBJECT_ID, size, "text")

    def has_text(self, path: str) -> bool:
        """Whether a path is one of the files."""
        return path in self._sources

    @property
    def source_files(self) -> tuple[str, ...]:
        """The files that hold code."""
        return tuple(path for path in self._sources if path.endswith(".py"))

    @property
    def unparsed(self) -> Mapping[str, str]:
        """No file is beyond reading."""
        return {}

    def set_aside(self, path: str, reason: str) -> None:
        """No file is beyond reading."""
        raise AssertionError(f"{path}: {reason}")

    def data(self, path: str) -> bytes:
        """The bytes of a file."""
        return self._sources[path].encode()

    def source(self, path: str) -> SourceText:
        """The text of a file."""
        return SourceText(path, self._sources[path])

    def line_count(self, path: str) -> int:
        """Count the lines of a file."""
        return self._sources[path].count("\n")

    def entity(self, entity_id: str) -> Entity | None:
        """Look an entity up."""
        return self._entities.get(entity_id)

    def entities_in(self, path: str) -> tuple[Entity, ...]:
        """List the entities of one file."""
        entities = self._entities.values()
        return tuple(entity for entity in entities if entity.path == path)

    def entities(self) -> Iterator[Entity]:
        """List all entities."""
        return iter(self._entities.values())

    def named(self, simple_name: str) -> tuple[Entity, ...]:
        """List the entities whose name ends in this part."""
        entities = self._entities.values()
        return tuple(entity for entity in entities if entity.simple_name == simple_name)


def _entity(path: str, name: str, kind: EntityKind, start: int, end: int) -> Entity:
    spans = (Span(start, end),)
    return Entity(entity_id(path, name), path, name, kind, spans)


_ENTITIES = (
    _entity(BASKET, "Basket", "class", 4, 15),
    _entity(BASKET, "Basket.__init__", "method", 5, 7),
    _entity(BASKET, "Basket.add", "method", 9, 12),
    _entity(BASKET, "Basket.total", "method", 14, 15),
    _entity(PRICES, "PRICE_LIST", "variable", 1, 1),
    _entity(PRICES, "price_of", "function", 4, 5),
    _entity(PRICES, "build", "function", 8, 9),
)

_SOURCES = {BASKET: _BASKET_SOURCE, PRICES: _PRICES_SOURCE, README: _README_SOURCE}
SHOP = ShopCodebase(_SOURCES, _ENTITIES)

_BASKET_ADD = ExpectedEntity(
    entity_id=f"{BASKET}::Basket.add", role="primary", rationale="It stores."
)
_CITATIONS = (
    FactCitation(claim_id="fact-1", file=BASKET, start=9, end=9),
    FactCitation(claim_id="fact-2", file=BASKET, start=10, end=11),
    FactCitation(claim_id="fact-3", file=BASKET, start=12, end=12),
    FactCitation(claim_id="not-fact-1", file=BASKET, start=9, end=12),
)

ANSWER = AnswerDraft(
    expected_entities=(_BASKET_ADD,),
    expected_files=(BASKET,),
    expected_line_ranges=(FileRange(file=BASKET, start=9, end=12),),
    must_mention_facts=(
        "The amount is one when the caller gives none.",
        "An amount below one raises a ValueError.",
        "A pair of article and amount is appended to the list.",
    ),
    must_not_mention_facts=("Adding an article looks its price up.",),
    fact_citations=_CITATIONS,
    canonical_narrative=_NARRATIVE,
    source_evidence=(Evidence(file=BASKET, start=1, end=15, read_at_step=1),),
    confidence="high",
)


def example(
    *,
    shown_lines: tuple[Evidence, ...] | None = None,
    intent: Intent | None = None,
    **changes: object,
) -> GateCase:
    """Make a case of the good answer with some of its fields changed."""
    answer = ANSWER.model_copy(update=changes)
    return GateCase(answer, SHOP, shown_lines, intent)


def entities(*entity_ids: str) -> tuple[ExpectedEntity, ...]:
    """Make primary entities."""
    expected = []
    for expected_id in entity_ids:
        entity = ExpectedEntity(entity_id=expected_id, role="primary", rationale="It matters.")
        expected.append(entity)
    return tuple(expected)


def lines(file: str, start: int, end: int) -> tuple[FileRange, ...]:
    """Make a list of one range."""
    return (FileRange(file=file, start=start, end=end),)


def citation(
    file: str, start: int, end: int, *, claim_id: str = "fact-1"
) -> tuple[FactCitation, ...]:
    """Make a list of one citation."""
    return (FactCitation(claim_id=claim_id, file=file, start=start, end=end),)


def evidence(file: str, start: int, end: int) -> tuple[Evidence, ...]:
    """Make a list of one entry of evidence."""
    return (Evidence(file=file, start=start, end=end, read_at_step=1),)


def narrative(addition: str) -> str:
    """Add a sentence to the good narrative."""
    return f"{_NARRATIVE} {addition}"
