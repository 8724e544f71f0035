"""What should a training step of LUKE take on an H100? A calculation, without a GPU: operations, bytes and launches.

    python benchmarks/step_model.py --corpus corpus      # `wikiprep build-corpus --sample --output corpus`
    python benchmarks/step_model.py --corpus corpus --size luke-large

Both sides of luke_sides.py compute on fake tensors (shapes, no numbers), forward and backward, under autocast to bf16.
Each operation is a kernel that takes as long as the longer of its products and its bytes, at shares of the peak that
such kernels reach (`Device`); a step lasts as long as its kernels, or as the host takes to launch them. Compiled, what
stands between two products is one kernel, which reads what comes from without and writes what is used behind it.
The same global batch: ours cut as the trainer cuts it, without padding; theirs as records come, `--their-batch` at a
time, padded to the longest, all scores at once. AdamW is counted once a global batch, sums over ranks are not.
It is no measurement: gpu_check.py makes those, of a batch of its own (equal records); it does not print these figures.
"""

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np
import torch
from luke_sides import WORD_VOCABULARY, Batch, our_loss, their_loss, their_model
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry

from wikiprep.pretrain.attention import choose_attention
from wikiprep.pretrain.data.micro_batches import Cut, micro_batches
from wikiprep.pretrain.luke.collate import collate
from wikiprep.pretrain.luke.config import LukeConfig, sized
from wikiprep.pretrain.luke.flops import training_flops
from wikiprep.pretrain.luke.masking import mask
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.objective import Objective
from wikiprep.pretrain.luke.words import Words
from wikiprep.pretrain.varlen import Unpadded
from wikiprep.records.reader import RecordReader
from wikiprep.records.training_corpus import open_corpus

ENTITIES = 500_000


@dataclass(frozen=True)
class Device:
    """An H100 SXM as its maker gives it, and the shares of that which kernels are taken to reach."""

    peak: float = 989e12  # products in bf16, operations a second
    peak_single: float = 67e12  # in float32, without TF32
    bandwidth: float = 3.35e12  # bytes a second
    products: float = 0.70
    attention: float = 0.40  # FlashAttention 2
    memory: float = 0.80
    launch: float = 5e-6  # seconds of the host, one operation of a program that is not compiled


@dataclass
class Kernel:
    """One operation, or several that a compiler makes one of."""

    name: str
    flops: float
    half: bool
    in_layer: bool = True  # layers alone are compiled
    reads: dict[int, int] = field(default_factory=dict)  # storage -> bytes
    writes: dict[int, int] = field(default_factory=dict)

    @property
    def moved(self) -> int:
        """Bytes, read and written."""
        return sum(self.reads.values()) + sum(self.writes.values())

    def seconds(self, device: Device) -> float:
        share = device.attention if "attention" in self.name else device.products
        peak = device.peak if self.half else device.peak_single
        return max(self.flops / (peak * share), self.moved / (device.bandwidth * device.memory))


class Recorder(TorchDispatchMode):
    """Every operation that computes, in order. Views and what only makes a shape are none."""

    def __init__(self) -> None:
        super().__init__()
        self.kernels: list[Kernel] = []
        self.in_layer = False
        self._held: list[Any] = []  # so that no storage's number comes again

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made = func(*args, **(kwargs or {}))
        outputs, inputs = _tensors(made), _tensors((args, kwargs or {}))
        self._held += outputs
        packet = func._overloadpacket
        seen = {_number(tensor) for tensor in inputs}
        is_view = not func._schema.is_mutable and all(_number(tensor) in seen for tensor in outputs)
        if is_view or "empty" in str(packet):  # memory without a kernel
            return made
        count = flop_registry.get(packet)
        flops = count(*args, **(kwargs or {}), out_val=made) if count else 0
        half = any(tensor.dtype == torch.bfloat16 for tensor in inputs)
        name = str(packet).removeprefix("aten.")
        is_gather = name in ("index_select", "embedding", "gather")  # reads the rows that it takes
        reads = {} if is_gather else {_number(tensor): _size(tensor) for tensor in inputs}
        writes = {_number(tensor): _size(tensor) * (2 if is_gather else 1) for tensor in outputs}
        self.kernels.append(Kernel(name, flops, half, self.in_layer, reads, writes))
        return made


