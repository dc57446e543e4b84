"""Why asked: a table in which everything of a kind is entered. Asked: how to add another one."""

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from goldwright.code_reading.modules import Module
from goldwright.code_reading.name_files import product_files_with
from goldwright.code_reading.tables import (
    Entry,
    Table,
    closed_table_users,
    holds_code,
    looks_up,
    tables_of,
)
from goldwright.offline_agents.answer_limits import MOST_FACTS
from goldwright.offline_agents.code_context import CodeContext, name_of, path_of
from goldwright.offline_agents.inquiries.bonds import are_joined
from goldwright.offline_agents.inquiries.effects import (
    denials,
    descriptions,
    effects_with,
    follow_deeds,
    near,
)
from goldwright.offline_agents.inquiries.inquiry import (
    AnswerPart,
    AnswerPlan,
    Inquiry,
    Lead,
    Question,
)
from goldwright.offline_agents.inquiries.surroundings import (
    answer_part,
    find_statements,
    intent_of,
)
from goldwright.offline_agents.statements.derives import Derives
from goldwright.offline_agents.statements.lists import join_code
from goldwright.offline_agents.statements.maps_to import MapsTo
from goldwright.offline_agents.statements.statement import Finding
from goldwright.offline_agents.statements.stored import Stored
from goldwright.offline_agents.statements.table_users import TableUsers
from goldwright.offline_agents.statements.takes import Takes
from goldwright.plan import Cell
from goldwright.records import FileRange, Intent
from goldwright.snapshot import Snapshot
from goldwright.snapshot.product_code import is_product_code, product_code_among
from goldwright.snapshot.word_files import files_with

FEWEST_ENTRIES: Final = 2
MOST_USERS: Final = 3
MOST_MEMBERS: Final = 6
# A use under more conditions than these takes too long to explain.
MOST_CONDITIONS: Final = 3
NAMED_ENTRIES: Final = 3
# A table with so many of the same keys belongs to another one, and both need the entry.
SHARED_KEYS: Final = 0.5

_CONSTANT: Final = re.compile(r"(?<!\w)_*[A-Z][A-Z0-9_]{2,}(?!\w)")
_WORD: Final = re.compile(r"[A-Za-z][\w .+/-]{1,30}")
_QUOTED: Final = re.compile(r'"([^"]+)"')
_CONSTANTS_OF_LANGUAGES: Final = frozenset({"true", "false", "none", "null"})
_QUOTATION_MARKS: Final = ('"', "'")
_BY_NAME: Final = (
    "I want to add an entry to `{name}`. What do the existing ones look like, and who reads them?",
    "Which code reads `{name}`, and what does it do with an entry?",
    "How are the entries of `{name}` used? I want to add one.",
    "Where is `{name}` read, and what happens with the entries?",
    "If I add an entry to `{name}`, where does it take effect?",
    "What does an entry in `{name}` look like, and which code picks it up?",
    "Who uses `{name}`, and for what? I want to add an entry.",
    "To extend `{name}`, what do I add, and which code uses it?",
)
_BY_KEYS: Final = (
    "{keys} are supported. Where do I register another one, and which code uses it?",
    "Where are {keys} registered, and which code looks them up? I want to add another one.",
    "Which table holds {keys}, and who reads it? I need another entry.",
    "How do I add another entry next to {keys}, and which code reads it?",
    "I want to support something besides {keys}. Where does it go, and which code picks it up?",
    "What do I change to support something besides {keys}, and which code uses it?",
    "If I add an entry next to {keys}, where does it go, and where does it take effect?",
    "To add another one to {keys}, where do I register it, and who looks it up?",
    "Need to add one more to {keys}. Where are they registered, and how are they used?",
)


