"""From a command to a trainer: configuration, ranks, corpora, family and folder, each with its errors told once."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store, sha256_of
from wikiprep.pretrain.attention import attention_of
from wikiprep.pretrain.config import DataConfig, PretrainConfig, with_steps
from wikiprep.pretrain.config_toml import load_config
from wikiprep.pretrain.data.skips import Asked, read_skip
from wikiprep.pretrain.data.source import source_of
from wikiprep.pretrain.families import FAMILIES, corpus_files_of, corpus_relations_of, family_named
from wikiprep.pretrain.family import Family, MakeFamily, SeveralLanguages
from wikiprep.pretrain.log import note_plainly
from wikiprep.pretrain.parallel import check_parallel
from wikiprep.pretrain.ranks import Ranks, join_ranks
from wikiprep.pretrain.run_folder import ABOUT, claim, goes_on, lock_run_folder, must_be_run_folder
from wikiprep.pretrain.run_identity import identity_of
from wikiprep.pretrain.stopping import stop_mark
from wikiprep.pretrain.trainer import Trainer
from wikiprep.pretrain.trainer_job import TrainingJob, cut_of
from wikiprep.pretrain.validation import HeldOutJudge
from wikiprep.process import let_pandas_in
from wikiprep.records.reader import RecordReader
from wikiprep.records.shard_cache import RemoteShard, ShardCache
from wikiprep.records.training_corpus import TrainingCorpus, open_corpora

T = TypeVar("T")
_MEANING = ("tokenizer/", "tables/entity_vocab.parquet")


@dataclass(frozen=True, kw_only=True)
class Command:
    """What the user asked for."""

    corpora: tuple[str, ...]
    config: str
    output: str
    settings: tuple[str, ...] = ()
    max_steps: int | None = None
    skip_records: tuple[str, ...] = ()
    overwrite: bool = False
    quiet: bool = False


def pretrain(command: Command) -> None:
    """Run it on this rank. Raises WikiprepError; one of several ranks ends its process itself, with the message."""
    alone = int(os.environ.get("WORLD_SIZE", 1)) == 1
    try:
        _pretrain(command)
    except WikiprepError as error:
        if alone:
            raise
        # What is left of a group of processes may wait for ranks that are gone: nothing of it is tidied up.
        print(f"wikiprep: {error}", file=sys.stderr, flush=True)
        os._exit(error.exit_code)


def _pretrain(command: Command) -> None:
    config, skip = _check_command(command)
    if config.family not in FAMILIES:
        let_pandas_in()
    folder = Path(command.output)
    with stop_mark() as mark, join_ranks(config.training.timeout_minutes) as ranks, ExitStack() as locks:
        make_family = run_on_all_ranks(ranks, lambda: family_named(config.family))
        relations = corpus_relations_of(config.family, config.tables)
        data = config.data
        corpora = run_on_all_ranks(ranks, lambda: _open_corpora(command.corpora, data, relations))
        config = with_steps(config, sum(corpus.split.training for corpus in corpora))
        if ranks.first and not relations and any(corpus.of_sentences for corpus in corpora):
            note_plainly(
                f"the corpus was made for relations (--preset spot), and the family {config.family} learns none: "
                "--config spot-base does"
            )
        for corpus in corpora if ranks.first else ():
            if corpus.facts is not None:
                note_plainly(f"{corpus.url}: {corpus.facts.in_words()}")
        going_on = not command.overwrite and goes_on(folder) and (folder / ABOUT).is_dir()
        about = folder / ABOUT if ranks.from_first(going_on) else None
        files = corpus_files_of(config.family, config.tables)
        run_on_all_ranks(ranks, lambda: _check_files_as_built(corpora[0]) if ranks.first else None)
        family = run_on_all_ranks(ranks, lambda: _make_family(make_family, config.tables, corpora, files, about))
        run_on_all_ranks(ranks, lambda: _check_longest_fits(family, corpora))
        training = config.training
        run_on_all_ranks(ranks, lambda: attention_of(family, training, ranks.device))
        run_on_all_ranks(ranks, lambda: check_parallel(family, training, ranks.world))
        if ranks.first:
            run_on_all_ranks(ranks, lambda: locks.enter_context(lock_run_folder(folder)))

            def claim_folder() -> None:
                identity = identity_of(config, corpora, family)
                claim(folder, config, identity, family, command.overwrite, may_grow=True)

            run_on_all_ranks(ranks, claim_folder)
        else:
            run_on_all_ranks(ranks, lambda: None)
            run_on_all_ranks(ranks, lambda: None)
        sources = tuple(map(source_of, corpora))
        judge = partial(HeldOutJudge, config, family, corpora, cut_of(config))
        job = TrainingJob(
            config=config,
            family=family,
            sources=sources,
            judge=judge,
            folder=folder,
            max_steps=command.max_steps,
            skip=skip,
            quiet=command.quiet,
        )
        Trainer(job, ranks, mark).run()


def _make_family(
    make_family: MakeFamily,
    tables: Mapping[str, Mapping[str, Any]],
    corpora: Sequence[TrainingCorpus],
    files: tuple[str, ...],
    about: Path | None,
) -> Family:
    family = make_family(tables, local_folder(corpora[0], files), about)
    languages = [corpus.language for corpus in corpora]
    if len(set(languages)) == len(languages) > 1 and isinstance(family, SeveralLanguages):
        multilingual: Family = family.in_languages(
            [(corpus.language, local_folder(corpus, files)) for corpus in corpora]
        )
        return multilingual
    return family


def _open_corpora(urls: Sequence[str], data: DataConfig, relations: str) -> tuple[TrainingCorpus, ...]:
    corpora = open_corpora(
        urls, data.held_out, relations, data.held_out_by, cache_folder=data.cache_folder, cache_gb=data.cache_gb
    )
    check_room([(corpus.cache, corpus.shards) for corpus in corpora], data.shuffle_shards)
    return corpora


def _check_files_as_built(corpus: TrainingCorpus) -> None:
    """Raises WikiprepError where the files that say what ids mean are not those that the records were made with."""
    store = Store(corpus.url)
    for name, digest in sorted(corpus.digests.items()):
        if name.startswith(_MEANING):
            path = store.fetch(name)
            if not path.is_file() or sha256_of(path) != digest:
                raise WikiprepError(
                    f"{corpus.url}/{name}: missing, or not what the build wrote (its sha256 is not the manifest's)",
                    "the ids of the records would mean other things: take the file from another copy, or build anew",
                )


def _check_longest_fits(family: Family, corpora: Sequence[TrainingCorpus]) -> None:
    """Raises WikiprepError where the family cannot take the longest record: a run would meet it some time."""
    for corpus in corpora:
        family.collate([RecordReader(corpus).peek(corpus.longest)], [np.random.default_rng(0)])


def run_on_all_ranks(ranks: Ranks, work: Callable[[], T]) -> T:
    """`work` on every rank; where one fails, all end."""
    error, result = None, None
    try:
        result = work()
    except WikiprepError as failed:
        error = failed
    ranks.agree(error)
    return result  # type: ignore[return-value]


def _check_command(command: Command) -> tuple[PretrainConfig, tuple[Asked, ...]]:
    """What can be told of the command before ranks meet.

    Every rank says what is wrong: torchrun ends the others as soon as one is gone, whether they have spoken or not.
    """
    must_be_run_folder(command.output, command.corpora)
    return load_config(command.config, command.settings), tuple(map(read_skip, command.skip_records))


def local_folder(corpus: TrainingCorpus, files: tuple[str, ...]) -> Path:
    """The corpus as a folder on local disk, as far as `files` go (how their names begin)."""
    store = Store(corpus.url)
    if store.root is not None:
        return store.root
    for name in corpus.digests:
        if name.startswith(files):
            store.fetch(name)
    return store.fetch("tokenizer/tokenizer.json").parents[1]


def check_room(caches: Iterable[tuple[ShardCache | None, Sequence[RemoteShard]]], shuffle_shards: int) -> None:
    """Raises UsageError where what is mixed at a time does not fit the cache: each step would fetch shards anew."""
    remote = [(cache, shards) for cache, shards in caches if cache is not None and shards]
    if not remote or not remote[0][0].limit:
        return
    limit, total = remote[0][0].limit, sum(shard.size for _, shards in remote for shard in shards)
    if total <= limit:
        return
    largest = sum(max(shard.size for shard in shards) for _, shards in remote)
    fits = limit // (2 * largest)  # the shards of now, and those that come next
    if not fits:
        raise UsageError(
            f"data.cache_gb = {limit / 1e9:g} is less than two shards of each corpus, {2 * largest / 1e9:.3g} GB",
            "give a larger data.cache_gb",
        )
    if not 0 < shuffle_shards <= fits:
        setting = f"data.shuffle_shards = {shuffle_shards}" if shuffle_shards else "all shards are mixed at a time"
        raise UsageError(
            f"the records are {total / 1e9:.3g} GB, data.cache_gb = {limit / 1e9:g}, and {setting}: each step would "
            "fetch shards anew",
            f"give data.shuffle_shards = {fits} or less, or a larger data.cache_gb",
        )
