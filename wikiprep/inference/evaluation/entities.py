"""Masked mentions asked of a model, beside what names alone say: the two tables of entities that `evaluate` prints."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.inference.evaluation.accuracy import AccuracyRow, Answers, rows_of
from wikiprep.inference.evaluation.disambiguation import NameAnswers, NameRow, name_rows
from wikiprep.inference.evaluation.title_prefixes import Titles
from wikiprep.pretrain.baselines.prior import Guesses
from wikiprep.pretrain.baselines.targets import MaskedRecords, Targets, corpus_pieces, guesses_for, targets_of
from wikiprep.pretrain.ranks import Ranks
from wikiprep.pretrain.trained import EntityRanks, Trained
from wikiprep.records.training_corpus import TrainingCorpus

Ints = npt.NDArray[np.int64]


def entity_rows(
    trained: Trained,
    corpora: Sequence[TrainingCorpus],
    folder: Path,
    batches: Callable[[], Iterator[MaskedRecords]],
    ranks: Ranks,
) -> tuple[int, int, list[AccuracyRow], list[NameRow]]:
    """Mentions masked, those of them that are `[UNK]`, and the figures of the others, by entity and by name.

    `batches` gives the same ones each time: they are read twice, first for the names, of which the candidates are
    counted, so that no more than the answers is held. `folder`: the first corpus on local disk.
    """
    pieces = corpus_pieces(corpora[0])
    target_parts = [Targets(np.zeros(0, np.int64), [], np.zeros(0, np.int64))]
    target_parts += [targets_of(masked, pieces) for masked in batches()]
    targets = Targets(
        np.concatenate([part.entities for part in target_parts]),
        [name for part in target_parts for name in part.names],
        np.concatenate([part.pages for part in target_parts]),
    )
    guesses = guesses_for(targets, corpora, pieces, ranks)
    known_mask = targets.known
    by_title = like_titles(targets, guesses, folder)
    no_ids = np.zeros(0, np.int64)
    no_ranks = EntityRanks(no_ids, no_ids)
    seen, hidden = [no_ranks], [no_ranks]
    for masked, part in zip(batches(), target_parts[1:], strict=True):
        candidates = [guesses.meanings.get(name, by_title.get(name, (no_ids, None))[0]) for name in part.names]
        for words_masked, into in ((False, seen), (True, hidden)):
            into.append(trained.entity_ranks(masked.records, masked.places, candidates, words_masked=words_masked))
    known_names = [name for name, is_known in zip(targets.names, known_mask.tolist(), strict=True) if is_known]
    prior = np.array([guesses.prior(name) for name in known_names], np.int64)
    meanings = np.array([len(guesses.meanings.get(name, no_ids)) for name in known_names], np.int64)
    title_guesses = [by_title.get(name, (no_ids, None))[1] for name in known_names]
    guess = [own if own is not None else int(usual) for own, usual in zip(title_guesses, prior, strict=True)]
    entities = targets.entities[known_mask]

    def known_ranks(side: list[EntityRanks]) -> tuple[Ints, Ints]:
        over_all, among = (
            np.concatenate(parts)[known_mask] for parts in zip(*((r.over_all, r.among) for r in side), strict=True)
        )
        return over_all, among

    pages, counts = targets.pages[known_mask], guesses.counts[entities]
    (seen_rank, seen_among), (hidden_rank, hidden_among) = known_ranks(seen), known_ranks(hidden)
    by_entity = Answers(entities, seen_rank, hidden_rank, prior, meanings > 0, counts, guesses.commonest, pages)
    by_name = NameAnswers(
        entities,
        pages,
        meanings,
        counts,
        seen_rank,
        hidden_rank,
        seen_among,
        hidden_among,
        prior,
        np.array(guess, np.int64),
    )
    return len(known_mask), int((~known_mask).sum()), rows_of(by_entity), name_rows(by_name)


def like_titles(targets: Targets, guesses: Guesses, folder: Path) -> dict[str, tuple[Ints, int | None]]:
    """Of each name that training does not have the entities with a title like it, and which of them is guessed.

    `folder`: the corpus on local disk.
    """
    known_flags = targets.known.tolist()
    unseen_names = {name for name, is_known in zip(targets.names, known_flags, strict=True) if is_known}
    unseen_names = {name for name in unseen_names if name not in guesses.by_name}
    if not unseen_names:
        return {}
    titles = Titles.of_corpus(folder, load_tokenizer(folder / "tokenizer" / "tokenizer.json"))
    counts = np.zeros(max(len(guesses.counts), titles.size), np.int64)
    counts[: len(guesses.counts)] = guesses.counts
    return {name: (titles.like(name), titles.guess(name, counts)) for name in unseen_names}
