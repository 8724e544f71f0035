"""Joint extraction of entities and relations: WebNLG and NYT24, in any of the forms in which they are spread.

Three forms must never be compared with each other, so that each example and each result names its own:

full spans   entities are whole names: the JSON forms of `triple_forms.py`
starred      each entity is one of its words (NYT24*, WebNLG*): told by the files, all of whose names are one word
WebNLG 1.5   the enriched XML (`webnlg.py`), whose names are the words that its references give
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from wikiprep.errors import UsageError
from wikiprep.tasks.data import triple_forms, webnlg
from wikiprep.tasks.data.benchmark_files import Source, UniqueIds
from wikiprep.tasks.data.webnlg import has_archive, is_archive, is_unpacked, xml_files
from wikiprep.tasks.examples import JointExample
from wikiprep.textlines import head, read_whole

FULL, STARRED, ENRICHED = "full spans", "starred", "WebNLG 1.5"
FORMS = (FULL, STARRED, ENRICHED)
SPLITS = ("train", "dev", "test")
_NAMES = {
    split: tuple(f"{name}{ending}" for name in names for ending in (".json", ".jsonl", "_triples.json", "_data.json"))
    for split, names in {"train": ("train",), "dev": ("dev", "valid"), "test": ("test",)}.items()
}
WEBNLG = Source(
    "WebNLG",
    "https://gitlab.com/shimorina/webnlg-dataset (enriched 1.5: webnlg-v1.5-en.tar.xz, or unpacked), or as JSON with "
    "the code of TPLinker or CasRel",
    "CC BY-NC-SA 4.0",
    _NAMES,
)
NYT24 = Source("NYT24", "the code of CopyRE, CasRel or TPLinker", "those of the New York Times; ask the LDC", _NAMES)


def read_webnlg(folder: Path, split: str, left_out: Counter[str]) -> tuple[list[JointExample], list[Path]]:
    """The examples of a split and what was read: an archive, unpacked XML, JSON, or a folder with an archive in it."""
    as_json = any((folder / name).is_file() for name in WEBNLG.files[split])
    if is_archive(folder) or is_unpacked(folder, split) or (has_archive(folder) and not as_json):
        return list(_read_enriched(folder, split, left_out)), [folder]
    return _read_json(WEBNLG, folder, split, left_out)


def read_nyt24(folder: Path, split: str, left_out: Counter[str]) -> tuple[list[JointExample], list[Path]]:
    """The examples of a split and its file."""
    return _read_json(NYT24, folder, split, left_out)


def read_file(path: Path, left_out: Counter[str]) -> list[JointExample]:
    """One file: JSON of any of the three forms, or XML of WebNLG 1.5. Raises WikiprepError with the place."""
    if head(path, 256).lstrip().startswith(b"<"):
        examples = webnlg.read_entries(read_whole(path), str(path), left_out)
        return [replace(example, form=ENRICHED) for example in examples]
    return with_form(list(triple_forms.read_file(path, left_out)))


def with_form(examples: Sequence[JointExample]) -> list[JointExample]:
    """JSON examples with their form: starred where there are triples and no end of any is more than one word."""
    ends = [end for example in examples for triple in example.triples for end in (triple.subject, triple.object)]
    form = STARRED if ends and not any(" " in end for end in ends) else FULL
    return [replace(example, form=form) for example in examples]


def of_sizes(examples: Iterable[JointExample], sizes: str) -> list[JointExample]:
    """Those with so many triples: see `sizes_of`; "all"."""
    if sizes == "all":
        return list(examples)
    triple_counts = sizes_of(sizes)
    return [example for example in examples if len(example.triples) in triple_counts]


def sizes_of(sizes: str) -> set[int]:
    """The numbers that "1,2" or "1-3,7" name. Raises UsageError for what is no such list."""
    triple_counts: set[int] = set()
    for part in sizes.split(","):
        low, dash, high = part.strip().partition("-")
        if not (low.isdecimal() and (high.isdecimal() if dash else not high) and int(low) <= int(high or low) < 1000):
            raise UsageError(f"{sizes!r}: no numbers of triples", "such as 1,2 or 1-3")
        triple_counts |= set(range(int(low), int(high or low) + 1))
    return triple_counts


def _read_enriched(path: Path, split: str, left_out: Counter[str]) -> Iterator[JointExample]:
    ids = UniqueIds()
    for name, data, where in xml_files(path, split):
        for example in webnlg.read_entries(data, where, left_out):
            example_id = ids.take(f"{name.removesuffix('.xml')}/{example.id}", f"{where}, {example.id}")
            yield replace(example, id=example_id, form=ENRICHED)


def _read_json(
    source: Source, folder: Path, split: str, left_out: Counter[str]
) -> tuple[list[JointExample], list[Path]]:
    path = source.find(folder, split)
    return read_file(path, left_out), [path]
