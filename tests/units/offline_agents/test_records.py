"""What the offline roles make of small codebases: they agree on what is right, and on nothing else.

Oracle and Adversary read the same code in two ways that share nothing, so a fault in either shows
as a quarrel.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest

from goldwright.offline_agents.statements.catalog import STATEMENTS, read_statement
from goldwright.offline_agents.statements.deed import predicate_of
from goldwright.offline_agents.statements.statement import ConditionalStatement
from goldwright.records import AnswerDraft, FileRange
from goldwright.stages.gate import run_gate
from units.offline_agents.records import AnsweredQuestion, Sample, judge, open_sample

# What each sample gives ground for. Caches that others empty need more entities than the samples'
# questions have.
GROUNDS = {
    "acquisitions": (
        "caller_coping",
        "class_role",
        "default_value",
        "deprecation",
        "log_meaning",
        "message_origin",
        "outcomes",
        "raise_condition",
        "reason",
        "swallowed_error",
    ),
    "covers": ("literal_use", "option_readers", "shared_state", "steps"),
    "formats": ("registry",),
    "interlibrary": (
        "default_value",
        "error_translation",
        "hidden_error",
        "option_readers",
        "parameter_path",
        "shared_state",
        "swallowed_error",
    ),
    "labels": ("caller_coping", "error_translation", "hidden_error"),
    "members": ("class_role",),
    "observatory": ("caller_coping", "outcomes"),
    "orders": ("parameter_path",),
    "parcels": ("contract", "family"),
    "printing": ("library_call",),
    "theatre": ("cache_lifetime", "deprecation", "family", "reason"),
    "till": ("log_meaning", "message_origin", "raise_condition"),
}
# Of a decorated function not all callers are known, so its answer has too few facts to be asked;
# bases of classes are told where a narrative has too little to say.
# Comments are told where they stand in no code that is quoted, as docstrings that are too long for
# it.
NOT_CALLED_FOR = {"Commented", "Derives", "KeepsResults", "OnlyClearers"}
PAIRS = [(sample, kind) for sample in sorted(GROUNDS) for kind in GROUNDS[sample]]


@pytest.fixture(scope="module", params=PAIRS, ids="-".join)
def pair(request: pytest.FixtureRequest) -> tuple[str, str]:
    name, kind = request.param
    return name, kind


@pytest.fixture(scope="module")
def sample(samples: Mapping[str, Sample], pair: tuple[str, str]) -> Sample:
    return samples[pair[0]]


@pytest.fixture(scope="module")
def answers(sample: Sample, pair: tuple[str, str]) -> Sequence[AnsweredQuestion]:
    answered = list(sample.answered(pair[1]))
    assert answered
    return answered


def test_an_answer_passes_the_gate_with_its_reason(
    sample: Sample, answers: Sequence[AnsweredQuestion]
) -> None:
    for each in answers:
        assert run_gate(each.answer, sample.snapshot, intent=each.question.intent) == ()


def test_an_answer_passes_the_gate_without_its_reason_too(
    sample: Sample, answers: Sequence[AnsweredQuestion]
) -> None:
    """A dataset keeps no reasons, and is verified and carried over by what it holds."""
    for each in answers:
        assert run_gate(each.answer, sample.snapshot) == ()


def test_the_adversary_supports_every_claim_and_finds_nothing_open(
    sample: Sample, answers: Sequence[AnsweredQuestion]
) -> None:
    for each in answers:
        report = sample.attack(each.candidate, each.answer)
        doubts = [v for v in report.claim_verdicts if v.verdict != "supported"]
        # Whether something false is false may depend on more than lines show.
        assert [v for v in doubts if v.claim_type != "must_not_mention_fact"] == []
        assert all(v.verdict == "partial" for v in doubts)
        assert report.blocking_issues == ()
        assert report.missed_entities == ()
        assert judge(each.answer.canonical_narrative, report.findings).verdict == "equivalent"


def test_the_adversary_refuses_each_fact_whose_condition_is_turned_around(
    sample: Sample, answers: Sequence[AnsweredQuestion]
) -> None:
    for each in answers:
        for place, sentence in enumerate(_inverted(each)):
            if sentence is not None:
                answer = _with_fact(each.answer, place, sentence)
                report = sample.attack(each.candidate, answer)
                verdicts = {v.claim_id: v.verdict for v in report.claim_verdicts}
                assert verdicts[f"fact-{place + 1}"] != "supported"
                break


def test_the_adversary_refuses_facts_that_cite_other_lines(
    sample: Sample, answers: Sequence[AnsweredQuestion]
) -> None:
    for each in answers[:3]:
        # The first line of a file is its docstring, and shows no fact.
        citations = [
            cited.model_copy(update={"start": 1, "end": 1}) for cited in each.answer.fact_citations
        ]
        answer = each.answer.model_copy(update={"fact_citations": tuple(citations)})
        report = sample.attack(each.candidate, answer)
        facts = [v for v in report.claim_verdicts if v.claim_type == "must_mention_fact"]
        assert "supported" not in {v.verdict for v in facts}


def test_an_answer_without_the_fact_on_the_lines_of_the_question_leaves_it_open(
    sample: Sample, answers: Sequence[AnsweredQuestion]
) -> None:
    for each in answers[:2]:
        lines = each.question.intent.lines
        whole = sample.snapshot.entity(each.question.intent.subject)
        assert whole is not None
        spans = {(span.first, span.last) for span in whole.spans}
        if (lines.start, lines.end) in spans:
            continue
        statements = map(read_statement, each.answer.must_mention_facts)
        kept = [
            place
            for place, (fact, statement) in enumerate(
                zip(each.written.facts, statements, strict=True)
            )
            if statement is not None
            and not (lines.start <= fact.lines.start and fact.lines.end <= lines.end)
            and not (fact.lines.start <= lines.start and lines.end <= fact.lines.end)
        ]
        report = sample.attack(each.candidate, _with_facts(each.answer, kept))
        assert any(issue.startswith("question: ") for issue in report.blocking_issues)


def test_the_narrative_of_another_question_is_no_answer(
    sample: Sample, answers: Sequence[AnsweredQuestion]
) -> None:
    first = answers[0]
    report = sample.attack(first.candidate, first.answer)
    own_names = set(first.question.targets)
    name = first.question.intent.subject.rpartition("::")[2]
    for other in sample.answered():
        # Of a class speaks whoever speaks of its methods.
        is_about_it = re.search(rf"`{name}[`.]", other.answer.canonical_narrative) is not None
        if own_names.isdisjoint(other.question.targets) and not is_about_it:
            verdict = judge(other.answer.canonical_narrative, report.findings).verdict
            assert verdict != "equivalent"
            return


def test_every_kind_of_statement_is_called_for_by_some_code(
    samples: Mapping[str, Sample],
) -> None:
    """What nothing ever calls for is not worth its lines."""
    statements: set[type] = set()
    for sample in samples.values():
        for each in sample.answered():
            written = each.written
            for finding in (*written.facts, *written.context, *written.falsehoods):
                statements.add(type(finding.statement))
    uncalled = {kind.__name__ for kind in set(STATEMENTS) - statements}
    assert uncalled == NOT_CALLED_FOR, (
        "let an inquiry use it, put what it is about into a sample (*_code.py) where one asks, "
        "or list it in NOT_CALLED_FOR"
    )


def _inverted(each: AnsweredQuestion) -> Iterator[str | None]:
    """Yield each fact with its last test turned around; None for one without."""
    for finding in each.written.facts:
        statement = finding.statement
        tests = [c for c in statement.conditions if c.kind in {"if", "unless"}]
        if not isinstance(statement, ConditionalStatement) or not tests:
            yield None
            continue
        last = tests[-1]
        turned = replace(last, kind="unless" if last.kind == "if" else "if")
        path = tuple(turned if c is last else c for c in statement.conditions)
        yield replace(statement, path=path).sentence()  # type: ignore[type-var]  # a dataclass


def _with_fact(answer: AnswerDraft, place: int, sentence: str) -> AnswerDraft:
    facts = list(answer.must_mention_facts)
    facts[place] = sentence
    return answer.model_copy(update={"must_mention_facts": tuple(facts)})


def _with_facts(answer: AnswerDraft, places: Sequence[int]) -> AnswerDraft:
    """Keep the facts at some places, with their citations under new numbers."""
    citations = []
    for number, place in enumerate(places, start=1):
        for cited in answer.fact_citations:
            if cited.claim_id == f"fact-{place + 1}":
                renumbered = cited.model_copy(update={"claim_id": f"fact-{number}"})
                citations.append(renumbered)
    facts = tuple(answer.must_mention_facts[place] for place in places)
    return answer.model_copy(
        update={"must_mention_facts": facts, "fact_citations": tuple(citations)}
    )


def test_no_falsehood_is_half_of_a_truth(samples: Mapping[str, Sample]) -> None:
    """A short answer that leaves a condition out must not count as a wrong one."""
    seen = 0
    for sample in samples.values():
        for each in sample.answered():
            facts = [fact.statement for fact in each.written.facts]
            for falsehood in each.written.falsehoods:
                statement = falsehood.statement
                conditions = set(statement.conditions)
                seen += bool(conditions)
                for fact in facts:
                    is_same_deed = fact.subject == statement.subject and (
                        predicate_of(fact) == predicate_of(statement) != ""
                    )
                    assert not (is_same_deed and conditions < set(fact.conditions)), falsehood
    assert seen > 20


def test_a_fact_names_each_expected_entity(answers: Sequence[AnsweredQuestion]) -> None:
    """Else nobody learns why it is expected; a class may stand for its ``__init__``."""
    for each in answers:
        for entity_id in each.question.targets:
            *outer, name = entity_id.partition("::")[2].split(".")
            names = (name, *outer[-1:]) if name == "__init__" else (name,)
            words = set(re.findall(r"\w+", " ".join(each.answer.must_mention_facts)))
            assert not words.isdisjoint(names), (entity_id, each.answer.must_mention_facts)


def test_steps_are_told_in_their_order(samples: Mapping[str, Sample]) -> None:
    told = 0
    for sample in samples.values():
        for each in sample.answered("steps"):
            deeds = [fact for fact in each.written.facts if fact.lines.end == fact.lines.start]
            subject = each.question.intent.subject
            lines = [fact.lines.start for fact in deeds if fact.entity_id == subject]
            assert lines == sorted(lines)
            told += len(lines) > 1
    assert told


def test_a_line_that_wraps_an_expected_function_is_a_part_of_it(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    code = '''"""Media types."""

import functools


def best_match(media_types, media_type):
    """Choose the type that serves."""
    if not media_types:
        raise ValueError("a choice needs media types to choose from")
    if media_type in media_types:
        return media_type
    # A family of types goes for each of its members.
    for offered in media_types:
        family, _, member = offered.partition("/")
        if member == "*" and media_type.startswith(family + "/"):
            return offered
    wanted, _, _ = media_type.partition(";")
    return wanted if wanted in media_types else None


if hasattr(functools, "lru_cache"):
    best_match = functools.lru_cache(maxsize=64)(best_match)
'''
    sample = open_sample(tmp_path_factory.mktemp("wrapped"), {"web/media.py": code})
    (answered, *_) = sample.answered("message_origin")
    answer = answered.answer
    wrapping = FileRange(file="web/media.py", start=22, end=22)
    beside = FileRange(file="web/media.py", start=21, end=21)
    verdicts = {}
    for lines in (wrapping, beside):
        ranges = (*answer.expected_line_ranges[:1], lines)
        report = sample.attack(
            answered.candidate, answer.model_copy(update={"expected_line_ranges": ranges})
        )
        (verdict,) = (v for v in report.claim_verdicts if v.claim_id == "range-2")
        verdicts[lines] = verdict.verdict
    assert verdicts == {wrapping: "supported", beside: "unsupported"}
