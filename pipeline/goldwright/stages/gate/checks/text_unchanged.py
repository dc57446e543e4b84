"""Cited lines still say what they said when somebody looked at them."""

from collections.abc import Iterator

from goldwright.records import FileRange, OracleAnswer
from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.cited_text import (
    Citations,
    cited_digests,
    every_range,
    recorded_digests,
    text_digest,
)
from goldwright.stages.gate.examples import ANSWER, BASKET, SHOP


class TextUnchanged:
    """The text of each citation has the digest that the record keeps of it.

    An answer that keeps none was just written from the lines; a dataset record keeps all of them.
    """

    code = "text_unchanged"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield an answer without digests, and one whose lines say what they said."""
        yield GateCase(ANSWER, SHOP)
        yield _case(cited_digests(every_range(ANSWER), SHOP))

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield an answer whose lines say something else, and one that lacks a digest."""
        digests = cited_digests(every_range(ANSWER), SHOP)
        other_lines = text_digest(FileRange(file=BASKET, start=14, end=15), SHOP)
        line_9 = f"{BASKET}:9-9"
        yield _case({**digests, line_9: other_lines})
        yield _case({line_9: digests[line_9]})

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the claims whose lines say something else than the record keeps of them."""
        digests = recorded_digests(case.answer)
        if digests is None:
            return
        for claim, cited in (*case.cited, *case.evidence):
            place = FileRange(file=cited.file, start=cited.start, end=cited.end)
            recorded = digests.get(str(place))
            if recorded is None:
                yield CheckFinding(claim, f"{place}: the record keeps no digest of these lines")
            elif case.is_valid(place) and text_digest(place, case.codebase) != recorded:
                yield CheckFinding(claim, f"{place}: these lines do not say what they said")


def _case(digests: Citations) -> GateCase:
    """Make a case of the good answer with digests of its lines."""
    names = type(ANSWER).model_fields
    draft = {name: getattr(ANSWER, name) for name in names}
    answer = OracleAnswer(
        query_id="q_00001",
        task_type="explain",
        difficulty="easy",
        authored_by="agent:oracle:example",
        created_at="2026-11-01T12:00:00Z",
        cited_text=digests,
        **draft,
    )
    return GateCase(answer, SHOP)
