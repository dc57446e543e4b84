"""Records for a reader who had no part in making them, and the rates of what the reader marked.

Usage: python tests/benchmarks/blind_reading.py draw --out FORM.jsonl [--per 12] [--seed N]
           DRAFT.json REPO [DRAFT.json REPO ...]
       python tests/benchmarks/blind_reading.py instruct
       python tests/benchmarks/blind_reading.py rates FORM.jsonl [FORM.jsonl ...]

``draw`` takes records from every draft, spread over the cells of task type and difficulty, and
writes a line for each: the record, the source behind it, and empty marks. A reader fills the marks
in; what they mean stands in ``MARKS``. ``rates`` prints the share of each mark with its 95 % Wilson
interval, by codebase and over all.

``instruct`` prints what readers are told. Rates of two readings compare only where it was the same:
readers who were asked to write each answer as they would have called a seventh of the narratives
good, of which others, told no more than this, called two thirds so.
"""

import argparse
import json
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import goldwright
from goldwright.records import FileRange, GoldenLabel
from goldwright.snapshot import Snapshot
from goldwright.stats.binomial import wilson

MARKS = {
    "natural": "2 a developer would ask it so, 1 with another wording, 0 nobody would",
    "answer": "2 the expected entities are THE answer, 1 others are as right, 0 they are not",
    "settled": "2 the facts together answer the question, 1 in part, 0 not at all",
    "narrative": "2 answers in its first sentence and reads well, 1 readable, 0 fails",
    "tier": "1 as difficult as it says, 0 not",
    "reason": "why, in a sentence",
}
FACT_MARKS = {"true": "1 or 0", "needed": "1 or 0", "vacuous": "1 or 0"}
FALSEHOOD_MARKS = {"false": "1 or 0", "tempting": "1 or 0"}
INSTRUCTION = """\
You judge records of a dataset for code retrieval: a developer's question about a codebase, the
answer's entities, facts that a right answer must mention, false statements ("must-nots") that a
wrong answer may contain, and a narrative answer. You had no part in making them. You have the code;
read it freely, and change nothing. Think about each record with the code at hand, and fill in every
null of the form.

Marks of a record:
- natural: 2 a developer would ask it so (in a chat with a colleague or an assistant; short or blunt
  is fine), 1 with another wording, 0 nobody would ask this
- answer: 2 the expected entities are THE answer to the question, 1 other entities are as right or
  one is missing or too many, 0 they are not the answer ("product code" leaves out tests,
  documentation, examples)
- settled: 2 the facts together answer the question, 1 in part, 0 not at all
- narrative: 2 answers in its first sentence and reads well; 1 readable; 0 fails (wrong, misleading
  or unreadable)
- tier: 1 if the question is as difficult to find in the code as its cell says (easy: a search by
  the question's words or one lookup finds it; medium: some searching or reading of several places;
  hard: several hops or places), 0 if not
- reason: one or two sentences: why these marks, and what is to blame where one is lower
Marks of each fact: true (1/0: literally true of the code), needed (1/0: an answer to this question
without it would be wrong or incomplete), vacuous (1/0: says nothing worth saying).
Marks of each must-not: false (1/0: it is really false of the code), tempting (1/0: a careless
reader or a wrong neighbour might say it).
Be fair and strict: neither lenient nor petty. A record that is good gets its 2s.
"""
# A definition longer than this is shown up to here; the reader has the code at hand.
MOST_LINES = 80

Form = dict[str, Any]


