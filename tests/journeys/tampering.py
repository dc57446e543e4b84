"""Ways to tamper with what a blessing rests on: a function each, with the exit code of verify."""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter

from goldwright.canonical import digest, digest_bytes
from goldwright.journal.review_log import chain_event
from goldwright.manifest import RunManifest, manifest_digest
from goldwright.records import AnyReviewEvent
from journeys.blessed_site import Site, Tampering

DAMAGED: Final = 4
REFUSED: Final = 1
_EVENT: Final[TypeAdapter[AnyReviewEvent]] = TypeAdapter(AnyReviewEvent)

Row = dict[str, Any]


def tamperings() -> Iterator[Tampering]:
    """Yield all ways."""
    yield from _of_manifest()
    yield from _of_run_files()
    yield from _of_reviews()
    yield from _of_sample()
    yield from _of_training()
    yield from _of_ledger()
    yield from _of_versions()
    yield from _of_signatures()


def _of_manifest() -> Iterator[Tampering]:
    changes: dict[str, Callable[[Row], object]] = {
        "seed": lambda row: row.update(seed=row["seed"] + 1),
        "agent": lambda row: row["roles"].update(oracle="agent:oracle:best-9"),
        "model": lambda row: row["models"].update(oracle="openai:best"),
        "families": lambda row: row.update(allow_same_family=True),
        "settings": lambda row: row.update(config_digest="sha256:0"),
        "prompts": lambda row: row["prompt_digests"].update(oracle="sha256:0"),
        "commit": lambda row: row.update(commit="0" * 40),
        "retired": lambda row: row.update(retired=["openai:best"]),
        "round": lambda row: row.update(round=row["round"] + 1),
        "seals": lambda row: row["seals"].clear(),
    }
    for name, change in changes.items():
        yield Tampering(f"manifest_{name}", DAMAGED, _in_manifest(change, resealed=False))
    for name in ("seed", "agent", "model", "settings", "seals"):
        made = _in_manifest(changes[name], resealed=True)
        yield Tampering(f"manifest_{name}_sealed_again", DAMAGED, made)
    yield Tampering("trust_card_changed", DAMAGED, _other_figure)
    yield Tampering(
        "trust_card_of_nothing", DAMAGED, lambda site: _write(site.run / "trust_card.json", b"{}")
    )
    yield Tampering("manifest_removed", 2, lambda site: (site.run / "run.json").unlink())


def _in_manifest(change: Callable[[Row], object], *, resealed: bool) -> Callable[[Site], None]:
    def tamper(site: Site) -> None:
        path = site.run / "run.json"
        row = json.loads(path.read_text())
        change(row)
        if resealed:
            manifest = RunManifest.model_validate_json(json.dumps(row))
            row["digest"] = manifest_digest(manifest)
        _write(path, json.dumps(row).encode())

    return tamper


def _of_run_files() -> Iterator[Tampering]:
    for name in ("00_candidates", "01_oracle_answers", "narrative_verdicts", "calls"):
        yield Tampering(f"{name}_shortened", DAMAGED, _on_lines(name, lambda lines: lines[:-1]))
    yield Tampering("answers_changed", DAMAGED, _on_lines("01_oracle_answers", _reworded))
    swapped = _on_lines("00_candidates", lambda lines: [lines[1], lines[0], *lines[2:]])
    yield Tampering("candidates_swapped", DAMAGED, swapped)


def _reworded(lines: list[bytes]) -> list[bytes]:
    return [lines[0].replace(b'"high"', b'"low"', 1), *lines[1:]]


def _on_lines(name: str, change: Callable[[list[bytes]], list[bytes]]) -> Callable[[Site], None]:
    def tamper(site: Site) -> None:
        path = site.run / f"{name}.jsonl"
        _write(path, b"".join(change(path.read_bytes().splitlines(keepends=True))))

    return tamper


def _of_reviews() -> Iterator[Tampering]:
    name = "human_reviews"
    plain: dict[str, Callable[[list[bytes]], list[bytes]]] = {
        "last_line": lambda lines: lines[:-1],
        "all_but_the_sample": lambda lines: lines[:1],
        "emptied": lambda _: [],
        "middle_line": lambda lines: [*lines[:2], *lines[3:]],
        "swapped": lambda lines: [lines[0], lines[2], lines[1], *lines[3:]],
        "doubled": lambda lines: [*lines, lines[-1]],
        "verdict": lambda lines: [line.replace(b'"wrong"', b'"correct"') for line in lines],
        "reviewer": lambda lines: [line.replace(b'"Bob"', b'"Eve"') for line in lines],
        "seconds": lambda lines: [line.replace(b":0.0", b":90.0") for line in lines],
    }
    for what, change in plain.items():
        yield Tampering(f"reviews_{what}", DAMAGED, _on_lines(name, change))
    yield Tampering("reviews_removed", DAMAGED, lambda site: site.reviews.unlink())
    rechained: dict[str, Callable[[list[Row]], list[Row]]] = {
        "verdict": lambda rows: [_with(row, "verdict", "correct") for row in rows],
        "reviewer": lambda rows: [_renamed(row) for row in rows],
        "seconds": lambda rows: [_with(row, "seconds", 99.0) for row in rows],
        "second_reviewer_gone": lambda rows: [row for row in rows if row["reviewer"] != "Bob"],
    }
    for what, change_rows in rechained.items():
        yield Tampering(f"reviews_{what}_chained_again", DAMAGED, _rechained(change_rows))


