"""Croissant 1.1: what a dataset is, for machines, with the hash of every file and what is known of
its making.

Source: https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html and
croissant-rai-spec.html.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from goldwright.golden.metadata import DatasetMetadata, SpotCheckSummary
from goldwright.interchange.card import description
from goldwright.interchange.format import Dataset
from goldwright.interchange.hub_tables import QRELS, TABLES, HubTable

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
_TYPES: Final = {"string": "sc:Text", "int32": "sc:Integer"}
_PROTOCOL: Final = (
    "An author wrote each question, an oracle answered it from the source, code resolved every entity and line, an "
    "adversary tried to falsify every claim, and a judge compared the narratives; people judge a sample."
)
_UNVERSIONED: Final = "0.0.0"
_POINTS_TO: Final = {"query-id": "queries/id", "corpus-id": "corpus/id"}


def croissant(dataset: Dataset, hashes: Mapping[str, str]) -> str:
    """Describe the tables of a dataset, whose SHA-256 are given by their paths."""
    described: dict[str, object] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": [
            "http://mlcommons.org/croissant/1.1",
            "http://mlcommons.org/croissant/RAI/1.0",
        ],
        "name": dataset.name,
        "description": description(dataset),
        "version": _version(dataset.metadata),
        "inLanguage": "en",
        "keywords": ["code retrieval", "golden dataset"],
        **dict(_making(dataset.metadata)),
        "distribution": [_file(table, hashes[table.path]) for table in TABLES],
        "recordSet": [_record_set(table) for table in TABLES],
    }
    return json.dumps(described, indent=2, ensure_ascii=True) + "\n"


def _version(metadata: DatasetMetadata | None) -> str:
    """The version in SemVer's three numbers; a draft comes before the version that it is a draft
    of.
    """
    if metadata is None:
        return _UNVERSIONED
    return f"{metadata.version}.0" + (
        "" if metadata.dataset_status == "human_blessed" else "-draft"
    )


def _file(table: HubTable, sha256: str) -> dict[str, object]:
    return {
        "@type": "cr:FileObject",
        "@id": f"{table.folder}.parquet",
        "name": f"{table.folder}.parquet",
        "contentUrl": table.path,
        "encodingFormat": "application/x-parquet",
        "sha256": sha256,
    }


def _record_set(table: HubTable) -> dict[str, object]:
    name = table.folder
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": table.what,
        "key": [{"@id": f"{name}/{column}"} for column in table.key],
        "field": [_field(table, column) for column in table.columns],
    }


def _field(table: HubTable, column: str) -> dict[str, object]:
    name = f"{table.folder}/{column}"
    points_to = _POINTS_TO.get(column) if table is QRELS else None
    return {
        "@type": "cr:Field",
        "@id": name,
        "name": name,
        "dataType": _TYPES[table.columns[column]],
        "source": {"fileObject": {"@id": f"{table.folder}.parquet"}, "extract": {"column": column}},
        **({"references": {"field": {"@id": points_to}}} if points_to else {}),
    }


def _making(metadata: DatasetMetadata | None) -> Iterator[tuple[str, object]]:
    """Yield what is known of the making: nothing is said where nothing is known."""
    if metadata is None:
        return
    yield "prov:wasDerivedFrom", f"git commit {metadata.repo_commit}, tree {metadata.repo_tree}"
    yield (
        "prov:wasGeneratedBy",
        f"goldwright {metadata.pipeline_version}, run {metadata.run}, seed {metadata.seed}",
    )
    yield "rai:dataAnnotationProtocol", _PROTOCOL
    tools = {
        f"{role}: {name}"
        for roles in (metadata.roles, metadata.models)
        for role, name in roles.items()
    }
    yield "rai:machineAnnotationTools", sorted(tools)
    if metadata.human_reviewers:
        yield (
            "rai:annotationsPerItem",
            f"{len(metadata.human_reviewers)} people for each record of the sample",
        )
    if metadata.spot_check is not None:
        yield "rai:dataAnnotationAnalysis", list(_analysis(metadata.spot_check))
    if metadata.known_limits:
        yield "rai:dataLimitations", list(metadata.known_limits)


def _analysis(found: SpotCheckSummary) -> Iterator[str]:
    verdicts = ", ".join(
        f"{count} {name.replace('_', ' ')}" for name, count in found.verdicts.items()
    )
    yield f"{found.sampled} of {found.population} records were judged: {verdicts}."
    bound = f"at most {found.upper_bound} of {found.population} records are major or wrong"
    yield f"At {found.confidence:.0%} confidence {bound}."
    if found.kappa is not None:
        low, high = found.kappa_interval or (found.kappa, found.kappa)
        yield f"Cohen's kappa of both reviewers: {found.kappa:.3f} (95 % interval {low:.3f} to {high:.3f})."
    yield from found.claims
