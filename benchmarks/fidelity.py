"""Text and links of every dump in ../shared/data against MediaWiki's own rendering: `python benchmarks/fidelity.py`.

    python benchmarks/fidelity.py [--write docs/fidelity.md] [NAME ...]

Needs ../shared/oracle set up. Prints, and writes, the scores and what is left by kind. Takes some ten minutes for all;
with names those rows of the page are measured anew, and the others stay.
"""

import argparse
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from wikitext.blame import blame  # noqa: E402
from wikitext.fidelity import Score, definitions_of, rows_of, score_dump, without_table  # noqa: E402
from wikitext.oracle_support import missing, oracle  # noqa: E402

from wikiprep.dump.site import Site  # noqa: E402
from wikiprep.dump.siteinfo import read_siteinfo  # noqa: E402

DUMPS = ROOT.parent / "shared" / "data" / "dumps"
NAMES = (
    "enwiki-2016-206pages",
    "enwiki-232pages-noredirects",
    "enwiki-196pages-allns",
    "enwiki-27pages-longarticles",
    "enwiki-schema011-70pages",
    "enwiki-3pages",
    "simplewiki-7pages",
    "jawiki-20250801-234pages-truncated",
    "ltgwiki-whole-2004pages",
    "aawiki-20260101-schema011-507pages",
    "enwiktionary-20150224-300pages-multistream",
    "quirks/bgwiki-utf16-bom",
    "quirks/schema-0.5-no-ns.xml",
    "quirks/utf8-bom.xml",
    "quirks/zhwiki-broken-1.xml",
)
WHOLE = "ltgwiki-whole-2004pages"  # a wiki with its own templates
LANGUAGES = {"quirks/bgwiki-utf16-bom": "bg"}  # whose header names another
HEAD = """# Fidelity

How close our text and links are to what MediaWiki shows, in percent, as `../shared/oracle/oracle.py score` counts them.
`pytest -m oracle` holds the limits; this page is made by

```bash
python benchmarks/fidelity.py --write docs/fidelity.md
```

With templates as nothing, 99.9 / 99.9 of the words and 99.5 / 99.5 of the links are to be met on every dump, and are.
The last lines are the whole wiki once more, with its own templates rendered by MediaWiki: ours by the built-in tables
(`--templates render`), by its own templates and the tables (`expand`, the default), and both without our table of its
language, as on any wiki that has none. Of the other dumps only aawiki (24, but one article, which is empty) and
enwiki-196pages-allns (1) hold Template pages at all: what the default brings cannot be measured on them.

What counts is what the oracle counts: it leaves out what stands in the place of an image that it does not have, and the
insides of tags of extensions that it lacks. Two things stay against us on purpose. Markup that is broken is shown as
typed there (the third column of words is the recall where that is not asked for); most of it is the infobox of
ltgwiki's page Daugova, 101 words of table cells that run into each other, behind a `<td;`. And the brackets of a link
whose label is a template are shown where the template is nothing, as `[[A|]]` shows them: in a real wiki the template
has a text.

Beside the dumps, one page in each of 136 languages, with every word that the language has for namespaces, images,
categories, switches, magic words and functions, its link trail and prefix and its numbers, comes out as MediaWiki shows
it: 100.00 of words and links, both ways (`tests/wikitext/test_oracle_languages.py`).

Text in one variant of its language (`--variant`) and links across scripts were compared with MediaWiki case by case
(`tests/wikitext/test_one_variant.py`, `tests/tables/test_title_variants.py`, `tests/languages/converter_cases.jsonl`);
the Chinese page zhwiki-broken-1.xml, the only one here, is MediaWiki's to the last character in zh-cn, zh-hans, zh-tw
and zh-hk. The pages that its links lead to are not in the file: what links across scripts bring to a whole wiki cannot
be measured on these dumps.

## Lua

How many words of the running text are lost behind `#invoke` with the default templates:

```bash
python benchmarks/lua_words.py
```

MediaWiki renders each article twice, with the dump's own modules and with modules that give nothing. Words that the
second lacks come of Lua; those of them that our text lacks too are lost. That needs a dump with its Template and Module
pages, and of these there is one:

| dump | articles with Lua | words | of Lua | lost behind Lua | share | lost, whatever behind |
|---|---|---|---|---|---|---|
| ltgwiki-whole-2004pages | 54 | 111,740 | 0 | 0 | 0.000 % | 109 |

Lua makes something in 54 of its articles, infoboxes, coordinates and maps, which are no running text on either side; of
the text it makes no word. So wikiprep has no Lua interpreter. This wiki is small, and says little of those that write
sentences with modules. The other dumps hold no module, and no page of the templates that their articles call: what is
behind Lua there cannot be measured. What can be counted of all: calls of templates and of `#invoke` in articles,
outside notes and comments; the words given to calls of which nothing is known here ("of unknown"), which is the most
that these can have shown of them; and the pages that are there to read.

| dump | articles | calls | of `#invoke` | words of unknown | Template pages | with `#invoke` | Module pages |
|---|---|---|---|---|---|---|---|
| enwiki-2016-206pages | 106 | 5,164 | 0 | 529 | 0 | 0 | 0 |
| enwiki-232pages-noredirects | 198 | 1,535 | 0 | 253 | 0 | 0 | 0 |
| enwiki-196pages-allns | 68 | 473 | 0 | 138 | 1 | 0 | 0 |
| enwiki-27pages-longarticles | 24 | 1,943 | 0 | 528 | 0 | 0 | 0 |
| enwiki-schema011-70pages | 6 | 1,338 | 0 | 40 | 0 | 0 | 0 |
| enwiki-3pages | 2 | 30 | 0 | 6 | 0 | 0 | 0 |
| simplewiki-7pages | 6 | 124 | 0 | 4 | 0 | 0 | 0 |
| jawiki-20250801-234pages-truncated | 186 | 16,088 | 0 | 1,279 | 0 | 0 | 0 |
| ltgwiki-whole-2004pages | 903 | 1,749 | 0 | 0 | 347 | 7 | 28 |
| aawiki-20260101-schema011-507pages | 1 | 0 | 0 | 0 | 24 | 0 | 0 |
| enwiktionary-20150224-300pages-multistream | 274 | 26,585 | 0 | 572 | 0 | 0 | 0 |
| quirks/bgwiki-utf16-bom | 1 | 6 | 0 | 13 | 0 | 0 | 0 |
| quirks/schema-0.5-no-ns.xml | 1 | 0 | 0 | 0 | 0 | 0 | 0 |
| quirks/utf8-bom.xml | 1 | 0 | 0 | 0 | 0 | 0 | 0 |
| quirks/zhwiki-broken-1.xml | 1 | 37 | 0 | 0 | 0 | 0 | 0 |

What becomes of `#invoke`, and how to see it for a wiki of your own: [templates.md](templates.md#lua).

## Projects other than Wikipedia

The 300 pages of an English Wiktionary of 2015, without a Template page, by the tables of its project
([templates.md](templates.md#projects)): 104,124 words between spaces are kept where it was 49,606 without these, 24,527
links where it was 5,548, and 23,452 of 26,585 calls are rendered, not 1,544. Ten entries were read beside their
wikitext. MediaWiki cannot be asked here: the templates and modules of that wiki are not in the file. Wikivoyage,
Wikisource and Fandom have cases written by hand alone (`tests/wikitext/template_cases/projects/`).

## Pages as HTML

Parsoid's HTML of the same pages ([html.md](html.md)), rendered by the oracle's own MediaWiki, against what its old
parser shows, counted alike:

```bash
python benchmarks/html_pages.py
```

| dump | pages | words: recall / precision | links: recall / precision |
|---|---|---|---|
| ltgwiki-whole-2004pages, its own templates | 903 | 100.00 / 100.00 | 99.98 / 100.00 |
| enwiki-2016-206pages, templates as nothing | 106 | 99.97 / 100.00 | 100.00 / 99.99 |
| enwiki-232pages-noredirects, templates as nothing | 198 | 99.94 / 100.00 | 100.00 / 100.00 |
| jawiki-20250801-234pages-truncated, templates as nothing | 186 | 99.96 / 100.00 | 99.89 / 99.90 |

What is left: commas beside formulas, which are left out on both sides (all 145 words of the third dump); links whose
label is a template that is nothing, which Parsoid shows as links and the old parser as typed; apostrophes, where the
two pair quotes otherwise; and the 73 Japanese links whose namespace the oracle names otherwise, as below.

## Pages as wikitext

"""
ROW = (
    "| {name} | {pages:,} | {want:,} | {r[0]:.2f} / {r[1]:.2f} | {purpose:.2f} | {theirs:,} | {r[2]:.2f} / {r[3]:.2f} |"
)


