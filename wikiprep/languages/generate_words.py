"""Makes data/words.jsonl, numbers.json, variants.json from a MediaWiki tree: magic words, months, numbers, variants.

    python -m wikiprep.languages.generate_words FACTS.jsonl

FACTS.jsonl is what `wordfacts.php`, run as a maintenance script, prints (as generate.py has it).
"""

import re
import sys
from pathlib import Path
from typing import Any

import orjson

from wikiprep.languages.language import DATA, language

# What MediaWiki writes with a hash: its own functions that were registered so, and those of the extensions.
_WITH_HASH = """
special speciale tag formatdate invoke if ifeq switch ifexist ifexpr iferror time timel expr rel2abs titleparts
len pos rpos sub count replace explode urldecode
"""
_HASHED = frozenset(_WITH_HASH.split())


def _word_forms(kind: str, name: str, forms: list[Any]) -> list[str]:
    prefix = "#" if kind == "functions" and name in _HASHED else ""
    return [prefix + (form.removesuffix(":") if kind == "functions" else form) for form in forms[1:]]


def row(facts: dict[str, Any], inherited: list[dict[str, Any]]) -> dict[str, Any]:
    """One line of words.jsonl: what a language adds to those it falls back on; English works on every wiki."""
    out: dict[str, Any] = {"code": facts["code"]}
    for kind in ("image", "switches", "variables", "functions"):
        own: dict[str, list[str]] = {}
        for name, forms in facts[kind].items():
            if kind == "functions" and name in facts["variables"]:
                continue
            inherited_words = {
                word for other in inherited for word in _word_forms(kind, name, other[kind].get(name, [0]))
            }
            if words := [word for word in _word_forms(kind, name, forms) if word not in inherited_words]:
                own[name] = words
        if own:
            out[kind] = {name: own[name] for name in sorted(own)}
    calendar = {kind: names for kind, names in facts["calendar"].items() if kind in ("names", "genitives", "days")}
    if calendar.get("genitives") == calendar.get("names"):
        del calendar["genitives"]
    if not inherited or any(names != inherited[0]["calendar"][kind] for kind, names in calendar.items()):
        out["calendar"] = calendar
    if facts["rtl"]:
        out["rtl"] = True
    if not inherited:
        ids = {name: forms[0] for kind in ("switches", "variables", "functions") for name, forms in facts[kind].items()}
        out["heed_case"] = sorted(name for name, heeds in ids.items() if heeds)
    return out


def converter(facts: dict[str, Any]) -> dict[str, Any]:
    """A language's entry of variants.json; fallbacks are lists, flags those that are no variant."""
    converter_facts = facts["converter"]
    as_list = {v: [f] if isinstance(f, str) else f for v, f in dict(converter_facts["fallbacks"] or {}).items()}
    return {
        "main": converter_facts["main"],
        "variants": {v: converter_facts["names"].get(v, v) for v in converter_facts["variants"]},
        "fallbacks": as_list,
        "flags": {
            flag: means for flag, means in converter_facts["flags"].items() if flag not in converter_facts["variants"]
        },
        "codes": {code.lower(): v for v, bcp47 in converter_facts["codes"].items() for code in (bcp47, v)},
        "disabled": sorted(v for v, level in converter_facts["manual"].items() if level == "disable"),
    }


def number_style(facts: dict[str, Any]) -> dict[str, Any]:
    """How a language writes numbers, read off MediaWiki's own -1234567890.5, 1234, 12345 and 123456.

    Where those have other digits than numbers without separators (Sindhi, Kashmiri, Manipuri), they are `grouped`.
    """
    sample_digits = "".join(filter(str.isdecimal, facts["numbers"][0]))
    digits = "".join(facts["digits"])
    grouped = sample_digits[9] + sample_digits[:9] if sample_digits else digits  # Classical Chinese writes it in words
    plain = [re.sub(r"[0-9]", "0", text.translate(str.maketrans(grouped, "0123456789"))) for text in facts["numbers"]]
    whole, point = plain[0].removeprefix("\u2212").removesuffix("0")[:-1], plain[0][-2]
    runs = re.split(r"[^0]", whole)
    style = {
        "group": re.sub("0", "", whole)[:1],
        "point": point,
        "digits": "" if digits == "0123456789" else digits,
        "sizes": [len(runs[-1]), len(runs[-2])] if len(runs) > 1 else [],
        "from": 4 if plain[1] != "0000" else 5 if plain[2] != "00000" else 6,
    }
    return style if grouped == digits else style | {"grouped": grouped}


def _all_words(row: dict[str, Any]) -> set[tuple[str, str, str]]:
    """(kind, id, word) of a row of words.jsonl."""
    kinds = ("image", "switches", "variables", "functions")
    return {(kind, name, word) for kind in kinds for name, forms in row.get(kind, {}).items() for word in forms}


def word_rows(by_code: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The lines of words.jsonl.

    A language whose fallbacks have words that it does not know (from fallbacks of their own, as Northern Sámi's have)
    is `whole`: its row has all of its words, and it takes none from others.
    """
    rows = {}
    for code, facts in by_code.items():
        # Some fall back on each other (zh and zh-hans): then each keeps its own words.
        below = [c for c in language(code).fallback if c in by_code and code not in language(c).fallback]
        rows[code] = row(facts, [by_code[c] for c in below])
    whole_rows = {code: row(facts, []) | {"whole": True} for code, facts in by_code.items()}
    changed = True
    while changed:
        changed = False
        for code in by_code:
            chain = [c for c in dict.fromkeys([code, *language(code).fallback, "en"]) if c in rows]
            if not rows[code].get("whole") and set().union(*(_all_words(rows[c]) for c in chain)) - _all_words(
                whole_rows[code]
            ):
                rows[code] = {name: value for name, value in whole_rows[code].items() if name != "heed_case"}
                changed = True
    return [entry for entry in rows.values() if len(entry) > 1]


def main(source: str) -> None:
    """Write the files, ordered by code."""
    lines = [line for line in Path(source).read_bytes().splitlines() if line.startswith(b"{")]
    facts = sorted(map(orjson.loads, lines), key=lambda f: str(f["code"]))
    rows = word_rows({f["code"]: f for f in facts})
    (DATA / "words.jsonl").write_bytes(b"".join(orjson.dumps(r) + b"\n" for r in rows))
    numbers = {f["code"]: number_style(f) for f in facts}
    common = numbers["en"]
    different = {code: style for code, style in numbers.items() if style != common}
    (DATA / "numbers.json").write_bytes(orjson.dumps({"en": common} | different) + b"\n")
    variants = {f["code"]: converter(f) for f in facts if "converter" in f}
    (DATA / "variants.json").write_bytes(orjson.dumps(variants) + b"\n")


if __name__ == "__main__":
    main(sys.argv[1])
