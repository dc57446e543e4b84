"""Words about callers, which nothing but a count of calls can show to be out of date."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from goldwright.golden.rebase.anchor_targets import AnchorTarget
from goldwright.golden.rebase.anchors import Anchors
from goldwright.records import GoldenLabel

_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+")
_ABOUT_CALLERS: Final = re.compile(
    r"\b(?:callers?|call sites?|places|repository|codebase)\b", re.IGNORECASE
)


def caller_hints(
    label: GoldenLabel, targets: Mapping[str, AnchorTarget], anchors: Anchors
) -> Iterator[str]:
    """Point at words of a record about callers, where the number of callers has changed.

    Args:
        label: The record at the old commit.
        targets: Where each entity of the record is now, by its old id.
        anchors: The two commits.
    """
    sentences = " ".join(_sentences_about_callers(label))
    for entity_id, target in targets.items():
        name = re.escape(target.old.simple_name)
        if not re.search(rf"\b{name}\b", sentences):
            continue
        old_count = len(anchors.old.graph.callers(entity_id))
        new_callers = anchors.new.graph.callers(target.new.entity_id)
        new_count = len(new_callers)
        # The callers are no part of the record, so their code is compared nowhere else.
        if old_count != new_count:
            change = f"were {old_count} and are {new_count}"
            yield f"the words speak of the callers of {entity_id}: direct calls {change}"


def _sentences_about_callers(label: GoldenLabel) -> Iterator[str]:
    facts = (*label.must_mention_facts, *label.must_not_mention_facts)
    for text in (label.canonical_narrative, *facts):
        for sentence in _SENTENCE_END.split(text):
            if _ABOUT_CALLERS.search(sentence):
                yield sentence
