"""Which share of the links of text a vocabulary covers, for every size that it could have.

The curve is that of choose_entities.py: the most linked pages first, the whole being all links to namespace 0 that text
shows. With the counts of the stage `links` it goes on beyond the vocabulary that was built, to all pages that are
linked; without them (`_state/` is gone) it ends with that vocabulary. A white list changes which pages come first; that
is not followed here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import Manifest
from wikiprep.storage.parquet_files import read_parquet
from wikiprep.tables.choose_entities import FIRST_ENTITY, LINKS
from wikiprep.tables.count_files import PARTITIONS, CountFiles
from wikiprep.tables.entity_vocab import SPECIALS, VOCAB_PARQUET
from wikiprep.tables.resolver import open_titles
from wikiprep.tables.schema import ARTICLE, DISAMBIGUATION
from wikiprep.tables.title_lookup import TitleTable

COUNTS = "_state/links/counts"


@dataclass(frozen=True, slots=True)
class Curve:
    """`counts`: links of each page that can be an entity, the most linked first. `links`: all links of text to them.

    Sizes are those of --vocab-size: [PAD], [UNK] and [MASK] count. `whole`: no page that is linked is left out.
    """

    counts: npt.NDArray[np.int64]
    links: int
    whole: bool

    @property
    def largest(self) -> int:
        """The size beyond which nothing is gained."""
        return len(self.counts) + FIRST_ENTITY

    def share(self, sizes: Sequence[int]) -> list[float]:
        """The share of links, 0 to 1, that vocabularies of these sizes cover."""
        cumulative = np.concatenate(([0], np.cumsum(self.counts)))
        places = np.clip(np.array(sizes, np.int64) - FIRST_ENTITY, 0, len(self.counts))
        shares: list[float] = (cumulative[places] / max(1, self.links)).tolist()
        return shares

    def size_for(self, share: float) -> int | None:
        """The smallest size that covers `share` of the links; None where no size of this curve does."""
        cumulative = np.concatenate(([0], np.cumsum(self.counts)))
        place = int(np.searchsorted(cumulative, share * self.links))
        return place + FIRST_ENTITY if place < len(cumulative) else None

    def least(self, size: int) -> int:
        """The links of the rarest entity in a vocabulary of that size; 0 where there is none."""
        place = min(size - FIRST_ENTITY, len(self.counts)) - 1
        return int(self.counts[place]) if place >= 0 else 0


def coverage_of(store: Store, manifest: Manifest) -> Curve:
    """The curve of a corpus. Raises WikiprepError for one whose vocabulary was not counted from a dump."""
    if not manifest.has_stage("vocabulary"):
        is_imported = manifest.has_stage("imported_vocabulary")
        raise WikiprepError(
            f"{store.url}: no vocabulary that was counted here",
            "it was given with --vocab: there are no links to count"
            if is_imported
            else "run `wikiprep tables` with the dump and options of this folder first",
        )
    links = manifest.counts["vocabulary"][LINKS]
    partials = [store.fetch(path) for path in store.list(COUNTS)]
    if partials:
        return Curve(_all_counts(partials, open_titles(store), manifest.options["vocabulary"]), links, True)
    table = read_parquet(store, f"tables/{VOCAB_PARQUET}", ["title", "count"])
    entities = [title not in SPECIALS for title in table["title"].to_pylist()]
    entity_counts = table["count"].to_numpy()[np.array(entities, bool)]
    return Curve(-np.sort(-entity_counts), links, False)


def _all_counts(partials: Sequence[Path], titles: TitleTable, options: Mapping[str, Any]) -> npt.NDArray[np.int64]:
    """Links of every page that the vocabulary's options let in, but for its size and --min-count."""
    files = CountFiles(partials)
    numbered = files.numbered(len(titles))
    eligible = titles.kind_of == ARTICLE
    if options["keep_disambiguation"]:
        eligible |= titles.kind_of == DISAMBIGUATION
    parts = [numbered[eligible & (numbered > 0)]]
    if options["vocab_targets"] == "linked":
        for index in range(PARTITIONS):
            part = files.partition(index)
            special = pc.is_in(part["title"], value_set=pa.array(SPECIALS))
            parts.append(part["count"].filter(pc.invert(special)).to_numpy())
    descending: npt.NDArray[np.int64] = -np.sort(-np.concatenate(parts))
    return descending
