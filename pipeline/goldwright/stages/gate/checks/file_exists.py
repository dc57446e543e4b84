"""Every expected file is a text file of the tree."""

from collections.abc import Iterator

from goldwright.snapshot.codebase import Codebase
from goldwright.snapshot.path_lookup import path_lookup_of
from goldwright.stages.gate.check import CheckFinding, GateCase
from goldwright.stages.gate.examples import BASKET, README, example


class FileExists:
    """Paths are exact: POSIX, relative to the root, without ``./``."""

    code = "file_exists"
    passes = (example(), example(expected_files=(BASKET, README)))
    fails = (
        example(expected_files=(BASKET, "shop/stock.py")),
        example(expected_files=("basket.py",)),
        example(expected_files=(f"./{BASKET}",)),
        example(expected_files=("shop\\basket.py",)),
        example(expected_files=("shop",)),
        example(expected_files=("",)),
    )

    def inspect(self, case: GateCase) -> Iterator[CheckFinding]:
        """Yield the files that the tree does not hold as text."""
        for number, path in enumerate(case.answer.expected_files, start=1):
            if not case.codebase.has_text(path):
                yield CheckFinding(f"file-{number}", absence(path, case.codebase))


def absence(path: str, codebase: Codebase) -> str:
    """Say why a path is no readable file, and which file was probably meant."""
    entry = codebase.files.get(path)
    if entry is not None:
        return f"{path!r} is no text file of the tree but {entry.kind}"
    posix_path = path.replace("\\", "/").removeprefix("./")
    similar_paths = sorted(path_lookup_of(codebase).paths(posix_path))
    # Directories end in a slash here; they are no help to somebody who looks for a file.
    files = [similar_path for similar_path in similar_paths if not similar_path.endswith("/")]
    advice = f"; {files[0]} is" if files else ""
    return f"no file {path!r} in the tree{advice}"
