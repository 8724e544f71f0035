"""Every page comes from exactly one range, whatever the grid, the compression and the number of streams."""

import bz2
import gzip
import lzma
import pickle
from itertools import pairwise
from pathlib import Path

import pytest
import zstandard
from dumps import dump, ids, multistream, page, read, words
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.pages import Page, RangeReader
from wikiprep.dump.ranges import Range, plan_ranges

PAGES = [page(i, f"Title {i}", words(i, 40 + 700 * (i % 7 == 0))) for i in range(1, 121)]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("dumps")
    whole = dump(PAGES)
    contents = {
        "one.xml.bz2": bz2.compress(whole, 1),  # blocks of 100 KB: several in a small file
        "two.xml.bz2": bz2.compress(whole[:70_001], 1) + bz2.compress(whole[70_001:], 9),
        "multi.xml.bz2": multistream(PAGES, 7),
        "plain.xml": whole,
    }
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    return {name: folder / name for name in contents}


@pytest.fixture(scope="module")
def expected(files: dict[str, Path]) -> list[Page]:
    return [p for p in read(files["plain.xml"]) if isinstance(p, Page)]


@pytest.mark.parametrize("name", ["one.xml.bz2", "two.xml.bz2", "multi.xml.bz2", "plain.xml"])
@given(step=st.one_of(st.integers(1024, 9000), st.integers(9000, 400_000)))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_page_is_in_exactly_one_range(files, expected, name, step):
    assert read(files[name], step) == expected


@given(cuts=st.lists(st.integers(1, 150_000), min_size=1, max_size=6))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("name", ["one.xml.bz2", "plain.xml"])
def test_a_grid_with_cuts_anywhere_gives_the_same(files, expected, name, cuts):
    part = find_parts([str(files[name])])[0]
    edges = sorted({0, part.size, *(c for c in cuts if c < part.size)})
    ranges = [Range(part.path, part.compression, a, b, part.size) for a, b in pairwise(edges)]
    assert [p for r in ranges for p in RangeReader(r, part.siteinfo)] == expected


def test_each_byte_of_a_tag_may_be_the_edge(tmp_path, expected, files):
    whole = files["plain.xml"].read_bytes()
    part = find_parts([str(files["plain.xml"])])[0]
    start = whole.index(b"<page>", 5000)
    close = whole.index(b"</mediawiki>")
    for edge in [*range(start - 2, start + 9), *range(close - 2, len(whole))]:
        ranges = [Range(part.path, "plain", 0, edge, part.size), Range(part.path, "plain", edge, part.size, part.size)]
        assert [p for r in ranges for p in RangeReader(r, part.siteinfo)] == expected


def test_one_stream_is_shared_by_its_blocks(files):
    part = find_parts([str(files["one.xml.bz2"])])[0]
    ranges = plan_ranges([part], part.size // 3)
    assert len([r for r in ranges if list(RangeReader(r, part.siteinfo))]) >= 2


def test_unsplittable_files_are_one_range_and_read_alike(tmp_path, files, expected):
    whole = files["plain.xml"].read_bytes()
    compressor = zstandard.ZstdCompressor()
    half = len(whole) // 2
    for name, data in {
        "a.xml.gz": gzip.compress(whole),
        "a2.xml.gz": gzip.compress(whole[:half]) + gzip.compress(whole[half:]),
        "a.xml.xz": lzma.compress(whole),
        "a.xml.zst": compressor.compress(whole),
        "a2.xml.zst": compressor.compress(whole[:half]) + compressor.compress(whole[half:]),
        "u.xml": whole.decode().encode("utf-16"),
        "u.xml.bz2": bz2.compress(whole.decode().encode("utf-16")),
        "b.xml": b"\xef\xbb\xbf" + whole,
    }.items():
        (tmp_path / name).write_bytes(data)
        part = find_parts([str(tmp_path / name)])[0]
        assert part.splittable == (name == "b.xml")
        assert len(plan_ranges([part], 5000)) == 1 or part.splittable
        assert read(tmp_path / name, 5000) == expected, name


def test_a_name_may_lie_about_the_compression(tmp_path, files, expected):
    (tmp_path / "x.xml.gz").write_bytes(files["one.xml.bz2"].read_bytes())
    assert read(tmp_path / "x.xml.gz") == expected


def test_progress_ends_at_the_size_of_the_range(files):
    part = find_parts([str(files["multi.xml.bz2"])])[0]
    for range_ in plan_ranges([part], 9000):
        reader = RangeReader(pickle.loads(pickle.dumps(range_)), pickle.loads(pickle.dumps(part.siteinfo)))
        pages = list(reader)
        assert reader.bytes_read == range_.end - range_.start
        assert reader.xml_bytes == sum(p.xml_bytes for p in pages if isinstance(p, Page))


def test_real_dumps_give_the_same_whatever_the_grid(shared_data):
    for name in ("ltgwiki-whole-2004pages.xml.bz2", "enwiktionary-20150224-300pages-multistream.xml.bz2"):
        whole = read(shared_data / "dumps" / name)
        assert read(shared_data / "dumps" / name, 30_000) == whole
        assert len(ids(whole)) == int(name.split("pages")[0].split("-")[-1])
