"""The tools of others read what we wrote, and measure what we measure."""

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest
import pytrec_eval
import yaml

from deferred import DeferredModule
from goldwright.evaluation.measures import find_measures, judge_ranking
from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.queries import query_of
from goldwright.interchange.catalog import BY_NAME
from goldwright.interchange.format import Dataset
from goldwright.records import ExpectedEntity, GoldenLabel
from units.golden.test_differences import METADATA
from units.interchange.datasets import DOCUMENTS, HOLD, RAIL, of

# It brings pandas and networkx along.
MLCROISSANT = DeferredModule("mlcroissant")
NAMES = {
    "MRR": "recip_rank",
    "nDCG@10": "ndcg_cut_10",
    "R@10": "recall_10",
    "P@5": "P_5",
    "Hit@5": "success_5",
}


def label(chance: Random, number: int, *, copies: bool) -> GoldenLabel:
    """A record that expects some of thirty entities, which have copies or none."""
    expected = chance.sample(range(30), chance.randint(1, 8))
    entities = tuple(
        ExpectedEntity(entity_id=f"a.py::f{one}", role="primary", rationale="") for one in expected
    )
    twins = {
        f"a.py::f{one}": (f"copy of a.py::f{one}",)
        for one in expected
        if copies and chance.random() < 0.7
    }
    return HOLD.model_copy(
        update={
            "query_id": f"q {number}",
            "expected_entities": entities,
            "alternatives": twins,
            "expected_files": ("a.py",),
        }
    )


@pytest.mark.parametrize("copies", [False, True], ids=["without copies", "with copies"])
def test_trec_eval_measures_what_we_do_and_never_more_where_there_are_copies(
    tmp_path: Path, copies: bool
) -> None:
    """Equal to nine decimal places without alternatives; with them what is measured elsewhere is a
    lower bound.
    """
    chance = Random(7)
    labels = tuple(label(chance, number, copies=copies) for number in range(60))
    BY_NAME["trec"].write(of(*labels), tmp_path / "out")
    with (tmp_path / "out/qrels.txt").open() as file:
        qrels = pytrec_eval.parse_qrel(file)
    known = [f"{kind}a.py::f{number}" for number in range(30) for kind in ("", "copy of ")]
    ranked = {one.query_id: chance.sample(known, 20) for one in labels}
    run = {
        query.replace(" ", "%20"): {
            name.replace(" ", "%20"): 100.0 - place for place, name in enumerate(found)
        }
        for query, found in ranked.items()
    }
    told = pytrec_eval.RelevanceEvaluator(qrels, set(NAMES.values())).evaluate(run)
    lower = 0
    for one in labels:
        judged = judge_ranking(query_of(one), ranked[one.query_id])
        for name, measure in find_measures(list(NAMES)).items():
            theirs = told[one.query_id.replace(" ", "%20")][NAMES[name]]
            assert theirs <= measure.compute(judged) + 1e-9
            lower += theirs < measure.compute(judged) - 1e-9
    assert (lower > 0) == copies


@pytest.fixture
def hub(tmp_path: Path) -> Path:
    """A folder as for the Hub."""
    metadata = METADATA.model_copy(
        update={"known_limits": ("Not <b>all</b> of it.",), "human_reviewers": ("Ada", "Bo")}
    )
    BY_NAME["mteb"].write(
        Dataset("golden_v1.0", "sha256:0", (HOLD, RAIL), metadata, DOCUMENTS), tmp_path / "hub"
    )
    return tmp_path / "hub"


