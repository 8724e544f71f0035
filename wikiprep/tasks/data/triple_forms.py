"""Sentences with triples as JSON, in the three forms in which NYT24 and WebNLG are spread.

(a) {"sentText", "entityMentions": [{"text", "label"}], "relationMentions": [{"em1Text", "em2Text", "label"}]}
(b) {"text", "triple_list": [[subject, relation, object]]}
(c) {"id", "text", "relation_list": [{"subject", "subj_char_span", "object", "obj_char_span", "predicate"}]}, and
    perhaps "entity_list": [{"text", "char_span"}]

A file is an object a line, or a list of objects, all of one form. (a) and (b) give no places: an entity is where its
name stands first (`locate.py`). Spans of (c) are [start, end) in characters, and are checked against the names.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from wikiprep.tasks.data.benchmark_files import UniqueIds
from wikiprep.tasks.data.json_values import Value, read_json_lines
from wikiprep.tasks.data.locate import first_place, words_at
from wikiprep.tasks.examples import JointExample, Span, Triple
from wikiprep.textlines import read_whole

FORM = (
    'a sentence is {"sentText", "entityMentions": [{"text"}], "relationMentions": [{"em1Text", "em2Text", "label"}]}, '
    'or {"text", "triple_list": [[subject, relation, object]]}, or {"id", "text", "relation_list": [{"subject", '
    '"subj_char_span", "object", "obj_char_span", "predicate"}]}; a line each, or one list of all'
)
NOT_THERE = "entities whose name is not in the text"
TWICE = "triples: the same as one before in their text"
NO_TRIPLE = "texts: without a triple"
SIGNS = {"sentText": "a", "triple_list": "b", "relation_list": "c"}


@dataclass(frozen=True, slots=True)
class FileEntity:
    """An entity as a file has it: `span` where the file says it."""

    name: str
    span: Span | None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as a file has it; `place` names it in errors."""

    id: str
    text: str
    entities: tuple[FileEntity, ...]
    triples: tuple[tuple[FileEntity, str, FileEntity], ...]
    place: str


def read_sentences(path: Path) -> Iterator[Sentence]:
    """The sentences of a file, in order. Raises WikiprepError that names the place of what is not as it must be."""
    ids, first = UniqueIds(), ""
    for number, item in enumerate(_items(path)):
        form = _form(item)
        if form is None:
            raise item.bad(f"has none of {', '.join(map(repr, SIGNS))}")
        first = first or form
        if form != first:
            raise item.bad(f"is of form ({form}), the sentence before of form ({first})")
        name = ids.take(_id(item, number), item.place)
        text = item.text("sentText" if form == "a" else "text")
        if not text.strip():
            raise item.bad("the text is empty")
        read_form = {"a": _read_mentions, "b": _read_lists, "c": _read_spans}[form]
        yield Sentence(name, text, *read_form(item, text), item.place.removesuffix(":"))


def read_file(path: Path, left_out: Counter[str]) -> Iterator[JointExample]:
    """The sentences with their entities located, `form` still "".

    `left_out` counts names that are not there, triples that are repeated, and sentences without a triple, which stay.
    Raises WikiprepError as `read_sentences`.
    """
    for sentence in read_sentences(path):
        places: dict[str, Span | None] = {}

        def place(
            entity: FileEntity, places: dict[str, Span | None] = places, text: str = sentence.text
        ) -> Span | None:
            if entity.span is not None:
                return entity.span
            if entity.name not in places:
                places[entity.name] = first_place(entity.name, text)
                left_out[NOT_THERE] += places[entity.name] is None
            return places[entity.name]

        triples = []
        for head, relation, tail in sentence.triples:
            spans = place(head), place(tail)
            names = (
                _entity_text(sentence.text, entity, span) for entity, span in zip((head, tail), spans, strict=True)
            )
            triples.append(Triple(next(names), relation, next(names), *spans))
        spans_of = {place(entity) for entity in sentence.entities}
        spans_of |= {span for triple in triples for span in (triple.head, triple.tail)}
        unique_triples = tuple(dict.fromkeys(triples))
        left_out[TWICE] += len(triples) - len(unique_triples)
        left_out[NO_TRIPLE] += not unique_triples
        yield JointExample(
            sentence.id, sentence.text, tuple(sorted(s for s in spans_of if s is not None)), unique_triples, ""
        )


