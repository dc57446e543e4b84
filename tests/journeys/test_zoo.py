"""What the zoo holds, in the bounded share that every change is tried on.

All of it: ``make campaign-zoo``, ``make campaign-fuzz`` and ``make campaign-faults``.
"""

from pathlib import Path
from random import Random

import pytest

from benchmarks.disk_faults import Reference, all_faults, make_reference, try_all
from benchmarks.fuzzing import mutant_batches, program_batches, try_batch
from effort import share_of
from journeys.sample_code import LENDING, SHOP, write_code
from journeys.sharing import make_once

SEED = 1


def test_mutants_and_generated_programs_lose_no_run() -> None:
    """No run is lost, and no record is about a file that nobody can read."""
    corpus = [text.encode() for text in (*SHOP.values(), *LENDING.values())]
    batches = [*mutant_batches(corpus, 80, 80, SEED), *program_batches(20, 20, SEED)]
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
    sample = Random(SEED).sample(faults, share_of(len(faults), suite=4))
    result = try_all(tmp_path, code, reference, sample)
    assert (result.trials, result.problems) == (len(sample), [])
