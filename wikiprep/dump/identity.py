"""Which wiki and which date a side file of a dump (an SQL table) is of, as its header and its name say.

Tables of another wiki fit page ids by chance, and those of another date fit nearly: both give wrong items without an
error, so they are refused before any work. What neither header nor name tells is not known, and passes.
"""

import re
from dataclasses import dataclass

from wikiprep.dump.file_names import dump_date
from wikiprep.dump.siteinfo import FAMILIES, wiki_in_name
from wikiprep.dump.source import read_head
from wikiprep.errors import UsageError

WIKIDATA = "wikidatawiki"
ALLOW = "--allow-other-dates"
_HEAD = 1 << 14  # bytes; mysqldump's header and the CREATE TABLE are some 2,000
_DATABASE = re.compile(rb"^--.*?\bDatabase:\s*`?([\w$-]+)", re.MULTILINE)
_TABLE = re.compile(rb"^(?:CREATE TABLE (?:IF NOT EXISTS )?|INSERT (?:IGNORE )?INTO )`?([\w$]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Identity:
    """What a file says of itself; "" where it does not. `wiki` is a database's name, `date` is YYYY-MM-DD."""

    path: str
    wiki: str
    date: str
    table: str = ""

    @property
    def name(self) -> str:
        """The file's name without its folder."""
        return re.split(r"[/\\]", self.path)[-1]


def of_dump(path: str, dbname: str) -> Identity:
    """A part of a dump, whose header gave `dbname`."""
    return Identity(path, dbname, dump_date(Identity(path, "", "").name) or "")


def of_table(path: str) -> Identity:
    """An SQL dump. Raises WikiprepError where there is no such file."""
    head = read_head(path, _HEAD)[1]
    name = Identity(path, "", "").name
    database, table = _DATABASE.search(head), _TABLE.search(head)
    header_wiki, name_wiki = database[1].decode() if database else "", wiki_in_name(name)
    # A database of no such name is somebody's copy: then the file's name counts.
    wiki = header_wiki if header_wiki.endswith(FAMILIES) else name_wiki or header_wiki
    table_in_name = re.search(r"-([a-z_]+)\.sql", name)
    return Identity(
        path, wiki, dump_date(name) or "", table[1].decode() if table else table_in_name[1] if table_in_name else ""
    )


def check_table(option: str, identity: Identity, table: str) -> None:
    """Raises UsageError unless the file, as far as it says so, is the table that `option` takes.

    Wikis outside Wikimedia may have a prefix before the names of all tables.
    """
    if identity.table and identity.table != table and not identity.table.endswith(f"_{table}"):
        raise UsageError(
            f"{option} {identity.path}: is the table {identity.table}, not {table}",
            f"take {_table_file_name(identity, table)}",
        )


def check_wiki(option: str, identity: Identity, wiki: str, of: str, table: str, date: str = "") -> None:
    """Raises UsageError where the file says that it is of another wiki than `wiki`, which `of` is of ("the dump X").

    `date` is that of the table to take instead, where it is known.
    """
    ours, theirs = wiki.endswith(FAMILIES), identity.wiki.endswith(FAMILIES)
    if not wiki or not identity.wiki or identity.wiki == wiki or (ours and not theirs):
        return
    wiki_by_name = wiki_in_name(identity.name)
    why = (
        f", as its header says, whatever its name ({wiki_by_name})"
        if wiki_by_name and wiki_by_name != identity.wiki
        else ""
    )
    raise UsageError(
        f"{option} {identity.path}: is of {identity.wiki}{why}; {of} is of {wiki}",
        f"take {_table_file_name(Identity('', wiki, date or identity.date), table)}",
    )


def check_date(option: str, identity: Identity, other: Identity, table: str, allowed: bool) -> None:
    """Raises UsageError where two files say that they are of two dates, unless `allowed`."""
    if allowed or not identity.date or not other.date or identity.date == other.date:
        return
    file_name = _table_file_name(Identity("", identity.wiki or other.wiki, other.date), table)
    raise UsageError(
        f"{option} {identity.path}: is of {identity.date}; {other.name} is of {other.date}",
        f"take {file_name}; or {ALLOW}: pages made, moved or changed in between then have no items, or old ones",
    )


def _table_file_name(identity: Identity, table: str) -> str:
    """The name that dumps.wikimedia.org gives such a file."""
    return f"{identity.wiki or 'WIKI'}-{identity.date.replace('-', '') or 'DATE'}-{table}.sql.gz"
