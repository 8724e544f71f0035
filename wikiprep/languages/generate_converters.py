"""Makes data/converters.jsonl from a MediaWiki tree: how each language with several scripts writes one in another.

    python -m wikiprep.languages.generate_converters FACTS.jsonl

FACTS.jsonl is what `converterfacts.php`, run as a maintenance script, prints (as generate.py has it). The tables are
MediaWiki's (GPL-2.0-or-later, as each line says): ZhConversion.php, CrhExceptions.php and those in the converters.
What the converters' code does around its tables is written here as steps (converter.py reads them).

Balinese is not among them: its rules are a program for ICU's transliterator, which no dependency of wikiprep has.
"""

import re
import sys
from pathlib import Path
from typing import Any

import orjson

from wikiprep.languages.language import DATA

_ROMAN = "M{0,4}(?:C[DM]|D?C{0,3})(?:X[LC]|L?X{0,3})(?:I[VX]|V?I{0,3})"
_BREAK = r"[^\w\u0080-\U0010ffff]"
_GROUP = re.compile(r"\$([0-9])")
# Languages whose tables are another's, letter by letter.
_SHARED = {"gan": "zh"}
_SOURCES = {
    "zh": "includes/languages/data/ZhConversion.php",
    "gan": "includes/languages/data/ZhConversion.php",
    "crh": "includes/language/converters/CrhConverter.php, includes/languages/data/CrhExceptions.php",
}
# SrConverter::guessVariant: text with more of the first letters than of the second is in the variant already.
_GUESSED = {"sr": {"sr-ec": ["шђчћжШЂЧЋЖ", "šđčćžŠĐČĆŽ"], "sr-el": ["šđčćžŠĐČĆŽ", "шђчћжШЂЧЋЖ"]}}
_HANS, _HANT = ("zh-cn", "zh-my", "zh-sg"), ("zh-hk", "zh-mo", "zh-tw")


def python_sub(pcre: str, replacement: str) -> list[str]:
    """`/pattern/flags` and its replacement, for `re`."""
    body, _, flags = pcre[1:].rpartition("/")
    if set(flags) - {"u", "i"}:
        raise ValueError(f"a flag that is not known: {pcre}")
    prefix = ("" if "u" in flags else "(?a)") + ("(?i)" if "i" in flags else "")
    return [prefix + body, _GROUP.sub(r"\\g<\1>", replacement.replace("\\", r"\\"))]


def table(pairs: dict[str, str]) -> list[Any]:
    """[characters, the character that each becomes, other pairs]: three bytes a character instead of ten."""
    single = {old: new for old, new in pairs.items() if len(old) == 1 == len(new)}
    return ["".join(single), "".join(single.values()), {old: new for old, new in pairs.items() if old not in single}]


def _roman_sr() -> str:
    number = f"(?=[MDCLXVI]){_ROMAN}"
    return rf"(?a)^{number}$|^{number}{_BREAK}|{_BREAK}{number}$|{_BREAK}{number}{_BREAK}"


def _roman_crh() -> str:
    number = f"(?=[MDCLXVI](?:[^.]|$)){_ROMAN}"
    return rf"(?a)^{number}$|^(?:{number}{_BREAK})+|(?:{_BREAK}{number})+$|{_BREAK}(?:{number}{_BREAK})+"


