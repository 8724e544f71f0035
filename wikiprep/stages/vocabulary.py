"""Stage `vocabulary`: the entities, from the link counts of all parts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikiprep.config import RunOptions, VocabularyConfig
from wikiprep.counts import Count
from wikiprep.dump.site import Site
from wikiprep.file_receipt import FileReceipt
from wikiprep.files import Store
from wikiprep.stages.wikidata import lookup_folder
from wikiprep.storage.tables import TableResult
from wikiprep.tables.choose_entities import COVERAGE, IDS, LINKS, LOST, build_vocabulary
from wikiprep.tables.entity_vocab import VOCAB_ARRAYS, VOCAB_JSON, VOCAB_PARQUET, VOCAB_TRIE, Row
from wikiprep.tables.given_vocabulary import BY_ENTITY, GIVEN, build_given_vocabulary
from wikiprep.tables.missing_pages import LinkCounts, red_link_warning
from wikiprep.tables.page_tables import OF_KIND, PAGES, REDIRECTS_READ, TO_MISSING
from wikiprep.tables.qids import entity_qids
from wikiprep.tables.resolver import title_folder
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.handovers import Warnings, folder_of, from_json, to_json
from wikiprep.units.job import Job, options_of
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit
from wikiprep.wikidata.lookups import ItemTitles

FILES = {
    VOCAB_PARQUET: f"tables/{VOCAB_PARQUET}",
    VOCAB_TRIE: f"tables/{VOCAB_TRIE}",
    VOCAB_ARRAYS: f"tables/{VOCAB_ARRAYS}",
    VOCAB_JSON: f"tokenizer/{VOCAB_JSON}",
}
EQUATIONS = (COVERAGE, IDS)


@dataclass(frozen=True, slots=True)
class VocabularyWork:
    """`counts`: files of the links stage, relative to the output. Titles of a white list are made like links."""

    counts: tuple[str, ...]
    site: Site
    config: VocabularyConfig
    wikidata: str | None = None  # folder of Wikidata's tables
    language: str = ""  # whose titles are taken of a given vocabulary of several languages


class Vocabulary:
    """One unit."""

    name = "vocabulary"
    needs: tuple[str, ...] = ("pages", "links", "wikidata")

    def content(self, job: Job) -> dict[str, Any]:
        """Options of [vocabulary]."""
        options = options_of(job.config.vocabulary)
        return options | {"language": job.language} if job.config.vocabulary.entity_vocab else options

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The one unit."""
        files = earlier["links"].files("_state/links/counts/")
        site = Site.of(job.parts[0].siteinfo, job.config.input.language)
        folder = folder_of(earlier, "wikidata")
        work = VocabularyWork(tuple(f.path for f in files), site, job.config.vocabulary, folder, job.language)
        return [PlannedUnit("vocabulary", work, sum(f.size for f in files))]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Merge the counts."""
        work: VocabularyWork = unit.work
        with store.scratch("vocabulary") as folder:
            counts = [store.fetch(path) for path in work.counts]
            table = _build(store, work, counts, folder)
            files = publish_vocabulary(store, folder)
            if work.config.entity_vocab:
                files.append(store.publish(folder / GIVEN, f"tables/{GIVEN}"))
        return Result(unit.name, files, table.counts, to_json(Warnings(warnings=list(table.warnings))))

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """How much of the links it covers."""
        counts = sum_counts(results)
        equations = (*EQUATIONS, BY_ENTITY) if job.config.vocabulary.entity_vocab else EQUATIONS
        must_close(self.name, counts, equations)
        red = red_link_warning(_link_counts(counts, earlier["pages"].counts), bool(job.dump.missing))
        warnings = ([red] if red else []) + from_json(Warnings, results[0].facts).warnings
        return Commit(tuple(results), counts, {}, tuple(warnings), equations)


def _link_counts(counts: Mapping[Count, int], pages: Mapping[Count, int]) -> LinkCounts:
    return LinkCounts(
        links=counts[LINKS],
        red=counts.get(LOST.of("missing"), 0),  # of those that --vocab-targets linked keeps none is lost
        redirects=pages.get(REDIRECTS_READ, 0),
        broken=pages.get(TO_MISSING, 0),
        articles=pages.get(OF_KIND["article"], 0),
    )


def _build(store: Store, work: VocabularyWork, counts: list[Path], folder: Path) -> TableResult:
    def normalise(title: str) -> str:
        return work.site.titles.parse(title).title or title

    titles, qids, entity_vocab = title_folder(store), _qid_finder(store, work), work.config.entity_vocab
    if entity_vocab:
        return build_given_vocabulary(
            counts, titles, folder, entity_vocab, work.language, normalise=normalise, qids=qids
        )
    return build_vocabulary(counts, titles, folder, work.config, normalise=normalise, qids=qids)


def _qid_finder(store: Store, work: VocabularyWork) -> Callable[[Sequence[Row]], dict[int, str]] | None:
    if work.wikidata is None:
        return None
    titles = ItemTitles.open(lookup_folder(store, work.wikidata))
    return lambda rows: entity_qids(rows, store.fetch(f"tables/{PAGES}"), titles, work.site.siteinfo.dbname)


def publish_vocabulary(store: Store, folder: Path) -> list[FileReceipt]:
    """Publish the files of a vocabulary written into `folder`."""
    return [store.publish(folder / name, path) for name, path in FILES.items()]
