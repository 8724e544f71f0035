"""The files of a snapshot of Wikimedia Enterprise, or a folder of HTML files, looked at before any work.

Which wiki they are of says the first page that can be read; a folder may not say it, and then needs --language.
"""

import glob
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import orjson

from wikiprep.compression import compression_of
from wikiprep.dump.dump_files import Part
from wikiprep.dump.siteinfo import Siteinfo, default_siteinfo, split_dbname, wiki_in_name, with_default_namespaces
from wikiprep.dump.source import is_remote, open_bytes, size_of
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.languages.language import content_language
from wikiprep.parsoid.document import DocumentHead, read_head
from wikiprep.parsoid.folder import list_folder
from wikiprep.parsoid.lines import blocks_of
from wikiprep.parsoid.names import FOLDER, LINES, SNAPSHOT

_TAR = re.compile(r"\.(?:tgz|tar(?:\.\w+)?)\Z", re.I)
_MAX_TRIED = 1_000  # lines of a snapshot, files of a folder
_ADDRESS = re.compile(r"(?:https?:)?//([\w.-]+)/wiki/")


def find_html(inputs: Sequence[str], language: str | None) -> list[Part]:
    """The files of a snapshot by their names, or folders.

    Raises WikiprepError for what is missing, empty, of several wikis, or does not say of which one while `language`
    does not either.
    """
    parts = [_read_part(path, language) for path in dict.fromkeys(p for source in inputs for p in _expand(source))]
    packed = {bool(_TAR.search(part.path)): part.path for part in parts if part.form == LINES}
    if len(packed) > 1:
        raise UsageError(
            f"{packed[True]} and {packed[False]} hold the same pages: an archive and what was in it", "give one of them"
        )
    wikis = {part.siteinfo.dbname: part.path for part in parts if part.siteinfo.dbname}
    if len(wikis) > 1:
        (one, path), (other, other_path) = list(wikis.items())[:2]
        raise UsageError(f"{path} is of {one}, {other_path} of {other}", "build one wiki at a time")
    return parts


def _expand(source: str) -> Iterator[str]:
    path = Path(source)
    if is_remote(source):
        yield source
    elif path.is_dir():
        files = sorted(str(file) for file in path.iterdir() if file.is_file() and SNAPSHOT.search(file.name))
        yield from files or [source]
    elif not path.exists() and glob.has_magic(source):
        files = sorted(p for p in glob.glob(source, recursive=True) if Path(p).is_file())  # noqa: PTH207
        if not files:
            raise UsageError(f"{source}: matches no file", "check the pattern; quote it so that the shell leaves it")
        yield from files
    else:
        yield source


def _read_part(path: str, language: str | None) -> Part:
    if not is_remote(path) and Path(path).is_dir():
        return _folder_part(path, language)
    size = size_of(path)
    if size == 0:
        raise WikiprepError(f"{path}: is empty", "fetch it again")
    with open_bytes(path) as file:
        compression = compression_of(file.read(16))
    return Part(path, size, compression, None, _siteinfo_of_snapshot(path), form=LINES)


def _siteinfo_of_snapshot(path: str) -> Siteinfo:
    """By the first line that is a page."""
    name = re.split(r"[/\\]", path)[-1]
    line_count, why = 0, "no line in it"
    for block in blocks_of(path, name):
        if block.what == "damage":
            why = block.data.decode()
        for line in block.data.split(b"\n") if block.what == "lines" else ():
            line_count += bool(line.strip())
            try:
                page = orjson.loads(line)
                if "article_body" in page and "name" in page:
                    return _siteinfo_of_page(page, name)
                why = "no line of it has the fields `name` and `article_body`"
            except (orjson.JSONDecodeError, TypeError):
                why = "no line of it is a page as JSON" if line.strip() else why
        if line_count >= _MAX_TRIED:
            break
    raise WikiprepError(
        f"{path}: is no snapshot of Wikimedia Enterprise: {why}",
        "it holds NDJSON files, a page a line, with `article_body.html` (wikiprep docs html)",
    )


def _siteinfo_of_page(page: dict[str, object], name: str) -> Siteinfo:
    def inside(field: str, key: str) -> str:
        inner = page.get(field)
        value = inner.get(key) if isinstance(inner, dict) else None
        return value if isinstance(value, str) else ""

    match = re.match(r"[a-z][a-z0-9_]*?wik[a-z]+(?=[-_.])", name)
    dbname = inside("is_part_of", "identifier") or wiki_in_name(name) or (match[0] if match else "")
    prefix = split_dbname(dbname)[0]
    code = content_language(inside("in_language", "identifier") or prefix or "en")
    url = page.get("url")
    return _build_siteinfo(dbname, code, inside("is_part_of", "name"), url if isinstance(url, str) else "")


def _build_siteinfo(dbname: str, code: str, sitename: str, base: str) -> Siteinfo:
    case = "case-sensitive" if dbname.endswith("wiktionary") else "first-letter"
    generator = "Parsoid"
    return with_default_namespaces(Siteinfo(dbname, code, sitename, base, generator, case, (), ""))


def _folder_part(path: str, language: str | None) -> Part:
    files = list_folder(path)
    head = DocumentHead()
    for file in files[:_MAX_TRIED]:
        with (Path(path) / file.path).open("rb") as stream:
            head = read_head(stream.read(1 << 16).decode("utf-8", "replace"))
        if head.base or head.language:
            break
    if not (head.base or head.language or language):
        raise UsageError(
            f"{path}: its HTML files do not say which wiki they are of", "give --language, such as --language en"
        )
    size = sum(file.size for file in files)
    return Part(path, size, "plain", None, _siteinfo_of_head(head, language), form=FOLDER)


def _siteinfo_of_head(head: DocumentHead, language: str | None) -> Siteinfo:
    host = _ADDRESS.match(head.base)
    base = f"https://{host[1]}/wiki/" if host else ""
    code = content_language(language or head.language or (host[1].partition(".")[0] if host else "en"))
    if not base or (host and host[1].endswith(".wikipedia.org")):
        defaults = default_siteinfo(host[1].partition(".")[0] if host else language or head.language)
        return replace(defaults, base=base or defaults.base, generator="Parsoid")
    return _build_siteinfo("", code, "", base)
