"""`python -m wikiprep` as a fork of a process that has imported it already: all of a process, but for half a second.

For commands whose outcome is looked at, not how they start. `asked` gives None where only a process from its beginning
is the same: variables that Python or a library reads as it starts, another folder, an engine that starts its own.
"""

import atexit
import json
import os
import runpy
import subprocess
import sys
import tempfile
import threading
from importlib import import_module
from pathlib import Path

# What is read at the start of Python or of a library, or as wikiprep is imported.
EARLY = ("PYTHON", "LC_", "LANG", "TZ", "WIKIPREP_PURE", "OMP_", "OPENBLAS_", "MKL_", "RAYON_", "TOKENIZERS_", "ARROW_")
# What a build imports in the end; nothing is called.
WANTED = (
    *("numpy", "orjson", "pyarrow", "pyarrow.compute", "pyarrow.ipc", "pyarrow.parquet", "tokenizers", "marisa_trie"),
    *("wikiprep.cli.main", "wikiprep.cli.build_corpus", "wikiprep.local.driver", "wikiprep.stages.build"),
)
_servers: "list[tuple[subprocess.Popen[str], str, dict[str, str]]]" = []
_one_at_a_time = threading.Lock()


def asked(words: list[str], environment: dict[str, str]) -> "subprocess.CompletedProcess[str] | None":
    """Runs `wikiprep` with these words and all of these variables; None where a fork would not be the same."""
    with _one_at_a_time:
        if not _servers:
            _start()
        server, folder, at_start = _servers[0]
        if "--runner" in " ".join(words) or folder != str(Path.cwd()) or at_start != _early(environment):
            return None
        with tempfile.TemporaryDirectory() as scratch:
            out, err = Path(scratch, "out"), Path(scratch, "err")
            assert server.stdin is not None and server.stdout is not None
            server.stdin.write(json.dumps([words, environment, str(out), str(err)]) + "\n")
            server.stdin.flush()
            code = int(server.stdout.readline())
            command = [sys.executable, "-m", "wikiprep", *words]
            return subprocess.CompletedProcess(command, code, out.read_text(), err.read_text())


def _early(environment: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(EARLY)}


def _start() -> None:
    server = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    _servers.append((server, str(Path.cwd()), _early(dict(os.environ))))
    atexit.register(_end, server)


def _end(server: "subprocess.Popen[str]") -> None:
    for stream in (server.stdin, server.stdout):
        if stream is not None:
            stream.close()
    server.wait()


def _serve() -> None:
    """In the server: returns in each fork, as the process that was asked for."""
    sys.path[0] = str(Path.cwd())  # as with `-m`
    from wikiprep.process import leave_pandas_out, let_pandas_in

    leave_pandas_out()
    for name in WANTED:
        import_module(name)
    let_pandas_in()  # the command's own start says so again
    while line := sys.stdin.readline():
        words, environment, out, err = json.loads(line)
        child = os.fork()
        if not child:
            _become(words, environment, out, err)
            return
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
    sys.exit()


def _become(words: list[str], environment: dict[str, str], out: str, err: str) -> None:
    for number, path, flags in ((0, os.devnull, os.O_RDONLY), (1, out, os.O_WRONLY), (2, err, os.O_WRONLY)):
        opened = os.open(path, flags | (os.O_CREAT if number else 0))
        os.dup2(opened, number)
        os.close(opened)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv[1:] = words


if __name__ == "__main__":
    _serve()
    runpy.run_module("wikiprep", run_name="__main__", alter_sys=True)
