"""Answers with one claim made false."""

import asyncio
import random
import re
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from goldwright.agents.roles import AdversaryWork, OracleWork
from goldwright.agents.toolset import Toolset
from goldwright.canaries.caught_by_adversary import is_caught
from goldwright.canaries.kinds import KINDS, MEANING_KINDS
from goldwright.canaries.mutations import (
    AnsweredCandidate,
    FalsifiedAnswer,
    falsify,
)
from goldwright.offline_agents import OfflineAdversary, OfflineOracle
from goldwright.offline_agents.code_context import CodeContext
from goldwright.offline_agents.inquiries.catalog import INQUIRIES
from goldwright.offline_agents.statements.catalog import read_statement
from goldwright.records import (
    AnswerDraft,
    CanaryKind,
    Evidence,
    ExpectedEntity,
    FactCitation,
    FileRange,
    Intent,
    OracleAnswer,
    QueryCandidate,
    ReportDraft,
    claims_of,
)
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.stages.gate import run_gate

STAMP = {"authored_by": "agent:oracle:offline-1", "created_at": "2026-01-01T00:00:00Z"}
PATH = "pottery/kiln.py"
KILN = '''\
"""Firing."""

from pottery.glaze import mix_glaze


class Kiln:
    """Fires pots."""

    max_heat = 1280

    def load_pot(self, pot, shelf_no=0):
        """Put a pot on a shelf."""
        if shelf_no >= self.shelves:
            raise ValueError("no such shelf")
        pot.warm_up()
        self.pots.append((shelf_no, pot))
        self.note("loaded")
        return shelf_no

    def fire(self, heat, quick=False):
        """Fire everything there is, slowly or not."""
        if heat > self.max_heat:
            raise OverflowError("too hot")
        if not quick:
            self.preheat(heat)
        glaze = mix_glaze("celadon", heat)
        fired = []
        for _, pot in self.pots:
            fired.append(coat_pot(pot, glaze))
        self.pots.clear()
        self.note("fired")
        return fired

    def preheat(self, heat):
        """Warm the kiln up."""
        for step in range(0, heat, 100):
            self.note(step)

    def note(self, line):
        """Write something into the book."""
        self.book.write(line)


def coat_pot(pot, glaze):
    """Put glaze on a pot."""
    if glaze is None:
        return pot
    pot.glaze_name = glaze.label
    return pot


def polish_pot(pot):
    """Rub a pot until it shines."""
    while pot.is_dull():
        pot.rub()
    return True
'''
GLAZE = '''\
"""Glazes."""

RECIPES = {"celadon": 1260, "raku": 980}


class Glaze:
    """A glaze that is ready."""

    def __init__(self, label, melting_point):
        self.label = label
        self.melting_point = melting_point

    def melts_at(self, heat):
        """Tell whether it melts."""
        return heat >= self.melting_point


def mix_glaze(recipe, heat):
    """Mix a glaze."""
    found = Glaze(recipe, RECIPES[recipe])
    if not found.melts_at(heat):
        raise LookupError("too cold for the recipe")
    return stir(found)


def stir(glaze):
    """Stir it, and stop when it was stirred before."""
    if glaze.label in RECIPES:
        return glaze
    glaze.label = glaze.label.strip()
    return glaze
'''
SHOP = '''\
"""Selling."""

from pottery.kiln import polish_pot


def price_of(pot, discount):
    """Say what a pot costs."""
    if pot is None:
        raise LookupError("there is no pot on this shelf")
    if discount > 50:
        raise ValueError("more than half off is not allowed here")
    base = pot.weight * 3
    if pot.is_rare and not pot.is_cracked:
        return base * 2 - discount
    if pot.is_cracked:
        return base // 2
    return base - discount


def sell_pot(pot, customer):
    """Sell a pot."""
    amount = price_of(pot, customer.discount)
    if amount > customer.purse:
        return None
    polish_pot(pot)
    customer.pay(amount)
    return amount


def label_pot(pot):
    """Write a label."""
    text = "not for sale"
    try:
        text = str(price_of(pot, 0))
    except LookupError:
        return text
    return text + " crowns"
'''
FIRE = f"{PATH}::Kiln.fire"
# How many of the answers of the offline Oracle that hold what a kind falsifies give ground for it.
# A name that takes another's place has to stand on the lines of the answer: a name elsewhere is
# stopped by the gate. Calls are swapped where they go one way, and a question is missed where the
# function raises something else as well.
LEAST_SHARES = {
    "renamed_symbol": 0.5,
    "flipped_comparison": 0.8,
    "swapped_caller_callee": 0.4,
    # A range does not move away from code that the narrative quotes.
    # A short definition has no lines that bear no fact.
    "shifted_lines": 0.3,
    "false_fact": 0.8,
    "missed_question": 0.25,
    "missing_member": 0.6,
    "inverted_guard": 0.8,
}
LINES = {"Kiln.load_pot": (11, 18), "polish_pot": (51, 55)}
NARRATIVE = " ".join(
    ["The kiln takes every pot that was put on its shelves and fires it at the heat asked for."] * 6
)


