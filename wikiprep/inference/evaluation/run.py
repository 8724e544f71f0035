"""`wikiprep evaluate`: a checkpoint on the held-out records of a corpus.

Records and masks are those of the evaluations within the run, so that losses and accuracies "as trained" are the ones
of its log. Beside them the same masked mentions are asked for with all words visible, with the mention's words masked,
and of the two guesses that need no model.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from wikiprep.errors import UsageError
from wikiprep.inference.evaluation.accuracy import AccuracyRow
from wikiprep.inference.evaluation.disambiguation import NameRow
from wikiprep.inference.evaluation.entities import entity_rows
from wikiprep.inference.evaluation.relations import RelationRow, count_relations, relation_rows
from wikiprep.inference.evaluation.relations import targets_of as relation_targets_of
from wikiprep.pretrain.baselines.targets import MaskedRecords, masked_of
from wikiprep.pretrain.config import PretrainConfig
from wikiprep.pretrain.config_toml import load_config
from wikiprep.pretrain.data.micro_batches import Cut, micro_batches
from wikiprep.pretrain.data.share import ShareMaker
from wikiprep.pretrain.data.source import Reader, readers_of
from wikiprep.pretrain.evaluate import HeldOut, evaluate, held_out_records
from wikiprep.pretrain.families import corpus_files_of, corpus_relations_of
from wikiprep.pretrain.family import Family
from wikiprep.pretrain.frozen import RanksRelations
from wikiprep.pretrain.log import note_plainly
from wikiprep.pretrain.open_checkpoint import OpenedModel, open_model, run_config
from wikiprep.pretrain.parallel import Spread
from wikiprep.pretrain.ranks import Ranks, join_ranks
from wikiprep.pretrain.run_folder import EXPORTED_CONFIG
from wikiprep.pretrain.start_training import local_folder
from wikiprep.pretrain.trained import Trained
from wikiprep.records.held_out import PAGE, HeldOutFacts
from wikiprep.records.training_corpus import TrainingCorpus, open_corpora

_PIECE = 2048  # records whose answers are asked for together; cut into batches of like size


@dataclass(frozen=True)
class Evaluation:
    """`as_trained`: losses and accuracies under the masks of training, as the run's log names them.

    `masked` mentions were masked, of them `unk` are `[UNK]` and left out of `rows`, which is empty for a model without
    entities, as `names` is; `relations` is empty for one that guesses none. `facts`: of pairs that are set apart
    (`HeldOutFacts`), by corpus.
    """

    checkpoint: str
    step: int | None  # None for a folder of Hugging Face's
    corpora: tuple[str, ...]
    held_out: float
    seed: int
    records: int
    as_trained: Mapping[str, float]
    masked: int
    unk: int
    rows: Sequence[AccuracyRow]
    relations: Sequence[RelationRow] = ()
    held_out_by: str = PAGE
    facts: Sequence[HeldOutFacts] = ()
    names: Sequence[NameRow] = ()


def evaluate_checkpoint(
    path: str,
    urls: Sequence[str],
    most: int | None,
    batch_tokens: int | None,
    config_name: str | None = None,
    language: str | None = None,
) -> Evaluation:
    """Evaluate on at most `most` held-out records (None: as many as within the run; 0: all of them).

    `config_name`: the configuration (shipped, or a file) that says which pages are held out, in the place of the run's.
    Raises WikiprepError where the checkpoint is none, or the corpora are not ones that the model can read.
    """
    with join_ranks(timeout_minutes=10) as ranks:
        if ranks.world > 1:
            raise UsageError("evaluate runs as one process", "start it without torchrun")
        opened_model = open_model(path, ranks, language)
        config = _config(opened_model, config_name)
        learned_relations = corpus_relations_of(config.family, config.tables)
        corpora = open_corpora(
            urls,
            config.data.held_out,
            learned_relations,
            config.data.held_out_by,
            cache_folder=config.data.cache_folder,
            cache_gb=config.data.cache_gb,
        )
        folder = local_folder(corpora[0], corpus_files_of(config.family, config.tables))
        family = opened_model.trained.family(config.tables, folder)
        splits = [corpus.split for corpus in corpora]
        held_out_count = sum(len(split.held_out) for split in splits)
        held_out = held_out_records(splits, config.log.evaluate_records if most is None else most or held_out_count)
        if not len(held_out):
            raise UsageError(
                f"{', '.join(urls)}: no record is held out (held_out = {config.data.held_out})",
                f"the run was trained on all {config.data.held_out_by}s: evaluate it on a larger corpus, or train with "
                "a higher held_out",
            )
        cut = Cut(batch_tokens or config.data.micro_batch_tokens, config.data.micro_batch_sequences)
        readers = readers_of(corpora, held_out.places)
        as_trained = _training_metrics(opened_model.trained, family, readers, held_out, config, cut, ranks)
        masked = unk = 0
        rows: list[AccuracyRow] = []
        names: list[NameRow] = []
        if opened_model.trained.ranks_entities:
            batches = partial(_masked_batches, family, readers, held_out, config.data.seed, cut)
            masked, unk, rows, names = entity_rows(opened_model.trained, corpora, folder, batches, ranks)
        relations: list[RelationRow] = []
        if isinstance(opened_model.trained, RanksRelations):
            relations = _relations(opened_model.trained, family, corpora, readers, held_out, cut)
        return Evaluation(
            path,
            opened_model.header.step if opened_model.header else None,
            tuple(urls),
            config.data.held_out,
            config.data.seed,
            len(held_out),
            as_trained,
            masked,
            unk,
            rows,
            relations,
            config.data.held_out_by,
            tuple(corpus.facts for corpus in corpora if corpus.facts is not None),
            names,
        )


def _config(opened_model: OpenedModel, config_name: str | None) -> PretrainConfig:
    """Of the run, as an export has it too; the defaults for a model that was trained elsewhere."""
    if config_name is not None:
        return load_config(config_name)
    if opened_model.header is not None:
        return load_config(str(run_config(opened_model.checkpoint)))
    exported = opened_model.checkpoint / EXPORTED_CONFIG
    if exported.is_file():
        return load_config(str(exported))
    default = PretrainConfig()
    note_plainly(
        f"{opened_model.checkpoint}: no configuration of a run says which pages are held out; taken are "
        f"{default.data.held_out:g} of them, which it may have been trained on (--config says otherwise)"
    )
    return replace(default, training=replace(default.training, precision="float32"))


def _training_metrics(
    trained: Trained,
    family: Family,
    readers: Sequence[Reader],
    held_out: HeldOut,
    config: PretrainConfig,
    cut: Cut,
    ranks: Ranks,
) -> dict[str, float]:
    maker = ShareMaker(family, tuple(readers), config.data.seed, 0, 1, cut)
    model = Spread(trained.model, trained.model)
    return evaluate(family, model, maker, held_out, _PIECE, config.training, ranks)


def _masked_batches(
    family: Family, readers: Sequence[Reader], held_out: HeldOut, seed: int, cut: Cut
) -> Iterator[MaskedRecords]:
    """The held-out records with a masked mention, those of like size together."""
    for piece in held_out.pieces(_PIECE):
        masked = masked_of(family, readers, piece, seed)
        for step in micro_batches([family.sizes(record) for record in masked.records], 1, cut):
            numbers = step[0].records
            yield MaskedRecords(
                [masked.records[n] for n in numbers],
                [masked.places[n] for n in numbers],
                [masked.pages[n] for n in numbers],
            )


def _relations(
    trained: RanksRelations,
    family: Family,
    corpora: Sequence[TrainingCorpus],
    readers: Sequence[Reader],
    held_out: HeldOut,
    cut: Cut,
) -> list[RelationRow]:
    ranks, targets = [np.zeros(0, np.int64)], []
    for piece in held_out.pieces(_PIECE):
        records = [readers[c].read(n) for c, n in zip(piece.corpus.tolist(), piece.record.tolist(), strict=True)]
        for step in micro_batches([family.sizes(record) for record in records], 1, cut):
            part = [records[number] for number in step[0].records]
            ranks.append(trained.relation_ranks(part))
            targets += [target for record in part for target in relation_targets_of(record)]
    return relation_rows(targets, np.concatenate(ranks), count_relations(corpora, targets))
