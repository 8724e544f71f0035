"""One entity vocabulary for several wikis, as mLUKE's.

An entity is a Wikidata item, kept where enough languages have it, with the links of all of them.

What a wiki calls the item is kept beside it, so that each wiki's titles lead to the shared ids. Nothing depends on the
order in which the wikis come: languages are sorted, ids follow from counts and items alone.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
import pyarrow as pa

from wikiprep.counts import Count, Equation, Reasons
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import whole_file
from wikiprep.progress import NO_PROGRESS, Progress
from wikiprep.tables.choose_entities import FIRST_ENTITY
from wikiprep.tables.entity_vocab import SPECIALS, Row, write_vocabulary

VOCAB_LINES = "entity_vocab.jsonl"
MERGED = "merged vocabulary"  # a part of progress

TITLES_READ = Count("titles.read", "Entities of the vocabularies that are merged, one a wiki and title.")
TITLES_KEPT = Count("titles.kept", "Titles of the merged vocabulary.")
TITLES_DROPPED = Reasons(
    "titles.dropped.",
    "Titles that are not in it.",
    **{
        "no item": "Without a Wikidata item.",
        "too few languages": "Of an item that fewer than --min-languages have.",
        "too rare": "Of an item with fewer links than --min-count in all languages.",
        "beyond the size": "Of an item beyond --size.",
    },
)
TITLES = Equation("titles of the vocabularies", TITLES_READ, (TITLES_KEPT, TITLES_DROPPED))
KEPT_OF = Reasons("also.titles.kept.", "Titles of the merged vocabulary, by language.")
ENTITIES = Count("entities", "Entities of the merged vocabulary.")
IDS = Count("ids", "Its ids, special tokens among them.")
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class WikiVocabulary:
    """The entities of one wiki: parallel arrays. `qids` 42 for Q42, -1 for none; no special tokens among them."""

    language: str
    titles: pa.Array
    counts: Numbers
    qids: Numbers


@dataclass(frozen=True, slots=True)
class MergeOptions:
    """`size` with [PAD], [UNK] and [MASK]; `min_count` links of all languages together."""

    min_languages: int = 3
    size: int = 1_200_000
    min_count: int = 1


def merge_vocabularies(
    wikis: Sequence[WikiVocabulary], options: MergeOptions, out: Path, progress: Progress = NO_PROGRESS
) -> dict[Count, int]:
    """Write the files of a vocabulary into `out`, titles as "en:Oslo", and VOCAB_LINES.

    Entities are in order of their links in all languages, ties by item. Counts close by TITLES; those of
    KEPT_OF add up to TITLES_KEPT.
    Raises UsageError for two wikis of one language, WikiprepError where no entity is left. Memory: about 1 KB a title
    that is kept, 60 bytes one that is not.
    """
    wikis = sorted(wikis, key=lambda wiki: wiki.language)
    _check([wiki.language for wiki in wikis], options)
    counts: Counter[Count] = Counter()
    qids, links = (np.concatenate([getattr(w, name) for w in wikis]) for name in ("qids", "counts"))
    language = np.repeat(np.arange(len(wikis)), [len(w.qids) for w in wikis])
    counts[TITLES_READ] = len(qids)
    items, place = np.unique(qids, return_inverse=True)
    item_links = np.bincount(place, links, len(items)).astype(np.int64)
    language_counts = np.bincount(np.unique(place * len(wikis) + language) // len(wikis), minlength=len(items))
    eligible = np.ones(len(items), bool)
    for reason, excluded in (
        ("no item", items < 0),
        ("too few languages", language_counts < options.min_languages),
        ("too rare", item_links < options.min_count),
    ):
        counts[TITLES_DROPPED.of(reason)] = int((eligible & excluded)[place].sum())
        eligible &= ~excluded
    (at,) = np.nonzero(eligible)
    at = at[np.lexsort((items[at], -item_links[at]))]
    kept_items = at[: options.size - FIRST_ENTITY]
    ids = np.full(len(items), -1, np.int64)
    ids[at[len(kept_items) :]] = 0
    counts[TITLES_DROPPED.of("beyond the size")] = int((ids[place] == 0).sum())
    ids[kept_items] = np.arange(FIRST_ENTITY, FIRST_ENTITY + len(kept_items))
    if not len(kept_items):
        raise WikiprepError(
            f"no entity is in {options.min_languages} of {len(wikis)} languages, of {counts[TITLES_READ]:,} titles",
            "lower --min-languages; were the corpora built with --wikidata, and large enough?",
        )
    kept_titles = int((ids[place] >= FIRST_ENTITY).sum())
    with progress.part(MERGED, 3 * kept_titles, "step") as advance:
        rows = _rows(wikis, ids[place], links, counts)
        advance(kept_titles)
        qids_by_id = {int(ids[i]): f"Q{items[i]}" for i in kept_items.tolist()}
        counts[ENTITIES] = len(kept_items)
        size = write_vocabulary([(i, f"{lang}:{title}", None, n) for i, lang, title, n in rows], out, qids=qids_by_id)
        advance(kept_titles)
        counts[IDS] = size
        totals = {int(ids[i]): int(item_links[i]) for i in kept_items.tolist()}
        _write_lines(rows, [wiki.language for wiki in wikis], qids_by_id, totals, out / VOCAB_LINES)
        advance(kept_titles)
    return dict(sorted(counts.items()))


_TitleRow = tuple[int, str, str, int]  # id, language, title, links in that language


def _check(languages: list[str], options: MergeOptions) -> None:
    duplicates = sorted(name for name, n in Counter(languages).items() if n > 1)
    if duplicates:
        raise UsageError(f"two corpora are of the language {duplicates[0]!r}", "give one corpus a language")
    if options.min_languages > len(languages):
        raise UsageError(
            f"--min-languages {options.min_languages} of {len(languages)} corpora", "lower it, or give more corpora"
        )
    if options.size <= FIRST_ENTITY:
        raise UsageError(
            f"--size {options.size} leaves no room for an entity", "[PAD], [UNK], [MASK] count: 4 at least"
        )


def _rows(wikis: Sequence[WikiVocabulary], ids: Numbers, links: Numbers, counts: Counter[Count]) -> list[_TitleRow]:
    """The titles that are kept, by id, then language, then the most linked first, ties by title."""
    rows: list[_TitleRow] = []
    start = 0
    for wiki in wikis:
        own_ids = ids[start : start + len(wiki.qids)]
        (at,) = np.nonzero(own_ids >= FIRST_ENTITY)
        titles = wiki.titles.take(pa.array(at)).to_pylist()
        counts[KEPT_OF.of(wiki.language)] = len(at)
        counts[TITLES_KEPT] += len(at)
        columns = (own_ids[at].tolist(), titles, links[start + at].tolist())
        rows += [(entity, wiki.language, title, n) for entity, title, n in zip(*columns, strict=True)]
        start += len(wiki.qids)
    return sorted(rows, key=lambda row: (row[0], row[1], -row[3], row[2]))


def _write_lines(
    rows: Sequence[_TitleRow], languages: list[str], qids: dict[int, str], totals: dict[int, int], path: Path
) -> None:
    """A line an id: {"id", "entities": [[title, language]], "count", "qid"}; special tokens are of every language."""
    last = max(totals) + 1
    with whole_file(path) as file:
        for entity, token in enumerate(SPECIALS[:FIRST_ENTITY]):
            file.write(_line(entity, [[token, language] for language in languages], 0, None))
        for entity, titles in _titles_by_id(rows):
            file.write(_line(entity, titles, totals[entity], qids[entity]))
        file.write(_line(last, [[SPECIALS[-1], language] for language in languages], 0, None))


def _titles_by_id(rows: Sequence[_TitleRow]) -> Iterator[tuple[int, list[list[str]]]]:
    titles: list[list[str]] = []
    for place, (entity, language, title, _) in enumerate(rows):
        titles.append([title, language])
        if place + 1 == len(rows) or rows[place + 1][0] != entity:
            yield entity, titles
            titles = []


def _line(entity: int, titles: list[list[str]], count: int, qid: str | None) -> bytes:
    line: dict[str, Any] = {"id": entity, "entities": titles, "count": count}
    return orjson.dumps(line if qid is None else line | {"qid": qid}, option=orjson.OPT_APPEND_NEWLINE)


def to_vocabulary(language: str, rows: Sequence[Row], qids: Sequence[str | None]) -> WikiVocabulary:
    """Of rows of entity_vocab.parquet and their items; special tokens are left out."""
    entities = [
        (title, count, qid) for (_, title, _, count), qid in zip(rows, qids, strict=True) if title not in SPECIALS
    ]
    items = [int(qid[1:]) if qid else -1 for _, _, qid in entities]
    titles = pa.array([title for title, _, _ in entities], pa.string())
    counts = np.array([count for _, count, _ in entities], np.int64)
    return WikiVocabulary(language, titles, counts, np.array(items, np.int64))
