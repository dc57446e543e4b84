"""What can be said to ``goldwright convert`` and what cannot, and what it answers."""

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from goldwright.app.datasets.convert import Conversion, ConvertRequest, convert_dataset
from goldwright.app.environment import Environment
from goldwright.canonical import digest_bytes
from goldwright.cli.convert import command
from goldwright.engine.clock import SystemClock
from goldwright.errors import InputError, QualityGateError
from goldwright.golden.labels import dataset_bytes
from goldwright.golden.loading import metadata_path
from goldwright.interchange.catalog import FORMATS
from goldwright.interchange.reading import read_file
from units.golden.test_differences import METADATA
from units.interchange.datasets import HOLD, RAIL

SOURCES = {
    "door.py": """class Door:
    @late
    def hold(self):
        return bend()

    sound = 'creak'
""",
    "hinge.py": """if True:
    def bend():
        pass
else:
    def bend():
        return 1
""",
}

USAGE = [
    ([], "wanted either --to FORMAT or --from FORMAT"),
    (["--to", "trec", "--from", "trec"], "wanted either --to FORMAT or --from FORMAT"),
    (["--to", "trec", "--rev", "HEAD"], "--rev and --allow-dirty go with --repo"),
    (["--from", "trec", "--repo", "."], "--repo, --rev and --allow-dirty go with --to"),
    (["--to", "csv"], "'csv' is not one of"),
]


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """A dataset of two records."""
    path = tmp_path / "dataset.json"
    path.write_bytes(dataset_bytes([HOLD, RAIL]))
    return path


@pytest.mark.parametrize(
    ("arguments", "words"), USAGE, ids=lambda one: " ".join(one) if isinstance(one, list) else ""
)
def test_options_that_contradict_each_other_are_refused(
    dataset: Path, arguments: list[str], words: str
) -> None:
    out = dataset.with_name("out")
    done = CliRunner().invoke(command, [str(dataset), *arguments, "--out", str(out)])
    assert (done.exit_code, out.exists()) == (2, False)
    assert words in done.output


def test_the_report_names_losses_by_the_number_of_records(
    dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    done = CliRunner().invoke(
        command, [str(dataset), "--to", "vaultmind", "--out", str(dataset.with_name("out"))]
    )
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert lines[0].endswith("out: 2 records as vaultmind, a YAML list of {name, text, expected}")
    assert lines[2] == "lost, for vaultmind has no place for it:"
    assert lines[3].startswith("     2 of 2 records: task_type, difficulty, ")
    # What does not fit stands under what does, and not under the count.
    assert lines[4].startswith(" " * len("     2 of 2 records: "))
    assert "     1 of 2 records: alternatives, cited_text" in lines
    assert all(len(line) <= 100 for line in lines[2:])


@pytest.mark.parametrize(
    "name", [one.name for one in FORMATS if one.carries_record and not one.holds_corpus]
)
def test_records_that_carry_themselves_come_back_in_the_same_bytes(
    dataset: Path, name: str
) -> None:
    out, back = dataset.with_name("out"), dataset.with_name("back.json")
    assert (
        CliRunner().invoke(command, [str(dataset), "--to", name, "--out", str(out)]).exit_code == 0
    )
    done = CliRunner().invoke(command, [str(out), "--from", name, "--out", str(back), "--json"])
    assert (json.loads(done.output)["whole"], back.read_bytes()) == (2, dataset.read_bytes())


def test_a_record_that_was_stripped_comes_back_in_part_beside_the_whole_ones(dataset: Path) -> None:
    out, back = dataset.with_name("out"), dataset.with_name("back.json")
    CliRunner().invoke(command, [str(dataset), "--to", "inspect_ai", "--out", str(out)])
    out.write_text(out.read_text().replace('"record"', '"left"', 1))
    done = CliRunner().invoke(command, [str(out), "--from", "inspect_ai", "--out", str(back)])
    assert "2 records from inspect_ai, 1 of them in full" in done.output
    assert json.loads(back.read_bytes()) == [
        {
            "query_id": "q1",
            "query_text": HOLD.query_text,
            "expected_entities": list(HOLD.entity_ids),
        },
        RAIL.model_dump(mode="json"),
    ]


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """The codebase that HOLD is about."""
    root = tmp_path / "code"
    root.mkdir()
    for name, text in SOURCES.items():
        (root / name).write_text(text)
    return root


def converted(dataset: Path, to: str, code: Path | None) -> Conversion:
    root = dataset.parent
    environment = Environment(
        root, {"GOLDWRIGHT_CACHE": str(root / "cache")}, root, SystemClock(), Random(1)
    )
    return convert_dataset(ConvertRequest(str(dataset), to, root / "set", code), environment)


def test_every_entity_is_a_document_with_all_of_its_lines(dataset: Path, code: Path) -> None:
    dataset.write_bytes(dataset_bytes([HOLD]))
    assert converted(dataset, "beir", code).documents == 4
    rows = map(json.loads, (dataset.parent / "set/corpus.jsonl").read_text().splitlines())
    assert {(row["_id"], row["title"]): row["text"] for row in rows} == {
        ("door.py::Door", "Door"): SOURCES["door.py"].rstrip("\n"),
        (
            "door.py::Door.hold",
            "Door.hold",
        ): "    @late\n    def hold(self):\n        return bend()",
        ("door.py::Door.sound", "Door.sound"): "    sound = 'creak'",
        (
            "hinge.py::bend",
            "bend",
        ): "    def bend():\n        pass\n    def bend():\n        return 1",
    }


def test_a_corpus_wants_a_codebase(dataset: Path) -> None:
    with pytest.raises(
        InputError, match="beir holds the codebase beside the queries: name it with --repo DIR"
    ):
        converted(dataset, "beir", None)


def test_another_codebase_is_refused_and_nothing_is_written(dataset: Path, code: Path) -> None:
    with pytest.raises(InputError, match=r"q2 expects my files/rail\.py::bend, which is no entity"):
        converted(dataset, "mteb", code)
    assert not (dataset.parent / "set").exists()


def test_cited_files_that_have_changed_are_refused(dataset: Path, code: Path) -> None:
    dataset.write_bytes(dataset_bytes([HOLD]))
    known = {
        "dataset_sha256": digest_bytes(dataset.read_bytes()),
        "source_file_hashes": {"door.py": digest_bytes(SOURCES["door.py"].encode())},
    }
    metadata_path(dataset).write_text(METADATA.model_copy(update=known).model_dump_json())
    assert converted(dataset, "trec", code).records == 1
    (dataset.parent / "set").rename(dataset.parent / "before")
    (code / "door.py").write_text(SOURCES["door.py"] + "# changed\n")
    with pytest.raises(
        QualityGateError,
        match=r"1 cited file changed since it was made \(first door\.py\)",
    ):
        converted(dataset, "beir", code)


def test_what_comes_back_in_part_is_a_dataset_that_verify_reads(dataset: Path) -> None:
    out, back = dataset.with_name("out"), dataset.with_name("back.json")
    CliRunner().invoke(command, [str(dataset), "--to", "trec", "--out", str(out)])
    done = CliRunner().invoke(command, [str(out), "--from", "trec", "--out", str(back)])
    assert "2 records from trec, 0 of them in full" in done.output
    found = read_file(back, back.read_bytes())
    assert (found.format, [one.expected_ids for one in found.queries]) == (
        "knowcode",
        [HOLD.entity_ids, RAIL.entity_ids],
    )
