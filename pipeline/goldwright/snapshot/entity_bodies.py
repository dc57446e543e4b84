"""What the code of an entity is, whatever stands around it."""

from goldwright.snapshot.codebase import SourceTree
from goldwright.snapshot.entities import Entity
from goldwright.snapshot.languages.language_catalog import language_of
from goldwright.snapshot.source_text import SPAN_SEPARATOR


def body_text(codebase: SourceTree, entity: Entity) -> str:
    r"""Give the code of an entity: its spans with their decorators, dedented, no trailing blanks.

    Lines end in ``\n``; several spans stand a form feed apart. The text of strings stays as it is.
    """
    language = language_of(entity.path)
    if language is None:
        raise ValueError(f"{entity.path}: holds an entity, and is of no language")
    source = codebase.source(entity.path)
    texts = [language.dedent(source.lines_of(span)) for span in entity.spans]
    return SPAN_SEPARATOR.join(texts)