def _tensors(tree: Any) -> list[Tensor]:
    return [leaf for leaf in torch.utils._pytree.tree_leaves(tree) if isinstance(leaf, Tensor)]


def _number(tensor: Tensor) -> int:
    return tensor.untyped_storage()._cdata


def _size(tensor: Tensor) -> int:
    return tensor.numel() * tensor.element_size()


def fused(kernels: list[Kernel]) -> list[Kernel]:
    """What stands between two products of a layer as one kernel each: what is neither read from without nor used behind
    it never leaves the chip."""
    last_use: dict[int, int] = {}
    for number, kernel in enumerate(kernels):
        last_use |= dict.fromkeys(kernel.reads, number)
    made: list[Kernel] = []
    group: list[tuple[int, Kernel]] = []

    def close() -> None:
        if not group:
            return
        own: set[int] = set()
        joined = Kernel("fused", 0, True)
        for _, kernel in group:
            joined.reads |= {it: size for it, size in kernel.reads.items() if it not in own}
            own |= kernel.writes.keys()
            joined.writes |= kernel.writes
        behind = group[-1][0]
        joined.writes = {it: size for it, size in joined.writes.items() if last_use.get(it, -1) > behind}
        made.append(joined)
        group.clear()

    for number, kernel in enumerate(kernels):
        if kernel.flops or "attention" in kernel.name or not kernel.in_layer:
            close()
            made.append(kernel)
        else:
            group.append((number, kernel))
    close()
    return made


@contextmanager
def on_fakes() -> Iterator[FakeTensorMode]:
    """Fake tensors on the CPU (autograd wants a CUDA device for others), with the kernel that a GPU would take."""

    def flash(query: Tensor, key: Tensor, value: Tensor, seen: Unpadded, dropout: float, scale: float) -> Tensor:
        most, ends = seen.longest, seen.offsets
        made: Tensor = torch.ops.aten._flash_attention_forward(
            query, key, value, ends, ends, most, most, dropout, False, False, scale=scale
        )[0]
        return made

    with (
        FakeTensorMode(allow_non_fake_inputs=True) as mode,
        patch("wikiprep.pretrain.luke.attention.attend_unpadded", flash),
    ):
        yield mode


def recorded(
    model: nn.Module, loss_of: Callable[[Batch], Callable[[], Tensor]], batch: Batch, mode: Any
) -> list[Kernel]:
    """Forward and backward of a batch."""
    fakes = {name: mode.from_tensor(tensor) for name, tensor in batch.items()}
    loss = loss_of(fakes)
    recorder = Recorder()
    with recorder, _marked(model, recorder):
        with torch.autocast("cpu", torch.bfloat16):
            value = loss()
        value.backward()
    for parameter in model.parameters():
        parameter.grad = None
    return recorder.kernels


@contextmanager
def _marked(model: nn.Module, recorder: Recorder) -> Iterator[None]:
    """Tell the recorder what is of our layers, forward and backward."""

    def told(inside: bool) -> Callable[..., None]:
        return lambda *words: setattr(recorder, "in_layer", inside)

    handles = []
    for layer in model.layers if isinstance(model, Luke) else ():
        handles += [layer.register_forward_pre_hook(told(True)), layer.register_forward_hook(told(False))]
        handles += [layer.register_full_backward_pre_hook(told(True)), layer.register_full_backward_hook(told(False))]
    yield
    for handle in handles:
        handle.remove()


def attention_flops(kernels: list[Kernel], batch: Batch, config: LukeConfig) -> None:
    """FlashAttention's of records: the registry counts all as long as the longest."""
    lengths = np.diff(batch["offsets"].numpy()).astype(np.float64)
    forward = 4.0 * config.hidden_size * float((lengths**2).sum())
    for kernel in kernels:
        if "_flash_attention" in kernel.name:
            kernel.flops = forward * (2.5 if "backward" in kernel.name else 1)


