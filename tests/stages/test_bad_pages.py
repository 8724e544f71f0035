"""A page that hangs, crashes or eats memory costs itself and nothing else, through the whole command."""

import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from building import DATA, TOKENIZER, built, hashes, wikiprep

DUMP = DATA / "genre56.xml"
ARGUMENTS = (DUMP, "--tokenizer", TOKENIZER, "--page-timeout", "1.5", "--page-memory", "400", "--range-mb", "0.004")

# Python runs a `sitecustomize` at start, in the build's processes too: there a page is made bad that the real extractor
# would not stumble over (no real page is known that does).
PATCH = """
import importlib.abc, importlib.util, os, sys, time

class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != "wikiprep.stages.kinds":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        load = spec.loader.exec_module
        def exec_module(module):
            load(module)
            extract = module.extract
            def bad(text, title, site, **options):
                if title == {title!r}:
                    {deed}
                return extract(text, title, site, **options)
            module.extract = bad
        spec.loader.exec_module = exec_module
        return spec

sys.meta_path.insert(0, Finder())
"""
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


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("good") / "corpus"
    built(output, *ARGUMENTS)
    return output


def patched(folder: Path, title: str, deed: str) -> dict[str, str]:
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(PATCH.format(title=title, deed=deed))
    return {"PYTHONPATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH", "")]))}


@pytest.mark.parametrize("reason", list(DEEDS))
def test_a_bad_page_is_a_reject_and_nothing_else_is_lost(tmp_path: Path, good: Path, reason: str) -> None:
    victim = titles(good / "articles")[3]
    environment = patched(tmp_path / "patch", victim, DEEDS[reason])
    manifest = built(tmp_path / "corpus", *ARGUMENTS, **environment)
    assert manifest["counts"]["extract"][f"rejects.{reason}"] == 1
    assert manifest["counts"]["extract"]["pages.reject"] == 1
    assert [page[1:3] for page in manifest["facts"]["extract"]["lost_pages"]] == [[victim, reason]]
    assert titles(tmp_path / "corpus" / "articles") == [t for t in titles(good / "articles") if t != victim]
    assert titles(tmp_path / "corpus" / "rejects", "reason").count(reason) == 1
    assert wikiprep("verify", tmp_path / "corpus").returncode == 0


def test_a_page_that_dies_once_is_not_lost(tmp_path: Path, good: Path) -> None:
    victim = titles(good / "articles")[3]
    environment = patched(tmp_path / "patch", victim, ONCE) | {"FLAG": str(tmp_path / "flag")}
    built(tmp_path / "corpus", *ARGUMENTS, **environment)
    assert (tmp_path / "flag").exists()
    assert hashes(tmp_path / "corpus") == hashes(good)