class Played(NamedTuple):
    """A candidate, its answer, and the lines that the Oracle was shown."""

    candidate: QueryCandidate
    answer: OracleAnswer
    shown: tuple[Evidence, ...]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """A package of three modules that call each other one way."""
    root = tmp_path_factory.mktemp("code")
    (root / "pottery").mkdir()
    sources = {
        PATH: KILN,
        "pottery/glaze.py": GLAZE,
        "pottery/shop.py": SHOP,
        "pottery/__init__.py": "",
    }
    for path, text in sources.items():
        (root / path).write_text(textwrap.dedent(text), encoding="utf-8")
    return open_snapshot(root, rev=None, cache=tmp_path_factory.mktemp("cache"), workers=1)


@pytest.fixture(scope="module")
def played(snapshot: Snapshot) -> tuple[Played, ...]:
    """What the offline Oracle answers about every definition, and about every two that a call
    joins.
    """
    definitions = [entity.entity_id for entity in snapshot.entities() if entity.kind != "variable"]
    calls = [
        (caller, site.entity_id)
        for caller in definitions
        for site in snapshot.graph.callees(caller)
    ]
    answers = [
        answered(snapshot, targets)
        for targets in (*((definition,) for definition in definitions), *calls)
    ]
    answers += asked(snapshot)
    return tuple(
        record
        for record in answers
        if record.answer.confidence == "high"
        and not run_gate(record.answer, snapshot, record.shown, intent=record.candidate.intent)
    )


def asked(snapshot: Snapshot) -> list[Played]:
    """What the offline Oracle answers to every question that has a reason."""
    code = CodeContext(snapshot)
    questions: dict[tuple[str, tuple[str, ...]], Intent] = {}
    for path in snapshot.source_files:
        module = code.module(path)
        assert module is not None
        for inquiry in INQUIRIES:
            for lead in inquiry.leads(module):
                for question in inquiry.questions(lead, code):
                    intent = question.intent
                    questions[f"{intent.kind}:{intent.lines}", question.targets] = intent
    return [answered(snapshot, targets, intent) for (_, targets), intent in questions.items()]


def answered(snapshot: Snapshot, targets: tuple[str, ...], intent: Intent | None = None) -> Played:
    identity = {"query_id": "q1", "task_type": "explain", "difficulty": "hard"}
    question = {
        "query_text": "What happens to a pot?",
        "target_entity_ids": targets,
        "intent": intent,
    }
    candidate = QueryCandidate.model_validate({**question, **identity, **STAMP})
    toolset = Toolset(snapshot)
    draft = asyncio.run(OfflineOracle(snapshot).play(OracleWork(candidate), toolset))
    return Played(
        candidate, OracleAnswer.model_validate({**dict(draft), **identity, **STAMP}), toolset.shown
    )


def prose(
    fact: str,
    first: int,
    last: int,
    *,
    falsehoods: Sequence[str] = ("Firing takes a day.",),
    others: Sequence[str] = (),
) -> OracleAnswer:
    """An answer about firing, in plain words, with one fact that matters and two that hold nothing
    to turn; other methods and functions of the file are expected too.
    """
    other_facts = ("Everything comes out at the end.", "The whole stock is done in one go.")
    numbered = [(1, first, last), (2, 20, 33), (3, 20, 33)]
    return OracleAnswer.model_validate(
        {
            "query_id": "q1",
            "task_type": "explain",
            "difficulty": "easy",
            "expected_entities": (
                ExpectedEntity(entity_id=FIRE, role="primary", rationale="It fires."),
                *(
                    ExpectedEntity(
                        entity_id=f"{PATH}::{name}", role="supporting", rationale="It helps."
                    )
                    for name in others
                ),
            ),
            "expected_files": (PATH,),
            "expected_line_ranges": (
                FileRange(file=PATH, start=20, end=32),
                *(
                    FileRange(file=PATH, start=LINES[name][0], end=LINES[name][1])
                    for name in others
                ),
            ),
            "must_mention_facts": (fact, *other_facts),
            "must_not_mention_facts": tuple(falsehoods),
            "fact_citations": tuple(
                FactCitation(claim_id=f"fact-{n}", file=PATH, start=start, end=end)
                for n, start, end in numbered
            ),
            "canonical_narrative": f"{NARRATIVE} {fact}",
            "source_evidence": (Evidence(file=PATH, start=1, end=56, read_at_step=1),),
            "confidence": "high",
            **STAMP,
        }
    )


