import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from wikiprep.applications.export_relations import export_relations
from wikiprep.applications.export_triples import SplitOptions, export_triples
from wikiprep.applications.mentions import export_mentions
from wikiprep.applications.vocabularies import merge
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.runtime.output_folder import must_be_outside, output_lock
from wikiprep.tables.merge_vocabularies import MergeOptions
from wikiprep.wikidata.graph.select import Selection

HOLDER = """
import sys, time
from wikiprep.files import Store
from wikiprep.runtime.output_folder import output_lock
with output_lock(Store(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_build_is_refused_and_a_killed_one_leaves_no_lock(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(WikiprepError, match=f"process {holder.pid}"), output_lock(store):
            pass
        os.kill(holder.pid, signal.SIGKILL)
    with output_lock(store):
        pass


def test_a_place_in_a_corpus_is_refused(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    (corpus / "records").mkdir(parents=True)
    (tmp_path / "link").symlink_to("corpus/records")
    for target in (corpus, corpus / "records" / "part.arrow", corpus / "new", tmp_path / "link" / "x"):
        with pytest.raises(UsageError, match="is in the corpus"):
            must_be_outside(str(target), str(tmp_path / "other"), str(corpus))
    for target in (tmp_path / "corpus.jsonl", tmp_path, tmp_path / "x" / "y"):
        must_be_outside(str(target), str(corpus))


def test_every_export_asks(tmp_path: Path) -> None:
    corpus = str(tmp_path)
    target = str(tmp_path / "manifest.json")
    with pytest.raises(UsageError, match="is in the corpus"):
        export_relations(corpus, target)
    with pytest.raises(UsageError, match="is in the corpus"):
        export_triples(corpus, target, Selection(), SplitOptions())
    with pytest.raises(UsageError, match="is in the corpus"):
        export_mentions(corpus, "tsv", target, None, 0.0)
    with pytest.raises(UsageError, match="is in the corpus"):
        merge([corpus, str(tmp_path / "b")], target, MergeOptions())
    assert not (tmp_path / "manifest.json").exists()
