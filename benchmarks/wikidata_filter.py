"""How much faster are Wikidata's lines read with the byte filter than by decoding every line?

`python benchmarks/wikidata_filter.py ITEMS.json[.bz2] ...`: real items are repeated in the dump's own compact form, and
nine of ten lose their sitelinks to the wiki. One core, lines in memory; best of the rounds, taken in turns.
Prints both rates in MB of JSON a second and their ratio; the target is 5.
"""

import argparse
import json
import time
from collections.abc import Callable

import orjson

from wikiprep.wikidata.json_dump_files import find_files, plan_entity_ranges
from wikiprep.wikidata.lines import Line, LineReader, Undecodable, core, decode
from wikiprep.wikidata.read_range import Prefilter

WIKI = "enwiki"


def real_items(paths: list[str]) -> list[dict]:
    items: list[dict] = []
    for path in paths:
        for range_ in plan_entity_ranges(find_files(path), 1 << 40):
            for line in LineReader(range_):
                entities = decode(core(line.data)) if isinstance(line, Line) else []
                items += [] if isinstance(entities, Undecodable) else entities
    return items


def make_lines(items: list[dict], megabytes: float) -> list[bytes]:
    """Compact lines; of each ten, one keeps its link to WIKI and nine lose it."""
    items = [item for item in items if WIKI in (item.get("sitelinks") or {})]
    lines: list[bytes] = []
    size = 0
    while size < megabytes * 1e6:
        for item in items:
            new_item = dict(item)
            if len(lines) % 10:
                new_item["sitelinks"] = {site: link for site, link in item["sitelinks"].items() if site != WIKI}
            lines.append(json.dumps(new_item, separators=(",", ":")).encode() + b",")
            size += len(lines[-1])
    return lines


def decode_all(lines: list[bytes]) -> int:
    count = 0
    for line in lines:
        count += WIKI in (orjson.loads(line[:-1])["sitelinks"] or {})
    return count


def decode_filtered(lines: list[bytes]) -> int:
    count = 0
    skipped = Prefilter([WIKI]).skipped
    for line in lines:
        text = core(line)
        if skipped(text) is None:
            entities = decode(text)
            assert not isinstance(entities, Undecodable)
            count += WIKI in (entities[0]["sitelinks"] or {})
    return count


def time_work(work: Callable[[list[bytes]], int], lines: list[bytes]) -> tuple[float, int]:
    start = time.process_time()
    count = work(lines)
    return time.process_time() - start, count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--mb", type=float, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    lines = make_lines(real_items(options.files), options.mb)
    size = sum(map(len, lines)) / 1e6
    best = {decode_all: 1e9, decode_filtered: 1e9}
    counts = {}
    for _ in range(options.rounds):
        for work in best:
            seconds, counts[work] = time_work(work, lines)
            best[work] = min(best[work], seconds)
    assert counts[decode_all] == counts[decode_filtered], "the filter lost an item"
    kept_share = sum(len(line) for line in lines if Prefilter([WIKI]).skipped(core(line)) is None) / 1e6 / size
    print(f"{len(lines):,} lines, {size:.0f} MB")
    print(f"{counts[decode_filtered]:,} lines with a link to {WIKI}, {kept_share:.0%} of the bytes")
    print(f"decode every line   {size / best[decode_all]:8.0f} MB/s")
    print(f"filter, then decode {size / best[decode_filtered]:8.0f} MB/s")
    print(f"ratio               {best[decode_all] / best[decode_filtered]:8.2f}")


if __name__ == "__main__":
    main()
