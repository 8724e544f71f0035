"""Entity spans for any text, from a corpus with mention statistics.

Of text with a page that the corpus knows, by the rules of appendix C of the LUKE paper (page_names.py): names are what
the page links. Of other text by the mention table alone: each name for the page that links on it lead to most often.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from wikiprep.annotate.articles_by_id import ArticlesById
from wikiprep.annotate.own_names import OwnNames
from wikiprep.corpus.article_arrays import flatten
from wikiprep.dump.site import MainNamespace, PageUrls, Site
from wikiprep.files import Store
from wikiprep.manifest import Manifest, read_manifest
from wikiprep.tables.mentions.detect import Detector
from wikiprep.tables.mentions.finder import Spans
from wikiprep.tables.mentions.link_targets import Rules
from wikiprep.tables.mentions.mention_table import MIN_LINK_PROBABILITY, Candidate, MentionTable
from wikiprep.tables.mentions.normalize import is_writable, normal_name
from wikiprep.tables.mentions.page_finder import PageFinder
from wikiprep.tables.mentions.page_names import PageNamer, PageNames
from wikiprep.tables.qids import Qids

# Span.source. MODEL: a trained model chose among the candidates of a name.
PAGE_LINK, PAGE_SUBJECT, PRIOR, OWN, MODEL = "page_link", "page_subject", "prior", "own_name", "model"
_ON_REQUEST = ("carried", "candidates")
_PAGES = 256  # pages whose names are kept


@dataclass(frozen=True, slots=True)
class Rule:
    """What is annotated. `min_prior`: of the page given the name. `subject`: names of the source page itself too.
    `by_prior`: as if no page were given. `folded`: whatever the case, quotes and hyphens, where no page is known.
    `match_case`: names of a page only as its links write them; else whatever the case. `names`: a file of names of the
    user's own (own_names.py), which go before all others. `candidates`: of each span so many of the pages that its name
    can mean are given too, with their priors; 0: none."""

    min_link_probability: float = MIN_LINK_PROBABILITY
    min_prior: float = 0.0
    subject: bool = False
    by_prior: bool = False
    folded: bool = False
    match_case: bool = False
    names: str | None = None
    candidates: int = 0


@dataclass(frozen=True, slots=True)
class TargetVocabulary:
    """A vocabulary whose entities the spans are to name.

    `language`: of a file with several; `titles_from`: whose titles links have that a text comes with; None: the
    corpus's, as of the spans.
    """

    vocabulary: str
    language: str | None = None
    titles_from: str | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """text[start:end], in code points, means the page `target`, a title.

    `source`: why: PAGE_LINK (the source page links it), PAGE_SUBJECT (it is the source page), PRIOR (the most linked
    candidate), MODEL (a model chose it) or OWN (a name of the user's own list, whose title need be no page: the corpus
    says nothing of it).
    """

    start: int
    end: int
    text: str
    target: str
    page_id: int | None
    qid: str | None
    url: str | None
    link_probability: float | None
    prior: float | None
    source: str
    # With a vocabulary: by what its title, `target`, was found (tables/titles_to_vocabulary.py).
    carried: str | None = None
    # Where asked for: title, page_id, qid and prior of what the name can mean, the most linked first.
    candidates: tuple[dict[str, Any], ...] | None = None

    def as_json(self) -> dict[str, Any]:
        """The fields by name, `start` first; the last two where there are such."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in fields.items() if value is not None or name not in _ON_REQUEST}


