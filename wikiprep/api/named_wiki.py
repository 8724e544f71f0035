"""Where a build names a wiki in the place of a file. Quick to import: each build asks."""

from wikiprep.download.wiki_names import names_a_wiki
from wikiprep.errors import UsageError
from wikiprep.units.job import Job

WIKIDATA = "wikidatawiki"


def wiki_of(job: Job) -> str | None:
    """The wiki that is named as the dump; None where files are. Raises UsageError for names that say nothing."""
    named_wikis = [dump for dump in job.dumps if names_a_wiki(dump)]
    wiki = named_wikis[0] if named_wikis else None
    if wiki and len(job.dumps) > 1:
        raise UsageError(f"{wiki} and other dumps", "name one wiki, or give the files of one dump")
    for option, value, expected in _options_with_wiki(job, wiki):
        if not wiki:
            raise UsageError(
                f"--{option} {value}: no such file", "a wiki's name stands there only where one stands for the dump too"
            )
        if value != expected:
            raise UsageError(f"--{option} {value}: is another wiki", f"give --{option} {expected}, or a file")
    return wiki


def _options_with_wiki(job: Job, wiki: str | None) -> list[tuple[str, str, str | None]]:
    """Option, the wiki's name that it has, and the one that it may have."""
    page_props, wikidata = job.config.input.page_props, job.config.wikidata
    options = [
        ("page-props", page_props, wiki),
        ("wikidata", wikidata.wikidata, WIKIDATA),
        ("wikidata-redirect", wikidata.wikidata_redirect, WIKIDATA),
        ("wikidata-page", wikidata.wikidata_page, WIKIDATA),
        ("white-list", job.config.vocabulary.white_list, None),
        ("entity-vocab", job.config.vocabulary.entity_vocab, None),
    ]
    return [(name, value, expected) for name, value, expected in options if value and names_a_wiki(value)]
