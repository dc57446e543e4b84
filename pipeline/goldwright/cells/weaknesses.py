"""What is weak about a result, shipped with it."""

from collections.abc import Iterator, Sequence
from typing import Final

from goldwright.cells.decision import CellResult, queries_needed
from goldwright.cells.labels import JudgeQuality
from goldwright.cells.rule_judges import FIRST_RULE
from goldwright.text import counted

# Below it, a judge calls so many foreign documents relevant that labels say little.
_FEWEST_CONTROLS_PASSED: Final = 0.9
_SUBSTANTIAL_KAPPA: Final = 0.6
_WELL_JUDGED: Final = 0.95


def weaknesses(
    results: Sequence[CellResult], judge: JudgeQuality, origins: Sequence[str], count: int
) -> Iterator[str]:
    """Yield what a reader of the result has to know, a sentence or two each."""
    if judge.judge == FIRST_RULE:
        yield (
            "The judge is a rule that compares words (rule:words-1). It favours searches by words, "
            "and knows neither paraphrase nor whether code does what its words say; it agrees with "
            "itself by construction."
        )
    else:
        yield (
            "The judge is a model. Length, order and its own family may sway it; the controls, the "
            "duplicates and the second judge measure some of that, and none of it is corrected."
        )
    yield from _judge_weaknesses(judge)
    needed = queries_needed(results, count)
    if needed is not None:
        yield (
            f"{counted(count, 'query')}: a gain of 0.02 nDCG@10 would need about {needed} for "
            "a power of 80 % over all cells."
        )
    yield (
        "A document counts by its best chunk: which part of it a reader is shown, and how much of "
        "it, is not measured."
    )
    yield (
        "The documents that queries expect are always in the sample; the others are drawn by "
        "directory and kind, so absolute values hold for the sample and not for the whole source."
    )
    yield (
        "Only what some cell brought is labelled. A later cell that brings other documents is "
        "measured too low on these labels: it needs the next version."
    )
    if len(origins) == 1:
        yield f"All queries are of one origin ({origins[0]}); others may ask otherwise."
    if "mined" in origins:
        yield "A mined query expects what its commit changed, which is not all that answers it."
    poorly_judged = [result.cell for result in results if result.judged < _WELL_JUDGED]
    if poorly_judged:
        names = ", ".join(poorly_judged)
        yield f"Under {_WELL_JUDGED:.0%} of the first ten documents are judged for {names}."


def _judge_weaknesses(judge: JudgeQuality) -> Iterator[str]:
    if judge.controls and judge.controls_passed / judge.controls < _FEWEST_CONTROLS_PASSED:
        failed = judge.controls - judge.controls_passed
        yield f"The judge called {failed} of {judge.controls} foreign documents relevant."
    if not judge.controls:
        yield "Every document is in the pool of every query, so no control could be hidden."
    if judge.kappa is not None and judge.kappa < _SUBSTANTIAL_KAPPA:
        yield f"Both judges agree little (weighted kappa {judge.kappa:.2f})."
    undecided = judge.for_people - judge.decided
    if undecided:
        open_pairs = counted(undecided, "pair has", "pairs have")
        yield f"{open_pairs} no label: both judges disagree there, and nobody decided."
