"""Several retrievers on one dataset, asked one after the other and compared."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Final

from goldwright.app.environment import Environment
from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.app.scoring.eval_setup import EvalSetup, set_up_evaluation
from goldwright.app.scoring.retriever_run import run_retriever
from goldwright.engine.progress import Progress
from goldwright.engine.shards import Shard
from goldwright.errors import GoldwrightError, InputError, RetrieverError
from goldwright.evaluation.bench import Bench, BenchedSystem
from goldwright.evaluation.measures import find_measures, quality_measures
from goldwright.evaluation.reply_notes import unjudged_remark
from goldwright.evaluation.report import EvaluationReport
from goldwright.evaluation.system_comparison import (
    FEWEST_SYSTEMS,
    MOST_SYSTEMS,
    SystemComparison,
    compare_systems,
)
from goldwright.retrieval.connections.spec import RetrieverSpec, retriever_name
from goldwright.text import counted

# Settles the draws of the permutation tests, so that the same replies give the same table.
SEED: Final = 0
# ``name=spec``; what forms of specifications begin with holds no equals sign.
_NAMED: Final = re.compile(r"(?P<name>[\w.@+ -]{1,40})=(?P<spec>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """Retrievers to compare.

    Attributes:
        evaluation: The dataset, the codebase, and how each retriever is asked; its own retriever
            plays no part, and its first measure decides.
        retrievers: Their specifications by their names.
        shard: The share of them that is asked; all of them without one.
        done: What some of them answered in shards that were merged; they are not asked again.
    """

    evaluation: EvalRequest
    retrievers: Mapping[str, RetrieverSpec]
    shard: Shard | None = None
    done: Mapping[str, BenchedSystem] = field(default_factory=dict)

    @property
    def asked(self) -> Mapping[str, RetrieverSpec]:
        """The retrievers that this call asks, or has the replies of."""
        if self.shard is None:
            return self.retrievers
        retrievers = tuple(self.retrievers.items())
        return dict(self.shard.share_of(retrievers))


def name_retrievers(
    specs: Sequence[RetrieverSpec] | Mapping[str, RetrieverSpec],
) -> Mapping[str, RetrieverSpec]:
    """Name retrievers as tables show them.

    Args:
        specs: Retrievers by their names; or a list, in which a name is that of ``name=spec``, or
            the specification itself.

    Raises:
        InputError: There are too few or too many, one has no name, or two have the same.
    """
    if not FEWEST_SYSTEMS <= len(specs) <= MOST_SYSTEMS:
        count_text = counted(len(specs), "retriever")
        raise InputError(
            f"{count_text}; a bench compares {FEWEST_SYSTEMS} to {MOST_SYSTEMS}: repeat --retriever"
        )
    pairs = specs.items() if isinstance(specs, Mapping) else map(_split_name, specs)
    spec_by_name: dict[str, RetrieverSpec] = {}
    for name, spec in pairs:
        if not name:
            raise InputError(f"{retriever_name(spec)}: has no name")
        if name in spec_by_name:
            raise InputError(f"{name}: names two retrievers; give one another name: NAME=SPEC")
        spec_by_name[name] = spec
    return spec_by_name


def _split_name(spec: RetrieverSpec) -> tuple[str, RetrieverSpec]:
    """Take a name off its specification, or make one of it."""
    match = _NAMED.fullmatch(spec) if isinstance(spec, str) else None
    if match is None:
        return retriever_name(spec), spec
    return match["name"].strip(), match["spec"]


def bench(request: BenchRequest, environment: Environment, progress: Progress) -> Bench:
    """Ask every retriever every query, and compare them as one question.

    A retriever that fails costs itself alone.

    Raises:
        InputError: The dataset, the codebase or a measure is wrong.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed.
        RetrieverError: None of the retrievers answered every query.
    """
    first_spec = next(iter(request.retrievers.values()))
    evaluation = replace(request.evaluation, retriever=first_spec)
    find_measures(evaluation.all_measures)
    setup = set_up_evaluation(evaluation, environment, progress)
    _check_same_setup(request.done, setup)
    systems: dict[str, BenchedSystem] = {}
    failures: dict[str, GoldwrightError] = {}
    for name, spec in request.asked.items():
        if name in request.done:
            systems[name] = request.done[name]
            continue
        progress.phase(name)
        try:
            evaluation_of_one = replace(evaluation, retriever=spec)
            systems[name] = _ask(evaluation_of_one, setup, environment, progress)
        except (InputError, RetrieverError) as error:
            failures[name] = error
            progress.phase(f"{name}: failed: {error}")
    # A share may well hold none that answers, or none at all; the others go on.
    if not systems and request.shard is None:
        raise next(iter(failures.values()))
    if request.done:
        check_same_questions(systems)
    return compared(systems, failures)


def _check_same_setup(merged_systems: Mapping[str, BenchedSystem], setup: EvalSetup) -> None:
    """Refuse, before anything is asked, what was merged from shards of other questions.

    Raises:
        InputError: They had another dataset or commit.
    """
    commit = setup.snapshot.commit if setup.snapshot else ""
    for name, system in merged_systems.items():
        if (system.report.dataset_sha256, system.report.commit) != (setup.dataset.sha256, commit):
            raise InputError(
                f"{name}: was asked in shards about another dataset or commit; name another --out, "
                "or ask everything again with --refresh"
            )


def check_same_questions(systems: Mapping[str, BenchedSystem]) -> None:
    """Refuse to compare what answered different questions.

    Raises:
        InputError: Dataset, commit, queries or measures differ.
    """
    questions_by_name = {}
    for name, system in systems.items():
        questions_by_name[name] = tuple(_asked_for(system.report))
    (first_name, first), *other_pairs = questions_by_name.items()
    for name, questions in other_pairs:
        if questions != first:
            raise InputError(
                f"{name}: was asked about another dataset, commit or set of measures than "
                f"{first_name}"
            )


def _asked_for(report: EvaluationReport) -> Iterator[object]:
    yield from (report.dataset_sha256, report.commit, report.ties, report.blank_docstrings)
    yield report.product_code
    yield report.measures
    yield tuple(report.by_id)


def compared(
    systems: Mapping[str, BenchedSystem], failures: Mapping[str, GoldwrightError]
) -> Bench:
    """Compare what retrievers answered, as one question."""
    comparison = _compare(systems)
    notes = tuple(_notes(systems))
    return Bench(systems, failures, comparison, notes)


def as_json_text(result: Bench, *, retrievers: Sequence[str] = ()) -> str:
    """Write a bench as JSON: the comparison, and the whole report of every system.

    Args:
        result: The bench, or a share of one.
        retrievers: Of a share, the names of all retrievers that the whole compares, in their order.
    """
    document = bench_json(result)
    if retrievers:
        document["retrievers"] = list(retrievers)
    return json.dumps(document, indent=2) + "\n"


def bench_json(result: Bench) -> dict[str, object]:
    """Give a bench as a JSON object."""
    systems = {}
    for name, system in result.systems.items():
        systems[name] = {
            "report": system.report.model_dump(mode="json"),
            "timing": asdict(system.timing),
            "cost_usd": system.cost_usd,
        }
    failures = {name: str(error) for name, error in result.failures.items()}
    comparison = _comparison_json(result.comparison)
    notes = list(result.notes)
    return {
        "comparison": comparison,
        "systems": systems,
        "failures": failures,
        "notes": notes,
    }


def _ask(
    request: EvalRequest, setup: EvalSetup, environment: Environment, progress: Progress
) -> BenchedSystem:
    run = run_retriever(request, setup, environment, progress)
    cost_usd = None
    if run.costs_usd:
        cost_usd = sum(run.costs_usd.values())
    return BenchedSystem(run.report, run.timing, cost_usd)


def _compare(systems: Mapping[str, BenchedSystem]) -> SystemComparison | None:
    if len(systems) < FEWEST_SYSTEMS:
        return None
    reports = {name: system.report for name, system in systems.items()}
    first_report = next(iter(reports.values()))
    measures = quality_measures(first_report.measures)
    return compare_systems(reports, measures[0], seed=SEED)


def _notes(systems: Mapping[str, BenchedSystem]) -> Iterator[str]:
    """Yield each note once, behind the names of the systems that it is true of."""
    names_by_note: dict[str, list[str]] = {}
    shares = _unjudged_shares(systems)
    for name, system in systems.items():
        for note in system.report.notes:
            # A sentence for each system with its own percentage would bury the other notes.
            is_of_share = name in shares and note == unjudged_remark([shares[name]])
            joint_note = unjudged_remark(list(shares.values())) if is_of_share else note
            names_by_note.setdefault(joint_note, []).append(name)
        if system.timing.kept_since is not None:
            kept_count = len(system.timing.seconds) - system.timing.asked
            kept_replies = counted(kept_count, "reply")
            kept_note = (
                f"{kept_replies} kept from {system.timing.kept_since} on; "
                "what the retriever reads beyond its own files may have changed since: --refresh "
                "asks again"
            )
            names_by_note.setdefault(kept_note, []).append(name)
    for note, names in names_by_note.items():
        if len(names) == len(systems):
            yield note
        else:
            joint_names = ", ".join(names)
            yield f"{joint_names}: {note}"


def _unjudged_shares(systems: Mapping[str, BenchedSystem]) -> dict[str, float]:
    """Give the share of results that nobody judged for each system that has such results."""
    shares: dict[str, float] = {}
    for name, system in systems.items():
        if "Judged@10" not in system.report.measures:
            continue
        share = 1 - system.report.mean("Judged@10")
        if share > 0:
            shares[name] = share
    return shares


def _comparison_json(comparison: SystemComparison | None) -> dict[str, object] | None:
    if comparison is None:
        return None
    means = {name: asdict(mean) for name, mean in comparison.means.items()}
    groups = [list(group) for group in comparison.groups]
    pairs = [{**asdict(pair), "is_shown": pair.is_shown} for pair in comparison.pairs]
    return {"measure": comparison.measure, "means": means, "groups": groups, "pairs": pairs}
