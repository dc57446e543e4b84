"""How much the gate catches: valid answers must pass, however they name what their lines hold, and
every broken one must fail under the right code.

Usage: gate_mutation.py DIR... [--answers FILE.jsonl] [--answers-per 100] [--mutants 50] [--seed 1]

Answers are taken from FILE.jsonl (with exactly one DIR), or made from the entities of each
codebase.
"""

import argparse
import ast
import contextlib
import dataclasses
import io
import json
import keyword
import random
import re
import tempfile
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from goldwright.code_reading.errors import HandlerSite, RaiseSite, handler_sites, raise_sites
from goldwright.code_reading.modules import open_function
from goldwright.code_reading.requirements import names_in
from goldwright.path_conditions import Path as ConditionPath
from goldwright.records import (
    AnswerDraft,
    Evidence,
    ExpectedEntity,
    FactCitation,
    FileRange,
    Intent,
    IntentKind,
)
from goldwright.snapshot import Snapshot, open_snapshot
from goldwright.snapshot.entities import Entity
from goldwright.snapshot.identifiers import is_code_shaped
from goldwright.snapshot.languages.language_catalog import WORDS, is_special_name
from goldwright.stages.gate import run_gate

Mutate = Callable[[AnswerDraft, "World"], AnswerDraft]
MutateAsked = Callable[["AskedAnswer", "World"], "AskedAnswer"]

_OPENINGS = (
    "The answer is {mark}, which stands in {place}.",
    "Look at {mark} ({place}): that is where it happens.",
    "In {place}, the {mark} definition does the work.",
    "{mark} is the piece to read first; you will find it in {place}.",
)
_MIDDLES = (
    "It looks at {word} before anything else, and what comes later relies on that order.",
    "A caller hands in {word}, and the code reads it without changing it.",
    (
        "When {word} is `None` or missing, an early exit is taken, e.g. by raising a "
        "`ValueError` or returning `False`."
    ),
    "The value of {word} decides between two ways through the body, as any and/or condition would.",
    (
        "Nothing here touches the network, the disk or a database; it's plain Python 3.11 "
        "with `dict` and `list` values."
    ),
    (
        "Read/write access isn't guarded (see https://example.org/guide/index.html#usage), "
        "so threads share {word}."
    ),
    (
        "The result isn't cached: calling {mark} twice does the work twice, with the same "
        "outcome for the same input."
    ),
    (
        "{mark}'s callers can rely on the type of what they get back, be it a `str`, an "
        "`int` or a `tuple`."
    ),
    (
        "Errors are not swallowed -- whatever goes wrong inside comes out as it is, unless "
        "{word} says otherwise."
    ),
    (
        "HTTP, JSON and URLs are words of the domain, not of the code; the same goes for "
        "`utf-8` and `application/json`."
    ),
    (
        "Two threads that share {word} see each other's changes, which is why nobody should "
        "hand it to several at once."
    ),
)
_FACT_FORMS = (
    "`{name}` is what these lines turn on.",
    "They use `{name}` before they end.",
    "What `{name}` stands for decides here, so `{name} is None` would matter.",
    "Without `{name}` there would be nothing to do.",
)
_INVENTIONS = (
    "`conjure_{n}_rabbits`",
    "`conjure_{n}_rabbits()`",
    "conjure_{n}_rabbits()",
    "conjure_{n}_rabbits",
    "`Rabbit{n}Error`",
    "{n}RabbitError",
    "`rabbit{n}.hole`",
    "`self.conjure{n}`",
    "`{n}rabbit`",
    "`len({n}rabbit) > 1`",
    "`not {n}rabbit.hole`",
)
_FILLER_NARRATIVE = (
    "The answer lies in the code that takes care of this. It looks at what comes in, "
    "decides what is "
    "to be done about it, and does so in the order of its statements. Where something is "
    "missing or "
    "wrong, that is noticed before anything else happens, so no caller is left with half "
    "of the work. "
    "What it keeps, it keeps for later, and what it hands back is what its callers rely "
    "on. Whoever "
    "wants to change it should start at its first lines, read on to the last, and mind that others "
    "lean on the same decision. Nothing about it is special, and `None` is handled as anywhere."
)
# A narrative speaks of what its facts name in one sentence, which begins with these words.
_SUMMARY_LEAD = "What counts on the way is"
_MARKED = re.compile(r"`[^`]+`")
_FILLER = (
    "A reader who wants to change the behaviour should start at its first lines and "
    "follow the order of the "
    "statements, because each of them leans on the one before and no second place "
    "repeats the same decision."
)


