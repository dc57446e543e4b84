"""Croissant 1.1: what a dataset is, for machines, with the hash of every file and how it was made.

Source: https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html and
croissant-rai-spec.html.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from goldwright.golden.metadata import DatasetMetadata
from goldwright.golden.spot_check_summaries import SpotCheckSummary
from goldwright.interchange.card import description
from goldwright.interchange.format import Dataset
from goldwright.interchange.hub_tables import QRELS, TABLES, HubTable
from goldwright.text import counted

# The context that the specification prescribes.
_CONTEXT: Final = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "name": {"@container": "@language"},
    "parentField": "cr:parentField",
    "path": "cr:path",
    "prov": "http://www.w3.org/ns/prov#",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_DATA_TYPES: Final = {"string": "sc:Text", "int32": "sc:Integer"}
_PROTOCOL: Final = (
    "An author wrote each question, an oracle answered it from the source, code resolved every "
    "entity and line, an adversary tried to falsify every claim, and a judge compared the "
    "narratives; people judge a sample."
)
_NO_VERSION: Final = "0.0.0"
# The columns of the judgements hold ids of the other two tables.
_REFERENCES: Final = {"query-id": "queries/id", "corpus-id": "corpus/id"}


def croissant_json(dataset: Dataset, hashes: Mapping[str, str]) -> str:
    """Describe a dataset and its tables.

    Args:
        dataset: The dataset.
        hashes: The SHA-256 of each table, by its path.
    """
    files = [_file_object(table, hashes[table.path]) for table in TABLES]
    record_sets = [_record_set(table) for table in TABLES]
    described: dict[str, object] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": [
            "http://mlcommons.org/croissant/1.1",
            "http://mlcommons.org/croissant/RAI/1.0",
        ],
        "name": dataset.name,
        "description": description(dataset),
        "version": _semantic_version(dataset.metadata),
        "inLanguage": "en",
        "keywords": ["code retrieval", "golden dataset"],
        **dict(_provenance(dataset.metadata)),
        "distribution": files,
        "recordSet": record_sets,
    }
    text = json.dumps(described, indent=2, ensure_ascii=True)
    return f"{text}\n"


def _semantic_version(metadata: DatasetMetadata | None) -> str:
    """The version in SemVer's three numbers; a draft comes before the version of its name."""
    if metadata is None:
        return _NO_VERSION
    # SemVer orders a version with a suffix before the one without.
    if metadata.dataset_status == "human_blessed":
        return f"{metadata.version}.0"
    return f"{metadata.version}.0-draft"


def _file_object(table: HubTable, sha256: str) -> dict[str, object]:
    name = _file_id(table)
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": table.path,
        "encodingFormat": "application/x-parquet",
        "sha256": sha256,
    }


def _file_id(table: HubTable) -> str:
    return f"{table.folder}.parquet"


def _record_set(table: HubTable) -> dict[str, object]:
    name = table.folder
    key = [{"@id": f"{name}/{column}"} for column in table.key]
    fields = [_field(table, column) for column in table.columns]
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": table.description,
        "key": key,
        "field": fields,
    }


def _field(table: HubTable, column: str) -> dict[str, object]:
    name = f"{table.folder}/{column}"
    file_object = {"@id": _file_id(table)}
    source = {"fileObject": file_object, "extract": {"column": column}}
    data_type = _DATA_TYPES[table.columns[column]]
    field: dict[str, object] = {
        "@type": "cr:Field",
        "@id": name,
        "name": name,
        "dataType": data_type,
        "source": source,
    }
    if table is QRELS and column in _REFERENCES:
        field["references"] = {"field": {"@id": _REFERENCES[column]}}
    return field


def _provenance(metadata: DatasetMetadata | None) -> Iterator[tuple[str, object]]:
    """Yield what is known of the making; where nothing is known, nothing is said."""
    if metadata is None:
        return
    codebase = f"git commit {metadata.repo_commit}, tree {metadata.repo_tree}"
    yield "prov:wasDerivedFrom", codebase
    program = f"goldwright {metadata.pipeline_version}"
    run = f"run {metadata.run}, seed {metadata.seed}"
    yield "prov:wasGeneratedBy", f"{program}, {run}"
    yield "rai:dataAnnotationProtocol", _PROTOCOL
    yield "rai:machineAnnotationTools", _annotation_tools(metadata)
    if metadata.human_reviewers:
        count = len(metadata.human_reviewers)
        people = counted(count, "person", "people")
        yield "rai:annotationsPerItem", f"{people} for each record of the sample"
    if metadata.spot_check is not None:
        yield "rai:dataAnnotationAnalysis", list(_analysis(metadata.spot_check))
    if metadata.known_limits:
        yield "rai:dataLimitations", list(metadata.known_limits)


def _annotation_tools(metadata: DatasetMetadata) -> list[str]:
    # A role that a model plays is in both, once with the agent and once with the model.
    tools: set[str] = set()
    for players in (metadata.roles, metadata.models):
        for role, player in players.items():
            tools.add(f"{role}: {player}")
    return sorted(tools)


def _analysis(summary: SpotCheckSummary) -> Iterator[str]:
    population = summary.population
    verdicts = _verdict_counts(summary)
    yield f"{summary.sampled} of {population} records were judged: {verdicts}."
    bound = f"at most {summary.upper_bound} of {population} records"
    yield f"At {summary.confidence:.0%} confidence {bound} are major or wrong."
    kappa = summary.kappa
    if kappa is not None:
        low, high = summary.kappa_interval or (kappa, kappa)
        interval = f"95 % interval {low:.3f} to {high:.3f}"
        yield f"Cohen's kappa of both reviewers: {kappa:.3f} ({interval})."
    yield from summary.claims


def _verdict_counts(summary: SpotCheckSummary) -> str:
    counts: list[str] = []
    for verdict, count in summary.verdicts.items():
        words = verdict.replace("_", " ")
        counts.append(f"{count} {words}")
    return ", ".join(counts)