def line(name: str, templates: str, *, expand: bool = False, label: str = "") -> tuple[str, Score]:
    """Line of the table, and the score."""
    path = str(DUMPS / (name if name.endswith(".xml") else f"{name}.xml.bz2"))
    score = score_dump(path, templates=templates, language=LANGUAGES.get(name), expand=expand)
    row = ROW.format(
        name=name + label,
        pages=score.pages,
        want=score.want,
        theirs=score.theirs,
        r=score.rates,
        purpose=score.recall_but_on_purpose,
    )
    print(row, flush=True)
    return row, score


def remaining_differences(name: str, score: Score) -> list[str]:
    """What is left of one dump, by kind, with examples."""
    lines = [f"\n## {name}\n"]
    for unit, kinds in (("words", score.left), ("links", score.links_left)):
        for kind, count in kinds.most_common():
            if count:
                lines.append(f"- {count} {unit}: {kind}")
                lines += [f"    - `{example[:160]}`" for example in score.examples[kind][:3]]
    return lines if len(lines) > 1 else []


def by_template(name: str, score: Score) -> list[str]:
    """The words that are left with the wiki's own templates, by the template that makes them."""
    path = str(DUMPS / f"{name}.xml.bz2")
    articles, own_templates = rows_of(path)
    site, language = Site.of(read_siteinfo(path)), oracle().site_language(path)
    with tempfile.TemporaryDirectory() as folder:
        definitions = definitions_of(path, site, Path(folder))
    words, pages = Counter[str](), defaultdict[str, list[str]](list)
    for article in articles:
        if article["title"] in score.differing:
            for template, count in blame(article, own_templates, site, language, definitions).items():
                words[template] += count
                pages[template].append(article["title"])
    lines = [
        "\nBy template, words that one side has alone:\n",
        "| template | words | pages | such as |",
        "|---|---|---|---|",
    ]
    lines += [f"| {t} | {n} | {len(pages[t])} | {pages[t][0]} |" for t, n in words.most_common()]
    return lines


