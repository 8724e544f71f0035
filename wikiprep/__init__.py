"""wikiprep: a Wikipedia dump becomes an entity-annotated pretraining corpus.

The names below are all that is public; docs/python.md says what each does. They are found when they are asked for:
importing wikiprep costs milliseconds, and neither pyarrow nor torch.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wikiprep.annotate.annotator import Span
    from wikiprep.api.articles import Article, Articles
    from wikiprep.api.build import build
    from wikiprep.api.corpus import Corpus
    from wikiprep.api.corpus import open_corpus as open
    from wikiprep.api.extract import Page, extract
    from wikiprep.api.items import Item, Items
    from wikiprep.api.mentions import Mentions
    from wikiprep.api.records import Records
    from wikiprep.api.redirects import Redirect, Redirects
    from wikiprep.api.relations import Property, Relation, Relations
    from wikiprep.api.vocabulary import Entity, Vocabulary
    from wikiprep.errors import UsageError, WikiprepError
    from wikiprep.pretrain.datasets import MaskedBatches, MaskedStream, RecordDataset, RecordStream
    from wikiprep.records.record import Record
    from wikiprep.tables.mentions.detect import Detected
    from wikiprep.tables.mentions.mention_table import Candidate, NameCounts
    from wikiprep.tables.title_lookup import Resolved
    from wikiprep.wikitext.article import Link, Paragraph

    __version__: str

__all__ = [  # noqa: RUF022 - as docs/python.md has them
    "open",
    "build",
    "extract",
    "Corpus",
    "Articles",
    "Article",
    "Page",
    "Paragraph",
    "Link",
    "Records",
    "Record",
    "Vocabulary",
    "Entity",
    "Mentions",
    "NameCounts",
    "Candidate",
    "Detected",
    "Span",
    "Redirects",
    "Redirect",
    "Resolved",
    "Relations",
    "Relation",
    "Property",
    "Items",
    "Item",
    "RecordDataset",
    "RecordStream",
    "MaskedBatches",
    "MaskedStream",
    "WikiprepError",
    "UsageError",
    "__version__",
]

# Where each name is made; the module is imported when the name is first asked for.
_PLACES = {
    "api.articles": ("Articles", "Article"),
    "api.build": ("build",),
    "api.corpus": ("Corpus",),
    "api.extract": ("extract", "Page"),
    "api.items": ("Items", "Item"),
    "api.mentions": ("Mentions",),
    "api.records": ("Records",),
    "api.redirects": ("Redirects", "Redirect"),
    "api.relations": ("Relations", "Relation", "Property"),
    "api.vocabulary": ("Vocabulary", "Entity"),
    "annotate.annotator": ("Span",),
    "errors": ("WikiprepError", "UsageError"),
    "pretrain.datasets": ("RecordDataset", "RecordStream", "MaskedBatches", "MaskedStream"),
    "records.record": ("Record",),
    "tables.mentions.detect": ("Detected",),
    "tables.mentions.mention_table": ("Candidate", "NameCounts"),
    "tables.title_lookup": ("Resolved",),
    "wikitext.article": ("Link", "Paragraph"),
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """A public name, from where it is made."""
        from importlib import import_module

        if name == "__version__":  # in a checkout git is asked: only when somebody wants to know
            from wikiprep.version import wikiprep_version

            return wikiprep_version()
        if name == "open":
            return import_module("wikiprep.api.corpus").open_corpus
        for module, names in _PLACES.items():
            if name in names:
                from wikiprep.extra_packages import needs_torch  # says how to install it

                with needs_torch():
                    value = globals()[name] = getattr(import_module(f"wikiprep.{module}"), name)
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """For completion."""
    return sorted({*globals(), *__all__})
