"""Titles as names: an article's own title names it, a redirect's title names the page where the redirect ends.

A title is a name as it is, "(…)" and all: what it is called without the brackets is for disambiguation pages to say
(link_names.py). The title table is read in ranges of title numbers, each a unit of its own.
"""

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa

from wikiprep.counts import Count, Equation, Reasons
from wikiprep.storage.tables import TableResult
from wikiprep.tables.mentions.link_targets import KEPT, NOT_MEANT, LinkTargetResolver, Rules
from wikiprep.tables.mentions.normalize import normal_name, refusal
from wikiprep.tables.mentions.partials import PartialWriter
from wikiprep.tables.mentions.schema import partial_schema
from wikiprep.tables.schema import ARTICLE, DISAMBIGUATION, REDIRECT, IsMain
from wikiprep.tables.title_lookup import TitleTable

READ = Count("mentions.titles.read", "Titles of articles, disambiguation pages and redirects.")
OF_ARTICLE = Count("mentions.titles.article", "Titles that name their own page.")
OF_REDIRECT = Count("mentions.titles.redirect", "Titles that name the page that their redirect leads to.")
DROPPED = Reasons("mentions.titles.dropped.", "Titles that are no names.", **NOT_MEANT)
TITLES = Equation("titles as names", READ, (OF_ARTICLE, OF_REDIRECT, DROPPED))
SLICE = 1 << 16  # titles that are Python strings at a time


def count_title_names(
    titles: TitleTable, range_: tuple[int, int], is_main: IsMain, rules: Rules, out_path: str | Path
) -> TableResult:
    """Write the names that titles numbered `range_` (end exclusive) give, as partial counts without links.

    Counts close by TITLES.
    """
    counts = Counter(dict.fromkeys((READ, OF_ARTICLE, OF_REDIRECT), 0))
    resolver = LinkTargetResolver(titles, is_main, rules)
    writer = PartialWriter(out_path)
    for start in range(*range_, SLICE):
        writer.add(_names(titles, np.arange(start, min(start + SLICE, range_[1]), dtype=np.int32), resolver, counts))
    writer.close()
    return TableResult(dict(sorted(counts.items())))


def _names(
    titles: TitleTable, numbers: "np.typing.NDArray[np.int32]", resolver: LinkTargetResolver, counts: Counter[Count]
) -> pa.Table:
    numbers = numbers[np.isin(titles.kind_of[numbers], (ARTICLE, DISAMBIGUATION, REDIRECT))]
    resolved = resolver.numbers(numbers)
    via_redirect = titles.kind_of[numbers] == REDIRECT
    counts[READ] += len(numbers)
    names: list[str] = []
    kept_rows: list[int] = []
    for row, (number, reason) in enumerate(zip(numbers.tolist(), resolved.reason, strict=True)):
        name = normal_name(titles.title(number))
        reason = reason or refusal(name) or KEPT
        if reason:
            counts[DROPPED.of(reason)] += 1
            continue
        counts[OF_REDIRECT if via_redirect[row] else OF_ARTICLE] += 1
        names.append(name)
        kept_rows.append(row)
    none = np.zeros(len(names), np.int64)
    columns = [
        pa.array(names, pa.string()),
        pa.array(resolved.number[kept_rows], pa.int32()),
        pa.array([titles.title(n) for n in resolved.number[kept_rows].tolist()], pa.string()),
        *[pa.array(none)] * 3,
        pa.array(~via_redirect[kept_rows]),
        pa.array(via_redirect[kept_rows]),
        pa.array(np.zeros(len(names), bool)),
    ]
    return pa.Table.from_arrays(columns, schema=partial_schema())
