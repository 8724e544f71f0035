"""Stage `tokenizer`: the tokenizer.json that records are made with: a copy of the given one, or trained on the text."""

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.corpus.articles import read_articles
from wikiprep.corpus.tokenizer_config import save_tokenizer_config
from wikiprep.corpus.tokenizers import load_tokenizer, save_bpe_files, save_tokenizer, train_tokenizer
from wikiprep.corpus.wordpiece import describe_wordpiece
from wikiprep.counts import Count
from wikiprep.errors import UsageError
from wikiprep.files import Store
from wikiprep.stages.used_articles import used_articles, used_characters
from wikiprep.units.count_equations import sum_counts
from wikiprep.units.handovers import to_json
from wikiprep.units.job import Job, path_identity
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

TOKENIZER = "tokenizer/tokenizer.json"
TOKENS = Count("tokens", "Tokens of the tokenizer, special ones among them.")
_TRAIN = "train:"
_READING_SHARE = 0.7  # of a training's time, on English text and 8,000 to 30,000 tokens; merges take the rest
_SECONDS = 0.5  # between reports


@dataclass(frozen=True, kw_only=True)
class TokenizerFacts:
    """`taken`: what was read of a tokenizer in the words of the Hugging Face hub, where that is more than its file."""

    taken: str | None = None


@dataclass(frozen=True, slots=True)
class TokenizerWork:
    """`spec` as the option gives it; `articles` and how many of them (one in `every`) are read for training."""

    spec: str
    size: int | None
    articles: tuple[str, ...]
    every: int


class Tokenizer:
    """One unit."""

    name = "tokenizer"
    needs: tuple[str, ...] = ("extract", "import", "used_articles")

    def content(self, job: Job) -> dict[str, Any]:
        """The option, for a file what it holds."""
        spec = _spec(job)
        return {
            "tokenizer": path_identity(spec),
            "train_mb": job.config.tokenizer.train_mb if trained_size(spec) else None,
        }

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The one unit."""
        spec = _spec(job)
        articles, size = tuple(f.path for f in used_articles(earlier)), trained_size(spec)
        characters = used_characters(earlier)
        every = -(-characters // int(job.config.tokenizer.train_mb * 1e6)) or 1
        weight = characters // every if size is not None else 0
        return [PlannedUnit("tokenizer", TokenizerWork(spec, size, articles, every), weight)]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Load or train, and save in one form."""
        work: TokenizerWork = unit.work
        texts = _report_reading(_texts(work, store), report)
        tokenizer = load_tokenizer(work.spec) if work.size is None else train_tokenizer(texts, work.size)
        with store.scratch("tokenizer") as folder:
            save_tokenizer(tokenizer, folder / "tokenizer.json")
            names = ["tokenizer.json", save_tokenizer_config(tokenizer, folder), *save_bpe_files(tokenizer, folder)]
            files = [store.publish(folder / name, f"tokenizer/{name}") for name in names]
        description = describe_wordpiece(work.spec) if work.size is None else None
        return Result(
            unit.name, files, {TOKENS: tokenizer.get_vocab_size()}, to_json(TokenizerFacts(taken=description))
        )

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Its size; a trained one may stay smaller than asked where the text is small."""
        counts, size, warnings = sum_counts(results), trained_size(_spec(job)), []
        if size is not None and counts[TOKENS] < size:
            warnings.append(f"the text gave a tokenizer of {counts[TOKENS]} tokens, not {size}")
        return Commit(tuple(results), counts, results[0].facts, tuple(warnings))


def _spec(job: Job) -> str:
    if not job.config.tokenizer.tokenizer:
        raise UsageError("no tokenizer given", "give --tokenizer: a folder, a file, a hub name, or train:50000")
    return job.config.tokenizer.tokenizer


def trained_size(spec: str) -> int | None:
    """SIZE of `train:SIZE`; None where a tokenizer is given."""
    if not spec.startswith(_TRAIN):
        return None
    size = spec.removeprefix(_TRAIN)
    if not size.isdecimal() or len(size) > 8 or not 300 <= int(size) <= 10_000_000:
        raise UsageError(f"--tokenizer {spec}: not a size", "train:SIZE takes a number of tokens, 300 to 10,000,000")
    return int(size)


def _report_reading(texts: Iterator[str], report: Report) -> Iterator[str]:
    """The same, and how far they are; the trainer itself tells nothing of the merges that it learns then."""
    characters_done, reported_at = 0, time.monotonic()
    for text in texts:
        yield text
        characters_done += len(text)
        if time.monotonic() - reported_at > _SECONDS:
            reported_at = time.monotonic()
            report.progress(pages=0, bytes_done=int(characters_done * _READING_SHARE), rejects=0)
    report.progress(pages=0, bytes_done=int(characters_done * _READING_SHARE), rejects=0, at="learning merges")


def _texts(work: TokenizerWork, store: Store) -> Iterator[str]:
    """The texts of one in `every` articles, chosen by a hash of the title: the same ones however the dump is cut."""
    for path in work.articles:
        for batch in read_articles(Path(store.fetch(path)), ["title", "paragraphs.list.element.text"]):
            for row in batch.to_pylist():
                digest = hashlib.blake2b(row["title"].encode(), digest_size=8).digest()
                if int.from_bytes(digest, "big") % work.every == 0:
                    yield from (p["text"] for p in row["paragraphs"])
