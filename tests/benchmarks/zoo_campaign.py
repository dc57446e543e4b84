"""Every specimen of the zoo against the program: how each run ends, and what is wrong with it.

Use: ``python tests/benchmarks/zoo_campaign.py [--only WORD ...] [--section NAME] [--workers 2]``.
Each specimen is made in a directory of its own, the program is started on it as a process, and then
once more to be killed half-way, so that what it leaves behind shows. ``--keep DIR`` keeps what
failed.
"""

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.kill_campaign import freeze_program
from zoo.catalog import SECTIONS, SPECIMENS
from zoo.judging import faults
from zoo.keeping import LONGEST_SECONDS, Ended, adopt_orphans, run_on
from zoo.run_records import files_of_records
from zoo.specimen import Place, Specimen

COMMAND = (sys.executable, "-m", "goldwright")
SECTION_OF = {
    specimen.name: section for section, specimens in SECTIONS.items() for specimen in specimens
}


@dataclass(frozen=True)
class Score:
    """What became of one specimen.

    Attributes:
        name: The specimen.
        exit_code: How the program ended.
        seconds: What it took of processors.
        problems: What is wrong; nothing where all is well.
        line: The last line on standard error.
    """

    name: str
    exit_code: int | None
    seconds: float
    problems: tuple[str, ...]
    line: str