class TableAdditions(Inquiry):
    """Where is another one of a kind entered, and what must it look like?"""

    kind: ClassVar[str] = "registry"
    cells: ClassVar[tuple[Cell, ...]] = (
        Cell("extend", "easy"),
        Cell("extend", "medium"),
        Cell("extend", "hard"),
    )

    def leads(self, module: Module) -> Iterator[Lead]:
        """Yield the tables of a module whose keys are words, each with words of its own."""
        tables = list(tables_of(module))
        for table in tables:
            words = _words(table)
            is_paired = any(_share_keys(table, twin) for twin in tables if twin != table)
            if len(words) >= FEWEST_ENTRIES and not is_paired:
                entity_id = f"{module.path}::{table.name}"
                named_words = words[:NAMED_ENTRIES]
                examples = ", ".join(f'"{word}"' for word in named_words)
                yield Lead(self.kind, entity_id, table.first, table.last, table.name, examples)

    def questions(self, lead: Lead, code: CodeContext) -> Iterator[Question]:
        """Ask for the table and those who look things up in it, and for all entries as well."""
        users = _users(lead.subject, code)
        if users is None:
            return
        keys = re.sub(r", (?=[^,]*$)", " and ", lead.words)
        by_keys = () if _stand_elsewhere(lead, code) else _BY_KEYS
        slots = {"name": lead.detail, "keys": keys}
        table_and_users = (lead.subject, *users)
        members = _members(lead.subject, code)
        further_members = [member for member in members if member not in users]
        whole_family = (*table_and_users, *further_members)
        by_keys_or_name = (*by_keys, *_BY_NAME)
        table_and_members = whole_family if members else table_and_users
        easy, medium, hard = self.cells
        rows = (
            (easy, table_and_users, by_keys_or_name),
            (medium, table_and_members, by_keys),
            (medium, table_and_users, by_keys),
            (hard, whole_family, by_keys),
        )
        for cell, targets, phrasings in rows:
            if phrasings and are_joined(code, targets, by_calls=False):
                yield Question(
                    cell=cell,
                    phrasings=phrasings,
                    slots=slots,
                    targets=targets,
                    intent=intent_of(lead, ("the table", "who looks it up", "what an entry is")),
                    score=0.8,
                    rationale="The table and the code that reads it have to be found together.",
                )

    def answer(
        self, intent: Intent, targets: tuple[str, ...], code: CodeContext
    ) -> AnswerPlan | None:
        """State the table with entries of it, who uses it, and what they do with an entry."""
        table = _table(intent.subject, code)
        users = _users(intent.subject, code)
        if table is None or users is None:
            return None
        lookups = [_lookups(code, user, table.name) for user in users]
        if not all(lookups):
            # What somebody does with an entry cannot be said.
            return None
        if any(_depends_on_another(effect, table.name) for found in lookups for effect in found):
            # An entry in this table alone changes nothing.
            return None
        entries = [_entry_finding(intent.subject, table.name, entry) for entry in table.entries]
        names = tuple(name_of(user) for user in users)
        table_users = TableUsers(table.name, names)
        used = Finding(table_users, intent.subject, intent.lines)
        further_targets = [target for target in targets[1:] if target not in users]
        members = [targets[0], *further_targets]
        shapes = [*_shapes(members, code)]
        most_lookups = 2 if len(users) == 1 else 1
        # The entries that the question names are the ones to copy from.
        named_words = _words(table)[:NAMED_ENTRIES]
        examples = [entry for entry in table.entries if entry.word in named_words]
        copied = [_entry_finding(intent.subject, table.name, entry) for entry in examples[:2]]
        facts = [*copied, used]
        for effects in lookups:
            facts.extend(effects[:most_lookups])
        room = MOST_FACTS - len(facts)
        facts.extend(shapes[:room])
        lookup_effects = [effect for effects in lookups for effect in effects]
        context = [*lookup_effects, *shapes]
        for user in users:
            context.extend(descriptions(code, user))
            context.extend(near(code, user, lookup_effects[0].lines))
        parts = _parts(intent.subject, users, targets)
        opening = _opening(table, examples, intent.subject, users, code)
        falsehoods = tuple(denials(lookup_effects, lookup_effects))[:1]
        return AnswerPlan(
            parts=tuple(parts),
            opening=opening,
            facts=tuple(facts),
            context=tuple(context),
            neighbours=(*entries, *lookup_effects),
            falsehoods=falsehoods,
        )


def _words(table: Table) -> list[str]:
    words = [entry.word for entry in table.entries if _WORD.fullmatch(entry.word)]
    # A language has the constants that it has.
    return [word for word in words if word.lower() not in _CONSTANTS_OF_LANGUAGES]


def _stand_elsewhere(lead: Lead, code: CodeContext) -> bool:
    """Find out whether other code holds the keys that a question names: it might be meant."""
    snapshot = code.snapshot
    words = _QUOTED.findall(lead.words)
    longest = max(words, key=len)
    files = [files_with(snapshot, quotation) for quotation in _quotations_of(longest)]
    if None in files:
        return True
    paths = {path for holding in files if holding is not None for path in holding}
    product_paths = product_code_among(snapshot, sorted(paths))
    texts = (_text_around(lead, path, snapshot) for path in product_paths)
    return any(_holds_all(text, words) for text in texts)


def _text_around(lead: Lead, path: str, snapshot: Snapshot) -> str:
    """Give the text of a file without the lines of a table."""
    lines = snapshot.source(path).lines
    if path == path_of(lead.subject):
        above = lines[: lead.first - 1]
        below = lines[lead.last :]
        lines = (*above, *below)
    return "\n".join(lines)


def _holds_all(text: str, words: Sequence[str]) -> bool:
    return all(_holds_as_string(text, word) for word in words)


def _holds_as_string(text: str, word: str) -> bool:
    return any(quotation in text for quotation in _quotations_of(word))


def _quotations_of(word: str) -> list[str]:
    """Write a word as a string, in every kind of quotation marks."""
    return [f"{quote}{word}{quote}" for quote in _QUOTATION_MARKS]


