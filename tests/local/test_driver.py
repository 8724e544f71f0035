"""The local driver in this process: what it says, what it leaves alone, what it does again."""

import shutil
from pathlib import Path
from typing import Any

import orjson
import pytest
from building import DATA, hashes
from inline import job_of

from wikiprep.config import RunOptions, Sections
from wikiprep.errors import UsageError
from wikiprep.local.driver import build
from wikiprep.runtime.reconcile import Policy

DUMP = DATA / "genre56.xml"


def run(output: Path, policy: Policy = Policy.REFUSE, quiet: bool = False, **parameters: Any) -> None:
    build(job_of(output, DUMP, **parameters), RunOptions(workers=1, quiet=quiet), policy)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("driver") / "corpus"
    run(output, quiet=True)
    return output


def times(output: Path) -> dict[str, int]:
    return {p.relative_to(output).as_posix(): p.stat().st_mtime_ns for p in output.rglob("*") if p.is_file()}


def test_a_complete_build_is_left_as_it_is(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = times(corpus)
    run(corpus)
    after = times(corpus)
    changed = {path for path in before if before[path] != after[path]}
    assert not {path for path in changed if not path.startswith("_state/")} - {"run.json"}
    assert "was complete already" in capsys.readouterr().out
    runs = orjson.loads((corpus / "run.json").read_bytes())["runs"]
    assert len(runs) >= 2
    assert all(run["runner"] == "local" and run["options"]["workers"] == 1 for run in runs)


def test_the_summary_says_what_was_made_dropped_and_what_is_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    run(tmp_path / "out")
    said = capsys.readouterr().out
    assert f"{tmp_path / 'out'}: built" in said
    for words in (
        "pages", "25", "article 10, redirect 8, other namespace 4, disambiguation 3",
        "links of the wikitext", "kept 35", "records", "written 10",
        f"Next: wikiprep verify {tmp_path / 'out'}",
    ):  # fmt: skip
        assert words in said
    sections: Sections = {"vocabulary": {"min_count": 2}}
    with pytest.raises(UsageError, match="min_count: 1 before, 2 now"):
        run(tmp_path / "out", sections=sections)
    before = times(tmp_path / "out")
    run(tmp_path / "out", Policy.UPDATE, sections=sections)
    after = times(tmp_path / "out")
    redone = {path.split("/")[0] for path in before if before[path] != after.get(path)} - {"_state", "run.json"}
    assert redone == {"tables", "tokenizer", "records", "manifest.json", "README.md", "config.toml"}
    for path in ("tables/pages.parquet", "tables/titles.marisa", "tokenizer/tokenizer.json"):
        assert before[path] == after[path]


def test_an_early_end_says_how_to_go_on_and_goes_on(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path / "out", until="extract")
    said = " ".join(capsys.readouterr().out.split())
    assert "Next: wikiprep build-corpus" in said
    assert "--tokenizer" in said
    before = times(tmp_path / "out")
    run(tmp_path / "out", quiet=True)
    assert capsys.readouterr().out == ""
    assert hashes(tmp_path / "out") == hashes(corpus)
    after = times(tmp_path / "out")
    assert all(before[path] == after[path] for path in before if path.startswith("articles/"))


def test_a_lost_file_is_made_again(corpus: Path) -> None:
    good = hashes(corpus)
    (corpus / "records" / "part-00000-of-00001.arrow").unlink()
    (corpus / "tables" / "titles.marisa").unlink()
    run(corpus, quiet=True)
    assert hashes(corpus) == good


def test_overwrite_begins_anew(tmp_path: Path) -> None:
    run(tmp_path / "out", quiet=True, until="extract")
    run(tmp_path / "out", Policy.OVERWRITE, quiet=True, until="pages", sections={"extract": {"captions": True}})
    assert b"captions = true" in (tmp_path / "out" / "config.toml").read_bytes()


def test_a_unit_whose_file_is_not_its_own_is_done_again_where_it_is_read(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "corpus"
    shutil.copytree(corpus, output)
    before = hashes(output)
    run(output, quiet=True)  # elsewhere now, and complete
    (article,), (counts,) = ((output / path).iterdir() for path in ("articles", "_state/links/counts"))
    for path in (article, counts):
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    (output / "tables" / "entity_vocab.parquet").unlink()  # made of the counts, which are made of the articles
    capsys.readouterr()
    run(output)
    said = capsys.readouterr()
    for path in (article, counts):
        assert f"{path.relative_to(output)}: is not what its receipt says" in said.err
    assert "mended" in said.out and hashes(output) == before
    # What nobody reads stays as it is: a complete build costs no sums. `verify` finds it.
    article.write_bytes(article.read_bytes()[:-1] + b"!")
    run(output)
    assert "was complete already" in " ".join(capsys.readouterr().out.split())
