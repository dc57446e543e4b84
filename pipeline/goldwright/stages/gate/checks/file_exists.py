"""Every expected file is a text file of the tree."""

from collections.abc import Iterator

from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.mentions.path_lookup import path_lookup_of
from goldwright.stages.gate.check_protocol import CheckFinding, GateCase
from goldwright.stages.gate.examples import BASKET, README, example


class FileExists:
    """Paths are exact: POSIX, relative to the root, without ``./``."""

    code = "file_exists"

    def passing_examples(self) -> Iterator[GateCase]:
        """Yield answers whose files exist; a file need not be code."""
        yield example()
        yield example(expected_files=(BASKET, README))

    def failing_examples(self) -> Iterator[GateCase]:
        """Yield answers with a path that is invented, inexact or no file."""
        yield example(expected_files=(BASKET, "shop/stock.py"))
        yield example(expected_files=("basket.py",))
        yield example(expected_files=(f"./{BASKET}",))
        yield example(expected_files=("shop\\basket.py",))
        yield example(expected_files=("shop",))
        yield example(expected_files=("",))

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the files that the tree does not hold as text."""
        for number, path in enumerate(case.answer.expected_files, start=1):
            if not case.codebase.has_text(path):
                message = absence(path, case.codebase)
                yield CheckFinding(f"file-{number}", message)


def absence(path: str, codebase: Codebase) -> str:
    """Say why a path is no readable file, and which file was probably meant."""
    entry = codebase.files.get(path)
    if entry is not None:
        return f"{path!r} is no text file of the tree but {entry.kind}"
    posix_path = path.replace("\\", "/").removeprefix("./")
    similar_paths = sorted(path_lookup_of(codebase).paths(posix_path))
    problem = f"no file {path!r} in the tree"
    # Directories end in a slash here; they are no help to somebody who looks for a file.
    similar_files = [candidate for candidate in similar_paths if not candidate.endswith("/")]
    if similar_files:
        return f"{problem}; {similar_files[0]} is"
    return problem
