"""Runs of the toy family on several ranks: processes of a fork server that has torch loaded."""

import json
import multiprocessing
import os
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

CONFIG = """
family = "toy_family"
[data]
global_batch = 16
micro_batch_tokens = 600
held_out = 0.1
workers = 0
[training]
precision = "float32"
timeout_minutes = 1
[checkpoints]
every = 5
[log]
every = 1
evaluate_every = 20
[[stages]]
parameters = "new"
steps = 20
learning_rate = 0.01
warmup_steps = 3
[[stages]]
parameters = "all"
steps = 20
learning_rate = 0.01
"""
SECONDS = 120  # that a run of a test may take before it counts as hung

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload(["toy_family", "wikiprep.pretrain.start_training", "torch._dynamo"])


def _rank(rank: int, world: int, port: int, words: dict[str, Any], said: str) -> None:
    """One rank: what it says goes to a file, what it leaves is its exit code."""
    handle = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(handle, 2)
    sys.stderr = os.fdopen(2, "w", buffering=1)
    if world > 1:
        os.environ |= {"RANK": str(rank), "WORLD_SIZE": str(world), "LOCAL_RANK": str(rank)}
        os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    import torch

    from wikiprep.errors import WikiprepError
    from wikiprep.pretrain.start_training import Command, pretrain

    torch.set_num_threads(1)
    try:
        pretrain(Command(**words))
    except WikiprepError as error:
        print(f"wikiprep: {error}", file=sys.stderr)
        sys.exit(error.exit_code)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _joined(work: Callable[..., None], rank: int, world: int, port: int, given: tuple[Any, ...]) -> None:
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=world, timeout=timedelta(seconds=60))
    work(rank, *given)
    dist.destroy_process_group()


def on_ranks(work: Callable[..., None], world: int, *given: Any) -> None:
    """`work(rank, *given)`, a function of a module, on `world` processes of one gloo group; all of them end well."""
    port = _free_port()
    processes = [_forks.Process(target=_joined, args=(work, rank, world, port, given)) for rank in range(world)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(SECONDS)
        process.kill()
    assert [process.exitcode for process in processes] == [0] * world


@dataclass
class Run:
    """A run that goes on in other processes."""

    folder: Path
    processes: list[BaseProcess]
    said_files: list[Path]
    seconds: int = SECONDS

    def wait(self, *codes: int) -> list[str]:
        """Until all ranks have ended, with one of `codes` (0 if none is given); what each said."""
        end = time.monotonic() + self.seconds
        for process in self.processes:
            process.join(max(0.0, end - time.monotonic()))
        hung = [process for process in self.processes if process.is_alive()]
        for process in hung:
            process.kill()
        said = [path.read_text() if path.exists() else "" for path in self.said_files]
        assert not hung, f"{len(hung)} ranks hang: {said}"
        assert {process.exitcode for process in self.processes} <= set(codes or (0,)), said
        return said

    def until(self, done: Callable[[], bool]) -> None:
        """Until something holds while all ranks run."""
        end = time.monotonic() + self.seconds
        while not done():
            assert all(process.is_alive() for process in self.processes), [p.read_text() for p in self.said_files]
            assert time.monotonic() < end
            time.sleep(0.01)

    def kill(self, number: int) -> None:
        """Send a signal to all ranks."""
        for process in self.processes:
            assert process.pid is not None
            os.kill(process.pid, number)


def start(
    folder: Path,
    corpus: Path,
    *settings: str,
    world: int = 1,
    stage: int = 0,
    seconds: int = SECONDS,
    **words: Any,
) -> Run:
    """Start a run of CONFIG with `settings` ("data.workers=2"); `words` as in `Command`. `stage`: see `one_stage`.

    A test that starts one is skipped without PyTorch, which every rank imports.
    """
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    folder.parent.mkdir(parents=True, exist_ok=True)
    config = folder.parent / "toy.toml"
    config.write_text(one_stage(stage) if stage else CONFIG)
    words = {"corpora": (str(corpus),), "config": str(config), "output": str(folder), "settings": settings} | words
    port = _free_port()
    said = [folder.parent / f"said-{folder.name}-{rank}" for rank in range(world)]
    processes: list[BaseProcess] = [
        _forks.Process(target=_rank, args=(rank, world, port, words, str(said[rank]))) for rank in range(world)
    ]
    for process in processes:
        process.start()
    return Run(folder, processes, said, seconds)


def one_stage(steps: int) -> str:
    """CONFIG with one stage of all parameters."""
    return (
        CONFIG.partition("[[stages]]")[0] + f'[[stages]]\nparameters = "all"\nsteps = {steps}\nlearning_rate = 0.01\n'
    )


def run(folder: Path, corpus: Path, *settings: str, world: int = 1, **words: Any) -> list[str]:
    """The same to its end."""
    return start(folder, corpus, *settings, world=world, **words).wait()


def events(folder: Path, name: str) -> list[dict[str, Any]]:
    """The events of one name in the log, in order."""
    path = folder / "log.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    return [event for event in map(json.loads, lines) if event["event"] == name]


def steps_done(folder: Path) -> int:
    """The last step in the log, while it is being written."""
    path = folder / "log.jsonl"
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    return max((json.loads(line)["step"] for line in lines), default=0)
