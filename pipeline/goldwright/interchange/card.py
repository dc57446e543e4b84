"""The card of a dataset on the Hugging Face Hub: its README.md, for machines and for people.

Source: hub-docs, datasetcard.md. Every configuration has a ``config_name``, and its columns the
types of its files. Its description is the hash of its file: ``datasets`` (5.2) keeps what it has
read under the folder's name and what the card says, so two versions in folders of one name would
otherwise be taken for one, and the first would be measured twice.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import yaml

from goldwright.interchange.format import Dataset
from goldwright.interchange.hub_tables import TABLES, HubTable
from goldwright.text import as_markdown_text, counted

# The Hub's categories of size: fewer rows than the number, and the name.
_SIZES: Final = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
)
_LARGEST: Final = "1M<n<10M"
# PyYAML breaks longer lines.
_LINE_WIDTH: Final = 1 << 20


def card_text(dataset: Dataset, hashes: Mapping[str, str], *, document_count: int) -> str:
    """Write the card of a dataset.

    Args:
        dataset: The dataset.
        hashes: The SHA-256 of each table, by its path.
        document_count: How many documents the corpus holds.
    """
    header = _header(dataset, hashes, document_count)
    header_yaml = yaml.safe_dump(header, sort_keys=False, width=_LINE_WIDTH)
    body = "\n".join(_body(dataset, document_count))
    return f"---\n{header_yaml}---\n\n{body}\n"


def description(dataset: Dataset) -> str:
    """What a dataset is, in two sentences."""
    codebase = "a codebase"
    if dataset.metadata is not None:
        codebase = f"a codebase at commit {dataset.metadata.repo_commit}"
    questions = counted(len(dataset.labels), "question")
    status = _status(dataset)
    return (
        f"{questions} about {codebase}, each with the functions, classes and "
        f"methods that answer it. Made by Goldwright; {status}."
    )


def _status(dataset: Dataset) -> str:
    if dataset.metadata is None:
        return "nothing is known of who reviewed it"
    if _is_blessed(dataset):
        return "people confirmed a sample of it"
    return "agents agreed on it and no person has confirmed it"


def _is_blessed(dataset: Dataset) -> bool:
    metadata = dataset.metadata
    return metadata is not None and metadata.dataset_status == "human_blessed"


def _header(dataset: Dataset, hashes: Mapping[str, str], document_count: int) -> dict[str, object]:
    annotators = ["machine-generated"]
    if _is_blessed(dataset):
        annotators.append("expert-generated")
    configs = [_config(table, hashes[table.path]) for table in TABLES]
    features = [_features(table) for table in TABLES]
    return {
        "pretty_name": dataset.name,
        "language": ["en"],
        # The corpus is source code under its owner's license, which is not ours to name.
        "license": "unknown",
        "task_categories": ["text-retrieval"],
        "task_ids": ["document-retrieval"],
        "annotations_creators": annotators,
        "size_categories": [_size_category(document_count)],
        "tags": ["code", "code-retrieval", "golden-set"],
        "configs": configs,
        "dataset_info": features,
    }


def _size_category(document_count: int) -> str:
    for limit, name in _SIZES:
        if document_count < limit:
            return name
    return _LARGEST


def _config(table: HubTable, sha256: str) -> dict[str, object]:
    # A pattern, because all files of a folder are one table.
    data_file = {"split": table.split, "path": f"{table.folder}/*.parquet"}
    return {
        "config_name": table.config,
        "description": f"sha256:{sha256}",
        "data_files": [data_file],
    }


def _features(table: HubTable) -> dict[str, object]:
    features = [{"name": name, "dtype": kind} for name, kind in table.columns.items()]
    return {"config_name": table.config, "features": features}


def _body(dataset: Dataset, document_count: int) -> Iterator[str]:
    yield f"# {as_markdown_text(dataset.name)}"
    yield ""
    yield description(dataset)
    yield ""
    yield (
        f"The corpus is the whole codebase, {counted(document_count, 'entity')}. "
        "Its source code stays under its owner's license:"
    )
    yield "set `license` above before you publish this."
    yield ""
    yield from _table_of_tables()
    yield ""
    yield from _table_of_cells(dataset)
    yield ""
    yield (
        "Every expected entity is judged 1. Copies of one (the same code elsewhere) "
        "are not judged, so a"
    )
    yield (
        "retriever that finds the copy gets nothing for it. "
        "`metadata` of a question is its whole record, names of"
    )
    yield "reviewers included."
    yield ""
    name = as_markdown_text(dataset.name)
    yield f"Dataset: {name}, {dataset.sha256}"
    yield from _known_limits(dataset)


def _table_of_tables() -> Iterator[str]:
    yield "| table | rows are |"
    yield "|---|---|"
    for table in TABLES:
        yield f"| `{table.config}` | {table.description} |"


def _table_of_cells(dataset: Dataset) -> Iterator[str]:
    yield "| task | difficulty | questions |"
    yield "|---|---|---|"
    kinds = ((label.task_type, label.difficulty) for label in dataset.labels)
    counts = Counter(kinds)
    for (task_type, difficulty), count in sorted(counts.items()):
        cell = f"{task_type} | {difficulty}"
        yield f"| {cell} | {count} |"


def _known_limits(dataset: Dataset) -> Iterator[str]:
    if dataset.metadata is None or not dataset.metadata.known_limits:
        return
    yield ""
    yield "## Known limits"
    yield ""
    for limit in dataset.metadata.known_limits:
        yield f"- {as_markdown_text(limit)}"
