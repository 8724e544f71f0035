"""Without torch a command on models says so in a line, with the way out."""

import subprocess
import sys

import pytest

WITHOUT = """
import sys
sys.modules["torch"] = None
from wikiprep.cli.main import main
sys.argv = ["wikiprep", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "RUN", "--corpus", "C"),
        ("predict", "RUN", "a [b]"),
        ("embed", "RUN", "--of", "table", "--output", "v.npy"),
    ],
)
def test_said_in_a_line(words: tuple[str, ...]) -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == 'wikiprep: torch is not installed\n  pip install "wikiprep[train]"\n'
