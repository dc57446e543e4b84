"""What the tools of others make of the files that ``goldwright convert`` writes, each in an
environment of its own.

Usage: interchange_readers.py [REPO] [--tools DIR]

Makes a draft of a codebase (this one), writes it in every format, installs BEIR, MTEB, datasets,
DeepEval, inspect_ai, ir_datasets and promptfoo (in a temporary folder, or in DIR, where they are
kept for the next time), has each read its file, and compares ids, texts and judgements with the
dataset. Ends with 1 if anything differs. Takes minutes and some gigabytes, and wants a registry of
Python and, for promptfoo, npm. No path of the codebase may hold white space.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FILES: Final = {
    "beir": "beir", "trec": "trec", "mteb": "mteb",
    "inspect_ai": "inspect_ai.jsonl", "promptfoo": "promptfoo.jsonl", "deepeval": "deepeval.json",
    "coderag": "coderag.jsonl", "vaultmind": "vaultmind.yaml",
}  # fmt: skip
QUIET: Final = {
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
}
# The readers' programs print one JSON object with any of: queries, judgements, documents, targets,
# answers.
BEIR: Final = """
import json
from beir.datasets.data_loader import GenericDataLoader
corpus, queries, qrels = GenericDataLoader("beir").load(split="test")
documents = {name: one["text"] for name, one in corpus.items()}
print(json.dumps({"queries": queries, "judgements": qrels, "documents": documents}))
"""
MTEB: Final = """
import json, os
from mteb.abstasks.retrieval_dataset_loaders import RetrievalDatasetLoader
read = RetrievalDatasetLoader(os.path.abspath("mteb"), revision=None).load()
print(json.dumps({
    "queries": {one["id"]: one["text"] for one in read["queries"]},
    "judgements": {query: dict(judged) for query, judged in read["relevant_docs"].items()},
    "documents": {one["id"]: one["text"] for one in read["corpus"]},
}))
"""
# What datasets once read of a folder of the same name must not come back for this one.
DATASETS: Final = """
import json, os
from datasets import load_dataset
for name in ("corpus", "queries", "default"):
    load_dataset(os.path.abspath("before/mteb"), name)
corpus, queries, qrels = (next(iter(load_dataset(os.path.abspath("mteb"), name).values()))
                          for name in ("corpus", "queries", "default"))
judgements = {}
for row in qrels:
    judgements.setdefault(row["query-id"], {})[row["corpus-id"]] = row["score"]
print(json.dumps({
    "queries": {row["id"]: row["text"] for row in queries},
    "judgements": judgements,
    "documents": {row["id"]: row["text"] for row in corpus},
}))
"""
DEEPEVAL: Final = """
import json
from deepeval.dataset import EvaluationDataset, Golden
goldens = [Golden(**row) for row in json.load(open("deepeval.json"))]
EvaluationDataset(goldens=goldens).save_as("json", directory="saved_by_deepeval")
entities = {one.name: one.additional_metadata["record"]["expected_entities"] for one in goldens}
print(json.dumps({
    "queries": {one.name: one.input for one in goldens},
    "answers": {one.name: one.expected_output for one in goldens},
    "targets": {name: [entity["entity_id"] for entity in own] for name, own in entities.items()},
}))
"""
INSPECT_AI: Final = """
import json
from inspect_ai.dataset import json_dataset
samples = json_dataset("inspect_ai.jsonl")
print(json.dumps({
    "queries": {one.id: one.input for one in samples},
    "targets": {one.id: one.target for one in samples},
    "answers": {one.id: one.metadata["record"]["canonical_narrative"] for one in samples},
}))
"""
IR_DATASETS: Final = """
import json
from pathlib import Path
from ir_datasets.formats import TrecQrels, TsvQueries

class Local:
    def __init__(self, path):
        self.where = Path(path)
    def path(self, force=True):
        return self.where
    def stream(self):
        return self.where.open("rb")

judgements = {}
for one in TrecQrels(Local("trec/qrels.txt"), {1: "expected"}).qrels_iter():
    judgements.setdefault(one.query_id, {})[one.doc_id] = one.relevance
