"""A page that hangs, crashes or eats memory costs itself and nothing else, through the whole command."""

import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from building import DATA, TOKENIZER, built, hashes, manifest, wikiprep

from wikiprep.corpus.shards import read_shard

DUMP = DATA / "genre56.xml"
ARGUMENTS = (DUMP, "--tokenizer", TOKENIZER, "--page-memory", "400", "--range-mb", "0.004")

# Only where the clock is meant to end it: on a busy machine the others could be late.
PATIENCE = {"timeout": ("--page-timeout", "1.5")}

# Python runs a `sitecustomize` at start, in the build's processes too: there a page is made bad that the real extractor
# would not stumble over (no real page is known that does).
PATCH = """
import importlib.abc, importlib.util, os, sys, time

class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != {module!r}:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        load = spec.loader.exec_module
        def exec_module(module):
            load(module)
            def meet(titles):
                if {title!r} in titles:
                    {deed}
            {room}
        spec.loader.exec_module = exec_module
        return spec

sys.meta_path.insert(0, Finder())
"""
ROOMS = {
    "extract": """
            extract = module.extract
            def bad(text, title, site, *rest, **options):
                meet([title])
                return extract(text, title, site, *rest, **options)
            module.extract = bad
""",
    "records": """
            build = module.RecordBuilder.build
            def bad(self, batch):
                meet(batch["title"].to_pylist())
                return build(self, batch)
            module.RecordBuilder.build = bad
""",
}
MODULES = {"extract": "wikiprep.stages.kinds", "records": "wikiprep.stages.records_part"}
DEEDS = {
    "timeout": "time.sleep(1000)",
    "crash": "os._exit(7)",
    "memory": "x = []\n                    while True: x.append(b'x' * (1 << 20)); time.sleep(0.001)",
}
ONCE = (
    "flag = os.environ['FLAG']\n"
    "                    if not os.path.exists(flag): open(flag, 'w').close(); os.kill(os.getpid(), 9)"
)


def titles(path: Path, column: str = "title") -> list[str]:
    return [t for file in sorted(path.glob("*.parquet")) for t in pq.read_table(file)[column].to_pylist()]


def records(output: Path) -> list[dict[str, object]]:
    return [row for part in sorted((output / "records").iterdir()) for b in read_shard(part) for row in b.to_pylist()]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("good") / "corpus"
    built(output, *ARGUMENTS)
    return output


def patched(folder: Path, room: str, title: str, deed: str) -> dict[str, str]:
    folder.mkdir(exist_ok=True)
    patch = PATCH.format(module=MODULES[room], title=title, deed=deed, room=ROOMS[room].strip())
    (folder / "sitecustomize.py").write_text(patch)
    return {"PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))}


@pytest.mark.parametrize("reason", list(DEEDS))
def test_a_bad_page_is_a_reject_and_nothing_else_is_lost(tmp_path: Path, good: Path, reason: str) -> None:
    victim = titles(good / "articles")[3]
    environment = patched(tmp_path / "patch", "extract", victim, DEEDS[reason])
    made = built(tmp_path / "corpus", *ARGUMENTS, *PATIENCE.get(reason, ()), **environment)
    assert made["counts"]["extract"][f"rejects.{reason}"] == 1
    assert made["counts"]["extract"]["pages.reject"] == 1
    assert [page[1:3] for page in made["facts"]["extract"]["lost_pages"]] == [[victim, reason]]
    assert titles(tmp_path / "corpus" / "articles") == [t for t in titles(good / "articles") if t != victim]
    assert titles(tmp_path / "corpus" / "rejects", "reason").count(reason) == 1
    assert wikiprep("verify", tmp_path / "corpus").returncode == 0


@pytest.mark.parametrize("reason", list(DEEDS))
def test_a_page_that_only_records_stumble_over_is_named_and_has_none(tmp_path: Path, good: Path, reason: str) -> None:
    """Pages are worked on in slices there: the one to blame is in the middle of one."""
    part = max((good / "articles").glob("*.parquet"), key=lambda file: pq.read_metadata(file).num_rows)
    victim = pq.read_table(part)["title"].to_pylist()[2]
    environment = patched(tmp_path / "patch", "records", victim, DEEDS[reason])
    done = wikiprep(
        "build-corpus", *ARGUMENTS, *PATIENCE.get(reason, ()), "--output", tmp_path / "corpus", **environment
    )
    assert done.returncode == 0, done.stderr
    assert f"({victim}) was given up in records: {reason}" in done.stdout + done.stderr
    made = manifest(tmp_path / "corpus")
    assert made["counts"]["records"][f"pages.skipped.{reason}"] == 1
    assert [page[1:3] for page in made["facts"]["records"]["lost_pages"]] == [[victim, reason]]
    rejects = tmp_path / "corpus" / "rejects" / f"records-{part.stem}.parquet"
    assert pq.read_table(rejects).select(["title", "reason"]).to_pylist() == [{"title": victim, "reason": reason}]
    assert records(tmp_path / "corpus") == [row for row in records(good) if row["title"] != victim]
    assert wikiprep("verify", tmp_path / "corpus").returncode == 0


@pytest.mark.parametrize("room", list(ROOMS))
def test_a_page_that_dies_once_is_not_lost(tmp_path: Path, good: Path, room: str) -> None:
    victim = titles(good / "articles")[3]
    environment = patched(tmp_path / "patch", room, victim, ONCE) | {"FLAG": str(tmp_path / "flag")}
    built(tmp_path / "corpus", *ARGUMENTS, **environment)
    assert (tmp_path / "flag").exists()
    assert hashes(tmp_path / "corpus") == hashes(good)