def _kk(facts: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    beside = facts["beside"]
    letters, digits = beside["letters"], "0123456789"
    cyrillic, latin = letters["cyrillic"], letters["latin"]
    hamza = [
        "words",
        r"(?a)[\x08\s\-.:]+",
        "[әөүіӘӨҮІ]",
        "[еэгғкқЕЭГҒКҚ]",
        f"[{cyrillic}]+",
        letters["hamza"] + r"\g<0>",
    ]
    kept_characters = {
        "cyrl": latin + "ʺʹ#" + digits,
        "latn": cyrillic + "№" + digits,
        "arab": cyrillic + r",;\?%\*№" + digits,
    }
    steps: dict[str, list[Any]] = {"cyrl": [["sub", "cyrl"]], "latn": [["sub", "latn"]]}
    steps["arab"] = [hamza, ["sub", "arab"]]
    names = {"cyrl": "getMLatn2Cyrl", "latn": "getMCyrl2Latn", "arab": "getMCyLa2Arab"}
    subs = {name: [python_sub(*pair) for pair in beside[source].items()] for name, source in names.items()}
    whole = {name: [["outside", rf"\$[0-9][^{kept_characters[name]}]+", inner]] for name, inner in steps.items()}
    return subs, {
        "kk": [],
        **{f"kk-{name}": whole[name] for name in names},
        "kk-kz": whole["cyrl"],
        "kk-tr": whole["latn"],
        "kk-cn": whole["arab"],
    }


def _crh(facts: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    beside = facts["beside"]
    names = {"to-latin": "mCyrl2LatnPatterns", "to-cyrillic": "mLatn2CyrlPatterns", "clean": "mCyrlCleanUpRegexes"}
    subs = {name: [python_sub(*pair) for pair in beside[source].items()] for name, source in names.items()}
    latin = [["map", "exceptions-latn"], ["sub", "to-latin"], ["map", "crh-latn"], ["map", "quotes-latn"]]
    cyrillic = [["map", "exceptions-cyrl"], ["sub", "to-cyrillic"], ["map", "crh-cyrl"]]
    cyrillic += [["map", "quotes-cyrl"], ["sub", "clean"]]
    facts["tables"] |= {
        "exceptions-latn": beside["mCyrl2LatnExceptions"],
        "exceptions-cyrl": beside["mLatn2CyrlExceptions"],
        "quotes-latn": {"«": '"', "»": '"'},
        "quotes-cyrl": {"“": "«", "”": "»"},
    }
    return subs, {"crh": [], "crh-cyrl": [["outside", _roman_crh(), cyrillic]], "crh-latn": latin}


def _uz(facts: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    before = [["ye", "е"], ["Ye", "Е"], ["YE", "Е"]]
    before.append(python_sub("/([BVGDJZYKLMNPRSTFXCWQʻ‘H])E/u", "$1Е"))
    before.append(python_sub("/([bvgdjzyklmnprstfxcwqʻ‘h])e/ui", "$1е"))
    return {"ye": before}, {"uz": [], "uz-latn": [["map", "uz-latn"]], "uz-cyrl": [["sub", "ye"], ["map", "uz-cyrl"]]}


def _plain_steps(facts: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Of most languages: a table a variant, none for the language's own code; those of a region before the script's."""
    variants: dict[str, Any] = {}
    for variant in facts["variants"]:
        names = [variant] if facts["tables"][variant] else []
        if variant in _HANS + _HANT:
            names.append("zh-hans" if variant in _HANS else "zh-hant")
        variants[variant] = [["map", *names]] if names else []
        if variant in ("ike-cans", "shi-tfng"):
            variants[variant].insert(0, ["map", "lowercase"])
        if facts["code"] == "sr" and names:
            variants[variant] = [["outside", _roman_sr(), variants[variant]]]
    return {}, variants


def row(facts: dict[str, Any]) -> dict[str, Any]:
    """One line of converters.jsonl: a table that is twice there is written once."""
    code = facts["code"]
    subs, variants = {"kk": _kk, "crh": _crh, "uz": _uz}.get(code, _plain_steps)(facts)
    first = {orjson.dumps(pairs): name for name, pairs in reversed(facts["tables"].items()) if pairs}
    same = {name: first[orjson.dumps(pairs)] for name, pairs in facts["tables"].items() if pairs}
    source = _SOURCES.get(code, f"includes/language/converters/{code.title()}Converter.php")
    return {
        "code": code,
        "source": f"MediaWiki {facts['version']}, {source}",
        "licence": "GPL-2.0-or-later",
        "variants": {variant: _rename_tables(steps, same) for variant, steps in variants.items()},
        "tables": {name: table(facts["tables"][name]) for name in dict.fromkeys(same.values())},
        "subs": subs,
        "guessed": _GUESSED.get(code, {}),
        "levels": facts["levels"],
    }


def _rename_tables(steps: list[Any], same: dict[str, str]) -> list[Any]:
    return [
        ["map", *(same[name] for name in step[1:])]
        if step[0] == "map"
        else [*step[:2], _rename_tables(step[2], same)]
        if step[0] == "outside"
        else step
        for step in steps
    ]


def rows(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All lines, by code; a language whose tables are another's names it."""
    rows_by_code = {facts["code"]: row(facts) for facts in sorted(lines, key=lambda facts: str(facts["code"]))}
    for code, other in _SHARED.items():
        names = {name: name.replace(code, other, 1) for name in rows_by_code[code]["tables"]}
        if any(
            rows_by_code[code]["tables"][name] != rows_by_code[other]["tables"][theirs]
            for name, theirs in names.items()
        ):
            raise ValueError(f"the tables of {code} are no longer those of {other}")
        rows_by_code[code] |= {"tables": {}, "tables_of": other}
        rows_by_code[code]["variants"] = {
            v: _rename_tables(steps, names) for v, steps in rows_by_code[code]["variants"].items()
        }
    return list(rows_by_code.values())


def main(source: str) -> None:
    """Write the file."""
    lines = [orjson.loads(line) for line in Path(source).read_bytes().splitlines() if line.startswith(b"{")]
    (DATA / "converters.jsonl").write_bytes(b"".join(orjson.dumps(entry) + b"\n" for entry in rows(lines)))


if __name__ == "__main__":
    main(sys.argv[1])
