"""How many words questions share with their first target."""

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import Final

from goldwright.trust_card.estimates import mean
from goldwright.trust_card.material import CardMaterial
from goldwright.trust_card.measure import FigureMeasure, FigureText, Observation
from goldwright.trust_card.prose.words import content_words
from goldwright.trust_card.source.modules import CodeDefinition

TextOf = Callable[[CodeDefinition], str]


def _docstring(definition: CodeDefinition) -> str:
    return definition.docstring


def _name(definition: CodeDefinition) -> str:
    return definition.name.replace(".", " ")


def _path(definition: CodeDefinition) -> str:
    path = PurePosixPath(definition.path).with_suffix("")
    return " ".join(path.parts)


def _overlap_with(text_of: TextOf) -> Callable[[CardMaterial], Iterator[Observation]]:
    def observe(material: CardMaterial) -> Iterator[Observation]:
        for record in material.records:
            question = set(content_words(record.query))
            if not question or not record.targets:
                continue
            definition = material.code.names.definition(record.targets[0])
            if definition is None or not text_of(definition):
                continue
            shared = question.intersection(content_words(text_of(definition)))
            shared_part = len(shared) / len(question)
            yield Observation(record.query_id, shared_part)

    return observe


MEASURES: Final = (
    FigureMeasure(
        FigureText(
            "overlap_with_docstring",
            "words of a question in its target's docstring",
            "The mean share of the content words of a question, by their stems, that stand in the "
            "docstring of its first target; targets without one are left out.",
        ),
        _overlap_with(_docstring),
        mean,
    ),
    FigureMeasure(
        FigureText(
            "overlap_with_name",
            "words of a question in its target's name",
            "The same for the qualified name of the first target, split into words.",
        ),
        _overlap_with(_name),
        mean,
    ),
    FigureMeasure(
        FigureText(
            "overlap_with_path",
            "words of a question in its target's path",
            "The same for the path of its file, split into words.",
        ),
        _overlap_with(_path),
        mean,
    ),
)
