"""The steps of a build as PTransforms, for a Beam pipeline of your own (docs/beam-transforms.md).

The whole build as one pipeline is `wikiprep.pipelines.beam`. The names below are found when they are asked for: the
child processes that pages are worked on in import modules of this package, and no Beam.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wikiprep.pipelines.transforms.build_records import BuildRecords
    from wikiprep.pipelines.transforms.elements import (
        ExtractedArticle,
        PageRecords,
        Place,
        Reject,
        ResolvedArticle,
        SourcePage,
        WrittenPart,
    )
    from wikiprep.pipelines.transforms.extract_articles import ExtractArticles
    from wikiprep.pipelines.transforms.read_pages import ReadPages
    from wikiprep.pipelines.transforms.resolve_links import ResolveLinks
    from wikiprep.pipelines.transforms.write_arrow import WriteArrow
    from wikiprep.pipelines.transforms.write_articles import WriteArticles

__all__ = [  # noqa: RUF022 - in the order of a pipeline
    "ReadPages",
    "ExtractArticles",
    "ResolveLinks",
    "BuildRecords",
    "WriteArrow",
    "WriteArticles",
    "Place",
    "SourcePage",
    "ExtractedArticle",
    "ResolvedArticle",
    "PageRecords",
    "Reject",
    "WrittenPart",
]

_PLACES = {
    "read_pages": ("ReadPages",),
    "extract_articles": ("ExtractArticles",),
    "resolve_links": ("ResolveLinks",),
    "build_records": ("BuildRecords",),
    "write_arrow": ("WriteArrow",),
    "write_articles": ("WriteArticles",),
    "elements": (
        *("Place", "SourcePage", "ExtractedArticle", "ResolvedArticle", "PageRecords", "Reject", "WrittenPart"),
    ),
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """A public name, from where it is made."""
        from importlib import import_module

        for module, names in _PLACES.items():
            if name in names:
                value = globals()[name] = getattr(import_module(f"{__name__}.{module}"), name)
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """For completion."""
    return sorted({*globals(), *__all__})