def query_of(answer: OracleAnswer, intent: Intent | None = None) -> AnsweredCandidate:
    """An answer with the question that it answers."""
    fields = {
        "query_id": answer.query_id,
        "query_text": "What happens to a pot?",
        "task_type": answer.task_type,
        "difficulty": answer.difficulty,
        "target_entity_ids": answer.entity_ids,
        "intent": intent,
        **STAMP,
    }
    return AnsweredCandidate(QueryCandidate.model_validate(fields), answer)


def falsify_surely(
    answer: OracleAnswer, snapshot: Snapshot, kind: CanaryKind, seed: int = 1
) -> FalsifiedAnswer:
    """Falsify an answer that has ground for it."""
    false_answer = falsify(query_of(answer), snapshot, kind, random.Random(seed))
    assert false_answer is not None
    return false_answer


@pytest.mark.parametrize(
    ("fact", "line", "expected"),
    [
        (
            "Heat above the limit gives an `OverflowError`.",
            22,
            "Heat at or below the limit gives an `OverflowError`.",
        ),
        (
            "`fire` raises `OverflowError` when `heat > self.max_heat`.",
            22,
            "`fire` raises `OverflowError` when `heat <= self.max_heat`.",
        ),
        ("`preheat` comes first unless `quick` is set.", 24, None),
        (
            "When `quick` is falsy, `self.preheat` comes.",
            24,
            "When `quick` is truthy, `self.preheat` comes.",
        ),
        (
            "The parameter `quick` defaults to `False`.",
            20,
            "The parameter `quick` defaults to `True`.",
        ),
        ("`fire` calls `self.note` once per round.", 31, None),
        ("`fire` checks whether `heat > self.max_heat`.", 22, None),
        ("`fire` may raise `OverflowError` when `heat > self.max_heat`.", 22, None),
        ("`fire` returns early when `quick` is truthy.", 24, None),
    ],
)
def test_a_comparison_is_reversed_only_where_that_makes_it_false(
    snapshot: Snapshot, fact: str, line: int, expected: str | None
) -> None:
    facts = {
        false_answer.answer.must_mention_facts[0]
        for seed in range(5)
        if (
            false_answer := falsify(
                query_of(prose(fact, line, line + 1)),
                snapshot,
                "flipped_comparison",
                random.Random(seed),
            )
        )
    }
    if fact.startswith("`preheat`"):
        assert facts <= {
            "`preheat` comes first when `quick` is set.",
            "`preheat` comes first unless `quick` is not set.",
        }
    else:
        assert facts == ({expected} if expected else set())


def test_a_renamed_symbol_is_real_and_plays_no_part_where_it_is_now_said_to(
    snapshot: Snapshot,
) -> None:
    answer = prose("`Kiln.fire` calls `coat_pot`.", 29, 29, others=("Kiln.load_pot", "polish_pot"))
    names = {
        falsify_surely(answer, snapshot, "renamed_symbol", seed).answer.must_mention_facts[0]
        for seed in range(20)
    }
    assert "`Kiln.fire` calls `polish_pot`." in names
    assert "`Kiln.load_pot` calls `coat_pot`." in names
    assert not any("`mix_glaze`" in name or "`Kiln.fire` calls `preheat`" in name for name in names)


