"""Names of wikis: what stands for one on the command line, or in a build in the place of a file.

And what was meant by a name that no server knows. Quick to import: each build asks.
"""

import difflib
import re
from pathlib import Path

from wikiprep.errors import UsageError
from wikiprep.languages.interwiki import language_prefixes
from wikiprep.languages.language import languages
from wikiprep.units.job import Job

PROJECTS = (
    *("wiki", "wiktionary", "wikibooks", "wikinews", "wikiquote", "wikisource", "wikiversity", "wikivoyage"),
    "wikimedia",
)
_NAME = re.compile(rf"[a-z][a-z0-9_]*(?:{'|'.join(PROJECTS)})")
WIKIDATA = "wikidatawiki"


def is_wiki_name(text: str) -> bool:
    """Whether it has the form of a wiki's name (its database's), such as simplewiki or zh_yuewiki."""
    return _NAME.fullmatch(text) is not None


def names_a_wiki(name: str) -> bool:
    """Whether something given in the place of a file is a wiki's name: files and folders of that name come first."""
    return is_wiki_name(name) and not Path(name).exists()


def require_wiki(name: str) -> str:
    """The name. Raises UsageError, naming wikis like it, for what has not the form of one."""
    if is_wiki_name(name):
        return name
    raise UsageError(f"{name!r} is no name of a wiki", near_names(name))


def near_names(name: str) -> str:
    """A hint with the names of Wikipedias like `name`."""
    codes = {*languages(), *language_prefixes()}
    word = re.sub(r"[^a-z0-9]+", "_", name.strip().lower()).strip("_")
    if word.replace("_", "-") in codes:
        return f"did you mean {word}wiki?"
    known_wikis = sorted(f"{code.replace('-', '_')}wiki" for code in codes)
    near = difflib.get_close_matches(word, known_wikis, 3, cutoff=0.7)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return "wikis are named as their databases: simplewiki, enwiki, zh_yuewiki, frwiktionary"


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
