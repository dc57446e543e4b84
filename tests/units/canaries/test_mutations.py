"""Answers with one claim made false."""

import asyncio
import random
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

import pytest

from goldwright.agents.roles import AdversaryWork, OracleWork
from goldwright.agents.toolset import Toolset
from goldwright.canaries.mutations import KINDS, FalsifiedAnswer, falsify
from goldwright.offline_agents import OfflineAdversary, OfflineOracle
from goldwright.records import (
    AnswerDraft,
    CanaryKind,
    CheckFailure,
    Evidence,
    ExpectedEntity,
    FactCitation,
    FileRange,
    OracleAnswer,
    QueryCandidate,
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
FIRE = f"{PATH}::Kiln.fire"
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
    """A package of two modules that call each other one way."""
    root = tmp_path_factory.mktemp("code")
    (root / "pottery").mkdir()
    for path, text in {PATH: KILN, "pottery/glaze.py": GLAZE, "pottery/__init__.py": ""}.items():
        (root / path).write_text(textwrap.dedent(text), encoding="utf-8")
    return open_snapshot(root, rev=None, cache=tmp_path_factory.mktemp("cache"), workers=1)


@pytest.fixture(scope="module")
def played(snapshot: Snapshot) -> tuple[Played, ...]:
    """What the offline Oracle answers about every definition, and about every two that a call
    joins.
    """
    definitions = [entity.entity_id for entity in snapshot.entities() if entity.kind != "variable"]
    calls = [(one, site.entity_id) for one in definitions for site in snapshot.graph.callees(one)]
    found = [answered(snapshot, targets) for targets in (*((one,) for one in definitions), *calls)]
    return tuple(one for one in found if not run_gate(one.answer, snapshot, one.shown))


def answered(snapshot: Snapshot, targets: tuple[str, ...]) -> Played:
    identity = {"query_id": "q1", "task_type": "explain", "difficulty": "hard"}
    asked = {"query_text": "What happens to a pot?", "target_entity_ids": targets}
    candidate = QueryCandidate.model_validate({**asked, **identity, **STAMP})
    toolset = Toolset(snapshot)
    draft = asyncio.run(OfflineOracle(snapshot).play(OracleWork(candidate), toolset))
    return Played(
        candidate, OracleAnswer.model_validate({**dict(draft), **identity, **STAMP}), toolset.shown
    )


def prose(
    fact: str, first: int, last: int, *, falsehoods: Sequence[str] = ("Firing takes a day.",)
) -> OracleAnswer:
    """An answer about firing, in plain words, with one fact that matters and two that hold nothing
    to turn.
    """
    others = ("Everything comes out at the end.", "The whole stock is done in one go.")
    numbered = [(1, first, last), (2, 20, 33), (3, 20, 33)]
    return OracleAnswer.model_validate(
        {
            "query_id": "q1",
            "task_type": "explain",
            "difficulty": "easy",
            "expected_entities": (
                ExpectedEntity(entity_id=FIRE, role="primary", rationale="It fires."),
            ),
            "expected_files": (PATH,),
            "expected_line_ranges": (FileRange(file=PATH, start=20, end=32),),
            "must_mention_facts": (fact, *others),
            "must_not_mention_facts": tuple(falsehoods),
            "fact_citations": tuple(
                FactCitation(claim_id=f"fact-{n}", file=PATH, start=start, end=end)
                for n, start, end in numbered
            ),
            "canonical_narrative": f"It is `Kiln.fire`. {NARRATIVE}",
            "source_evidence": (Evidence(file=PATH, start=1, end=44, read_at_step=1),),
            "confidence": "high",
            **STAMP,
        }
    )


def made(
    answer: OracleAnswer, snapshot: Snapshot, kind: CanaryKind, seed: int = 1
) -> FalsifiedAnswer:
    """Falsify an answer that has ground for it."""
    found = falsify(answer, snapshot, kind, random.Random(seed))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("fact", "line", "wanted"),
    [
        ("Heat above the limit gives an `OverflowError`.", 22, "Heat at or below the limit gives an `OverflowError`."),
        (
            "`fire` raises `OverflowError` when `heat > self.max_heat`.",
            22,
            "`fire` raises `OverflowError` when `heat <= self.max_heat`.",
        ),
        ("`preheat` comes first unless `quick` is set.", 24, None),
        ("When `quick` is falsy, `self.preheat` comes.", 24, "When `quick` is truthy, `self.preheat` comes."),
        ("The parameter `quick` defaults to `False`.", 20, "The parameter `quick` defaults to `True`."),
        ("`fire` calls `self.note` once per round.", 31, None),
        ("`fire` checks whether `heat > self.max_heat`.", 22, None),
        ("`fire` may raise `OverflowError` when `heat > self.max_heat`.", 22, None),
        ("`fire` returns early when `quick` is truthy.", 24, None),
    ],
)  # fmt: skip
def test_a_comparison_is_reversed_only_where_that_makes_it_false(
    snapshot: Snapshot, fact: str, line: int, wanted: str | None
) -> None:
    found = {
        one.answer.must_mention_facts[0]
        for seed in range(5)
        if (
            one := falsify(
                prose(fact, line, line + 1), snapshot, "flipped_comparison", random.Random(seed)
            )
        )
    }
    if fact.startswith("`preheat`"):
        assert found <= {
            "`preheat` comes first when `quick` is set.",
            "`preheat` comes first unless `quick` is not set.",
        }
    else:
        assert found == ({wanted} if wanted else set())