def _with(row: Row, field: str, content: object) -> Row:
    return {**row, field: content} if field in row else row


def _renamed(row: Row) -> Row:
    return {**row, "reviewer": "Eve"} if row["reviewer"] == "Bob" else row


def _of_sample() -> Iterator[Tampering]:
    changes: dict[str, Callable[[Row], Row]] = {
        "sample_smaller": lambda row: {**row, "drawn": row["drawn"][1:]},
        "sample_of_others": lambda row: {**row, "drawn": row["population"][: len(row["drawn"])]},
        "sample_round": lambda row: {**row, "round": 7},
        "population_smaller": lambda row: {**row, "population": row["drawn"]},
        "canaries_gone": lambda row: {**row, "canaries": []},
        "canary_of_another_kind": lambda row: {**row, "canaries": row["canaries"][:1]},
        "canary_easier": lambda row: {**row, "canaries": [_easier(one) for one in row["canaries"]]},
    }
    for name, change in changes.items():
        yield Tampering(name, DAMAGED, _rechained(_on_first(change)))


def _easier(canary: Row) -> Row:
    return {**canary, "answer": {**canary["answer"], "canonical_narrative": "It is blue."}}


def _on_first(change: Callable[[Row], Row]) -> Callable[[list[Row]], list[Row]]:
    return lambda rows: [change(rows[0]), *rows[1:]]


def _rechained(change: Callable[[list[Row]], list[Row]]) -> Callable[[Site], None]:
    """Change events, and number and chain them again as the program would."""

    def tamper(site: Site) -> None:
        rows = [json.loads(line) for line in site.reviews.read_text().splitlines()]
        after = ""
        lines = []
        for number, row in enumerate(change(rows), start=1):
            event = _EVENT.validate_json(json.dumps({**row, "number": number, "chain": ""}))
            event = chain_event(event, after=after)
            after = event.chain
            lines.append(event.as_json() + "\n")
        _write(site.reviews, "".join(lines).encode())

    return tamper


def _of_training() -> Iterator[Tampering]:
    """Ways to look better practised than somebody is."""
    plain = _on_lines("human_reviews", _turned_right)
    yield Tampering("practice_turned_right", DAMAGED, plain)
    changes: dict[str, Callable[[list[Row]], list[Row]]] = {
        "practice_turned_right": lambda rows: [_with(row, "right", True) for row in rows],
        "practice_gone": lambda rows: [row for row in rows if row["event"] != "practice"],
        "training_gone": lambda rows: [
            row for row in rows if row["event"] not in {"practice", "training"}
        ],
        "training_not_skipped": lambda rows: [
            row for row in rows if row["event"] != "training_skip"
        ],
        "training_easier": lambda rows: [_easier_training(row) for row in rows],
    }
    for name, change in changes.items():
        yield Tampering(f"{name}_chained_again", DAMAGED, _rechained(change))


def _turned_right(lines: list[bytes]) -> list[bytes]:
    return [line.replace(b'"right":false', b'"right":true') for line in lines]


def _easier_training(row: Row) -> Row:
    return {**row, "records": row["records"][:1]} if row["event"] == "training" else row


