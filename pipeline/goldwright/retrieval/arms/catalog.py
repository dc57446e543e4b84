"""Every arm by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from goldwright.errors import InputError
from goldwright.retrieval.arms.call_graph import CallGraphArm
from goldwright.retrieval.arms.hybrid import AdaptiveArm, HybridArm
from goldwright.retrieval.arms.port import Arm
from goldwright.retrieval.arms.reranked import RerankedArm
from goldwright.retrieval.arms.single_lists import DenseArm, LexicalArm
from goldwright.retrieval.codebase_index import CodebaseIndex
from goldwright.retrieval.fusions.port import Fusion
from goldwright.retrieval.rerankers.port import Reranker


@dataclass(frozen=True, slots=True)
class ArmSettings:
    """What arms are made with.

    Attributes:
        fuse: The fusion of every hybrid.
        dense_weight: The weight of the dense list in it.
        open_reranker: Opens the second stage over an index.
        with_callers: Whether the call graph is followed to callers as well.
    """

    fuse: Fusion
    open_reranker: Callable[[CodebaseIndex], Reranker]
    dense_weight: float = 1.0
    with_callers: bool = False

    @property
    def hybrid(self) -> HybridArm:
        """The hybrid that others build on."""
        return HybridArm(self.fuse, dense_weight=self.dense_weight)


MakeArm = Callable[[CodebaseIndex, ArmSettings], Arm]


def _lexical(_index: CodebaseIndex, _settings: ArmSettings) -> Arm:
    return LexicalArm()


def _dense(_index: CodebaseIndex, _settings: ArmSettings) -> Arm:
    return DenseArm()


def _hybrid(_index: CodebaseIndex, settings: ArmSettings) -> Arm:
    return settings.hybrid


def _reranked(index: CodebaseIndex, settings: ArmSettings) -> Arm:
    return RerankedArm(settings.hybrid, settings.open_reranker(index))


def _call_graph(_index: CodebaseIndex, settings: ArmSettings) -> Arm:
    return CallGraphArm(settings.hybrid, with_callers=settings.with_callers)


def _adaptive(_index: CodebaseIndex, settings: ArmSettings) -> Arm:
    return AdaptiveArm(settings.fuse, dense_weight=settings.dense_weight)


ARMS: Final[Mapping[str, MakeArm]] = {
    "dense": _dense,
    "bm25": _lexical,
    "hybrid": _hybrid,
    "hybrid+rerank": _reranked,
    "hybrid+graph": _call_graph,
    "adaptive": _adaptive,
}
WITHOUT_MODEL: Final = frozenset({"bm25"})
"""The arms that read no vectors: their results are the same whatever the model."""


def weighted_hybrid_name(weight: float) -> str:
    """Name the hybrid with a dense list of some weight."""
    return f"hybrid@{weight:g}"


def check_arms(names: Sequence[str]) -> tuple[str, ...]:
    """Take the names of arms, each once.

    Raises:
        InputError: No arm has one of the names, or there is none.
    """
    names_of_arms = ", ".join(ARMS)
    for name in names:
        if name not in ARMS:
            raise InputError(f"{name}: no arm; wanted some of {names_of_arms}")
    if not names:
        raise InputError(f"no arm; wanted some of {names_of_arms}")
    return tuple(dict.fromkeys(names))
