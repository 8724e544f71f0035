"""What should a training step of LUKE take on an H100? A calculation, without a GPU: operations, bytes and launches.

    python benchmarks/step_model.py --corpus corpus      # `wikiprep build-corpus --sample --output corpus`
    python benchmarks/step_model.py --corpus corpus --size luke-large --micro-batch-tokens 32768 --ours

Both sides of luke_sides.py compute on fake tensors (shapes, no numbers), forward and backward, under autocast to bf16;
step_kernels.py says what kernels that is and how long each takes. A step lasts as long as its kernels, or as the host
takes to launch them. The same global batch: ours cut as the trainer cuts it, without padding; theirs as records come,
`--their-batch` at a time, padded to the longest, all scores at once. Gradients of micro-batches are added up, and AdamW
and the norm of all gradients are counted once a global batch; sums over ranks are not.
It is no measurement: gpu_check.py makes those, and prints beside them what this calculates of the same batch.
"""

import argparse
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import torch
from luke_sides import WORD_VOCABULARY, Batch, our_loss, their_loss, their_model
from step_kernels import Device, Kernel, Recorder, fuse_kernels, layers_marked, on_fakes
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensorMode

from wikiprep.pretrain.attention import choose_attention
from wikiprep.pretrain.data.micro_batches import Cut, micro_batches
from wikiprep.pretrain.luke.collate import collate
from wikiprep.pretrain.luke.config import LukeConfig, Objective, config_of_size
from wikiprep.pretrain.luke.flops import training_flops
from wikiprep.pretrain.luke.masking import mask
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.words import Words
from wikiprep.records.reader import RecordReader
from wikiprep.records.training_corpus import open_corpus

ENTITIES = 500_000
# Rows of queries and of keys that a program of FlashAttention 2 takes at a time: what is left of a block is computed.
_BLOCK = (128, 64)
_OURS, _OURS_PLAIN, _THEIRS = "ours", "ours, not compiled", "theirs"


def record_pass(
    model: nn.Module,
    loss_of: Callable[[Batch], Callable[[], Tensor]],
    batch: Batch,
    mode: FakeTensorMode,
    recorder: Recorder,
) -> tuple[list[Kernel], set[int], int]:
    """Forward and backward of a batch, what is alive behind it, and the bytes that are kept from one to the other.

    Gradients are added to those that there are.
    """
    fakes = {name: mode.from_tensor(tensor) for name, tensor in batch.items()}
    loss = loss_of(fakes)
    recorder.kernels = []
    with recorder, layers_marked(model, recorder):
        with torch.autocast("cpu", torch.bfloat16):
            before = recorder.kept()
            value = loss()
        kept_bytes = recorder.kept() - before
        value.backward()
    return recorder.kernels, recorder.alive(), kept_bytes


def attention_flops(kernels: list[Kernel], batch: Batch, config: LukeConfig) -> None:
    """FlashAttention's of records, in whole blocks: the registry counts all as long as the longest."""
    lengths = np.diff(batch["offsets"].numpy()).astype(np.float64)
    queries, keys = (np.ceil(lengths / rows) * rows for rows in _BLOCK)
    forward = 4.0 * config.hidden_size * float((queries * keys).sum())
    for kernel in kernels:
        if "_flash_attention" in kernel.name:
            kernel.flops = forward * (2.5 if "backward" in kernel.name else 1)


def batches_of(
    corpus: str, config: LukeConfig, records: int, limit: int, theirs: int
) -> tuple[list[Batch], list[Batch]]:
    """A global batch of records as long as the corpus's, drawn at random (a small one's come again), cut both ways."""
    reader = RecordReader(open_corpus(corpus, 0.0))
    rng = np.random.default_rng(0)
    drawn_records = [reader.peek(number) for number in rng.integers(len(reader), size=records).tolist()]
    fitted_records = [
        replace(record, word_ids=record.word_ids % (WORD_VOCABULARY - 10) + 4, entity_ids=record.entity_ids % ENTITIES)
        for record in drawn_records
    ]
    size = config.vocab_size
    words = Words(size, 0, 2, 1, size - 1, np.arange(size) % 4 > 0, np.arange(4, size - 1, dtype=np.int32))
    masked = [mask(record, words, Objective(), np.random.default_rng(n)) for n, record in enumerate(fitted_records)]

    def batch(numbers: list[int]) -> Batch:
        return collate([fitted_records[n] for n in numbers], [masked[n] for n in numbers], None, words, True)

    sizes = [(len(record.word_ids) + 2, len(record.entity_ids)) for record in fitted_records]
    ours = [batch(list(step[0].records)) for step in micro_batches(sizes, 1, Cut(limit))]
    return ours, [batch(list(range(n, min(n + theirs, records)))) for n in range(0, records, theirs)]