def test_a_renamed_symbol_is_real_and_plays_no_part_where_it_is_now_said_to(
    snapshot: Snapshot,
) -> None:
    names = {
        made(
            prose("`Kiln.fire` calls `coat_pot`.", 29, 29), snapshot, "renamed_symbol", seed
        ).answer.must_mention_facts[0]
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
        assert falsify(prose(fact, 29, 29), snapshot, kind, random.Random(1)) is None


@pytest.mark.parametrize(
    ("fact", "wanted"),
    [
        (
            "`Kiln.fire` calls `coat_pot` for each pot.",
            "`coat_pot` calls `Kiln.fire` for each pot.",
        ),
        ("`coat_pot` is called by `Kiln.fire`.", "`Kiln.fire` is called by `coat_pot`."),
        ("`Kiln.fire` delegates to `self.preheat`.", "`Kiln.preheat` delegates to `self.fire`."),
        ("`Kiln.fire` passes `pot` to `coat_pot`.", "`coat_pot` passes `pot` to `Kiln.fire`."),
        ("`polish_pot` calls `coat_pot`.", None),
        ("`Kiln.fire` calls `print`.", None),
    ],
)
def test_caller_and_callee_change_places_where_the_call_goes_one_way(
    snapshot: Snapshot, fact: str, wanted: str | None
) -> None:
    found = falsify(prose(fact, 29, 29), snapshot, "swapped_caller_callee", random.Random(1))
    assert (found.answer.must_mention_facts[0] if found else None) == wanted


@pytest.mark.parametrize("seed", range(12))
def test_shifted_lines_stay_in_the_definition_and_lose_what_they_showed(
    snapshot: Snapshot, seed: int
) -> None:
    found = made(prose("`fire` raises `OverflowError`.", 22, 23), snapshot, "shifted_lines", seed)
    if found.claim_id == "range-1":
        moved = found.answer.expected_line_ranges[0]
        assert 23 <= moved.start <= 32
    else:
        cited = found.answer.fact_citations[0]
        assert (found.claim_id, cited.claim_id) == ("fact-1", "fact-1")
        assert 23 < cited.start <= cited.end <= 32
        assert "OverflowError" not in "\n".join(KILN.splitlines()[cited.start - 1 : cited.end])


def test_a_false_fact_is_promoted_and_another_one_stays(snapshot: Snapshot) -> None:
    answer = prose(
        "`fire` raises `OverflowError`.", 22, 23, falsehoods=("Pots are sold.", "Pots are broken.")
    )
    found = made(answer, snapshot, "false_fact")
    assert found.claim_id == "fact-4"
    assert {found.answer.must_mention_facts[3], *found.answer.must_not_mention_facts} == set(
        answer.must_not_mention_facts
    )
    assert found.answer.fact_citations[-1] == FactCitation(
        claim_id="fact-4", file=PATH, start=20, end=32
    )


def test_the_only_false_fact_leaves_another_one_behind_or_stays(snapshot: Snapshot) -> None:
    found = made(prose("`Kiln.fire` calls `coat_pot`.", 29, 29), snapshot, "false_fact")
    assert found.answer.must_mention_facts[3] == "Firing takes a day."
    assert len(found.answer.must_not_mention_facts) == 1
    assert (
        falsify(prose("Pots are glazed.", 29, 29), snapshot, "false_fact", random.Random(1)) is None
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
    found = made(full, snapshot, "false_fact")
    assert (found.claim_id, len(found.answer.must_mention_facts)) == ("fact-8", 8)
    assert other_failures(found.answer, snapshot) == []


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_falsified_passes_the_gate_and_differs_in_the_claim_that_is_named(
    snapshot: Snapshot, played: Sequence[Played], kind: CanaryKind
) -> None:
    falsified = 0
    for _, answer, shown in played:
        assert run_gate(answer, snapshot, shown) == ()
        found = falsify(answer, snapshot, kind, random.Random(3))
        if found is not None:
            falsified += 1
            assert other_failures(found.answer, snapshot, shown) == []
            assert isinstance(found.answer, OracleAnswer)
            assert found == falsify(answer, snapshot, kind, random.Random(3))
            assert found.claim_id in {claim.claim_id for claim in claims_of(found.answer)}
            assert changed(answer, found.answer) in ({found.claim_id}, set())
            assert "\n" not in found.what
    assert len(played) >= 8
    assert falsified >= len(played) // 2


def other_failures(
    answer: AnswerDraft, snapshot: Snapshot, shown: tuple[Evidence, ...] | None = None
) -> list[CheckFailure]:
    """What the gate finds besides strange names: by these it stops many a falsehood by itself."""
    failures = run_gate(answer, snapshot, shown)
    by_names = {"facts_covered", "must_nots_covered", "rationales_covered"}
    return [failure for failure in failures if failure.check not in by_names]


def changed(before: AnswerDraft, after: AnswerDraft) -> set[str]:
    """The ids of the claims, false facts aside, that say something else than before."""
    known = {claim.claim_id: claim.claim for claim in claims_of(before)}
    return {
        claim.claim_id
        for claim in claims_of(after)
        if not claim.claim_id.startswith("not-fact") and known.get(claim.claim_id) != claim.claim
    }


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "shifted_lines"])
def test_a_reader_who_looks_every_claim_up_supports_no_falsified_fact(
    snapshot: Snapshot, played: Sequence[Played], kind: CanaryKind
) -> None:
    for candidate, answer, _ in played:
        found = falsify(answer, snapshot, kind, random.Random(5))
        if found is not None:
            work = AdversaryWork(candidate, found.answer)
            report = asyncio.run(OfflineAdversary(snapshot).play(work, Toolset(snapshot)))
            verdicts = {verdict.claim_id: verdict.verdict for verdict in report.claim_verdicts}
            assert verdicts[found.claim_id] != "supported", found.what
