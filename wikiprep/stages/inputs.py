"""Stage `inputs`: what the dump files are. Every byte is hashed, so that a corpus names what it was made from."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.stages.accounts import summed
from wikiprep.stages.job import Job, file_identity
from wikiprep.stages.stage import Commit, Task
from wikiprep.stages.unit import Report, Result, RunOptions, Unit

_CHUNK = 1 << 22


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
        return [Task(f"file-{i:05}-of-{len(paths):05}", p, Path(p).stat().st_size) for i, p in enumerate(paths)]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Hash one file."""
        path = Path(unit.work)
        digest, done, told = sha256(), 0, time.monotonic()
        with path.open("rb") as f:
            while chunk := f.read(_CHUNK):
                digest.update(chunk)
                done += len(chunk)
                if time.monotonic() - told > 0.5:
                    report.progress(pages=0, bytes_done=done, rejects=0)
                    told = time.monotonic()
        facts = {"name": path.name, "size": done, "sha256": digest.hexdigest()}
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
