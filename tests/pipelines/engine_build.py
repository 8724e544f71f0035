"""A tiny build with Wikidata and mention statistics, for comparing engines, and Spark and Beam as processes."""

import bz2
import json
import os
import shutil
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import pytest
from building import DATA, TOKENIZER, hashes, wikiprep
from entity_dumps import item, statement
from tiny_wiki import PAGES, tiny_dump, tiny_props

# In CI an engine that cannot run is a failure; elsewhere its tests are skipped, and say why.
REQUIRED = os.environ.get("WIKIPREP_ENGINES") == "required"


@dataclass(frozen=True)
class Local:
    """A build by the local driver: words of its command without --output, the output, the hashes of its files."""

    words: list[str]
    output: Path
    hashes: dict[str, str]


def package(name: str, extra: str) -> str:
    """The version of an engine's package; skips the module where there is none."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        if REQUIRED:
            raise
        pytest.skip(f"{name} is not installed: pip install 'wikiprep[{extra}]'", allow_module_level=True)


def needs_java() -> pytest.MarkDecorator:
    """For tests of Spark."""
    return pytest.mark.skipif(not REQUIRED and not shutil.which("java"), reason="no java on PATH: Spark cannot run")


def prism() -> Path:
    """Beam's Prism, where .ci/run and docs/cluster.md put it."""
    place = Path.home() / ".cache" / "wikiprep-prism" / package("apache-beam", "beam") / "prism"
    return Path(os.environ.get("WIKIPREP_PRISM") or place)


def needs_prism() -> pytest.MarkDecorator:
    """For tests of Prism."""
    missing = not REQUIRED and not prism().is_file()
    return pytest.mark.skipif(missing, reason=f"no {prism()}: docs/cluster.md says how to build it, with Go")


def write_inputs(folder: Path) -> list[str]:
    """Dump, page_props and Wikidata in `folder`; the words of a build of them in several ranges."""
    numbers = dict(zip(PAGES, range(1, len(PAGES) + 1), strict=True))
    items = [
        item(1000 + n, statement("P31", "Q1001"), statement("P361", f"Q{1000 + n % 7 + 1}"), title=title)
        for title, n in numbers.items()
    ]
    wikidata = folder / "items.json"
    wikidata.write_text("[\n" + ",\n".join(json.dumps(it) for it in items) + "\n]\n", encoding="utf-8")
    return [
        *(str(tiny_dump(folder)), "--page-props", str(tiny_props(folder)), "--wikidata", str(wikidata)),
        *("--mentions", "--text", "--range-mb", "0.002", "--tokenizer", str(TOKENIZER), "--quiet"),
    ]


def write_two_scripts() -> list[str]:
    """The words of the tables of a Chinese dump in several ranges, with the text in one variant."""
    return [str(DATA / "chinese.xml"), "--variant", "zh-tw", "--range-mb", "0.004", "--quiet"]


def damaged_dump(folder: Path) -> Path:
    """A bz2 dump with a block that cannot be read: the second, which only a worker comes to."""
    data = tiny_dump(folder).read_bytes()
    last = data.rindex(b"<page>")
    block = bytearray(bz2.compress(data[last:]))
    block[len(block) // 2] ^= 0xFF
    path = folder / "damaged.xml.bz2"
    path.write_bytes(bz2.compress(data[:last]) + block)
    return path


def same_tables(local: Local, output: Path, runner: str) -> dict[str, dict[str, int]]:
    """Build `tables` on a runner: the bytes of the local driver. The manifest's counts by stage."""
    done = wikiprep("tables", *local.words, "-o", output, "--runner", runner)
    assert done.returncode == 0, done.stderr
    assert hashes(output) == local.hashes
    counts: dict[str, dict[str, int]] = json.loads((output / "manifest.json").read_bytes())["counts"]
    return counts
