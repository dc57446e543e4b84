"""``goldwright show``: records are read with the source that they cite."""

import json
import re
from pathlib import Path

import pytest

from journeys.conftest import Command
from journeys.sample_code import SHOP, write_code
from journeys.workplace import Workplace


def test_a_run_is_listed_and_a_record_is_read_with_its_source(
    goldwright: Command, finished: Workplace
) -> None:
    listed = goldwright("show")
    assert listed.returncode == 0, listed.stderr
    assert listed.stdout.startswith("run ")
    (run,) = (finished.root / "runs").iterdir()
    turned_down = (run / "05_rejected.jsonl").read_text().splitlines()
    assert (f"not listed: {len(turned_down)} question" in listed.stdout) == bool(turned_down)
    (row, *_) = json.loads(goldwright("show", "latest", "--json").stdout)
    assert row["query_id"] in listed.stdout
    read = goldwright("show", "latest", row["query_id"])
    assert read.returncode == 0, read.stderr
    assert "must mention" in read.stdout
    # The newest run is meant where none is named.
    assert goldwright("show", row["query_id"]).stdout == read.stdout
    cited = row["answer"]["expected_line_ranges"][0]
    assert f"\n{cited['start']:>5} > " in read.stdout


def test_a_dataset_shows_its_source_where_the_codebase_is_named(
    goldwright: Command, finished: Workplace
) -> None:
    done = goldwright("export", "latest", "--version", "7.0", "--draft")
    assert done.returncode == 0, done.stderr
    draft = Path(done.stdout.strip())
    (row, *_) = json.loads(goldwright("show", draft, "--json").stdout)
    without = goldwright("show", draft, row["query_id"])
    with_source = goldwright("show", draft, row["query_id"], "--repo", finished.code)
    assert with_source.returncode == 0, with_source.stderr
    assert with_source.stdout.startswith(without.stdout)
    assert " > " in with_source.stdout[len(without.stdout) :]


def test_any_list_can_be_read(goldwright: Command, workplace: Path) -> None:
    (workplace / "mine.csv").write_text("query,expected\nWhere is it?,a.py\n")
    assert "Where is it?" in goldwright("show", "mine.csv").stdout
    assert "  - a.py" in goldwright("show", "mine.csv", "line 2").stdout


def test_a_list_is_shortened_to_what_holds_a_text(goldwright: Command, workplace: Path) -> None:
    (workplace / "mine.csv").write_text("query,expected\nWhere is it?,a.py\nWho calls?,b.py\n")
    shortened = goldwright("show", "mine.csv", "-k", "WHO")
    assert "Who calls?" in shortened.stdout
    assert "Where is it?" not in shortened.stdout
    assert "no record has “nobody”" in goldwright("show", "mine.csv", "-k", "nobody").stdout
    assert goldwright("show", "mine.csv", "line 2", "-k", "who").returncode == 2


def test_a_line_far_down_in_a_cited_class_is_shown_as_well(
    goldwright: Command, workplace: Path
) -> None:
    code = workplace / "code"
    code.mkdir()
    body = "\n".join(f"    number_{number} = {number}" for number in range(200))
    (code / "big.py").write_text(f'"""Numbers."""\n\n\nclass Big:\n{body}\n')
    expected = [{"file": "big.py", "start": 4, "end": 204}]
    expected.append({"file": "big.py", "start": 150, "end": 151})
    expected.append({"file": "big.py", "start": 10, "end": 11})
    row = {"query": "Where are the numbers?", "expected": ["big.py::Big"], "lines": expected}
    (workplace / "mine.json").write_text(json.dumps([row]))
    adopted = goldwright("adopt", "mine.json", "--repo", code)
    assert adopted.returncode == 0, adopted.stderr
    draft = Path(adopted.stdout.strip())
    (record,) = json.loads(draft.read_text())
    record["expected_line_ranges"] = expected
    record["source_evidence"] = []
    draft.write_text(json.dumps([record]))
    draft.with_name("golden_v1.0.draft.meta.json").unlink()
    shown = goldwright("show", draft, record["query_id"], "--repo", code)
    assert shown.returncode == 0, shown.stderr
    assert "… > cited up to line 204" in shown.stdout
    assert "\n  150 > " in shown.stdout
    assert shown.stdout.count("\n   10 > ") == 1


@pytest.mark.usefixtures("finished")
def test_a_record_that_is_not_there_is_told_with_those_that_are(goldwright: Command) -> None:
    done = goldwright("show", "latest", "q_9999")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.search(r"no record of \S+-smoke-\w+; its 15 go from q_00001 to q_00015", done.stderr)


def test_where_there_are_no_datasets_it_is_said_what_to_do(
    goldwright: Command, workplace: Path
) -> None:
    done = goldwright("show", "1.0")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"there is no {workplace / 'golden'}: go where the runs are" in done.stderr


def test_a_newer_run_without_a_question_is_named_and_passed_over(
    goldwright: Command, finished: Workplace, tmp_path: Path
) -> None:
    latest = finished.run.name
    barren = write_code(tmp_path / "barren", {"one.py": "x = 1\n"})
    empty = goldwright("run", "smoke", "--repo", barren)
    assert empty.returncode == 1
    name = empty.stdout.splitlines()[0]
    told = f"latest is {latest}; newer, without a question: {name}"
    for command in ("show", "trace", "spot-check"):
        done = goldwright(command, "latest")
        assert told in done.stderr
        assert name not in done.stdout
    assert told not in goldwright("show", name).stderr
    status = goldwright("status", "latest")
    assert (name in status.stdout, told in status.stderr) == (True, False)


def test_the_next_version_is_one_of_the_same_codebase(
    goldwright: Command, finished: Workplace, tmp_path: Path
) -> None:
    """A draft of another codebase between those of one would be its newest."""
    assert "--version 1.0 --draft" in goldwright("status", "latest").stdout
    other = write_code(tmp_path / "other", SHOP)
    for codebase, version in ((other, "2.0"), (finished.code, "1.1")):
        done = goldwright("run", "smoke", "--repo", codebase, "--seed", "2")
        assert done.returncode in {0, 1}, done.stderr
        assert f"--version {version} --draft" in goldwright("status", "latest").stdout
