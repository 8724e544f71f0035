"""Makes data/dates.jsonl, plurals.json and own_names.json from a MediaWiki tree: dates, plurals, names of languages.

    python -m wikiprep.languages.generate_formats FACTS.jsonl

FACTS.jsonl is what `formatfacts.php`, run as a maintenance script, prints (as generate.py has it).
"""

import sys
from pathlib import Path
from typing import Any

import orjson

from wikiprep.languages.language import DATA, language

_IN_CODE = {"ksh": ["n = 1", "n != 0"]}  # MediaWiki has these not as rules: one, other, none


def chain(code: str, rows: dict[str, Any]) -> list[str]:
    """The codes that a language takes names from, its own first."""
    return [c for c in dict.fromkeys([code, *language(code).fallback, "en"]) if c in rows]


def dates(facts: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of dates.jsonl: what a language has otherwise than the next one of its chain."""
    rows: dict[str, dict[str, Any]] = {}
    for code, row in facts.items():
        others = [facts[c]["calendar"] for c in chain(code, facts) if c != code and code not in language(c).fallback]
        rows[code] = {k: names for k, names in row["calendar"].items() if not others or names != others[0][k]}
    # What a language takes from the next one may come from one that it does not fall back on itself.
    while missing := [
        (code, k)
        for code, row in facts.items()
        for k in row["calendar"]
        if _inherited_names(code, k, rows) != row["calendar"][k]
    ]:
        for code, kind in missing:
            rows[code][kind] = facts[code]["calendar"][kind]
    return [{"code": code, **own} for code, own in rows.items() if own]


def _inherited_names(code: str, kind: str, rows: dict[str, dict[str, Any]]) -> Any:
    return next((rows[c][kind] for c in chain(code, rows) if kind in rows[c]), None)


def plurals(facts: dict[str, dict[str, Any]]) -> dict[str, list[str]]:
    """The rules of each language that has others than English; the samples behind `@` are left out."""
    # A language without rules takes those that it falls back on, as MediaWiki does.
    own = {code: next(p for c in chain(code, facts) if (p := facts[c]["plural"])) for code in facts}
    rules = {code: [rule.partition("@")[0].strip() for rule in forms] for code, forms in own.items()}
    rules |= {code: forms for code, forms in _IN_CODE.items() if code in rules}
    return {"en": rules["en"]} | {code: forms for code, forms in rules.items() if forms != rules["en"]}


def main(source: str) -> None:
    """Write the files, ordered by code."""
    lines = [orjson.loads(line) for line in Path(source).read_bytes().splitlines() if line.startswith(b"{")]
    facts = {row["code"]: row for row in sorted((r for r in lines if "code" in r), key=lambda r: str(r["code"]))}
    (DATA / "dates.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in dates(facts)))
    (DATA / "plurals.json").write_bytes(orjson.dumps(plurals(facts)) + b"\n")
    names = next(row["own_names"] for row in lines if "own_names" in row)
    (DATA / "own_names.json").write_bytes(orjson.dumps(names, option=orjson.OPT_SORT_KEYS) + b"\n")


if __name__ == "__main__":
    main(sys.argv[1])
