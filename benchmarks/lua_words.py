"""How many words of a wiki are lost behind Lua (`#invoke`) with the default templates.

    python benchmarks/lua_words.py [NAME ...]

MediaWiki renders every article twice: with the dump's own templates and modules, and with modules that give nothing.
Words that the second lacks come of Lua; those of them that our text lacks too are lost. Needs ../shared/oracle set up.

Prints the two tables of docs/fidelity.md: what a dump calls and holds, for every dump, and the words, for those that
hold templates and modules, without which nobody can know what its calls show. Takes three minutes.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "benchmarks")]

from fidelity import DUMPS, LANGUAGES, NAMES  # noqa: E402
from wikitext.fidelity import definitions_of, rows_of  # noqa: E402
from wikitext.oracle_support import missing, oracle, shown  # noqa: E402

from wikiprep.dump.site import Site  # noqa: E402
from wikiprep.dump.siteinfo import read_siteinfo  # noqa: E402
from wikiprep.wikitext.extract import Extractor  # noqa: E402
from wikiprep.wikitext.templates.lua_modules import calls_in  # noqa: E402

# Whatever function is asked of such a module, it shows nothing.
NO_WORDS = 'return setmetatable({}, {__index = function() return function() return "" end end})'


@dataclass
class Lua:
    """One dump. Words are the oracle's (`oracle.words`)."""

    articles: int = 0
    calls: int = 0  # of templates, in articles outside notes and comments
    invoked: int = 0  # `#invoke`, there
    templates: int = 0  # pages
    scripts: int = 0  # Template pages with an `#invoke`
    modules: int = 0  # pages
    given: int = 0  # words between spaces in calls of which nothing is known: the most that these can show of them
    scripted: int = 0  # articles whose HTML is another without Lua
    words: int = 0
    of_lua: int = 0  # those that go with Lua
    lost: int = 0  # those of them that we lack
    missing: int = 0  # words that we lack, whatever they come of
    examples: Counter[str] = field(default_factory=Counter)


def missing_places(want: list[str], got: list[str]) -> set[int]:
    """The places in `want` whose words are not in `got`, by the longest common subsequence."""
    from rapidfuzz.distance import LCSseq

    changes = (op for op in LCSseq.opcodes(want, got) if op.tag != "equal")
    return {place for op in changes for place in range(op.src_start, op.src_end)}


def count(name: str) -> Lua:
    """What a dump calls and holds, and the words that are lost where it holds modules."""
    path = str(DUMPS / (name if name.endswith(".xml") else f"{name}.xml.bz2"))
    articles, own_pages = rows_of(path)
    site = Site.of(read_siteinfo(path), LANGUAGES.get(name))
    template, module = site.titles.names[10], site.titles.names.get(828, "Module")
    result = Lua()
    result.templates = sum(1 for title in own_pages if title.startswith(f"{template}:"))
    result.scripts = sum(1 for title, text in own_pages.items() if title.startswith(f"{template}:") and calls_in(text))
    modules = [title for title in own_pages if title.startswith(f"{module}:")]
    result.modules = len(modules)
    with tempfile.TemporaryDirectory() as folder:
        extractor = Extractor(site, definitions=definitions_of(path, site, Path(folder)))
    language = LANGUAGES.get(name) or oracle().site_language(path)
    for article, (full, silent) in zip(articles, _render_both(articles, own_pages, language, modules), strict=True):
        if full is None or silent is None:
            continue
        extracted = extractor.extract(article["text"], article["title"])
        result.articles += 1
        for (template_name, outcome), n in extracted.templates.items():
            if outcome in ("rendered", "dropped"):
                result.invoked += n if template_name == "#invoke" else 0
                result.calls += n if template_name != "#invoke" else 0
        result.given += extracted.lost_words.total()
        if not modules:
            continue
        result.scripted += full["html"] != silent["html"]
        words = oracle().words
        want, ours = words(full["blocks"]), words([p.text for p in extracted.paragraphs])
        of_lua, lacking_places = missing_places(want, words(silent["blocks"])), missing_places(want, ours)
        lost_places = of_lua & lacking_places
        result.words += len(want)
        result.of_lua += len(of_lua)
        result.missing += len(lacking_places)
        result.lost += len(lost_places)
        if lost_places:
            result.examples[f"{article['title']}: {' '.join(want[i] for i in sorted(lost_places)[:20])}"] += len(
                lost_places
            )
    return result


def _render_both(
    articles: list[dict[str, str]], own_pages: dict[str, str], language: str, modules: list[str]
) -> Iterator[tuple[dict[str, Any] | None, dict[str, Any] | None]]:
    """MediaWiki's two answers; of a dump without modules one, without a look at templates, to know redirects."""
    if not modules:
        for answer in shown([{"title": row["title"], "text": row["text"][:200]} for row in articles], language, {}):
            yield answer, answer
        return
    silent = own_pages | dict.fromkeys(modules, NO_WORDS)
    yield from zip(shown(articles, language, own_pages), shown(articles, language, silent), strict=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    if reason := missing():
        raise SystemExit(f"error: {reason}")
    print(
        "| dump | articles | calls | of `#invoke` | words of unknown | Template pages | with `#invoke` | Module pages |"
    )
    print("|---|---|---|---|---|---|---|---|")
    measured_dumps = {}
    for name in args.names or NAMES:
        lua = count(name)
        row = (lua.articles, lua.calls, lua.invoked, lua.given, lua.templates, lua.scripts, lua.modules)
        print(f"| {name} |", " | ".join(f"{n:,}" for n in row), "|", flush=True)
        if lua.modules:
            measured_dumps[name] = lua
    print("\n| dump | articles with Lua | words | of Lua | lost behind Lua | share | lost, whatever behind |")
    print("|---|---|---|---|---|---|---|")
    for name, lua in measured_dumps.items():
        share = 100 * lua.lost / lua.words if lua.words else 0.0
        print(
            f"| {name} | {lua.scripted} | {lua.words:,} | {lua.of_lua:,} | {lua.lost:,} | {share:.3f} % "
            f"| {lua.missing:,} |"
        )
        for example, n in lua.examples.most_common(10):
            print(f"  {n}: {example}")


if __name__ == "__main__":
    main()
