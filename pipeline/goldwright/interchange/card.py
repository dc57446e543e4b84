"""The card of a dataset on the Hugging Face Hub: what its README.md says to machines and to people.

Source: hub-docs, datasetcard.md. Every configuration has a ``config_name``, and its columns the
types of its files. Its description is the hash of its file: ``datasets`` (5.2) keeps what it has
read under the folder's name and what the card says, so two versions in folders of one name would
else be taken for one, and the first would be measured twice.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import yaml

from goldwright.interchange.format import Dataset
from goldwright.interchange.hub_tables import TABLES
from goldwright.text import make_visible

_SIZES: Final = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
)
_LARGEST: Final = "1M<n<10M"


def card(dataset: Dataset, hashes: Mapping[str, str], *, documents: int) -> str:
    """Write the card of a dataset whose tables have these SHA-256 and whose corpus so many
    documents.
    """
    header = yaml.safe_dump(_header(dataset, hashes, documents), sort_keys=False, width=1 << 20)
    return f"---\n{header}---\n\n" + "\n".join(_body(dataset, documents)) + "\n"


def description(dataset: Dataset) -> str:
    """What a dataset is, in one sentence."""
    commit = f" at commit {dataset.metadata.repo_commit}" if dataset.metadata else ""
    return (
        f"{len(dataset.labels)} questions about a codebase{commit}, each with the functions, classes and methods that "
        f"answer it. Made by Goldwright; {status(dataset)}."
    )


def status(dataset: Dataset) -> str:
    """Who stands for the records, in a few words."""
    if dataset.metadata is None:
        return "nothing is known of who reviewed it"
    is_blessed = dataset.metadata.dataset_status == "human_blessed"
    return (
        "people confirmed a sample of it"
        if is_blessed
        else "agents agreed on it and no person has confirmed it"
    )


def _header(dataset: Dataset, hashes: Mapping[str, str], documents: int) -> dict[str, object]:
    is_blessed = dataset.metadata is not None and dataset.metadata.dataset_status == "human_blessed"
    return {
        "pretty_name": dataset.name,
        "language": ["en"],
        "license": "unknown",
        "task_categories": ["text-retrieval"],
        "task_ids": ["document-retrieval"],
        "annotations_creators": [
            "machine-generated",
            *(["expert-generated"] if is_blessed else []),
        ],
        "size_categories": [next((name for most, name in _SIZES if documents < most), _LARGEST)],
        "tags": ["code", "code-retrieval", "golden-set"],
        "configs": [
            {
                "config_name": one.config,
                "description": f"sha256:{hashes[one.path]}",
                "data_files": [{"split": one.split, "path": f"{one.folder}/*.parquet"}],
            }
            for one in TABLES
        ],
        "dataset_info": [
            {
                "config_name": one.config,
                "features": [{"name": name, "dtype": kind} for name, kind in one.columns.items()],
            }
            for one in TABLES
        ],
    }


def _body(dataset: Dataset, documents: int) -> Iterator[str]:
    yield from (f"# {_plain(dataset.name)}", "", description(dataset), "")
    yield f"The corpus is all {documents} entities of the codebase. Its source code stays under its owner's license:"
    yield from (
        "set `license` above before you publish this.",
        "",
        "| table | rows are |",
        "|---|---|",
    )
    yield from (f"| `{one.config}` | {one.what} |" for one in TABLES)
    yield from ("", "| task | difficulty | questions |", "|---|---|---|")
    cells = Counter((one.task_type, one.difficulty) for one in dataset.labels)
    yield from (
        f"| {task} | {difficulty} | {count} |"
        for (task, difficulty), count in sorted(cells.items())
    )
    yield from (
        "",
        "Every expected entity is judged 1. Copies of one (the same code elsewhere) are not judged, so a",
    )
    yield "retriever that finds the copy gets nothing for it. `metadata` of a question is its whole record, names of"
    yield from ("reviewers included.", "", f"Dataset: {_plain(dataset.name)}, {dataset.sha256}")
    if dataset.metadata is not None and dataset.metadata.known_limits:
        yield from ("", "## Known limits", "")
        yield from (f"- {_plain(limit)}" for limit in dataset.metadata.known_limits)


def _plain(text: str) -> str:
    """One line that no reader of Markdown or HTML takes for more than text."""
    return make_visible(" ".join(text.split())).replace("&", "&amp;").replace("<", "&lt;")