class Annotator:
    """Annotates texts with one corpus. Raises WikiprepError if it has no mention statistics."""

    def __init__(self, corpus: str | Store, rule: Rule | None = None, table: MentionTable | None = None) -> None:
        """`table`: the corpus's, where it is open already."""
        self._rule = rule or Rule()
        self.own_names = (
            OwnNames(self._rule.names, match_case=self._rule.match_case) if self._rule.names is not None else None
        )
        store = corpus if isinstance(corpus, Store) else Store(corpus)
        self._table = table or MentionTable.open(store)
        self._store, self._articles = store, ArticlesById(store)
        manifest = read_manifest(store)
        self._urls = PageUrls(manifest.inputs.of_site("base"))
        self._namer = PageNamer(
            self._table,
            _rules(manifest),
            MainNamespace(Site.for_language(manifest.inputs.language).titles),
            min_link_probability=self._rule.min_link_probability,
            subject=self._rule.subject,
            folded=not self._rule.match_case,
        )
        self._detector = Detector(
            self._table,
            self._rule.min_link_probability,
            min_prior=self._rule.min_prior,
            k=max(1, self._rule.candidates),
            folded=self._rule.folded,
        )
        self._pages: OrderedDict[int, _Page | None] = OrderedDict()
        self._qid_and_url: dict[str, tuple[str | None, str | None]] = {}

    def page_id(self, page: str | int | None) -> int | None:
        """The page id of an article, given by title (redirects followed) or id; None for what the corpus lacks."""
        if page is None or self._rule.by_prior:
            return None
        if isinstance(page, int):
            return page if self._page(page) is not None else None
        title = normal_name(page.replace("_", " "))
        for spelling in dict.fromkeys((page, title, title[:1].upper() + title[1:])) if is_writable(page) else ():
            resolution = self._table.titles.resolve(spelling)
            if resolution.page_id is not None and self._page(resolution.page_id) is not None:
                return resolution.page_id
        return None

    def annotate(
        self, texts: Sequence[str], page_id: int | None = None, blocked: Sequence[Spans] | None = None
    ) -> list[list[Span]]:
        """Spans of each text, in order of place, none over another or over a blocked one. `page_id`: from `page_id`."""
        if self.own_names is None:
            return self._corpus_spans(texts, page_id, blocked)
        blocked = blocked or [()] * len(texts)
        own = [
            [
                Span(start, end, text[start:end], title, None, None, None, None, None, OWN)
                for start, end, title in own_spans
            ]
            for text, own_spans in zip(texts, self.own_names.find(texts, blocked), strict=True)
        ]
        occupied = [
            sorted([*spans, *((span.start, span.end) for span in own_spans)])
            for spans, own_spans in zip(blocked, own, strict=True)
        ]
        others = self._corpus_spans(texts, page_id, occupied)
        return [sorted([*one, *two], key=lambda span: span.start) for one, two in zip(own, others, strict=True)]

    def meaning(self, span: Span, candidate: Mapping[str, Any]) -> Span:
        """The span where a model has chosen this one of its candidates."""
        title = candidate["title"]
        to = {name: candidate[name] for name in ("page_id", "qid", "prior")}
        return replace(span, target=title, url=self._urls.of(title), source=MODEL, **to)

    def _corpus_spans(
        self, texts: Sequence[str], page_id: int | None, blocked: Sequence[Spans] | None
    ) -> list[list[Span]]:
        page = self._page(page_id) if page_id is not None else None
        if page is not None:
            return self._page_spans(texts, page, blocked or [()] * len(texts))
        spans_by_text = []
        for detections in self._detector.detect(texts, blocked):
            spans_by_text.append(
                [
                    self._span((detection.start, detection.end, detection.text), detection.best.title,
                               detection.best.page_id, detection.link_probability, detection.best.prior, PRIOR,
                               detection.candidates)
                    for detection in detections
                ]
            )  # fmt: skip
        return spans_by_text

    def _page_spans(self, texts: Sequence[str], page: "_Page", blocked: Sequence[Spans]) -> list[list[Span]]:
        links = [(number, start, end) for number, spans in enumerate(blocked) for start, end in spans]
        columns = np.array(links, np.int64).reshape(-1, 3).T
        matches = page.finder.find(texts, np.zeros(len(texts), np.int64), *columns)
        spans_by_text: list[list[Span]] = [[] for _ in texts]
        for text, start, end, name in zip(
            matches.text_index.tolist(),
            matches.start.tolist(),
            matches.end.tolist(),
            matches.name_id.tolist(),
            strict=True,
        ):
            target, prior = page.names.title[name], page.prior(name, self._table)
            if prior >= self._rule.min_prior:
                number = int(page.names.referent[name])
                is_subject = self._rule.subject and bool(page.names.subject[name])
                spans_by_text[text].append(
                    self._span(
                        (start, end, texts[text][start:end]),
                        target,
                        self._table.page_id(number),
                        float(page.names.probability[name]),
                        prior,
                        PAGE_SUBJECT if is_subject else PAGE_LINK,
                        page.candidates(name, self._table, self._rule.candidates),
                    )
                )
        return spans_by_text

    def _span(
        self,
        place: tuple[int, int, str],
        title: str,
        page_id: int | None,
        probability: float,
        prior: float,
        source: str,
        candidates: Sequence[Candidate],
    ) -> Span:
        candidate_fields = None
        if self._rule.candidates:
            candidate_fields = tuple(
                {
                    "title": it.title,
                    "page_id": it.page_id,
                    "qid": self._qids.of(it.page_id),
                    "prior": round(it.prior, 6),
                }
                for it in candidates
            )
        if title not in self._qid_and_url:
            if len(self._qid_and_url) >= 1 << 17:
                self._qid_and_url.clear()
            self._qid_and_url[title] = (self._qids.of(page_id), self._urls.of(title))
        qid, url = self._qid_and_url[title]
        return Span(
            *place, title, page_id, qid, url, round(probability, 6), round(prior, 6), source, None, candidate_fields
        )

    @cached_property
    def _qids(self) -> Qids:
        return Qids(self._store)

    def _page(self, page_id: int) -> "_Page | None":
        if page_id not in self._pages:
            if len(self._pages) >= _PAGES:
                self._pages.popitem(last=False)
            row = self._articles.row(page_id)
            self._pages[page_id] = None if row is None else _Page(self._namer.names_of(flatten(row)))
        self._pages.move_to_end(page_id)
        return self._pages[page_id]


def _rules(manifest: Manifest) -> Rules:
    """What can be meant: what the corpus was built to count as entities."""
    options = manifest.options_of("mention_links")
    return Rules(bool(options.get("keep_disambiguation")), options.get("vocab_targets") == "linked")


class _Page:
    """The names of a page, and what finds them."""

    def __init__(self, names: PageNames) -> None:
        self.names = names
        self.finder: PageFinder = names.finder()
        self._priors: dict[int, float] = {}
        self._candidates: dict[int, Sequence[Candidate]] = {}

    def prior(self, name: int, table: MentionTable) -> float:
        """How often links on the name lead where they lead on this page."""
        if name not in self._priors:
            self._priors[name] = table.prior(self.names.written[name], self.names.title[name])
        return self._priors[name]

    def candidates(self, name: int, table: MentionTable, most: int) -> Sequence[Candidate]:
        """What links on the name lead to in the whole corpus."""
        if most and name not in self._candidates:
            self._candidates[name] = table.candidates(self.names.written[name], most)
        return self._candidates.get(name, ())
