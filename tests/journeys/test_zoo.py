"""What the zoo holds, in the bounded share that every change is tried on.

All of it: ``make campaign-zoo``, ``make campaign-fuzz`` and ``make campaign-faults``.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from benchmarks.disk_faults import Reference, all_faults, make_reference, try_all
from benchmarks.fuzzing import mutant_batches, program_batches, try_batch
from effort import share_of
from journeys.conftest import Command
from journeys.sample_code import LENDING, SHOP, write_code
from journeys.sharing import make_once
from zoo.catalog import SECTIONS, SPECIMENS
from zoo.specimen import Place, Specimen

CAMPAIGN = Path(__file__).parents[1] / "benchmarks" / "zoo_campaign.py"
PROGRAM = CAMPAIGN.parents[2] / "pipeline"
SEED = 1
# What takes longer than all the others together has a run of its own in the campaign.
LARGEST_FILE = 60_000


def _small_odd_files(tmp_path: Path) -> dict[str, tuple[Specimen, bytes]]:
    """The odd files of all specimens that are one small file, each under the specimen's name."""
    files: dict[str, tuple[Specimen, bytes]] = {}
    for section in ("depths", "texts", "syntax"):
        for specimen in SECTIONS[section]:
            path = next(iter((*specimen.unparsed, *specimen.parsed)), "shop/odd.py")
            place = Place(tmp_path / specimen.name)
            place.desk.mkdir(parents=True)
            specimen.make(place)
            odd = place.code / path
            if odd.exists() and odd.stat().st_size <= LARGEST_FILE:
                name = specimen.name.replace("-", "_")
                files[f"zoo/{name}{odd.suffix}"] = (specimen, odd.read_bytes())
    return files


def test_no_odd_file_stops_a_run_over_all_of_them(
    goldwright: Command, workplace: Path, tmp_path: Path
) -> None:
    """What can be read is, what cannot stands under ``unparsed``; honest code is asked about."""
    odd_files = _small_odd_files(tmp_path / "made")
    root = write_code(tmp_path / "code", SHOP)
    (root / "zoo").mkdir()
    for path, (_, data) in odd_files.items():
        (root / path).write_bytes(data)
    done = goldwright("run", "smoke", "--repo", root)
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stderr
    (manifest,) = (workplace / "runs").glob("*/run.json")
    unparsed = set(json.loads(manifest.read_bytes())["unparsed"])
    assert {path for path, (each, _) in odd_files.items() if each.unparsed} <= unparsed
    assert not {path for path, (each, _) in odd_files.items() if each.parsed} & unparsed


def test_a_share_of_the_zoo_ends_as_wanted() -> None:
    """Exit codes, one line for an error, no traceback, no raw escapes, and nothing left behind."""
    paths = [str(CAMPAIGN.parents[1]), os.environ.get("PYTHONPATH", "")]
    count = share_of(len(SPECIMENS), suite=1)
    # A copy of the program would be compiled anew.
    command = [sys.executable, str(CAMPAIGN), "--source", str(PROGRAM)]
    done = subprocess.run(
        [*command, "--sample", str(count), "--seed", str(SEED), "--workers", "1"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_mutants_and_generated_programs_lose_no_run() -> None:
    """No run is lost, and no record is about a file that nobody can read."""
    corpus = [text.encode() for text in (*SHOP.values(), *LENDING.values())]
    mutants, programs = share_of(80, suite=20), share_of(20, suite=5)
    batches = [
        *mutant_batches(corpus, mutants, mutants, SEED),
        *program_batches(programs, programs, SEED),
    ]
    files = {path: data for _, batch in batches for path, data in batch.items()}
    assert try_batch(files).problems == ()


@pytest.fixture(scope="module")
def undisturbed(shared: Path) -> tuple[Path, Reference]:
    """A small run that was left alone, and the code that it is about."""
    base = make_once(shared / "disk-faults", lambda _: None)
    code = write_code(base / "code", SHOP)
    return code, make_reference(base, code)


def test_a_disk_that_fails_once_costs_nothing_but_a_resume(
    tmp_path: Path, undisturbed: tuple[Path, Reference]
) -> None:
    """The right exit code each time, and after it the same stage files as without a fault."""
    code, reference = undisturbed
    faults = list(all_faults(reference.counts))
    sample = Random(SEED).sample(faults, share_of(len(faults), suite=2))
    result = try_all(tmp_path, code, reference, sample)
    assert (result.trials, result.problems) == (len(sample), [])
