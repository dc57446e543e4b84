"""Which claim a check of the gate blames, and how much of each part an answer may have."""

from typing import Any

import pytest

from goldwright.records import FileRange, Intent, IntentKind
from goldwright.snapshot.entities import Entity, FileEntry, Span
from goldwright.stages.gate import run_gate
from goldwright.stages.gate.check_protocol import GateCase
from goldwright.stages.gate.checks.answers_question import AnswersQuestion
from goldwright.stages.gate.cited_text import cited_digests
from goldwright.stages.gate.examples import (
    ANSWER,
    BASKET,
    FILLER,
    PRICES,
    README,
    SHOP,
    ShopCodebase,
    citation,
    entities,
    evidence,
    example,
    lines,
    narrative,
)

Finding = tuple[str, str]
TOTAL = f"{BASKET}::Basket.total"


def findings(check: str, case: GateCase) -> list[Finding]:
    """Give claim and message of each failure of one check."""
    failures = run_gate(case.answer, case.codebase, case.shown_lines)
    return [(failure.claim, failure.message) for failure in failures if failure.check == check]


def with_facts(count: int) -> GateCase:
    facts = tuple(f"Fact {number} holds." for number in range(1, count + 1))
    citations = [citation(BASKET, 9, 12, claim_id=f"fact-{n}")[0] for n in range(1, count + 1)]
    return example(must_mention_facts=facts, fact_citations=tuple(citations))


def with_falsehoods(count: int) -> GateCase:
    falsehoods = tuple(f"Falsehood {number} holds." for number in range(1, count + 1))
    return example(must_not_mention_facts=falsehoods, fact_citations=ANSWER.fact_citations[:3])


def with_words(count: int) -> GateCase:
    return example(canonical_narrative=" ".join(["word"] * count))


@pytest.mark.parametrize(
    ("case", "found"),
    [
        (with_facts(2), [("must_mention_facts", "there are 2; wanted 3 to 8")]),
        (with_facts(3), []),
        (with_facts(8), []),
        (with_facts(9), [("must_mention_facts", "there are 9; wanted 3 to 8")]),
        (with_falsehoods(0), [("must_not_mention_facts", "there are 0; wanted 1 to 3")]),
        (with_falsehoods(1), []),
        (with_falsehoods(3), []),
        (with_falsehoods(4), [("must_not_mention_facts", "there are 4; wanted 1 to 3")]),
        (with_words(79), [("narrative", "79 words; wanted 80 to 250")]),
        (with_words(80), []),
        (with_words(250), []),
        (with_words(251), [("narrative", "251 words; wanted 80 to 250")]),
    ],
)
def test_3_to_8_facts_1_to_3_falsehoods_and_80_to_250_words_are_allowed(
    case: GateCase, found: list[Finding]
) -> None:
    assert findings("answer_shape", case) == found


def test_what_differs_in_the_capitals_of_its_code_says_something_else() -> None:
    sentences = ("`Basket` is made.", "`basket` is made.", "`Basket` IS made.")
    same_code, other_code = (
        example(must_not_mention_facts=(sentences[0], other)) for other in sentences[:0:-1]
    )
    assert findings("answer_shape", same_code)[-1][1] == "says the same as not-fact-1"
    assert findings("answer_shape", other_code) == []


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        (
            {"must_mention_facts": (*ANSWER.must_mention_facts[:2], " ")},
            ("fact-3", "the fact is empty"),
        ),
        (
            {"must_mention_facts": (*ANSWER.must_mention_facts[:2], ANSWER.must_mention_facts[0])},
            ("fact-3", "says the same as fact-1"),
        ),
        (
            {"must_not_mention_facts": ANSWER.must_mention_facts[1:2]},
            ("not-fact-1", "says the same as fact-2"),
        ),
        ({"fact_citations": ANSWER.fact_citations[1:]}, ("fact-1", "no citation bears the fact")),
        (
            {"fact_citations": (*ANSWER.fact_citations, *citation(BASKET, 9, 9, claim_id="x"))},
            ("citation-5", "there is no fact 'x'"),
        ),
        ({"expected_entities": ()}, ("expected_entities", "no entity is primary")),
        (
            {"expected_entities": ANSWER.expected_entities * 2},
            ("expected_entities", f"'{BASKET}::Basket.add' stands 2 times"),
        ),
        ({"expected_files": (BASKET,) * 3}, ("expected_files", f"'{BASKET}' stands 3 times")),
        ({"expected_line_ranges": ()}, ("expected_line_ranges", "there are none")),
        (
            {
                "source_evidence": (
                    *ANSWER.source_evidence,
                    ANSWER.source_evidence[0].model_copy(update={"read_at_step": 0}),
                )
            },
            ("evidence-2", "read_at_step is 0; steps are counted from 1"),
        ),
        ({"confidence": "low"}, ("confidence", "low confidence needs uncertainty_notes")),
    ],
)
def test_a_breach_of_the_shape_is_blamed_on_its_claim_or_field(
    changes: dict[str, Any], found: Finding
) -> None:
    """The claim tells whoever mends the answer where to look."""
    assert findings("answer_shape", example(**changes)) == [found]


