"""What the readers of benchmarks share: where files come from, their lines, tokens and ids, and splits that they lack.

Such a split is made of one that there is (`cut_by_hash`), the same everywhere and always: within each relation examples
are ordered by the SHA-256 of their text (then their id), and cut at exact shares: every relation has its share in every
part, no seed is drawn, and the order of the file changes nothing. Cuts are rounded up, so that a relation with one
example has it in the first part, train. Examples of one text and relation stand together, hence mostly in one part.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from wikiprep.errors import WikiprepError
from wikiprep.tasks.examples import RelationExample, Span
from wikiprep.textlines import read_lines


@dataclass(frozen=True, slots=True)
class Source:
    """`files`: a split's possible file names, the first that is there is read."""

    name: str
    where: str
    terms: str
    files: Mapping[str, tuple[str, ...]]

    def find(self, folder: Path, split: str) -> Path:
        """The split's file. Raises WikiprepError that says where to get it."""
        names = self.files[split]
        for name in names:
            if (folder / name).is_file():
                return folder / name
        what = f"{folder}: no such folder" if not folder.is_dir() else f"{folder}: has no {split} file of {self.name}"
        others = ", ".join(dict.fromkeys(" or ".join(files) for files in self.files.values() if files != names))
        others_text = f" (and {others})" if others else ""
        raise WikiprepError(
            what,
            f"expected: {' or '.join(names)}{others_text}; get {self.name} from {self.where} (terms: {self.terms})",
        )


def text_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Raises WikiprepError, with file and line, for what is not UTF-8."""
    for number, line in read_lines(path):
        try:
            yield number, line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise WikiprepError(
                f"{path}:{number}: not UTF-8 ({error.reason})", "convert the file: iconv -f ISO-8859-1 -t UTF-8"
            ) from error


def join_tokens(tokens: Sequence[str]) -> tuple[str, tuple[Span, ...]]:
    """The text and the span of each token in it."""
    spans, at = [], 0
    for token in tokens:
        spans.append((at, at + len(token)))
        at += len(token) + 1
    return " ".join(tokens), tuple(spans)


class UniqueIds:
    """Takes the ids of a file."""

    def __init__(self) -> None:
        self._places: dict[str, str] = {}

    def take(self, name: str, place: str) -> str:
        """The id again. Raises WikiprepError, with both places, for one that was there before."""
        if name in self._places:
            raise WikiprepError(
                f"{place.removesuffix(':')}: id {name!r} was there before ({self._places[name].removesuffix(':')})",
                "each example has an id of its own: is the file two in one?",
            )
        self._places[name] = place
        return name


def cut_by_hash(examples: Sequence[RelationExample], shares: Sequence[int]) -> list[list[RelationExample]]:
    """A part a share (per cent, together 100), each in the order given. A cut is at ceil(n x shares so far / 100)."""
    if sum(shares) != 100 or min(shares) < 0:
        raise ValueError(f"shares are per cent: {shares}")
    by_label: dict[str, list[int]] = defaultdict(list)
    for index, example in enumerate(examples):
        by_label[example.label].append(index)
    parts: list[list[int]] = [[] for _ in shares]
    for indices in by_label.values():
        indices.sort(key=lambda index: (_hash(examples[index].text), examples[index].id))
        so_far = 0
        for part, share in zip(parts, shares, strict=True):
            begin = -(-len(indices) * so_far // 100)
            so_far += share
            part.extend(indices[begin : -(-len(indices) * so_far // 100)])
    return [[examples[index] for index in sorted(part)] for part in parts]


def _hash(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()
