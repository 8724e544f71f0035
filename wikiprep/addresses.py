"""Addresses: those of object stores (s3://, gs://, hdfs://) become pyarrow's file system, those of the web are refused.

Nothing here reads the web: a dump is read in ranges by many processes, again where a build goes on, and its checksum
has to be what was fetched. So the message is the command that downloads it.
"""

import glob
import re
import shlex
from typing import TYPE_CHECKING
from urllib.parse import quote

from wikiprep.errors import UsageError, WikiprepError

if TYPE_CHECKING:
    from pyarrow import fs  # where a path is local, a process that only passes work on need not load it

_DATE = re.compile(r"20\d\d-?\d\d-?\d\d|latest")
_HUB_PAGE = re.compile(
    r"https?://(?:www\.)?(?:huggingface\.co|hf\.co)/([\w.-]+(?:/[\w.-]+)?)/?(?:tree/.*)?", re.IGNORECASE
)
_SCHEME = re.compile(r"(https?|ftp|rsync)://", re.IGNORECASE)
# Of a folder of the monthly content exports all parts are one dump; a classic one, .../WIKI/YYYYMMDD/, has several
# layouts of it. What other folders hold nobody knows here: a corpus, a tokenizer.
_EXPORTS, _CLASSIC = "*.xml.bz2,SHA256SUMS", "*-pages-articles-multistream.xml.bz2,*sha1sums.txt"
_SAFE_CHARACTERS = ":/?@!$&'()*+,;=%"  # a ? begins pyarrow's own options, a % what was encoded before


def is_web(address: str) -> bool:
    """Whether it is an address of the web (http, https, ftp) or of rsync, in any case of letters."""
    return _SCHEME.match(address) is not None


def download_hint(address: str) -> str:
    """The command that fetches what stands at a web address, and goes on where it was cut off."""
    if address.lower().startswith("rsync:"):
        return f"download it first: rsync -avP {shlex.quote(address)} ."
    if page := _HUB_PAGE.fullmatch(address):
        return (
            f"give a tokenizer of the hub by its name, {page[1]}; anything else of the hub has to be downloaded first"
        )
    folder, _, name = address.partition("?")[0].rpartition("/")
    if name and "." not in name:
        folder, name = f"{folder}/{name}", ""  # files of dumps have endings, folders have none
    if name and not glob.has_magic(name):
        return (
            f"download it first (either command goes on where it was cut off):\n    wget -c {shlex.quote(address)}\n"
            f"    curl -L -C - -o {shlex.quote(name)} {shlex.quote(address)}\n  then give {shlex.quote(name)}"
        )
    directory = next((part for part in folder.split("/") if _DATE.fullmatch(part)), "dump")
    pattern = name or (_EXPORTS if "mediawiki_content" in folder else _CLASSIC if directory != "dump" else "")
    if not pattern:
        return f"download what is at {address} first, and give the file or folder that it then is in"
    return (
        "download it first (the same command goes on where it was cut off):\n"
        f"    wget -c -r -l 1 -np -nd -P {directory} -A {shlex.quote(pattern)} "
        f"{shlex.quote(folder + '/')}\n  then give {directory}"
    )


def refuse_web(address: str) -> None:
    """Raises WikiprepError, with the command that downloads it, for an address of the web."""
    if is_web(address):
        raise UsageError(f"{address}: is not read over the network", download_hint(address))


def open_filesystem(address: str) -> "tuple[fs.FileSystem, str]":
    """The file system of an address and the path in it. Names may have spaces and letters outside ASCII as they are.

    Raises WikiprepError for what is no address, OSError where a store does not answer.
    """
    from pyarrow import fs

    refuse_web(address)
    try:
        scheme, _, rest = address.partition("://")
        host, slash, name = rest.partition("/")
        system, path = fs.FileSystem.from_uri(f"{scheme}://{host}{slash}{quote(name, safe=_SAFE_CHARACTERS)}")
    except ValueError as error:
        reason = str(error).splitlines()[0]
        raise WikiprepError(
            f"{address}: cannot be opened ({reason})", "addresses begin with s3://, gs://, hdfs:// or file://"
        ) from None
    return system, path
