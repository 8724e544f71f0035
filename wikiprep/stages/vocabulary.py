"""Stage `vocabulary`: the entities, from the link counts of all parts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikiprep.config import VocabularyConfig
from wikiprep.dump.site import Site
from wikiprep.files import Store
from wikiprep.stages.accounts import Equation, must_close, summed
from wikiprep.stages.job import Job, options_of
from wikiprep.stages.stage import Commit, Task
from wikiprep.stages.unit import FileReceipt, Report, Result, RunOptions, Unit
from wikiprep.stages.wikidata import lookup_folder
from wikiprep.tables.entity_qids import entity_qids
from wikiprep.tables.entity_vocab import VOCAB_ARRAYS, VOCAB_JSON, VOCAB_PARQUET, VOCAB_TRIE, Row
from wikiprep.tables.pages import PAGES
from wikiprep.tables.resolver import title_folder
from wikiprep.tables.vocabulary import build_vocabulary
from wikiprep.wikidata.lookups import ItemTitles

FILES = {
    VOCAB_PARQUET: f"tables/{VOCAB_PARQUET}",
    VOCAB_TRIE: f"tables/{VOCAB_TRIE}",
    VOCAB_ARRAYS: f"tables/{VOCAB_ARRAYS}",
    VOCAB_JSON: f"tokenizer/{VOCAB_JSON}",
}
EQUATIONS = (
    Equation(
        "links that entities can cover", "vocabulary.links", ("vocabulary.links.covered", "vocabulary.links.lost.")
    ),
    Equation("vocabulary", "vocabulary.size", ("vocabulary.entities", "vocabulary.special_tokens")),
)


@dataclass(frozen=True, slots=True)
class VocabularyWork:
    """`counts`: files of the links stage, relative to the output. Titles of a white list are made like links."""

    counts: tuple[str, ...]
    site: Site
    config: VocabularyConfig
    wikidata: str | None = None  # folder of Wikidata's tables


class Vocabulary:
    """One unit."""

    name = "vocabulary"
    needs: tuple[str, ...] = ("pages", "links", "wikidata")

    def content(self, job: Job) -> dict[str, Any]:
        """Options of [vocabulary]."""
        return options_of(job.config.vocabulary)

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[Task]:
        """The one unit."""
        files = earlier["links"].files("_state/links/counts/")
        site = Site.of(job.parts[0].siteinfo, job.config.input.language)
        folder = earlier["wikidata"].facts["folder"] if "wikidata" in earlier else None
        work = VocabularyWork(tuple(f.path for f in files), site, job.config.vocabulary, folder)
        return [Task("vocabulary", work, sum(f.size for f in files))]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Merge the counts."""
        work: VocabularyWork = unit.work
        with store.scratch("vocabulary") as folder:
            counts = [store.fetch(path) for path in work.counts]
            made = build_vocabulary(
                counts,
                title_folder(store),
                folder,
                work.config,
                normalise=lambda title: work.site.titles.parse(title).title or title,
                qids=_qids(store, work),
            )
            files = publish_vocabulary(store, folder)
        return Result(unit.name, files, made.counts, {"warnings": list(made.warnings)})

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """How much of the links it covers."""
        counts = summed(results)
        must_close(self.name, counts, EQUATIONS)
        return Commit(tuple(results), counts, {}, tuple(results[0].facts["warnings"]), EQUATIONS)


def _qids(store: Store, work: VocabularyWork) -> Callable[[Sequence[Row]], dict[int, str]] | None:
    if work.wikidata is None:
        return None
    titles = ItemTitles.open(lookup_folder(store, work.wikidata))
    return lambda rows: entity_qids(rows, store.fetch(f"tables/{PAGES}"), titles, work.site.siteinfo.dbname)


def publish_vocabulary(store: Store, folder: Path) -> list[FileReceipt]:
    """Publish the files of a vocabulary written into `folder`."""
    return [store.publish(folder / name, path) for name, path in FILES.items()]