@dataclass(frozen=True)
class AskedAnswer:
    """A valid answer to a question with a reason; its first fact settles the reason."""

    answer: AnswerDraft
    intent: Intent


@dataclass(frozen=True)
class World:
    """A codebase with the things that mutants are made of."""

    snapshot: Snapshot
    entities: tuple[Entity, ...]
    rng: random.Random

    def outsider(self, answer: AnswerDraft, *, shaped: bool = False) -> Entity:
        """Pick an entity that an answer has no right to name."""
        role_models = _used_words(answer, self.snapshot) | {
            part
            for identifier in answer.entity_ids
            for part in identifier.partition("::")[2].split(".")
        }
        while True:
            entity = self.rng.choice(self.entities)
            name = entity.simple_name
            if (
                name in role_models
                # An unmarked plural would be read as the singular.
                or name.removesuffix("s") in role_models
                or name in WORDS.names | WORDS.standard_modules
                or is_special_name(name)
                or entity.path in answer.expected_files
            ):
                continue
            if is_code_shaped(name) or not shaped:
                return entity

    def invention(self) -> str:
        """Write a name of nothing, as a writer would."""
        letters = "".join(self.rng.choices("bcdfghjklm", k=5))
        return self.rng.choice(_INVENTIONS).format(n=letters.title())

    def other_file(self, answer: AnswerDraft) -> str:
        """Pick a Python file that an answer does not list."""
        bare = {path.rpartition("/")[2] for path in answer.expected_files}
        return self.rng.choice(
            [path for path in self.snapshot.source_files if path.rpartition("/")[2] not in bare]
        )


def make_world(snapshot: Snapshot, rng: random.Random) -> World:
    """Gather the entities of a codebase."""
    return World(snapshot, tuple(snapshot.entities()), rng)


def make_answers(world: World, count: int) -> Iterator[AnswerDraft]:
    """Make valid answers about random functions, methods and classes."""
    worthy = [
        e
        for e in world.entities
        if e.kind != "variable" and e.spans[0].last - e.spans[0].first >= 2
    ]
    for entity in world.rng.sample(worthy, min(count, len(worthy))):
        yield _answer(entity, world)


def make_asked_answers(world: World, count: int) -> Iterator[AskedAnswer]:
    """Make valid answers to questions about random errors that are raised, or caught and lost."""
    functions = [e for e in world.entities if e.kind in {"function", "method"}]
    made = 0
    for entity in world.rng.sample(functions, len(functions)):
        opened = open_function(world.snapshot, entity.entity_id)
        if opened is None:
            continue
        raised = [site for site in raise_sites(*opened) if site.path is not None]
        sites: list[RaiseSite | HandlerSite] = [*raised, *handler_sites(*opened)]
        asked = _asked_answer(entity, world.rng.choice(sites), world) if sites else None
        if asked is not None:
            yield asked
            made += 1
        if made == count:
            return


def _asked_answer(
    entity: Entity, site: RaiseSite | HandlerSite, world: World
) -> AskedAnswer | None:
    """Answer the question about one statement; None where it cannot be said between code marks."""
    answer = _answer(entity, world)
    path: ConditionPath = ()
    intent_kind: IntentKind
    if isinstance(site, RaiseSite):
        path = site.path or ()
        said = [f"It raises `{site.exception}`"]
        said += [f"`{condition.code}` counts" for condition in path]
        opening = f"It is `{site.exception}` that comes."
        intent_kind = "raise_condition"
    else:
        said = [f"It catches `{name}`" for name in site.caught]
        opening = f"Nobody hears of it: `{site.caught[0]}` is caught."
        intent_kind = "swallowed_error"
    if any("`" in condition.code for condition in path):
        return None
    lines = FileRange(file=entity.path, start=site.first, end=site.last)
    spans = [(site.first, site.last), *((each.first, each.last) for each in path)]
    own = [
        FactCitation(claim_id="fact-1", file=entity.path, start=first, end=last)
        for first, last in spans
    ]
    others = [cited for cited in answer.fact_citations if cited.claim_id != "fact-1"]
    fact = f"{', and '.join(said)}."
    facts = (fact, *answer.must_mention_facts[1:])
    changes = {
        "must_mention_facts": facts,
        "fact_citations": (*own, *others),
        "canonical_narrative": f"{opening} {_narrative(entity, facts, world)}",
    }
    intent = Intent(kind=intent_kind, subject=entity.entity_id, lines=lines)
    return AskedAnswer(_changed(answer, **changes), intent)


