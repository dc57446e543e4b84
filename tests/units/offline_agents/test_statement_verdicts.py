"""The verdict on a sentence is that of the code: true, false, elsewhere, or not to be seen."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from goldwright.agents.roles import AdversaryWork, CompletenessWork, OracleWork
from goldwright.agents.toolset import Toolset
from goldwright.offline_agents import OfflineAdversary, OfflineOracle
from goldwright.offline_agents.completeness import (
    OfflineCompletenessReader,
    has_rule,
    rule_on,
)
from goldwright.offline_agents.statement_verdicts import (
    StatementVerdict,
    false_sentences,
    weigh_fact,
    weigh_falsehood,
)
from goldwright.offline_agents.token_reading.definitions import TokenCodebase
from goldwright.records import (
    AnswerDraft,
    FactCitation,
    FileRange,
    Intent,
    IntentKind,
    QueryCandidate,
    ReportDraft,
)
from goldwright.snapshot import Snapshot, open_snapshot

PATH = "shop/till.py"
CODE = '''"""The till of a shop."""

import logging

logger = logging.getLogger(__name__)


class Till:
    """Keeps the money."""

    def pay(self, sum, card=None):
        if sum <= 0:
            raise ValueError("nothing to pay")
        if card and not card.is_valid:
            logger.warning("the card cannot be read")
            return None
        if sum > 100:
            raise ValueError("nothing to pay")
        return self.book(sum)

    def book(self, sum):
        return settings["LIMIT_OF"] - sum


class Drawer(Till):
    """A till that rings."""

    def ring(self):
        settings["LIMIT_OF"] = 3


def buy(till, sum):
    till = Till()
    return till.pay(sum)


def rent(sum):
    raise ValueError("nothing to pay")


def lend(sum):
    for day in sum:
        logger.info("it is a new day")
        yield day


def count(sums):
    logger.info("the till is counted")
    total = max(sums)
    logger.info("the till is counted")
    return total


def mend(till):
    if till.is_broken or till.is_torn or till.is_bent or till.is_wet or till.is_old or (
        till.is_empty and till.is_lost and till.is_stolen and till.is_burnt and till.is_sold
    ) or till.is_scratched or till.is_dirty or till.is_locked or till.is_forgotten:
        return till.mend()
'''


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    root: Path = tmp_path_factory.mktemp("shop")
    (root / "shop").mkdir()
    (root / "shop" / "__init__.py").write_text("")
    (root / PATH).write_text(CODE)
    (root / "shop" / "limits.py").write_text("LARGEST = 100\n\n\nSMALLEST = 1\n")
    (root / "README.md").write_text("A shop.\n\nIt sells.\n")
    return open_snapshot(root, cache=tmp_path_factory.mktemp("cache"))


def line_of(text: str, after: str = "") -> int:
    lines = CODE.split("\n")
    start = next(place for place, line in enumerate(lines) if after in line)
    return next(place for place in range(start, len(lines)) if text in lines[place]) + 1


HEAD = line_of("def pay")
LAST = line_of("return self.book")


def tokens(shop: Snapshot, *names: str) -> TokenCodebase:
    ids = [f"{PATH}::{name}" for name in names or ("Till.pay", "Till.book", "buy")]
    return TokenCodebase(shop, Toolset(shop), ids)


def cited(*lines: int) -> list[FactCitation]:
    return [FactCitation(claim_id="fact-1", file=PATH, start=line, end=line) for line in lines]


TRUE = "`Till.pay` raises `ValueError` with the message “nothing to pay” if `sum <= 0`."
TURNED = "`Till.pay` raises `ValueError` with the message “nothing to pay” unless `sum <= 0`."
RESULT = '`Till.book` returns `settings["LIMIT_OF"] - sum`.'


def test_a_fact_is_supported_where_the_cited_lines_show_it(shop: Snapshot) -> None:
    verdict = weigh_fact(TRUE, cited(line_of("raise")), tokens(shop))
    assert verdict.verdict == "supported"
    assert verdict.lines is not None
    assert verdict.lines.start == line_of("raise")


def test_a_true_fact_with_lines_of_something_else_is_unsupported(shop: Snapshot) -> None:
    verdict = weigh_fact(TRUE, cited(line_of("return self.book")), tokens(shop))
    assert (verdict.verdict, "is not cited" in str(verdict.note)) == ("unsupported", True)
    other_file = [FactCitation(claim_id="fact-1", file="shop/limits.py", start=1, end=99)]
    assert weigh_fact(TRUE, other_file, tokens(shop)).verdict == "unsupported"


def test_a_fact_that_is_true_of_two_places_may_cite_either(shop: Snapshot) -> None:
    sentence = "`count` logs “the till is counted” as `info`."
    first = line_of("the till is counted")
    verdicts_by_line = {
        line: weigh_fact(sentence, cited(line), tokens(shop, "count")).verdict
        for line in (first, first + 1, first + 2)
    }
    assert list(verdicts_by_line.values()) == ["supported", "unsupported", "supported"]


def test_a_fact_with_its_condition_turned_round_is_refuted(shop: Snapshot) -> None:
    verdict = weigh_fact(TURNED, cited(line_of("raise")), tokens(shop))
    assert (verdict.verdict, "says otherwise" in str(verdict.note)) == ("unsupported", True)


def test_a_fact_on_lines_whose_conditions_nobody_can_say_stays_open(shop: Snapshot) -> None:
    returned = line_of("return till.mend")
    sentence = "`mend` returns `till.mend()` if `till.is_broken`."
    verdict = weigh_fact(sentence, cited(returned), tokens(shop, "mend"))
    assert verdict.verdict == "partial"
    assert verdict.lines is not None
    assert verdict.lines.start == returned


def test_a_fact_about_what_was_not_read_stays_open(shop: Snapshot) -> None:
    verdict = weigh_fact(TRUE.replace("Till", "Purse"), cited(line_of("raise")), tokens(shop))
    assert (verdict.verdict, verdict.lines) == ("partial", None)


@pytest.mark.parametrize(
    ("sentence", "line", "verdict"),
    [
        ("It goes wrong where `sum <= 0`.", "if sum <= 0", "partial"),
        ("It goes wrong where `sum<=0` in `Till.pay`.", "if sum <= 0", "partial"),
        ("It goes wrong where `sum <= 1`.", "if sum <= 0", "unsupported"),
        ("It goes wrong where `sum <= 0`.", "return self.book", "unsupported"),
        ("It goes wrong where `sum <= 0`.", "import logging", "unsupported"),
        ("It goes wrong.", "if sum <= 0", "partial"),
    ],
)
def test_free_words_are_never_more_than_partly_supported(
    shop: Snapshot, sentence: str, line: str, verdict: str
) -> None:
    assert weigh_fact(sentence, cited(line_of(line)), tokens(shop)).verdict == verdict


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        (TURNED, "supported"),
        (TRUE, "unsupported"),
        (TURNED.replace("Till", "Purse"), "partial"),
        ("It never goes wrong.", "partial"),
    ],
)
def test_a_falsehood_is_supported_where_it_is_really_false(
    shop: Snapshot, sentence: str, verdict: str
) -> None:
    assert weigh_falsehood(sentence, tokens(shop)).verdict == verdict


def test_only_sentences_that_the_code_refutes_are_false(shop: Snapshot) -> None:
    code = tokens(shop)
    assert list(false_sentences(f"{TRUE} {RESULT} It is a fine till.", code)) == []
    assert list(false_sentences(f"{TRUE} {TURNED}", code)) == [TURNED]
    assert list(false_sentences(TURNED.replace("Till", "Purse"), code)) == []


# The whole Adversary.

PAY = f"{PATH}::Till.pay"
NARRATIVE = (
    f"{TRUE} It also raises it for large sums, and a card that is not valid is refused with a "
    "warning instead of an error, so nobody pays by it."
)


def answer_of(shop: Snapshot, **changes: object) -> AnswerDraft:
    entity = shop.entity(PAY)
    assert entity is not None
    fields: dict[str, object] = {
        "expected_entities": [{"entity_id": PAY, "role": "primary", "rationale": "It raises."}],
        "expected_files": [PATH],
        "expected_line_ranges": [
            {"file": PATH, "start": entity.spans[0].first, "end": entity.spans[0].last}
        ],
        "must_mention_facts": [TRUE],
        "must_not_mention_facts": [TURNED],
        "fact_citations": [
            {"claim_id": claim, "file": PATH, "start": line_of("raise"), "end": line_of("raise")}
            for claim in ("fact-1", "not-fact-1")
        ],
        "canonical_narrative": NARRATIVE,
        "source_evidence": [{"file": PATH, "start": HEAD, "end": LAST, "read_at_step": 1}],
        "confidence": "high",
    }
    return AnswerDraft.model_validate_json(json.dumps({**fields, **changes}))


def candidate_of(kind: IntentKind = "raise_condition", **changes: object) -> QueryCandidate:
    place = FileRange(file=PATH, start=line_of("raise"), end=line_of("raise"))
    fields: dict[str, object] = {
        "query_id": "q1",
        "query_text": "When does paying fail?",
        "task_type": "debug",
        "difficulty": "easy",
        "target_entity_ids": (PAY,),
        "intent": Intent(kind=kind, subject=PAY, lines=place, detail="ValueError"),
        "authored_by": "test",
        "created_at": "2026-01-01T00:00:00Z",
    }
    return QueryCandidate.model_validate({**fields, **changes})


def attack(shop: Snapshot, answer: AnswerDraft, **changes: object) -> ReportDraft:
    work = AdversaryWork(candidate_of(**changes), answer)  # type: ignore[arg-type]
    return asyncio.run(OfflineAdversary(shop).play(work, Toolset(shop)))


def verdicts(report: ReportDraft) -> dict[str, str]:
    return {claim.claim_id: claim.verdict for claim in report.claim_verdicts}


def test_a_sound_answer_is_supported_in_every_claim(shop: Snapshot) -> None:
    report = attack(shop, answer_of(shop))
    assert set(verdicts(report).values()) == {"supported"}
    assert report.overall_verdict == "supported"
    assert (report.blocking_issues, report.missed_entities) == ((), ())
    assert report.findings.startswith("The question turns on `raise ValueError` in `Till.pay`")
    assert "`Till.pay` returns `self.book(sum)`" in report.findings


def lines(start: int, end: int, file: str = PATH) -> list[dict[str, object]]:
    return [{"file": file, "start": start, "end": end}]


@pytest.mark.parametrize(
    ("ranges", "verdict"),
    [
        (lines(HEAD, LAST), "supported"),
        (lines(HEAD, HEAD + 1), "supported"),
        (lines(HEAD + 1, LAST), "partial"),
        (lines(HEAD - 1, LAST), "partial"),
        (lines(HEAD, LAST + 1), "partial"),
        (lines(1, 1), "unsupported"),
        (lines(LAST + 1, LAST + 1), "unsupported"),
        (lines(1, 9_999), "unsupported"),
        (lines(1, 1, "shop/gone.py"), "unsupported"),
        (lines(1, 1, "README.md"), "supported"),
        (lines(2, 2, "README.md"), "unsupported"),
        (lines(3, 3, "README.md"), "supported"),
        (lines(3, 4, "README.md"), "unsupported"),
    ],
)
def test_a_range_shows_an_expected_definition_with_its_head(
    shop: Snapshot, ranges: list[dict[str, object]], verdict: str
) -> None:
    report = attack(shop, answer_of(shop, expected_line_ranges=ranges))
    assert verdicts(report)["range-1"] == verdict
    assert report.overall_verdict == verdict
    assert any(issue.startswith("range-1") for issue in report.blocking_issues) is (
        verdict == "unsupported"
    )


def test_a_range_of_the_inside_is_whole_where_another_shows_the_head(shop: Snapshot) -> None:
    ranges = [*lines(HEAD, HEAD + 1), *lines(HEAD + 2, LAST)]
    report = attack(shop, answer_of(shop, expected_line_ranges=ranges))
    assert verdicts(report)["range-2"] == "supported"


@pytest.mark.parametrize(
    ("entity_id", "verdict"),
    [
        (f"{PATH}::Till.book", "supported"),
        (f"{PATH}::lend", "partial"),
        (f"{PATH}::Till.lend", "unsupported"),
    ],
)
def test_an_entity_must_exist_and_have_to_do_with_the_targets(
    shop: Snapshot, entity_id: str, verdict: str
) -> None:
    entities = [
        {"entity_id": PAY, "role": "primary", "rationale": "It raises."},
        {"entity_id": entity_id, "role": "supporting", "rationale": "It is called."},
    ]
    report = attack(shop, answer_of(shop, expected_entities=entities))
    assert verdicts(report)["entity-2"] == verdict
    assert report.overall_verdict == verdict


@pytest.mark.parametrize(
    ("path", "verdict"),
    [(PATH, "supported"), ("shop/limits.py", "partial"), ("shop/gone.py", "unsupported")],
)
def test_a_file_must_exist_and_hold_some_of_the_answer(
    shop: Snapshot, path: str, verdict: str
) -> None:
    report = attack(shop, answer_of(shop, expected_files=[path]))
    assert verdicts(report)["file-1"] == verdict
    assert report.overall_verdict == verdict


def test_a_file_without_definitions_counts_where_a_range_lies_in_it(shop: Snapshot) -> None:
    ranges = [*lines(HEAD, LAST), *lines(1, 1, "shop/limits.py")]
    answer = answer_of(shop, expected_files=[PATH, "shop/limits.py"], expected_line_ranges=ranges)
    assert verdicts(attack(shop, answer))["file-2"] == "supported"


@pytest.mark.parametrize(
    ("narrative", "issue"),
    [
        (f"{NARRATIVE} {TURNED}", "the code says otherwise"),
        (f"{NARRATIVE} All of it is like `rent` in `shop/limits.py`.", "which is not expected"),
    ],
)
def test_a_narrative_that_is_wrong_or_wanders_off_blocks(
    shop: Snapshot, narrative: str, issue: str
) -> None:
    report = attack(shop, answer_of(shop, canonical_narrative=narrative))
    assert verdicts(report)["narrative"] == "unsupported"
    assert report.overall_verdict == "partial"
    assert any(issue in blocking for blocking in report.blocking_issues)


def test_a_target_that_the_answer_lacks_is_named(shop: Snapshot) -> None:
    targets = (PAY, f"{PATH}::Till.book", f"{PATH}::gone")
    report = attack(shop, answer_of(shop), target_entity_ids=targets)
    assert report.missed_entities == (f"{PATH}::Till.book",)


def test_an_answer_without_the_fact_that_is_asked_for_leaves_the_question_open(
    shop: Snapshot,
) -> None:
    line = line_of("return self.book")
    citations = [
        {"claim_id": claim, "file": PATH, "start": place, "end": place}
        for claim, place in (("fact-1", line), ("not-fact-1", line_of("raise")))
    ]
    answer = answer_of(
        shop,
        must_mention_facts=["`Till.pay` returns `self.book(sum)` unless `sum > 100`."],
        fact_citations=citations,
    )
    report = attack(shop, answer)
    assert any(issue.startswith("question: ") for issue in report.blocking_issues)
    assert report.overall_verdict == "partial"
    without_reason = attack(shop, answer, intent=None)
    assert not any(issue.startswith("question: ") for issue in without_reason.blocking_issues)


def test_a_wrong_fact_alone_makes_an_answer_partly_supported(shop: Snapshot) -> None:
    report = attack(shop, answer_of(shop, must_mention_facts=[TURNED]))
    assert verdicts(report)["fact-1"] == "unsupported"
    assert report.overall_verdict == "partial"
    true_falsehood = attack(shop, answer_of(shop, must_not_mention_facts=[TRUE]))
    assert verdicts(true_falsehood)["not-fact-1"] == "unsupported"
    assert true_falsehood.overall_verdict == "partial"


def test_every_verdict_cites_lines_that_were_read(shop: Snapshot) -> None:
    toolset = Toolset(shop)
    work = AdversaryWork(candidate_of(), answer_of(shop, expected_files=["shop/limits.py"]))
    report = asyncio.run(OfflineAdversary(shop).play(work, toolset))
    for claim in report.claim_verdicts:
        assert claim.citation is not None
        assert toolset.has_shown(claim.citation), claim.claim_id


# The rules of the completeness role.


def intent_of(kind: IntentKind, subject: str, line: int, detail: str = "") -> Intent:
    place = FileRange(file=PATH, start=line, end=line)
    return Intent(kind=kind, subject=f"{PATH}::{subject}", lines=place, detail=detail)


@pytest.mark.parametrize(
    ("intent", "name", "verdict"),
    [
        (intent_of("message_origin", "Till.pay", line_of("raise")), "rent", "equal"),
        (intent_of("raise_condition", "Till.pay", line_of("raise")), "buy", "no"),
        (intent_of("log_meaning", "lend", line_of("logger.info")), "rent", "no"),
        (intent_of("message_origin", "Till.pay", HEAD), "rent", "open"),
        (intent_of("message_origin", "gone", HEAD), "rent", "open"),
        (intent_of("literal_use", "Till.book", HEAD, "LIMIT_OF"), "Drawer.ring", "belongs"),
        (intent_of("option_readers", "Till.book", HEAD, "LIMIT_OF"), "Till.book", "belongs"),
        (intent_of("literal_use", "Till.book", HEAD, "LIMIT_OF"), "Drawer", "no"),
        (intent_of("literal_use", "Till.book", HEAD, "LIMIT"), "Till.book", "no"),
        (intent_of("callers", "Till.pay", HEAD), "buy", "belongs"),
        (intent_of("caller_coping", "Till.book", HEAD), "Till.pay", "belongs"),
        (intent_of("callers", "Till.pay", HEAD), "rent", "no"),
        (intent_of("family", "Till", HEAD), "Drawer", "belongs"),
        (intent_of("family", "Drawer", HEAD), "Till", "no"),
        (intent_of("reason", "Till.pay", HEAD), "rent", "open"),
    ],
)
def test_an_entity_belongs_to_an_answer_by_the_reason_of_the_question(
    shop: Snapshot, intent: Intent, name: str, verdict: str
) -> None:
    ruling = rule_on(shop, intent, f"{PATH}::{name}")
    assert ruling.verdict == verdict
    assert ruling.reason


def judged(shop: Snapshot, candidate: QueryCandidate, pooled: Sequence[str]) -> dict[str, str]:
    work = CompletenessWork(candidate, (PAY,), tuple(pooled))
    judgement = asyncio.run(OfflineCompletenessReader(shop).play(work, Toolset(shop)))
    assert judgement.is_judged is has_rule(candidate.intent)
    return {ruling.entity_id: ruling.verdict for ruling in judgement.rulings}


def test_every_entity_of_a_pool_is_judged(shop: Snapshot) -> None:
    pooled = [f"{PATH}::rent", f"{PATH}::buy"]
    assert judged(shop, candidate_of(), pooled) == dict(zip(pooled, ("equal", "no"), strict=True))
    assert set(judged(shop, candidate_of("reason"), pooled).values()) == {"open"}
    assert set(judged(shop, candidate_of(intent=None), pooled).values()) == {"open"}


# The Oracle as a role.


def answered(shop: Snapshot, **changes: object) -> AnswerDraft:
    work = OracleWork(candidate_of(**changes))  # type: ignore[arg-type]
    return asyncio.run(OfflineOracle(shop).play(work, Toolset(shop)))


def test_the_oracle_answers_the_reason_of_a_question(shop: Snapshot) -> None:
    answer = answered(shop)
    assert any("`sum <= 0`" in fact for fact in answer.must_mention_facts)
    assert answer.expected_entities[0].entity_id == PAY
    assert attack(shop, answer).overall_verdict == "supported"


def test_a_question_without_a_reason_is_answered_by_what_its_targets_do(shop: Snapshot) -> None:
    answer = answered(shop, intent=None)
    assert answer.must_mention_facts
    assert PAY in answer.entity_ids
    assert verdicts(attack(shop, answer, intent=None))["fact-1"] == "supported"


def test_an_entity_that_a_hint_names_by_its_id_is_expected_too(shop: Snapshot) -> None:
    hint = f"look at `{PATH}::rent`, too, not at {PATH}::gone, and at {PAY}"
    answer = answered(shop, hint=hint)
    assert f"{PATH}::rent" in answer.entity_ids
    assert f"{PATH}::gone" not in answer.entity_ids
    assert answer.entity_ids.count(PAY) == 1


def test_a_verdict_has_lines_only_where_some_were_seen() -> None:
    assert StatementVerdict("partial", None).lines is None
