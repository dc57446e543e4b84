"""The catalog of the gate's checks, in the order their failures are reported."""

from goldwright.stages.gate.check_protocol import Check
from goldwright.stages.gate.checks.answer_shape import AnswerShape
from goldwright.stages.gate.checks.answers_question import AnswersQuestion
from goldwright.stages.gate.checks.entity_file_listed import EntityFileListed
from goldwright.stages.gate.checks.entity_resolves import EntityResolves
from goldwright.stages.gate.checks.evidence_exists import EvidenceExists
from goldwright.stages.gate.checks.evidence_read import EvidenceRead
from goldwright.stages.gate.checks.facts_covered import FactsCovered
from goldwright.stages.gate.checks.file_exists import FileExists
from goldwright.stages.gate.checks.line_range_valid import LineRangeValid
from goldwright.stages.gate.checks.must_nots_covered import MustNotsCovered
from goldwright.stages.gate.checks.narrative_covered import NarrativeCovered
from goldwright.stages.gate.checks.narrative_names_something import NarrativeNamesSomething
from goldwright.stages.gate.checks.quoted_code_exists import QuotedCodeExists
from goldwright.stages.gate.checks.range_in_listed_file import RangeInListedFile
from goldwright.stages.gate.checks.range_touches_entity import RangeTouchesEntity
from goldwright.stages.gate.checks.rationales_covered import RationalesCovered
from goldwright.stages.gate.checks.text_unchanged import TextUnchanged

CHECKS: tuple[Check, ...] = (
    EntityResolves(),
    FileExists(),
    LineRangeValid(),
    EvidenceExists(),
    TextUnchanged(),
    EntityFileListed(),
    NarrativeCovered(),
    NarrativeNamesSomething(),
    QuotedCodeExists(),
    FactsCovered(),
    MustNotsCovered(),
    RationalesCovered(),
    EvidenceRead(),
    RangeInListedFile(),
    RangeTouchesEntity(),
    AnswerShape(),
    AnswersQuestion(),
)