def main(arguments: Sequence[str]) -> None:
    """Draw records, or print the rates of filled forms."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    commands = parser.add_subparsers(dest="command", required=True)
    draw = commands.add_parser("draw")
    draw.add_argument("drafts_and_repos", nargs="+", type=Path)
    draw.add_argument("--out", type=Path, required=True)
    draw.add_argument("--per", type=int, default=12, help="records from each codebase")
    draw.add_argument("--seed", type=int, default=0)
    rates = commands.add_parser("rates")
    rates.add_argument("forms", nargs="+", type=Path)
    commands.add_parser("instruct")
    options = parser.parse_args(arguments)
    if options.command == "instruct":
        print(INSTRUCTION, end="")
    elif options.command == "draw":
        lines = [json.dumps(form, ensure_ascii=False) for form in draw_forms(options)]
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    else:
        print_rates(list(read_forms(options.forms)))


def draw_forms(options: argparse.Namespace) -> Iterator[Form]:
    """Yield the forms of all drafts, those of one codebase behind one another."""
    places = iter(options.drafts_and_repos)
    for draft, repo in zip(places, places, strict=True):
        labels = goldwright.open_dataset(draft).labels
        chance = random.Random(f"{options.seed} {repo.name}")
        with tempfile.TemporaryDirectory() as workspace:
            snapshot = goldwright.open_snapshot(repo, allow_dirty=True, workspace=workspace)
            for label in spread(labels, options.per, chance):
                yield form_of(label, repo.name, snapshot)


def spread(
    labels: Iterable[GoldenLabel], count: int, chance: random.Random
) -> Iterator[GoldenLabel]:
    """Yield records from as many cells as there are, one of each before a second of any."""
    cells: dict[tuple[str, str], list[GoldenLabel]] = defaultdict(list)
    for label in labels:
        cells[label.task_type, label.difficulty].append(label)
    rounds: list[list[GoldenLabel]] = []
    for cell in sorted(cells):
        chance.shuffle(cells[cell])
        for number, label in enumerate(cells[cell]):
            if number == len(rounds):
                rounds.append([])
            rounds[number].append(label)
    for labels_of_round in rounds:
        chance.shuffle(labels_of_round)
    drawn = [label for labels_of_round in rounds for label in labels_of_round]
    yield from drawn[:count]


def form_of(label: GoldenLabel, codebase: str, snapshot: Snapshot) -> Form:
    """Put a record, the source behind it and empty marks into one form."""
    return {
        "codebase": codebase,
        "query_id": label.query_id,
        "cell": f"{label.task_type}/{label.difficulty}",
        "query": label.query_text,
        "entities": [
            {"id": entity.entity_id, "role": entity.role, "why": entity.rationale}
            for entity in label.expected_entities
        ],
        "source": [source_of(lines, snapshot) for lines in label.expected_line_ranges],
        "facts": [
            {"text": fact, "lines": list(cited(f"fact-{n}", label)), **dict.fromkeys(FACT_MARKS)}
            for n, fact in enumerate(label.must_mention_facts, start=1)
        ],
        "must_nots": [
            {"text": fact, **dict.fromkeys(FALSEHOOD_MARKS)}
            for fact in label.must_not_mention_facts
        ],
        "text": label.canonical_narrative,
        "marks": dict.fromkeys(MARKS),
    }


def source_of(lines: FileRange, snapshot: Snapshot) -> str:
    """Show lines of a file with their numbers."""
    last = min(lines.end, lines.start + MOST_LINES - 1)
    shown = snapshot.source(lines.file).lines[lines.start - 1 : last]
    numbered = [f"{number}  {text}" for number, text in enumerate(shown, start=lines.start)]
    return "\n".join([lines.file, *numbered])


def cited(claim_id: str, label: GoldenLabel) -> Iterator[str]:
    """Yield the places that a fact cites."""
    for citation in label.fact_citations:
        if citation.claim_id == claim_id:
            yield f"{citation.file}:{citation.start}-{citation.end}"


def read_forms(paths: Iterable[Path]) -> Iterator[Form]:
    """Yield the forms of several files.

    Raises:
        SystemExit: A mark is missing.
    """
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            form = json.loads(line)
            marks = [form["marks"], *form["facts"], *form["must_nots"]]
            if any(None in mark.values() for mark in marks):
                sys.exit(f"{path}:{number}: {form['query_id']} is not marked whole")
            yield form


def print_rates(forms: Sequence[Form]) -> None:
    """Print the rates of each codebase and of all."""
    codebases = list(dict.fromkeys(form["codebase"] for form in forms))
    for codebase in (*codebases, None):
        chosen = [form for form in forms if codebase in (None, form["codebase"])]
        print(f"\n{codebase or 'all'}: {len(chosen)} records")
        for name, marks in observations(chosen).items():
            low, high = wilson(sum(marks), len(marks))
            share = sum(marks) / len(marks) if marks else 0.0
            print(f"  {name:<44}{share:>6.0%}  [{low:.0%}, {high:.0%}]  of {len(marks)}")


def observations(forms: Sequence[Form]) -> Mapping[str, list[bool]]:
    """List for each rate what holds of every record, fact or false fact."""
    marks = [form["marks"] for form in forms]
    facts = [fact for form in forms for fact in form["facts"]]
    must_nots = [fact for form in forms for fact in form["must_nots"]]
    return {
        "wholly good": [is_wholly_good(form) for form in forms],
        "question as a developer would ask it": [mark["natural"] == 2 for mark in marks],
        "expected set is THE answer": [mark["answer"] == 2 for mark in marks],
        "facts answer fully": [mark["settled"] == 2 for mark in marks],
        "facts do not answer at all": [mark["settled"] == 0 for mark in marks],
        "narrative reads well": [mark["narrative"] == 2 for mark in marks],
        "narrative fails": [mark["narrative"] == 0 for mark in marks],
        "as difficult as it says": [bool(mark["tier"]) for mark in marks],
        "fact true": [bool(fact["true"]) for fact in facts],
        "fact needed": [bool(fact["needed"]) for fact in facts],
        "fact vacuous": [bool(fact["vacuous"]) for fact in facts],
        "must-not really false": [bool(fact["false"]) for fact in must_nots],
        "must-not tempting": [bool(fact["tempting"]) for fact in must_nots],
    }


def is_wholly_good(form: Form) -> bool:
    """Natural, an unambiguous set, facts that answer at least in part, a readable narrative."""
    marks = form["marks"]
    is_good = bool(marks["natural"] == 2 and marks["answer"] == 2)
    return is_good and bool(marks["settled"] >= 1 and marks["narrative"] >= 1)


if __name__ == "__main__":
    main(sys.argv[1:])
