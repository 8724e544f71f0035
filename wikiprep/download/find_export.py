"""Monthly content exports: all parts that `SHA256SUMS` names, which comes last, when the export is whole.

other/mediawiki_content_current/WIKI/YYYY-MM-DD/xml/bzip2/WIKI-YYYY-MM-DD-p1p1147431.xml.bz2
"""

import re

from wikiprep.download.dates import days
from wikiprep.download.remote_file import RemoteFile
from wikiprep.download.server import Server
from wikiprep.download.trouble import NextServer
from wikiprep.dump.checksums import parse_checksums
from wikiprep.dump.names import CONTENT, parse_name
from wikiprep.errors import WikiprepError

FOLDER = "other/mediawiki_content_current"
LIST = "SHA256SUMS"


def export_dates(server: Server, wiki: str) -> list[str]:
    """Days of the wiki's exports, newest first, whole or not."""
    return days(server.names(f"{FOLDER}/{wiki}"))


def export_files(server: Server, wiki: str, day: str) -> tuple[list[RemoteFile], bytes] | None:
    """The parts of one export, and its list of checksums; None where the export is not whole yet."""
    folder = f"{FOLDER}/{wiki}/{day}/xml/bzip2"
    data = server.text(f"{folder}/{LIST}")
    if not data:
        return None
    address = f"{server.address}/{folder}/{LIST}"
    try:
        checksums = parse_checksums(data, address).sums
    except WikiprepError as error:
        raise NextServer(f"{LIST} of {day} cannot be understood ({error.what})") from error
    files = []
    for name, expected in sorted(checksums.items()):
        parsed = parse_name(name)
        if parsed is None or parsed.kind != CONTENT or (parsed.wiki, parsed.day) != (wiki, day):
            continue
        if not re.search(r"\.xml\.bz2$", name):
            continue
        sums = {expected.algorithm: expected.digest}
        files.append(RemoteFile(name, f"{folder}/{name}", sums, LIST, "dump", f"{wiki}/{day}"))
    return (files, data) if files else None
