"""Dumps of several files as Wikimedia publishes them, made of pages, with the checksum files that lie beside them."""

import bz2
import hashlib
from collections.abc import Sequence
from pathlib import Path

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-{schema}/" version="{schema}" xml:lang="{lang}">
  <siteinfo>
    <sitename>Wikipedia</sitename>
    <dbname>{lang}wiki</dbname>
    <base>https://{lang}.wikipedia.org/wiki/Main_Page</base>
    <generator>{generator}</generator>
    <case>first-letter</case>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Talk</namespace>
      <namespace key="10" case="first-letter">Template</namespace>
    </namespaces>
  </siteinfo>
"""
CONTENT = "MediaWiki Content File Export 0.3.12"


def export(pages: Sequence[str], *, lang: str = "en", generator: str = CONTENT, schema: str = "0.11") -> bytes:
    """One part, bz2."""
    head = HEAD.format(lang=lang, generator=generator, schema=schema)
    return bz2.compress((head + "".join(pages) + "</mediawiki>\n").encode())


def put(folder: Path, name: str, data: bytes) -> Path:
    """Write a file, and the folder where it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(data)
    return path


def sums(folder: Path, name: str = "SHA256SUMS", algorithm: str = "sha256") -> Path:
    """A checksum file of all dump files in the folder, as sha256sum and its kin write it."""
    files = sorted(path for path in folder.iterdir() if ".xml" in path.name)
    lines = [f"{hashlib.new(algorithm, path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    path = folder / name
    path.write_text("".join(lines))
    return path
