"""Tables that are given beside a dump, compared with it before any stage: of this wiki, of this date."""

from wikiprep.dump.identity import WIKIDATA, Identity, check_date, check_table, check_wiki, of_dump, of_table
from wikiprep.stages.job import Job


def dump_of(job: Job) -> Identity:
    """What the dump says of itself."""
    part = job.parts[0]
    return of_dump(part.path, part.siteinfo.dbname)


def check_page_props(job: Job) -> None:
    """Raises UsageError where --page-props is another table, or of another wiki or date than the dump."""
    path = job.config.input.page_props
    assert path is not None
    option, found, dump = "--page-props", of_table(path), dump_of(job)
    check_table(option, found, "page_props")
    check_wiki(option, found, dump.wiki, f"the dump {dump.name}", "page_props", dump.date)
    check_date(option, found, dump, "page_props", job.config.input.allow_other_dates)


def check_wikidata_tables(redirect: str, page: str, allowed: bool) -> None:
    """The same of the two tables of Wikidata, which have to be of Wikidata and of one date."""
    tables = [("--wikidata-redirect", of_table(redirect), "redirect"), ("--wikidata-page", of_table(page), "page")]
    for option, found, table in tables:
        check_table(option, found, table)
        check_wiki(option, found, WIKIDATA, "Wikidata", table)
    (_, first, _), (option, found, table) = tables
    check_date(option, found, first, table, allowed)
