"""Names of wikis: what stands for one on the command line, and what was meant by a name that no server knows."""

import difflib
import re
from pathlib import Path

from wikiprep.errors import UsageError
from wikiprep.languages.interwiki import language_prefixes
from wikiprep.languages.language import languages

PROJECTS = (
    *("wiki", "wiktionary", "wikibooks", "wikinews", "wikiquote", "wikisource", "wikiversity", "wikivoyage"),
    "wikimedia",
)
_NAME = re.compile(rf"[a-z][a-z0-9_]*(?:{'|'.join(PROJECTS)})")


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
