"""Whether a Wikidata dump has items of a wiki, told from its beginning: reading all of it takes hours.

Wikidata's dump begins with its best known items, and a wiki of Wikimedia is named in the first of them. What a
beginning does not show may still come: only a dump that was seen whole is refused, or one for a wiki that Wikidata
cannot know.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from wikiprep.dump.range_bytes import read_chunks
from wikiprep.dump.ranges import Range
from wikiprep.wikidata.files import EntityFile

SAMPLE = 32 << 20  # unpacked bytes, some 2,000 of the best known items
_SITE = re.compile(rb'"site"\s*:\s*"([a-z_]+)"')


@dataclass(frozen=True, slots=True)
class Beginning:
    """`found`: whether an item of the wiki was seen. `whole`: whether all of the dump was. `others`: the wikis that
    most items seen have a page in."""

    found: bool
    whole: bool
    others: tuple[str, ...]


def look_for(wiki: str, files: Sequence[EntityFile], sample: int = SAMPLE) -> Beginning:
    """Search the first `sample` unpacked bytes of the dump. Damage ends it: the reader of the dump will name it."""
    key, sites, remaining = b'"' + wiki.encode() + b'"', Counter[bytes](), sample
    for file in files:
        carried_over = b""
        chunks = read_chunks(Range(file.path, file.compression, 0, file.size, file.size))
        for chunk in chunks:
            if chunk.data is None:
                return Beginning(False, False, _most_frequent(sites))
            data = carried_over + chunk.data
            if key in data:
                return Beginning(True, False, ())
            sites.update(_SITE.findall(data))
            carried_over, remaining = data[-len(key) :], remaining - len(chunk.data)
            if remaining <= 0:
                return Beginning(False, False, _most_frequent(sites))
    return Beginning(False, True, _most_frequent(sites))


def _most_frequent(sites: Counter[bytes]) -> tuple[str, ...]:
    ordered = sorted(sites.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(name.decode() for name, _ in ordered[:3])