def _entity_text(text: str, entity: FileEntity, span: Span | None) -> str:
    return " ".join(entity.name.split()) if span is None else words_at(text, span)


def _items(path: Path) -> Iterator[Value]:
    try:
        document = Value(orjson.loads(read_whole(path)), f"{path}:", FORM)
    except orjson.JSONDecodeError:
        yield from read_json_lines(path, FORM)  # names the line that is no JSON
        return
    if isinstance(document.raw, dict):
        yield Value(document.raw, f"{path}:1:", FORM)  # lines, but one
        return
    for item in document.items():
        if not isinstance(item.raw, dict):
            raise item.bad("is not an object")
        yield item


def _form(item: Value) -> str | None:
    return next((form for sign, form in SIGNS.items() if sign in item.raw), None)


def _id(item: Value, number: int) -> str:
    if not item.has("id"):
        return str(number)
    return item.text("id") if isinstance(item.raw["id"], str) else str(item.number("id"))


Read = tuple[tuple[FileEntity, ...], tuple[tuple[FileEntity, str, FileEntity], ...]]


def _read_mentions(item: Value, text: str) -> Read:
    entities = tuple(_read_entity(entry, "text") for entry in item.list("entityMentions").items())
    triples = tuple(
        (_read_entity(entry, "em1Text"), _read_name(entry, "label"), _read_entity(entry, "em2Text"))
        for entry in item.list("relationMentions").items()
    )
    # The published files write a pair without a relation as one of the relation "None".
    return entities, tuple(triple for triple in triples if triple[1] != "None")


def _read_lists(item: Value, text: str) -> Read:
    triples = []
    for entry in item.list("triple_list").items():
        values = entry.raw
        are_texts = isinstance(values, list) and all(isinstance(value, str) and value.strip() for value in values)
        if not are_texts or len(values) != 3:
            raise entry.bad("is not [subject, relation, object], three texts")
        triples.append((FileEntity(values[0], None), values[1].strip(), FileEntity(values[2], None)))
    return (), tuple(triples)


def _read_spans(item: Value, text: str) -> Read:
    entities: tuple[FileEntity, ...] = ()
    if item.has("entity_list"):
        entities = tuple(
            _read_spanned_entity(entry, "text", "char_span", text) for entry in item.list("entity_list").items()
        )
    triples = tuple(
        (
            _read_spanned_entity(entry, "subject", "subj_char_span", text),
            _read_name(entry, "predicate"),
            _read_spanned_entity(entry, "object", "obj_char_span", text),
        )
        for entry in item.list("relation_list").items()
    )
    return entities, triples


def _read_entity(item: Value, field: str) -> FileEntity:
    return FileEntity(_read_name(item, field), None)


def _read_name(item: Value, field: str) -> str:
    name = item.text(field)
    if not name.strip():
        raise item.bad(f'"{field}" is empty')
    return name.strip()


def _read_spanned_entity(item: Value, field: str, span_field: str, text: str) -> FileEntity:
    name, bounds = _read_name(item, field), item.list(span_field).raw
    if len(bounds) != 2 or not all(type(number) is int for number in bounds):
        raise item.bad(f'"{span_field}" is not [start, end]')
    start, end = item.span(bounds[0], bounds[1], len(text), "the text")
    if "".join(text[start:end].split()).casefold() != "".join(name.split()).casefold():
        raise item.bad(f"[{start}, {end}) is {text[start:end]!r}, not {name!r}")
    return FileEntity(name, (start, end))
