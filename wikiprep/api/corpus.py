"""`wikiprep.open`: a corpus from Python. Opening looks at names of files alone; each part is mapped when it is used."""

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from wikiprep.errors import UsageError, no_folder
from wikiprep.files import Store

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from wikiprep.api.articles import Article, Articles
    from wikiprep.api.find_article import ArticleFinder
    from wikiprep.api.items import Items
    from wikiprep.api.mentions import Mentions
    from wikiprep.api.records import Records, Split
    from wikiprep.api.redirects import Redirects
    from wikiprep.api.relations import Relations
    from wikiprep.api.vocabulary import Vocabulary

# What `has` knows: a folder, or a file.
_PARTS = {
    "articles": "articles",
    "records": "records",
    "vocabulary": "tables/entity_vocab.parquet",
    "redirects": "tables/redirects.parquet",
    "mentions": "tables/mentions/by_name.arrow",
    "relations": "tables/wikidata_triples.arrow",
    "items": "tables/wikidata_items.parquet",
    "tokenizer": "tokenizer/tokenizer.json",
}
_FOLDERS = ("articles", "tables", "records")  # any of which a corpus has, however far its build went


class Corpus:
    """A folder that a build made, or one at gs://, s3://, hdfs://, whose files are fetched to local disk when used.

    Holds no file open before it is needed, can be pickled into workers, and never writes. What the build left out
    raises a WikiprepError that names the option to build it with.
    """

    def __init__(self, store: Store) -> None:
        """By `wikiprep.open`, which says what is no corpus. Raises UsageError for a folder's name."""
        if not isinstance(store, Store):  # as a user may write who has the class from `wikiprep`
            raise UsageError(
                f"wikiprep.Corpus({store!r}): a corpus is opened by wikiprep.open", "wikiprep.open(FOLDER)"
            )
        self._store = store

    def __reduce__(self) -> tuple[type["Corpus"], tuple[Store]]:
        return Corpus, (self._store,)

    def __repr__(self) -> str:
        return f"wikiprep.open({self._store.url!r})"

    @property
    def path(self) -> str:
        """The folder or address, as it was given."""
        return self._store.url

    @cached_property
    def manifest(self) -> Mapping[str, Any]:
        """manifest.json as the file has it: options, inputs, counts, checksums (docs/formats.md).

        Raises WikiprepError for a build that is not finished.
        """
        return _read_plain_manifest(self._store)

    def has(self, part: str) -> bool:
        """Whether the build made a part.

        "articles", "records", "mentions", "relations", "redirects", "items", "tokenizer" or "vocabulary". Raises
        UsageError for another name.
        """
        if part not in _PARTS:
            raise UsageError(f"{part!r} is no part of a corpus", f"parts are {', '.join(_PARTS)}")
        place = _PARTS[part]
        return bool(self._store.list(place)) if "." not in place else self._store.size(place) is not None

    @cached_property
    def language(self) -> str:
        """The language code of the wiki, "en"."""
        from wikiprep.manifest import read_manifest

        return read_manifest(self._store).inputs.language

    def articles(self) -> "Articles":
        """All articles, to go through one by one. Raises WikiprepError once it is gone through where there are none."""
        from wikiprep.api.articles import Articles

        return Articles(self._store)

    def article(self, title: str) -> "Article":
        """The article of a title (spaces or underscores), or of a page id in digits.

        Redirects are followed, and `redirected_from` of the answer says so.

        Raises WikiprepError for a page that is no article, with what became of it, or with titles near to it.
        """
        return self._finder.find(title)

    def records(self, split: "Split" = "all", *, held_out: float | None = None) -> "Records":
        """The records by number: all, those of "train", or those of the pages that are "held_out".

        `held_out`: the share of pages that is set apart, by a hash of the page id; by default that of `pretrain`, so
        that "train" is what a run trains on.
        """
        from wikiprep.api.records import Records
        from wikiprep.records.held_out import HELD_OUT

        return Records(self._store, split, HELD_OUT if held_out is None else held_out)

    def records_of(self, article: "Article | str") -> list[dict[str, Any]]:
        """The records made of an article, in order, each a dict of its columns (docs/formats.md)."""
        from wikiprep.api.find_article import records_of

        return list(records_of(self._store, self.article(article) if isinstance(article, str) else article))

    @cached_property
    def vocabulary(self) -> "Vocabulary":
        """The entity vocabulary: ids to titles and back."""
        from wikiprep.api.vocabulary import Vocabulary

        return Vocabulary(self._store)

    @cached_property
    def mentions(self) -> "Mentions":
        """What names mean, names in text, and entity spans for any text; of a corpus built with `--mentions`."""
        from wikiprep.api.mentions import Mentions

        return Mentions(self._store)

    @cached_property
    def relations(self) -> "Relations":
        """Wikidata's relations between pages; of a corpus built with `--wikidata`."""
        from wikiprep.api.relations import Relations

        return Relations(self._store)

    @cached_property
    def redirects(self) -> "Redirects":
        """Where titles lead."""
        from wikiprep.api.redirects import Redirects

        return Redirects(self._store)

    @cached_property
    def items(self) -> "Items":
        """Wikidata's items of pages; of a corpus built with `--page-props` or `--wikidata`."""
        from wikiprep.api.items import Items

        return Items(self._store)

    @cached_property
    def tokenizer(self) -> "Tokenizer":
        """The tokenizer of the records, of the library `tokenizers`: `.decode(record.word_ids)`."""
        from wikiprep.corpus.tokenizers import load_tokenizer

        return load_tokenizer(self._store.fetch("tokenizer/tokenizer.json"))

    @cached_property
    def _finder(self) -> "ArticleFinder":
        from wikiprep.api.find_article import ArticleFinder

        return ArticleFinder(self._store)


def open_corpus(path: str | os.PathLike[str]) -> Corpus:
    """Open a corpus that `build` or the command made: a folder, or an address such as s3://bucket/corpus.

    Costs milliseconds, whatever the size. Raises WikiprepError where there is no corpus.
    """
    store = Store(os.fspath(path))
    if store.root is not None:
        if not store.root.is_dir():
            raise no_folder(store.url)
        if not any((store.root / folder).is_dir() for folder in _FOLDERS):
            _read_plain_manifest(store)  # raises, and says whether a build was begun
    elif not any(store.list(folder) for folder in _FOLDERS):
        _read_plain_manifest(store)
    return Corpus(store)


def _read_plain_manifest(store: Store) -> dict[str, Any]:
    from wikiprep.manifest import read_plain_manifest

    return read_plain_manifest(store)
