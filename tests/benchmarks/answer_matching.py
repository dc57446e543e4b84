"""How often does the literal matcher of answers judge rightly?

Use: ``PYTHONPATH=tests python tests/benchmarks/answer_matching.py DRAFT.json [DRAFT.json ...]``. A
draft is a JSON list of golden labels of one codebase. Right answers are each record's own
narrative, its facts, and its facts rewritten by rules that keep what they say; wrong ones are the
narratives of other records of the same draft, the facts with one of them falsified by a rule, and
the facts with a falsehood added. It prints for each kind how many of n answers are judged correct,
with Wilson's 95 % interval, and with ``--show KIND`` the answers of one kind that are judged
wrongly.
"""

import argparse
import json
import math
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.answer_rewrites import (
    CODE,
    FALSIFICATIONS,
    PARAPHRASES,
    as_list,
    in_reverse,
    with_pronouns,
    with_synonyms,
    without_marks,
)
from goldwright.evaluation.answers.answer_matching import judge_answer
from goldwright.records import GoldenLabel

OWN: Final = "own narrative"
OWN_ENTAILING: Final = "own narrative that names all that the facts name"
Z: Final = 1.959964
SHOWN: Final = 40


@dataclass(frozen=True, slots=True)
class Case:
    """An answer to the question of a record, right or wrong.

    Attributes:
        kind: What sort of answer it is.
        is_right: Whether it is.
        label: The record.
        answer: The answer.
    """

    kind: str
    is_right: bool
    label: GoldenLabel
    answer: str


@dataclass(slots=True)
class Tally:
    """How many answers of one kind were judged correct."""

    is_right: bool
    n: int = 0
    correct: int = 0
    mistakes: list[Case] = field(default_factory=list)


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("drafts", nargs="+", type=Path, metavar="DRAFT.json")
    parser.add_argument(
        "--show",
        action="append",
        default=[],
        metavar="KIND",
        help="print the answers of a kind that are judged wrongly; may be repeated",
    )
    options = parser.parse_args(arguments)
    tallies: dict[str, Tally] = {}
    for draft in options.drafts:
        for case in cases_of(read(draft)):
            count(case, tallies)
    for kind in options.show:
        print(f"{kind}:")
        show_mistakes(tallies[kind])
    for is_right, title in ((True, "right answers"), (False, "wrong answers")):
        print(f"{title}, judged correct")
        for kind, tally in tallies.items():
            if tally.is_right is is_right:
                print(f"  {kind:52}{rate(tally.correct, tally.n)}")


def read(draft: Path) -> list[GoldenLabel]:
    """The records of a draft that have facts."""
    rows = json.loads(draft.read_bytes())
    labels = [GoldenLabel.model_validate_json(json.dumps(row)) for row in rows]
    return [label for label in labels if label.must_mention_facts]


def cases_of(labels: Sequence[GoldenLabel]) -> Iterator[Case]:
    """All answers to the questions of one codebase."""
    for label in labels:
        yield from right_answers(label)
        yield from siblings(label, labels)
        yield from falsified_answers(label)


def right_answers(label: GoldenLabel) -> Iterator[Case]:
    """What must be judged correct."""
    facts = label.must_mention_facts
    narrative = label.canonical_narrative
    yield Case(OWN, is_right=True, label=label, answer=narrative)
    if all(names_of(fact) <= spoken_in(narrative) for fact in facts):
        yield Case(OWN_ENTAILING, is_right=True, label=label, answer=narrative)
    joined = {
        "facts": " ".join(facts),
        "facts in reverse": in_reverse(facts),
        "facts as a list": as_list(facts),
        "facts with pronouns": with_pronouns(facts),
    }
    for kind, answer in joined.items():
        yield Case(kind, is_right=True, label=label, answer=answer)
    for kind, rewrite in PARAPHRASES.items():
        rewritten = [rewrite(fact) or fact for fact in facts]
        if rewritten != list(facts):
            answer = " ".join(rewritten)
            yield Case(f"facts, {kind}", is_right=True, label=label, answer=answer)