def test_an_answer_without_evidence_says_so() -> None:
    assert findings("answer_shape", example(source_evidence=())) == [
        ("source_evidence", "there is none")
    ]


@pytest.mark.parametrize(
    ("entity_id", "advice"),
    [
        # The same name in another file.
        (f"{PRICES}::Basket.add", f"; the nearest is {BASKET}::Basket.add"),
        # A similar name in the same file comes before the same last part elsewhere.
        (f"{BASKET}::Basket.totals", f"; the nearest is {BASKET}::Basket.total"),
        # The same last part of a name anywhere.
        ("shop/stock.py::Stock.add", f"; the nearest is {BASKET}::Basket.add"),
        # A name without a file.
        ("price_of", f"; the nearest is {PRICES}::price_of"),
        ("shop/stock.py::Stock.refill", ""),
    ],
)
def test_an_unknown_entity_comes_with_the_one_that_was_probably_meant(
    entity_id: str, advice: str
) -> None:
    case = example(expected_entities=(*ANSWER.expected_entities, *entities(entity_id)))
    assert findings("entity_resolves", case) == [
        ("entity-2", f"no entity {entity_id!r} in the snapshot{advice}")
    ]


def test_the_same_whole_name_elsewhere_is_nearer_than_the_same_last_part() -> None:
    spans = (Span(1, 1),)
    namesakes = [("a.py", "Other.add"), ("b.py", "Basket.add"), ("c.py", "Basket.add")]
    codebase = ShopCodebase(
        {path: "" for path, _ in namesakes},
        tuple(Entity(f"{path}::{name}", path, name, "method", spans) for path, name in namesakes),
    )
    expected = entities("d.py::Basket.add")
    case = GateCase(ANSWER.model_copy(update={"expected_entities": expected}), codebase)
    [(_, message)] = findings("entity_resolves", case)
    assert message.endswith("the nearest is b.py::Basket.add")


@pytest.mark.parametrize(
    ("path", "advice"),
    [
        ("basket.py", f"; {BASKET} is"),
        (f"./{BASKET}", f"; {BASKET} is"),
        ("shop\\basket.py", f"; {BASKET} is"),
        # A directory is no help to somebody who looks for a file.
        ("shop", ""),
        ("lost.py", ""),
    ],
)
def test_a_missing_file_comes_with_the_one_that_was_probably_meant(path: str, advice: str) -> None:
    case = example(expected_files=(BASKET, path))
    assert findings("file_exists", case) == [("file-2", f"no file {path!r} in the tree{advice}")]


def test_of_several_files_of_a_name_the_first_in_the_alphabet_is_named() -> None:
    codebase = ShopCodebase({"b/stock.py": "", "a/stock.py": "", "c/stock.py": ""}, ())
    case = GateCase(ANSWER.model_copy(update={"expected_files": ("stock.py",)}), codebase)
    assert findings("file_exists", case) == [
        ("file-1", "no file 'stock.py' in the tree; a/stock.py is")
    ]


def test_a_file_that_holds_no_text_is_called_what_it_is() -> None:
    codebase = ShopCodebase({}, ())
    codebase.files["logo.png"] = FileEntry("logo.png", "0" * 40, 7, "binary")
    case = GateCase(ANSWER.model_copy(update={"expected_files": ("logo.png",)}), codebase)
    assert findings("file_exists", case) == [
        ("file-1", "'logo.png' is no text file of the tree but binary")
    ]


@pytest.mark.parametrize(
    ("start", "end", "problem"),
    [
        (0, 12, "lines are counted from 1"),
        (1, 0, "lines are counted from 1"),
        (12, 9, "the range ends before it starts"),
        (9, 16, "the file has 15 lines"),
    ],
)
def test_a_range_that_no_file_has_says_why_for_ranges_citations_and_evidence(
    start: int, end: int, problem: str
) -> None:
    cited = f"{BASKET}:{start}-{end}: {problem}"
    ranges = (*ANSWER.expected_line_ranges, *lines(BASKET, start, end))
    assert findings("line_range_valid", example(expected_line_ranges=ranges)) == [
        ("range-2", cited)
    ]
    citations = (*ANSWER.fact_citations, *citation(BASKET, start, end, claim_id="fact-2"))
    assert findings("line_range_valid", example(fact_citations=citations)) == [("fact-2", cited)]
    read = (*ANSWER.source_evidence, *evidence(BASKET, start, end))
    assert findings("evidence_exists", example(source_evidence=read)) == [("evidence-2", cited)]


