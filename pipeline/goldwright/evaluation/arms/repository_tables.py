"""Arms over several repositories: each one's table, macro averages and promotions."""

from collections.abc import Mapping
from dataclasses import dataclass

from goldwright.evaluation.arms.arm_table import ArmComparison, ArmTable
from goldwright.evaluation.arms.promotion import Promotion, judge_promotions
from goldwright.evaluation.query_scores import value_of
from goldwright.evaluation.report import EvaluationReport
from goldwright.stats.macro_mean import OF_MEASURES, MacroMean, macro_mean


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One model and treatment of docstrings over all repositories.

    Attributes:
        title: Which.
        measure: The measure that decides.
        by_repository: The mean of each arm on each repository.
        averages: The macro average of each arm.
        promotions: Every other arm held against the default; empty where it did not answer.
    """

    title: str
    measure: str
    by_repository: Mapping[str, Mapping[str, float]]
    averages: Mapping[str, MacroMean]
    promotions: tuple[Promotion, ...]


@dataclass(frozen=True, slots=True)
class RepositoryComparison:
    """Arms over several repositories.

    Attributes:
        default: The arm that others would replace.
        repositories: The comparison on each.
        aggregates: One for each model and treatment of docstrings.
        learned_weights: By repository the weight that the others gave the dense list, for each
            table; empty where none was learned.
    """

    default: str
    repositories: Mapping[str, ArmComparison]
    aggregates: tuple[Aggregate, ...]
    learned_weights: tuple[Mapping[str, float], ...] = ()


def aggregate(tables: Mapping[str, ArmTable], default: str, *, seed: int) -> Aggregate:
    """Average one table of each repository; arms that one of them lacks are left out.

    Args:
        tables: By repository.
        default: The arm in place.
        seed: Chooses the draws of the permutation tests.
    """
    first = next(iter(tables.values()))
    measure = first.bench.report.measures[0]
    arms_of_tables = [table.reports for table in tables.values()]
    shared_arms = set(first.reports).intersection(*arms_of_tables)
    arms = [arm for arm in first.reports if arm in shared_arms]
    columns = {}
    for arm in arms:
        arm_columns = {}
        for name, table in tables.items():
            arm_columns[name] = column_of(table.reports[arm], measure)
        columns[arm] = arm_columns
    averages = {arm: macro_mean(groups, bounds=OF_MEASURES) for arm, groups in columns.items()}
    means = {}
    for name, table in tables.items():
        means[name] = {arm: table.reports[arm].mean(measure) for arm in arms}
    promotions: tuple[Promotion, ...] = ()
    if default in columns and len(columns) > 1:
        promotions = judge_promotions(columns, default, seed=seed)
    return Aggregate(first.title, measure, means, averages, promotions)


def column_of(report: EvaluationReport, measure: str) -> list[float]:
    """Give the values of a measure, in the order of the queries."""
    return [value_of(query, measure) for query in report.queries]
