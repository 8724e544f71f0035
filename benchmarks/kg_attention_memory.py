"""Memory of KG attention, split and plain, with 351 relations at length 128: docs/ilka-model.md has the figures.

    python benchmarks/kg_attention_memory.py [--length 128] [--relations 351] [--batch 32]

Each case is a process of its own: forward and backward of the attention (768 + 50 wide, 2 heads), and how far its
resident memory rose over what it was before (the kernel's high-water mark). The plain form builds all L x (R + 1) keys;
it is measured at batches that fit, since its memory grows by the same amount a sequence.
"""

import argparse
import json
import math
import resource
import subprocess
import sys
import time
from pathlib import Path

HIDDEN, SIZE, HEADS = 768, 50, 2


def plain(layer, hidden, vectors, relations, has_entity, real):
    """Every key and value in memory, and a score of each."""
    import torch

    batch, _, width = hidden.shape
    estimates = torch.cat([vectors[:, :, None], vectors[:, :, None] + relations], dim=2)
    words = hidden[:, :, None, vectors.shape[-1] :].expand(-1, -1, len(relations) + 1, -1)
    keys = torch.cat([estimates, words], dim=-1).view(batch, -1, width)
    seen = torch.cat([real[..., None], has_entity[..., None].expand(-1, -1, len(relations))], dim=2).view(
        batch, 1, 1, -1
    )
    query = layer._by_head(layer.query(hidden)) / math.sqrt(layer.size)
    key, value = layer._by_head(layer.key(keys)), layer._by_head(layer.value(keys))
    weights = (query @ key.transpose(-1, -2)).masked_fill(~seen, -torch.inf).softmax(-1)
    return layer.out((weights @ value).transpose(1, 2).flatten(2))


def measure(kind: str, batch: int, length: int, count: int) -> dict[str, float]:
    """Bytes over the inputs' own, seconds, and a checksum of the output."""
    import torch

    from wikiprep.tasks.finetune.knowledge.attention import KgAttention
    from wikiprep.tasks.finetune.knowledge.phi import operators

    torch.set_num_threads(1)
    torch.manual_seed(1)
    layer = KgAttention(HIDDEN + SIZE, HEADS)
    relations = {"relations": torch.randn(count, SIZE)}
    if kind == "pieces":
        relations["relations_tail"] = torch.rand(count, SIZE) + 0.5
    real = torch.ones(batch, length, dtype=torch.bool)
    has_entity = torch.rand(batch, length) < 0.5
    vectors = torch.randn(batch, length, SIZE) * has_entity[..., None]
    hidden = torch.cat([vectors, torch.randn(batch, length, HIDDEN)], dim=-1).requires_grad_()
    before = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1024
    start = time.perf_counter()
    if kind == "plain":
        output = plain(layer, hidden, vectors, relations["relations"], has_entity, real)
    else:
        phi = operators("pairre" if kind == "pieces" else "transe", relations, "head")
        output = layer(hidden, vectors, torch.eye(HIDDEN + SIZE, SIZE), phi, has_entity, real)
    output.square().mean().backward()
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"MB": (peak - before) / 1024, "seconds": seconds, "checksum": float(output.detach().square().mean())}


def main() -> None:
    """Measure the cases and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--relations", type=int, default=351)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--case", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case:
        kind, batch, count = options.case
        print(json.dumps(measure(kind, int(batch), options.length, int(count))))
        return
    # The small cases first: on a busy machine the plain form takes minutes.
    cases = [
        ("split", 1, options.relations),
        ("split", 2, options.relations),
        ("split", options.batch, options.relations),
    ]
    cases += [("split", options.batch, 18), *(("plain", batch, options.relations) for batch in (1, 2, 8))]
    cases += [("pieces", 2, options.relations)]
    print(f"length {options.length}\n{'form':8} {'batch':>5} {'relations':>9} {'MB':>8} {'seconds':>8}  checksum")
    megabytes = {}
    for kind, batch, count in cases:
        command = [sys.executable, __file__, "--length", str(options.length), "--case", kind, str(batch), str(count)]
        measurement = json.loads(
            subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1]
        )
        megabytes[kind, batch, count] = measurement["MB"]
        print(
            f"{kind:8} {batch:5} {count:9} {measurement['MB']:8,.0f} {measurement['seconds']:8.1f}  "
            f"{measurement['checksum']:.6f}",
            flush=True,
        )
    per_sequence = megabytes["plain", 2, options.relations] - megabytes["plain", 1, options.relations]
    plain_total = megabytes["plain", 1, options.relations] + per_sequence * (options.batch - 1)
    ratio = megabytes["split", options.batch, options.relations] / plain_total
    print(f"plain grows by {per_sequence:,.0f} MB a sequence: {plain_total:,.0f} MB at batch {options.batch}")
    print(f"split takes {ratio:.1%} of it")
    measured_ratio = megabytes["split", options.batch, options.relations] / megabytes["plain", 8, options.relations]
    print(f"split at batch {options.batch} takes {measured_ratio:.1%} of what plain takes at batch 8, both measured")


if __name__ == "__main__":
    main()
