"""Entities with names in several languages: "en:Oslo", as `merge-vocabularies` and published mLUKE models write them.

A run on corpora of several languages that share their entity ids has all of their titles in its `about` folder, each
with its language before it; special tokens are bare. Who asks in one language gives and gets plain titles of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from wikiprep.errors import UsageError
from wikiprep.pretrain.luke.corpus_entities import Entities, read_entities, redirects_of, vocabulary_path
from wikiprep.tables.entity_vocab import SPECIALS

OfCorpus = tuple[str, Path]  # its language, and the corpus as a folder on disk


def with_language(language: str, title: str) -> str:
    """The name of an entity among those of several languages."""
    return f"{language}:{title}" if language and title not in SPECIALS else title


def merged_entities(corpora: Sequence[OfCorpus]) -> Entities:
    """Of corpora whose ids mean the same, in the order of ids, then of corpora. Raises as `read_entities`."""
    ids: dict[str, int] = {}
    qids: dict[str, str] = {}
    for language, corpus in corpora:
        entities = read_entities(vocabulary_path(corpus))
        ids |= {with_language(language, title): number for title, number in entities.ids.items()}
        qids |= {with_language(language, title): qid for title, qid in entities.qids.items()}
    order = sorted(ids.items(), key=lambda item: item[1])
    return Entities(dict(order), qids, order[-1][1] + 1)


def write_entities(entities: Entities, target: Path) -> None:
    """For `read_entities`."""
    columns = {"id": pa.array(entities.ids.values(), pa.int32()), "title": pa.array(entities.ids)}
    if entities.qids:
        columns["qid"] = pa.array([entities.qids.get(title) for title in entities.ids], pa.string())
    pq.write_table(pa.table(columns), target)


def merged_redirects(corpora: Sequence[OfCorpus]) -> dict[str, str]:
    """Title -> title at the end of its chain, both with their language."""
    return {
        with_language(language, title): with_language(language, final)
        for language, corpus in corpora
        for title, final in redirects_of(corpus).items()
    }


def write_redirects(redirects: Mapping[str, str], entities: Entities, target: Path) -> None:
    """Those that lead to an entity, for `read_redirects`; no file where there is none."""
    rows = sorted((title, final) for title, final in redirects.items() if final in entities.ids)
    if rows:
        pq.write_table(pa.table({"title": [title for title, _ in rows], "final": [final for _, final in rows]}), target)


@dataclass(frozen=True)
class EntityNames:
    """The names that a model is asked by: `ids` and `qids` by title, and the title that each id is told by."""

    ids: Mapping[str, int]
    qids: Mapping[str, str]
    title: Mapping[int, str]

    @classmethod
    def of(cls, entities: Entities, languages: Sequence[str], language: str | None) -> "EntityNames":
        """`languages`: of the titles, where there are several.

        With a `language` its titles are plain, and those of the others stay; an entity without a title in it is told by
        that of the first language that has one.

        Raises UsageError for a language that the model does not have.
        """
        titles = {number: title for title, number in reversed(entities.ids.items())}
        if not languages or language is None:
            return cls(entities.ids, entities.qids, titles)
        _check_language(language, languages)
        plain = {title: name for name in entities.ids if (title := in_language(name, language)) is not None}
        ids = entities.ids | {title: entities.ids[name] for title, name in plain.items()}
        qids = entities.qids | {title: entities.qids[name] for title, name in plain.items() if name in entities.qids}
        own_titles = {entities.ids[name]: title for title, name in reversed(plain.items())}
        return cls(ids, qids, titles | own_titles)


def plain_redirects(redirects: Mapping[str, str], language: str | None) -> dict[str, str]:
    """With a `language` also those of it under their plain titles."""
    if language is None:
        return dict(redirects)
    plain = ((in_language(title, language), in_language(final, language)) for title, final in redirects.items())
    return dict(redirects) | {title: final for title, final in plain if title is not None and final is not None}


def in_language(name: str, language: str) -> str | None:
    """The plain title of a name of that language; None of another."""
    return name.removeprefix(f"{language}:") if name.startswith(f"{language}:") else None


def _check_language(language: str, languages: Sequence[str]) -> None:
    if language not in languages:
        raise UsageError(
            f"--language {language}: the model has no titles in it", f"it has titles in {', '.join(languages)}"
        )
