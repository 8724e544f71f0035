"""docs/domain-corpora.md: its commands, as they stand there, lead from plain text to a run and to vectors."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "domain-corpora.md"
BLOCK = re.compile(r"^```(bash|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_every_command_runs_as_it_stands_there(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    script = []
    for kind, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "python":
            (tmp_path / "prepare.py").write_text(text, encoding="utf-8")
        else:
            script.append(text)
    assert len(script) == 7
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail"],
        input="\n".join(script),
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PATH": path, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "entities of the corpus, 3 of the list" in done.stdout
    assert "spans own name 7" in done.stderr
    annotated = map(json.loads, (tmp_path / "annotated.jsonl").read_text().splitlines())
    links = [link for line in annotated for link in line["links"]]
    own = {link["target"] for link in links if link["source"] == "own_name"}
    assert own == {"probe:HX-7", "part:spectrometer", "chem:SO2"}
    assert {"Jupiter", "Io (moon)"} <= {link["target"] for link in links if link["source"] == "prior"}
    counts = json.loads((tmp_path / "corpus/manifest.json").read_text())["counts"]["records"]
    assert counts["links.entity"] == len(links) and not counts.get("links.unk")
    assert list((tmp_path / "run/checkpoints").glob("step-*4"))
    assert len(np.load(tmp_path / "vectors.npy")) == len(links)
