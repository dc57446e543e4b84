"""Scoring a retriever against a dataset."""

from collections.abc import Callable, Sequence

from goldwright.api.arguments import StrPath, environment_in, optional_path
from goldwright.app.eval_request import DEFAULT_TIMEOUT, EvalRequest
from goldwright.app.evaluate import Evaluation, evaluate_retriever
from goldwright.engine.progress import Progress, SilentProgress
from goldwright.evaluation.gates import Gate
from goldwright.evaluation.sufficiency import THRESHOLD
from goldwright.retrieval.hit_order import Ties


def evaluate(
    dataset: StrPath,
    retriever: str | Callable[..., object],
    *,
    repo: StrPath | None = None,
    rev: str | None = None,
    measures: Sequence[str] = (),
    gates: Sequence[str | Gate] = (),
    depth: int | None = None,
    ties: Ties | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    missing_as_zero: bool = False,
    blank_docstrings: bool = False,
    threshold: float = THRESHOLD,
    target: float | None = None,
    judge: bool = False,
    config: StrPath | None = None,
    budget_usd: float | None = None,
    allow_drift: bool = False,
    allow_dirty: bool = False,
    workspace: StrPath = ".",
    progress: Progress | None = None,
) -> Evaluation:
    """Ask a retriever every query of a dataset, and score what it gives.

    Every query is asked once, in the order of the dataset. The first one that fails ends the
    evaluation: a failure never becomes a zero.

    Args:
        dataset: The path of a file or folder in any format, a version such as ``1.0``, or
            ``latest``.
        retriever: A callable, or a specification such as ``bm25``, ``cmd:COMMAND`` or
            ``http://…``. A callable takes the query and, if it likes, a ``limit``; it gives ids of
            entities (``path.py::Class.method``) or files, best first, pairs of an id and a score,
            or the fuller reply that the README describes. It may be a coroutine function.
        repo: The codebase that the dataset is about; without one ids are taken as they are, and
            ``bm25`` and ``grep`` search the documents of the dataset, if it has any.
        rev: Its commit; HEAD by default.
        measures: Names such as ``nDCG@10`` or ``file.MRR``; a usual set by default.
        gates: What the retriever has to reach, as in ``"locate: MRR >= 0.6"``.
        depth: How many results are asked for; 100 by default.
        ties: How equal scores are told apart: by ``id``, the default, or as ``trec`` does.
        timeout: Seconds that one query may take; it does not bind ``bm25`` and its like.
        missing_as_zero: Count a query that a TREC run does not hold as not found.
        blank_docstrings: Let a built-in retriever search code without docstrings, and no other.
        threshold: The sufficiency score from which on the retriever answers by itself, in 0..1.
        target: The share of right answers for which a threshold is sought; ``threshold`` by
            default.
        judge: Have the model that plays the judge in the settings say which answers are correct;
            without it they are matched literally.
        config: The settings; ``goldwright.toml`` of the workspace by default, if it is there.
        budget_usd: The most that the judge may spend, in dollars.
        allow_drift: Score although files that the dataset cites have changed; the report says so.
        allow_dirty: Pin the files of the work tree as they are, with uncommitted changes.
        workspace: The directory that holds ``golden/``.
        progress: Is called as the evaluation goes on.

    Returns:
        The report, query by query, with means by stratum and the outcome of each gate.

    Raises:
        InputError: The dataset, the codebase, a measure, a gate or a reply is wrong.
        QualityGateError: Files that the dataset cites have changed, and that is not allowed. A gate
            that is missed raises nothing; see ``Evaluation.passes``.
        RetrieverError: The retriever failed on a query, or did not answer in time.
        BudgetError: The judge reached its ceiling.
        ProviderError: The judge's provider refuses or is out of reach.
    """
    # A gate that is no rule shows before anything is read.
    parsed_gates = tuple(_as_gate(gate) for gate in gates)
    request = EvalRequest(
        dataset=str(dataset),
        repo=optional_path(repo),
        retriever=retriever,
        rev=rev,
        measures=tuple(measures),
        gates=parsed_gates,
        judge=judge,
        config=optional_path(config),
        budget_usd=budget_usd,
        threshold=threshold,
        target=target,
        depth=depth,
        timeout=timeout,
        ties=ties,
        missing_as_zero=missing_as_zero,
        blank_docstrings=blank_docstrings,
        allow_drift=allow_drift,
        allow_dirty=allow_dirty,
    )
    environment = environment_in(workspace)
    return evaluate_retriever(request, environment, progress or SilentProgress())


def _as_gate(gate: str | Gate) -> Gate:
    if isinstance(gate, Gate):
        return gate
    return Gate.read(gate)
