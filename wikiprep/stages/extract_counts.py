"""What `extract` counts, and of it what `import` counts too: the keys by which later stages and readers know articles.

Apart from the code that counts, so that to read a count is not to load the extractor. Of template calls also what is
lost where most gave no text, which a warning of the build tells.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wikiprep.counts import Count, Equation, Reasons, declare_counts
from wikiprep.guard.shared_memory import GIVEN_UP_FOR
from wikiprep.manifest import Manifest
from wikiprep.wikitext.article import Extraction

# Of the articles, whether they come of a dump or of annotated text
ARTICLES = Count("pages.article", "Articles: rows of `articles/` that are no disambiguation pages.")
DISAMBIGUATIONS = Count("pages.disambiguation", "Disambiguation pages, which are rows of `articles/` too.")
PARAGRAPHS = Count("paragraphs", "Paragraphs of `articles/`.")
TEXT_CHARACTERS = Count("text_characters", "Characters (code points) of their text.")
LINKS_KEPT = Count("links.kept", "Links that stand in the text of `articles/`.")

PAGES_READ = Count("pages.read", "Pages of the dump, of any namespace.")
KINDS = declare_counts(
    "pages.",
    reject="Pages that could not be used, by reason below.",
    other_namespace="Pages that are no articles: templates, categories, discussions.",
    redirect="Redirects between articles.",
) | {"disambiguation": DISAMBIGUATIONS, "article": ARTICLES}
REJECTED = KINDS["reject"]
REJECTS = Reasons(
    "rejects.",
    "Pages that could not be used (`rejects/` names each).",
    **GIVEN_UP_FOR,
    **{
        "content model": "No wikitext: JSON, CSS, a script.",
        "page too large": "More wikitext than --max-page-mb, or ten times as much HTML.",
        "malformed XML": "What stands between <page> and </page> is no XML.",
        "no page id": "Without a page id.",
        "no title": "Without a usable title.",
        "no revision": "Without a revision.",
        "text suppressed": "The text is hidden.",
        "no text": "Without text, or of a stub dump.",
        "the file ends within a page": "Cut off by the end of the file, with --keep-damaged.",
        "the file is damaged within the page": "Damaged, with --keep-damaged.",
        "older copy": "Of a snapshot that has the page again, newer.",
        "page of another wiki": "Of a snapshot: the page says so.",
        "deleted page": "Of a snapshot: the page says so.",
        "malformed JSON": "Of a snapshot: a line that is no JSON.",
        "not UTF-8": "A file of HTML that is no text.",
        "page too long": "A file of HTML that is longer than a page can be.",
        "line too long": "A line of a snapshot that is longer than a page can be.",
    },
)
LINKS_FOUND = Count("links.found", "Links [[…]] of the wikitext, or links between pages of the HTML.")
LINKS_DROPPED = Reasons(
    "links.dropped.",
    "Links that are not in the text: what they are or stand in. Others of these words are tags, such as `timeline`.",
    box="In an infobox or another box.",
    caption="In the caption of an image, without --captions.",
    category="Puts the page into a category.",
    code="In source code or preformatted text.",
    comment="In an HTML comment.",
    empty="Shows no text.",
    file="An image or another file.",
    math="In a formula.",
    gallery="In a gallery.",
    heading="In a heading.",
    interlanguage="To the page in another language.",
    interwiki="To another wiki.",
    invalid="To no possible title.",
    nested="Within a link.",
    reference="In a footnote.",
    section="To a section of the page itself.",
    self="To the page itself.",
    special="To a special page.",
    table="In a table.",
    template="In a template's arguments, which gave no text.",
    variant="In text of another script than the one asked for.",
)
QIDS = Count("qids", "Pages whose Wikidata item is known.")
BLANK = Count("documents.blank", "Articles and disambiguation pages without wikitext.")
FLAGS = Reasons("flags.", "Articles and disambiguation pages that have the thing, or the fault, of that name.")
XML_BYTES = Count("xml_bytes", "Bytes of the dump, unpacked.")
DAMAGED_RANGES = Count("damaged.ranges", "Places where the dump is damaged, with --keep-damaged.")
DAMAGED_BYTES = Count("damaged.bytes", "Bytes of the dump that were left out there.")
VARIANT = declare_counts(
    "also.variant.",
    pages="Articles in which --variant changed something.",
    paragraphs="Paragraphs in which it did.",
    forms="Places where the page itself says how a word is written in each script.",
    rules="Rules for the page's own words.",
)

EQUATIONS = (
    Equation("pages", PAGES_READ, tuple(KINDS.values())),
    Equation("rejected pages", REJECTED, (REJECTS,)),
    Equation("links of the wikitext", LINKS_FOUND, (LINKS_KEPT, LINKS_DROPPED)),
)
_MOST_OF_UNIT = 50  # templates that a unit names; what is large in the dump is large in some unit
_MOST_NAMED = 3


def count_articles(counts: Mapping[Count, int]) -> int:
    """Rows of articles/, as `extract` or `import` counts them."""
    return counts.get(ARTICLES, 0) + counts.get(DISAMBIGUATIONS, 0)


def articles_in(manifest: Manifest) -> int:
    """Rows of articles/ of a finished corpus, by its manifest."""
    return count_articles(manifest.counts_of("extract" if manifest.has_stage("extract") else "import"))


@dataclass(frozen=True, kw_only=True)
class CallFacts:
    """Of a unit: template calls that gave text and that gave none.

    By template of which nothing is known, the words that its calls were given.
    """

    rendered: int
    dropped: int
    words: dict[str, int]


class TemplateCalls:
    """The calls of a unit's documents."""

    def __init__(self) -> None:
        self._calls: Counter[str] = Counter()
        self._words: Counter[str] = Counter()

    def add(self, extraction: Extraction) -> None:
        """Those of a page."""
        for (_, outcome), n in extraction.templates.items():
            self._calls[outcome] += n
        self._words.update(extraction.lost_words)

    @property
    def facts(self) -> CallFacts:
        """What came of them, with the templates that were given the most words."""
        largest = sorted(self._words.items(), key=lambda item: (-item[1], item[0]))[:_MOST_OF_UNIT]
        return CallFacts(rendered=self._calls["rendered"], dropped=self._calls["dropped"], words=dict(largest))


def warnings_of(facts: Iterable[CallFacts]) -> list[str]:
    """One where over half of the calls gave no text, and not because tables or definitions say that they have none."""
    rendered = dropped = 0
    words: Counter[str] = Counter()
    for unit in facts:
        rendered, dropped = rendered + unit.rendered, dropped + unit.dropped
        words.update(unit.words)
    largest = sorted(((name, n) for name, n in words.items() if n), key=lambda item: (-item[1], item[0]))[:_MOST_NAMED]
    if dropped <= rendered or not largest:
        return []
    examples = ", ".join(f"{name} ({n:,})" for name, n in largest)
    share = 100 * dropped // (rendered + dropped)
    return [
        f"{dropped:,} of {rendered + dropped:,} template calls ({share} %) gave no text; of those that nothing here "
        f"knows, these were given the most words: {examples} (`wikiprep templates`, `wikiprep docs templates`)"
    ]