def siblings(label: GoldenLabel, labels: Sequence[GoldenLabel]) -> Iterator[Case]:
    """Answers to other questions of the codebase, whose targets are others."""
    own = set(label.entity_ids)
    files = set(label.expected_files)
    for other in labels:
        if own.isdisjoint(other.entity_ids):
            narrative = other.canonical_narrative
            yield Case("sibling narrative", is_right=False, label=label, answer=narrative)
            facts = " ".join(other.must_mention_facts)
            yield Case("facts of a sibling", is_right=False, label=label, answer=facts)
            if not files.isdisjoint(other.expected_files):
                kind = "sibling narrative, same file"
                yield Case(kind, is_right=False, label=label, answer=narrative)


def falsified_answers(label: GoldenLabel) -> Iterator[Case]:
    """The facts with one falsified, or with a known falsehood behind them."""
    facts = label.must_mention_facts
    for kind, falsify in FALSIFICATIONS.items():
        for place, fact in enumerate(facts):
            false = falsify(fact)
            others = (*facts[:place], *facts[place + 1 :])
            # What another fact says as well is still said.
            if false is not None and not any(holds_code_of(fact, other) for other in others):
                answer = " ".join((*facts[:place], false, *facts[place + 1 :]))
                yield Case(f"one fact: {kind}", is_right=False, label=label, answer=answer)
    for falsehood in label.must_not_mention_facts:
        variants = {
            "a must-not added": falsehood,
            "a must-not added, names unmarked": without_marks(falsehood),
            "a must-not added, synonyms": with_synonyms(falsehood),
        }
        for kind, variant in variants.items():
            answer = " ".join((*facts, variant))
            yield Case(kind, is_right=False, label=label, answer=answer)


def holds_code_of(fact: str, other: str) -> bool:
    """Whether another fact holds all the code of a fact."""
    return set(CODE.findall(fact)) <= set(CODE.findall(other))


def names_of(fact: str) -> set[str]:
    """The last parts of the names in the code of a fact, in lower case without underscores."""
    words: set[str] = set()
    for code in CODE.findall(fact):
        words.update(re.findall(r"[^\W\d]\w+(?=`|\()", code))
    return {word.lower().replace("_", "") for word in words}


def spoken_in(text: str) -> set[str]:
    """Every run of up to six words of a text, without white space and underscores."""
    words = re.findall(r"[^\W_]+", text.lower())
    runs: set[str] = set()
    for size in range(1, 7):
        for first in range(len(words) - size + 1):
            runs.add("".join(words[first : first + size]))
    return runs


def count(case: Case, tallies: dict[str, Tally]) -> None:
    """Judge an answer and count it."""
    tally = tallies.setdefault(case.kind, Tally(case.is_right))
    judgement = judge_answer(case.label, case.answer)
    is_correct = judgement is not None and judgement.is_correct
    tally.n += 1
    tally.correct += is_correct
    if is_correct != case.is_right:
        tally.mistakes.append(case)


def show_mistakes(tally: Tally) -> None:
    """Print the answers of one kind that were judged wrongly."""
    for case in tally.mistakes[:SHOWN]:
        judgement = judge_answer(case.label, case.answer)
        print(f"{case.label.query_id} {case.label.query_text}\n  A {case.answer}")
        if judgement is not None:
            for fact in judgement.missing_facts:
                print(f"  missing {fact}")
            for falsehood in judgement.stated_falsehoods:
                print(f"  stated  {falsehood}")


def rate(count: int, n: int) -> str:
    """A rate with Wilson's 95 % interval.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference"
    (1927).
    """
    if not n:
        return "-"
    share = count / n
    scale = 1 + Z * Z / n
    centre = share + Z * Z / (2 * n)
    width = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    low = max((centre - width) / scale, 0.0)
    high = min((centre + width) / scale, 1.0)
    return f"{count:6} of {n:6}  {share:6.1%}  [{low:.1%}, {high:.1%}]"


if __name__ == "__main__":
    main(sys.argv[1:])
