"""docs/slurm-pretrain.sh on two machines that are this one: stopped by a signal, queued again, gone on with elsewhere.

Slurm's programs are stand-ins: `srun` starts what it is given once a machine, `scontrol` names the machines and notes
that a job is queued again. torchrun, the ranks and their meeting over loopback are real.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from running import CONFIG, events, run, steps_done

SCRIPT = Path(__file__).parents[2] / "docs" / "slurm-pretrain.sh"
PATIENCE = 240  # seconds
SRUN = """#!/bin/bash
[ "$1" = --kill-on-bad-exit=1 ] || exit 99
shift
for machine in 0 1; do "$@" & pids+=($!); done
echo "${pids[@]}" > "$SLURM_JOB_ID.pids"
for pid in "${pids[@]}"; do wait "$pid" || code=$?; done
exit "${code:-0}"
"""
SCONTROL = """#!/bin/bash
case "$*" in
  "show hostnames one[1-2]") printf '127.0.0.1\\n127.0.0.1\\n' ;;
  "requeue $SLURM_JOB_ID") echo "$SLURM_JOB_ID" >> requeued ;;
  *) exit 99 ;;
esac
"""
TORCHRUN = f'#!/bin/bash\nexec "{sys.executable}" -m torch.distributed.run "$@"\n'


@pytest.fixture
def job(tmp_path: Path) -> dict[str, str]:
    """The environment of a job in `tmp_path`, whose run is to be `tmp_path/run`."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in {"srun": SRUN, "scontrol": SCONTROL, "torchrun": TORCHRUN}.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    (tmp_path / "toy.toml").write_text(CONFIG)
    return {
        **os.environ,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PYTHONPATH": f"{Path(__file__).parent}:{os.environ.get('PYTHONPATH', '')}",
        "PYTHONWARNINGS": "ignore",
        "OMP_NUM_THREADS": "1",
        "SLURM_JOB_ID": str(free_port() - 20000),
        "SLURM_JOB_NODELIST": "one[1-2]",
        "SLURM_NNODES": "2",
        "SLURM_GPUS_ON_NODE": "2",
        "CONFIG": str(tmp_path / "toy.toml"),
        "RUN": str(tmp_path / "run"),
    }


def free_port() -> int:
    """Of those that the script makes of a job's number."""
    for port in range(20000 + os.getpid() % 10000, 30000):
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)):
                return port
    raise AssertionError("no port is free")


def log_of(job: dict[str, str]) -> Path:
    return Path(job["RUN"]).parent / f"luke-{job['SLURM_JOB_ID']}.log"


def begin(job: dict[str, str]) -> subprocess.Popen[bytes]:
    """Slurm starts the script in the folder, its output behind what is in the log."""
    with log_of(job).open("a") as said:
        return subprocess.Popen(["bash", str(SCRIPT)], cwd=log_of(job).parent, env=job, stdout=said, stderr=said)


@pytest.mark.slow
def test_two_machines_then_one_then_one_rank_see_the_same_batches(
    job: dict[str, str], sample_corpus: Path, tmp_path: Path
) -> None:
    job["CORPUS"] = str(sample_corpus)
    script = begin(job)
    end = time.monotonic() + PATIENCE
    while steps_done(tmp_path / "run") < 6:
        assert script.poll() is None and time.monotonic() < end, log_of(job).read_text()
        time.sleep(0.05)
    for pid in (tmp_path / f"{job['SLURM_JOB_ID']}.pids").read_text().split():
        os.kill(int(pid), signal.SIGTERM)  # to every task of the job's step, as --signal=TERM does
    assert script.wait(PATIENCE) == 0, log_of(job).read_text()
    assert (tmp_path / "requeued").read_text().split() == [job["SLURM_JOB_ID"]]
    done = steps_done(tmp_path / "run")
    assert 6 <= done < 20 and "stopped after step" in log_of(job).read_text()

    four = ["torchrun", "--nproc-per-node", "4", "--rdzv-backend", "c10d", "--rdzv-endpoint", "127.0.0.1:0"]
    four += ["-m", "wikiprep.pretrain", "--corpus", job["CORPUS"], "--config", job["CONFIG"], "--output", job["RUN"]]
    ended = subprocess.run([*four, "--max-steps", "26"], env=job, capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 0, ended.stderr
    run(tmp_path / "run", sample_corpus)
    assert [e["world"] for e in (*events(tmp_path / "run", "begun"), *events(tmp_path / "run", "resumed"))] == [4, 4, 1]

    run(tmp_path / "whole" / "run", sample_corpus)
    for name in ("position", "epoch", "records", "loss", "gradient_norm"):
        there, here = (
            [event[name] for event in events(folder, "train")] for folder in (tmp_path / "whole/run", tmp_path / "run")
        )
        assert len(here) == 40 and np.allclose(there, here, rtol=2e-6), name


def test_an_error_is_no_reason_to_queue_again(job: dict[str, str], tmp_path: Path) -> None:
    """Also where the job was stopped by a signal before: else it would be queued without end."""
    (tmp_path / "bin" / "torchrun").write_text('#!/bin/bash\necho "rank 0: the disk is full"\nexit 3\n')
    log_of(job).write_text("wikiprep: SIGTERM: stopped after step 7, all is saved\n")
    assert begin(job | {"CORPUS": "corpus"}).wait(PATIENCE) == 3
    assert not (tmp_path / "requeued").exists() and "disk is full" in log_of(job).read_text()
    (tmp_path / "bin" / "torchrun").write_text(
        '#!/bin/bash\necho "wikiprep: SIGTERM: stopped after step 9"\nexit 143\n'
    )
    assert begin(job | {"CORPUS": "corpus"}).wait(PATIENCE) == 0
    assert (tmp_path / "requeued").exists()


def test_a_job_needs_a_corpus_and_a_run(job: dict[str, str], tmp_path: Path) -> None:
    log_of(job).touch()
    assert begin(job).wait(PATIENCE) != 0
    assert "set CORPUS to the folder of a corpus" in log_of(job).read_text()


def test_the_script_is_clean() -> None:
    subprocess.run([Path(sys.executable).with_name("shellcheck"), SCRIPT], check=True)  # need not be on PATH
