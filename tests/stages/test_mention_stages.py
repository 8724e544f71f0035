"""The stages of --mentions in a build: optional, added later, the same bytes by any number of workers."""

from pathlib import Path

import orjson
import pytest
from building import DATA, built, hashes, wikiprep
from inline import build, job_of, rows, run_stages, write_dump, xml_page

from wikiprep.checks import check_corpus
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import read_manifest
from wikiprep.stages.mention_links import MentionLinks
from wikiprep.stages.mention_names import MentionNames
from wikiprep.stages.mention_texts import MentionTexts
from wikiprep.stages.mentions import Mentions
from wikiprep.stages.name_table import NameTables
from wikiprep.tables.mentions.mention_table import MentionTable
from wikiprep.units.stage import Commit
from wikiprep.units.unit import Result

SMALL_UNITS = ("--sample", "--range-mb", "0.05")
WITH = {"mentions": {"mentions": True}}


def test_one_and_two_workers_give_the_same_bytes(tmp_path: Path) -> None:
    for workers in (1, 2):
        options = ("--mentions", "--workers", workers)
        built(tmp_path / str(workers), *SMALL_UNITS, *options, PYTHONHASHSEED=str(workers))
    assert hashes(tmp_path / "1") == hashes(tmp_path / "2")
    assert "tables/mentions/by_name.arrow" in hashes(tmp_path / "1")


def test_mentions_are_added_to_a_finished_corpus_which_stays_as_it_is(tmp_path: Path) -> None:
    built(tmp_path, "--sample")
    before, records = hashes(tmp_path), sorted((tmp_path / "records").iterdir())
    times = [path.stat().st_mtime_ns for path in records]
    assert not (tmp_path / "tables" / "mentions.parquet").exists()
    manifest = built(tmp_path, "--sample", "--mentions")
    assert [path.stat().st_mtime_ns for path in records] == times
    after = hashes(tmp_path)
    added = {"tables/mentions.parquet", *(f"tables/mentions/{name}" for name in (
        "by_name.arrow", "candidates.arrow", "folded.arrow", "missing.marisa", "names.hashes.arrow", "names.marisa",
    ))}  # fmt: skip
    assert after.keys() - before.keys() == added
    assert {path for path in before if before[path] != after[path]} == {"README.md", "config.toml", "manifest.json"}
    assert added <= {file["path"] for file in manifest["files"]}
    done = wikiprep("verify", tmp_path)
    assert done.returncode == 0, done.stdout


def test_what_a_build_with_mentions_left_half_made_goes_with_a_build_without(tmp_path: Path) -> None:
    built(tmp_path, "--sample", "--mentions")
    (tmp_path / "manifest.json").unlink()  # as if it had been killed before the end
    built(tmp_path, "--sample")
    assert not (tmp_path / "tables" / "mentions.parquet").exists()
    assert wikiprep("verify", tmp_path).returncode == 0
    built(tmp_path, "--sample", "--mentions")
    assert MentionTable.open(tmp_path).counts("Jupiter") is not None


def test_the_command_tables_makes_them_too(tmp_path: Path) -> None:
    done = wikiprep("tables", "--sample", "--mentions", "--output", tmp_path)
    assert done.returncode == 0, done.stderr
    assert MentionTable.open(tmp_path).counts("Jupiter") is not None
    assert not (tmp_path / "records").exists()
    assert "names and their targets" in done.stdout
    manifest = orjson.loads((tmp_path / "manifest.json").read_bytes())
    names = {equation["name"] for equation in manifest["equations"]}
    assert names >= {"links under their names", "titles as names", "names", "occurrences of names"}


