"""A folder of HTML files: a page each, named by the document's own head, by `titles.tsv`, or by the file's name.

`titles.tsv`, beside the files, has a line a file: its path in the folder, the title and, where they are known, the page
id and the QID, with tabs between them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from wikiprep.dump.pages import BadPage, Page
from wikiprep.dump.site import Site
from wikiprep.errors import WikiprepError
from wikiprep.parsoid.document import HTML, HtmlPage, read_head, redirect_of
from wikiprep.parsoid.names import TITLES, html_files
from wikiprep.parsoid.snapshot import is_qid

LONGEST = 64 << 20  # bytes; a longer file is a reject
# Pages without an id get this and their file's place in the folder: no wiki has as many pages.
FIRST_ID = 1 << 40


@dataclass(frozen=True, slots=True)
class FolderFile:
    """One file: its path in the folder and its place there, from 1; then what titles.tsv says."""

    path: str
    place: int
    size: int
    title: str | None = None
    page_id: int | None = None
    qid: str | None = None


def list_folder(folder: str) -> list[FolderFile]:
    """The files by their paths. Raises WikiprepError for a line of titles.tsv that is none, or names no file."""
    root = Path(folder)
    paths = sorted(path.relative_to(root).as_posix() for path in html_files(folder))
    titles = _read_titles(root / TITLES)
    files = [
        FolderFile(path, place, (root / path).stat().st_size, *titles.pop(path, (None, None, None)))
        for place, path in enumerate(paths, 1)
    ]
    if titles:
        path = next(iter(titles))
        raise WikiprepError(f"{root / TITLES}: {path!r} is no HTML file of the folder", "mend the line, or take it out")
    return files


def _read_titles(path: Path) -> dict[str, tuple[str, int | None, str | None]]:
    titles: dict[str, tuple[str, int | None, str | None]] = {}
    if not path.is_file():
        return titles
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise WikiprepError(f"{path}: not UTF-8 at byte {error.start:,}", "write it as UTF-8") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        name, title, page_id, qid = ([*line.rstrip("\r").split("\t"), "", "", ""])[:4]
        problem = (
            "no title"
            if not title.strip()
            else f"{page_id!r} is no page id"
            if page_id and not (page_id.isascii() and page_id.isdigit() and 0 < int(page_id) < FIRST_ID)
            else f"{qid!r} is no QID"
            if qid and not is_qid(qid)
            else f"{name!r} comes twice"
            if name in titles
            else ""
        )
        if problem:
            raise WikiprepError(
                f"{path}, line {number}: {problem}", "a line is FILE, TITLE and, if known, PAGE ID and QID, with tabs"
            )
        titles[name] = (title.replace("_", " ").strip(), int(page_id) if page_id else None, qid or None)
    return titles


def pages_of_files(folder: str, files: Sequence[FolderFile], site: Site) -> Iterator[Page | BadPage]:
    """The pages of some files, in their order."""
    for file in files:
        yield _page(Path(folder), file, site)


def _page(folder: Path, file: FolderFile, site: Site) -> HtmlPage | BadPage:
    if file.size > LONGEST:
        return BadPage(file.page_id, file.title, "page too long", f"{file.path}: over {LONGEST >> 20} MB of HTML")
    try:
        text = (folder / file.path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return BadPage(file.page_id, file.title, "not UTF-8", f"{file.path}: {error.reason} at byte {error.start:,}")
    except OSError as error:
        raise WikiprepError(f"{folder / file.path}: {error.strerror}", "the folder changed: run again") from None
    head = read_head(text)
    title = file.title or head.title or unquote(Path(file.path).stem).replace("_", " ").strip()
    target = site.titles.parse(":" + title)
    if target.kind != "page" or not target.title:
        why = target.reason or target.kind
        return BadPage(file.page_id or head.page_id, title, "no title", f"{file.path}: {title!r} is no title ({why})")
    return HtmlPage(
        page_id=file.page_id or head.page_id or FIRST_ID + file.place,
        namespace=target.namespace,
        title=target.title,
        revision_id=head.revision_id,
        timestamp=head.timestamp or None,
        model=HTML,
        redirect=redirect_of(text),
        text=text,
        xml_bytes=file.size,
        qid=file.qid,
    )
