"""What a dataset expects, in the ids of a codebase; what names nothing in it, with the nearest."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from goldwright.golden.id_readings import IdReadings
from goldwright.golden.nearest_entities import nearest_file, unresolved_message
from goldwright.golden.queries import DatasetQuery
from goldwright.snapshot import Snapshot
from goldwright.snapshot.entities import Entity, split_entity_id


@dataclass(frozen=True, slots=True)
class UnresolvedId:
    """An expected id that is no entity and no file of the codebase.

    Attributes:
        query_id: The query that expects it.
        place: Where the query stands.
        expected_id: The id as it is written.
        message: What is wrong, and which id may be meant.
    """

    query_id: str
    place: str
    expected_id: str
    message: str


@dataclass(frozen=True, slots=True)
class ResolvedQueries:
    """The queries of a dataset in the ids of a codebase.

    Attributes:
        queries: The queries; ids that name nothing stay as they are written.
        unresolved: These ids, in the order of the queries.
    """

    queries: tuple[DatasetQuery, ...]
    unresolved: tuple[UnresolvedId, ...]


class ExpectedIdResolver:
    """Turns expected ids into those of a codebase.

    Ids are read as those of retrievers are (``IdReadings``). A name alone is looked for in the
    files that its query expects, and counts for each entity there that has it; without such files
    in the whole codebase, where exactly one entity may have it.
    """

    def __init__(self, snapshot: Snapshot, root: Path) -> None:
        """Start with a codebase.

        Args:
            snapshot: The codebase.
            root: Its directory, which ids may begin with.
        """
        self._snapshot = snapshot
        self._readings = IdReadings(snapshot, root)

    def resolve_all(self, queries: Iterable[DatasetQuery]) -> ResolvedQueries:
        """Resolve the ids of all queries."""
        unresolved: list[UnresolvedId] = []
        resolved = [self._resolve(query, unresolved) for query in queries]
        return ResolvedQueries(tuple(resolved), tuple(unresolved))

    def ids_of(self, query: DatasetQuery, expected_id: str) -> tuple[str, ...]:
        """Give the entities or the file that an expected id means; none where it names nothing."""
        reading = self._readings.resolve(expected_id)
        if self._snapshot.entity(reading) is not None:
            return (reading,)
        # A file answers for itself only where the dataset does not say that it is an entity.
        if "::" not in reading and self._snapshot.has_text(reading):
            return (reading,)
        _, name = split_entity_id(expected_id)
        if name:
            return ()
        return self._named(query, expected_id)

    def _resolve(self, query: DatasetQuery, unresolved: list[UnresolvedId]) -> DatasetQuery:
        grades: dict[str, int] = {}
        expected: list[str] = []
        for written_id in query.expected_ids:
            ids = self.ids_of(query, written_id)
            if not ids:
                message = self._problem(written_id)
                unresolved_id = UnresolvedId(query.query_id, query.place, written_id, message)
                unresolved.append(unresolved_id)
            expected.extend(ids or (written_id,))
        for written_id, grade in query.grades.items():
            for result_id in self.ids_of(query, written_id) or (written_id,):
                known_grade = grades.get(result_id, grade)
                grades[result_id] = max(grade, known_grade)
        files = tuple(self._files(query, unresolved))
        distinct_ids = tuple(dict.fromkeys(expected))
        resolved = replace(query, expected_ids=distinct_ids, grades=grades, expected_files=files)
        return with_files(resolved)

    def _files(self, query: DatasetQuery, unresolved: list[UnresolvedId]) -> Iterator[str]:
        for written_path in query.expected_files:
            path = self._readings.resolve(written_path)
            # Where it is an expected id, too, it has been named already.
            if not self._snapshot.has_text(path) and written_path not in query.expected_ids:
                message = self._problem(written_path, is_file=True)
                unresolved_path = UnresolvedId(query.query_id, query.place, written_path, message)
                unresolved.append(unresolved_path)
            yield path

    def _named(self, query: DatasetQuery, name: str) -> tuple[str, ...]:
        in_files: list[str] = []
        for path in query.expected_files:
            entities = self._snapshot.entities_in(self._readings.resolve(path))
            in_files.extend(entity.entity_id for entity in entities if _has_name(entity, name))
        if in_files:
            return tuple(in_files)
        namesakes = self._namesakes(name)
        return namesakes if len(namesakes) == 1 else ()

    def _namesakes(self, name: str) -> tuple[str, ...]:
        """Give the ids of all entities of a name, stubs of types last."""
        simple_name = name.rpartition(".")[2]
        candidates = self._snapshot.named(simple_name)
        namesakes = [entity for entity in candidates if _has_name(entity, name)]
        namesakes.sort(key=lambda entity: (entity.path.endswith(".pyi"), entity.entity_id))
        return tuple(entity.entity_id for entity in namesakes)

    def _problem(self, written_id: str, *, is_file: bool = False) -> str:
        _, name = split_entity_id(written_id)
        is_path = is_file or (not name and "/" in written_id)
        if not is_path:
            namesakes = () if name else self._namesakes(written_id)
            count = len(namesakes)
            if count > 1:
                first_namesake = namesakes[0]
                return (
                    f"{written_id!r} is the name of {count} entities, such as "
                    f"{first_namesake}; write it as PATH::NAME"
                )
            return unresolved_message(written_id, self._snapshot)
        message = f"no file {written_id!r} in the snapshot"
        nearest = nearest_file(written_id, self._snapshot)
        return f"{message}; the nearest is {nearest}" if nearest else message


def with_files(query: DatasetQuery) -> DatasetQuery:
    """Fill in the expected files from the expected ids, where the dataset names none."""
    if query.expected_files:
        return query
    paths = [split_entity_id(expected)[0] for expected in query.expected_ids]
    return replace(query, expected_files=tuple(dict.fromkeys(paths)))


def resolve_without_codebase(queries: Sequence[DatasetQuery]) -> tuple[DatasetQuery, ...]:
    """Take ids as they are; only those with ``::`` say which file they are in."""
    resolved: list[DatasetQuery] = []
    for query in queries:
        says_files = all("::" in expected for expected in query.expected_ids)
        resolved.append(with_files(query) if says_files else query)
    return tuple(resolved)


def _has_name(entity: Entity, name: str) -> bool:
    return name in {entity.name, entity.simple_name}