def _answer(entity: Entity, world: World) -> AnswerDraft:
    span, rng = entity.spans[0], world.rng
    lines = [rng.randint(span.first, span.last) for _ in range(4)]
    claims = ("fact-1", "fact-2", "fact-3", "not-fact-1")
    citations = tuple(
        FactCitation(claim_id=claim, file=entity.path, start=line, end=span.last)
        for claim, line in zip(claims, lines, strict=True)
    )
    facts = [_fact(citation, number, world) for number, citation in enumerate(citations[:3])]
    everywhere = FileRange(file=entity.path, start=1, end=world.snapshot.line_count(entity.path))
    falsehood = rng.choice(_names_on(everywhere, world.snapshot) or ["open"])
    whole = tuple(
        FileRange(file=entity.path, start=each.first, end=each.last) for each in entity.spans
    )
    reason = rng.choice(_names_on(whole[0], world.snapshot) or ["None"])
    return AnswerDraft(
        expected_entities=(
            ExpectedEntity(
                entity_id=entity.entity_id,
                role="primary",
                rationale=f"`{entity.name}` does the work, and `{reason}` is part of it.",
            ),
        ),
        expected_files=(entity.path,),
        expected_line_ranges=whole,
        must_mention_facts=tuple(facts),
        must_not_mention_facts=(f"It opens a socket for `{falsehood}`.",),
        fact_citations=citations,
        canonical_narrative=_narrative(entity, facts, world),
        source_evidence=(Evidence(file=entity.path, start=1, end=everywhere.end, read_at_step=1),),
        confidence="high",
    )


def _fact(citation: FactCitation, number: int, world: World) -> str:
    names = _names_on(citation, world.snapshot)
    if not names:
        return f"It goes from its line {number} to its last."
    form = world.rng.choice(_FACT_FORMS)
    return f"In step {number}: {form.format(name=world.rng.choice(names))}"


def _names_on(lines: FileRange, snapshot: Snapshot) -> list[str]:
    """Name what the tokens of some lines are, keywords left out."""
    names: set[str] = set()
    readline = io.StringIO(snapshot.source(lines.file).text).readline
    with contextlib.suppress(tokenize.TokenError, SyntaxError):
        for token in tokenize.generate_tokens(readline):
            if token.type == tokenize.NAME and lines.start <= token.start[0] <= lines.end:
                names.add(token.string)
    return sorted(names - set(keyword.kwlist) - {"self", "cls"})


def _narrative(entity: Entity, facts: Sequence[str], world: World) -> str:
    rng, span = world.rng, entity.spans[0]
    words = _data_words(entity, world.snapshot) or ["its input"]
    mark = rng.choice(
        (
            f"`{entity.name}`",
            entity.name if is_code_shaped(entity.simple_name) else f"`{entity.name}`",
            f"`{entity.simple_name}()`",
            f"``{entity.name}``",
            f"`{entity.entity_id}`",
        )
    )
    place = rng.choice(
        (
            entity.path,
            f"`{entity.path}`",
            f"{entity.path}:{span.first}-{span.last}",
            entity.path.rpartition("/")[2],
            f"`{entity.path}#L{span.first}`",
        )
    )
    sentences = [rng.choice(_OPENINGS), *rng.sample(_MIDDLES, 5), _FILLER]
    told = [
        sentence.format(mark=mark, place=place, word=rng.choice(words)) for sentence in sentences
    ]
    told[1:1] = _summary(facts)
    return " ".join(told)


def _summary(facts: Sequence[str]) -> list[str]:
    """Speak of the code of the facts in one sentence; of facts without code there is none."""
    pieces = dict.fromkeys(piece for fact in facts for piece in _MARKED.findall(fact))
    return [f"{_SUMMARY_LEAD} {', '.join(pieces)}."] if pieces else []


def _trees(entity: Entity, snapshot: Snapshot) -> Iterator[ast.AST]:
    lines = snapshot.source(entity.path).text.split("\n")
    for span in entity.spans:
        body = lines[span.first - 1 : span.last]
        with contextlib.suppress(SyntaxError):
            yield from ast.walk(
                ast.parse("\n".join(["if True:", *body] if body[0][:1].isspace() else body))
            )


def _data_words(entity: Entity, snapshot: Snapshot) -> list[str]:
    """Name the parameters and what is read of them, as a writer would mark them."""
    nodes = list(_trees(entity, snapshot)) if entity.kind != "class" else []
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    names = {node.arg for node in nodes if isinstance(node, ast.arg)}
    found = {f"`{name}`" for name in names - {"self", "cls"}}
    for node in nodes:
        if (
            isinstance(node, ast.Attribute)
            and id(node) not in called
            and isinstance(node.value, ast.Name)
        ):
            found |= {f"`{node.value.id}.{node.attr}`"} if node.value.id in names else set()
    return sorted(found)


