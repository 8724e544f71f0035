"""Builds of dumps that are not whole, not as their checksums say, or known to be damaged."""

import bz2
import hashlib
import re

import orjson
import pytest
from building import TOKENIZER, hashes, manifest, wikiprep
from exports import export, put, sums
from inline import build, job_of, xml_page

from wikiprep.errors import WikiprepError
from wikiprep.runtime.preflight import division_in_words

TEXT = "The [[Sun]] is a star, and the [[Moon]] is none of them. The [[Sun]] is far away from here."
TITLES = ["Sun", "Moon", "Earth", "Mars", "Venus", "Io"]
NAMES = [f"enwiki-2026-11-01-p{i}p{i + 1}.xml.bz2" for i in (1, 3, 5)]


@pytest.fixture
def folder(tmp_path):
    pages = [xml_page(i, title, TEXT) for i, title in enumerate(TITLES, 1)]
    for name, at in zip(NAMES, (0, 2, 4), strict=True):
        put(tmp_path / "dump", name, export(pages[at : at + 2]))
    sums(tmp_path / "dump")
    return tmp_path / "dump"


def test_a_part_that_sha256sums_names_is_missed(folder, tmp_path):
    (folder / NAMES[1]).unlink()
    with pytest.raises(
        WikiprepError, match=rf"1 part of the dump is absent: {NAMES[1]} \(named in .*SHA256SUMS"
    ) as error:
        build(tmp_path / "out", folder)
    assert "--allow-missing-parts" in error.value.hint
    assert "fetch what is absent" in error.value.hint
    assert not (tmp_path / "out").exists()
    commits = build(tmp_path / "out", folder, sections={"input": {"allow_missing_parts": True}})
    made = manifest(tmp_path / "out")
    assert made["inputs"]["missing_parts"] == [NAMES[1]]
    assert any(NAMES[1] in line for line in made["warnings"])
    assert NAMES[1] in (tmp_path / "out" / "README.md").read_text()
    assert commits["extract"].counts["pages.read"] == 4


def test_a_part_beside_the_given_ones_is_named_as_that(folder, tmp_path):
    with pytest.raises(WikiprepError, match="2 parts of the dump are absent") as error:
        build(tmp_path / "out", folder / NAMES[0])
    assert f"give the whole folder, {folder}/: {NAMES[1]} lies there" in error.value.hint


def test_a_hole_in_the_numbers_is_refused(tmp_path):
    for number, first in ((1, 1), (3, 5)):
        name = f"enwiki-20261101-pages-articles{number}.xml-p{first}p{first + 1}.bz2"
        put(tmp_path / "d", name, export([xml_page(first, TITLES[first], TEXT)], generator="MediaWiki 1.46"))
    with pytest.raises(WikiprepError, match="pages 3 to 4"):
        build(tmp_path / "out", tmp_path / "d")


def test_leave_to_miss_parts_touches_no_stage_and_changes_no_page(folder, tmp_path):
    for name, leave in (("one", False), ("two", True)):
        build(tmp_path / name, folder, sections={"input": {"allow_missing_parts": leave}})
    one, two = manifest(tmp_path / "one"), manifest(tmp_path / "two")
    assert one["fingerprints"] == two["fingerprints"]
    assert one["counts"] == two["counts"]
    assert not one["warnings"] + two["warnings"]


@pytest.mark.parametrize(
    ("name", "algorithm"),
    [("SHA256SUMS", "sha256"), ("enwiki-20261101-sha1sums.txt", "sha1"), ("enwiki-20261101-md5sums.txt", "md5")],
)
def test_a_file_unlike_its_checksum_is_refused(tmp_path, name, algorithm):
    dump = "enwiki-20261101-pages-articles.xml.bz2"
    pages = [xml_page(i, title, TEXT) for i, title in enumerate(TITLES, 1)]
    put(tmp_path / "d", dump, export(pages, generator="MediaWiki 1.46"))
    right = sums(tmp_path / "d", name, algorithm).read_text().split()[0]
    build(tmp_path / "right", tmp_path / "d")
    path = put(tmp_path / "d", dump, export(pages[:5], generator="MediaWiki 1.46"))
    found = hashlib.new(algorithm, path.read_bytes()).hexdigest()
    with pytest.raises(WikiprepError, match=f"{algorithm} is {found}, .*{name} says {right}") as error:
        build(tmp_path / "out", tmp_path / "d")
    assert str(path) in error.value.what
    assert "--no-checksums" in error.value.hint
    done = wikiprep("extract", path, "-o", tmp_path / "out", "--no-checksums", "-q")
    assert done.returncode == 0, done.stderr
    said = manifest(tmp_path / "out")["warnings"]
    assert [bool(re.search(right, line)) for line in said] == ([True] if algorithm == "sha256" else [])