def _share_keys(table: Table, twin: Table) -> bool:
    keys = {entry.key for entry in table.entries}
    twin_keys = {entry.key for entry in twin.entries}
    shared = len(keys & twin_keys)
    return shared >= SHARED_KEYS * max(1, len(keys))


def _table(table_id: str, code: CodeContext) -> Table | None:
    module = code.module(path_of(table_id))
    if module is None:
        return None
    name = name_of(table_id)
    for table in tables_of(module):
        if table.name == name:
            return table
    return None


def _users(table_id: str, code: CodeContext) -> tuple[str, ...] | None:
    """Give all functions that use a table; None where unknown, or where none looks up in it."""
    name = name_of(table_id)
    files = product_files_with(code.snapshot, name) or ()
    users = closed_table_users(code.snapshot, table_id, files)
    if not users or len(users) > MOST_USERS:
        return None
    functions = [code.function(user) for user in users]
    if None in functions or len({name_of(user) for user in users}) < len(users):
        return None
    table = _table(table_id, code)
    looking = [looks_up(opened[1], name) for opened in functions if opened is not None]
    if any(looking):
        return users
    return users if table is not None and holds_code(table) else None


def _lookups(code: CodeContext, user: str, table: str) -> list[Finding]:
    """Find what a user does with the table, and with what it has looked up there.

    What is done with a value comes before what only depends on it.
    """
    pattern = rf"(?<!\w){re.escape(table)}(?!\w)"
    effects = effects_with(code, user, pattern)
    direct = list(filter(_is_short, effects))
    values = list(filter(_is_short, follow_deeds(code, direct)))
    further = [effect for effect in follow_deeds(code, values) if effect not in values]
    return [*direct[:1], *values, *direct[1:], *filter(_is_short, further)]


def _depends_on_another(finding: Finding, table: str) -> bool:
    """Find out whether something is done for the entries of another table only."""
    conditions = finding.statement.conditions
    loops = [condition for condition in conditions if condition.kind == "for"]
    others = {name for loop in loops for name in _CONSTANT.findall(loop.code)}
    return not others <= {table}


def _is_short(finding: Finding) -> bool:
    return len(finding.statement.conditions) <= MOST_CONDITIONS


def _members(table_id: str, code: CodeContext) -> tuple[str, ...]:
    """Give what a table holds, where all of it is defined in product code and not too much."""
    table = _table(table_id, code)
    if table is None:
        return ()
    linked = code.snapshot.graph.linked(table_id)
    members: dict[str, None] = {}
    for entry in table.entries:
        name = entry.value.rpartition(".")[2]
        ids = [target for target in linked if name_of(target) == name]
        if len(ids) != 1:
            return ()
        (member,) = ids
        entity = code.snapshot.entity(member)
        is_code = entity is not None and entity.kind in {"class", "function"}
        if not is_code or not is_product_code(code.snapshot, path_of(member)):
            return ()
        members[member] = None
    return tuple(members) if len(members) <= MOST_MEMBERS else ()


def _shapes(targets: Sequence[str], code: CodeContext) -> Iterator[Finding]:
    """State what the members derive from, or which parameters they take."""
    for target in targets[1:]:
        module = code.module(path_of(target))
        if module is not None:
            yield from Derives.find_in(module, name_of(target))
        yield from find_statements(code, target, (Takes,))


def _entry_finding(table_id: str, table: str, entry: Entry) -> Finding:
    lines = FileRange(file=path_of(table_id), start=entry.line, end=entry.line)
    maps_to = MapsTo(table, entry.key, entry.value)
    return Finding(maps_to, table_id, lines)


def _parts(table_id: str, users: Sequence[str], targets: Sequence[str]) -> Iterator[AnswerPart]:
    yield answer_part(table_id, "primary", "is where it is entered")
    for target in targets[1:]:
        does = "looks up in the table" if target in users else "is an entry to copy from"
        yield answer_part(target, "supporting", does)


def _opening(
    table: Table, examples: Sequence[Entry], table_id: str, users: Sequence[str], code: CodeContext
) -> str:
    writers = [user for user in users if _adds_to(code, user, table.name)]
    readers = [user for user in users if user not in writers]
    example = examples[0]
    clauses = []
    if readers:
        names = join_code([name_of(user) for user in readers])
        read = "reads" if len(readers) == 1 else "read"
        clauses.append(f"{names} {read} the table")
    if writers:
        names = join_code([name_of(user) for user in writers])
        change = "changes" if len(writers) == 1 else "change"
        clauses.append(f"{names} {change} it at run time")
    place = f"the table `{table.name}` in `{path_of(table_id)}`"
    mapping = f"maps, for example, `{example.key}` to `{example.value}`"
    return f"An entry goes into {place}, which {mapping}; {', and '.join(clauses)}."


def _adds_to(code: CodeContext, user: str, table: str) -> bool:
    """Find out whether a function puts entries into a table."""
    for finding in find_statements(code, user, (Stored,)):
        if isinstance(finding.statement, Stored) and finding.statement.place.startswith(
            f"{table}["
        ):
            return True
    return False
