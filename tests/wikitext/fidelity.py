"""Scores our articles of a dump against the oracle, as `oracle.py score` does, and sorts what is left by kind."""

import contextlib
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.pages import Page, RangeReader
from wikiprep.dump.ranges import plan_ranges
from wikiprep.dump.site import Site
from wikiprep.dump.siteinfo import read_siteinfo
from wikiprep.stages.template_pages import TEMPLATES, definition_row
from wikiprep.tables.template_definitions import TemplateDefinitions, build_definitions, write_template_pages
from wikiprep.wikitext.extract import Extractor
from wikiprep.wikitext.templates import template_table

from .oracle_support import oracle, shown

_TEMPLATES = ("10", "828")  # namespaces
# A difference is of the first kind that fits its words, which the oracle has and we have not.
_KINDS = [
    ("the number of an external link without label", r"(?:\[ \d+ \] ?)+"),
    ("brackets of a link whose label is a dropped template", r"(?:\[ \[ ?)?(?:: )?(?:[\w-]+ :)?(?:[\[\]| ]+)?"),
    ("punctuation beside a dropped template or formula", r"[^\w\s](?: [^\w\s])*"),
    ("a switch of an extension that the oracle lacks", r"__[A-Z]+__"),
    ("broken markup, shown as typed", r".*[<>{}|].*"),
]
# What is left out on purpose: no word of the text for whoever reads the page.
ON_PURPOSE = ("broken markup, shown as typed", "a switch of an extension that the oracle lacks")
_PATTERNS = [(kind, re.compile(pattern, re.S)) for kind, pattern in _KINDS]


@dataclass
class Score:
    """Words and links of a dump: in the oracle, in ours, in both. `left` is what one has alone, by kind, in words."""

    pages: int = 0
    want: int = 0
    got: int = 0
    same: int = 0
    theirs: int = 0
    ours: int = 0
    both: int = 0
    left: Counter[str] = field(default_factory=Counter)
    links_left: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    differing: list[str] = field(default_factory=list)  # pages with other differences of words than those on purpose

    @property
    def recall_but_on_purpose(self) -> float:
        """Percent: word recall where what is left out on purpose is not asked for."""
        want = self.want - sum(self.left[kind] for kind in ON_PURPOSE)
        return 100 * self.same / want if want else 100.0

    @property
    def rates(self) -> tuple[float, float, float, float]:
        """Percent: word recall, word precision, link recall, link precision."""
        parts = ((self.same, self.want), (self.same, self.got), (self.both, self.theirs), (self.both, self.ours))
        return tuple(100 * part / whole if whole else 100.0 for part, whole in parts)


def rows_of(path: str) -> tuple[list[dict[str, str]], dict[str, str]]:
    """(the articles of a dump, its templates and modules by title)."""
    pages = list(oracle().pages_of(path))
    articles = [{"title": title, "text": text} for space, _, title, text in pages if space in ("0", "")]
    return articles, {title: text for space, _, title, text in pages if space in _TEMPLATES}


def definitions_of(path: str, site: Site, folder: Path) -> TemplateDefinitions:
    """The dump's own templates, as a build reads them; `folder` takes the table."""
    parts = find_parts([path])
    pages = (page for piece in plan_ranges(parts, 1 << 30) for page in RangeReader(piece, site.siteinfo))
    counts: Counter[str] = Counter()
    rows = [definition_row(p, site, counts) for p in pages if isinstance(p, Page) and p.namespace == TEMPLATES]
    write_template_pages(rows, folder / "pages.arrow")
    build_definitions([folder / "pages.arrow"], folder)
    return TemplateDefinitions.open(folder)


@contextlib.contextmanager
def without_table(language: str) -> Iterator[None]:
    """Our tables without that language's own."""
    lines = template_table._lines
    loaded = template_table.load_table, template_table.load_wiki_table
    try:
        template_table._lines = lambda name: [] if name == language else lines(name)
        for load in loaded:
            load.cache_clear()
        yield
    finally:
        template_table._lines = lines
        for load in loaded:
            load.cache_clear()


