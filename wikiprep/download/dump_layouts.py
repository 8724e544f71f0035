"""Where servers of dumps keep what, and what says that it is whole: one layout each of the three that a build can take.

Classic dumps, `WIKI/YYYYMMDD/`, of which `dumpstatus.json` tells: pages-articles, and the SQL tables. These are still
made there where the pages come as a content export. Jobs as dumps.wikimedia.org names them, whether each is done, and
the files of each with size, sha1 and md5:

    {"version": "0.8", "jobs": {"articlesdump": {"status": "done", "updated": "2026-11-02 01:26:57", "files": {
      "enwiki-20261101-pages-articles1.xml-p1p41242.bz2": {"size": 1, "url": "/enwiki/…", "md5": "…", "sha1": "…"}}}}}

A job is waiting, in-progress, done, failed or skipped. Until it is done its files may lack sizes and sums, or be
absent; on mirrors, and for some jobs, sums are absent for good.

Monthly content exports: all parts that `SHA256SUMS` names, which comes last, when the export is whole:
other/mediawiki_content_current/WIKI/YYYY-MM-DD/xml/bzip2/WIKI-YYYY-MM-DD-p1p1147431.xml.bz2

Wikidata's weekly JSON dump, `wikidatawiki/entities/YYYYMMDD/wikidata-YYYYMMDD-all.json.bz2`. It has no status file of
its own. A dump is whole when `wikidata-YYYYMMDD-sha1sums.txt` or `-md5sums.txt` names it. The date in the name can be a
day later than that of the folder, and some folders hold lexemes alone.
"""

import re
from dataclasses import dataclass
from typing import Any

import orjson

from wikiprep.download.client import NextServer
from wikiprep.download.dates import compact, days
from wikiprep.download.remote_file import RemoteFile
from wikiprep.download.server import Server
from wikiprep.dump.checksums import parse_checksums
from wikiprep.dump.file_names import CONTENT, parse_name
from wikiprep.errors import WikiprepError

_SUMS = {"sha1": re.compile(r"[0-9a-f]{40}"), "md5": re.compile(r"[0-9a-f]{32}")}
STATUS = "dumpstatus.json"
# Each holds all articles. Numbered parts come first, where a wiki has them: two connections then have something to do.
ARTICLES = ("articlesdump", "articlesmultistreamdump", "articlesdumprecombine", "articlesmultistreamdumprecombine")
TABLES = {"page_props": "pagepropstable", "page": "pagetable", "redirect": "redirecttable"}
EXPORT_FOLDER = "other/mediawiki_content_current"
LIST = "SHA256SUMS"
WIKIDATA_FOLDER = "wikidatawiki/entities"
_ALL = re.compile(r"wikidata-(\d{8})-all\.json\.bz2")


@dataclass(frozen=True)
class StatusFile:
    """A file of a job: bytes, and what it must hash to, as far as the status says."""

    name: str
    size: int | None
    sums: dict[str, str]


@dataclass(frozen=True)
class DumpJob:
    """One job; `status` as the server has it."""

    status: str
    files: tuple[StatusFile, ...]

    @property
    def done(self) -> bool:
        """Whether its files are all there, each with a checksum to compare it with."""
        return self.status == "done" and bool(self.files) and all(file.sums for file in self.files)


def parse_dumpstatus(data: bytes) -> dict[str, DumpJob]:
    """The jobs by name. Raises NextServer for what is no such file; names with a slash are nobody's."""
    try:
        jobs = orjson.loads(data)["jobs"]
        return {str(name): _parse_job(job) for name, job in jobs.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise NextServer("sends a dumpstatus.json that cannot be understood") from error


def _parse_job(job: dict[str, Any]) -> DumpJob:
    files = [_parse_file(name, fields) for name, fields in (job.get("files") or {}).items() if "/" not in name]
    return DumpJob(str(job.get("status", "")), tuple(sorted(files, key=lambda file: file.name)))


def _parse_file(name: str, fields: dict[str, Any]) -> StatusFile:
    size = fields.get("size")
    sums = {kind: str(fields.get(kind, "")).lower() for kind in _SUMS}
    valid_sums = {kind: digest for kind, digest in sums.items() if _SUMS[kind].fullmatch(digest)}
    return StatusFile(name, size if isinstance(size, int) and size >= 0 else None, valid_sums)


def classic_dates(server: Server, wiki: str) -> list[str]:
    """Days of the wiki's classic dumps, newest first, whole or not."""
    return days(server.names(wiki))


def classic_jobs(server: Server, wiki: str, day: str) -> dict[str, DumpJob]:
    """The jobs of one dump; none where it has no status yet."""
    data = server.text(f"{wiki}/{compact(day)}/{STATUS}")
    return {} if data is None else parse_dumpstatus(data)


def article_files(jobs: dict[str, DumpJob], wiki: str, day: str) -> list[RemoteFile]:
    """The pages of one dump, in one layout; none where no job of them is done."""
    for name in ARTICLES:
        job = jobs.get(name)
        if job is not None and job.done:
            files = [file for file in _job_files(job, wiki, day, "dump") if (it := parse_name(file.name)) and it.kind]
            if files:
                return files
    return []


def table_files(jobs: dict[str, DumpJob], wiki: str, day: str, table: str, kind: str) -> list[RemoteFile]:
    """The file of one SQL table; none where its job is not done."""
    job = jobs.get(TABLES[table])
    if job is None or not job.done:
        return []
    return [it for it in _job_files(job, wiki, day, kind) if it.name == f"{wiki}-{compact(day)}-{table}.sql.gz"]


def describe_unfinished(jobs: dict[str, DumpJob], names: tuple[str, ...]) -> str:
    """Why these jobs' files are not there, in words."""
    states = [f"{name} is {jobs[name].status or 'not done'}" for name in names if name in jobs and not jobs[name].done]
    return ", ".join(states) or f"{STATUS} has no job {names[0]}"


def sums_text(files: list[RemoteFile]) -> bytes:
    """The sha1 sums of a classic dump's files, as `…-sha1sums.txt` has them: a build compares them once more."""
    return "".join(f"{file.sums['sha1']}  {file.name}\n" for file in files if "sha1" in file.sums).encode()


def _job_files(job: DumpJob, wiki: str, day: str, kind: str) -> list[RemoteFile]:
    """The files of a job. Addresses are made of names: those of the status begin at dumps.wikimedia.org's root."""
    start = f"{wiki}-{compact(day)}-"
    return [
        RemoteFile(
            it.name, f"{wiki}/{compact(day)}/{it.name}", it.sums, STATUS, kind, f"{wiki}/{compact(day)}", it.size
        )
        for it in job.files
        if it.name.startswith(start)
    ]


def export_dates(server: Server, wiki: str) -> list[str]:
    """Days of the wiki's exports, newest first, whole or not."""
    return days(server.names(f"{EXPORT_FOLDER}/{wiki}"))


def export_files(server: Server, wiki: str, day: str) -> tuple[list[RemoteFile], bytes] | None:
    """The parts of one export, and its list of checksums; None where the export is not whole yet."""
    folder = f"{EXPORT_FOLDER}/{wiki}/{day}/xml/bzip2"
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


def wikidata_dates(server: Server) -> list[str]:
    """Days of its folders, newest first; not each has a dump of all entities."""
    return days(server.names(WIKIDATA_FOLDER))


def wikidata_file(server: Server, day: str) -> RemoteFile | None:
    """The dump of one folder; None where it has none, or none that is whole."""
    folder = f"{WIKIDATA_FOLDER}/{compact(day)}"
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