@pytest.mark.parametrize(
    "fact", ["`Kiln.fire` never calls `coat_pot`.", "Pots are glazed.", "`list` is used by `len`."]
)
def test_a_denial_and_a_fact_without_symbols_are_left_alone(snapshot: Snapshot, fact: str) -> None:
    kinds: tuple[CanaryKind, ...] = ("renamed_symbol", "swapped_caller_callee")
    for kind in kinds:
        assert falsify(query_of(prose(fact, 29, 29)), snapshot, kind, random.Random(1)) is None


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (
            "`Kiln.fire` calls `coat_pot` for each pot.",
            "`coat_pot` calls `Kiln.fire` for each pot.",
        ),
        ("`coat_pot` is called by `Kiln.fire`.", "`Kiln.fire` is called by `coat_pot`."),
        ("`Kiln.fire` delegates to `self.preheat`.", "`preheat` delegates to `self.fire`."),
        ("`Kiln.fire` passes `pot` to `coat_pot`.", "`coat_pot` passes `pot` to `Kiln.fire`."),
        ("`polish_pot` calls `coat_pot`.", None),
        ("`Kiln.fire` calls `print`.", None),
    ],
)
def test_caller_and_callee_change_places_where_the_call_goes_one_way(
    snapshot: Snapshot, fact: str, expected: str | None
) -> None:
    false_answer = falsify(
        query_of(prose(fact, 29, 29)), snapshot, "swapped_caller_callee", random.Random(1)
    )
    assert (false_answer.answer.must_mention_facts[0] if false_answer else None) == expected


@pytest.mark.parametrize("seed", range(12))
def test_shifted_lines_stay_in_the_definition_and_lose_what_they_showed(
    snapshot: Snapshot, seed: int
) -> None:
    false_answer = falsify_surely(
        prose("`fire` raises `OverflowError`.", 22, 23), snapshot, "shifted_lines", seed
    )
    if false_answer.claim_id == "range-1":
        moved = false_answer.answer.expected_line_ranges[0]
        assert 23 <= moved.start <= 32
    else:
        cited = false_answer.answer.fact_citations[0]
        assert (false_answer.claim_id, cited.claim_id) == ("fact-1", "fact-1")
        assert 23 < cited.start <= cited.end <= 32
        assert "OverflowError" not in "\n".join(KILN.splitlines()[cited.start - 1 : cited.end])


def test_a_false_fact_is_promoted_and_another_one_stays(snapshot: Snapshot) -> None:
    answer = prose(
        "`fire` raises `OverflowError`.", 22, 23, falsehoods=("Pots are sold.", "Pots are broken.")
    )
    false_answer = falsify_surely(answer, snapshot, "false_fact")
    assert false_answer.claim_id == "fact-4"
    assert {
        false_answer.answer.must_mention_facts[3],
        *false_answer.answer.must_not_mention_facts,
    } == set(answer.must_not_mention_facts)
    assert false_answer.answer.fact_citations[-1] == FactCitation(
        claim_id="fact-4", file=PATH, start=20, end=32
    )


def test_the_only_false_fact_leaves_another_one_behind_or_stays(snapshot: Snapshot) -> None:
    false_answer = falsify_surely(
        prose("`Kiln.fire` calls `coat_pot`.", 29, 29), snapshot, "false_fact"
    )
    assert false_answer.answer.must_mention_facts[3] == "Firing takes a day."
    assert len(false_answer.answer.must_not_mention_facts) == 1
    assert (
        falsify(
            query_of(prose("Pots are glazed.", 29, 29)), snapshot, "false_fact", random.Random(1)
        )
        is None
    )


def test_there_are_never_more_than_eight_facts(snapshot: Snapshot) -> None:
    answer = prose("`Kiln.fire` calls `coat_pot`.", 29, 29)
    more = tuple(f"Pot number {number} is fired." for number in range(4, 9))
    cited = tuple(
        FactCitation(claim_id=f"fact-{number}", file=PATH, start=20, end=32)
        for number in range(4, 9)
    )
    full = answer.model_copy(
        update={
            "must_mention_facts": (*answer.must_mention_facts, *more),
            "fact_citations": (*answer.fact_citations, *cited),
        }
    )
    false_answer = falsify_surely(full, snapshot, "false_fact")
    assert (false_answer.claim_id, len(false_answer.answer.must_mention_facts)) == ("fact-8", 8)
    assert run_gate(false_answer.answer, snapshot) == ()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in MEANING_KINDS])
