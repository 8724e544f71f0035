"""What stands between the last two things of a list in a language: "and", "or".

data/conjunctions.json has CLDR's words and MediaWiki's (generate_conjunctions.py).
"""

import functools
from pathlib import Path

import orjson

from wikiprep.languages.language import language

_FILE = Path(__file__).parent / "data" / "conjunctions.json"


@functools.cache
def conjunctions(code: str) -> tuple[str, ...]:
    """The words of the language, longest first, English ones among them; of the next language where it has none."""
    words_by_language: dict[str, list[str]] = orjson.loads(_FILE.read_bytes())
    chain = (code, *language(code).fallback, code.partition("-")[0])
    own = next((words_by_language[c] for c in chain if c in words_by_language), [])
    return tuple(sorted({*own, *words_by_language["en"]}, key=lambda word: (-len(word), word)))
