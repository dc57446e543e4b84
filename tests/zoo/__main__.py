"""The zoo at the command line: list it, or make a specimen to try another program on.

python -m zoo list
python -m zoo make NAME DIRECTORY
"""

import argparse
import sys
from pathlib import Path

from zoo.catalog import SECTIONS, SPECIMENS
from zoo.keeping import fill_in
from zoo.specimen import Place


def main() -> int:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(prog="zoo", description="Odd codebases, states and terminals.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list")
    making = commands.add_parser("make")
    making.add_argument("name", choices=SPECIMENS, metavar="NAME")
    making.add_argument("directory", type=Path, metavar="DIRECTORY")
    options = parser.parse_args()
    if options.command == "list":
        return _list()
    return _make(options.name, options.directory)


def _list() -> int:
    for section, specimens in SECTIONS.items():
        print(f"{section} ({len(specimens)})")
        for specimen in specimens:
            print(f"  {specimen.name:<44} {specimen.ending:<12} {specimen.why}")
    print(f"{len(SPECIMENS)} in all")
    return 0


def _make(name: str, directory: Path) -> int:
    specimen = SPECIMENS[name]
    place = Place(directory.resolve())
    place.desk.mkdir(parents=True)
    specimen.make(place)
    print(f"made      {place.root}")
    print(f"why       {specimen.why}")
    print(f"ending    {specimen.ending}")
    print(f"try       goldwright {' '.join(fill_in(word, place) for word in specimen.arguments)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
