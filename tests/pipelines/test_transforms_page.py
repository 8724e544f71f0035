"""docs/beam-transforms.md: its pipeline runs as it stands, and its pieces of code, too."""

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from engine_build import Local, package
from processes import ROOT

package("apache-beam", "beam")
from wikiprep.corpus.articles import article_rows, read_articles  # noqa: E402 - not where Beam is missing
from wikiprep.corpus.shards import read_shard  # noqa: E402
from wikiprep.pipelines import transforms  # noqa: E402

PAGE = (ROOT / "docs" / "beam-transforms.md").read_text(encoding="utf-8")
PROGRAM, *PIECES = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_pipeline_gives_the_records_of_long_articles(local: Local, tmp_path: Path) -> None:
    program, output = tmp_path / "long_articles.py", tmp_path / "long"
    longer = 80  # characters, in a wiki of short pages
    program.write_text(PROGRAM.replace("> 2_000", f"> {longer}"))
    words = [str(program), local.words[0], str(local.output), str(output), "--runner=FnApiRunner"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    batches = [batch for path in (local.output / "articles").iterdir() for batch in read_articles(path)]
    lengths = {
        row.title: sum(len(it.text) for it in row.paragraphs) for batch in batches for row in article_rows(batch)
    }
    long = {title for title, length in lengths.items() if length > longer}
    (shard,) = (output / "records").iterdir()
    made = [row for batch in read_shard(shard) for row in batch.to_pylist()]
    built = [r for p in sorted((local.output / "records").iterdir()) for b in read_shard(p) for r in b.to_pylist()]
    assert made == [row for row in built if row["title"] in long]
    assert 0 < len(made) < len(built)
    assert "".join(path.read_text() for path in output.glob("rejects*.tsv")) == ""


@pytest.mark.parametrize("piece", PIECES)
def test_the_pieces_run(piece: str) -> None:
    exec(piece, {})


@pytest.mark.parametrize("name", transforms.__all__)
def test_every_public_name_is_on_the_page_and_has_a_docstring(name: str) -> None:
    assert f"`{name}" in PAGE
    assert (inspect.getdoc(getattr(transforms, name)) or "").strip()
