"""The text of a page in one variant of its language (`--variant`), as a reader gets it who chose that variant.

MediaWiki converts what stands between tags, piece by piece, so no word is converted across the edge of a link: here the
pieces end where links do, which keeps their places exact. What `-{…}-` shows is not converted, nor are addresses; a
rule for the page (`-{A|…}-`, `-{H|…}-`) holds for all of it, in MediaWiki from its place on. Serbian text that is in
the variant by its letters stays as it is (by page here, by stretch of text there). Bold and italics end no piece here.

What is not to be converted travels through extraction as private characters, one each, so that no table knows them.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from wikiprep.languages.converter import Converter, Step
from wikiprep.wikitext.article_columns import ParagraphColumns

_PLANES = ((0xF0000, re.compile("[\U000f0000-\U000fffff]")), (0x100000, re.compile("[\U00100000-\U0010ffff]")))
_ADDRESS = re.compile(r"(?:https?|ftp)://[^\s\[\]<>]+")
# A link's target, and all of one that may be a file or category, whose words mean something.
_MEANING = re.compile(r"(\[\[[^\[\]|]*:[^\[\]]*\]\]|\[\[[^\[\]|]*\|?|(?:https?|ftp)://[^\s\[\]<>|]+)")
_UNLABELLED = re.compile(r"\[\[([^\[\]|:#]+)\]\]")
_LITERAL = re.compile(r"(?<=<nowiki>)[^<]+(?=</nowiki>)|(?<=<code>)[^<{]+(?=</code>)")  # MediaWiki converts none of it
_STRUCTURE = frozenset(" []{}'<>|=*#:;_-\n\t")
_SPACES = re.compile("  +")


@dataclass
class PageVariant:
    """One page on its way: what its rules say. `counts`: paragraphs that were changed, forms and rules of the page."""

    converter: Converter
    variant: str
    fallbacks: Mapping[str, tuple[str, ...]]
    plane: int | None  # of private characters that the page has none of; None where it has of both
    rules: dict[str, str | None] = field(default_factory=dict)  # None: the table's own pair is not to count
    counts: Counter[str] = field(default_factory=Counter)
    _step: Step | None = field(default=None, init=False)  # made when the whole page is read, with its rules

    @classmethod
    def of(
        cls, text: str, converter: Converter, variant: str, fallbacks: Mapping[str, tuple[str, ...]]
    ) -> "PageVariant":
        """For a page of that wikitext."""
        free = (plane for plane, pattern in _PLANES if text.isascii() or pattern.search(text) is None)
        return cls(converter, variant, fallbacks, next(free, None))

    def form(self, text: str) -> str:
        """What `-{…}-` shows, which is not to be converted."""
        self.counts["forms"] += 1
        return self._protect(_UNLABELLED.sub(r"[[\1|\1]]", text))

    def literal(self, wikitext: str) -> str:
        """The page with its `<nowiki>` and `<code>` kept as they are."""
        return _LITERAL.sub(lambda match: self._protect(match[0]), wikitext) if "<" in wikitext else wikitext

    def _protect(self, text: str) -> str:
        """The text so that `convert` leaves it alone, but for targets of links."""
        if self.plane is None:
            return text
        plane, letters = self.plane, self.converter.letters
        codes = [ord(c) for c in set(text) if c in letters and c not in _STRUCTURE]
        private_characters = {code: chr(code + plane) for code in codes if code < 0x10000}
        parts = _MEANING.split(text)
        return "".join(part if i % 2 else part.translate(private_characters) for i, part in enumerate(parts))

    def restore(self, text: str) -> str:
        """What `_protect` changed as it was."""
        if self.plane is None or text.isascii():
            return text
        plane, pattern = self.plane, dict(_PLANES)[self.plane]
        return pattern.sub(lambda match: chr(ord(match[0]) - plane), text)

    def add(
        self, both: Mapping[str, str], one_way: Mapping[str, Mapping[str, str]], text: str, *, remove: bool
    ) -> None:
        """A rule for the page (ConverterRule::generateConvTable); `text` is the whole of it, where it has no forms."""
        forms = dict(both)
        if not both and not one_way and text:
            forms = dict.fromkeys(self.converter.variants, text)
        for variant in self.converter.variants:
            fallback_forms = (forms[other] for other in self.fallbacks.get(variant, ()) if other in forms)
            if variant not in forms and (form := next(fallback_forms, "")):
                forms[variant] = form
        level, own = self.converter.levels.get(self.variant), forms.get(self.variant)
        pairs: dict[str, str] = {}
        if own and level is None:
            pairs = {form: own for variant, form in forms.items() if variant != self.variant}
        if level != "disable":
            pairs |= one_way.get(self.variant, {})
        self.counts["rules"] += 1
        for old, new in pairs.items():
            self.rules[self.restore(old)] = None if remove else self.restore(new)

    def convert(self, columns: ParagraphColumns) -> ParagraphColumns:
        """The paragraphs in the variant, with the places of links in them."""
        joined_text = "\n".join(columns.texts)
        if not joined_text or self.converter.is_in(joined_text, self.variant):
            pieces, cuts = [self.restore(joined_text)], [0, len(joined_text)]
            return self._build_columns(
                columns, pieces, cuts, dict(zip(cuts, cuts, strict=True)) if joined_text else {}, as_is=True
            )
        edges = {0, len(joined_text), *columns.starts, *columns.ends}
        edges.update(place for match in _ADDRESS.finditer(joined_text) for place in match.span())
        edges.update(place for match in re.finditer("\n", joined_text) for place in match.span())
        cuts = sorted(edges)
        pieces = [joined_text[a:b] for a, b in pairwise(cuts)]
        converted = self._convert_pieces([None if _is_fixed(piece) else piece for piece in pieces])
        new_pieces = [old if new is None else self.restore(new) for old, new in zip(pieces, converted, strict=True)]
        _clean_spaces(new_pieces, list(map(self.restore, pieces)), cuts, set(columns.starts), set(columns.ends))
        places = dict(zip(cuts, accumulate(map(len, new_pieces), initial=0), strict=True))
        return self._build_columns(columns, new_pieces, cuts, places)

    def _convert_pieces(self, pieces: list[str | None]) -> list[str | None]:
        """All at once, as MediaWiki does it, between NUL characters."""
        texts = self._convert_text("\0".join(piece or "" for piece in pieces)).split("\0")
        if len(texts) != len(pieces):
            texts = [self._convert_text(piece or "") for piece in pieces]
        return [None if piece is None else new for piece, new in zip(pieces, texts, strict=True)]

    def _convert_text(self, text: str) -> str:
        if self._step is None:
            self._step = self.converter.step(self.variant, self.rules)
        return self._step(text)

    def _build_columns(
        self,
        columns: ParagraphColumns,
        new_pieces: list[str],
        cuts: list[int],
        places: dict[int, int],
        *,
        as_is: bool = False,
    ) -> ParagraphColumns:
        texts = "".join(new_pieces).split("\n") if columns.texts else []
        self.counts["paragraphs"] += sum(
            new != self.restore(old) for new, old in zip(texts, columns.texts, strict=True)
        )
        headings = {heading: heading for path in set(columns.sections) for heading in path}
        for heading in headings:
            headings[heading] = self.restore(heading if as_is else self._convert_text(heading))
        return ParagraphColumns(
            [tuple([headings[heading] for heading in path]) for path in columns.sections],
            columns.kinds,
            columns.depths,
            texts,
            columns.link_counts,
            columns.starts if as_is else [places[start] for start in columns.starts],
            columns.ends if as_is else [places[end] for end in columns.ends],
            columns.targets,
            columns.fragments,
        )


def _is_fixed(piece: str) -> bool:
    return piece == "\n" or _ADDRESS.match(piece) is not None


def _clean_spaces(new_pieces: list[str], pieces: list[str], cuts: list[int], starts: set[int], ends: set[int]) -> None:
    """White space as in any paragraph: single, none at its ends nor at those of a mention.

    No mention and no paragraph is left empty by a table that drops letters: what would be stays as it was written.
    """
    last = "\n"
    before = -1  # the last piece that is not empty
    for i, text in enumerate(new_pieces):
        mention = cuts[i] in starts and cuts[i + 1] in ends
        if text != "\n":
            text = _SPACES.sub(" ", text)
            if cuts[i] in starts or last in " \n":
                text = text.lstrip(" ")
            if cuts[i + 1] in ends:
                text = text.rstrip(" ")
            if not text and (mention or (pieces[i].strip(" ") and _is_whole_paragraph(pieces, i))):
                text = pieces[i].strip(" ")
        elif last == " ":
            new_pieces[before] = new_pieces[before].rstrip(" ")
        new_pieces[i] = text
        if text:
            last, before = text[-1], i
    if last == " ":
        new_pieces[before] = new_pieces[before].rstrip(" ")


def _is_whole_paragraph(pieces: list[str], i: int) -> bool:
    """Whether a piece is all of its paragraph."""
    return (i == 0 or pieces[i - 1] == "\n") and (i + 1 == len(pieces) or pieces[i + 1] == "\n")
