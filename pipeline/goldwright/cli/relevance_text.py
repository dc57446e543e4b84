"""What `goldwright relevance run` prints."""

from collections.abc import Iterator

from goldwright.app.relevance.relevance import RelevanceResult
from goldwright.app.relevance.relevance_cost import RelevanceCost
from goldwright.engine.shards import Shard
from goldwright.relevance.findings import DocumentEffect, TaskFinding
from goldwright.relevance.fixed_design import FixedRule
from goldwright.relevance.simulation import RuleErrors
from goldwright.text import counted, make_visible

_MOST_NAMED = 4
# By whether a right answer was seen to pass.
_NONE_PASSED = {
    True: "its gold does, so the solver may be too weak to say which documents matter",
    False: "a check that nothing passes looks the same; give the task a gold",
}


def relevance_lines(result: RelevanceResult) -> Iterator[str]:
    """Put the findings into words, a task a line, and what they rest on."""
    for finding in result.findings:
        yield from _finding_lines(finding, has_gold=finding.task_id in result.tasks_with_gold)
    yield from _left_out_lines(result)
    trials = counted(_trial_count(result), "trial")
    yield (
        f"{trials}, {result.asked} of them made now; solver {result.solver}; "
        f"sandbox {result.sandbox}"
    )
    if result.usd:
        yield f"${result.usd:.4f} for all trials of the directory"
    if result.fixed is not None and result.rule_errors is not None:
        yield from _rule_lines(result.fixed, result.rule_errors)


def shard_lines(result: RelevanceResult, shard: Shard) -> Iterator[str]:
    """Say how far a share is; what it comes to is told of all shares together."""
    yield from _left_out_lines(result)
    tasks = counted(len(result.findings), "task")
    trials = counted(_trial_count(result), "trial")
    yield f"shard {shard}: {tasks} decided by {trials}, {result.asked} of them made now"
    yield "goldwright merge brings shards together; the same command without --shard sums them up"


def _left_out_lines(result: RelevanceResult) -> Iterator[str]:
    """Say which tasks were left out, and why."""
    for task in result.disqualified:
        name = make_visible(task.task_id)
        reason = make_visible(task.reason)
        yield f"{name}: left out, {reason}"


def _trial_count(result: RelevanceResult) -> int:
    """Count the trials of all tasks, those of controls included."""
    searching = sum(finding.trials for finding in result.findings)
    return searching + sum(finding.control_trials for finding in result.findings)


def _rule_lines(rule: FixedRule, errors: RuleErrors) -> Iterator[str]:
    """Say what the rule gets wrong where the truth is known."""
    yield (
        f"fixed design of {rule.trials} trials, relevant above {rule.threshold:g}: "
        f"in made-up pools of {errors.documents} documents"
    )
    yield (
        f"  {errors.false_share:.0%} of those it calls relevant are not where one document matters "
        f"much; it finds that one in {errors.found_share:.0%}"
    )
    yield f"  {errors.called_of_nothing:.0%} of all documents are called so where none matters"


def _finding_lines(finding: TaskFinding, *, has_gold: bool) -> Iterator[str]:
    by_relevance: dict[str, list[str]] = {}
    for effect in finding.documents:
        by_relevance.setdefault(effect.relevance, []).append(effect.document_id)
    counts = [f"{len(ids)} {relevance}" for relevance, ids in sorted(by_relevance.items())]
    all_counts = ", ".join(counts)
    trials = counted(finding.trials, "trial")
    ending = f"after {trials} ({finding.stop_reason})"
    yield f"{make_visible(finding.task_id)}: {all_counts} {ending}"
    for ids in finding.sufficient_sets[:_MOST_NAMED]:
        yield "  enough: " + " + ".join(map(make_visible, ids))
    for effect in finding.documents:
        yield from _control_lines(effect)
    undecided = by_relevance.get("undecided", [])[:_MOST_NAMED]
    if undecided:
        yield "  undecided: " + ", ".join(map(make_visible, undecided))
    if not finding.success_rate:
        yield f"  no trial passed: {_NONE_PASSED[has_gold]}"
    if finding.not_validated:
        low, high = finding.success_bounds
        effects = finding.documents
        changes = sum(effect.relevance != effect.relevance_had_passed for effect in effects)
        not_validated = counted(finding.not_validated, "trial")
        changed = counted(changes, "document")
        success = f"success {low:.2f}, and {high:.2f} if passed"
        yield (
            f"  {not_validated} without a verdict, taken as not passed: "
            f"{success}; {changed} would change"
        )


def _control_lines(effect: DocumentEffect) -> Iterator[str]:
    """Name what a document is worth, and warn where a sham does as well."""
    controls = effect.controls
    if controls is None:
        return
    name = make_visible(effect.document_id)
    sufficiency = f"sufficiency {_signed(controls.sufficiency)}"
    necessity = f"necessity {_signed(controls.necessity)}"
    value = f"Banzhaf value {_signed(effect.average_effect)}"
    yield f"  {name}: {sufficiency}, {necessity}, {value}"
    shams = {"an unrelated text": controls.over_placebo, "a falsified one": controls.over_mutated}
    for sham, difference in shams.items():
        # Where the others do without the document, a sham in its place shows nothing.
        if controls.necessity and difference is not None and difference <= 0:
            yield f"    {sham} in its place does as well: look at what its check checks"


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.2f}"


def cost_lines(cost: RelevanceCost) -> Iterator[str]:
    """Say what a call takes before anything is tried."""
    tasks = counted(cost.tasks, "task")
    documents = counted(cost.documents, "document")
    trials = counted(cost.logged, "trial")
    yield f"{tasks}, {documents} in their pools; {trials} made already"
    yield f"trials: {cost.likely} likely, {cost.most} at most, each one call of the solver"
    if cost.tokens_of_call:
        likely_tokens = cost.likely * cost.tokens_of_call
        yield f"tokens: {cost.tokens_of_call} a call, {likely_tokens} likely"
    yield f"dollars: {cost.likely_usd:.4f} likely, {cost.most_usd:.4f} at most"
