"""manifest.json, which says what a corpus is and was made from: what stands in it, its bytes, and reading it.

`runtime/write_manifest.py` fills a `Manifest`, and `read_manifest` gives it back. Counts, options and facts of a stage
stand as the stage wrote them; whoever reads one imports its key from there.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import orjson

from wikiprep.counts import Count, EquationCounts, in_json
from wikiprep.errors import UsageError, WikiprepError, no_folder
from wikiprep.file_receipt import FileReceipt
from wikiprep.files import Store
from wikiprep.input_facts import InputFacts, InputFile

MANIFEST = "manifest.json"
SCHEMA = "manifest/1"
_DAMAGED = (
    "the file is damaged, or of another version of wikiprep: take a whole copy of the corpus; "
    "or remove the file and give the build's command again, which writes it anew"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """A section of manifest.json a field (docs/formats.md); what is by stage has the stages that were built.

    `rules` is empty for a corpus that is older than they are; `fingerprints` are hex; `facts` are what stages but
    `inputs` hand over (`units/handovers.py`), and lack the stages that hand over nothing; `files` are in order of path.
    """

    schema: str = SCHEMA
    preset: str
    versions: Mapping[str, str]
    rules: Mapping[str, str] = field(default_factory=dict)
    inputs: InputFacts
    options: Mapping[str, Mapping[str, Any]]
    fingerprints: Mapping[str, str]
    counts: Mapping[str, Mapping[Count, int]]
    equations: list[EquationCounts]
    facts: Mapping[str, Mapping[str, Any]]
    warnings: list[str]
    files: list[FileReceipt]

    def has_stage(self, stage: str) -> bool:
        """Whether the build went through a stage."""
        return stage in self.counts

    def counts_of(self, stage: str) -> Mapping[Count, int]:
        """The counts of a stage; none where the build has no such stage."""
        return self.counts.get(stage, {})

    def options_of(self, stage: str) -> Mapping[str, Any]:
        """The options of a stage; none where the build has no such stage."""
        return self.options.get(stage, {})

    def facts_of(self, stage: str) -> Mapping[str, Any]:
        """What a stage handed over; nothing where the build has no such stage."""
        return self.facts.get(stage, {})

    def paths(self, prefix: str = "") -> list[str]:
        """The paths of its files that begin so ("records/"), in order."""
        return [file.path for file in self.files if file.path.startswith(prefix)]

    def files_by_path(self) -> dict[str, FileReceipt]:
        """Its files, in order, by path."""
        return {file.path: file for file in self.files}

    @property
    def total_size(self) -> int:
        """The bytes of all its files."""
        return sum(file.size for file in self.files)

    @property
    def wikiprep_version(self) -> str:
        """Of the wikiprep that made it, for people; "unknown" where it is older than the note of it."""
        return self.versions.get("wikiprep", "unknown")

    @property
    def versions_line(self) -> str:
        """wikiprep's version and those of libraries, as one line."""
        return ", ".join(f"{name} {value}" for name, value in self.versions.items())

    def to_bytes(self) -> bytes:
        """manifest.json: the same bytes for the same build."""
        inputs = {name: value for name, value in asdict(self.inputs).items() if value is not None}
        data = {
            "schema": self.schema,
            "preset": self.preset,
            "versions": self.versions,
            "rules": self.rules,
            "inputs": inputs,
            "options": self.options,
            "fingerprints": self.fingerprints,
            "counts": {stage: in_json(counts) for stage, counts in self.counts.items()},
            "equations": [equation.in_json() for equation in self.equations],
            "facts": self.facts,
            "warnings": self.warnings,
            "files": [asdict(file) for file in self.files],
        }
        return orjson.dumps(data, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2) + b"\n"


