"""Stage `mention_links` (with --mentions): under which names links lead where, part by part; and titles as names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from wikiprep.config import RunOptions
from wikiprep.dump.site import MainNamespace, Site
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.stages.used_articles import used_articles, used_links
from wikiprep.tables.mentions.link_names import COUNTED, ENTRIES, LINKS, READ, count_link_names
from wikiprep.tables.mentions.link_targets import Rules
from wikiprep.tables.mentions.title_names import TITLES, count_title_names
from wikiprep.tables.page_tables import OF_KIND, REDIRECTS_READ
from wikiprep.tables.resolver import open_titles
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.job import Job
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

FOLDER = "_state/mention_links/parts"
TITLES_A_UNIT = 500_000
EQUATIONS = (LINKS, ENTRIES, TITLES)


@dataclass(frozen=True, slots=True)
class MentionLinksWork:
    """Either `articles`, a part relative to the output, or share `titles` (number, of how many) of the title table."""

    articles: str | None
    titles: tuple[int, int]
    site: Site
    rules: Rules


class MentionLinks:
    """One unit a part of the articles, and one a share of the titles."""

    name = "mention_links"
    needs: tuple[str, ...] = ("extract", "pages", "used_articles")

    def content(self, job: Job) -> dict[str, Any]:
        """What can be meant."""
        return {
            "keep_disambiguation": job.config.vocabulary.keep_disambiguation,
            "vocab_targets": job.config.vocabulary.vocab_targets,
        }

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """A part each, then the titles."""
        site = Site.of(job.parts[0].siteinfo, job.config.input.language)
        rules, files = rules_of(job), used_articles(earlier)
        tasks = [PlannedUnit(Path(f.path).stem, MentionLinksWork(f.path, (0, 0), site, rules), f.size) for f in files]
        pages = earlier["pages"].counts
        titles = sum(pages.get(key, 0) for key in (OF_KIND["article"], OF_KIND["disambiguation"], REDIRECTS_READ))
        shares = -(-titles // TITLES_A_UNIT) or 1
        for number in range(shares):
            work = MentionLinksWork(None, (number, shares), site, rules)
            tasks.append(PlannedUnit(f"titles-{number:05}-of-{shares:05}", work))
        return tasks

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Count one part, or one share."""
        work: MentionLinksWork = unit.work
        titles, is_main = open_titles(store), MainNamespace(work.site.titles)
        with store.scratch(unit.name) as folder:
            path = folder / "names.arrow"
            if work.articles is not None:
                articles = store.fetch(work.articles)
                tell = tell_pages(report, unit, articles)
                table = count_link_names(articles, titles, is_main, work.rules, path, tell=tell)
            else:
                number, shares = work.titles
                bounds = (len(titles) * number // shares, len(titles) * (number + 1) // shares)
                table = count_title_names(titles, bounds, is_main, work.rules, path)
            file = store.publish(path, f"{FOLDER}/{unit.name}.arrow")
        return Result(unit.name, [file], table.counts)

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Every link that was kept has a name and a target, or is counted by reason."""
        counts = sum_counts(results)
        must_close(self.name, counts, EQUATIONS)
        must_equal(self.name, "links", counts[READ], used_links(earlier))
        if counts[READ] and not counts[COUNTED]:
            raise WikiprepError(
                f"none of {counts[READ]} links can be counted under its name",
                "use --vocab-targets linked for a part of a dump",
            )
        return Commit(tuple(results), counts, {}, (), EQUATIONS)


def tell_pages(report: Report, unit: Unit, articles: Path) -> Callable[[int], None]:
    """Tells of the pages of an article part that are done."""
    total = max(1, pq.read_metadata(articles).num_rows)
    return lambda pages: report.progress(pages=pages, bytes_done=unit.weight * pages // total, rejects=0)


def rules_of(job: Job) -> Rules:
    """What can be meant: the same pages that can be entities."""
    return Rules(job.config.vocabulary.keep_disambiguation, job.config.vocabulary.vocab_targets == "linked")


def must_equal(stage: str, what: str, count: int, expected: int) -> None:
    """Raises WikiprepError where two stages count one thing differently."""
    if count != expected:
        raise WikiprepError(
            f"stage {stage}: {count} {what}, but an earlier stage counted {expected}",
            "this is a fault in wikiprep: please report it with these numbers",
        )
