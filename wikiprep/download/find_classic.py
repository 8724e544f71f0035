"""Classic dumps, `WIKI/YYYYMMDD/`, of which `dumpstatus.json` tells: pages-articles, and the SQL tables.

The SQL tables are still made there where the pages come as a content export. Jobs as dumps.wikimedia.org names them.
"""

from wikiprep.download.dates import compact, days
from wikiprep.download.dumpstatus import DumpJob, parse_dumpstatus
from wikiprep.download.remote_file import RemoteFile
from wikiprep.download.server import Server
from wikiprep.dump.names import parse_name

STATUS = "dumpstatus.json"
# Each holds all articles. Numbered parts come first, where a wiki has them: two connections then have something to do.
ARTICLES = ("articlesdump", "articlesmultistreamdump", "articlesdumprecombine", "articlesmultistreamdumprecombine")
TABLES = {"page_props": "pagepropstable", "page": "pagetable", "redirect": "redirecttable"}


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
