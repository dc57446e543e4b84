"""The measures in which a batch is compared with the golden dataset, declared beforehand."""

import re
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Final

from goldwright.records import GoldenLabel

Measure = Callable[[GoldenLabel], float]


def _expected_entities(label: GoldenLabel) -> float:
    return float(len(label.expected_entities))


def _expected_files(label: GoldenLabel) -> float:
    return float(len(label.expected_files))


def _expected_lines(label: GoldenLabel) -> float:
    count = 0
    for cited in label.expected_line_ranges:
        length = cited.end - cited.start + 1
        # A range that ends before it starts is a finding of the gate; here it holds no line.
        count += max(length, 0)
    return float(count)


def _facts_to_mention(label: GoldenLabel) -> float:
    return float(len(label.must_mention_facts))


def _facts_not_to_mention(label: GoldenLabel) -> float:
    return float(len(label.must_not_mention_facts))


def _is_baseline_answerable(label: GoldenLabel) -> float:
    return float(label.baseline_answerable)


def _query_words(label: GoldenLabel) -> float:
    return float(_count_words(label.query_text))


def _narrative_words(label: GoldenLabel) -> float:
    return float(_count_words(label.canonical_narrative))


def _mean_fact_words(label: GoldenLabel) -> float:
    facts: Sequence[str] = label.must_mention_facts
    if not facts:
        return 0.0
    return fmean(_count_words(fact) for fact in facts)


def _narrative_code_words(label: GoldenLabel) -> float:
    # Every code word is between two backticks.
    return float(label.canonical_narrative.count("`") // 2)


def _count_words(text: str) -> int:
    return len(re.findall(r"\w+", text))


PLAIN_SEARCH: Final = "found by plain search"
MEASURES: Final[tuple[tuple[str, Measure], ...]] = (
    ("expected entities", _expected_entities),
    ("expected files", _expected_files),
    ("expected lines", _expected_lines),
    ("facts to mention", _facts_to_mention),
    ("facts not to mention", _facts_not_to_mention),
    (PLAIN_SEARCH, _is_baseline_answerable),
    ("words of the query", _query_words),
    ("words of the narrative", _narrative_words),
    ("words of a fact", _mean_fact_words),
    ("code words of the narrative", _narrative_code_words),
)
