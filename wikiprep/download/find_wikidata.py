"""Wikidata's weekly JSON dump, `wikidatawiki/entities/YYYYMMDD/wikidata-YYYYMMDD-all.json.bz2`.

It has no status file of its own. A dump is whole when `wikidata-YYYYMMDD-sha1sums.txt` or `-md5sums.txt` names it. The
date in the name can be a day later than that of the folder, and some folders hold lexemes alone.
"""

import re

from wikiprep.download.dates import compact, days
from wikiprep.download.remote_file import RemoteFile
from wikiprep.download.server import Server
from wikiprep.download.trouble import NextServer
from wikiprep.dump.checksums import parse_checksums
from wikiprep.errors import WikiprepError

FOLDER = "wikidatawiki/entities"
_ALL = re.compile(r"wikidata-(\d{8})-all\.json\.bz2")


def wikidata_dates(server: Server) -> list[str]:
    """Days of its folders, newest first; not each has a dump of all entities."""
    return days(server.names(FOLDER))


def wikidata_file(server: Server, day: str) -> RemoteFile | None:
    """The dump of one folder; None where it has none, or none that is whole."""
    folder = f"{FOLDER}/{compact(day)}"
    names = server.names(folder)
    for name in sorted((it for it in names if _ALL.fullmatch(it)), reverse=True):
        stamp = name.split("-")[1]
        for checksum_file in (f"wikidata-{stamp}-sha1sums.txt", f"wikidata-{stamp}-md5sums.txt"):
            data = server.text(f"{folder}/{checksum_file}") if checksum_file in names else None
            if data is None:
                continue
            try:
                expected = parse_checksums(data, f"{server.address}/{folder}/{checksum_file}").sums.get(name)
            except WikiprepError as error:
                raise NextServer(f"{checksum_file} cannot be understood ({error.what})") from error
            if expected is not None:
                sums = {expected.algorithm: expected.digest}
                return RemoteFile(
                    name, f"{folder}/{name}", sums, checksum_file, "wikidata", f"wikidatawiki/entities-{stamp}"
                )
    return None