queries = {one.query_id: one.text for one in TsvQueries(Local("trec/queries.tsv")).queries_iter()}
print(json.dumps({"queries": queries, "judgements": judgements}))
"""
PROMPTFOO: Final = {
    "prompts": ["{{query}}"],
    "providers": ["echo"],
    "tests": "file://promptfoo.jsonl",
}


@dataclass(frozen=True)
class Reader:
    """A tool of somebody else: its environment, the package whose version counts, and the program
    that reads.
    """

    environment: str
    package: str
    program: str


# MTEB and BEIR need torch, and are content with this one.
ENVIRONMENTS: Final = {
    "retrieval": ["torch==2.13.0", "beir", "mteb", "datasets"],
    "deepeval": ["deepeval"],
    "inspect": ["inspect_ai", "ir_datasets"],
}
READERS: Final = (
    Reader("retrieval", "beir", BEIR),
    Reader("retrieval", "mteb", MTEB),
    Reader("retrieval", "datasets", DATASETS),
    Reader("deepeval", "deepeval", DEEPEVAL),
    Reader("inspect", "inspect_ai", INSPECT_AI),
    Reader("inspect", "ir_datasets", IR_DATASETS),
)


def main() -> int:
    """Convert, read, compare; print a line a reader."""
    parser = argparse.ArgumentParser(
        description="Have the tools of others read what convert writes."
    )
    parser.add_argument("repo", nargs="?", type=Path, default=Path(__file__).parents[2])
    parser.add_argument("--tools", type=Path, help="where to keep the environments")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, folder_for(given.tools) as tools:
        toolset = Path(folder)
        records = draft(toolset, given.repo.resolve())
        print(f"{len(records)} records in {len(FILES)} formats")
        environments(tools)
        found = [check(reader, records, toolset, tools) for reader in READERS]
        found.append(again(toolset))
        found.append(promptfoo(records, toolset, tools))
    return 0 if all(found) else 1


@contextmanager
def folder_for(tools: Path | None) -> Iterator[Path]:
    """The folder that was named, or one for this time only."""
    if tools is not None:
        tools.mkdir(parents=True, exist_ok=True)
        yield tools.resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def draft(toolset: Path, repo: Path) -> list[dict[str, Any]]:
    """Make a draft of a codebase and write it in every format."""
    where = ("--repo", str(repo), *(("--rev", "HEAD") if (repo / ".git").exists() else ()))
    goldwright(toolset, "run", "phase1", *where, check=False)
    goldwright(toolset, "export", "latest", "--version", "1.0", "--draft")
    dataset = "golden/golden_v1.0.draft.json"
    for name, path in FILES.items():
        goldwright(toolset, "convert", dataset, "--to", name, "--out", path, *where)
    records: list[dict[str, Any]] = json.loads((toolset / dataset).read_text())
    (toolset / "before.json").write_text(json.dumps(records[:1]))
    goldwright(toolset, "convert", "before.json", "--to", "mteb", "--out", "before/mteb", *where)
    return records


def environments(tools: Path) -> None:
    """Install what is not there yet."""
    for name, packages in ENVIRONMENTS.items():
        if not (tools / name / "complete").exists():
            subprocess.run([sys.executable, "-m", "venv", str(tools / name)], check=True)
            pip = [
                str(tools / name / "bin/pip"),
                "install",
                "--quiet",
                "--disable-pip-version-check",
            ]
            subprocess.run([*pip, *packages], check=True, stderr=subprocess.DEVNULL)
            (tools / name / "complete").touch()


def check(reader: Reader, records: list[dict[str, Any]], toolset: Path, tools: Path) -> bool:
    """Have one reader read its file, and compare."""
    python = tools / reader.environment / "bin/python"
    version = f"import importlib.metadata as m; print(m.version({reader.package!r}))"
    name = f"{reader.package} {output([python, '-c', version], toolset).strip()}"
    try:
        read = json.loads(output([python, "-c", reader.program], toolset).strip().splitlines()[-1])
    except subprocess.CalledProcessError as error:
        return told(name, [f"fails: {error.stderr.strip().splitlines()[-1]}"], {})
    wanted = expected(records, toolset)
    return told(name, [part for part in read if read[part] != wanted[part]], read)


def expected(records: list[dict[str, Any]], toolset: Path) -> Mapping[str, Mapping[str, Any]]:
    """What every reader is to come to, from the dataset itself and from the corpus we wrote."""
    targets = {
        one["query_id"]: [entity["entity_id"] for entity in one["expected_entities"]]
        for one in records
    }
    lines = (toolset / "beir/corpus.jsonl").read_text().splitlines()
    return {
        "queries": {one["query_id"]: one["query_text"] for one in records},
        "answers": {one["query_id"]: one["canonical_narrative"] for one in records},
        "targets": targets,
        "judgements": {query: dict.fromkeys(ids, 1) for query, ids in targets.items()},
        "documents": {row["_id"]: row["text"] for row in map(json.loads, lines)},
    }


def again(toolset: Path) -> bool:
    """Take back what DeepEval saved itself: the very dataset has to come out."""
    (saved,) = (toolset / "saved_by_deepeval").glob("*.json")
    goldwright(toolset, "convert", str(saved), "--from", "deepeval", "--out", "back.json")
    is_same = (toolset / "back.json").read_bytes() == (
        toolset / "golden/golden_v1.0.draft.json"
    ).read_bytes()
    return told("deepeval's own file taken back", [] if is_same else ["bytes"], {})


def promptfoo(records: list[dict[str, Any]], toolset: Path, tools: Path) -> bool:
    """Have promptfoo send every query to its echo: what comes back is what it understood."""
    npm = shutil.which("npm")
    if npm is None:
        return told("promptfoo", ["not run: there is no npm"], {})
    program = tools / "npm/node_modules/.bin/promptfoo"
    if not program.exists():
        (tools / "npm").mkdir(exist_ok=True)
        command = [
            npm,
            "install",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--silent",
            "promptfoo",
        ]
        subprocess.run(command, cwd=tools / "npm", check=True)
    (toolset / "promptfooconfig.json").write_text(json.dumps(PROMPTFOO))
    command = [
        str(program),
        "eval",
        "-c",
        "promptfooconfig.json",
        "--no-cache",
        "--no-table",
        "-o",
        "echo.json",
    ]
    environment = {**os.environ, **QUIET, "PROMPTFOO_CONFIG_DIR": str(toolset / "promptfoo_state")}
    subprocess.run(command, cwd=toolset, env=environment, check=False, capture_output=True)
    results = json.loads((toolset / "echo.json").read_text())["results"]["results"]
    read = {
        one["testCase"]["description"]: (one.get("response") or {}).get("output") for one in results
    }
    wanted = {one["query_id"]: one["query_text"] for one in records}
    version = json.loads((tools / "npm/node_modules/promptfoo/package.json").read_text())["version"]
    return told(f"promptfoo {version}", [] if read == wanted else ["queries"], {"queries": read})


def told(name: str, wrong: list[str], read: Mapping[str, Mapping[str, Any]]) -> bool:
    """Print how one reader did; True where all is well."""
    counts = ", ".join(f"{len(values)} {part}" for part, values in read.items())
    outcome = f"DIFFERS: {', '.join(wrong)}" if wrong else "same"
    print(f"{name:<32}{outcome}{f' ({counts})' if counts else ''}")
    return not wrong


def goldwright(toolset: Path, *arguments: str, check: bool = True) -> None:
    """Run the program; a run that ends short is none of our business here."""
    subprocess.run(
        [sys.executable, "-m", "goldwright", *arguments],
        cwd=toolset,
        check=check,
        capture_output=True,
    )


def output(command: list[Path | str], toolset: Path) -> str:
    """What a program prints."""
    environment = {**os.environ, **QUIET, "HF_HOME": str(toolset / "hub")}
    done = subprocess.run(
        list(map(str, command)),
        cwd=toolset,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