def read_manifest(store: Store) -> Manifest:
    """The manifest of a corpus.

    Raises WikiprepError where there is none, and where a section is missing or is not as a build writes it. What
    another version of wikiprep wrote beside what is known here is passed over.
    """
    data = read_plain_manifest(store)
    for name, fits in _SECTIONS.items():
        if not fits(data.get(name)):
            fault = "is not as a build writes it" if name in data else "is missing"
            raise WikiprepError(f"{store.url}/{MANIFEST}: its section {name} {fault}", _DAMAGED)
    inputs = data["inputs"]
    return Manifest(
        preset=data["preset"],
        versions=data["versions"],
        rules=data.get("rules") or {},
        inputs=InputFacts(
            files=[InputFile(name=f["name"], size=f["size"], sha256=f["sha256"]) for f in inputs["files"]],
            language=inputs["language"],
            site=inputs.get("site"),
            missing_parts=inputs.get("missing_parts"),
            known_damage=inputs.get("known_damage"),
        ),
        options=data["options"],
        fingerprints=data["fingerprints"],
        counts={stage: _counts(counts) for stage, counts in data["counts"].items()},
        equations=[
            EquationCounts(e["name"], Count(e["whole"]), e["total"], _counts(e["parts"])) for e in data["equations"]
        ],
        facts=data["facts"],
        warnings=data["warnings"],
        files=[FileReceipt(f["path"], f["size"], f["sha256"]) for f in data["files"]],
    )


def read_plain_manifest(store: Store) -> dict[str, Any]:
    """The same as JSON has it, for users (`Corpus.manifest`): its sections are not looked into.

    Raises WikiprepError where there is none.
    """
    try:
        data = orjson.loads(store.read(MANIFEST))
    except FileNotFoundError as error:
        if store.root is not None and not store.root.is_dir():
            raise no_folder(store.url) from error
        if store.size("_state/inputs/plan.json") is not None or store.list("articles"):
            hint = "the build is not finished, or the file is lost: give its command again"
            raise WikiprepError(f"{store.url}/{MANIFEST}: no such file", hint) from error
        raise UsageError(
            f"{store.url}: is no corpus (no {MANIFEST} in it)", "give the folder of a corpus that wikiprep made"
        ) from error
    except orjson.JSONDecodeError as error:
        raise WikiprepError(f"{store.url}/{MANIFEST}: not JSON ({error})", _DAMAGED) from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise WikiprepError(f"{store.url}/{MANIFEST}: not a manifest of this version of wikiprep ({SCHEMA})")
    return data


def _counts(counts: Mapping[str, int]) -> dict[Count, int]:
    return {Count(key): n for key, n in counts.items()}


_Fits = Callable[[Any], bool]  # whether a value, None where there is none, is as a build writes it


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _number(value: Any) -> bool:
    return isinstance(value, int)


def _table(value: Any) -> bool:
    return isinstance(value, dict)


def _list(each: _Fits) -> _Fits:
    return lambda value: isinstance(value, list) and all(map(each, value))


def _by_name(each: _Fits) -> _Fits:
    return lambda value: isinstance(value, dict) and all(map(each, value.values()))


def _with(**fields: _Fits) -> _Fits:
    return lambda value: isinstance(value, dict) and all(fits(value.get(name)) for name, fits in fields.items())


def _or_none(fits: _Fits) -> _Fits:
    return lambda value: value is None or fits(value)


_SECTIONS: dict[str, _Fits] = {
    "preset": _text,
    "versions": _by_name(_text),
    "rules": _or_none(_by_name(_text)),  # of a corpus that is older than they are: absent
    "inputs": _with(
        files=_list(_with(name=_text, size=_number, sha256=_text)),
        language=_text,
        site=_or_none(_by_name(_text)),
        missing_parts=_or_none(_list(_text)),
        known_damage=_or_none(_list(_text)),
    ),
    "options": _by_name(_table),
    "fingerprints": _by_name(_text),
    "counts": _by_name(_by_name(_number)),
    "equations": _list(_with(name=_text, whole=_text, total=_number, parts=_by_name(_number))),
    "facts": _by_name(_table),
    "warnings": _list(_text),
    "files": _list(_with(path=_text, size=_number, sha256=_text)),
}
