"""Stage `inputs`: what the dump files are. Every byte is hashed, so that a corpus names what it was made from.

A cut file is refused here, before hours of work, where its format lets its end tell; so is a file that does not hash to
what a checksum file beside it says. The bytes are read once: sha256 is taken in any case, md5 or sha1 in the same pass
where only these are known. A file that an earlier run hashed is not hashed again.
"""

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.counts import Count
from wikiprep.dump.checksums import ExpectedHash
from wikiprep.dump.known_damage import check_ending
from wikiprep.dump.site import Site
from wikiprep.dump.siteinfo import Siteinfo
from wikiprep.dump.source import is_remote, open_bytes, size_of
from wikiprep.dump.whole_dump import WholeDump, missing_in_words
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.input_facts import InputFacts, InputFile
from wikiprep.parsoid.names import TITLES, folder_files
from wikiprep.units.count_equations import sum_counts
from wikiprep.units.handovers import from_json, to_json
from wikiprep.units.job import Job, file_identity
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

FILES = Count("files", "Files of the input, or folders of HTML.")
BYTES = Count("bytes", "Bytes of these files, as they are.")
_CHUNK = 1 << 22


@dataclass(frozen=True, slots=True)
class InputsWork:
    """`check`: whether a cut file is refused. `expected`: its sum by a file beside it."""

    path: str
    check: bool
    expected: ExpectedHash | None = None


class Inputs:
    """One unit a file. Facts of a unit: name, size, sha256."""

    name = "inputs"
    needs: tuple[str, ...] = ()

    def content(self, job: Job) -> dict[str, Any]:
        """Names, sizes and edges of the files."""
        return {"files": [file_identity(p) for p in _paths(job)]}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """A file each."""
        paths = _paths(job)
        check = job.annotated is None and not job.config.input.keep_damaged
        names = [f"file-{i:05}-of-{len(paths):05}" for i in range(len(paths))]
        sums = [None if job.annotated else job.dump.expected(path) for path in paths]
        sizes = [size_of(path) for path in paths] if job.annotated else [part.size for part in job.parts]
        return [
            PlannedUnit(name, InputsWork(path, check, expected), size)
            for name, path, expected, size in zip(names, paths, sums, sizes, strict=True)
        ]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Hash one file, and compare it with what it should be; of a folder of HTML all files."""
        path, expected = unit.work.path, unit.work.expected if options.checksums else None
        if not is_remote(path) and Path(path).is_dir():
            return Result(unit.name, [], {FILES: 1}, to_json(_folder_facts(Path(path))))
        if unit.work.check:
            check_ending(path)
        names = ["sha256"] + ([expected.algorithm] if expected and expected.algorithm != "sha256" else [])
        digests = {name: hashlib.new(name, usedforsecurity=False) for name in names}
        bytes_done, reported_at = 0, time.monotonic()
        with open_bytes(path) as f:
            while chunk := f.read(_CHUNK):
                for digest in digests.values():
                    digest.update(chunk)
                bytes_done += len(chunk)
                if time.monotonic() - reported_at > 0.5:
                    report.progress(pages=0, bytes_done=bytes_done, rejects=0)
                    reported_at = time.monotonic()
        if expected:
            _check_digest(path, digests[expected.algorithm].hexdigest(), expected)
        facts = InputFile(name=PurePosixPath(path).name, size=bytes_done, sha256=digests["sha256"].hexdigest())
        return Result(unit.name, [], {FILES: 1, BYTES: bytes_done}, to_json(facts))

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """The list of files, with what the dump says of itself."""
        files = [from_json(InputFile, result.facts) for result in results]
        if job.annotated:
            text = InputFacts(files=files, language=job.language)
            return Commit(tuple(results), sum_counts(results), to_json(text))
        for part, file in zip(job.parts, files, strict=True):
            if part.size != file.size:
                raise WikiprepError(f"{part.path}: changed while it was read", "run again once it is whole")
        header = job.parts[0].siteinfo
        facts = InputFacts(
            files=files,
            language=job.language,
            site={name: value for name, value in asdict(header).items() if name != "namespaces"},
            missing_parts=job.dump.missing or None,
            known_damage=job.dump.damage or None,
        )
        warnings = [
            *_warnings(job.dump),
            *_mismatch_warnings(job, files),
            *other_language(header, job.config.input.language),
        ]
        return Commit(tuple(results), sum_counts(results), to_json(facts), tuple(warnings))


def _folder_facts(folder: Path) -> InputFile:
    """Of the files by their paths: the sum is that of lines "SHA256  PATH", as sha256sum writes them."""
    digest, size = hashlib.sha256(), 0
    for file in folder_files(folder):
        data = file.read_bytes()
        size += len(data) if file.name != TITLES else 0
        digest.update(f"{hashlib.sha256(data).hexdigest()}  {file.relative_to(folder).as_posix()}\n".encode())
    return InputFile(name=folder.absolute().name, size=size, sha256=digest.hexdigest())


def _check_digest(path: str, digest: str, expected: ExpectedHash) -> None:
    if digest != expected.digest:
        raise WikiprepError(
            f"{path}: its {expected.algorithm} is {digest}, {expected.source} says {expected.digest}",
            "the file is damaged or of another dump: fetch it again; --no-checksums reads it as it is",
        )


def _mismatch_warnings(job: Job, files: Sequence[InputFile]) -> list[str]:
    """Files that are not as SHA256SUMS says and were read all the same: with --no-checksums, or before it came."""
    lines = []
    for part, file in zip(job.parts, files, strict=True):
        expected = job.dump.expected(part.path)
        if expected and expected.algorithm == "sha256" and expected.digest != file.sha256:
            source = PurePosixPath(expected.source).name
            lines.append(f"{file.name}: its sha256 is {file.sha256}, {source} says {expected.digest}")
    return lines


def other_language(header: Siteinfo, asked_language: str | None) -> list[str]:
    """Where --language is not what the dump's header says: names, templates and sentences follow the option."""
    language = header.language
    if asked_language is None or Site.of(header, asked_language).siteinfo.language == language:
        return []
    return [
        f"--language {asked_language}: the dump's header says {language}; "
        "leave the option out unless the header is wrong"
    ]


def _warnings(dump: WholeDump) -> list[str]:
    missing = dump.missing
    lines = [f"{missing_in_words(missing)}: its pages are missing, and links to them lead nowhere"] if missing else []
    return lines + dump.damage


def _paths(job: Job) -> list[str]:
    return [job.annotated] if job.annotated else [str(p.path) for p in job.parts]
