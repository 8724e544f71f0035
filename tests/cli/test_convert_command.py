"""convert --to mds: the records come back from streaming's own reader, where it is installed."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pytest
from building import wikiprep

from wikiprep.applications.convert_mds import as_mds, convert_to_mds, mds_columns
from wikiprep.corpus.schema import record_schema
from wikiprep.errors import UsageError

INSTALLED = importlib.util.find_spec("streaming") is not None


def test_the_encodings_of_columns() -> None:
    columns = mds_columns(record_schema(text=True))
    assert {columns["page_id"], columns["ordinal"]} == {"int"}
    assert (columns["word_ids"], columns["entity_starts"]) == ("ndarray:int32", "ndarray:int16")
    assert (columns["title"], columns["text"]) == ("str", "str")
    assert as_mds(None, pa.string()) == "" and as_mds(None, pa.int64()) == -1
    assert as_mds([1, 2], pa.list_(pa.int16())).dtype == np.int16


@pytest.mark.skipif(INSTALLED, reason="mosaicml-streaming is installed")
def test_without_the_library_it_says_what_to_install(tiny_corpus: Path, tmp_path: Path) -> None:
    done = wikiprep("convert", tiny_corpus, "--to", "mds", "-o", tmp_path / "mds")
    assert done.returncode == 2
    assert "pip install mosaicml-streaming" in done.stderr


@pytest.mark.skipif(not INSTALLED, reason="mosaicml-streaming is not installed: it cannot be beside transformers 5")
def test_streaming_reads_the_records(tiny_corpus: Path, tmp_path: Path) -> None:
    from streaming import StreamingDataset

    done = wikiprep("convert", tiny_corpus, "--to", "mds", "-o", tmp_path / "mds")
    assert done.returncode == 0, done.stderr
    expected = ds.dataset(tiny_corpus / "records", format="ipc").to_table().to_pylist()
    found = StreamingDataset(local=str(tmp_path / "mds"), shuffle=False, batch_size=1)
    assert len(found) == len(expected)
    for mine, row in zip(found, expected, strict=True):
        for name, value in row.items():
            there = mine[name].tolist() if isinstance(mine[name], np.ndarray) else mine[name]
            assert there == ("" if value is None else value), name


def test_a_compression_that_is_none_is_refused(
    tiny_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the library's own list, of which this is a stand-in."""
    known = ("bz2:9", "zstd:3", "zstd:7")
    compression = ModuleType("streaming.base.compression")
    compression.__dict__.update(get_compressions=lambda: set(known), is_compression=lambda name: name in known)
    streaming = ModuleType("streaming")
    streaming.__dict__["MDSWriter"] = object
    for name, module in (("streaming", streaming), ("streaming.base.compression", compression)):
        monkeypatch.setitem(sys.modules, name, module)
    with pytest.raises(UsageError, match=r"--compression zsdt: .*\n.*did you mean 'zstd'\? names are bz2, zstd"):
        convert_to_mds(str(tiny_corpus), str(tmp_path / "mds"), "zsdt")
    assert not (tmp_path / "mds").exists()
