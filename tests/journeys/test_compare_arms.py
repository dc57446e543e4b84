"""``goldwright compare`` over arms: one dataset, a manifest, and forms that are mixed."""

import json
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from goldwright.cli.catalog import CommandCatalog

MODULE = """
    def read_config(path):
        '''Read the settings of a file.'''
        return parse(path)


    def parse(text):
        '''Split lines into keys and values.'''
        return dict(line.split("=") for line in text)


    def send_mail(address):
        '''Post a letter to somebody.'''
        return address
"""
CASES = (
    ("where are settings read", "read_config"),
    ("splitting keys and values", "parse"),
    ("posting a letter", "send_mail"),
)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "shop.py").write_text(textwrap.dedent(MODULE))
    rows = [
        json.dumps({"query": query, "relevant_files": ["shop.py"], "relevant_symbols": [symbol]})
        for query, symbol in CASES
    ]
    (tmp_path / "cases.jsonl").write_text("\n".join(rows) + "\n")
    (tmp_path / "repos.toml").write_text(
        "\n".join(
            f'[[repos]]\nname = "{name}"\nrepo = "{name}"\ndataset = "cases.jsonl"'
            for name in ("one", "two")
        )
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOLDWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path


def compare(*arguments: str) -> Result:
    return CliRunner().invoke(CommandCatalog("goldwright"), ["compare", *arguments])


def test_arms_stand_in_one_table_and_a_model_that_knows_nothing_changes_no_hybrid(
    shop: Path,
) -> None:
    result = compare(
        *("cases.jsonl", "--repo", "one", "--embedder", "random", "--embedder", "random-1"),
        *("--json", "--html", "page.html"),
    )
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["unchanged"] == ["bm25"]
    assert len(document["tables"]) == 4
    for table in document["tables"]:
        assert set(table["means"]) == {
            "dense", "bm25", "hybrid", "hybrid+rerank", "hybrid+graph", "adaptive",
        }  # fmt: skip
        assert {"MRR", "R@10", "nDCG@5", "Hit@1", "R@4k-tokens"} <= set(table["means"]["bm25"])
    with_docstrings = document["tables"][0]["means"]
    assert with_docstrings["bm25"]["MRR"] == 1.0
    assert (shop / "page.html").read_text().startswith("<!doctype html><!-- goldwright compare")


@pytest.mark.usefixtures("shop")
def test_a_missing_model_costs_its_arms_alone() -> None:
    result = compare("cases.jsonl", "--repo", "one", "--embedder", "folder:nowhere")
    assert result.exit_code == 0, result.output
    assert "LACKS  hybrid: " in result.stdout
    assert "holds no model" in result.stdout
    assert "\nbm25" in result.stdout


@pytest.mark.usefixtures("shop")
def test_a_table_says_what_these_queries_could_have_shown() -> None:
    result = compare("cases.jsonl", "--repo", "one", "--embedder", "random", "--docstrings", "with")
    assert "could have " in result.stdout
    assert "SATURATED: " in result.stdout


@pytest.mark.usefixtures("shop")
def test_a_manifest_gives_each_table_averages_and_verdicts() -> None:
    result = compare(
        *("--manifest", "repos.toml", "--embedder", "random", "--docstrings", "with"),
        *("--default", "bm25"),
    )
    assert result.exit_code == 0, result.output
    assert "== one: 3 queries" in result.stdout
    assert "== all 2 repositories: with docstrings, random-0" in result.stdout
    assert "refused: dense: the macro average falls by" in result.stdout
    assert "learned: the dense weight that the others chose: one " in result.stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("cases.jsonl",), "compare takes two reports"),
        (("a.json", "b.json", "--repo", "one"), "--repo goes with one dataset"),
        (("a.json", "b.json", "--arms", "bm25"), "--arms: goes with --repo or --manifest"),
        (("a.json", "--manifest", "repos.toml"), "a dataset: does not go with --manifest"),
        (("--manifest", "repos.toml", "--html", "a.html"), "--html: does not go with --manifest"),
        (("cases.jsonl", "--repo", "one", "--default", "bm25"), "--default goes with --manifest"),
        (("cases.jsonl", "--repo", "one", "--arms", "sparse"), "sparse: no arm"),
        (("cases.jsonl", "--repo", "one", "--ks", "1;5"), "wanted ranks as in 1,5,10"),
        (("--manifest", "repos.toml", "--arms", "bm25"), "--default hybrid: is not compared"),
    ],
)
@pytest.mark.usefixtures("shop")
def test_forms_that_are_mixed_are_refused_in_one_line(
    arguments: tuple[str, ...], problem: str
) -> None:
    result = compare(*arguments)
    assert result.exit_code != 0
    message = result.stderr + str(result.exception or "")
    assert problem in message


def test_the_models_are_listed_with_what_they_lack() -> None:
    result = compare("--list-models")
    assert result.exit_code == 0
    assert "endpoint:MODEL=ADDRESS" in result.stdout
    assert "cross-encoder:DIRECTORY" in result.stdout
