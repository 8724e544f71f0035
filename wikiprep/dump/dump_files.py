"""The files of one dump: globs and folders expanded, each file looked at or refused, ordered by first page id.

A dump comes in several layouts (whole, multistream, numbered parts, monthly content exports) with the same pages; two
of them in one call are refused, since every page would come twice. A stub dump, which has no text, is refused too.
"""

import glob
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from wikiprep.addresses import open_filesystem, refuse_web
from wikiprep.compression import Compression
from wikiprep.dump.file_names import companion, part_of
from wikiprep.dump.known_damage import known_damage
from wikiprep.dump.siteinfo import Siteinfo, parse_siteinfo
from wikiprep.dump.source import is_html, is_remote, read_head, size_of
from wikiprep.errors import UsageError, WikiprepError

_DUMP_NAME = re.compile(r"\.xml(?=$|[.-])")
_INDEX_LINE = re.compile(rb"\d+:\d+:[^\n]+\n")
_PAGES = re.compile(r"-?p(\d+)p(\d+|-)(?=\.|$)")
_DATE = re.compile(r"(?<!\d)(20\d\d-?[01]\d-?[0-3]\d)(?![\d])")
_FIRST_ID = re.compile(r"<page[\s>].*?<id>\s*(\d{1,18})\s*</id>", re.DOTALL)
_FIRST_REVISION = re.compile(r"<revision>\s*<id>\s*(\d{1,18})\s*</id>")


@dataclass(frozen=True)
class Part:
    """One file of a dump. `size` in bytes; `first_page_id` is None where the file's beginning shows no page."""

    path: str
    size: int
    compression: Compression
    first_page_id: int | None
    siteinfo: Siteinfo
    utf16: bool = False
    first_revision_id: int | None = None
    damage: tuple[str, ...] = ()  # known of exports of its time, in words
    form: str = "xml"  # or "lines", "folder": pages as HTML (wikiprep/parsoid)

    @property
    def splittable(self) -> bool:
        """Whether reading can begin anywhere in the file."""
        return self.compression in ("bz2", "plain") and not self.utf16 and self.form == "xml"


def find_parts(inputs: Sequence[str], note: Callable[[str], None] | None = None) -> list[Part]:
    """The parts that `inputs` (files, folders, globs; local or remote) name, ordered by first page id.

    `note` is told what is left out and why. Raises WikiprepError for what is missing, empty, no dump, of several wikis
    or twice the same pages.
    """
    tell = note or (lambda _: None)
    paths = list(dict.fromkeys(path for path_or_glob in inputs for path in _expand(path_or_glob)))
    if not paths:
        raise UsageError("no dump is given", "name the folder of a content export (mediawiki_content_current)")
    companions = {path: what for path in paths if (what := companion(path))}
    dumps = [path for path in paths if path not in companions]
    if not dumps:
        path, what = next(iter(companions.items()))
        hint = f"give the dump beside it, {part_of(path)}" if part_of(path) else "give the dump beside it"
        raise UsageError(f"{path}: is {what} and holds no pages", hint)
    for path, what in companions.items():
        tell(f"{path}: {what}, passed over")
    parts = [look_at(path) for path in dumps]
    parts.sort(key=lambda p: (p.first_page_id is None, p.first_page_id or 0, _name(p.path), p.path))
    _refuse_mixtures(parts)
    return parts


def _name(path: str) -> str:
    return re.split(r"[/\\]", path)[-1]


def _expand(path_or_glob: str) -> list[str]:
    """The files that one input names."""
    refuse_web(path_or_glob)
    if is_remote(path_or_glob):
        return _expand_remote(path_or_glob)
    path = Path(path_or_glob)
    if path.is_dir():
        paths = sorted(str(p) for p in path.iterdir() if p.is_file() and _is_candidate(p.name))
        if all(map(companion, paths)):
            raise UsageError(f"{path_or_glob}: the folder holds no dump", "dump files have .xml in their names")
        return paths
    if not path.exists() and glob.has_magic(path_or_glob):
        paths = sorted(p for p in glob.glob(path_or_glob, recursive=True) if Path(p).is_file())  # noqa: PTH207
        if not paths:
            raise UsageError(
                f"{path_or_glob}: matches no file", "check the pattern; quote it so that the shell leaves it"
            )
        return paths
    return [path_or_glob]


def _expand_remote(address: str) -> list[str]:
    from pyarrow import fs

    folder, _, pattern = address.rpartition("/")
    scheme = address.partition("://")[0]
    try:
        if not glob.has_magic(pattern):
            system, inner = open_filesystem(address)
            if system.get_file_info(inner).type != fs.FileType.Directory:
                return [address]
            folder, pattern = address.rstrip("/"), "*"
        system, inner = open_filesystem(folder)
        infos = system.get_file_info(fs.FileSelector(inner))
    except OSError as error:
        raise WikiprepError(f"{address}: cannot be listed: {error}", "check the address and the credentials") from None
    root = folder.removesuffix(inner.rstrip("/")) if folder.endswith(inner.rstrip("/")) else f"{scheme}://"
    names = sorted(i.path for i in infos if i.type == fs.FileType.File and fnmatchcase(i.base_name, pattern))
    paths = [root + name for name in names if pattern != "*" or _is_candidate(_name(name))]
    if not paths:
        raise UsageError(f"{address}: matches no file", "check the address")
    return paths


def _is_candidate(name: str) -> bool:
    """Whether a folder's file is taken for a part of a dump: .xml in its name. Of what stands beside it, it is told."""
    return not name.startswith(".") and bool(_DUMP_NAME.search(name) or companion(name))


