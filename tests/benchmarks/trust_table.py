"""The trust card of offline runs over real codebases: a column each, and all of them pooled.

Usage: python tests/benchmarks/trust_table.py [--plan phase1] [--seed N] [--keep DIR]
[--examples NAME] CODEBASE...

Each codebase is a directory, such as an unpacked source distribution. A pooled figure joins the
observations of all codebases, so a codebase with more records weighs more. With ``--keep`` runs and
drafts stay, and a draft that lies there already is measured instead of made again: tables of two
versions of the program are compared on one's own records or on each one's. ``--examples`` prints
every record that a figure holds against the dataset, to be read by a person.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import goldwright
from goldwright.trust_card.card import observe_all
from goldwright.trust_card.catalog import MEASURES
from goldwright.trust_card.figure_records import figure_record
from goldwright.trust_card.material import AnsweredQuery, CardMaterial
from goldwright.trust_card.measure import Observation
from goldwright.trust_card.presentation import figure_row

DRAFT = "golden/golden_v1.0.draft.json"
Observations = Mapping[str, Sequence[Observation]]


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("codebases", nargs="+", type=Path)
    parser.add_argument("--plan", default="phase1")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="keep runs and drafts in this directory")
    parser.add_argument("--examples", metavar="NAME", help="print all records behind a figure")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        root = options.keep or Path(scratch)
        observations: dict[str, Observations] = {}
        for codebase in options.codebases:
            workspace = root / codebase.name
            draft = make_draft(codebase, workspace, options.plan, options.seed)
            observations[codebase.name] = measure(draft, codebase, workspace)
    print_table(observations)
    if options.examples:
        print_examples(observations, options.examples)


def make_draft(codebase: Path, workspace: Path, plan: str, seed: int) -> Path:
    """Make a run and its draft, unless there is one already."""
    draft = workspace / DRAFT
    if not draft.is_file():
        workspace.mkdir(parents=True, exist_ok=True)
        report = goldwright.run(plan, codebase, seed=seed, workspace=workspace)
        goldwright.export(report.name, version="1.0", draft=True, workspace=workspace)
    return draft


def measure(draft: Path, codebase: Path, workspace: Path) -> Observations:
    """Take the observations of every figure of a draft."""
    labels = goldwright.open_dataset(draft.resolve(), workspace=workspace).labels
    queries = [
        AnsweredQuery(
            query_id=f"{codebase.name}:{label.query_id}",
            task_type=label.task_type,
            difficulty=label.difficulty,
            query=label.query_text,
            answer=label,
            alternatives=label.alternatives,
        )
        for label in labels
    ]
    snapshot = goldwright.open_snapshot(codebase, workspace=workspace)
    material = CardMaterial(queries, snapshot)
    return {measure.text.name: taken for measure, taken in observe_all(material)}


def print_table(observations: Mapping[str, Observations]) -> None:
    """Print a row for each figure: its values, then all codebases pooled."""
    names = list(observations)
    heading = "".join(f"{name[:15]:>16}" for name in names)
    print(
        f"{'figure':<56}{heading}   {'pooled':>7} {'n':>6}  {'interval':<17}  {'wanted':<8}verdict"
    )
    for row in table_rows(observations):
        print(row)


def table_rows(observations: Mapping[str, Observations]) -> Iterator[str]:
    """Write the rows of the table."""
    for one_measure in MEASURES:
        name = one_measure.text.name
        values = []
        pooled: list[Observation] = []
        for of_codebase in observations.values():
            taken = of_codebase[name]
            pooled += taken
            row = figure_row(figure_record(one_measure.figure(taken)))
            values.append(f"{row.value} ({row.n})")
        row = figure_row(figure_record(one_measure.figure(pooled)))
        columns = "".join(f"{value:>16}" for value in values)
        yield (
            f"{row.title:<56}{columns}   {row.value:>7} {row.n:>6}  {row.interval:<17}  "
            f"{row.wanted:<8}{row.verdict}"
        )


def print_examples(observations: Mapping[str, Observations], name: str) -> None:
    """Print what a figure holds against the records, a line each."""
    for of_codebase in observations.values():
        for observation in of_codebase[name]:
            if observation.note:
                print(f"{observation.query_id}: {observation.note}")


if __name__ == "__main__":
    main(sys.argv[1:])