def test_what_was_falsified_passes_the_gate_and_differs_in_the_claim_that_is_named(
    snapshot: Snapshot, played: Sequence[Played], kind: CanaryKind
) -> None:
    falsified_count = 0
    for candidate, answer, shown in played:
        record = AnsweredCandidate(candidate, answer)
        false_answer = falsify(record, snapshot, kind, random.Random(3))
        if false_answer is not None:
            falsified_count += 1
            assert false_answer.gate_failures == ()
            assert run_gate(false_answer.answer, snapshot, shown, intent=candidate.intent) == ()
            if falsified_count == 1:
                assert false_answer == falsify(record, snapshot, kind, random.Random(3))
            assert false_answer.claim_id in {
                claim.claim_id for claim in claims_of(false_answer.answer)
            }
            assert changed_claims(answer, false_answer.answer) in ({false_answer.claim_id}, set())
            assert "\n" not in false_answer.what
    assert len(played) >= 16
    assert falsified_count >= LEAST_SHARES[kind] * len(grounds(kind, played))


@pytest.mark.parametrize("kind", sorted(MEANING_KINDS))
def test_an_answer_of_another_meaning_passes_the_gate_or_says_why_it_does_not(
    snapshot: Snapshot, played: Sequence[Played], kind: CanaryKind
) -> None:
    falsified_count = passed_count = 0
    for candidate, answer, _ in played:
        record = AnsweredCandidate(candidate, answer)
        false_answer = falsify(record, snapshot, kind, random.Random(3))
        if false_answer is not None:
            falsified_count += 1
            failures = run_gate(false_answer.answer, snapshot, intent=candidate.intent)
            assert false_answer.gate_failures == failures
            passed_count += not failures
            assert false_answer.answer.canonical_narrative != answer.canonical_narrative
            assert false_answer == falsify(record, snapshot, kind, random.Random(3))
    assert passed_count >= 1
    assert falsified_count >= LEAST_SHARES[kind] * len(grounds(kind, played))


def grounds(kind: CanaryKind, played: Sequence[Played]) -> list[OracleAnswer]:
    """The answers that hold what a kind falsifies; there must be some."""
    answers = [answer for _, answer, _ in played]
    if kind == "renamed_symbol":
        answers = [answer for answer in answers if len(answer.expected_entities) > 1]
    if kind == "missing_member":
        answers = [answer for answer in answers if has_set(answer)]
    if kind == "swapped_caller_callee":
        answers = [answer for answer in answers if has_call(answer)]
    # Who calls whom is falsified by a caller that is left out: no guard is the point of it.
    if kind in {"flipped_comparison", "inverted_guard"}:
        answers = [answer for candidate, answer, _ in played if not asks_for_callers(candidate)]
    assert len(answers) >= 6
    return answers


def asks_for_callers(candidate: QueryCandidate) -> bool:
    return candidate.intent is not None and candidate.intent.kind == "callers"


def has_call(answer: AnswerDraft) -> bool:
    """Whether a fact says that one expected definition calls another."""
    own_names = {
        entity_id.rpartition("::")[2].rpartition(".")[2] for entity_id in answer.entity_ids
    }
    for fact in answer.must_mention_facts:
        for names in re.findall(r"`([^`]+)` (?:calls|is called by) `([^`]+)`", fact):
            if {name.rpartition(".")[2] for name in names} <= own_names:
                return True
    return False


def has_set(answer: AnswerDraft) -> bool:
    """Whether a fact says of two members or more that they are all."""
    statements = map(read_statement, answer.must_mention_facts)
    return any(statement and len(statement.members) >= 2 for statement in statements)


def changed_claims(before: AnswerDraft, after: AnswerDraft) -> set[str]:
    """The ids of the claims, false facts aside, that say something else than before."""
    texts_before = {claim.claim_id: claim.claim for claim in claims_of(before)}
    return {
        claim.claim_id
        for claim in claims_of(after)
        if not claim.claim_id.startswith("not-fact")
        and texts_before.get(claim.claim_id) != claim.claim
    }


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if kind not in {"shifted_lines", "missed_question"}]
)
def test_a_reader_who_looks_every_claim_up_supports_no_falsified_fact(
    snapshot: Snapshot, played: Sequence[Played], kind: CanaryKind
) -> None:
    for candidate, answer, _ in played:
        record = AnsweredCandidate(candidate, answer)
        false_answer = falsify(record, snapshot, kind, random.Random(5))
        if false_answer is not None:
            report = attack(snapshot, candidate, false_answer)
            verdicts = {verdict.claim_id: verdict.verdict for verdict in report.claim_verdicts}
            assert verdicts[false_answer.claim_id] != "supported", false_answer.what
            assert is_caught(false_answer, report)


