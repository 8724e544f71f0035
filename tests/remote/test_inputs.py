"""Everything that a build reads may lie in a bucket: tables, lists, a tokenizer, annotated text and its vocabulary."""

import json
from pathlib import Path

import pytest
from building import TOKENIZER, hashes, wikiprep
from local_s3 import S3
from tiny_wiki import tiny_dump, tiny_props

from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.errors import WikiprepError
from wikiprep.files import Store

TEXT = {"title": "Oslo", "text": "Oslo is in Norway.", "links": [{"target": "Norway", "start": 11, "end": 17}]}


def put(s3: S3, path: Path, folder: str = "in") -> str:
    """Copy a file into the bucket; returns its address."""
    Store(f"{s3.url}/{folder}").write(path.name, path.read_bytes())
    return f"{s3.url}/{folder}/{path.name}"


def test_what_is_read_from_a_bucket_makes_the_same_bytes(s3: S3, tmp_path: Path) -> None:
    titles = tmp_path / "titles.txt"
    titles.write_text("Norway\nOslo\n")
    dump, props = tiny_dump(tmp_path), tiny_props(tmp_path)
    words = ("build-corpus", "--quiet", "--min-count", "2", "--output")
    names = ("--page-props", "--white-list", "--tokenizer")
    local = [word for pair in zip(names, (props, titles, TOKENIZER), strict=True) for word in pair]
    here = wikiprep(*words, tmp_path / "here", dump, *local)
    assert here.returncode == 0, here.stderr
    for path in TOKENIZER.iterdir():
        put(s3, path, "tokenizer")
    there = (put(s3, props), put(s3, titles), f"{s3.url}/tokenizer")
    remote = [word for pair in zip(names, there, strict=True) for word in pair]
    done = wikiprep(*words, tmp_path / "there", put(s3, dump), *remote)
    assert done.returncode == 0, done.stderr
    assert hashes(tmp_path / "there") == hashes(tmp_path / "here")
    Store(f"{s3.url}/in").write("titles.txt", b"Oslo\n")  # what a list holds counts, not where it lies
    again = wikiprep(*words, tmp_path / "there", f"{s3.url}/in/{dump.name}", *remote)
    assert again.returncode != 0
    assert "white_list" in again.stderr


def test_annotated_text_and_its_vocabulary(s3: S3, tmp_path: Path) -> None:
    text, vocab = tmp_path / "text.jsonl", tmp_path / "vocab.tsv"
    text.write_text(json.dumps(TEXT) + "\n")
    vocab.write_text("[PAD]\t0\n[UNK]\t0\n[MASK]\t0\nNorway\t1\n")
    words = ("records", "--language", "en", "--tokenizer", TOKENIZER, "--quiet", "--output")
    here = wikiprep(*words, tmp_path / "here", "--from", text, "--vocab", vocab)
    assert here.returncode == 0, here.stderr
    there = wikiprep(*words, tmp_path / "there", "--from", put(s3, text), "--vocab", put(s3, vocab))
    assert there.returncode == 0, there.stderr
    assert hashes(tmp_path / "there") == hashes(tmp_path / "here")


@pytest.mark.parametrize("option", ["--page-props", "--white-list", "--tokenizer", "--entity-vocab"])
def test_what_is_not_in_the_bucket_is_named_before_the_work(option: str, s3: S3, tmp_path: Path) -> None:
    others = () if option == "--tokenizer" else ("--tokenizer", TOKENIZER)
    words = ("build-corpus", tiny_dump(tmp_path), "--quiet", "--output", tmp_path / "out", *others)
    done = wikiprep(*words, option, f"{s3.url}/none.json")
    assert done.returncode in (1, 2)
    assert f"{s3.url}/none.json" in done.stderr or s3.url in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.glob("out/articles/*"))


def test_a_tokenizer_of_a_bucket_is_told_by_its_address(s3: S3, tmp_path: Path) -> None:
    Store(f"{s3.url}/bad").write("tokenizer.json", b"{")
    with pytest.raises(WikiprepError) as caught:
        load_tokenizer(f"{s3.url}/bad")
    assert f"{s3.url}/bad/tokenizer.json" in caught.value.what
    with pytest.raises(WikiprepError, match=r"no tokenizer\.json in it"):
        load_tokenizer(f"{s3.url}/empty")
