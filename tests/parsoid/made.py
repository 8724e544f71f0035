"""Small snapshots and folders, made for the tests: lines with the fields of Wikimedia Enterprise, HTML as Parsoid's."""

import gzip
import io
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import orjson

HEAD = (
    '<!DOCTYPE html>\n<html prefix="dc: http://purl.org/dc/terms/ mw: http://mediawiki.org/rdf/" '
    'about="https://{wiki}.wikipedia.org/wiki/Special:Redirect/revision/{revision}"><head prefix="mwr: x">'
    '<meta charset="utf-8"/><meta property="mw:pageId" content="{number}"/><meta property="mw:pageNamespace" '
    'content="0"/><meta property="dc:modified" content="2026-11-02T10:00:00.000Z"/>'
    '<link rel="dc:isVersionOf" href="//{wiki}.wikipedia.org/wiki/{name}"/><title>{title}</title>'
    '<base href="//{wiki}.wikipedia.org/wiki/"/><meta http-equiv="content-language" content="{wiki}"/></head>'
    '<body lang="{wiki}" class="mw-parser-output" dir="ltr">'
)


def document(body: str, title: str, number: int = 1, revision: int = 11, wiki: str = "en") -> str:
    """A whole document around the inside of a body."""
    head = HEAD.format(
        title=title.replace("&", "&amp;"), name=title.replace(" ", "_"), number=number, revision=revision, wiki=wiki
    )
    return f"{head}{body}</body></html>"


def link(target: str, shown: str | None = None) -> str:
    """A link as Parsoid writes it."""
    href = target.replace(" ", "_").replace("?", "%3F")
    return f'<a rel="mw:WikiLink" href="./{href}" title="{target.partition("#")[0]}">{shown or target}</a>'


def row(number: int, title: str, body: str, **fields: Any) -> dict[str, Any]:
    """A line of a snapshot, as data; `fields` replace others."""
    made: dict[str, Any] = {
        "name": title,
        "identifier": number,
        "date_modified": "2026-11-02T10:00:00Z",
        "version": {"identifier": 1000 + number, "comment": "made for tests"},
        "url": f"https://en.wikipedia.org/wiki/{title.replace(' ', '_')}",
        "namespace": {"name": "Article", "identifier": 0},
        "in_language": {"name": "English", "identifier": "en"},
        "main_entity": {"identifier": f"Q{number}", "url": f"https://www.wikidata.org/entity/Q{number}"},
        "is_part_of": {"name": "Wikipedia", "identifier": "enwiki"},
        "article_body": {"html": document(body, title, number, 1000 + number), "wikitext": "not read"},
        "license": [{"identifier": "CC-BY-SA-4.0"}],
    }
    return made | fields


def lines(rows: Iterable[Mapping[str, Any] | bytes]) -> bytes:
    """NDJSON; what is bytes is a line as it is."""
    return b"".join((r if isinstance(r, bytes) else orjson.dumps(r)) + b"\n" for r in rows)


def tar_gz(path: Path, members: Mapping[str, bytes]) -> Path:
    """An archive with members in their order; equal input gives equal bytes."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    path.write_bytes(gzip.compress(data.getvalue(), mtime=0))
    return path
