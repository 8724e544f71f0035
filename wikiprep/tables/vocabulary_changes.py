"""What changed between the entity vocabularies of two builds: entities added, removed and renamed.

A page is known again by its id, which a move keeps, and by its title where it has none or was made anew.
"""

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import MANIFEST, read_manifest
from wikiprep.storage.memory_maps import absent_table_error
from wikiprep.tables.entity_vocab import SPECIALS, VOCAB_PARQUET


@dataclass(frozen=True, slots=True)
class VocabularyRow:
    """A row of a vocabulary. `count`: links to it."""

    title: str
    page_id: int | None
    count: int


@dataclass(frozen=True, slots=True)
class Changes:
    """`added` by their links in the new build, `removed` by those in the old, `renamed` (old, new) by the new one's;
    most links first. `kept`: entities of the same title."""

    added: list[VocabularyRow]
    removed: list[VocabularyRow]
    renamed: list[tuple[VocabularyRow, VocabularyRow]]
    kept: int


def changes_between(old: Store, new: Store) -> Changes:
    """Compare the vocabularies of two builds. Memory: both at once, some 200 bytes an entity.

    Raises WikiprepError where a build has no vocabulary, UsageError where they are of two wikis.
    """
    _check_same_wiki(old, new)
    before, after = _entities(old), _entities(new)
    removed = {title: entity for title, entity in before.items() if title not in after}
    by_id = {entity.page_id: entity for entity in removed.values() if entity.page_id is not None}
    added: list[VocabularyRow] = []
    renamed: list[tuple[VocabularyRow, VocabularyRow]] = []
    for title, entity in after.items():
        if title in before:
            continue
        old_entity = by_id.get(entity.page_id) if entity.page_id is not None else None
        if old_entity is None:
            added.append(entity)
        else:
            renamed.append((old_entity, entity))
            del removed[old_entity.title]
    return Changes(added, list(removed.values()), renamed, len(after) - len(added) - len(renamed))


def _check_same_wiki(old: Store, new: Store) -> None:
    """By the database's name in the manifests; by language where one has none, as text from elsewhere has."""
    store_inputs = [(store, read_manifest(store).inputs) for store in (old, new) if store.size(MANIFEST) is not None]
    names = [inputs.of_site("dbname") for _, inputs in store_inputs]
    if not all(names):
        names = [inputs.language for _, inputs in store_inputs]
    if len(names) == 2 and all(names) and names[0] != names[1]:
        raise UsageError(
            f"{old.url} is of {names[0]}, {new.url} of {names[1]}: two wikis have no changes between them",
            "give two builds of one wiki",
        )


def _absent(store: Store, path: str) -> WikiprepError:
    hint = "give a corpus that has its tables (`wikiprep tables`)"
    if store.root is not None:
        return absent_table_error(store.root / path, hint)
    return WikiprepError(f"{store.url}/{path}: no such table", hint)


def _entities(store: Store) -> dict[str, VocabularyRow]:
    """By title, in order of id: the most linked first."""
    path = f"tables/{VOCAB_PARQUET}"
    if store.size(path) is None:
        raise _absent(store, path)
    try:
        table = pq.read_table(store.fetch(path), columns=["title", "page_id", "count"])
    except pa.ArrowInvalid as error:
        raise WikiprepError(f"{store.url}/{path}: not a whole table ({error})", "run the build again") from error
    rows = zip(*(table[name].to_pylist() for name in table.column_names), strict=True)
    return {title: VocabularyRow(title, page_id, count) for title, page_id, count in rows if title not in SPECIALS}
