"""Which names mean what on a page, by the page's own links: the rules of appendix C of the LUKE paper.

Yamada, Asai, Shindo, Takeda, Matsumoto, LUKE (EMNLP 2020), appendix C: the names of a page are the texts of its links,
each for the entity that it links to (redirects followed); a name with two referents on the page is ignored; so is one
whose link probability is under 1 %; and text is annotated where it has exactly such a name. The published code does it
without case (`folded`): names under 1 % are taken out as they are written, what is left is compared in lower case, and
a name in lower case with two referents is ignored. Annotation of other text (`wikiprep annotate`, so by default) and
denser records (`--densify`, with case) both ask here. For denser records the page's own subject is a referent too: by
the page's title, and by the title without a last part in brackets where links use that for the page.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wikiprep.corpus.article_arrays import FlatArticles
from wikiprep.counts import Count, Equation, Reasons
from wikiprep.tables.mentions.link_names import names_of_disambiguation
from wikiprep.tables.mentions.link_targets import LinkTargetResolver, Rules
from wikiprep.tables.mentions.mention_table import MIN_LINK_PROBABILITY, MentionTable
from wikiprep.tables.mentions.normalize import folded_name, normal_name
from wikiprep.tables.mentions.page_finder import PageFinder
from wikiprep.tables.mentions.tokens import Places
from wikiprep.tables.schema import IsMain

READ = Count("names.read", "Distinct names of a page, by its links and its own title, over all pages.")
USED = Count("names.used", "Names that are looked for in the page's text.")
DROPPED = Reasons(
    "names.dropped.",
    "Names that are not looked for; the first reason that fits.",
    two_referents="It means two things on the page.",
    no_page="It means no page that can be an entity.",
    no_name="The mention table has no such name.",
    link_probability="It is linked on fewer than 1 % of the pages where it occurs.",
    other_case="Another form of the name stands for it.",
)
NAMES = Equation("names of pages", READ, (USED, DROPPED))

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PageNames:
    """Names that mean one page each, parallel, by page.

    `name`: as it is looked for in text, in folded form with `folded`; `written`: as a link has it, of several forms the
    one with the highest link probability. `page`: their page's place in the batch. `referent`: what they mean, as a
    number of the title table, or from its size on of a target (FlatArticles.targets) that the table lacks; `title` says
    it in words. `subject`: they mean their own page. `since_text`, `since_place`: paragraph and end of the first link
    on the page to the same referent; -1 where none leads there. `probability`: link_probability.link_probability.
    """

    name: list[str]
    written: list[str]
    title: list[str]
    page: Places
    referent: Places
    subject: Mask
    since_text: Places
    since_place: Places
    probability: npt.NDArray[np.float64]
    folded: bool = False

    def __len__(self) -> int:
        return len(self.name)

    def finder(self) -> PageFinder:
        """Finds them in texts of their pages."""
        return PageFinder(self.name, self.page, folded=self.folded)


class PageNamer:
    """The rules with their tables.

    `subject`: whether the page itself is a referent of its own names. `folded`: names are compared without case.
    """

    def __init__(
        self,
        mentions: MentionTable,
        rules: Rules,
        is_main: IsMain,
        *,
        min_link_probability: float = MIN_LINK_PROBABILITY,
        subject: bool = False,
        folded: bool = False,
    ) -> None:
        self._mentions = mentions
        self._resolver = LinkTargetResolver(mentions.titles, is_main, rules)
        self._min_link_probability = min_link_probability
        self._subject = subject
        self._folded = folded

    def names_of(self, flat: FlatArticles, counts: Counter[Count] | None = None) -> PageNames:
        """The names of every page of a batch.

        Counts close by NAMES; of several reasons the first counts. With case: two_referents, no_page, no_name,
        link_probability. Folded: no_name, link_probability, two_referents (of the folded name), no_page, other_case.
        """
        counts = Counter() if counts is None else counts
        counts.update({READ: 0, USED: 0})
        titles, rows = self._mentions.titles, _Rows()
        resolved = self._resolver.targets(flat.targets)
        target_numbers = np.where(resolved.number >= 0, resolved.number, len(titles) + np.arange(len(flat.targets)))
        own_numbers = titles.numbers(flat.pages.column("title").to_pylist()).astype(np.int64)
        rows.add_links(flat, target_numbers)
        if self._subject:
            self._add_subjects(rows, flat, own_numbers)
        page, name, referent, since_text, since_place, single = rows.by_name()
        names = rows.names
        is_known, probability = self._probabilities(names)
        reason = np.zeros(len(page), np.int64)
        is_page = np.append(resolved.leads_to_page, False)[_place_of(target_numbers, referent)] | (
            referent == own_numbers[page]
        )
        rare = {"no_name": ~is_known[name], "link_probability": probability[name] < self._min_link_probability}
        forms = [folded_name(written) for written in names] if self._folded else names
        if self._folded:
            remaining = np.flatnonzero(~(rare["no_name"] | rare["link_probability"]))
            columns = page[remaining], _number_forms(forms)[name[remaining]], referent[remaining]
            has_two_referents, is_other_case = np.zeros(len(page), np.bool_), np.zeros(len(page), np.bool_)
            has_two_referents[remaining], is_other_case[remaining] = _merge_forms(
                *columns, single[remaining], probability[name[remaining]]
            )
            tests = rare | {"two_referents": has_two_referents, "no_page": ~is_page, "other_case": is_other_case}
        else:
            tests = {"two_referents": ~single, "no_page": ~is_page} | rare
        for number, (word, is_dropped) in enumerate(tests.items(), 1):
            is_dropped = is_dropped & (reason == 0)
            reason[is_dropped] = number
            counts[DROPPED.of(word)] += int(np.count_nonzero(is_dropped))
        kept_rows = np.flatnonzero(reason == 0)
        counts[READ] += len(page)
        counts[USED] += len(kept_rows)
        page, name, referent = page[kept_rows], name[kept_rows], referent[kept_rows]
        size = len(titles)
        return PageNames(
            [forms[i] for i in name.tolist()],
            [names[i] for i in name.tolist()],
            [titles.title(i) if i < size else flat.targets[i - size] for i in referent.tolist()],
            page,
            referent,
            referent == own_numbers[page],
            since_text[kept_rows],
            since_place[kept_rows],
            probability[name],
            self._folded,
        )

    def _add_subjects(self, rows: "_Rows", flat: FlatArticles, own_numbers: Places) -> None:
        for page, (title, number) in enumerate(
            zip(flat.pages.column("title").to_pylist(), own_numbers.tolist(), strict=True)
        ):
            whole = normal_name(title)
            for name in names_of_disambiguation(title) if number >= 0 else ():
                if name == whole or self._mentions.links_to(name, number):
                    rows.add_subject(page, name, number)

    def _probabilities(self, names: list[str]) -> tuple[Mask, npt.NDArray[np.float64]]:
        """Which of them are names, by the table, and their link probabilities (0 for the others)."""
        ids = self._mentions.names.ids(names)
        pages, texts = self._mentions.link_pages_of, self._mentions.text_pages_of
        is_known = ids >= 0
        probability = np.zeros(len(names))
        probability[is_known] = pages[ids[is_known]] / np.maximum(texts[ids[is_known]], 1)
        return is_known, probability


class _Rows:
    """(page, name, referent, paragraph, end) of links and subjects, before names are told apart."""

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._columns: list[tuple[Places, Places, Places, Places, Places]] = []
        self._subjects: list[tuple[int, int, int]] = []

    @property
    def names(self) -> list[str]:
        """Distinct names in order of number."""
        return list(self._names)

    def add_links(self, flat: FlatArticles, referent: Places) -> None:
        """Every link that has characters."""
        texts = flat.texts.to_pylist()
        paragraph, start, end = flat.link_paragraph, flat.link_starts, flat.link_ends
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        real = np.flatnonzero((start >= 0) & (start < end) & (end <= lengths[paragraph]))
        paragraph, start, end = paragraph[real], start[real], end[real]
        numbers_by_text: dict[str, int] = {}
        numbers = []
        for text, low, high in zip(paragraph.tolist(), start.tolist(), end.tolist(), strict=True):
            link_text = texts[text][low:high]
            number = numbers_by_text.get(link_text)
            if number is None:
                numbers_by_text[link_text] = number = self._names.setdefault(normal_name(link_text), len(self._names))
            numbers.append(number)
        page = flat.page_of_paragraph[paragraph]
        name = np.array(numbers, np.int64)
        self._columns.append((page, name, referent[flat.link_target[real]].astype(np.int64), paragraph, end))

    def add_subject(self, page: int, name: str, number: int) -> None:
        """A name of the page itself."""
        self._subjects.append((page, self._names.setdefault(name, len(self._names)), number))

    def by_name(self) -> tuple[Places, Places, Places, Places, Places, Mask]:
        """One row a page and name: a referent, where its first link stands on the page, and whether it is the only."""
        subjects = np.array(self._subjects, np.int64).reshape(-1, 3).T
        nowhere = np.full(subjects.shape[1], -1, np.int64)
        columns = [*self._columns, (*subjects, nowhere, nowhere)]
        page, name, referent, text, place = (np.concatenate(column) for column in zip(*columns, strict=True))
        order = np.lexsort((place, text, referent, page))
        first = _starts(page[order], referent[order])
        # A subject's row comes first of its referent, with no place.
        group = np.cumsum(first) - 1
        since = order[np.flatnonzero(first)]
        since_text, since_place = np.empty_like(text), np.empty_like(place)
        since_text[order], since_place[order] = text[since][group], place[since][group]
        order = np.lexsort((referent, name, page))
        page, name, referent = page[order], name[order], referent[order]
        opens = np.flatnonzero(_starts(page, name))
        closes = np.append(opens[1:], len(page))[: len(opens)] - 1
        single = referent[opens] == referent[closes]
        return page[opens], name[opens], referent[opens], since_text[order][opens], since_place[order][opens], single


def _number_forms(forms: list[str]) -> Places:
    """For each of them the number of its first equal."""
    first: dict[str, int] = {}
    return np.array([first.setdefault(form, len(first)) for form in forms], np.int64)


def _merge_forms(
    page: Places, form: Places, referent: Places, single: Mask, probability: npt.NDArray[np.float64]
) -> tuple[Mask, Mask]:
    """Of names of pages whose `form` is the same: which mean two things together, and which another stands for.

    The one that stands for all has the highest probability; of equals it is the first.
    """
    order = np.lexsort((-probability, form, page))
    opens = np.flatnonzero(_starts(page[order], form[order]))
    sizes = np.diff(np.append(opens, len(page)))
    has_two_referents, is_other_case = np.zeros(len(page), np.bool_), np.ones(len(page), np.bool_)
    if len(opens):
        sorted_referent = referent[order]
        same = np.minimum.reduceat(sorted_referent, opens) == np.maximum.reduceat(sorted_referent, opens)
        same &= np.logical_and.reduceat(single[order], opens)
        has_two_referents[order] = np.repeat(~same, sizes)
        is_other_case[order[opens]] = False
    return has_two_referents, is_other_case


def _starts(first_keys: Places, second_keys: Places) -> Mask:
    """Where a run of equal pairs begins."""
    begins = np.ones(len(first_keys), np.bool_)
    np.not_equal(first_keys[1:], first_keys[:-1], out=begins[1:])
    begins[1:] |= second_keys[1:] != second_keys[:-1]
    return begins


def _place_of(target_numbers: Places, referent: Places) -> Places:
    """The place of some target with each referent; one past the last for a referent of no target."""
    order = np.argsort(target_numbers, kind="stable")
    place = np.searchsorted(target_numbers[order], referent)
    target_place = np.append(order, len(target_numbers))[place]
    same = np.append(target_numbers, -1)[target_place] == referent
    return np.where(same, target_place, len(target_numbers))