@dataclass(frozen=True)
class Expected:
    """Of a global batch on one rank."""

    tokens: int
    padded: int
    seconds: float
    launches: int
    flops: float  # that kernels compute
    moved: float  # bytes
    needed: float  # operations of real tokens: what MFU counts
    parts: dict[str, float] = field(default_factory=dict)  # seconds of kernels
    kept: int = 0  # bytes of a micro-batch, from forward to backward
    state: int = 0  # of parameters, gradients, moments

    def mfu(self, device: Device) -> float:
        """Share of the device's peak."""
        return self.needed / self.seconds / device.peak

    def row(self, name: str, device: Device, base: "Expected | None") -> str:
        """A line of the table."""
        pace = self.tokens / self.seconds
        ratio = f"{pace / (base.tokens / base.seconds):.1f}" if base else "1"
        moved = self.moved / 1e9
        figures = f"{self.padded / self.tokens - 1:.0%} | {self.flops / 1e12:.1f} | {moved:.0f} | {self.launches:,}"
        return f"| {name} | {figures} | {self.seconds * 1000:.1f} | {pace:,.0f} | {self.mfu(device):.0%} | {ratio} |"

    def where(self) -> list[str]:
        """Lines of a table of where the time goes."""
        whole = sum(self.parts.values())
        rows = [
            f"| {name} | {seconds * 1000:.1f} | {seconds / whole:.0%} |" for name, seconds in sorted(self.parts.items())
        ]
        return ["| part of the step | ms | share |", "|---|---|---|", *rows]


HEADER = (
    "| | padding | TFLOP | GB moved | launches | ms | tokens/s | MFU | times |\n|---|---|---|---|---|---|---|---|---|"
)


def expected(config: LukeConfig, batches: list[Batch], of: str, device: Device, *, update: bool = True) -> Expected:
    """`of`: "ours" (compiled layers), "ours, not compiled", "theirs". `update`: with AdamW and the norm it asks for."""
    recorder = Recorder()
    with on_fakes(recorder) as mode:
        model = their_model(config) if of == _THEIRS else Luke(config, seed=None)
        if isinstance(model, Luke):
            choose_attention(model, "varlen")
        model.train()
        side = their_loss if of == _THEIRS else our_loss
        steps = [record_pass(model, partial(side, model), batch, mode, recorder) for batch in batches]
    total = Expected(0, 0, 0.0, 0, 0.0, 0.0, 0.0)
    if update:  # AdamW reads 4 and writes 3 numbers of float32 a parameter; ours takes the norm of gradients too
        moved = (28.0 if of == _THEIRS else 32.0) * sum(parameter.numel() for parameter in model.parameters())
        seconds = moved / (device.bandwidth * device.memory)
        total = replace(total, moved=moved, seconds=seconds, parts={"AdamW": seconds})
    for (kernels, alive, _), batch in zip(steps, batches, strict=True):
        if of != _THEIRS:
            attention_flops(kernels, batch, config)
        total = _add_micro_batch(total, fuse_kernels(kernels, alive) if of == _OURS else kernels, device)
    tokens = sum(int(batch["real"].sum()) for batch in batches)
    padded = sum(batch["real"].numel() for batch in batches) if of == _THEIRS else tokens
    needed = sum(training_flops(config, batch) for batch in batches)
    state = 16 * sum(parameter.numel() for parameter in model.parameters())
    kept_bytes = max(kept_bytes for _, _, kept_bytes in steps)
    return replace(total, tokens=tokens, padded=padded, needed=needed, kept=kept_bytes, state=state)


def _add_micro_batch(total: Expected, kernels: list[Kernel], device: Device) -> Expected:
    """A micro-batch more."""
    parts = Counter(total.parts)
    for kernel in kernels:
        parts[kernel.part] += kernel.seconds(device)  # type: ignore[assignment]
    kernel_seconds = sum(kernel.seconds(device) for kernel in kernels)
    return replace(
        total,
        seconds=total.seconds + max(kernel_seconds, len(kernels) * device.launch),
        launches=total.launches + len(kernels),
        flops=total.flops + sum(kernel.flops for kernel in kernels),
        moved=total.moved + sum(kernel.moved for kernel in kernels),
        parts=dict(parts),
    )


def main() -> None:
    """Calculate, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", required=True, help="Folder of a corpus, whose records' sizes are taken.")
    parser.add_argument("--size", default="luke-base", help="luke-base, luke-large or tiny.")
    parser.add_argument(
        "--records", type=int, default=256, help="Of a rank's part of a global batch (2,048 on 8 GPUs)."
    )
    parser.add_argument("--micro-batch-tokens", type=int, default=16_384)
    parser.add_argument("--their-batch", type=int, default=32)
    parser.add_argument("--ours", action="store_true", help="Ours alone, compiled, which is quick.")
    options = parser.parse_args()
    device, config = Device(), config_of_size(options.size, WORD_VOCABULARY, ENTITIES)
    ours, theirs = batches_of(options.corpus, config, options.records, options.micro_batch_tokens, options.their_batch)
    count = sum(int(batch["real"].sum()) for batch in ours)
    mean_length = f"{count / options.records:.0f} a record"
    longest = f"micro-batches of {options.micro_batch_tokens:,} padded positions at most"
    print(
        f"{options.size}: {options.records} records, {count:,} tokens, {mean_length}; {longest}; calculated\n\n{HEADER}"
    )
    base = None
    if not options.ours:
        base = expected(config, theirs, _THEIRS, device)
        name = f"transformers, {options.their_batch} records as they come"
        print(base.row(name, device, None), flush=True)
        print(expected(config, ours, _OURS_PLAIN, device).row(_OURS_PLAIN, device, base), flush=True)
    result = expected(config, ours, _OURS, device)
    print(result.row(_OURS, device, base), "", *result.where(), sep="\n", flush=True)
    memory = f"{result.kept / 1e9:.0f} GB are kept from forward to backward of the largest micro-batch"
    print(
        f"\n{memory} (less where layers are compiled), {result.state / 1e9:.0f} GB are weights, gradients and moments."
    )


if __name__ == "__main__":
    main()
