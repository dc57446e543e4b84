"""What a user asks of a comparison of arms."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from goldwright.app.scoring.eval_request import EvalRequest
from goldwright.errors import InputError
from goldwright.evaluation.measures import FILE_LEVEL
from goldwright.metrics.catalog import LARGEST_CUTOFF
from goldwright.retrieval.arms.catalog import ARMS, check_arms
from goldwright.retrieval.embedders.catalog import DEFAULT_EMBEDDER
from goldwright.retrieval.fusions.catalog import DEFAULT_FUSION, find_fusion
from goldwright.retrieval.rerankers.catalog import DEFAULT_RERANKER

Level = Literal["symbol", "file"]
Docstrings = Literal["both", "with", "without"]

_BLANKINGS: Final = {"both": (False, True), "with": (False,), "without": (True,)}
DEFAULT_CUTOFFS: Final = (1, 5, 10)


@dataclass(frozen=True, slots=True)
class ArmRequest:
    """A dataset, its codebase, and the arms to compare on one index of it.

    Attributes:
        dataset: The dataset by path or version.
        repo: The codebase.
        rev: The commit; HEAD where there is none.
        arms: The names of the arms.
        cutoffs: The ranks at which R, nDCG and Hit are measured.
        level: Whether entities or files count as found.
        fusion: How hybrids fuse.
        dense_weight: The weight of the dense list in them.
        embedders: Specifications of models; a table for each.
        reranker: The specification of the second stage.
        budget_usd: The most that a reranker played by a model may spend, in dollars.
        with_callers: Whether ``hybrid+graph`` follows callers as well.
        docstrings: Which code is indexed: with its docstrings, without them, or both.
        depth: How many results are asked for.
        allow_drift: Whether to leave out records whose code has changed.
        limit: How many queries are asked; all where there is none.
        weight_grid: Weights of the dense list, with each of which a hybrid is asked as well; the
            arms are then not compared, for the caller chooses among these first.
    """

    dataset: str
    repo: Path
    rev: str | None = None
    arms: tuple[str, ...] = tuple(ARMS)
    cutoffs: tuple[int, ...] = DEFAULT_CUTOFFS
    level: Level = "symbol"
    fusion: str = DEFAULT_FUSION
    dense_weight: float = 1.0
    embedders: tuple[str, ...] = (DEFAULT_EMBEDDER,)
    reranker: str = DEFAULT_RERANKER
    budget_usd: float | None = None
    with_callers: bool = False
    docstrings: Docstrings = "both"
    depth: int = 100
    allow_drift: bool = False
    limit: int | None = None
    weight_grid: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what nothing can be compared with.

        Raises:
            InputError: A name is unknown, or a number outside its range.
        """
        check_arms(self.arms)
        find_fusion(self.fusion)
        if not self.cutoffs or not all(1 <= k <= LARGEST_CUTOFF for k in self.cutoffs):
            raise InputError(f"--ks: wanted cutoffs of 1 to {LARGEST_CUTOFF}, as in 1,5,10")
        if len(set(self.embedders)) < len(self.embedders):
            raise InputError("--embedder: names one model twice")

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures by rank, the one that decides first."""
        prefix = FILE_LEVEL if self.level == "file" else ""
        names = ["MRR"]
        for family in ("R", "nDCG", "Hit"):
            names.extend(f"{family}@{k}" for k in self.cutoffs)
        return tuple(prefix + name for name in names)

    @property
    def blankings(self) -> tuple[bool, ...]:
        """Whether docstrings are blanked, for each round over the embedders."""
        return _BLANKINGS[self.docstrings]

    @property
    def evaluation(self) -> EvalRequest:
        """The request by which dataset and codebase are opened."""
        return EvalRequest(
            self.dataset,
            self.repo,
            "bm25",
            rev=self.rev,
            measures=self.measures,
            depth=self.depth,
            allow_drift=self.allow_drift,
            limit=self.limit,
        )