def _used_words(answer: AnswerDraft, snapshot: Snapshot) -> frozenset[str]:
    """Collect every word that any text of an answer may take from its files."""
    words: set[str] = set()
    for file in answer.expected_files:
        words.update(re.findall(r"\w+", snapshot.source(file).text))
    return frozenset(words)


def _called_there(answer: AnswerDraft, world: World) -> str | None:
    """Pick a function of the codebase that the expected code calls by its plain name."""
    entities = [
        entity for identifier in answer.entity_ids if (entity := world.snapshot.entity(identifier))
    ]
    calls = {
        node.func.id
        for entity in entities
        for node in _trees(entity, world.snapshot)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    strangers = sorted(name for name in calls - WORDS.names if world.snapshot.named(name))
    return world.rng.choice(strangers) if strangers else None


def _name_of_range(answer: AnswerDraft, world: World) -> str | None:
    names = _names_on(answer.expected_line_ranges[0], world.snapshot)
    return world.rng.choice(names) if names else None


def _attribute_there(answer: AnswerDraft, world: World) -> str | None:
    """Pick a chain of names that the expected code uses."""
    chains = {
        ast.unparse(node)
        for identifier in answer.entity_ids
        if (entity := world.snapshot.entity(identifier))
        for node in _trees(entity, world.snapshot)
        if isinstance(node, ast.Attribute) and re.fullmatch(r"[\w.]+", ast.unparse(node))
    }
    return world.rng.choice(sorted(chains)) if chains else None


def _code_there(answer: AnswerDraft, world: World) -> str | None:
    """Pick an expression of the expected code, as it stands there."""
    pieces: set[str] = set()
    for identifier in answer.entity_ids:
        entity = world.snapshot.entity(identifier)
        for node in _trees(entity, world.snapshot) if entity else ():
            if isinstance(node, ast.Compare | ast.BoolOp | ast.Call | ast.Subscript):
                piece = ast.unparse(node)
                if "`" not in piece and "\n" not in piece and len(piece) < 200:
                    pieces.add(piece)
    return world.rng.choice(sorted(pieces)) if pieces else None


def _with_entity(answer: AnswerDraft, identifier: str) -> AnswerDraft:
    first, *rest = answer.expected_entities
    return _changed(
        answer, expected_entities=(first.model_copy(update={"entity_id": identifier}), *rest)
    )


def _changed(answer: AnswerDraft, **changes: object) -> AnswerDraft:
    return answer.model_copy(update=changes)


def _changed_range(answer: AnswerDraft, field: str, **changes: object) -> AnswerDraft:
    first, *rest = getattr(answer, field)
    return _changed(answer, **{field: (first.model_copy(update=changes), *rest)})


def _misspelt(answer: AnswerDraft, world: World) -> AnswerDraft:
    path, _, name = answer.entity_ids[0].partition("::")
    while True:
        at = world.rng.randrange(len(name))
        wrong = name[:at] + world.rng.choice(("x", "", name[at] * 2)) + name[at + 1 :]
        if world.snapshot.entity(f"{path}::{wrong}") is None:
            return _with_entity(answer, f"{path}::{wrong}")


def _wrong_file(answer: AnswerDraft, world: World) -> AnswerDraft:
    name = answer.entity_ids[0].partition("::")[2]
    while True:
        path = world.other_file(answer)
        if world.snapshot.entity(f"{path}::{name}") is None:
            return _changed(
                _with_entity(answer, f"{path}::{name}"),
                expected_files=(*answer.expected_files, path),
            )


def _unlisted_entity(answer: AnswerDraft, world: World) -> AnswerDraft:
    stranger = ExpectedEntity(
        entity_id=world.outsider(answer).entity_id, role="supporting", rationale="It helps."
    )
    return _changed(answer, expected_entities=(*answer.expected_entities, stranger))


def _beside(answer: AnswerDraft, world: World) -> AnswerDraft:
    file = answer.expected_files[0]
    spans = [
        span
        for i in answer.entity_ids
        if (e := world.snapshot.entity(i)) and e.path == file
        for span in e.spans
    ]
    last = world.snapshot.line_count(file)
    free = [
        line for line in range(1, last + 1) if not any(span.touches(line, line) for span in spans)
    ]
    line = world.rng.choice(free) if free else 0
    return (
        _changed_range(answer, "expected_line_ranges", file=file, start=line, end=line)
        if free
        else answer
    )


def _past_the_end(field: str) -> Mutate:
    def mutate(answer: AnswerDraft, world: World) -> AnswerDraft:
        last = world.snapshot.line_count(getattr(answer, field)[0].file)
        return _changed_range(answer, field, end=last + world.rng.randint(1, 50))

    return mutate


def _reversed(field: str) -> Mutate:
    return lambda answer, world: _changed_range(
        answer,
        field,
        start=(first := getattr(answer, field)[0]).end + world.rng.randint(1, 9),
        end=first.end,
    )


def _at_zero(field: str) -> Mutate:
    return lambda answer, world: _changed_range(answer, field, start=-world.rng.randint(0, 2))


def _unlisted_range(field: str) -> Mutate:
    return lambda answer, world: _changed_range(
        answer, field, file=world.other_file(answer), start=1, end=1
    )


def _says(pick: Callable[[AnswerDraft, World], str | None]) -> Mutate:
    """Put a name into the middle of the narrative."""

    def mutate(answer: AnswerDraft, world: World) -> AnswerDraft:
        name = pick(answer, world)
        if name is None:
            return answer
        sentences = re.split(r"(?<=\.) ", answer.canonical_narrative)
        phrase = world.rng.choice(
            ("It hands over to {}.", "Part of it lives in {}, too.", "({} takes part as well.)")
        )
        sentences.insert(world.rng.randint(0, len(sentences)), phrase.format(name))
        return _changed(answer, canonical_narrative=" ".join(sentences))

    return mutate


def _filler(answer: AnswerDraft, _: World) -> AnswerDraft:
    """Say nothing, where the facts say something."""
    if not any("`" in fact for fact in answer.must_mention_facts):
        return answer
    return _changed(answer, canonical_narrative=_FILLER_NARRATIVE)


def _without_summary(answer: AnswerDraft, _: World) -> AnswerDraft:
    """Leave out what a narrative says of the facts, where it speaks of them nowhere else."""
    sentences = re.split(r"(?<=\.) ", answer.canonical_narrative)
    others = [sentence for sentence in sentences if not sentence.startswith(_SUMMARY_LEAD)]
    narrative = " ".join(others)
    spoken = set(re.findall(r"\w+", narrative))
    for fact in answer.must_mention_facts:
        names = {name for code in _MARKED.findall(fact) for name in names_in(code)}
        if names and names.isdisjoint(spoken):
            return _changed(answer, canonical_narrative=narrative)
    return answer


def _unsaid(asked: AskedAnswer, names: set[str]) -> AskedAnswer:
    """Leave names out of the first fact, where no other fact speaks of them."""
    first, *others = asked.answer.must_mention_facts
    if not names or names & set(re.findall(r"\w+", " ".join(others))):
        return asked
    clauses = [
        clause
        for clause in first.removesuffix(".").split(", and ")
        if names.isdisjoint(re.findall(r"\w+", clause))
    ]
    fact = f"{', and '.join(clauses) or 'It ends early'}."
    answer = _changed(asked.answer, must_mention_facts=(fact, *others))
    return dataclasses.replace(asked, answer=answer)


def _without_error(asked: AskedAnswer, _: World) -> AskedAnswer:
    code = _MARKED.findall(asked.answer.must_mention_facts[0])[0].strip("`")
    return _unsaid(asked, {code.rpartition(".")[2]})


def _without_condition(asked: AskedAnswer, world: World) -> AskedAnswer:
    conditions = _MARKED.findall(asked.answer.must_mention_facts[0])[1:]
    if not conditions or asked.intent.kind != "raise_condition":
        return asked
    return _unsaid(asked, names_in(world.rng.choice(conditions).strip("`")))


def _without_verdict(asked: AskedAnswer, _: World) -> AskedAnswer:
    if asked.intent.kind != "swallowed_error":
        return asked
    narrative = f"Well. {asked.answer.canonical_narrative}"
    return dataclasses.replace(asked, answer=_changed(asked.answer, canonical_narrative=narrative))


def _about_another(asked: AskedAnswer, world: World) -> AskedAnswer:
    stranger = world.outsider(asked.answer).entity_id
    return dataclasses.replace(asked, intent=asked.intent.model_copy(update={"subject": stranger}))


def _about_other_lines(asked: AskedAnswer, _: World) -> AskedAnswer:
    """Mean the first line of the function, which neither raises nor catches."""
    whole = asked.answer.expected_line_ranges[0]
    lines = whole.model_copy(update={"end": whole.start})
    return dataclasses.replace(asked, intent=asked.intent.model_copy(update={"lines": lines}))


def _in_fact(pick: Callable[[AnswerDraft, World], str | None]) -> Mutate:
    """Put a name into a fact, beside what it says."""

    def mutate(answer: AnswerDraft, world: World) -> AnswerDraft:
        name = pick(answer, world)
        facts = list(answer.must_mention_facts)
        place = world.rng.randrange(len(facts))
        facts[place] = facts[place].removesuffix(".") + f", which is up to {name}."
        return answer if name is None else _changed(answer, must_mention_facts=tuple(facts))

    return mutate


def _in_must_not(pick: Callable[[AnswerDraft, World], str | None]) -> Mutate:
    def mutate(answer: AnswerDraft, world: World) -> AnswerDraft:
        false_fact = f"It hands everything over to {pick(answer, world)} at once."
        return _changed(answer, must_not_mention_facts=(false_fact,))

    return mutate


def _with_other_capitals(fact: str) -> str:
    """Write the prose of a fact in capitals; its code would be other code."""
    pieces = fact.split("`")
    pieces[::2] = map(str.upper, pieces[::2])
    return "`".join(pieces)


def _in_rationale(pick: Callable[[AnswerDraft, World], str | None]) -> Mutate:
    def mutate(answer: AnswerDraft, world: World) -> AnswerDraft:
        first, *rest = answer.expected_entities
        reason = f"{first.rationale} So does {pick(answer, world)}."
        entity = first.model_copy(update={"rationale": reason})
        return _changed(answer, expected_entities=(entity, *rest))

    return mutate


def _marked(pick: Callable[[AnswerDraft, World], str | None]) -> Callable[..., str | None]:
    def mark(answer: AnswerDraft, world: World) -> str | None:
        name = pick(answer, world)
        return None if name is None else f"`{name}`"

    return mark


def _dotted(answer: AnswerDraft, world: World) -> str:
    entity = world.outsider(answer)
    module = entity.path.rpartition(".")[0].removesuffix("/__init__").replace("/", ".")
    return entity.name if "." in entity.name else f"{module}.{entity.name}"


SOUND: dict[str, Mutate] = {
    "narrative names what the code calls": _says(_marked(_called_there)),
    "narrative names what stands there": _says(_marked(_name_of_range)),
    "narrative names an attribute": _says(_marked(_attribute_there)),
    "narrative quotes code": _says(_marked(_code_there)),
    "must-not names what stands there": _in_must_not(_marked(_name_of_range)),
    "rationale names what stands there": _in_rationale(_marked(_name_of_range)),
    "rationale quotes code": _in_rationale(_marked(_code_there)),
}


MUTATIONS: dict[str, tuple[str, Mutate]] = {
    "hallucinated entity": (
        "entity_resolves",
        lambda a, w: _with_entity(a, f"{a.expected_files[0]}::Imagined{w.rng.randrange(999)}.act"),
    ),
    "misspelt entity": ("entity_resolves", _misspelt),
    "real name in the wrong file": ("entity_resolves", _wrong_file),
    "file that is not there": (
        "file_exists",
        lambda a, w: _changed(
            a, expected_files=(*a.expected_files, f"lost/part{w.rng.randrange(999)}.py")
        ),
    ),
    "file written with ./": (
        "file_exists",
        lambda a, _: _changed(a, expected_files=(f"./{a.expected_files[0]}",)),
    ),
    "range past the end": ("line_range_valid", _past_the_end("expected_line_ranges")),
    "range reversed": ("line_range_valid", _reversed("expected_line_ranges")),
    "range at zero or below": ("line_range_valid", _at_zero("expected_line_ranges")),
    "citation past the end": ("line_range_valid", _past_the_end("fact_citations")),
    "citation reversed": ("line_range_valid", _reversed("fact_citations")),
    "citation at zero or below": ("line_range_valid", _at_zero("fact_citations")),
    "evidence past the end": ("evidence_exists", _past_the_end("source_evidence")),
    "evidence reversed": ("evidence_exists", _reversed("source_evidence")),
    "evidence at zero or below": ("evidence_exists", _at_zero("source_evidence")),
    "evidence of a lost file": (
        "evidence_exists",
        lambda a, _: _changed(
            a,
            source_evidence=(
                *a.source_evidence,
                Evidence(file="lost/part.py", start=1, end=2, read_at_step=2),
            ),
        ),
    ),
    "cited lines never read": (
        "evidence_read",
        lambda a, w: _changed(
            a, source_evidence=(Evidence(file=w.other_file(a), start=1, end=1, read_at_step=1),)
        ),
    ),
    "entity whose file is not listed": ("entity_file_listed", _unlisted_entity),
    "range in an unlisted file": ("range_in_listed_file", _unlisted_range("expected_line_ranges")),
    "citation in an unlisted file": ("range_in_listed_file", _unlisted_range("fact_citations")),
    "range beside the entities": ("range_touches_entity", _beside),
    "narrative drops a path": ("narrative_covered", _says(lambda a, w: w.other_file(a))),
    "narrative drops a file name": (
        "narrative_covered",
        _says(lambda a, w: w.other_file(a).rpartition("/")[2]),
    ),
    "narrative invents a path": (
        "narrative_covered",
        _says(lambda _, w: f"lost/part{w.rng.randrange(999)}.py"),
    ),
    "narrative drops a dotted name": ("narrative_covered", _says(_dotted)),
    "narrative drops a bare name": (
        "narrative_covered",
        _says(lambda a, w: w.outsider(a, shaped=True).simple_name),
    ),
    "narrative drops a marked word": (
        "narrative_covered",
        _says(lambda a, w: f"`{w.outsider(a).simple_name}`"),
    ),
    "narrative drops a called word": (
        "narrative_covered",
        _says(lambda a, w: f"{w.outsider(a).simple_name}()"),
    ),
    "narrative drops an entity id": (
        "narrative_covered",
        _says(lambda a, w: w.outsider(a).entity_id),
    ),
    "narrative invents a name": ("narrative_covered", _says(lambda _, w: w.invention())),
    "narrative is filler": ("narrative_names_something", _filler),
    "narrative leaves facts out": ("answers_question", _without_summary),
    "fact invents a name": ("facts_covered", _in_fact(lambda _, w: w.invention())),
    "fact drops a marked word": (
        "facts_covered",
        _in_fact(lambda a, w: f"`{w.outsider(a).simple_name}`"),
    ),
    "fact drops a dotted name": ("facts_covered", _in_fact(_dotted)),
    "fact drops an entity id": ("facts_covered", _in_fact(lambda a, w: w.outsider(a).entity_id)),
    "fact drops a path": ("facts_covered", _in_fact(lambda a, w: w.other_file(a))),
    "must-not invents a name": ("must_nots_covered", _in_must_not(lambda _, w: w.invention())),
    "must-not drops a marked word": (
        "must_nots_covered",
        _in_must_not(lambda a, w: f"`{w.outsider(a).simple_name}`"),
    ),
    "must-not drops a path": ("must_nots_covered", _in_must_not(lambda a, w: w.other_file(a))),
    "rationale invents a name": ("rationales_covered", _in_rationale(lambda _, w: w.invention())),
    "rationale drops a marked word": (
        "rationales_covered",
        _in_rationale(lambda a, w: f"`{w.outsider(a).simple_name}`"),
    ),
    "rationale drops a path": ("rationales_covered", _in_rationale(lambda a, w: w.other_file(a))),
    "too few facts": (
        "answer_shape",
        lambda a, _: _changed(a, must_mention_facts=a.must_mention_facts[:2]),
    ),
    "too many facts": (
        "answer_shape",
        lambda a, _: _changed(
            a, must_mention_facts=tuple(f"Fact number {n} holds." for n in range(9))
        ),
    ),
    "the same fact twice": (
        "answer_shape",
        lambda a, _: _changed(
            a,
            must_mention_facts=(
                *a.must_mention_facts[:-1],
                _with_other_capitals(a.must_mention_facts[0]),
            ),
        ),
    ),
    "no false fact": ("answer_shape", lambda a, _: _changed(a, must_not_mention_facts=())),
    "narrative too short": (
        "answer_shape",
        lambda a, _: _changed(a, canonical_narrative="It does the work."),
    ),
    "narrative too long": (
        "answer_shape",
        lambda a, _: _changed(a, canonical_narrative=a.canonical_narrative * 4),
    ),
    "citation of a missing fact": (
        "answer_shape",
        lambda a, _: _changed_range(a, "fact_citations", claim_id="fact-9"),
    ),
    "fact without citation": (
        "answer_shape",
        lambda a, _: _changed(a, fact_citations=a.fact_citations[1:]),
    ),
    "low confidence without notes": (
        "answer_shape",
        lambda a, _: _changed(a, confidence="low", uncertainty_notes=None),
    ),
    "no primary entity": (
        "answer_shape",
        lambda a, _: _changed(
            a,
            expected_entities=tuple(
                e.model_copy(update={"role": "supporting"}) for e in a.expected_entities
            ),
        ),
    ),
}


ASKED_MUTATIONS: dict[str, MutateAsked] = {
    "error is left out": _without_error,
    "condition is left out": _without_condition,
    "verdict is left out": _without_verdict,
    "question about another entity": _about_another,
    "question about other lines": _about_other_lines,
}
"""Answers that leave their question open; all fail under ``answers_question``."""


@dataclass(frozen=True)
class Outcome:
    """Mutants made and caught per kind, and what the gate said against valid answers."""

    made: Counter[str]
    caught: Counter[str]
    valid: int
    false_alarms: tuple[str, ...]
    missed: tuple[str, ...]


def run(
    world: World,
    answers: Sequence[AnswerDraft],
    mutants: int,
    *,
    asked: Sequence[AskedAnswer] = (),
) -> Outcome:
    """Break answers in every way, as many times as asked, and count what is caught under the right
    code; reword them soundly, and count what is stopped.
    """
    made: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    missed: list[str] = []
    alarms = [_alarms(answer, world) for answer in answers]
    asked_alarms = [_alarms(each.answer, world, each.intent) for each in asked]
    valid = [answer for answer, alarm in zip(answers, alarms, strict=True) if not alarm]
    for kind, reword in SOUND.items():
        reworded = [reword(world.rng.choice(valid), world) for _ in range(mutants)]
        alarms += [[f"{kind}: {line}" for line in _alarms(answer, world)] for answer in reworded]
    for kind, (code, mutate) in MUTATIONS.items():
        for answer in (world.rng.choice(valid) for _ in range(mutants)):
            mutant = mutate(answer, world)
            if mutant == answer:
                continue
            made[kind] += 1
            if any(failure.check == code for failure in run_gate(mutant, world.snapshot)):
                caught[kind] += 1
            else:
                missed.append(f"{kind}: {mutant.as_json()}")
    sound = [each for each, alarm in zip(asked, asked_alarms, strict=True) if not alarm]
    for kind, is_caught, open_answer in _asked_mutants(world, sound, mutants):
        made[kind] += 1
        caught[kind] += is_caught
        if not is_caught:
            missed.append(f"{kind}: {open_answer.intent} {open_answer.answer.as_json()}")
    alarms += asked_alarms
    false_alarms = tuple(line for alarm in alarms for line in alarm)
    return Outcome(made, caught, len(alarms), false_alarms, tuple(missed))


def _asked_mutants(
    world: World, sound: Sequence[AskedAnswer], mutants: int
) -> Iterator[tuple[str, bool, AskedAnswer]]:
    """Yield answers that leave their question open: the kind, and whether the gate notices."""
    for kind, mutate in ASKED_MUTATIONS.items():
        for original in world.rng.choices(sound, k=mutants) if sound else ():
            mutant = mutate(original, world)
            if mutant != original:
                failures = run_gate(mutant.answer, world.snapshot, intent=mutant.intent)
                is_caught = any(failure.check == "answers_question" for failure in failures)
                yield kind, is_caught, mutant


def _alarms(answer: AnswerDraft, world: World, intent: Intent | None = None) -> list[str]:
    failures = run_gate(answer, world.snapshot, intent=intent)
    return [f"{failure.check} {failure.claim} {failure.message}" for failure in failures]


def read_answers(path: Path) -> list[AnswerDraft]:
    """Read answers or labels, one a line."""
    fields = AnswerDraft.model_fields
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line)
    return [
        AnswerDraft.model_validate_json(
            json.dumps({key: value for key, value in row.items() if key in fields})
        )
        for row in rows
    ]


