"""Verdicts that were changed when everybody could see what the sample had shown."""

from collections.abc import Sequence

from goldwright.records import AnyReviewEvent, ReviewPass, SampleEvent, UndoEvent, VerdictEvent
from goldwright.review.passes import INDEPENDENT_PASSES

_RecordInPass = tuple[str, ReviewPass]


def count_late_changes(log: Sequence[AnyReviewEvent]) -> int:
    """Count the verdicts that were taken back or replaced once both blind passes had been done.

    From then on the catch rate and the agreement are shown, so such a change is no blind one. A
    record without any verdict was taken out, and holds nothing up.

    Args:
        log: The events of a file, oldest first.
    """
    verdicts = [event for event in log if isinstance(event, VerdictEvent)]
    blind = [event for event in verdicts if event.sitting in INDEPENDENT_PASSES]
    by_key = {event.key: event for event in blind}
    judged_at_all = {(event.query_id, event.sitting) for event in blind}
    wanted_subjects: set[_RecordInPass] = set()
    # The keys of the verdicts that hold, the last one last.
    held_keys: dict[_RecordInPass, list[str]] = {}
    is_shown = False
    changes = 0
    for event in log:
        match event:
            case SampleEvent():
                ids = {drawn.query_id for drawn in event.drawn}
                ids.update(canary.query_id for canary in event.canaries)
                sampled_subjects = {subject for subject in judged_at_all if subject[0] in ids}
                wanted_subjects.update(sampled_subjects)
                is_shown = False
            case VerdictEvent(query_id=query_id, sitting=sitting) if event.key in by_key:
                keys = held_keys.setdefault((query_id, sitting), [])
                changes += is_shown and keys != []
                keys.append(event.key)
                if not is_shown:
                    is_shown = wanted_subjects != set() and wanted_subjects <= held_keys.keys()
            case UndoEvent(undoes=key) if key in by_key:
                subject = (by_key[key].query_id, by_key[key].sitting)
                keys = held_keys.get(subject, [])
                if key in keys:
                    changes += is_shown
                    keys.remove(key)
                if not keys:
                    held_keys.pop(subject, None)
            case _:
                pass
    return changes