def test_pyarrow_reads_the_tables(hub: Path) -> None:
    tables = {one.parent.name: pq.read_table(one) for one in hub.rglob("*.parquet")}
    assert tables["qrels"].to_pylist() == [
        {"query-id": "q1", "corpus-id": "door.py::Door.hold", "score": 1},
        {"query-id": "q1", "corpus-id": "hinge.py::bend", "score": 1},
        {"query-id": "q2", "corpus-id": "my files/rail.py::bend", "score": 1},
    ]
    assert tables["corpus"].to_pylist()[0] == {
        "id": "door.py::Door.hold",
        "title": "Door.hold",
        "text": "def hold(self):\n    return '“open”'",
    }
    queries = tables["queries"].to_pylist()
    assert [(one["id"], one["text"]) for one in queries] == [
        ("q1", HOLD.query_text),
        ("q2", RAIL.query_text),
    ]
    assert (
        json.loads(queries[1]["metadata"])["record"]["alternatives"]
        == RAIL.model_dump(mode="json")["alternatives"]
    )


def test_the_card_names_every_table_with_the_types_that_it_has(hub: Path) -> None:
    header: Any = yaml.safe_load((hub / "README.md").read_text().split("---\n")[1])
    features = {one["config_name"]: one["features"] for one in header["dataset_info"]}
    assert [one["config_name"] for one in header["configs"]] == ["corpus", "queries", "default"]
    for config in header["configs"]:
        (files,) = config["data_files"]
        (path,) = hub.glob(files["path"])
        schema = pq.read_schema(path)
        assert config["description"] == "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()
        assert features[config["config_name"]] == [
            {"name": one.name, "dtype": str(one.type)} for one in schema
        ]


def test_the_card_shows_text_and_no_markup(hub: Path) -> None:
    text = (hub / "README.md").read_text()
    assert "- Not &lt;b>all&lt;/b> of it." in text
    assert "Ada" not in text


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_mlcroissant_finds_nothing_wrong_and_reads_every_row(hub: Path) -> None:
    """It recommends a license, a citation and a date, which are not ours to make up."""
    read = MLCROISSANT.Dataset(hub / "croissant.json")
    assert read.metadata.ctx.issues.errors == set()
    quoted = [text.rsplit('"', 2)[1] for text in read.metadata.ctx.issues.warnings]
    properties = {address.rpartition("/")[2] for address in quoted}
    assert properties == {"citeAs", "datePublished", "license"}
    assert {one.id: sum(1 for _ in read.records(one.id)) for one in read.metadata.record_sets} == {
        "corpus": 3, "queries": 2, "qrels": 3,
    }  # fmt: skip
    assert read.metadata.version == "1.0.0"
    assert read.metadata.data_limitations == ["Not <b>all</b> of it."]
    assert read.metadata.annotations_per_item == "2 people for each record of the sample"


def test_croissant_has_the_hash_of_every_table(hub: Path) -> None:
    described = json.loads((hub / "croissant.json").read_text())
    assert len(described["distribution"]) == 3
    for one in described["distribution"]:
        assert one["sha256"] == hashlib.sha256((hub / one["contentUrl"]).read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("metadata", "version"),
    [
        (None, "0.0.0"),
        (METADATA, "1.0.0"),
        (
            METADATA.model_copy(update={"dataset_status": "agent_curated_pending_human_review"}),
            "1.0.0-draft",
        ),
    ],
)
def test_the_version_has_three_numbers_and_a_draft_says_so(
    tmp_path: Path, metadata: DatasetMetadata | None, version: str
) -> None:
    BY_NAME["mteb"].write(
        Dataset("golden_v1.0", "sha256:0", (HOLD,), metadata, DOCUMENTS), tmp_path / "hub"
    )
    assert json.loads((tmp_path / "hub/croissant.json").read_text())["version"] == version


def test_promptfoo_is_given_texts_that_render_to_what_was_meant(tmp_path: Path) -> None:
    """Checked against promptfoo 0.121 itself: it renders variables, and opens a file where one
    starts with file://.
    """
    hostile = HOLD.model_copy(update={"query_text": "file://{% x %} {# c #} {{ y }}"})
    BY_NAME["promptfoo"].write(of(hostile), tmp_path / "out.jsonl")
    (row,) = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    assert row["vars"]["query"] == (
        "{{ 'f' }}ile://{{ '{' }}% x %} {{ '{' }}# c {{ '#' }}} {{ '{' }}{ y }}"
    )
    assert {type(one) for one in row["vars"].values()} == {str}
