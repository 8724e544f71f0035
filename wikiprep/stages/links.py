"""Stage `links`: how often each page is linked to, redirects followed, counted part by part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.dump.site import MainNamespace, Site
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.stages.used_articles import used_articles, used_links
from wikiprep.tables.link_counts import BY_TARGET, READ, count_links
from wikiprep.tables.resolver import open_titles
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.job import Job
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

EQUATIONS = (BY_TARGET,)


@dataclass(frozen=True, slots=True)
class LinksWork:
    """`articles`: a part, relative to the output."""

    articles: str
    site: Site
    keep_disambiguation: bool


class Links:
    """One unit a part of the articles."""

    name = "links"
    needs: tuple[str, ...] = ("extract", "pages", "used_articles")

    def content(self, job: Job) -> dict[str, Any]:
        """Whether links of disambiguation pages count."""
        return {"keep_disambiguation": job.config.vocabulary.keep_disambiguation}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """A part each."""
        site = Site.of(job.parts[0].siteinfo, job.config.input.language)
        keep = job.config.vocabulary.keep_disambiguation
        files = used_articles(earlier)
        return [PlannedUnit(Path(f.path).stem, LinksWork(f.path, site, keep), f.size) for f in files]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Count one part."""
        work: LinksWork = unit.work
        titles = open_titles(store)
        is_main = MainNamespace(work.site.titles)
        with store.scratch(unit.name) as folder:
            path = folder / "counts.arrow"
            table = count_links(
                store.fetch(work.articles), titles, is_main, path, keep_disambiguation=work.keep_disambiguation
            )
            file = store.publish(path, f"_state/links/counts/{unit.name}.arrow")
        return Result(unit.name, [file], table.counts)

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Every link that was kept leads somewhere or is counted by reason."""
        counts = sum_counts(results)
        must_close(self.name, counts, EQUATIONS)
        links_kept = used_links(earlier)
        if counts[READ] != links_kept:
            raise WikiprepError(
                f"stage links: {counts[READ]} links were read, but {links_kept} were kept by extract",
                "this is a fault in wikiprep: please report it with these numbers",
            )
        return Commit(tuple(results), counts, {}, (), EQUATIONS)
