"""A tiny shop in memory, and answers about it, for the examples inside the checks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from goldwright.records import AnswerDraft, Evidence, ExpectedEntity, FactCitation, FileRange
from goldwright.snapshot.entities import Entity, EntityKind, FileEntry, Span, entity_id
from goldwright.stages.gate.check import GateCase

BASKET = "shop/basket.py"
PRICES = "shop/prices.py"
README = "README.md"

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


@dataclass(frozen=True, slots=True)
class _ShopText:
    """The source of one file."""

    text: str


class ShopCodebase:
    """A codebase of three files, described and not parsed."""

    def __init__(self, sources: Mapping[str, str], entities: tuple[Entity, ...]) -> None:
        self._sources = dict(sources)
        self._entities = {entity.entity_id: entity for entity in entities}
        self.files = {
            path: FileEntry(path, "0" * 40, len(text), "text") for path, text in sources.items()
        }

    def has_text(self, path: str) -> bool:
        """Whether a path is one of the files."""
        return path in self._sources

    def source(self, path: str) -> _ShopText:
        """Give the text of a file."""
        return _ShopText(self._sources[path])

    def line_count(self, path: str) -> int:
        """Count the lines of a file."""
        return self._sources[path].count("\n")

    def entity(self, entity_id: str) -> Entity | None:
        """Look an entity up."""
        return self._entities.get(entity_id)

    def entities_in(self, path: str) -> tuple[Entity, ...]:
        """List the entities of one file."""
        return tuple(entity for entity in self._entities.values() if entity.path == path)

    def entities(self) -> Iterator[Entity]:
        """List all entities."""
        return iter(self._entities.values())

    def named(self, simple_name: str) -> tuple[Entity, ...]:
        """List the entities whose name ends in this part."""
        return tuple(
            entity for entity in self._entities.values() if entity.simple_name == simple_name
        )


def _entity(path: str, name: str, kind: EntityKind, first: int, last: int) -> Entity:
    return Entity(entity_id(path, name), path, name, kind, (Span(first, last),))


SHOP = ShopCodebase(
    {BASKET: _BASKET_SOURCE, PRICES: _PRICES_SOURCE, README: "# Shop\n\nSells fruit.\n"},
    (
        _entity(BASKET, "Basket", "class", 4, 15),
        _entity(BASKET, "Basket.__init__", "method", 5, 7),
        _entity(BASKET, "Basket.add", "method", 9, 12),
        _entity(BASKET, "Basket.total", "method", 14, 15),
        _entity(PRICES, "PRICE_LIST", "variable", 1, 1),
        _entity(PRICES, "price_of", "function", 4, 5),
        _entity(PRICES, "build", "function", 8, 9),
    ),
)

ANSWER = AnswerDraft(
    expected_entities=(
        ExpectedEntity(entity_id=f"{BASKET}::Basket.add", role="primary", rationale="It stores."),
    ),
    expected_files=(BASKET,),
    expected_line_ranges=(FileRange(file=BASKET, start=9, end=12),),
    must_mention_facts=(
        "The amount is one when the caller gives none.",
        "An amount below one raises a ValueError.",
        "A pair of article and amount is appended to the list.",
    ),
    must_not_mention_facts=("Adding an article looks its price up.",),
    fact_citations=(
        FactCitation(claim_id="fact-1", file=BASKET, start=9, end=9),
        FactCitation(claim_id="fact-2", file=BASKET, start=10, end=11),
        FactCitation(claim_id="fact-3", file=BASKET, start=12, end=12),
        FactCitation(claim_id="not-fact-1", file=BASKET, start=9, end=12),
    ),
    canonical_narrative=_NARRATIVE,
    source_evidence=(Evidence(file=BASKET, start=1, end=15, read_at_step=1),),
    confidence="high",
)


def example(*, shown: tuple[Evidence, ...] | None = None, **changes: object) -> GateCase:
    """Make a case of the good answer with some of its fields changed."""
    return GateCase(ANSWER.model_copy(update=changes), SHOP, shown)


def entities(*identifiers: str) -> tuple[ExpectedEntity, ...]:
    """Make primary entities."""
    return tuple(
        ExpectedEntity(entity_id=identifier, role="primary", rationale="It matters.")
        for identifier in identifiers
    )


def lines(file: str, start: int, end: int) -> tuple[FileRange, ...]:
    """Make the one range of a list of ranges."""
    return (FileRange(file=file, start=start, end=end),)


def citation(
    file: str, start: int, end: int, *, claim_id: str = "fact-1"
) -> tuple[FactCitation, ...]:
    """Make the one citation of a list of citations."""
    return (FactCitation(claim_id=claim_id, file=file, start=start, end=end),)


def evidence(file: str, start: int, end: int) -> tuple[Evidence, ...]:
    """Make the one entry of a list of evidence."""
    return (Evidence(file=file, start=start, end=end, read_at_step=1),)


def narrative(addition: str) -> str:
    """Add a sentence to the good narrative."""
    return f"{_NARRATIVE} {addition}"