def batches_of(
    corpus: str, config: LukeConfig, records: int, limit: int, theirs: int
) -> tuple[list[Batch], list[Batch]]:
    """A global batch of records as long as the corpus's, drawn at random (a small one's come again), cut both ways."""
    reader = RecordReader(open_corpus(corpus, 0.0))
    rng = np.random.default_rng(0)
    found = [reader.peek(number) for number in rng.integers(len(reader), size=records).tolist()]
    fitted = [
        replace(record, word_ids=record.word_ids % (WORD_VOCABULARY - 10) + 4, entity_ids=record.entity_ids % ENTITIES)
        for record in found
    ]
    size = config.vocab_size
    words = Words(size, 0, 2, 1, size - 1, np.arange(size) % 4 > 0, np.arange(4, size - 1, dtype=np.int32))
    masked = [mask(record, words, Objective(), np.random.default_rng(n)) for n, record in enumerate(fitted)]

    def batch(numbers: list[int]) -> Batch:
        return collate([fitted[n] for n in numbers], [masked[n] for n in numbers], None, words, True)

    sizes = [(len(record.word_ids) + 2, len(record.entity_ids)) for record in fitted]
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

    def row(self, name: str, device: Device, base: "Expected | None") -> str:
        pace = self.tokens / self.seconds
        ratio = f"{pace / (base.tokens / base.seconds):.1f}" if base else "1"
        moved, mfu = self.moved / 1e9, self.needed / self.seconds / device.peak
        figures = f"{self.padded / self.tokens - 1:.0%} | {self.flops / 1e12:.1f} | {moved:.0f} | {self.launches:,}"
        return f"| {name} | {figures} | {self.seconds * 1000:.0f} | {pace:,.0f} | {mfu:.0%} | {ratio} |"


HEADER = (
    "| | padding | TFLOP | GB moved | launches | ms | tokens/s | MFU | times |\n|---|---|---|---|---|---|---|---|---|"
)


def expected(config: LukeConfig, batches: list[Batch], of: str, device: Device) -> Expected:
    """`of`: "ours" (compiled layers), "ours, not compiled", "theirs"."""
    with on_fakes() as mode:
        model = their_model(config) if of == "theirs" else Luke(config, seed=None)
        if isinstance(model, Luke):
            choose_attention(model, "varlen")
        model.train()
        side = their_loss if of == "theirs" else our_loss
        steps = [recorded(model, partial(side, model), batch, mode) for batch in batches]
    update = 28.0 * sum(parameter.numel() for parameter in model.parameters())  # reads 4, writes 3 float32
    seconds, flops, moved, launches = update / (device.bandwidth * device.memory), 0.0, update, 0
    for kernels, batch in zip(steps, batches, strict=True):
        if of != "theirs":
            attention_flops(kernels, batch, config)
        made = fused(kernels) if of == "ours" else kernels
        seconds += max(sum(kernel.seconds(device) for kernel in made), len(made) * device.launch)
        flops += sum(kernel.flops for kernel in made)
        moved += sum(kernel.moved for kernel in made)
        launches += len(made)
    tokens = sum(int(batch["real"].sum()) for batch in batches)
    padded = sum(batch["real"].numel() for batch in batches) if of == "theirs" else tokens
    needed = sum(training_flops(config, batch) for batch in batches)
    return Expected(tokens, padded, seconds, launches, flops, moved, needed)


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
    options = parser.parse_args()
    device, config = Device(), sized(options.size, WORD_VOCABULARY, ENTITIES)
    ours, theirs = batches_of(options.corpus, config, options.records, options.micro_batch_tokens, options.their_batch)
    count = sum(int(batch["real"].sum()) for batch in ours)
    each = f"{count / options.records:.0f} a record"
    print(f"{options.size}: {options.records} records, {count:,} tokens, {each}; calculated\n\n{HEADER}")
    base = expected(config, theirs, "theirs", device)
    print(base.row("transformers, 32 records as they come", device, None), flush=True)
    for of in ("ours, not compiled", "ours"):
        print(expected(config, ours, of, device).row(of, device, base), flush=True)


if __name__ == "__main__":
    main()