@pytest.mark.parametrize(("start", "end"), [(1, 1), (15, 15), (1, 15)])
def test_the_first_and_the_last_line_of_a_file_may_be_cited(start: int, end: int) -> None:
    case = example(expected_line_ranges=lines(BASKET, start, end))
    assert findings("line_range_valid", case) == []
    assert findings("evidence_read", case) == []


@pytest.mark.parametrize(("start", "end"), [(0, 12), (-1, 3), (12, 9)])
def test_a_range_without_lines_is_blamed_once_and_not_for_being_unread(
    start: int, end: int
) -> None:
    ranged = example(expected_line_ranges=lines(BASKET, start, end))
    assert findings("evidence_read", ranged) == []
    shown = evidence(BASKET, 1, 15)
    read = example(source_evidence=(*shown, *evidence(BASKET, start, end)), shown_lines=shown)
    assert findings("evidence_read", read) == []


def test_unread_lines_are_blamed_on_who_cites_them_and_unshown_ones_on_the_evidence() -> None:
    case = example(source_evidence=evidence(BASKET, 1, 11), shown_lines=evidence(BASKET, 1, 10))
    assert findings("evidence_read", case) == [
        ("range-1", f"{BASKET}:9-12: not all of these lines are in source_evidence"),
        ("fact-3", f"{BASKET}:12-12: not all of these lines are in source_evidence"),
        ("not-fact-1", f"{BASKET}:9-12: not all of these lines are in source_evidence"),
        ("evidence-1", f"{BASKET}:1-11: not all of these lines were shown to the Oracle"),
    ]


def test_the_entity_whose_file_is_not_listed_is_blamed() -> None:
    case = example(expected_entities=(*ANSWER.expected_entities, *entities(f"{PRICES}::build")))
    [(claim, message)] = findings("entity_file_listed", case)
    assert claim == "entity-2"
    assert PRICES in message


def test_a_range_in_an_unlisted_file_and_one_beside_the_entities_are_blamed() -> None:
    ranges = (*ANSWER.expected_line_ranges, FileRange(file=PRICES, start=4, end=5))
    assert findings("range_in_listed_file", example(expected_line_ranges=ranges)) == [
        ("range-2", f"{PRICES}:4-5: the file is not in expected_files")
    ]
    ranges = (*ANSWER.expected_line_ranges, *lines(BASKET, 13, 15))
    assert findings("range_touches_entity", example(expected_line_ranges=ranges)) == [
        ("range-2", f"{BASKET}:13-15: no expected entity has any of these lines")
    ]


@pytest.mark.parametrize("line", [9, 12])
def test_one_line_in_common_with_an_entity_is_enough(line: int) -> None:
    """The first and the last line of `Basket.add` belong to it, and their neighbours do not."""
    at_the_edge = example(expected_line_ranges=lines(BASKET, line, line))
    assert findings("range_touches_entity", at_the_edge) == []
    beside = line - 1 if line == 9 else line + 1
    outside = example(expected_line_ranges=lines(BASKET, beside, beside))
    assert len(findings("range_touches_entity", outside)) == 1


@pytest.mark.parametrize(("start", "end"), [(14, 16), (0, 2)])
def test_a_range_past_either_end_is_blamed_for_that_alone(start: int, end: int) -> None:
    case = example(expected_line_ranges=lines(BASKET, start, end))
    assert findings("range_touches_entity", case) == []


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        (
            "See lost/part.py for it.",
            "names 'lost/part.py'; there is no such file, and no cited line has the name",
        ),
        (
            "It calls `conjure_rabbits()`.",
            "names 'conjure_rabbits'; there is no such entity, and no cited line has the name",
        ),
        (
            f"See {README} for it.",
            f"names '{README}' ({README}), which no cited line uses and expected_files lacks",
        ),
        (
            "It asks price_of.",
            (
                f"names 'price_of' ({PRICES}::price_of), which no cited line uses and "
                "expected_entities lacks"
            ),
        ),
    ],
)
def test_a_name_in_the_narrative_is_quoted_with_what_it_means(sentence: str, message: str) -> None:
    case = example(canonical_narrative=narrative(f"{sentence} {sentence}"))
    assert findings("narrative_covered", case) == [("narrative", message)]