def _of_ledger() -> Iterator[Tampering]:
    yield Tampering("ledger_removed", DAMAGED, lambda site: shutil.rmtree(site.golden / "ledger"))
    yield Tampering("ledger_last_gone", DAMAGED, lambda site: site.ledger[-1].unlink())
    yield Tampering("ledger_first_gone", DAMAGED, lambda site: site.ledger[0].unlink())
    yield Tampering("ledger_middle_gone", DAMAGED, lambda site: site.ledger[1].unlink())
    yield Tampering("ledger_swapped", DAMAGED, _swap_entries)
    yield Tampering("ledger_torn", DAMAGED, lambda site: _cut(site.ledger[1]))
    yield Tampering("ledger_numbered_otherwise", DAMAGED, _number_otherwise)
    yield Tampering("ledger_no_entry", DAMAGED, lambda site: _write(site.ledger[0], b"[]\n"))
    for kind, field, content in (
        ("sample", "sample", "sha256:0"),
        ("sitting", "reviewer", "Eve"),
        ("export", "run", "another"),
    ):
        plain = _in_entry(kind, {field: content}, rechained=False)
        yield Tampering(f"ledger_{kind}_{field}", DAMAGED, plain)
        again = _in_entry(kind, {field: content}, rechained=True)
        yield Tampering(f"ledger_{kind}_{field}_chained_again", DAMAGED, again)
    yield Tampering("ledger_newest_at", DAMAGED, _other_time)
    yield Tampering("ledger_newest_at_sealed_again", DAMAGED, _backdate(-1))
    yield Tampering("ledger_newest_of_an_older_form", DAMAGED, _older_form)
    stray = "notes.txt"
    yield Tampering(
        "ledger_stray_file", DAMAGED, lambda site: _write(site.golden / "ledger" / stray, b"Fine")
    )
    yield Tampering("ledger_space_after_the_last", DAMAGED, _space_after_the_last)
    yield Tampering("ledger_field_twice_in_the_last", DAMAGED, _field_twice_in_the_last)
    yield Tampering("ledger_published_elsewhere", DAMAGED, _publish_elsewhere)
    yield Tampering("ledger_done_again", DAMAGED, _done_again)
    fewer = _in_entry("sitting", {"reviews": {"count": 1, "chain": "sha256:0"}}, rechained=True)
    yield Tampering("ledger_fewer_reviews_chained_again", DAMAGED, fewer)


def _backdate(number: int) -> Callable[[Site], None]:
    """Let an entry be of another day, with the digest that it then has."""

    def tamper(site: Site) -> None:
        path = site.ledger[number]
        row = {**json.loads(path.read_text()), "at": "2020-01-01T00:00:00Z"}
        _write_entry(path, row)

    return tamper


def _write_entry(path: Path, row: Row) -> None:
    """Write an entry with the digest that it has then."""
    sealed = {**row, "digest": _digest_of(row)}
    _write(path, (json.dumps(sealed, indent=2) + "\n").encode())


def _digest_of(row: Row) -> str:
    """The digest that an entry would have."""
    return digest({name: value for name, value in row.items() if name != "digest"})


def _older_form(site: Site) -> None:
    """Take the digest off the newest entry, and call it one of the form that had none."""
    path = site.ledger[-1]
    row = {**json.loads(path.read_text()), "at": "2099-01-01T00:00:00Z"}
    row.update(digest="", schema_version="1.0.0")
    _write(path, (json.dumps(row, indent=2) + "\n").encode())


def _other_time(site: Site) -> None:
    """Let the newest entry be of another second, and leave everything else."""
    path = site.ledger[-1]
    row = json.loads(path.read_text())
    at = row["at"]
    row["at"] = f"{at[:-2]}{(int(at[-2]) + 1) % 10}Z"
    _write(path, (json.dumps(row, indent=2) + "\n").encode())


def _other_figure(site: Site) -> None:
    """Let the trust card beside the run say something better."""
    path = site.run / "trust_card.json"
    row = json.loads(path.read_text())
    next(iter(row["figures"].values()))["value"] = 1.0
    row["records"] += 1
    _write(path, (json.dumps(row, indent=2) + "\n").encode())


def _in_entry(kind: str, change: Row, *, rechained: bool) -> Callable[[Site], None]:
    def tamper(site: Site) -> None:
        path = site.entry(kind)
        row = {**json.loads(path.read_text()), **change}
        _write(path, (json.dumps(row, indent=2) + "\n").encode())
        if rechained:
            _chain_entries(site.ledger)

    return tamper


def _chain_entries(paths: Sequence[Path]) -> None:
    previous = ""
    for path in paths:
        row = {**json.loads(path.read_text()), "previous": previous}
        row["digest"] = _digest_of(row)
        data = (json.dumps(row, indent=2) + "\n").encode()
        _write(path, data)
        previous = digest_bytes(data)


def _swap_entries(site: Site) -> None:
    first, second = site.ledger[:2]
    first_data, second_data = first.read_bytes(), second.read_bytes()
    _write(first, second_data)
    _write(second, first_data)


def _space_after_the_last(site: Site) -> None:
    _write(site.ledger[-1], site.ledger[-1].read_bytes() + b" ")


def _field_twice_in_the_last(site: Site) -> None:
    path = site.ledger[-1]
    _write(path, path.read_bytes().replace(b"{", b'{\n  "at": "2020-01-01T00:00:00Z",', 1))


def _publish_elsewhere(site: Site) -> None:
    """Let the newest entry, which none is chained to, send whoever compares to another place."""
    _in_metadata({"known_limits": []})(site)
    path = site.ledger[-1]
    row = json.loads(path.read_text())
    row["published"]["is_here"] = False
    _write_entry(path, row)


