"""The same pages in every layout: what the plan says of each (apache/beam#19373: one gzip file is work for one)."""

import bz2
import gzip
import random
from pathlib import Path

import pytest
from building import wikiprep
from inline import job_of, xml_page
from tiny_wiki import tiny_dump

from wikiprep.runtime.preflight import division_in_words
from wikiprep.units.job import Job

RANGE = {"input": {"range_mb": 0.01}}


def layout(name: str, folder: Path) -> list[Path]:
    """The files of a layout of a dump of 200 KB that does not pack well."""
    rng = random.Random(7)
    data = tiny_dump(folder).read_bytes()
    noise = b"".join(xml_page(9000 + i, f"Noise {i}", rng.randbytes(1000).hex()).encode() for i in range(100))
    data = data.replace(b"</mediawiki>", noise + b"</mediawiki>")
    start, middle = data.index(b"<page>"), data.index(b"<page>", len(data) // 2)
    head, end = data[:start], b"</mediawiki>\n"
    halves = (data[start:middle], data[middle : data.index(b"</mediawiki>")])
    files = {
        "gz": {"d.xml.gz": gzip.compress(data)},
        "bz2": {"d.xml.bz2": bz2.compress(data)},
        "multistream": {"d.xml.bz2": b"".join(map(bz2.compress, (head, *halves, end)))},
        "parts": {f"d{i}.xml.gz": gzip.compress(head + half + end) for i, half in enumerate(halves)},
    }
    for file, content in files[name].items():
        (folder / file).write_bytes(content)
    return [folder / file for file in files[name]]


@pytest.mark.parametrize(
    ("name", "units", "advice"),
    [("gz", 1, "gz cannot be divided"), ("bz2", 0, ""), ("multistream", 0, ""), ("parts", 2, "gz cannot be divided")],
)
def test_every_layout_is_told_with_its_units(name: str, units: int, advice: str, tmp_path: Path) -> None:
    paths = layout(name, tmp_path)
    job = job_of(tmp_path / "out", paths[0], sections=RANGE)
    first, *more = division_in_words(Job(output=job.output, config=job.config, dumps=tuple(map(str, paths))))
    count = units or -(-paths[0].stat().st_size // 10_000)  # bz2: a unit a range
    assert count != 1 or name == "gz"
    assert f"is read in {count} unit" in first
    assert bool(more) == bool(advice)
    assert advice in "".join(more)


def test_one_range_is_advised_to_be_cut_where_there_is_work_for_more(tmp_path: Path) -> None:
    dump = tiny_dump(tmp_path)
    assert len(division_in_words(job_of(tmp_path / "out", dump))) == 1
    with dump.open("ab") as file:
        file.write(b" " * 4_000_000)
    _, advice = division_in_words(job_of(tmp_path / "out", dump))
    assert "--range-mb under 4" in advice


def test_the_command_says_it_before_the_work(tmp_path: Path) -> None:
    (path,) = layout("gz", tmp_path)
    done = wikiprep("extract", path, "-o", tmp_path / "out")
    assert done.stderr.index("gz cannot be divided") < done.stderr.index("extract ("), done.stderr
