"""A composed Beam pipeline with dump, corpus and output in a bucket."""

from pathlib import Path

import pytest
from building import TOKENIZER, built
from local_s3 import S3
from tiny_wiki import tiny_dump, tiny_props

from wikiprep.files import Store

beam = pytest.importorskip("apache_beam", reason="apache-beam is not installed: pip install '.[beam]'")

from wikiprep.pipelines.transforms import (  # noqa: E402 - not where Beam is missing
    BuildRecords,
    ExtractArticles,
    ReadPages,
    ResolveLinks,
    WriteArrow,
)


def test_all_of_it_in_a_bucket(s3: S3, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "disk"))
    dump, corpus = tiny_dump(tmp_path), tmp_path / "corpus"
    built(corpus, dump, "--page-props", tiny_props(tmp_path), "--range-mb", "0.002", "--tokenizer", TOKENIZER, "-q")
    bucket = Store(s3.url, str(tmp_path / "scratch"))
    for path in [*corpus.rglob("*"), dump]:
        if path.is_file() and "records" not in path.parts:
            bucket.write(path.relative_to(tmp_path).as_posix(), path.read_bytes())
    reading = ReadPages(f"{s3.url}/{dump.name}", range_mb=0.002)
    there = f"{s3.url}/corpus"
    with beam.Pipeline("FnApiRunner") as p:
        articles = p | reading | ExtractArticles(reading.site, corpus=there)
        articles | ResolveLinks(there) | BuildRecords(there) | WriteArrow(f"{s3.url}/out")
    written = [f"records/part-0000{part}-of-00003.arrow" for part in range(3)]
    out = Store(f"{s3.url}/out", str(tmp_path / "scratch"))
    assert out.list() == written
    assert [out.read(path) for path in written] == [(corpus / path).read_bytes() for path in written]
