"""`wikiprep evaluate`: a checkpoint on the held-out records of a corpus.

Records and masks are those of the evaluations within the run, so that losses and accuracies "as trained" are the ones
of its log. Beside them the same masked mentions are asked for with all words visible, with the mention's words masked,
and of the two guesses that need no model.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wikiprep.corpus.spans import UNK
from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.errors import UsageError
from wikiprep.pretrain.config import PretrainConfig
from wikiprep.pretrain.config_toml import load_config
from wikiprep.pretrain.data.corpus import TrainingCorpus, open_corpora
from wikiprep.pretrain.data.micro_batches import Cut, micro_batches
from wikiprep.pretrain.data.reader import RecordReader
from wikiprep.pretrain.data.share import ShareMaker, mask_generator
from wikiprep.pretrain.evaluate import HeldOut, evaluate, held_out_records
from wikiprep.pretrain.evaluation.figures import Answers, Row, rows_of
from wikiprep.pretrain.evaluation.names import names_of, pieces_of
from wikiprep.pretrain.evaluation.prior import count
from wikiprep.pretrain.family import Family
from wikiprep.pretrain.open_checkpoint import open_checkpoint, run_config
from wikiprep.pretrain.parallel import Spread
from wikiprep.pretrain.ranks import Ranks, joined
from wikiprep.pretrain.record import Record
from wikiprep.pretrain.start import local_folder
from wikiprep.pretrain.trained import Places, Trained

_PIECE = 2048  # records whose answers are asked for together; cut into batches of like size


@dataclass(frozen=True)
class Evaluation:
    """`as_trained`: losses and accuracies under the masks of training, as the run's log names them.

    `masked` mentions were masked, of them `unk` are `[UNK]` and left out of `rows`, which is empty for a model without
    entities.
    """

    checkpoint: str
    step: int
    corpora: tuple[str, ...]
    held_out: float
    seed: int
    records: int
    as_trained: Mapping[str, float]
    masked: int
    unk: int
    rows: Sequence[Row]


@dataclass(frozen=True, eq=False)
class _Masked:
    """Held-out records and which of their mentions are masked."""

    records: list[Record]
    places: list[Places]


def evaluate_checkpoint(given: str, urls: Sequence[str], most: int | None, batch_tokens: int | None) -> Evaluation:
    """Evaluate on at most `most` held-out records (None: as many as within the run; 0: all of them).

    Raises WikiprepError where the checkpoint is none, or the corpora are not ones that the model can read.
    """
    with joined(timeout_minutes=10) as ranks:
        if ranks.world > 1:
            raise UsageError("evaluate runs as one process", "start it without torchrun")
        opened = open_checkpoint(given, ranks)
        config = load_config(str(run_config(opened.checkpoint)))
        corpora = open_corpora(urls, config.data.held_out)
        family = opened.trained.family(config.tables, local_folder(corpora[0]))
        splits = [corpus.split for corpus in corpora]
        every = sum(len(split.held_out) for split in splits)
        held_out = held_out_records(splits, config.log.evaluate_records if most is None else most or every)
        if not len(held_out):
            raise UsageError(
                f"{', '.join(urls)}: no record is held out (held_out = {config.data.held_out})",
                "the run was trained on all pages: evaluate it on a larger corpus, or train with a higher held_out",
            )
        cut = Cut(batch_tokens or config.data.micro_batch_tokens, config.data.micro_batch_sequences)
        as_trained = _as_trained(opened.trained, family, corpora, held_out, config, cut, ranks)
        masked = unk = 0
        rows: list[Row] = []
        if opened.trained.entities:
            masked, unk, rows = _entities(opened.trained, family, corpora, held_out, config, cut)
        return Evaluation(
            given,
            opened.header.step,
            tuple(urls),
            config.data.held_out,
            config.data.seed,
            len(held_out),
            as_trained,
            masked,
            unk,
            rows,
        )


def _as_trained(
    trained: Trained,
    family: Family,
    corpora: Sequence[TrainingCorpus],
    held_out: HeldOut,
    config: PretrainConfig,
    cut: Cut,
    ranks: Ranks,
) -> dict[str, float]:
    readers = tuple(RecordReader(corpus) for corpus in corpora)
    maker = ShareMaker(family, readers, config.data.seed, 0, 1, cut)
    model = Spread(trained.model, trained.model)
    return evaluate(family, model, maker, held_out, _PIECE, config.training, ranks)


def _entities(
    trained: Trained,
    family: Family,
    corpora: Sequence[TrainingCorpus],
    held_out: HeldOut,
    config: PretrainConfig,
    cut: Cut,
) -> tuple[int, int, list[Row]]:
    """Mentions masked, those of them that are `[UNK]`, and the figures of the others."""
    pieces = pieces_of(load_tokenizer(local_folder(corpora[0]) / "tokenizer" / "tokenizer.json"))
    made: dict[str, list[np.ndarray]] = {"entities": [], "seen": [], "hidden": []}
    names: list[str] = []
    for part in _batches(trained, family, corpora, held_out, config, cut):
        for record, places in zip(part.records, part.places, strict=True):
            made["entities"].append(record.entity_ids[places].astype(np.int64))
            spans = [side[places].astype(np.int64) for side in (record.entity_starts, record.entity_ends)]
            names += names_of(pieces, record.word_ids, *spans).to_pylist()
        made["seen"].append(trained.entity_ranks(part.records, part.places, words_masked=False))
        made["hidden"].append(trained.entity_ranks(part.records, part.places, words_masked=True))
    columns = {name: np.concatenate([np.zeros(0, np.int64), *parts]) for name, parts in made.items()}
    known = columns["entities"] != UNK
    asked = [name for name, is_known in zip(names, known.tolist(), strict=True) if is_known]
    columns = {name: column[known] for name, column in columns.items()}
    guesses = count(corpora, pieces, set(asked), trained.entities)
    answers = Answers(
        **columns,
        prior=np.array([guesses.prior(name) for name in asked], np.int64),
        name_known=np.array([name in guesses.by_name for name in asked], bool),
        trained=guesses.counts[columns["entities"]],
        commonest=guesses.commonest,
    )
    return len(names), int((~known).sum()), rows_of(answers)


def _batches(
    trained: Trained,
    family: Family,
    corpora: Sequence[TrainingCorpus],
    held_out: HeldOut,
    config: PretrainConfig,
    cut: Cut,
) -> Iterator[_Masked]:
    """The held-out records that have a masked mention, those of like size together."""
    readers = [RecordReader(corpus) for corpus in corpora]
    for piece in held_out.pieces(_PIECE):
        records, masked = [], []
        for corpus, number, epoch in zip(piece.corpus, piece.record, piece.epoch, strict=True):
            record = readers[corpus].read(int(number))
            generator = mask_generator(config.data.seed, int(epoch), int(corpus), int(number))
            places = trained.masked_entities(family, record, generator)
            if len(places):
                records.append(record)
                masked.append(places)
        for step in micro_batches([family.size(record) for record in records], 1, cut):
            chosen = step[0].records
            yield _Masked([records[n] for n in chosen], [masked[n] for n in chosen])