def look_at(path: str) -> Part:
    """What the beginning of a file tells. Raises WikiprepError where it is not a dump of pages."""
    size = size_of(path)
    if size == 0:
        raise WikiprepError(f"{path}: is empty", "fetch it again")
    compression, head = read_head(path, until=b"<text")
    utf16 = head[:2] in (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")
    _refuse_other_formats(path, compression, head)
    text = head.decode("utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "replace")
    if utf16 and head[:2] in (b"<\0", b"\0<"):
        text = head.decode("utf-16-le" if head[:2] == b"<\0" else "utf-16-be", "replace")
    if "<mediawiki" not in text and "<page>" not in text:
        what = (
            "XML, but not a MediaWiki dump" if text.lstrip("\ufeff \t\r\n").startswith("<") else "not a dump of pages"
        )
        raise WikiprepError(f"{path}: is {what}", "take mediawiki_content_current from dumps.wikimedia.org")
    if _is_stub(text):
        raise WikiprepError(
            f"{path}: is a stub dump: its pages have sizes but no text",
            "take mediawiki_content_current of the same date",
        )
    first = _FIRST_ID.search(text)
    info = parse_siteinfo(head, path)
    revision = _FIRST_REVISION.search(text)
    ids = [int(match[1]) if match else None for match in (first, revision)]
    return Part(path, size, compression, ids[0], info, utf16, ids[1], known_damage(path, info, text))


def _is_stub(text: str) -> bool:
    """Whether every <text> at the beginning says that there is text elsewhere."""
    attributes = re.findall(r"<text\b([^>]*)>", text)
    return bool(attributes) and all(
        a.endswith("/") and re.search(r'\bbytes="[1-9]', a) and "deleted" not in a for a in attributes
    )


def _refuse_other_formats(path: str, compression: Compression, head: bytes) -> None:
    start = head[:2048].removeprefix(b"\xef\xbb\xbf").lstrip()
    low = start.lower()
    if not head:
        raise WikiprepError(f"{path}: damaged {compression} data at byte 0", "fetch it again and compare its checksum")
    if is_html(head):
        title = re.search(rb"<title>\s*([^<]{0,80})", low)
        quoted_title = f' ("{title[1].decode("utf-8", "replace").strip()}")' if title else ""
        raise WikiprepError(f"{path}: is an HTML page{quoted_title}, not a dump", "the download failed: fetch it again")
    if start[:1] in (b"[", b"{"):
        raise WikiprepError(
            f"{path}: is JSON (a Wikidata dump?), not XML", "take mediawiki_content_current of the wiki"
        )
    if re.match(rb"--\s|/\*!|(?:insert into|create table|drop table)\b", low):
        raise WikiprepError(
            f"{path}: is an SQL dump, not XML",
            "take mediawiki_content_current of the wiki, or pages-articles of the same folder",
        )
    if _INDEX_LINE.match(start):
        raise WikiprepError(f"{path}: is the index of a multistream dump and holds no pages", "give the dump beside it")


def _refuse_mixtures(parts: Sequence[Part]) -> None:
    """Raise where parts are of several wikis or dates, or hold the same pages."""
    by_wiki: dict[str, str] = {}
    by_date: dict[str, str] = {}
    for part in parts:
        if part.siteinfo.dbname:
            by_wiki.setdefault(part.siteinfo.dbname, part.path)
        date = _DATE.search(_name(part.path))
        if date:
            by_date.setdefault(date[1].replace("-", ""), part.path)
    if len(by_wiki) > 1:
        (one, path), (other, other_path) = list(by_wiki.items())[:2]
        raise WikiprepError(f"{path} is of {one}, {other_path} of {other}", "build one wiki at a time")
    if len(by_date) > 1:
        (one, path), (other, other_path) = list(by_date.items())[:2]
        raise WikiprepError(f"{path} is of {one}, {other_path} of {other}", "take all parts from one dump")
    by_first_page: dict[int, Part] = {}
    for part in parts:
        if part.first_page_id is not None:
            earlier = by_first_page.setdefault(part.first_page_id, part)
            if earlier.first_revision_id != part.first_revision_id:
                raise spread_over_files(part.first_page_id, earlier.path, part.path)
            if earlier is not part:
                raise _same_pages_error(earlier.path, part.path, f"both begin with page {part.first_page_id}")
    spans = [
        (int(m[1]), int(m[2]) if m[2] != "-" else None, p.path) for p in parts if (m := _PAGES.search(_name(p.path)))
    ]
    whole = [p.path for p in parts if not _PAGES.search(_name(p.path)) and "pages-" in _name(p.path)]
    if spans and whole and not any(re.search(r"pages-[a-z-]+\d+\.xml", _name(path)) for path in whole):
        raise _same_pages_error(whole[0], spans[0][2], "a whole dump and a part of it")
    for (_, last, path), (first, _, other_path) in zip(sorted(spans), sorted(spans)[1:], strict=False):
        if last is None or first <= last:
            raise _same_pages_error(path, other_path, "their page ids overlap")


def _same_pages_error(one: str, other: str, why: str) -> WikiprepError:
    return WikiprepError(f"{one} and {other} hold the same pages: {why}", "give one layout of the dump, not two")


def spread_over_files(page_id: int, one: str, other: str) -> WikiprepError:
    """The error for two files that hold different revisions of one page."""
    return WikiprepError(
        f"{one} and {other} hold different revisions of page {page_id}: they are of a history export, where a page "
        "with many revisions is spread over files",
        "take mediawiki_content_current of the same date, which has each page once and its newest revision",
    )
