"""Stage `inputs`: what the dump files are. Every byte is hashed, so that a corpus names what it was made from.

A cut file is refused here, before hours of work, where its format lets its end tell.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any

from wikiprep.dump.ending import check_ending
from wikiprep.dump.source import open_bytes, size_of
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.stages.accounts import summed
from wikiprep.stages.job import Job, file_identity
from wikiprep.stages.stage import Commit, Task
from wikiprep.stages.unit import Report, Result, RunOptions, Unit

_CHUNK = 1 << 22


@dataclass(frozen=True, slots=True)
class InputsWork:
    """`check`: whether a cut file is refused."""

    path: str
    check: bool


class Inputs:
    """One unit a file. Facts of a unit: name, size, sha256."""

    name = "inputs"
    needs: tuple[str, ...] = ()

    def content(self, job: Job) -> dict[str, Any]:
        """Names, sizes and edges of the files."""
        return {"files": [file_identity(p) for p in _paths(job)]}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[Task]:
        """A file each."""
        paths = _paths(job)
        check = job.annotated is None and not job.config.input.keep_damaged
        names = [f"file-{i:05}-of-{len(paths):05}" for i in range(len(paths))]
        return [Task(name, InputsWork(p, check), size_of(p)) for name, p in zip(names, paths, strict=True)]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Hash one file."""
        path = unit.work.path
        if unit.work.check:
            check_ending(path)
        digest, done, told = sha256(), 0, time.monotonic()
        with open_bytes(path) as f:
            while chunk := f.read(_CHUNK):
                digest.update(chunk)
                done += len(chunk)
                if time.monotonic() - told > 0.5:
                    report.progress(pages=0, bytes_done=done, rejects=0)
                    told = time.monotonic()
        facts = {"name": PurePosixPath(path).name, "size": done, "sha256": digest.hexdigest()}
        return Result(unit.name, [], {"files": 1, "bytes": done}, facts)

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """The list of files, with what the dump says of itself."""
        facts: dict[str, Any] = {"files": [r.facts for r in results], "language": job.language}
        if not job.annotated:
            site = job.parts[0].siteinfo
            facts["site"] = {k: v for k, v in asdict(site).items() if k != "namespaces"}
            for part, result in zip(job.parts, results, strict=True):
                if part.size != result.facts["size"]:
                    raise WikiprepError(f"{part.path}: changed while it was read", "run again once it is whole")
        return Commit(tuple(results), summed(results), facts)


def _paths(job: Job) -> list[str]:
    return [job.annotated] if job.annotated else [str(p.path) for p in job.parts]