@pytest.mark.parametrize(
    ("folders", "others"), [("a", ""), ("ab", " or 1 other"), ("abc", " or 2 others")]
)
def test_a_name_of_several_files_says_how_many_others_it_may_mean(
    folders: str, others: str
) -> None:
    sources = {path: SHOP.source(path).text for path in SHOP.files}
    sources |= {f"{folder}/stock.py": "" for folder in folders}
    codebase = ShopCodebase(sources, tuple(SHOP.entities()))
    text = narrative("See stock.py for it.")
    case = GateCase(ANSWER.model_copy(update={"canonical_narrative": text}), codebase)
    meaning = f"'stock.py' (a/stock.py{others})"
    message = f"names {meaning}, which no cited line uses and expected_files lacks"
    assert findings("narrative_covered", case) == [("narrative", message)]


def test_a_quotation_that_is_none_is_named_by_its_first_line_cut_after_60_characters() -> None:
    invented = f"return {'x' * 80}"
    text = narrative(f"It says so itself.\n```python\n{invented}\n```")
    assert findings("quoted_code_exists", example(canonical_narrative=text)) == [
        ("narrative", f"quotes {invented[:60]!r}, which is no cited line")
    ]


def test_a_quotation_whose_lines_stand_apart_is_named_by_the_first_that_does_not_follow() -> None:
    lines_apart = "if amount < 1:\nself.lines.append((article, amount))"
    text = narrative(f"It says so itself.\n```python\n{lines_apart}\n```")
    ((claim, message),) = findings("quoted_code_exists", example(canonical_narrative=text))
    assert claim == "narrative"
    assert message == (
        "quotes 'self.lines.append((article, amount))' right behind 'if amount < 1:', "
        "where it does not stand"
    )


def test_a_line_that_is_cited_nowhere_is_named_behind_one_that_is() -> None:
    text = narrative("It says so itself.\n```python\nif amount < 1:\n    invented()\n```")
    assert findings("quoted_code_exists", example(canonical_narrative=text)) == [
        ("narrative", "quotes 'invented()', which is no cited line")
    ]


def test_each_fact_whose_code_the_narrative_does_not_speak_of_is_named_by_its_number() -> None:
    facts = ("`Basket.add` stores a pair.", "`nowhere` is `missing`.", "It takes an `amount`.")
    assert findings("answers_question", example(must_mention_facts=facts)) == [
        ("narrative", "it does not speak of what fact-2 names")
    ]


@pytest.mark.parametrize(
    ("kind", "fact", "found"),
    [
        ("callers", "The method `total` is overridden nowhere.", []),
        ("callers", "It is overridden nowhere.", [f"the answer does not expect {TOTAL}"]),
        ("other", "The method `total` is told.", [f"the answer does not expect {TOTAL}"]),
    ],
)
def test_what_a_question_about_others_names_need_not_be_expected_if_a_fact_speaks_of_it(
    kind: IntentKind, fact: str, found: list[str]
) -> None:
    place = FileRange(file=BASKET, start=14, end=14)
    intent = Intent(kind=kind, subject=TOTAL, lines=place, detail="")
    facts = (*ANSWER.must_mention_facts[:2], fact)
    case = example(intent=intent, must_mention_facts=facts)
    about_intent = [item for item in AnswersQuestion().inspect(case) if item.claim == "intent"]
    messages = [item.message for item in about_intent]
    assert [message for message in messages if "does not expect" in message] == found


def test_a_falsehood_about_what_the_cited_files_do_not_have_is_named_by_its_number() -> None:
    falsehoods = ("Adding looks a price up.", "`Basket.remove_all` raises `ValueError`.")
    ((claim, message),) = findings("must_nots_covered", example(must_not_mention_facts=falsehoods))
    assert claim == "not-fact-2"
    assert message.startswith("names 'Basket.remove_all'")


def test_a_narrative_about_nothing_comes_with_three_names_that_it_could_have_had() -> None:
    facts = ("`delta` and `beta` are read.", "`gamma` is kept.", "`alpha` is handed on.")
    case = example(must_mention_facts=facts, canonical_narrative=FILLER)
    assert findings("narrative_names_something", case) == [
        ("narrative", "names nothing of what the answer is about, such as alpha, beta, delta")
    ]


@pytest.mark.parametrize(
    ("start", "end", "is_digested"),
    [(1, 1, True), (1, 15, True), (15, 15, True), (0, 1, False), (2, 1, False), (15, 16, False)],
)
def test_every_range_of_lines_that_are_there_is_digested_from_the_first_to_the_last(
    start: int, end: int, is_digested: bool
) -> None:
    digests = cited_digests([FileRange(file=BASKET, start=start, end=end)], SHOP)
    assert list(digests) == ([f"{BASKET}:{start}-{end}"] if is_digested else [])