def test_what_was_hashed_is_not_hashed_again(folder, tmp_path):
    words = ("extract", folder, "-o", tmp_path / "out", "-q")
    assert wikiprep(*words).returncode == 0
    receipts = sorted((tmp_path / "out/_state/inputs/units").iterdir())
    before = [(it.stat().st_mtime_ns, it.read_bytes()) for it in receipts]
    assert wikiprep(*words).returncode == 0
    assert [(it.stat().st_mtime_ns, it.read_bytes()) for it in receipts] == before


def test_progress_tells_what_is_known_before_the_work(folder, tmp_path):
    def lines(*dumps):
        return division_in_words(job_of(tmp_path / "o", *dumps, sections={"input": {"allow_missing_parts": True}}))

    assert not [line for line in lines(folder) if "warning" in line or "SHA256SUMS" in line]
    (folder / NAMES[2]).unlink()
    assert any(line.startswith("warning: 1 part of the dump is absent") for line in lines(folder))
    (folder / "SHA256SUMS").write_text("0" * 64 + "  enwiki-2026-10-01-p1p2.xml.bz2\n")
    assert any("names none of the dump's files" in line for line in lines(folder))
    (folder / "SHA256SUMS").unlink()
    assert any("fetch SHA256SUMS" in line for line in lines(folder))


def test_known_damage_is_in_manifest_and_card(tmp_path):
    for first in (1, 3):
        pages = [xml_page(i, TITLES[i - 1], TEXT) for i in (first, first + 1)]
        put(tmp_path / "d", f"enwiki-2025-10-01-p{first}p{first + 1}.xml.bz2", export(pages))
    build(tmp_path / "out", tmp_path / "d")
    made = manifest(tmp_path / "out")
    for place in (
        made["warnings"],
        made["inputs"]["known_damage"],
        (tmp_path / "out/README.md").read_text().split("\n"),
    ):
        lost = [line for line in place if "lost every |" in line]
        assert len(lost) == 1
        assert "enwiki-2025-10-01-p1p2.xml.bz2 and 1 more of its files" in lost[0]


def test_a_real_wiki_cut_into_parts_gives_the_same_corpus(shared_data, tmp_path):
    whole = bz2.decompress((shared_data / "dumps/ltgwiki-whole-2004pages.xml.bz2").read_bytes()).decode()
    head, body = whole[: whole.index("  <page>")], whole[whole.index("  <page>") : whole.rindex("</mediawiki>")]
    pages = re.findall(r"  <page>.*?</page>\n", body, re.S)
    ids = [int(re.search(r"<id>(\d+)</id>", page)[1]) for page in pages]
    for at in range(0, len(pages), 700):
        some = ids[at : at + 700]
        data = bz2.compress((head + "".join(pages[at : at + 700]) + "</mediawiki>\n").encode())
        put(tmp_path / "d", f"ltgwiki-2026-11-01-p{some[0]}p{some[-1]}.xml.bz2", data)
    sums(tmp_path / "d")
    (tmp_path / "one").mkdir()
    one = put(tmp_path / "one", "ltgwiki-20261101-pages-articles.xml.bz2", bz2.compress(whole.encode()))
    for name, dump in (("parts", tmp_path / "d"), ("whole", one)):
        done = wikiprep("build-corpus", dump, "-o", tmp_path / name, "--tokenizer", TOKENIZER, "-q", "--workers", 2)
        assert done.returncode == 0, done.stderr
    parts, single = manifest(tmp_path / "parts"), manifest(tmp_path / "whole")
    assert parts["counts"]["records"] == single["counts"]["records"]
    same = ("tables/pages.parquet", "tables/entity_vocab.parquet", "tables/redirects.parquet")
    assert [hashes(tmp_path / "parts")[it] for it in same] == [hashes(tmp_path / "whole")[it] for it in same]
    for made in (parts, single):
        (red,) = made["warnings"]
        assert "a small wiki has many" in red
        assert "part of a dump" not in red
    second = sorted((tmp_path / "d").glob("*.bz2"))[1]
    kept = second.read_bytes()
    second.unlink()
    done = wikiprep("tables", tmp_path / "d", "-o", tmp_path / "gap", "-q")
    assert (done.returncode, second.name in done.stderr) == (1, True)
    done = wikiprep("tables", tmp_path / "d", "-o", tmp_path / "gap", "-q", "--allow-missing-parts")
    assert done.returncode == 0, done.stderr
    assert any("parts of it are absent" in line for line in manifest(tmp_path / "gap")["warnings"])
    second.write_bytes(kept[:-1000] + bytes(1000))
    done = wikiprep("tables", tmp_path / "d", "-o", tmp_path / "bad", "-q")
    assert done.returncode == 1
    assert second.name in done.stderr
    assert orjson.loads((tmp_path / "gap/manifest.json").read_bytes())["inputs"]["missing_parts"] == [second.name]
