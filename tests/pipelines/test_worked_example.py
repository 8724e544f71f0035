"""The hash that docs/cluster.md gives for the sample, on the runner that it names there (huggingface/datasets#937)."""

import hashlib
import re
import shlex
from pathlib import Path

from building import wikiprep
from engine_build import package

package("apache-beam", "beam")
DOCS = Path(__file__).parents[2] / "docs" / "cluster.md"


def test_the_documented_command_gives_the_documented_hash(tmp_path: Path) -> None:
    found = re.search(r"^wikiprep (.* FnApiRunner)\ncat .* # ([0-9a-f]{64})$", DOCS.read_text(), re.MULTILINE)
    assert found
    words = [str(tmp_path / word) if word == "corpus" else word for word in shlex.split(found[1])]
    done = wikiprep(*words)
    assert done.returncode == 0, done.stderr
    records = sorted((tmp_path / "corpus" / "records").glob("*.arrow"))
    assert hashlib.sha256(b"".join(path.read_bytes() for path in records)).hexdigest() == found[2]
