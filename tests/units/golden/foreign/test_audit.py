"""What an audit finds in a dataset, one promise a check."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldwright.golden.foreign import (
    CHECKS,
    AuditReport,
    Defect,
    audit,
)
from goldwright.golden.foreign.audit_context import AuditCase, AuditContext
from goldwright.golden.foreign.near_duplicates import nearly_repeated
from goldwright.golden.foreign.opening_guesses import guess_from_openings
from goldwright.golden.queries import DatasetQuery
from goldwright.plan import Cell
from goldwright.records import CandidateDraft, FileRange, QueryCandidate, TaskType
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.stages.screen import RULES, AcceptedCandidates, ScreeningCase

SOURCES = {
    "README.md": "# Shop\n\nSells fruit.\n",
    "web/page.js": "function show() {}\n",
    "src/shop/__init__.py": "",
    "src/shop/basket.py": (
        "from shop.prices import price_of\n\n\n"
        "class Basket:\n    def add_line(self, article):\n        self.lines.append(article)\n\n"
        "    def total(self):\n"
        "        return sum(price_of(article) for article in self.lines)\n\n\n"
        "def empty_basket():\n    return Basket()\n"
    ),
    "src/shop/prices.py": (
        "def price_of(article):\n    return table()[article]\n\n\n"
        "def table():\n    return {'pear': 45}\n\n\n"
        "def load_rows(path):\n    return open(path).read()\n"
    ),
    "src/shop/ledger.py": "class Ledger:\n    def book(self):\n        return 1\n",
    "src/shop/till.py": "class Till:\n    def total(self):\n        return 0\n",
    "src/shop/stock.py": "def load_rows(path):\n    return path\n",
}
BASKET, PRICES, STOCK = "src/shop/basket.py", "src/shop/prices.py", "src/shop/stock.py"


def record_of(
    query_id: str,
    query_text: str,
    task_type: str | None = None,
    difficulty: str | None = None,
    entities: tuple[str, ...] = (),
    files: tuple[str, ...] = (),
    **fields: Any,
) -> DatasetQuery:
    """A query with entities and files apart, as KnowCode and CodeRAG have them."""
    named = {"task_type": task_type, "difficulty": difficulty}
    strata = {name: value for name, value in named.items() if value is not None}
    return DatasetQuery(
        query_id,
        query_text,
        expected_ids=entities or files,
        names_entities=bool(entities),
        expected_files=files,
        strata=strata,
        **fields,
    )


def changed(query: DatasetQuery, **changes: Any) -> DatasetQuery:
    """The query with other fields, by the names of ``record_of``."""
    fields: dict[str, Any] = {
        "task_type": query.task_type,
        "difficulty": query.difficulty,
        "entities": query.entity_ids,
        "files": query.expected_files,
    }
    fields |= {name: changes.pop(name) for name in fields if name in changes}
    named = record_of("", "", **fields)
    return replace(
        query,
        expected_ids=named.expected_ids,
        names_entities=named.names_entities,
        expected_files=named.expected_files,
        strata=named.strata,
        **changes,
    )


GOOD = record_of(
    query_id="q1",
    query_text="Which code keeps what a customer picked?",
    task_type="locate",
    difficulty="easy",
    entities=(f"{BASKET}::Basket.add_line",),
    files=(BASKET,),
    must_mention_facts=("It appends the article.",),
    expected_line_ranges=(FileRange(file=BASKET, start=5, end=6),),
    carries_facts=True,
)
PHRASES = (
    "Which code keeps fruit",
    "How is money summed",
    "What happens on failure",
    "Who opens a till",
)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """A snapshot of a small shop."""
    root = tmp_path_factory.mktemp("shop")
    for path, text in SOURCES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return open_snapshot(root, cache=tmp_path_factory.mktemp("cache"), workers=1)


def report(shop: Snapshot, *records: DatasetQuery, kind: str = "knowcode") -> AuditReport:
    return audit(kind, records, shop)


def found(shop: Snapshot, code: str, *records: DatasetQuery, kind: str = "knowcode") -> list[str]:
    """What one check alone says, over all records, as ``id: message``."""
    ground = AuditContext(kind, records, shop)
    check = dict(CHECKS)[code]
    return [
        f"{one.query_id}: {text}"
        for n, one in enumerate(records)
        for text in check(AuditCase(n, ground))
    ]


def asked(query_id: str, query: str, *entities: str, cell: Cell | None = None) -> DatasetQuery:
    kind, hardness = cell or (None, None)
    return record_of(query_id, query, kind, hardness, entities)


def test_a_sound_dataset_has_no_defect(shop: Snapshot) -> None:
    checked = report(shop, GOOD)
    assert (checked.records, checked.records_hit, checked.defects) == (1, 0, ())


def test_the_catalog_has_every_code_once_and_the_counts_follow_its_order(shop: Snapshot) -> None:
    codes = [
        "duplicate_id",
        "empty_query",
        "no_target",
        "unresolved_entity",
        "missing_file",
        "line_range",
        "entity_file_unlisted",
        "identifier_leak",
        "file_structure",
        "duplicate_targets",
        "near_duplicate",
        "empty_facts",
        "tier",
        "opening",
        "readable_task_type",
    ]
    assert [code for code, _ in CHECKS] == codes
    assert list(report(shop, GOOD).counts().items()) == [(code, 0) for code in codes]


def test_counts_are_of_records_and_not_of_defects(shop: Snapshot) -> None:
    """One record with three wrong ids is one; two records of one id are two."""
    broken = changed(GOOD, entities=("a.py::x1", "a.py::x2", "a.py::x3"), query_text="Why?")
    checked = report(shop, broken, replace(broken, query_text="What for?"))
    assert sum(defect.code == "unresolved_entity" for defect in checked.defects) == 6
    assert checked.counts()["unresolved_entity"] == 2
    assert checked.records_hit == 2


def test_a_defect_names_the_record_by_its_number_too(shop: Snapshot) -> None:
    checked = report(
        shop,
        GOOD,
        changed(GOOD, query_text="Says who?", entities=(), files=(), expected_line_ranges=()),
    )
    assert checked.defects == (
        Defect("duplicate_id", "q1", "the id 'q1' is that of record 1 already", 2),
        Defect("no_target", "q1", "neither an entity nor a file is expected", 2),
    )


def test_the_third_record_of_an_id_points_to_the_first(shop: Snapshot) -> None:
    records = (GOOD, changed(GOOD, query_id="q2"), GOOD, GOOD)
    assert (
        found(shop, "duplicate_id", *records) == ["q1: the id 'q1' is that of record 1 already"] * 2
    )


@pytest.mark.parametrize("text", ["", "  \n", "?!", "…"])
def test_a_query_without_a_word_is_empty(shop: Snapshot, text: str) -> None:
    assert found(shop, "empty_query", changed(GOOD, query_text=text)) == [
        "q1: the query has no word"
    ]


def test_a_file_alone_is_a_target(shop: Snapshot) -> None:
    assert found(shop, "no_target", changed(GOOD, entities=())) == []


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("shop/basket.py::Basket.add_line", f"{BASKET}::Basket.add_line"),
        ("shop.basket.Basket.add_line", f"{BASKET}::Basket.add_line"),
        ("shop.basket::Basket.total", f"{BASKET}::Basket.total"),
        ("project/src/shop/basket.py::empty_basket", f"{BASKET}::empty_basket"),
        ("shop/prices.py::load_rows", f"{PRICES}::load_rows"),
        ("shop.stock.load_rows", f"{STOCK}::load_rows"),
        ("Basket.add_line", f"{BASKET}::Basket.add_line"),
        (f"{BASKET}::Basket.add_lines", f"{BASKET}::Basket.add_line"),
        ("shop/basket.py::Basket.add_lin", f"{BASKET}::Basket.add_line"),
        (f"{PRICES}::Basket.total", f"{BASKET}::Basket.total"),
        (f"{BASKET}:Basket.total", f"{BASKET}::Basket.total"),
        ("src/shop/till.py::Basket.total", f"{BASKET}::Basket.total"),
        ("src/shop/till::total", "src/shop/till.py::Till.total"),
    ],
)
def test_an_id_that_does_not_resolve_comes_with_the_one_that_was_meant(
    shop: Snapshot, written: str, meant: str
) -> None:
    wanted = f"q1: no entity {written!r} in the snapshot; the nearest is {meant}"
    assert found(shop, "unresolved_entity", changed(GOOD, entities=(written,))) == [wanted]


@pytest.mark.parametrize(
    "written", ["", "::", "src/none.py::zzzz", "qwertz.uiop", "a b c", "\n::\n"]
)
def test_an_id_that_is_like_nothing_comes_without_advice(shop: Snapshot, written: str) -> None:
    (message,) = found(shop, "unresolved_entity", changed(GOOD, entities=(written,)))
    assert "nearest" not in message
    assert "\n" not in message


def test_an_entity_of_another_language_is_said_to_be_unknown(shop: Snapshot) -> None:
    script = changed(GOOD, entities=("web/page.js::display",))
    (message,) = found(shop, "unresolved_entity", script)
    reason = "only the entities of Python and TypeScript files are known"
    assert message == f"q1: no entity 'web/page.js::display' in the snapshot; {reason}"


def test_a_symbol_of_coderag_resolves_in_the_files_of_its_case(shop: Snapshot) -> None:
    case = record_of(
        "c1", "Why?", entities=("add_line", "Basket.total", "price_of"), files=(BASKET,)
    )
    assert found(shop, "unresolved_entity", case, kind="coderag") == [
        f"c1: no entity '{BASKET}::price_of' in the snapshot; the nearest is {PRICES}::price_of"
    ]


def test_a_symbol_of_coderag_without_files_resolves_nowhere(shop: Snapshot) -> None:
    case = record_of("c1", "Why?", entities=("zebra",))
    assert found(shop, "unresolved_entity", case, kind="coderag") == [
        "c1: no entity 'zebra' in the snapshot"
    ]


@pytest.mark.parametrize(
    ("path", "advice"),
    [
        ("shop/basket.py", f"; {BASKET} is"),
        ("project/src/shop/basket.py", f"; {BASKET} is"),
        ("src\\shop\\basket.py", f"; {BASKET} is"),
        ("src/shop", ""),
        ("none.py", ""),
        ("", ""),
    ],
)
def test_a_file_that_is_not_there_comes_with_the_one_that_was_meant(
    shop: Snapshot, path: str, advice: str
) -> None:
    record = changed(GOOD, files=(path,), expected_line_ranges=())
    assert found(shop, "missing_file", record) == [f"q1: no file {path!r} in the tree{advice}"]


def test_the_file_of_a_range_has_to_be_there_too(shop: Snapshot) -> None:
    ranged = changed(GOOD, expected_line_ranges=(FileRange(file="gone.py", start=1, end=2),))
    assert found(shop, "missing_file", ranged) == ["q1: no file 'gone.py' in the tree"]


@pytest.mark.parametrize(
    ("file", "start", "end", "problem"),
    [
        (BASKET, 0, 4, "lines are counted from 1"),
        (BASKET, 6, 5, "the range ends before it starts"),
        (BASKET, 5, 14, "the file has 13 lines"),
        ("gone.py", 0, 4, "lines are counted from 1"),
        ("gone.py", 6, 5, "the range ends before it starts"),
    ],
)
def test_a_range_that_is_no_lines_of_its_file_is_found(
    shop: Snapshot, file: str, start: int, end: int, problem: str
) -> None:
    record = changed(GOOD, expected_line_ranges=(FileRange(file=file, start=start, end=end),))
    assert found(shop, "line_range", record) == [f"q1: {file}:{start}-{end}: {problem}"]


def test_a_range_that_could_be_of_a_missing_file_is_the_file_s_defect_alone(shop: Snapshot) -> None:
    record = changed(GOOD, expected_line_ranges=(FileRange(file="gone.py", start=1, end=900),))
    assert found(shop, "line_range", record) == []


def test_the_whole_file_is_a_range(shop: Snapshot) -> None:
    assert (
        found(
            shop,
            "line_range",
            changed(GOOD, expected_line_ranges=(FileRange(file=BASKET, start=1, end=13),)),
        )
        == []
    )


def test_the_file_of_every_entity_is_to_be_listed(shop: Snapshot) -> None:
    record = changed(GOOD, entities=(f"{BASKET}::Basket", f"{PRICES}::table"))
    assert found(shop, "entity_file_unlisted", record) == [
        f"q1: the file '{PRICES}' of '{PRICES}::table' is not among the expected files"
    ]


def test_where_files_and_entities_share_one_list_no_file_is_missed(shop: Snapshot) -> None:
    record = DatasetQuery("v1", "Why?", expected_ids=(f"{PRICES}::table",))
    assert found(shop, "entity_file_unlisted", record, kind="vaultmind") == []


@pytest.mark.parametrize(
    ("query", "entity"),
    [
        ("Where does add_line put it?", f"{BASKET}::Basket.add_line"),
        ("Where does `table` come from?", f"{PRICES}::table"),
        ("Where does add_line put it?", "shop.basket.Basket.add_line"),
    ],
)
def test_a_query_that_names_its_target_leaks(shop: Snapshot, query: str, entity: str) -> None:
    assert (
        len(found(shop, "identifier_leak", changed(GOOD, query_text=query, entities=(entity,))))
        == 1
    )


def test_a_name_may_stand_where_the_screen_lets_it(shop: Snapshot) -> None:
    """Easy and explain: allowed. Medium: not. Without a cell: not."""
    easy = changed(
        GOOD,
        query_text="What does price_of do?",
        entities=(f"{PRICES}::price_of",),
        task_type="explain",
    )
    assert found(shop, "identifier_leak", easy) == []
    assert len(found(shop, "identifier_leak", changed(easy, difficulty="medium"))) == 1
    assert len(found(shop, "identifier_leak", changed(easy, task_type=None))) == 1


def test_the_modules_of_a_dotted_id_are_no_identifiers_of_the_target(shop: Snapshot) -> None:
    dotted = changed(
        GOOD, query_text="What does `basket` keep?", entities=("shop.basket.Basket.add_line",)
    )
    assert found(shop, "identifier_leak", dotted) == []
    assert (
        len(found(shop, "identifier_leak", replace(dotted, query_text="What does `Basket` keep?")))
        == 1
    )


def test_a_plain_word_of_english_is_no_leak(shop: Snapshot) -> None:
    assert (
        found(
            shop,
            "identifier_leak",
            changed(GOOD, query_text="Which table?", entities=(f"{PRICES}::table",)),
        )
        == []
    )


def test_a_symbol_of_coderag_leaks_as_well(shop: Snapshot) -> None:
    case = record_of("c1", "fix add_line", entities=("add_line",), files=(BASKET,))
    assert found(shop, "identifier_leak", case, kind="coderag") == [
        "c1: the query holds 'add_line', an identifier of its target"
    ]


@pytest.mark.parametrize(
    ("query", "written"),
    [
        ("PRICE_OF is where?", "PRICE_OF"),
        ("Where's priceOf implemented?", "priceOf"),
        ("Where is PriceOf kept?", "PriceOf"),
        ("Which part calls _price_of?", "_price_of"),
    ],
)
def test_a_target_in_another_spelling_leaks(shop: Snapshot, query: str, written: str) -> None:
    record = changed(GOOD, query_text=query, entities=(f"{PRICES}::price_of",))
    wanted = (
        f"q1: the query holds {written!r}, a spelling of 'price_of', an identifier of its target"
    )
    assert found(shop, "identifier_leak", record) == [wanted]
    assert found(shop, "identifier_leak", changed(record, task_type="explain")) == []


@pytest.mark.parametrize(
    "query", ["Where is the price of things?", "Where is price-of?", "Which priceof?"]
)
def test_the_words_of_a_name_are_no_spelling_of_it(shop: Snapshot, query: str) -> None:
    assert (
        found(
            shop,
            "identifier_leak",
            changed(GOOD, query_text=query, entities=(f"{PRICES}::price_of",)),
        )
        == []
    )


@pytest.mark.parametrize(
    "hidden",
    ["price\u200b_of", "pri\u00adce_of", "\uff50\uff52\uff49\uff43\uff45\uff3f\uff4f\uff46"],
)
def test_characters_that_cannot_be_seen_and_wide_ones_hide_no_name(
    shop: Snapshot, hidden: str
) -> None:
    record = changed(GOOD, query_text=f"Where is {hidden}?", entities=(f"{PRICES}::price_of",))
    assert found(shop, "identifier_leak", record) == [
        "q1: the query holds 'price_of', an identifier of its target"
    ]
    of_file = record_of("c1", f"where is {hidden}", files=(PRICES,))
    assert len(found(shop, "identifier_leak", of_file, kind="coderag")) == 1


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("where is price_of", "'price_of', the name of an entity in"),
        ("where is priceOf", "'priceOf', a spelling of 'price_of', the name of an entity in"),
        ("what is in prices.py here", "'prices.py', which names"),
        ("what is in Prices.py?", "'Prices.py', which names"),
        ("open ./prices.py.", "'./prices.py', which names"),
        ("see src/shop/prices.py for it", "'shop/prices.py', which names"),
        ("see shop\\prices.py", "'shop\\\\prices.py', which names"),
        ("what does shop/prices do", "'shop/prices', which names"),
        ("import shop.prices fails", "'shop.prices', which names"),
        ("what does `prices` do", "'prices', which names"),
    ],
)
def test_a_query_that_is_to_find_a_file_may_not_name_it_or_what_is_in_it(
    shop: Snapshot, query: str, named: str
) -> None:
    record = record_of("c1", query, files=(PRICES,))
    wanted = [f"c1: the query holds {named} the expected file {PRICES!r}"]
    assert found(shop, "identifier_leak", record, kind="coderag") == wanted
    assert found(shop, "identifier_leak", record, kind="vaultmind") == wanted


@pytest.mark.parametrize(
    "query",
    [
        "how do prices change",
        "what is in the table of rows",
        "which prices. Pyramids are expensive",
        "old_prices.py is another",
        "till/prices.py is another",
        "prices.pyx is another",
        "prices.py.bak is another",
        "shop/prices/rules is a directory",
        "see the shop. prices rise",
        "where is the price of a pear",
        "add_line of another file",
    ],
)
def test_plain_words_and_other_files_name_no_expected_file(shop: Snapshot, query: str) -> None:
    assert (
        found(shop, "identifier_leak", record_of("c1", query, files=(PRICES,)), kind="coderag")
        == []
    )


def test_a_stem_that_is_no_word_names_its_file_and_the_name_of_every_package_does_not(
    shop: Snapshot,
) -> None:
    telling = record_of("c1", "why is PriceTable so slow", files=("web/price_table.js",))
    assert found(shop, "identifier_leak", telling, kind="coderag") == [
        "c1: the query holds 'PriceTable', which names the expected file 'web/price_table.js'"
    ]
    package = record_of(
        "c1", "what should stand in an __init__.py", files=("src/shop/__init__.py",)
    )
    assert found(shop, "identifier_leak", package, kind="coderag") == []
    placed = replace(package, query_text="what stands in shop/__init__.py")
    assert len(found(shop, "identifier_leak", placed, kind="coderag")) == 1


def test_a_record_of_many_named_files_is_one_finding(shop: Snapshot) -> None:
    record = record_of("c1", "prices.py and stock.py both have load_rows", files=(STOCK, PRICES))
    assert found(shop, "identifier_leak", record, kind="coderag") == [
        f"c1: the query holds 'stock.py', which names the expected file {STOCK!r}"
    ]


def test_a_file_may_be_named_where_the_screen_lets_a_name_stand(shop: Snapshot) -> None:
    named = changed(
        GOOD, query_text="What is prices.py for?", entities=(), files=(PRICES,), task_type="explain"
    )
    assert found(shop, "identifier_leak", named) == []
    assert len(found(shop, "identifier_leak", changed(named, difficulty="hard"))) == 1


def test_a_target_that_its_file_is_named_after_is_found_in_locate_alone(shop: Snapshot) -> None:
    record = changed(GOOD, entities=("src/shop/ledger.py::Ledger",))
    assert found(shop, "file_structure", record) == [
        "q1: src/shop/ledger.py::Ledger is the only public symbol of a file named after it"
    ]
    assert found(shop, "file_structure", changed(record, task_type="explain")) == []
    assert found(shop, "file_structure", changed(record, difficulty=None)) != []


def test_over_half_of_the_targets_in_one_earlier_record_is_a_duplicate(shop: Snapshot) -> None:
    """Half is not over half, and the share counts from the later side."""
    two = asked("q1", "One?", f"{PRICES}::table", f"{PRICES}::price_of")
    assert found(shop, "duplicate_targets", two, asked("q2", "Two?", f"{PRICES}::table")) == [
        "q2: over half of its target entities are those of 'q1'"
    ]
    assert found(shop, "duplicate_targets", asked("q2", "Two?", f"{PRICES}::table"), two) == []


def test_targets_of_several_earlier_records_are_not_added_up(shop: Snapshot) -> None:
    first, second = (
        asked("q1", "One?", f"{PRICES}::table"),
        asked("q2", "Two?", f"{BASKET}::Basket"),
    )
    both = asked("q3", "Three?", f"{PRICES}::table", f"{BASKET}::Basket")
    assert found(shop, "duplicate_targets", first, second, both) == []


def test_files_are_compared_where_there_are_no_entities(shop: Snapshot) -> None:
    first, second = (
        record_of("c1", "One?", files=(BASKET,)),
        record_of("c2", "Two?", files=(BASKET,)),
    )
    assert found(shop, "duplicate_targets", first, second, kind="coderag") == [
        "c2: over half of its target files are those of 'c1'"
    ]


def test_equal_symbols_of_different_files_are_different_targets(shop: Snapshot) -> None:
    first = record_of("c1", "One?", entities=("load_rows",), files=(PRICES,))
    second = record_of("c2", "Two?", entities=("load_rows",), files=(STOCK,))
    assert found(shop, "duplicate_targets", first, second, kind="coderag") == []


def test_records_without_targets_are_no_duplicates_of_each_other(shop: Snapshot) -> None:
    assert found(shop, "duplicate_targets", asked("q1", "One?"), asked("q2", "Two?")) == []


def test_a_wording_that_nearly_repeats_an_earlier_one_is_found(shop: Snapshot) -> None:
    first = asked("q1", "Where do we read all the old things from disk?")
    again = asked("q2", "where do we read all the old things from the disk")
    other = asked("q3", "Where do we write all the new things to tape?")
    assert found(shop, "near_duplicate", first, other, again) == [
        "q2: its wording nearly repeats 'q1'"
    ]


TEXTS = st.lists(
    st.sampled_from("alpha beta gamma delta eps zeta eta".split()), min_size=1, max_size=7
).map(" ".join)


@given(TEXTS, TEXTS)
def test_the_audit_and_the_screen_agree_on_what_nearly_repeats(first: str, second: str) -> None:
    """The audit compares few pairs for speed, and loses none."""
    draft = CandidateDraft(query_text=second, target_entity_ids=())
    earlier = QueryCandidate(
        query_id="q1",
        task_type="locate",
        difficulty="easy",
        query_text=first,
        target_entity_ids=(),
        authored_by="a",
        created_at="c",
    )
    case = ScreeningCase(
        draft, Cell("locate", "easy"), 1, NotLookedAt(), AcceptedCandidates([earlier])
    )
    assert (dict(RULES)["duplicate"](case) is not None) == (1 in nearly_repeated((first, second)))


@given(st.lists(TEXTS, max_size=12))
def test_a_repeat_is_found_among_many_whenever_it_is_one_of_a_pair(queries: list[str]) -> None:
    pairs = {
        later
        for later in range(len(queries))
        if any(1 in nearly_repeated((queries[earlier], queries[later])) for earlier in range(later))
    }
    assert set(nearly_repeated(queries)) == pairs


class NotLookedAt(Snapshot):
    """A snapshot that the rule in question has no use for."""

    def __init__(self) -> None:
        pass


@pytest.mark.parametrize("facts", [(), ("",), (" ", "\n")])
def test_a_record_without_facts_is_found_where_the_format_has_them(
    shop: Snapshot, facts: tuple[str, ...]
) -> None:
    bare = changed(GOOD, must_mention_facts=facts)
    assert found(shop, "empty_facts", bare) == [
        "q1: must_mention_facts is empty, so no answer can be judged by it"
    ]
    assert found(shop, "empty_facts", replace(bare, carries_facts=False)) == []


def test_a_cell_that_the_targets_do_not_fit_is_found(shop: Snapshot) -> None:
    two = changed(GOOD, entities=(f"{PRICES}::price_of", f"{PRICES}::table"), files=(PRICES,))
    assert found(shop, "tier", two) == [
        "q1: locate/easy: 2 target entities, where the tier wants 1"
    ]
    assert found(shop, "tier", changed(two, task_type="explain", difficulty="medium")) == []
    apart = changed(
        two,
        entities=(f"{PRICES}::table", f"{STOCK}::load_rows"),
        task_type="explain",
        difficulty="medium",
    )
    assert found(shop, "tier", apart) == [
        f"q1: explain/medium: {STOCK}::load_rows is not joined to the other targets by calls"
    ]


def test_a_tier_is_not_judged_by_targets_that_are_not_there(shop: Snapshot) -> None:
    two = (f"{PRICES}::price_of", f"{PRICES}::tabel")
    assert found(shop, "tier", changed(GOOD, entities=two)) == []
    assert found(shop, "tier", changed(GOOD, entities=())) == []
    assert (
        found(shop, "tier", changed(GOOD, entities=(two[0], f"{PRICES}::table"), difficulty=None))
        == []
    )


def test_the_third_opening_of_a_kind_in_a_cell_is_one_too_many(shop: Snapshot) -> None:
    cell = Cell("debug", "easy")
    records = [
        asked(f"q{n}", f"Where do we {verb}?", cell=cell)
        for n, verb in enumerate(("sing", "bake", "read"))
    ]
    elsewhere = asked("q9", "where do we, please, sleep", cell=Cell("debug", "hard"))
    assert found(shop, "opening", *records[:2], elsewhere) == []
    assert found(shop, "opening", *records, elsewhere) == [
        f"q{n}: 3 records of debug/easy open with 'where do we'" for n in range(3)
    ]


def test_the_ninth_opening_of_a_kind_in_the_dataset_is_one_too_many(shop: Snapshot) -> None:
    records = [asked(f"q{n}", f"Where do we {n}?") for n in range(9)]
    assert found(shop, "opening", *records[:8]) == []
    assert found(shop, "opening", *records) == [
        f"q{n}: 9 records of the dataset open with 'where do we'" for n in range(9)
    ]


def test_empty_queries_share_no_opening(shop: Snapshot) -> None:
    assert found(shop, "opening", *[asked(f"q{n}", "?") for n in range(9)]) == []


def kinds(*rows: tuple[str, TaskType]) -> tuple[DatasetQuery, ...]:
    return tuple(record_of(f"q{n}", text, kind) for n, (text, kind) in enumerate(rows))


def test_words_that_open_three_records_of_one_type_and_no_other_give_it_away(
    shop: Snapshot,
) -> None:
    pure: tuple[tuple[str, TaskType], ...] = (
        ("Find the code that sings", "locate"),
        ("Find the part that bakes", "locate"),
        ("Find the one", "locate"),
    )
    rest: tuple[tuple[str, TaskType], ...] = (
        ("Explain the song", "explain"),
        ("Explain the bread", "explain"),
    )
    assert found(shop, "readable_task_type", *kinds(*pure, *rest)) == [
        f"q{n}: every record that opens with 'find the' is of type locate" for n in range(3)
    ]
    assert found(shop, "readable_task_type", *kinds(*pure, *rest, ("Find the bug", "debug"))) == []
    assert found(shop, "readable_task_type", *kinds(*pure[:2], *rest)) == []
    assert found(shop, "readable_task_type", *kinds(*pure)) == []


def test_one_word_alone_gives_nothing_away(shop: Snapshot) -> None:
    """`Where` opens what it opens; a template takes two words."""
    rows: tuple[tuple[str, TaskType], ...] = (
        ("Where sits A?", "locate"),
        ("Where lies B?", "locate"),
        ("Where goes C?", "locate"),
        ("How so?", "explain"),
    )
    assert found(shop, "readable_task_type", *kinds(*rows)) == []


def openings(*texts: str) -> list[tuple[str, ...]]:
    return [tuple(text.split()) for text in texts]


def guessed(
    texts: Sequence[str], types: Sequence[TaskType | None]
) -> tuple[int, int, int, TaskType] | None:
    one = guess_from_openings(openings(*texts), types)
    return (one.records, one.right, one.commonest, one.commonest_type) if one else None


def test_the_vote_leaves_the_record_itself_out() -> None:
    """Openings that stand once tell nothing: the others are mostly of the other type."""
    assert guessed(
        ["a b c", "d e f", "g h i", "j k l"], ["locate", "locate", "debug", "debug"]
    ) == (4, 0, 2, "locate")


def test_three_words_vote_before_two_and_two_before_one() -> None:
    texts = ["a b c", "a b c", "a b d", "a b d", "a x y", "a x y"]
    types: list[TaskType | None] = ["locate", "locate", "debug", "debug", "explain", "explain"]
    assert guessed(texts, types) == (6, 6, 2, "locate")
    mixed = ["a b c", "a b d", "a x e", "a x f", "a y g"]
    assert guessed(mixed, ["locate", "locate", "debug", "debug", "debug"]) == (5, 4, 3, "debug")


def test_one_shared_word_votes_before_the_commonest_type() -> None:
    texts = ["a b c", "a d e", "x y z", "p q r", "s t u"]
    assert guessed(texts, ["debug", "debug", "locate", "locate", "locate"]) == (5, 5, 3, "locate")


def test_records_of_unknown_type_neither_vote_nor_count() -> None:
    assert guessed(
        ["a b", "a b", "a b", "c d", "c d"], ["locate", "locate", None, "debug", "debug"]
    ) == (
        4,
        4,
        2,
        "locate",
    )


def test_with_one_type_there_is_nothing_to_guess() -> None:
    assert guessed(["a b", "a b"], ["locate", None]) is None
    assert guessed([], []) is None


def test_the_note_says_the_accuracy_with_its_count_and_interval(shop: Snapshot) -> None:
    locate = [record_of(f"a{n}", "Find the code", "locate") for n in range(3)]
    explain = [record_of(f"b{n}", "Explain how to", "explain") for n in range(2)]
    assert report(shop, *locate, *explain).notes[0] == (
        "readable_task_type: the first three words alone give the task type of 5 of 5 records "
        "(100%, 95 % interval 48% to 100%); always saying 'locate' is right for 3 (60%)"
    )


def test_notes_say_what_could_not_be_checked(shop: Snapshot) -> None:
    assert report(shop, record_of("c1", "Why?", files=(BASKET,)), kind="coderag").notes == (
        "readable_task_type: fewer than two task types are known, so there is none to guess",
        (
            "1 of 1 records have no known task type and difficulty: their tier is not checked, "
            "and their queries are held to the strictest rule on identifiers"
        ),
        "the format coderag carries no facts: empty_facts is not checked",
    )


HOSTILE = (
    "",
    "::",
    "\x1b]0;owned\x07",
    "\u202eevil",
    "../../etc/passwd",
    "a" * 900,
    "a\nb",
    "(" * 500,
    "`" * 500,
    "\0",
)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("kind", ["goldwright", "knowcode", "coderag", "vaultmind"])
def test_no_text_of_a_record_breaks_the_audit_or_its_lines(
    shop: Snapshot, text: str, kind: str
) -> None:
    record = record_of(
        text,
        text,
        "locate",
        "hard",
        (text, f"{text}::{text}"),
        (text,),
        expected_line_ranges=(FileRange(file=text, start=0, end=-1),),
    )
    checked = report(shop, record, record, kind=kind)
    assert all(defect.message.isprintable() for defect in checked.defects)
    assert checked.counts()["line_range"] == 2


def test_a_dataset_that_can_be_checked_in_full_has_one_note(shop: Snapshot) -> None:
    assert len(report(shop, GOOD).notes) == 1


def test_a_dataset_of_no_records_has_no_defects(shop: Snapshot) -> None:
    assert (report(shop).records, report(shop).defects) == (0, ())


def test_the_same_dataset_gives_the_same_report(shop: Snapshot, tmp_path: Path) -> None:
    """Whatever was asked of the snapshot before."""
    for path, text in SOURCES.items():
        (tmp_path / "again" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "again" / path).write_text(text, encoding="utf-8")
    again = open_snapshot(tmp_path / "again", cache=tmp_path / "cache", workers=1)
    records = tuple(
        changed(GOOD, query_id=f"q{n}", query_text=text) for n, text in enumerate(PHRASES)
    )
    assert report(shop, *records) == report(again, *records)
