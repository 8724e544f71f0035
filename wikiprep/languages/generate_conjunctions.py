"""Makes data/conjunctions.json: what stands between the last two things of a list, "and" and "or", in each language.

    python -m wikiprep.languages.generate_conjunctions MEDIAWIKI/languages/i18n

"And" and "or" are from CLDR's list patterns (`pip install babel`, which nothing else here needs), and "and" beside it
from MediaWiki's own message of that name, which more languages have.
"""

import sys
import unicodedata
from pathlib import Path

import orjson

from wikiprep.languages.language import DATA, languages

# Forms that neither has: before a vowel, or between nouns.
_MORE = {"es": ["e", "u"], "it": ["ed", "od"], "ja": ["と", "や"], "pl": ["albo"], "uk": ["й"]}


def _is_word(text: str) -> bool:
    return bool(text) and all(unicodedata.category(c)[0] in "LM" or c in "'’ -" for c in text)


def conjunctions(messages: Path) -> dict[str, list[str]]:
    """Words by language code, without English ones in other languages."""
    from babel.core import Locale, UnknownLocaleError  # type: ignore[import-not-found, unused-ignore]

    words: dict[str, list[str]] = {}
    for code in languages():
        forms: list[str] = []
        path = messages / f"{code}.json"
        if path.is_file():
            forms.append(orjson.loads(path.read_bytes()).get("and", "").replace("&#32;", " "))
        try:
            patterns = Locale.parse(code, sep="-").list_patterns
            forms += [patterns[kind]["2"].replace("{0}", "").replace("{1}", "") for kind in ("standard", "or")]
        except (UnknownLocaleError, ValueError, KeyError):
            pass
        forms += _MORE.get(code, [])
        clean = dict.fromkeys(word.strip() for word in forms if _is_word(word.strip()))
        words[code] = [word for word in clean if code == "en" or word not in ("and", "or")]
    return {code: forms for code, forms in sorted(words.items()) if forms}


if __name__ == "__main__":
    words_by_code = conjunctions(Path(sys.argv[1]))
    rows = ",\n".join(
        f"{orjson.dumps(code).decode()}: {orjson.dumps(forms).decode()}" for code, forms in words_by_code.items()
    )
    (DATA / "conjunctions.json").write_text("{\n" + rows + "\n}\n", encoding="utf-8")