def _report(name: str, outcome: Outcome, *, verbose: bool) -> None:
    print(f"\n{name}: {outcome.valid} valid answers, {len(outcome.false_alarms)} false alarms")
    for kind in (*MUTATIONS, *ASKED_MUTATIONS):
        print(f"  {kind:34} {outcome.caught[kind]:6} of {outcome.made[kind]:6}")
    made, caught = outcome.made.total(), outcome.caught.total()
    print(f"  {'all':34} {caught:6} of {made:6}  ({caught / made:.4%})")
    for line in (*outcome.false_alarms, *outcome.missed) if verbose else ():
        print(f"  ! {line}")


def main() -> None:
    """Run the campaign on each codebase and print a table for it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("codebases", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--answers", type=Path)
    parser.add_argument("--answers-per", type=int, default=100)
    parser.add_argument("--mutants", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--verbose", action="store_true", help="print every false alarm and every miss"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        for codebase in options.codebases:
            snapshot = open_snapshot(codebase, rev=None, cache=Path(cache), allow_dirty=True)
            world = make_world(snapshot, random.Random(options.seed))
            answers = (
                read_answers(options.answers)
                if options.answers
                else list(make_answers(world, options.answers_per))
            )
            asked = list(make_asked_answers(world, options.answers_per))
            outcome = run(world, answers, options.mutants, asked=asked)
            _report(codebase.name, outcome, verbose=options.verbose)


if __name__ == "__main__":
    main()