def main() -> int:
    """Run the campaign that the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", nargs="*", default=[], metavar="WORD")
    parser.add_argument("--section", nargs="*", default=[], choices=SECTIONS)
    parser.add_argument("--sample", type=int, metavar="N", help="specimens, drawn by the seed")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--no-kills", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--longest", type=float, default=LONGEST_SECONDS, metavar="SECONDS")
    parser.add_argument("--source", type=Path, help="of the program; a copy of this one")
    options = parser.parse_args()
    chosen = list(_chosen(options.only, options.section))
    if options.sample:
        chosen = draw(chosen, options.sample, Random(options.seed))
    with tempfile.TemporaryDirectory(prefix="zoo-", ignore_cleanup_errors=True) as directory:
        source = options.source or freeze_program(Path(directory) / "program")
        os.environ["ZOO_TEMPLATES"] = directory
        os.environ["PYTHONPATH"] = str(source.resolve())
        seed = None if options.no_kills else options.seed
        jobs = [
            Job(name, Path(directory), source.resolve(), options.keep, seed, options.longest)
            for name in chosen
        ]
        begun = time.monotonic()
        # Processes of their own, so that each can adopt what its program leaves behind.
        with multiprocessing.get_context("spawn").Pool(options.workers, adopt_orphans) as pool:
            scores = []
            for score in pool.imap(visit, jobs):
                print(_row(score), flush=True)
                scores.append(score)
    return _conclude(scores, time.monotonic() - begun)


@dataclass(frozen=True)
class Job:
    """One specimen to be tried, where, and the seed of the moment of its kill if it is killed."""

    name: str
    directory: Path
    source: Path
    keep: Path | None
    seed: int | None
    longest: float


def visit(job: Job) -> Score:
    """Try the program on one specimen."""
    specimen = SPECIMENS[job.name]
    if specimen.needs_root and os.geteuid() != 0:
        return Score(job.name, None, 0.0, (), "skipped: only root can make it")
    place = Place(job.directory / job.name)
    place.desk.mkdir(parents=True)
    try:
        specimen.make(place)
        ended = _run(job, place)
        problems = [*faults(specimen, ended), *faults_of_run(specimen, place)]
        if job.seed is not None:
            problems += _killed(job, place, ended, Random(f"{job.seed} {job.name}"))
    except Exception as error:  # noqa: BLE001  # one specimen that cannot be made stops no campaign
        problem = f"could not be tried: {error!r:.300}"
        return Score(job.name, None, 0.0, (problem,), "")
    line = ended.errors.strip().rpartition("\n")[2]
    if problems and job.keep:
        (place.root / "errors.txt").write_text(ended.errors)
        # As it is: pipes, holes and links, too.
        subprocess.run(["cp", "-a", place.root, job.keep], check=False, capture_output=True)
    _remove(place.root)
    return Score(job.name, ended.exit_code, ended.cpu_seconds, tuple(problems), line)


def faults_of_run(specimen: Specimen, place: Place) -> Iterator[str]:
    """Say what is wrong with the run that was written."""
    for manifest in place.desk.glob("runs/*/run.json"):
        if not (specimen.unparsed or specimen.parsed):
            return
        unparsed = json.loads(manifest.read_bytes()).get("unparsed")
        if unparsed is None:
            yield "run.json lists no unparsed files"
            return
        # Either a map of paths to reasons, or a list of objects with a path.
        paths = {file["path"] if isinstance(file, dict) else file for file in unparsed}
        yield from (f"{path} is not unparsed" for path in specimen.unparsed if path not in paths)
        yield from (f"{path} is unparsed" for path in specimen.parsed if path in paths)
        yield from _faults_of_records(manifest.parent, paths)


def _faults_of_records(run: Path, unparsed: set[str]) -> Iterator[str]:
    for query, files in files_of_records(run).items():
        for path in sorted(unparsed & files):
            yield f"{query} is about {path}, which was not read"


def _run(job: Job, place: Place, kill_after: float | None = None) -> Ended:
    variables = {
        **os.environ,
        "PYTHONPATH": str(job.source),
        "GOLDWRIGHT_CACHE": str(place.cache),
        "HOME": str(place.root),
    }
    return run_on(
        SPECIMENS[job.name],
        place,
        COMMAND,
        variables=variables,
        kill_after=kill_after,
        longest=job.longest,
    )


def _killed(job: Job, place: Place, ended: Ended, rng: Random) -> Iterator[str]:
    """Kill a second run of the same half-way."""
    for path in (place.cache, place.desk / "runs"):
        if path.is_dir() and not path.is_symlink() and not SPECIMENS[job.name].is_own:
            _remove(path)
    moment = rng.uniform(0.1, 0.9) * ended.seconds
    killed = _run(job, place, kill_after=max(moment, 0.05))
    for orphan in killed.orphans:
        yield f"killed after {moment:.1f} s, still runs: {orphan}"


def _remove(path: Path) -> None:
    # Unlike Python it takes away what is deeper than a recursion, and longer than a path.
    subprocess.run(["rm", "-rf", path], check=False)


def draw(names: Sequence[str], count: int, rng: Random) -> list[str]:
    """Draw specimens, from each section in turn, so that a few of them show the most."""
    drawn = list(names)
    rng.shuffle(drawn)
    ranks: Counter[str] = Counter()
    keys = {}
    for name in drawn:
        section = SECTION_OF[name]
        keys[name] = ranks[section]
        ranks[section] += 1
    return sorted(drawn, key=keys.__getitem__)[:count]


def _chosen(words: Sequence[str], sections: Sequence[str]) -> Iterator[str]:
    for section, specimens in SECTIONS.items():
        for specimen in specimens:
            is_wanted = not words or any(word in specimen.name for word in words)
            if is_wanted and (not sections or section in sections):
                yield specimen.name


def _row(score: Score) -> str:
    code = "-" if score.exit_code is None else str(score.exit_code)
    verdict = "ok" if not score.problems else "FAIL " + "; ".join(score.problems)
    line = f"  [{score.line[:160]}]" if score.problems else ""
    return f"{score.name:<44} {code:>4} {score.seconds:6.1f} s  {verdict}{line}"


def _conclude(scores: Sequence[Score], seconds: float) -> int:
    wrong = [score for score in scores if score.problems]
    slowest = max(scores, key=lambda score: score.seconds)
    print(f"{len(scores) - len(wrong)} of {len(scores)} specimens end as wanted ({seconds:.0f} s)")
    print(f"the slowest: {slowest.name}, {slowest.seconds:.1f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
