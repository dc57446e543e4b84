"""Codebases of a few lines and records about them, for tests of the trust card."""

import json
from collections.abc import Iterator, Mapping, Sequence
from textwrap import dedent
from types import MappingProxyType

from goldwright.records import AnswerDraft, Difficulty, TaskType
from goldwright.snapshot import SourceText
from goldwright.snapshot.entities import Entity, FileEntry
from goldwright.trust_card.catalog import MEASURES
from goldwright.trust_card.material import AnsweredQuery, CardMaterial
from goldwright.trust_card.measure import Observation
from goldwright.trust_card.source.codebase import CodeReading


class TextTree:
    """A codebase that is a dictionary of texts."""

    unparsed: Mapping[str, str] = MappingProxyType({})

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._sources = {
            path: SourceText(path, dedent(text).lstrip("\n")) for path, text in texts.items()
        }
        self.source_files = tuple(sorted(texts))

    @property
    def files(self) -> Mapping[str, FileEntry]:
        return {
            path: FileEntry(path, "", len(source.text), "text")
            for path, source in self._sources.items()
        }

    def set_aside(self, path: str, reason: str) -> None:
        raise AssertionError(f"{path}: {reason}")

    def has_text(self, path: str) -> bool:
        return path in self._sources

    def source(self, path: str) -> SourceText:
        return self._sources[path]

    def data(self, path: str) -> bytes:
        return self._sources[path].text.encode()

    def line_count(self, path: str) -> int:
        return self._sources[path].line_count

    def entity(self, entity_id: str) -> Entity | None:
        raise NotImplementedError

    def entities_in(self, path: str) -> tuple[Entity, ...]:
        raise NotImplementedError

    def entities(self) -> Iterator[Entity]:
        raise NotImplementedError

    def named(self, simple_name: str) -> tuple[Entity, ...]:
        raise NotImplementedError


def reading(texts: Mapping[str, str]) -> CodeReading:
    """Read a codebase."""
    return CodeReading(TextTree(texts))


def record(
    query: str = "What happens?",
    *,
    expects: Sequence[str] = (),
    facts: Sequence[str | tuple[str, str, int] | tuple[str, str, int, int]] = (),
    must_not: Sequence[str] = (),
    narrative: str = "",
    query_id: str = "q_1",
    task_type: TaskType = "explain",
    difficulty: Difficulty = "medium",
    alternatives: Mapping[str, Sequence[str]] | None = None,
) -> AnsweredQuery:
    """Make a record.

    Args:
        query: Its question.
        expects: The ids of its entities, the primary one first.
        facts: Its facts: texts, or each with the file and the lines that it cites.
        must_not: Its falsehoods.
        narrative: Its canonical answer.
        query_id: Its id.
        task_type: Its task type.
        difficulty: Its difficulty.
        alternatives: What answers as well as an expected entity.
    """
    texts = [fact if isinstance(fact, str) else fact[0] for fact in facts]
    answer = AnswerDraft.model_validate_json(
        json.dumps(
            {
                "expected_entities": [
                    {
                        "entity_id": entity_id,
                        "role": "supporting" if place else "primary",
                        "rationale": "",
                    }
                    for place, entity_id in enumerate(expects)
                ],
                "expected_files": sorted({name.partition("::")[0] for name in expects}),
                "expected_line_ranges": [],
                "must_mention_facts": texts,
                "must_not_mention_facts": list(must_not),
                "fact_citations": [
                    {
                        "claim_id": f"fact-{number}",
                        "file": fact[1],
                        "start": fact[2],
                        "end": fact[-1],
                    }
                    for number, fact in enumerate(facts, start=1)
                    if not isinstance(fact, str)
                ],
                "canonical_narrative": narrative,
                "source_evidence": [],
                "confidence": "high",
            }
        )
    )
    return AnsweredQuery(query_id, task_type, difficulty, query, answer, alternatives or {})


def observe(
    name: str, records: AnsweredQuery | Sequence[AnsweredQuery], texts: Mapping[str, str]
) -> list[Observation]:
    """Take the observations of one figure."""
    all_records = [records] if isinstance(records, AnsweredQuery) else records
    material = CardMaterial(all_records, TextTree(texts))
    for measure in MEASURES:
        if measure.text.name == name:
            return list(measure.observe(material))
    raise KeyError(name)


def values(
    name: str, records: AnsweredQuery | Sequence[AnsweredQuery], texts: Mapping[str, str]
) -> list[float]:
    """Take the values of the observations of one figure."""
    return [observation.value for observation in observe(name, records, texts)]
