"""What a user asks of an evaluation."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from goldwright.errors import InputError
from goldwright.evaluation.calibration.sufficiency import THRESHOLD
from goldwright.evaluation.gates import Gate
from goldwright.evaluation.measures import DEFAULT_MEASURES
from goldwright.interchange.field_mapping import FieldMapping
from goldwright.retrieval.connections.spec import RetrieverSpec
from goldwright.retrieval.hit_order import Ties

DEFAULT_DEPTH: Final = 100
DEFAULT_TIES: Final[Ties] = "id"
DEFAULT_TIMEOUT: Final = 60.0
"""Seconds."""


@dataclass(frozen=True, slots=True)
class EvalRequest:
    """A dataset, the codebase it is about, and a retriever with how it is asked.

    Attributes:
        dataset: The dataset by path or version.
        repo: The codebase; None to take the ids of the dataset as they are.
        retriever: A specification such as ``bm25``, or a callable.
        rev: The commit; HEAD where there is none.
        measures: Names of measures; the usual ones where there are none.
        gates: Floors that measures must reach.
        judge: Whether the judge's model of the settings says which answers are correct.
        config: The settings; ``goldwright.toml`` in the root where there is none.
        budget_usd: The most that the judge may spend, in dollars.
        threshold: The sufficiency score from which the retriever answers by itself.
        target: The share of right answers for which a threshold is sought; the threshold itself
            where there is none.
        depth: How many results are asked for; 100 where there is none.
        timeout: Seconds that one query may take.
        ties: The rule for equal scores; ``id`` where there is none.
        missing_as_zero: Whether a query that a TREC run does not hold counts as not found.
        blank_docstrings: Whether a built-in retriever searches code without its docstrings.
        product_code: Whether results outside of product code are left out.
        allow_drift: Whether to score although cited files have changed, or expected ids name
            nothing in the codebase; records whose code has changed are left out.
        strict_drift: Whether any change of a cited file counts, and not of cited code alone.
        concurrency: How many queries are asked at a time; built-in retrievers are asked one by one.
        limit: How many queries are asked, spread evenly over the dataset; all where there is none.
        keeps_replies: Whether replies are kept for another time, and kept ones are taken.
        refresh: Whether everything is asked again, and the new replies are kept.
        allow_dirty: Whether to pin the files of the work tree as they are.
        left_out: Sentences that built-in retrievers do not see, by the ids of their entities.
        fields: Which field of a list or table holds what; None where a reader is to know.
    """

    dataset: str
    repo: Path | None
    retriever: RetrieverSpec
    rev: str | None = None
    measures: tuple[str, ...] = ()
    gates: tuple[Gate, ...] = ()
    judge: bool = False
    config: Path | None = None
    budget_usd: float | None = None
    threshold: float = THRESHOLD
    target: float | None = None
    depth: int | None = None
    timeout: float = DEFAULT_TIMEOUT
    ties: Ties | None = None
    missing_as_zero: bool = False
    blank_docstrings: bool = False
    product_code: bool = False
    allow_drift: bool = False
    strict_drift: bool = False
    allow_dirty: bool = False
    concurrency: int = 1
    limit: int | None = None
    keeps_replies: bool = False
    refresh: bool = False
    left_out: Mapping[str, str] = field(default_factory=dict)
    fields: FieldMapping | None = None

    def __post_init__(self) -> None:
        """Refuse numbers that nothing can be asked with.

        Raises:
            InputError: One of them is below its range, or no number.
        """
        for name in ("depth", "concurrency", "limit"):
            count = getattr(self, name)
            if count is not None and count < 1:
                raise InputError(f"{name}: {count} is less than 1")
        if self.product_code and self.repo is None:
            raise InputError("--product-code: only a codebase tells what is product code: --repo")
        if not (math.isfinite(self.timeout) and self.timeout > 0):
            raise InputError(f"timeout: {self.timeout} is no number of seconds above 0")

    @property
    def usual_measures(self) -> tuple[str, ...]:
        """The measures that are computed where none is asked for."""
        return () if self.measures else DEFAULT_MEASURES

    @property
    def all_measures(self) -> tuple[str, ...]:
        """The measures that are asked for, and those that gates look at, each once."""
        names = [*(self.measures or DEFAULT_MEASURES)]
        names.extend(gate.measure for gate in self.gates)
        return tuple(dict.fromkeys(names))
