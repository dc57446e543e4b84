"""Merging the files of shards of a bench: each holds the reports of some of the retrievers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from goldwright.app.scoring.bench import check_same_questions, compared
from goldwright.app.scoring.bench_outputs import BenchOutputs
from goldwright.errors import GoldwrightError, InputError, QualityGateError, RetrieverError
from goldwright.evaluation.bench import Bench, BenchedSystem, Timing
from goldwright.evaluation.bench_text import bench_markdown
from goldwright.evaluation.report import EvaluationReport
from goldwright.golden.loading import read_bytes
from goldwright.records.validation_problems import first_validation_problem
from goldwright.strict_json import strict_json


class _System(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    report: EvaluationReport
    timing: Timing
    cost_usd: float | None

    def benched(self) -> BenchedSystem:
        return BenchedSystem(self.report, self.timing, self.cost_usd)


class _BenchShard(BaseModel):
    """The file of a shard.

    Attributes:
        systems: Those of its retrievers that answered every query, by name.
        failures: Why others did not.
        retrievers: The names of all retrievers of the bench, in their order.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    systems: dict[str, _System]
    failures: dict[str, str]
    retrievers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MergedBench:
    """A bench whose shards were brought together.

    Attributes:
        bench: All that they hold.
        missing: Retrievers that no shard has asked.
    """

    bench: Bench
    missing: tuple[str, ...]


def merge_bench(files: Sequence[Path], out: Path) -> MergedBench:
    """Bring the reports of shards together, and compare them as one question.

    Args:
        files: What ``bench --shard … --out`` wrote.
        out: Where the whole is written to.

    Raises:
        InputError: A file is none of a shard, or they are of different benches.
        QualityGateError: Two shards hold different reports of one retriever.
    """
    outputs = BenchOutputs(json=out)
    outputs.check()
    shards = {path: _read(path) for path in files}
    names = _common_retrievers(shards)
    systems: dict[str, BenchedSystem] = {}
    failures: dict[str, GoldwrightError] = {}
    for name in names:
        system = _system_of(name, shards)
        failure = _failure_of(name, shards)
        if system is not None:
            systems[name] = system
        elif failure:
            failures[name] = RetrieverError(failure)
    if not systems:
        raise InputError(f"{files[0]}: no shard holds a retriever that answered every query")
    check_same_questions(systems)
    result = compared(systems, failures)
    names_with_outcome = {*systems, *failures}
    missing = tuple(name for name in names if name not in names_with_outcome)
    # With the names of all retrievers it is still the file of a shard, which bench goes on with.
    retrievers = names if missing else ()
    outputs.write(result, markdown=bench_markdown(result), retrievers=retrievers)
    return MergedBench(result, missing)


def begun_bench(out: Path, retrievers: Sequence[str]) -> Mapping[str, BenchedSystem]:
    """Give what shards that were merged hold of a bench; nothing where there is no such file.

    Args:
        out: Where the bench is written to.
        retrievers: The names of its retrievers, in their order.

    Raises:
        InputError: The shards compare other retrievers.
    """
    if not out.is_file():
        return {}
    fields = strict_json(read_bytes(out, content="bench"), source=str(out))
    if not isinstance(fields, dict) or "retrievers" not in fields:
        return {}
    shard = _read(out)
    if shard.retrievers != tuple(retrievers):
        raise InputError(
            f"{out}: was merged from shards that compare other retrievers; name another --out, "
            "or ask everything again with --refresh"
        )
    return {name: system.benched() for name, system in shard.systems.items()}


def _read(path: Path) -> _BenchShard:
    try:
        fields = strict_json(read_bytes(path, content="bench"), source=str(path))
        return _BenchShard.model_validate_json(json.dumps(fields))
    except ValidationError as error:
        problem = first_validation_problem(error)
        raise InputError(f"{path}: was not written by bench --shard: {problem}") from error


def _common_retrievers(shards: Mapping[Path, _BenchShard]) -> tuple[str, ...]:
    (first_path, first), *other_shards = shards.items()
    for path, shard in other_shards:
        if shard.retrievers != first.retrievers:
            raise InputError(f"{path}: compares other retrievers than {first_path}")
    return first.retrievers


def _failure_of(name: str, shards: Mapping[Path, _BenchShard]) -> str:
    """Say how a retriever failed in the first shard where it did; empty where it did in none."""
    for shard in shards.values():
        if name in shard.failures:
            return shard.failures[name]
    return ""


def _system_of(name: str, shards: Mapping[Path, _BenchShard]) -> BenchedSystem | None:
    """Give the report of a retriever; of several that are the same, the first one.

    Raises:
        QualityGateError: Two differ in more than how long the answers took.
    """
    holders = []
    for path, shard in shards.items():
        if name in shard.systems:
            holders.append((path, shard.systems[name]))
    if not holders:
        return None
    (first_path, first), *other_holders = holders
    for path, other_holder in other_holders:
        if other_holder.report != first.report:
            raise QualityGateError(
                f"{name}: {first_path} and {path} hold different reports of it; neither is taken"
            )
    return first.benched()
