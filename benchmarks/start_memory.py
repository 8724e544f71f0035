"""What do the start of training and the look-up of titles cost at 10 million entities, with redirects and without?

    python benchmarks/start_memory.py [--entities 10000000] [--redirects 10000000] [--folder /tmp/start] [--keep]

The sample's corpus gets that many more entities, and redirects to them (titles of 15 to 24 bytes, from a counter), with
which its manifest agrees. Each command is a process of its own; figures are CPU seconds, wall seconds, and peak
resident memory (`ru_maxrss`). The baseline is the sample itself, so that torch's import counts for both. The model is
as narrow as can be (4 numbers an entity), since its table is no matter of look-ups: 10 M entities of 256 numbers are
10 GB, 31 GB with the optimiser. Needs 2 GB of disk.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from wikiprep.files import sha256_of

NARROW = ("model.entity_size=4", "data.global_batch=1", "data.micro_batch_sequences=1", "log.evaluate_every=0")
_STEP = 1_000_000


def titles(prefix: str, first: int, count: int) -> pa.Array:
    """`count` titles, each alone; numbers are scattered, so that neighbours in the table are none in order."""
    numbers = (np.arange(first, first + count, dtype=np.uint64) * np.uint64(2654435761)) % np.uint64(2**40)
    return pc.binary_join_element_wise(prefix, pa.array(numbers).cast(pa.string()), "")


def grow(corpus: Path, entities: int, redirects: int) -> None:
    """Add entities behind those that are there, and redirects to them."""
    path = corpus / "tables" / "entity_vocab.parquet"
    table = pq.read_table(path)
    first = pc.max(table["id"]).as_py() + 1
    with pq.ParquetWriter(path, table.schema, compression="zstd") as writer:
        writer.write_table(table)
        for start in range(0, entities, _STEP):
            size = min(_STEP, entities - start)
            columns = {name: pa.nulls(size, table.schema.field(name).type) for name in table.column_names}
            columns["id"] = pa.array(np.arange(first + start, first + start + size), table.schema.field("id").type)
            columns["title"] = titles("Entity ", start, size)
            columns["count"] = pa.array(np.zeros(size), table.schema.field("count").type)
            writer.write_table(pa.table(columns, table.schema))
    path = corpus / "tables" / "redirects.parquet"
    table = pq.read_table(path)
    with pq.ParquetWriter(path, table.schema, compression="zstd") as writer:
        writer.write_table(table)
        for start in range(0, redirects, _STEP):
            size = min(_STEP, redirects - start)
            columns = {name: pa.nulls(size, table.schema.field(name).type) for name in table.column_names}
            columns["title"] = titles("Redirect ", start, size)
            columns["final"] = titles("Entity ", start % max(1, entities), size)
            writer.write_table(pa.table(columns, table.schema))
    manifest = json.loads((corpus / "manifest.json").read_bytes())
    for entry in manifest["files"]:
        if entry["path"] in ("tables/entity_vocab.parquet", "tables/redirects.parquet"):
            entry |= {"size": (corpus / entry["path"]).stat().st_size, "sha256": sha256_of(corpus / entry["path"])}
    (corpus / "manifest.json").write_text(json.dumps(manifest))


def cost(*words: object) -> tuple[float, float, float]:
    """CPU and wall seconds, and peak memory in GB, of a command of wikiprep's."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "wikiprep", *map(str, words)], stdout=subprocess.DEVNULL)
    _, code, usage = os.wait4(process.pid, 0)
    process.returncode = code
    if code:
        sys.exit(f"wikiprep {' '.join(map(str, words))}: ended with {os.waitstatus_to_exitcode(code)}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - start, usage.ru_maxrss / 1e6


def measure(folder: Path, corpus: Path, target: str, redirect: str, *, start_alone: bool = False) -> None:
    """Print a line for each command, or for the start of a run alone."""
    run = folder / f"run-{corpus.name}"
    pretrain_command = ["pretrain", "--corpus", corpus, "--config", "tiny", "--output", run, "--quiet"]
    pretrain_command += [word for setting in NARROW for word in ("--set", setting)]
    input_file = folder / "asked.jsonl"

    def predict_command(title: str) -> tuple[object, ...]:
        link = {"start": 0, "end": 4, "target": title}
        input_file.write_text(json.dumps({"text": "Oslo is a city.", "links": [link]}) + "\n")
        return "predict", run, "--input", input_file, "-k", 1

    show("start of a run (--max-steps 0)", *cost(*pretrain_command, "--max-steps", 0))
    if start_alone:
        return
    for name, words in (
        ("one step", (*pretrain_command, "--max-steps", 1)),
        ("start again (nothing left to do)", (*pretrain_command, "--max-steps", 1)),
        ("predict, a title", predict_command(target)),
    ):
        show(name, *cost(*words))
    show("predict, a redirect", *cost(*predict_command(redirect)))


def show(name: str, cpu: float, wall: float, peak: float) -> None:
    """One line."""
    print(f"  {name:34} {cpu:7.1f} s CPU {wall:7.1f} s {peak:6.2f} GB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entities", type=int, default=10_000_000)
    parser.add_argument("--redirects", type=int, default=10_000_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="start-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        small = folder / "sample"
        cost("build-corpus", "--sample", "--output", small, "--quiet")
        print("the sample")
        measure(folder, small, "Norway", "Norge")
        for entities, redirects in dict.fromkeys(((options.entities, 0), (options.entities, options.redirects))):
            corpus = folder / f"grown-{redirects}"
            shutil.copytree(small, corpus)
            grow(corpus, entities, redirects)
            print(f"{entities:,} more entities, {redirects:,} more redirects")
            target, redirect = (titles(prefix, 7, 1)[0].as_py() for prefix in ("Entity ", "Redirect "))
            measure(folder, corpus, target, redirect, start_alone=not redirects)
            for name in (corpus.name, f"run-{corpus.name}"):
                if not options.keep:
                    shutil.rmtree(folder / name, ignore_errors=True)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
