"""What metadata say of single reviewers: their pace, and how they practised."""

from goldwright.records import Record


class PaceSummary(Record):
    """How long the verdicts of one person in one pass took; the fields are those of ``Pace``."""

    reviewer: str
    sitting: str
    verdicts: int
    median_seconds: float
    hurried: int
    scripted: int


class TrainingSummary(Record):
    """How a training round of one person went; the fields are those of ``TrainingResult``."""

    reviewer: str
    sitting: str
    records: int
    judged: int
    right: int
    skipped: bool
