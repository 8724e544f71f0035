"""Tables that are given beside a dump, compared with it before any stage: of this wiki, of this date."""

from wikiprep.dump.identity import WIKIDATA, Identity, check_date, check_table, check_wiki, of_dump, of_table
from wikiprep.dump.siteinfo import FAMILIES
from wikiprep.errors import UsageError
from wikiprep.units.job import Job

_MOST_NAMED = 12


def dump_of(job: Job) -> Identity:
    """What the dump says of itself."""
    part = job.parts[0]
    return of_dump(part.path, part.siteinfo.dbname)


def passed_over(job: Job) -> list[str]:
    """One line for all files in the dump's folder that hold no pages, by kind, so that nobody wonders."""
    if job.annotated or not job.passed_over:
        return []
    lines, more_count = job.passed_over[:_MOST_NAMED], len(job.passed_over) - _MOST_NAMED
    names = "; ".join(line.rpartition("/")[2].removesuffix(", passed over") for line in lines)
    return [f"passed over beside the dump: {names}" + (f"; and {more_count:,} more" if more_count > 0 else "")]


def check_page_props(job: Job) -> None:
    """Raises UsageError where --page-props is another table, or of another wiki or date than the dump."""
    path = job.config.input.page_props
    assert path is not None
    option, table, dump = "--page-props", of_table(path), dump_of(job)
    check_table(option, table, "page_props")
    check_wiki(option, table, dump.wiki, f"the dump {dump.name}", "page_props", dump.date or "DATE")
    check_date(option, table, dump, "page_props", job.config.input.allow_other_dates)


def check_wikidata_dump(job: Job) -> None:
    """Raises UsageError where --wikidata has no item of this wiki, as far as its beginning and the wiki's name tell."""
    from wikiprep.wikidata.json_dump_files import find_files, look_for

    path, dump = job.config.wikidata.wikidata, dump_of(job)
    assert path is not None
    sample = look_for(dump.wiki, find_files(path))
    if sample.found or not sample.others:  # of a dump without any item with a page its reader says more
        return
    if not sample.whole and dump.wiki.endswith(FAMILIES):
        return
    others = f"; its items have pages in {', '.join(sample.others)}"
    suffix = "" if sample.whole else ", as far as its beginning shows"
    raise UsageError(
        f"--wikidata {path}: none of its items has a page in {dump.wiki}, the wiki of {dump.name}{suffix}{others}",
        "take latest-all.json.bz2 of Wikidata, or items of this wiki; where Wikidata has none, leave the option out",
    )


def check_wikidata_tables(redirect: str, page: str, allowed: bool) -> None:
    """The same of the two tables of Wikidata, which have to be of Wikidata and of one date."""
    tables = [("--wikidata-redirect", of_table(redirect), "redirect"), ("--wikidata-page", of_table(page), "page")]
    for option, identity, table in tables:
        check_table(option, identity, table)
        check_wiki(option, identity, WIKIDATA, "Wikidata", table)
    (_, first, _), (option, identity, table) = tables
    check_date(option, identity, first, table, allowed)
