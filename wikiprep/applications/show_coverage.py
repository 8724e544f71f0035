"""The coverage of a corpus's vocabulary on the terminal, and as a picture."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
from rich.table import Table

from wikiprep.counts import Count
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import read_manifest
from wikiprep.report.charts import Axis, ChartLine, Mark, draw_lines
from wikiprep.report.themed_svg import standalone
from wikiprep.tables.choose_entities import ENTITIES, FIRST_ENTITY
from wikiprep.tables.coverage import Curve, coverage_of
from wikiprep.terminal.console import Terminal

PUBLISHED = {500_000: "LUKE, 500K", 1_000_000: "SPOT, 1M"}
SHARES = (0.5, 0.8, 0.9, 0.95, 0.99)
_POINTS = 200


def show_coverage(corpus: str, svg: str | None, as_json: bool = False) -> None:
    """Print the shares for sizes of all orders, and write the curve to the file `svg` where one is given."""
    if svg is not None and not svg.strip():
        raise UsageError("--svg names no file", "give one, such as --svg coverage.svg")
    if svg is not None and not svg.lower().endswith(".svg"):
        raise UsageError(f"--svg {svg}: is written as SVG", f"call it {svg.rpartition('.')[0] or svg}.svg")
    store = Store(corpus)
    manifest = read_manifest(store)
    curve = coverage_of(store, manifest)
    if not len(curve.counts):
        raise WikiprepError(f"{corpus}: no page is linked, there is no vocabulary to choose a size for")
    counts = manifest.counts["vocabulary"]
    vocab_size = counts[ENTITIES] + FIRST_ENTITY
    lost_links = {key: n for key, n in _count_lost_links(counts).items() if n}
    if as_json:
        print(orjson.dumps(_as_json(curve, vocab_size, lost_links), option=orjson.OPT_INDENT_2).decode())
    else:
        _print(curve, vocab_size, lost_links)
    if svg is not None:
        picture = _draw_curve(curve, vocab_size, corpus)
        try:
            Path(svg).write_text(picture, encoding="utf-8")
        except OSError as error:
            reason = error.strerror or str(error)
            raise WikiprepError(
                f"--svg {svg}: {reason}", "no whole picture was made; give a place that can be written"
            ) from error
        if not as_json:
            Terminal().print(f"Curve: {svg}")


def _print(curve: Curve, vocab_size: int, lost_links: Mapping[str, int]) -> None:
    console = Terminal()
    console.print(_size_table(curve, vocab_size))
    console.print(_share_table(curve))
    if lost_links:
        console.print(f"Covered by no size: {', '.join(f'{word} {n:,}' for word, n in lost_links.items())} links.")
    if not curve.whole:
        console.print(
            "_state/links is gone: the curve ends with the vocabulary that was built, not with all linked pages."
        )


def _as_json(curve: Curve, vocab_size: int, lost_links: Mapping[str, int]) -> dict[str, Any]:
    """`whole`: the curve goes on to all linked pages; `lost`: links that no size covers, by reason."""
    sizes = _table_sizes(curve, vocab_size)
    shares = zip(sizes, curve.share(sizes), strict=True)
    return {
        "links": curve.links,
        "vocab_size": vocab_size,
        "whole": curve.whole,
        "sizes": [{"vocab_size": n, "share": share, "rarest_links": curve.least(n)} for n, share in shares],
        "shares": [{"share": share, "vocab_size": curve.size_for(share)} for share in SHARES],
        "lost": dict(lost_links),
    }


def _count_lost_links(counts: Mapping[Count, int]) -> dict[str, int]:
    """Links to what can be no entity, by reason; "outside" is what a larger size, or a lower --min-count, lets in."""
    prefix = "vocabulary.links.lost."
    lost_counts = {key.removeprefix(prefix): n for key, n in counts.items() if key.startswith(prefix)}
    return {word.replace("_", " "): n for word, n in lost_counts.items() if word != "outside"}


def _table_sizes(curve: Curve, vocab_size: int) -> list[int]:
    steps = {step * 10**power for power in range(1, 9) for step in (1, 2, 5)}
    return sorted({size for size in steps | {*PUBLISHED, vocab_size} if size < curve.largest} | {curve.largest})


def _size_table(curve: Curve, vocab_size: int) -> Table:
    names = PUBLISHED | {curve.largest: "every page that is linked" if curve.whole else "", vocab_size: "this corpus"}
    sizes = _table_sizes(curve, vocab_size)
    table = Table(title=f"Share of {curve.links:,} links that a vocabulary covers", title_justify="left")
    for column in ("--vocab-size", "links covered", "links of its rarest entity"):
        table.add_column(column, justify="right")
    table.add_column("")
    for size, share in zip(sizes, curve.share(sizes), strict=True):
        table.add_row(f"{size:,}", f"{share:.2%}", f"{curve.least(size):,}", names.get(size, ""))
    return table


def _share_table(curve: Curve) -> Table:
    table = Table(title="The size that covers a share", title_justify="left")
    for column in ("links covered", "--vocab-size"):
        table.add_column(column, justify="right")
    for share in SHARES:
        size = curve.size_for(share)
        table.add_row(f"{share:.0%}", "none" if size is None else f"{size:,}")
    return table


def _draw_curve(curve: Curve, vocab_size: int, corpus: str) -> str:
    first, last = math.log10(FIRST_ENTITY + 1), math.log10(curve.largest)
    spaced_sizes = [round(10 ** (first + (last - first) * i / _POINTS)) for i in range(_POINTS + 1)]
    sizes = sorted({*spaced_sizes, FIRST_ENTITY + 1, curve.largest})
    labels = {size: label for size, label in PUBLISHED.items() if size <= curve.largest}
    labels[vocab_size] = f"this corpus, {vocab_size:,}" + (f" ({labels[vocab_size]})" if vocab_size in labels else "")
    if curve.largest not in labels and curve.whole:
        labels[curve.largest] = f"every linked page, {curve.largest:,}"
    shares = curve.share(list(labels))
    marks = [Mark(size, share, f"{labels[size]}: {share:.1%}") for size, share in zip(labels, shares, strict=True)]
    line = ChartLine("links covered", sizes, curve.share(sizes))
    title = f"{Path(corpus).resolve().name}: {curve.links:,} links"
    axes = Axis("size of the vocabulary", "log"), Axis("share of links covered", "percent")
    return standalone(draw_lines([line], *axes, marks=sorted(marks, key=lambda mark: mark.x), title=title))