def _done_again(site: Site) -> None:
    """Shorten the reviews, and let every entry be about stages that were done again since."""
    _write(site.reviews, b"".join(site.reviews.read_bytes().splitlines(keepends=True)[:-1]))
    for path in site.ledger:
        row = {**json.loads(path.read_text()), "redone": 1, "signature": None}
        _write(path, (json.dumps(row, indent=2) + "\n").encode())
    _chain_entries(site.ledger)
    _accept_ledger(site)


def _number_otherwise(site: Site) -> None:
    path = site.ledger[-1]
    path.rename(path.with_name("00009.json"))


def _of_versions() -> Iterator[Tampering]:
    yield Tampering("dataset_changed", REFUSED, _reword_only)
    yield Tampering("dataset_and_metadata_changed", DAMAGED, _reword_with_metadata)
    for field, content in (
        ("human_reviewers", ["Ada", "Eve"]),
        ("known_limits", []),
        ("seed", 99),
        ("ledger", None),
        ("ledger", {"number": 0, "sha256": ""}),
        ("bound", None),
    ):
        made = _in_metadata({field: content})
        suffix = "_emptied" if content == {"number": 0, "sha256": ""} else ""
        yield Tampering(f"metadata_{field}{suffix}", DAMAGED, made)
    yield Tampering("metadata_removed", DAMAGED, lambda site: site.version(".meta.json").unlink())
    yield Tampering("card_removed", DAMAGED, lambda site: site.version(".md").unlink())
    yield Tampering("card_changed", DAMAGED, lambda site: _write(site.version(".md"), b"Fine.\n"))
    yield Tampering("version_forged", DAMAGED, _forge_version)


def _reword_only(site: Site) -> None:
    _reword_dataset(site)


def _reword_dataset(site: Site) -> str:
    path = site.version()
    data = path.read_bytes().replace(b'"high"', b'"low"', 1)
    _write(path, data)
    return digest_bytes(data)


def _reword_with_metadata(site: Site) -> None:
    digest = _reword_dataset(site)
    _in_metadata({"dataset_sha256": digest})(site)


def _in_metadata(change: Row) -> Callable[[Site], None]:
    def tamper(site: Site) -> None:
        path = site.version(".meta.json")
        row = {**json.loads(path.read_text()), **change}
        _write(path, json.dumps(row).encode())

    return tamper


def _forge_version(site: Site) -> None:
    for ending in (".json", ".meta.json", ".md"):
        (site.golden / f"golden_v1.1{ending}").write_bytes(site.version(ending).read_bytes())


def _of_signatures() -> Iterator[Tampering]:
    """Ways that keep every chain: each entry names the one before, metadata name the last."""
    gone = _in_signed({"signature": None})
    yield Tampering("signature_gone", REFUSED, gone)
    yield Tampering("signature_of_nothing", DAMAGED, _in_signed({"signature": "Ada was here"}))
    yield Tampering("signed_by_another", DAMAGED, _in_signed({"reviewer": "Bob"}))
    yield Tampering("signed_count", DAMAGED, _in_signed({"at": "2020-01-01T00:00:00Z"}))
    yield Tampering("signature_swapped", DAMAGED, _swap_signatures)
    unknown = lambda site: _write(site.allowed_signers, b"Nobody ssh-ed25519 AAAA\n")  # noqa: E731
    yield Tampering("key_not_allowed", DAMAGED, unknown)


def _in_signed(change: Row) -> Callable[[Site], None]:
    def tamper(site: Site) -> None:
        _in_entry("sitting", change, rechained=True)(site)
        _accept_ledger(site)

    return tamper


def _swap_signatures(site: Site) -> None:
    paths = [path for path in site.ledger if json.loads(path.read_text())["signature"]]
    first, second = (json.loads(path.read_text()) for path in paths)
    first["signature"], second["signature"] = second["signature"], first["signature"]
    for path, row in zip(paths, (first, second), strict=True):
        _write_entry(path, row)
    _chain_entries(site.ledger)
    _accept_ledger(site)


def _accept_ledger(site: Site) -> None:
    """Let metadata and the entry of the export agree with a ledger that was chained again."""
    before = site.ledger[-2]
    head = {"number": len(site.ledger) - 1, "sha256": digest_bytes(before.read_bytes())}
    _in_metadata({"ledger": head})(site)
    row = json.loads(site.ledger[-1].read_text())
    row["published"]["metadata"] = digest_bytes(site.version(".meta.json").read_bytes())
    _write_entry(site.ledger[-1], row)


def _cut(path: Path) -> None:
    _write(path, path.read_bytes()[:-20])


def _write(path: Path, data: bytes) -> None:
    # Versions and entries are read-only, which stops nobody who owns them.
    if path.exists():
        path.chmod(0o644)
    path.write_bytes(data)
