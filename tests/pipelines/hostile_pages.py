"""What the guard's child does for `ExtractArticles`, with an extractor that one title kills: for test_transforms.py."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from wikiprep.guard.shared_memory import Watch
from wikiprep.pipelines.transforms.elements import SourcePage
from wikiprep.pipelines.transforms.extract_pages import Extracted, ExtractTerms, extract_pages
from wikiprep.stages import kinds

KILLS = "Kills"
_extract = kinds.extract


def _or_die(text: str, title: str, *rest: Any, **options: Any) -> Any:
    if title == KILLS:
        os._exit(7)
    return _extract(text, title, *rest, **options)


def extract_or_die(
    payload: tuple[ExtractTerms, Sequence[SourcePage]], watch: Watch, skip: Mapping[int, str], only: int | None
) -> Extracted:
    """As `extract_pages`."""
    kinds.extract = _or_die
    return extract_pages(payload, watch, skip, only)