def score_dump(
    path: str,
    *,
    templates: str = "drop",
    limit: int | None = None,
    language: str | None = None,
    expand: bool = False,
) -> Score:
    """Our articles of the dump against the oracle's.

    `templates="drop"`: every template is nothing to both; `"own"`: the oracle has the dump's own, we have our tables,
    and with `expand` the dump's own before them. `language` where the dump's header does not say it, or wrongly.
    """
    articles, own = rows_of(path)
    site = Site.of(read_siteinfo(path), language)
    with tempfile.TemporaryDirectory() as folder:
        definitions = definitions_of(path, site, Path(folder)) if expand else None
    extractor = Extractor(site, templates="drop" if templates == "drop" else "render", definitions=definitions)
    answers = shown(articles[:limit], language or oracle().site_language(path), {} if templates == "drop" else own)
    score = Score()
    for article, answer in zip(articles[:limit], answers, strict=True):
        if answer is not None:
            add(score, article["title"], answer, extractor.extract(article["text"], article["title"]).paragraphs)
    return score


def add(score: Score, title: str, answer: dict[str, Any], paragraphs: Iterable[Any]) -> None:
    """Count one page: the oracle's answer, and what we make of it."""
    from rapidfuzz.distance import LCSseq

    module = oracle()
    paragraphs = list(paragraphs)
    want, got = module.words(answer["blocks"]), module.words([p.text for p in paragraphs])
    same = LCSseq.similarity(want, got)
    theirs = Counter((_spaced(m), module.plain(t).partition("#")[0]) for m, t in answer["links"] if t[0] != "#")
    ours = Counter((_spaced(p.text[k.start : k.end]), module.plain(k.target)) for p in paragraphs for k in p.links)
    score.pages += 1
    score.want, score.got, score.same = score.want + len(want), score.got + len(got), score.same + same
    score.theirs, score.ours = score.theirs + theirs.total(), score.ours + ours.total()
    score.both += (theirs & ours).total()
    if same < max(len(want), len(got)) and _sort_words(score, title, want, got) - set(ON_PURPOSE):
        score.differing.append(title)
    if theirs != ours:
        _sort_links(score, title, theirs - ours, ours - theirs)


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _sort_words(score: Score, title: str, want: list[str], got: list[str]) -> set[str]:
    """Counts the words that differ; the kinds that were met."""
    from rapidfuzz.distance import LCSseq

    kinds = set()
    for op in LCSseq.opcodes(want, got):
        if op.tag == "equal":
            continue
        lost, added = " ".join(want[op.src_start : op.src_end]), " ".join(got[op.dest_start : op.dest_end])
        kind = "words that we have alone"
        if lost:
            kind = next((k for k, pattern in _PATTERNS if pattern.fullmatch(lost)), "words that are missing")
        score.left[kind] += max(op.src_end - op.src_start, op.dest_end - op.dest_start)
        before = " ".join(want[max(0, op.src_start - 4) : op.src_start])
        score.examples[kind].append(f"{title}: {before} [-{lost}-] [+{added}+]")
        kinds.add(kind)
    return kinds


def _sort_links(score: Score, title: str, missing: Counter[Any], added: Counter[Any]) -> None:
    bare = {(mention, target.rpartition(":")[2]) for mention, target in added}
    for (mention, target), n in missing.items():
        _, colon, rest = target.partition(":")
        if (mention, rest) in bare and colon:
            kind = "a namespace that the oracle names otherwise"
        elif mention.endswith(rest) and colon and rest and not rest[0].isupper():
            kind = "a prefix that the oracle does not know"
        else:
            kind = "links that are missing"
        score.links_left[kind] += n
        score.examples[kind].append(f"{title}: {mention} -> {target}")
    spaces = {(mention, target.rpartition(":")[2]) for mention, target in missing}
    for (mention, target), n in added.items():
        named = ":" in target and (mention, target.rpartition(":")[2]) in spaces
        kind = "a namespace that the oracle names otherwise" if named else "links that we have alone"
        if target == oracle().plain(title):
            kind = "a title that differs in its first letter's case: the oracle takes it for the page itself"
        score.links_left[kind] += 0 if named else n
        score.examples[kind].append(f"{title}: {mention} -> {target}")
