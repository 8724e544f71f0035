"""What a Wiktionary calls languages: data/languages/ has most, data/projects/languages.LANGUAGE.txt its own names."""

import functools
import re
from pathlib import Path

from wikiprep.wikitext.templates.functions.language_names import labels_of

_DATA = Path(__file__).parent.parent / "data" / "projects"
_QUALIFIED = re.compile(r"\s*\([^()]*\)")


@functools.cache
def _own_names(wiki: str) -> dict[str, str]:
    path = _DATA / f"languages.{wiki}.txt"
    if not path.is_file():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.partition(" ")[::2] for line in lines if line and not line.startswith("#"))


def language_name(code: str, wiki: str) -> str:
    """The name of a language on the Wiktionary of the language `wiki`; "" where it is not known."""
    if not code or len(code) > 20:
        return ""
    return _own_names(wiki).get(code) or _QUALIFIED.sub("", labels_of(wiki).name(code))
