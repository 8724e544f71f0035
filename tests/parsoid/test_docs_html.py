"""The commands of docs/html.md run as they stand, on a snapshot and a folder of the names that they have."""

import os
import re
import shlex
import subprocess
from pathlib import Path

from building import command
from inline import rows

from .made import document, lines, link, row, tar_gz

PAGE = (Path(__file__).parents[2] / "docs" / "html.md").read_text(encoding="utf-8")
TITLES = ("Oslo", "Bergen", "Norway")


def body(i: int) -> str:
    return f"<p>{TITLES[i]} is near {link(TITLES[i - 1])}, a town of some size with a harbour.</p>"


def test_the_commands_run(tmp_path: Path) -> None:
    said = [line for block in re.findall(r"^```bash\n(.*?)^```", PAGE, re.M | re.S) for line in block.splitlines()]
    snapshot = [row(i + 1, title, body(i), redirects=[{"name": f"{title} city"}]) for i, title in enumerate(TITLES)]
    tar_gz(tmp_path / "enwiki-NS0-20261101-ENTERPRISE-HTML.json.tar.gz", {"enwiki_0.ndjson": lines(snapshot)})
    (tmp_path / "html-pages" / "deep").mkdir(parents=True)
    (tsv,) = re.findall(r"^```\n([^`]*\t[^`]*)^```", PAGE, re.M)
    (tmp_path / "html-pages" / "titles.tsv").write_text(tsv, encoding="utf-8")
    (tmp_path / "html-pages" / "deep" / "oslo.html").write_text(body(0), encoding="utf-8")
    (tmp_path / "html-pages" / "bergen.html").write_text(document(body(1), "Other"), encoding="utf-8")
    found = []
    for i, line in enumerate(said):
        words = shlex.split(line.replace("train:30000", "train:300").replace("corpus --", f"corpus{i} --"))
        assert words[0] == "wikiprep"
        done = subprocess.run(
            [*command(*words[1:]), "--vocab-targets", "linked", "--workers", "1"],
            cwd=tmp_path, capture_output=True, text=True, env=os.environ, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        found.append(
            [(p["title"], p["page_id"], p["qid"]) for p in rows(tmp_path / f"corpus{i}", "tables/pages.parquet")]
        )
    cities = [(f"{title} city", None, None) for title in sorted(TITLES)]
    assert found == [
        [("Oslo", 1, "Q1"), ("Bergen", 2, "Q2"), ("Norway", 3, "Q3"), *cities],
        [("Bergen", 1, None), ("Oslo", 585, "Q585")],
    ]