TABLE = [
    "| dump | pages | words | recall / precision | recall, but on purpose | links | recall / precision |",
    "|---|---|---|---|---|---|---|",
]


def earlier_results(page: str) -> tuple[dict[str, str], dict[str, str]]:
    """What the page has of earlier runs: rows by their first cell, what is left by its heading."""
    _, _, rest = page.partition("## Pages as wikitext\n")
    table, _, differences = rest.partition("\nWhat is left:\n")
    rows = [row for row in table.splitlines() if row.startswith("| ") and not row.startswith("| dump")]
    parts = [part.rstrip("\n") for part in differences.split("\n## ") if part.strip()]
    return {row.split(" |")[0][2:]: row for row in rows}, {part.split("\n")[0]: part for part in parts}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", type=Path)
    args = parser.parse_args()
    if reason := missing():
        raise SystemExit(f"error: {reason}")
    rows, kinds = earlier_results(args.write.read_text(encoding="utf-8")) if args.write and args.names else ({}, {})

    def add(name: str, templates: str, label: str = "", *, expand: bool = False, examples: bool = True) -> Score:
        row, score = line(name, templates, expand=expand, label=label)
        rows[name + label] = row
        if examples:
            heading = name + label.removesuffix(" (the default)")
            kinds.pop(heading, None)
            if lines := remaining_differences(heading, score):
                kinds[heading] = "\n".join(lines).removeprefix("\n## ")
        return score

    for name in args.names or NAMES:
        add(name, "drop")
    if WHOLE in (args.names or [WHOLE]):
        add(WHOLE, "own", ", by our tables", examples=False)
        with without_table("ltg"):
            add(WHOLE, "own", ", by our tables without its language's", examples=False)
            label = ", by its own templates, without its language's table"
            add(WHOLE, "own", label, expand=True, examples=False)
        label = ", by its own templates and our tables (the default)"
        score = add(WHOLE, "own", label, expand=True)
        if (template_lines := by_template(WHOLE, score))[4:]:
            kinds[WHOLE + label.removesuffix(" (the default)")] += "\n" + "\n".join(template_lines)
    if args.write:
        order = [*NAMES, *(row for row in rows if row not in NAMES)]
        table = [*TABLE, *(rows[name] for name in order if name in rows)]
        parts = [f"\n## {kinds[name]}" for name in [*NAMES, *(k for k in kinds if k not in NAMES)] if name in kinds]
        args.write.write_text(HEAD + "\n".join([*table, "\nWhat is left:", *parts]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
