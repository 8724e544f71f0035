"""`dumpstatus.json` of a classic dump: its jobs, whether each is done, and the files of each with size, sha1 and md5.

    {"version": "0.8", "jobs": {"articlesdump": {"status": "done", "updated": "2026-11-02 01:26:57", "files": {
      "enwiki-20261101-pages-articles1.xml-p1p41242.bz2": {"size": 1, "url": "/enwiki/…", "md5": "…", "sha1": "…"}}}}}

A job is waiting, in-progress, done, failed or skipped. Until it is done its files may lack sizes and sums, or be
absent; on mirrors, and for some jobs, sums are absent for good.
"""

import re
from dataclasses import dataclass
from typing import Any

import orjson

from wikiprep.download.client import NextServer

_SUMS = {"sha1": re.compile(r"[0-9a-f]{40}"), "md5": re.compile(r"[0-9a-f]{32}")}


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
