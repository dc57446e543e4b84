"""What the trust card is computed from: records, and the codebase that they are about."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property

from goldwright.code_blocks import code_blocks, without_code_blocks
from goldwright.records import AnswerDraft, Difficulty, FileRange, Role, TaskType
from goldwright.snapshot.codebase import SourceTree
from goldwright.trust_card.documents import CodeSearch
from goldwright.trust_card.source.callers import CallerIndex
from goldwright.trust_card.source.cited_statements import StatementIndex
from goldwright.trust_card.source.codebase import CodeReading
from goldwright.trust_card.source.families import ClassFamilies


@dataclass(frozen=True, slots=True)
class StatedFact:
    """A fact that an answer must or must not mention, with the lines that bear it."""

    text: str
    citations: tuple[FileRange, ...]


@dataclass(frozen=True)
class AnsweredQuery:
    """A record of a dataset or a run, as far as the trust card reads it.

    Attributes:
        query_id: Its id.
        task_type: The task type of its cell.
        difficulty: The difficulty of its cell.
        query: The question.
        answer: The answer.
        alternatives: For an expected entity, others that answer as well.
    """

    query_id: str
    task_type: TaskType
    difficulty: Difficulty
    query: str
    answer: AnswerDraft
    alternatives: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def entity_ids(self) -> tuple[str, ...]:
        """The ids of all expected entities."""
        return self.answer.entity_ids

    @cached_property
    def primary_ids(self) -> tuple[str, ...]:
        """The ids of the primary entities; of all, where none is called primary."""
        return tuple(self._in_role("primary")) or self.entity_ids

    @cached_property
    def targets(self) -> tuple[str, ...]:
        """The ids of the entities that answer the question, primary ones first."""
        primary_ids = self._in_role("primary")
        supporting_ids = self._in_role("supporting")
        targets = [*primary_ids, *supporting_ids]
        return tuple(targets) or self.entity_ids

    @cached_property
    def accepted_ids(self) -> frozenset[str]:
        """The expected entities with all their alternatives."""
        accepted = set(self.entity_ids)
        for alternatives in self.alternatives.values():
            accepted.update(alternatives)
        return frozenset(accepted)

    @cached_property
    def facts(self) -> tuple[StatedFact, ...]:
        """What an answer must mention."""
        return tuple(self._cited(self.answer.must_mention_facts, "fact"))

    @cached_property
    def falsehoods(self) -> tuple[StatedFact, ...]:
        """What an answer must not mention."""
        return tuple(self._cited(self.answer.must_not_mention_facts, "not-fact"))

    @property
    def narrative(self) -> str:
        """The canonical answer: sentences, and perhaps code that it quotes."""
        return self.answer.canonical_narrative

    @cached_property
    def prose(self) -> str:
        """The sentences of the canonical answer."""
        return without_code_blocks(self.narrative)

    @cached_property
    def quoted_code(self) -> tuple[str, ...]:
        """The blocks of code that the canonical answer quotes."""
        return tuple("\n".join(lines) for lines in code_blocks(self.narrative))

    @cached_property
    def cited_ranges(self) -> tuple[FileRange, ...]:
        """The lines that the record expects or cites, without those that were only read."""
        return (*self.answer.expected_line_ranges, *self.answer.fact_citations)

    @cached_property
    def cited_paths(self) -> tuple[str, ...]:
        """The files that the record expects or cites, each once."""
        paths = [cited.file for cited in self.cited_ranges]
        all_paths = [*self.answer.expected_files, *paths]
        return tuple(dict.fromkeys(all_paths))

    def _in_role(self, role: Role) -> list[str]:
        entities = self.answer.expected_entities
        return [entity.entity_id for entity in entities if entity.role == role]

    def _cited(self, texts: Sequence[str], prefix: str) -> Iterator[StatedFact]:
        for number, text in enumerate(texts, start=1):
            claim_id = f"{prefix}-{number}"
            citations = [
                citation for citation in self.answer.fact_citations if citation.claim_id == claim_id
            ]
            yield StatedFact(text, tuple(citations))


class CardMaterial:
    """Records with the trust card's own reading of their codebase; nothing is read twice.

    Attributes:
        records: The records.
        tree: The codebase.
        code: The Python files of the codebase.
        search: Lexical searches over them.
        callers: Who calls whom.
        families: Which classes derive from which.
        statements: The statements in cited lines.
    """

    def __init__(self, records: Sequence[AnsweredQuery], tree: SourceTree) -> None:
        self.records = tuple(records)
        self.tree = tree
        self.code = CodeReading(tree)
        self.search = CodeSearch(self.code)
        self.callers = CallerIndex(self.code)
        self.families = ClassFamilies(self.code)
        self.statements = StatementIndex(self.code)

    def of_record(self, record: AnsweredQuery) -> "CardMaterial":
        """Give the same reading of the codebase with one record alone."""
        part = copy(self)
        part.records = (record,)
        return part