def test_a_dump_whose_links_all_lead_out_of_it_is_said(tmp_path: Path) -> None:
    text = "This is a page with some words of text and a link to [[Elsewhere]] in it."
    dump = write_dump(tmp_path / "d.xml", xml_page(1, "A", text), xml_page(2, "B", text))
    (tmp_path / "list").write_text("A\n")
    sections = WITH | {"vocabulary": {"white_list": str(tmp_path / "list")}}
    with pytest.raises(WikiprepError, match="none of 2 links can be counted under its name") as caught:
        build(tmp_path / "out", dump, sections=sections, until="tables")
    assert "--vocab-targets linked" in str(caught.value)
    build(tmp_path / "out", dump, sections=WITH | {"vocabulary": {"vocab_targets": "linked"}}, until="tables")
    (row,) = [r for r in rows(tmp_path / "out", "tables/mentions.parquet") if r["link_count"]]
    assert (row["name"], row["target"], row["page_id"], row["link_count"]) == ("Elsewhere", "Elsewhere", None, 2)


def test_text_without_any_link_has_titles_as_names(tmp_path: Path) -> None:
    text = "Words about the town of Oslo and about nothing that is linked at all."
    dump = write_dump(tmp_path / "d.xml", xml_page(1, "Oslo", text), xml_page(2, "Town", text))
    build(tmp_path / "out", dump, sections=WITH, until="tables")
    found = [(r["name"], r["link_count"], r["text_count"]) for r in rows(tmp_path / "out", "tables/mentions.parquet")]
    assert found == [("Oslo", 0, 2), ("Town", 0, 0)]
    store = Store(str(tmp_path / "out"))
    assert list(check_corpus(store, read_manifest(store))) == []


# Sums that do not close stop the build.

LINKS = {"mentions.links.read": 3, "mentions.links.counted": 2, "mentions.links.dropped.from_disambiguation": 1}


def test_links_that_were_lost_stop_each_stage(tmp_path: Path) -> None:
    job = job_of(tmp_path, DATA / "genre56.xml", sections=WITH)
    kept, links = Commit((), {"links.kept": 4}), Commit((), LINKS)
    with pytest.raises(WikiprepError, match="3 links, but an earlier stage counted 4"):
        MentionLinks().commit(job, [Result("a", counts=LINKS)], {"extract": kept})
    names = {"mentions.names": 1, "mentions.names.linked": 1, "mentions.rows": 1, "mentions.rows.linked": 1}
    with pytest.raises(WikiprepError, match="1 links in rows of names, but an earlier stage counted 2"):
        MentionNames().commit(job, [Result("a", counts=names | {"mentions.rows.links": 1})], {"mention_links": links})
    with pytest.raises(WikiprepError, match="no page title and no link gave a name"):
        none = {"mentions.rows.links": 0, "mentions.names": 0}
        empty = {"mention_links": Commit((), {"mentions.links.counted": 0})}
        MentionNames().commit(job, [Result("a", counts=none)], empty)
    with pytest.raises(WikiprepError, match="5 names, but an earlier stage counted 1"):
        numbered = [Result("a", counts={"also.mentions.names.numbered": 5})]
        NameTables().commit(job, numbered, {"mention_names": Commit((), names)})
    with pytest.raises(WikiprepError, match="1 links in text, but an earlier stage counted 2"):
        spans = {"mentions.spans.read": 1, "mentions.spans.named": 1}
        MentionTexts().commit(job, [Result("a", counts=spans)], {"mention_links": links})
    table = {"mentions.rows.links": 2, "mentions.names.occurrences": 6}
    earlier = {
        "mention_names": Commit((), {"mentions.rows.links": 2}),
        "mention_texts": Commit((), {"mentions.occurrences": 7}),
    }
    with pytest.raises(WikiprepError, match="6 occurrences in the table, but an earlier stage counted 7"):
        Mentions().commit(job, [Result("a", counts=table)], earlier)


def test_finished_units_are_not_done_again(tmp_path: Path) -> None:
    job = job_of(tmp_path, DATA / "genre56.xml", sections=WITH, until="tables")
    first = run_stages(job)
    files = sorted(path for path in tmp_path.rglob("*") if "mention" in path.as_posix() and path.suffix == ".arrow")
    times = [path.stat().st_mtime_ns for path in files]
    assert files
    assert run_stages(job)["mentions"] == first["mentions"]
    assert [path.stat().st_mtime_ns for path in files] == times
