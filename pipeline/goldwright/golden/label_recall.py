"""How complete the labels are, as the metadata of a dataset say it."""

from goldwright.records import PoolSystem, Record
from goldwright.text import counted


class LabelRecall(Record):
    """How many of the entities that belong to the answers are labelled, as far as a pool shows it.

    Attributes:
        systems: The searches that filled the pools.
        readers: Who judged what they brought, as records name it.
        recaptured: How many relevant entities were brought by searches that know nothing of the
            labels, and are labelled.
        brought: How many relevant entities these searches brought.
        interval: The 95 % Wilson interval of the share, in 0..1.
        records: How many records the estimate rests on: those that somebody could judge.
        not_judged: How many records nobody could, since their reasons have no rule; they are no
            part of it.
        added: How many entities were added as alternatives, because they answer as well.
        sent_to_people: How many records of the run went to people, because their labels were
            found to lack something.
        unjudged: How many entities of the pool stayed open.
        method: How it was estimated, and on which assumptions.
    """

    systems: tuple[PoolSystem, ...]
    readers: tuple[str, ...]
    recaptured: int
    brought: int
    interval: tuple[float, float]
    records: int
    not_judged: int
    added: int
    sent_to_people: int
    unjudged: int
    method: str


def label_recall_line(recall: LabelRecall) -> str:
    """Put an estimate into a line."""
    if not recall.brought:
        return "The pool brought nothing by which the recall of the labels could be estimated."
    low, high = recall.interval
    share = f"{recall.recaptured} of {recall.brought} are labelled"
    counted_records = counted(recall.records, "record")
    records = f"{counted_records}, {recall.not_judged} more could not be judged"
    brought = f"independent searches ({', '.join(recall.systems)}) bring"
    counts = f"{share} (95 % interval {low:.1%} to {high:.1%}; {records})"
    line = f"Of the entities that {brought} and that were judged relevant, {counts}"
    if recall.unjudged:
        # Relevant ones may be among them, so they belong to the figure and not to its small print.
        line = f"{line}; {recall.unjudged} more that they bring were judged by nobody"
    return f"{line}."
