"""For tests that build: run the command as a user does, and compare outputs."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import forked
import orjson

DATA = Path(__file__).parent / "data"
TOKENIZER = Path(__file__).parents[1] / "wikiprep" / "sample" / "tokenizer"


def command(*words: object) -> list[str]:
    """The command line of `wikiprep` in this environment."""
    return [sys.executable, "-m", "wikiprep", *map(str, words)]


def wikiprep(*words: object, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end, in a process of its own."""
    env = {**os.environ, **environment}
    done = forked.asked(list(map(str, words)), env)
    return done or subprocess.run(command(*words), capture_output=True, text=True, env=env, check=False)


def built(output: Path, *words: object, **environment: str) -> dict[str, Any]:
    """Build, demand success, and return the manifest. One worker unless more are asked for: a tiny build waits for
    the start of processes, and its bytes do not depend on their number (tests/local/test_resume.py)."""
    one = () if {"--workers", "--runner"} & {str(word).partition("=")[0] for word in words} else ("--workers", 1)
    done = wikiprep("build-corpus", *words, *one, "--output", output, **environment)
    assert done.returncode == 0, done.stderr + done.stdout
    return manifest(output)


def manifest(output: Path) -> dict[str, Any]:
    """The manifest of an output."""
    data: dict[str, Any] = orjson.loads((output / "manifest.json").read_bytes())
    return data


def hashes(output: Path) -> dict[str, str]:
    """sha256 of every file of a corpus, but of those that are not part of the comparison."""
    return {
        path.relative_to(output).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(output.rglob("*"))
        if path.is_file() and path.relative_to(output).parts[0] not in ("_state", "run.json")
    }
