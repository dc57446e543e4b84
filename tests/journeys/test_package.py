"""The package as a user gets it: built, installed beside nothing of ours, and used elsewhere."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from journeys.live import PLAN

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is built from the files under version control, and nothing that lies beside them."""
    source = tmp_path_factory.mktemp("source")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.split("\0"):
        # What is taken out and not yet committed is listed still.
        if name and (ROOT / name).is_file():
            target = source / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    assert len(list(out.glob("*.tar.gz"))) == 1
    [path] = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def program(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed command; other packages are those of the tests, ours is the wheel's alone."""
    environment = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    python = environment / "bin/python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True)
    paths = sysconfig.get_paths(vars={"base": str(environment)})
    # A path in such a file is searched last, and the files like it that lie there are not read.
    Path(paths["purelib"], "others.pth").write_text(sysconfig.get_paths()["purelib"])
    return environment / "bin/goldwright"


def test_the_wheel_holds_the_package_and_what_it_reads(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    shipped = {name for name in names if name.startswith("goldwright/_shipped/")}
    for kind in ("plans", "prompts"):
        own = {path.name for path in (ROOT / kind).iterdir() if path.suffix in {".json", ".md"}}
        assert own <= {Path(name).name for name in shipped}
    assert {"goldwright/py.typed", "goldwright/__init__.pyi"} <= set(names)
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests/")]


UNPACKED = """
import sys

from goldwright.__main__ import main

print(sys.modules["goldwright"].__file__)
for words in (["init"], ["run", "small.json", "--repo", sys.argv[1]]):
    sys.argv[1:] = words
    try:
        main()
    except SystemExit as end:
        assert end.code in {0, 1, None}, end.code
"""


def test_a_wheel_that_is_unpacked_anywhere_makes_a_run(
    wheel: Path, code: Path, tmp_path: Path
) -> None:
    """Its prompts and plans are found in it, and none of its modules is missing."""
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
        (entry_points,) = (
            name for name in archive.namelist() if name.endswith("/entry_points.txt")
        )
        assert "goldwright = goldwright.__main__:main" in archive.read(entry_points).decode()
    (tmp_path / "small.json").write_text(PLAN)
    done = subprocess.run(
        [sys.executable, "-c", UNPACKED, code],
        cwd=tmp_path,
        env={
            **os.environ,
            "HOME": str(tmp_path),
            "PYTHONPATH": str(unpacked),
            "GOLDWRIGHT_CACHE": str(tmp_path / "cache"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.splitlines()[0]).is_relative_to(unpacked)
    assert "records selected" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.thorough
def test_an_installed_goldwright_works_anywhere(program: Path, code: Path, tmp_path: Path) -> None:
    """From the first run to a score, without the checkout and without its environment."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    variables |= {"HOME": str(tmp_path), "GOLDWRIGHT_CACHE": str(tmp_path / "cache")}

    def goldwright(*words: str) -> str:
        done = subprocess.run(
            [program, *words],
            cwd=tmp_path,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )
        # The small package does not fill every cell, which is said with 1.
        assert done.returncode in {0, 1}, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout + done.stderr

    goldwright("init")
    assert "records selected" in goldwright("run", "smoke", "--repo", str(code))
    goldwright("export", "latest", "--version", "1.0", "--draft")
    assert "MRR" in goldwright("eval", "latest", "--repo", str(code), "--retriever", "bm25")
    where = [
        str(program.with_name("python")),
        "-c",
        "import goldwright; print(goldwright.__file__)",
    ]
    place = subprocess.run(
        where, cwd=tmp_path, env=variables, capture_output=True, text=True, check=True
    )
    assert Path(place.stdout.strip()).is_relative_to(program.parents[1])
