"""The mentions that an evaluation masks, their names, and what the two guesses without a model say of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.corpus.spans import UNK
from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.pretrain.baselines.prior import Guesses, count, guesses_of, names_of, pieces_of
from wikiprep.pretrain.data.share import mask_generator
from wikiprep.pretrain.data.source import Reader
from wikiprep.pretrain.data.stream import Places
from wikiprep.pretrain.family import Family
from wikiprep.pretrain.ranks import Ranks
from wikiprep.records.record import Record
from wikiprep.records.training_corpus import TrainingCorpus

Ints = npt.NDArray[np.int64]

_PAGES = 1 << 48  # pages or records of a corpus, at most


@dataclass(frozen=True, eq=False)
class MaskedRecords:
    """Records, of each the mentions that are masked, and a number that its page alone has.

    Of text without pages, the record alone. A record without a masked mention is left out.
    """

    records: list[Record]
    places: list[Ints]
    pages: list[int]


@dataclass(frozen=True, eq=False)
class Targets:
    """Masked mentions in the order of their records: entity ids, names, numbers of their pages (`MaskedRecords`)."""

    entities: Ints
    names: list[str]
    pages: Ints

    @property
    def known(self) -> npt.NDArray[np.bool_]:
        """Which are not `[UNK]`."""
        known: npt.NDArray[np.bool_] = self.entities != UNK
        return known


def masked_of(family: Family, readers: Sequence[Reader], places: Places, seed: int) -> MaskedRecords:
    """What stands at `places` of the corpora, masked as `ShareMaker` does.

    The records live as long as the answer: `readers` are those of `readers_of`, which copy what a cache may take away.
    """
    masked_records = MaskedRecords([], [], [])
    columns = (places.corpus.tolist(), places.record.tolist(), places.epoch.tolist())
    for corpus, number, epoch in zip(*columns, strict=True):
        record = readers[corpus].read(number)
        masked = family.masked_entities(record, mask_generator(seed, epoch, corpus, number))
        if len(masked):
            masked_records.records.append(record)
            masked_records.places.append(masked)
            masked_records.pages.append(
                corpus * _PAGES + (record.page_id if record.page_id >= 0 else _PAGES - 1 - number)
            )
    return masked_records


def targets_of(masked: MaskedRecords, pieces: pa.StringArray) -> Targets:
    """Entities, names and pages of the masked mentions."""
    entities, names, pages = [np.zeros(0, np.int64)], list[str](), [np.zeros(0, np.int64)]
    for record, places, page in zip(masked.records, masked.places, masked.pages, strict=True):
        pages.append(np.full(len(places), page, np.int64))
        entities.append(record.entity_ids[places].astype(np.int64))
        spans = [side[places].astype(np.int64) for side in (record.entity_starts, record.entity_ends)]
        names += names_of(pieces, record.word_ids, *spans).to_pylist()
    return Targets(np.concatenate(entities), names, np.concatenate(pages))


def corpus_pieces(corpus: TrainingCorpus) -> pa.StringArray:
    """What the tokens of a corpus add to a name."""
    return pieces_of(load_tokenizer(Store(corpus.url).fetch("tokenizer/tokenizer.json")))


def guesses_for(targets: Targets, corpora: Sequence[TrainingCorpus], pieces: pa.StringArray, ranks: Ranks) -> Guesses:
    """Counted on the training records; every rank reads its part and gets the whole. If one cannot, all end."""
    names = {name for name, known in zip(targets.names, targets.known.tolist(), strict=True) if known}
    counted, error = None, None
    try:
        counted = count(corpora, pieces, names, ranks.rank, ranks.world)
    except WikiprepError as failed:
        error = failed
    ranks.agree(error)
    return guesses_of(ranks.gather(counted), int(targets.entities.max(initial=UNK)) + 1)


def guess_figures(
    family: Family,
    corpora: Sequence[TrainingCorpus],
    readers: Sequence[Reader],
    places: Places,
    seed: int,
    ranks: Ranks,
) -> dict[str, float]:
    """`entity_prior` and `entity_most_frequent`: shares of the same targets as `entity_top1`; nothing without targets.

    They do not depend on the model, so once a run is enough. `readers`: see `masked_of`.
    """
    pieces = corpus_pieces(corpora[0])
    targets = targets_of(masked_of(family, readers, places, seed), pieces)
    if not targets.known.any():
        return {}
    guesses = guesses_for(targets, corpora, pieces, ranks)
    entities = targets.entities[targets.known]
    known_names = [name for name, known in zip(targets.names, targets.known.tolist(), strict=True) if known]
    prior = np.array([guesses.prior(name) for name in known_names], np.int64)
    return {
        "entity_prior": float((prior == entities).mean()),
        "entity_most_frequent": float((entities == guesses.commonest).mean()),
    }