def attack(
    snapshot: Snapshot, candidate: QueryCandidate, false_answer: FalsifiedAnswer
) -> ReportDraft:
    """What the offline Adversary says of a false answer."""
    work = AdversaryWork(candidate, false_answer.answer)
    return asyncio.run(OfflineAdversary(snapshot).play(work, Toolset(snapshot)))


def price_question(played: Sequence[Played], kind: str, targets: int) -> AnsweredCandidate:
    """The question about the missing pot, with its answer."""
    for candidate, answer, _ in played:
        intent = candidate.intent
        is_asked = intent is not None and (intent.kind, intent.lines.start) == (kind, 9)
        if is_asked and len(candidate.target_entity_ids) == targets:
            return AnsweredCandidate(candidate, answer)
    raise AssertionError(kind)


def test_a_missed_question_is_answered_with_true_facts_about_another_error(
    snapshot: Snapshot, played: Sequence[Played]
) -> None:
    record = price_question(played, "message_origin", 3)
    false_answer = falsify(record, snapshot, "missed_question", random.Random(1))
    assert false_answer is not None
    answer = false_answer.answer
    text = " ".join([*answer.must_mention_facts, answer.canonical_narrative])
    assert "more than half off is not allowed here" in text
    assert "there is no pot on this shelf" not in text
    report = attack(snapshot, record.candidate, false_answer)
    assert {verdict.verdict for verdict in report.claim_verdicts} == {"supported"}
    assert any(issue.startswith("question: ") for issue in report.blocking_issues)
    assert is_caught(false_answer, report)


def test_a_missing_member_stands_nowhere_in_the_answer(
    snapshot: Snapshot, played: Sequence[Played]
) -> None:
    record = price_question(played, "raise_condition", 3)
    false_answer = falsify(record, snapshot, "missing_member", random.Random(1))
    assert false_answer is not None
    assert false_answer.left_out in record.answer.entity_ids
    name = false_answer.left_out.rpartition("::")[2]
    assert name in {"sell_pot", "label_pot"}
    assert name not in false_answer.answer.model_dump_json()
    other = ({"sell_pot", "label_pot"} - {name}).pop()
    assert f"`price_of` is called by `{other}`, and by no other product code." in (
        false_answer.answer.must_mention_facts
    )


def test_an_inverted_guard_stands_in_the_fact_and_in_the_narrative(
    snapshot: Snapshot, played: Sequence[Played]
) -> None:
    raised = "`price_of` raises `LookupError` with the message “there is no pot on this shelf”"
    plain = price_question(played, "raise_condition", 3)
    _, *falsehoods = plain.answer.must_not_mention_facts
    warned = (f"{raised} unless `pot is None`.", *falsehoods)
    answer_with_warning = plain.answer.model_copy(update={"must_not_mention_facts": warned})
    record = AnsweredCandidate(plain.candidate, answer_with_warning)
    inverted = {
        false_answer.answer.must_mention_facts[0]: false_answer.answer
        for seed in range(30)
        if (false_answer := falsify(record, snapshot, "inverted_guard", random.Random(seed)))
        and false_answer.claim_id == "fact-1"
    }
    assert list(inverted) == [f"{raised} unless `pot is None`."]
    (answer,) = inverted.values()
    assert "“there is no pot on this shelf”) unless `pot` is `None`." in answer.canonical_narrative
    # The answer warned of the inversion; now it warns of the truth.
    assert f"{raised} if `pot is None`." in answer.must_not_mention_facts


def test_an_inverted_guard_in_free_words_is_inverted_in_both_texts(snapshot: Snapshot) -> None:
    fact = "`fire` raises `OverflowError` when `heat > self.max_heat`."
    answer = falsify_surely(prose(fact, 22, 23), snapshot, "inverted_guard").answer
    inverted = "`fire` raises `OverflowError` when `heat <= self.max_heat`."
    assert answer.must_mention_facts[0] == inverted
    assert answer.canonical_narrative == f"{NARRATIVE} {inverted}"


@pytest.mark.parametrize("kind", ["missed_question", "missing_member"])
def test_a_question_without_a_known_reason_is_not_missed(
    snapshot: Snapshot, kind: CanaryKind
) -> None:
    record = query_of(prose("`Kiln.fire` calls `coat_pot`.", 29, 29))
    assert falsify(record, snapshot, kind, random.Random(1)) is None
