"""A store that fails, is slow, or refuses the credentials: what fails for a moment is not noticed, what fails for good
is told in a line, and nothing half-written has a final name."""

import re
from pathlib import Path

import pytest
from building import wikiprep
from local_s3 import S3
from tiny_wiki import tiny_dump

from wikiprep.errors import WikiprepError
from wikiprep.sample import tokenizer_path

BIG = 12_000_000  # bytes: two parts of an upload


def test_requests_that_fail_now_and_then_are_repeated(s3: S3, tmp_path: Path) -> None:
    s3.faults(("partNumber=1", 1, 503), ("partNumber=2", 2, 503), ("?uploads", 1, 503), ("HEAD", 1, 503))
    store = s3.store(tmp_path)
    store.write("a", b"x" * BIG)
    assert store.size("a") == BIG
    assert store.fetch("a").read_bytes() == b"x" * BIG
    assert s3.met() == 5


def test_a_slow_store_is_waited_for(s3: S3, tmp_path: Path) -> None:
    store = s3.store(tmp_path)
    s3.faults(("partNumber=1", 1, "slow"), ("GET", 1, "slow"))
    store.write("a", b"x" * BIG)
    assert store.read("a") == b"x" * BIG
    assert s3.met() == 2


@pytest.mark.parametrize("step", ["?uploads", "partNumber=2", "POST"])
def test_an_upload_that_fails_for_good_leaves_nothing(step: str, s3: S3, tmp_path: Path) -> None:
    store = s3.store(tmp_path / "scratch")
    s3.faults((step, 99, 403))
    with pytest.raises(WikiprepError) as caught:
        store.write("articles/part.parquet", b"x" * BIG)
    assert "articles/part.parquet" in caught.value.what
    assert "\n" not in caught.value.what
    s3.faults()
    assert store.list() == []
    assert not [path for path in (tmp_path / "scratch").rglob("*") if path.is_file()]
    store.write("articles/part.parquet", b"y" * BIG)
    assert store.read("articles/part.parquet") == b"y" * BIG


def test_an_older_file_stays_whole_where_its_successor_fails(s3: S3, tmp_path: Path) -> None:
    store = s3.store(tmp_path)
    store.write("card", b"old" * 10)
    s3.faults(("partNumber=2", 99, 403))
    with pytest.raises(WikiprepError):
        store.write("card", b"x" * BIG)
    s3.faults()
    assert store.read("card") == b"old" * 10


def test_wrong_credentials_are_a_line_with_a_way_out(s3: S3, tmp_path: Path) -> None:
    s3.faults(("/out", 999, 403))
    words = ("build-corpus", tiny_dump(tmp_path), "--tokenizer", tokenizer_path(), "--quiet", "--output")
    done = wikiprep(*words, f"{s3.url}/out")
    assert done.returncode == 1, done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(f"wikiprep: {s3.url}/out")
    assert re.search("credentials", lines[1])
    s3.faults()
    assert s3.store(tmp_path).list() == []


def test_a_build_through_faults_is_verified(s3: S3, tmp_path: Path) -> None:
    s3.faults(("PUT", 3, 503), ("POST", 1, 503), ("GET", 2, 503), ("HEAD", 1, 503), ("extract", 1, "slow"))
    words = ("build-corpus", tiny_dump(tmp_path), "--tokenizer", tokenizer_path(), "--quiet", "--output")
    done = wikiprep(*words, f"{s3.url}/out")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert s3.met() == 8
    assert wikiprep("verify", f"{s3.url}/out").returncode == 0
