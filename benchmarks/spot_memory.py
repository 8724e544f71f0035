"""How much memory does a step of SPOT take? The formula of pretrain/spot/step_memory.py beside a measured step.

    python benchmarks/spot_memory.py                              # base size, smaller cases: a minute
    python benchmarks/spot_memory.py --size luke-large --entities 1000000 --relations 1002 --sequences 96 --length 256

A step is run on tensors without numbers (torch's FakeTensorMode), so that the published size needs no such machine;
torch's MemTracker follows every storage that an operation makes, and when it is dropped. With --real on real tensors:
the same bytes. The kernels are those of the CPU, whose dropout keeps a number where a GPU's keeps a byte.
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import torch
from spot_batch import batch_of, sentence, sizes
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.distributed._tools.mem_tracker import MemTracker

from wikiprep.pretrain.family import Batch
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.spot.config import SpotConfig
from wikiprep.pretrain.spot.model import Spot
from wikiprep.pretrain.spot.step_memory import Load, step_memory

GB = 1e9


def main() -> None:
    """Measure, and print a line a precision."""
    options = arguments()
    text, config = sizes(options.size, options.entities, options.relations)
    text = replace(text, attention_dropout=0.0)  # a GPU's kernels keep no attention weights, the CPU's would
    tokens = options.length - 2
    record_shape = (options.mentions, options.pairs, options.entities, options.relations)
    batch = batch_of([sentence(number, tokens, *record_shape) for number in range(options.sequences)], config)
    for bf16 in (False, True):
        parameters, activation_bytes, step_bytes = measure_step(text, config, batch, bf16=bf16, real=options.real)
        load = Load.of(batch)
        ours = step_memory(parameters, text, config, load, bf16=bf16, fused=False)
        on_gpu = step_memory(parameters, text, config, load, bf16=bf16)
        print(
            f"{options.size}, {options.sequences} x {options.length}, {'bf16' if bf16 else 'float32'}: "
            f"kept from forward to backward {activation_bytes / GB:.3f} GB measured, "
            f"{ours.activations / GB:.3f} by the formula ({ours.activations / activation_bytes - 1:+.1%}); "
            f"with parameters, gradients and moments {step_bytes / GB:.3f} measured, "
            f"{ours.total / GB:.3f} by formula ({ours.total / step_bytes - 1:+.1%}); "
            f"on a GPU {on_gpu.total / GB:.1f} GB",
            flush=True,
        )


def measure_step(text: LukeConfig, config: SpotConfig, batch: Batch, *, bf16: bool, real: bool) -> tuple[int, int, int]:
    """Parameters; bytes of the tensors that are alive behind the forward pass beside them; and all that a step holds:
    these, the parameters with gradients and two moments, and what the backward pass adds at its peak."""
    with tensors(real) as mode:
        inputs = batch if mode is None else {name: mode.from_tensor(tensor) for name, tensor in batch.items()}
        model = Spot(text, config, None).train()
        parameters = sum(p.numel() for p in model.parameters())
        for parameter in model.parameters():  # of a micro-batch before
            parameter.grad = torch.zeros_like(parameter)
        tracker = MemTracker()
        tracker.track_external(model)
        with tracker:
            bytes_before = _total(tracker.get_tracker_snapshot("current"))
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bf16):
                losses = model(inputs)
            activation_bytes = _total(tracker.get_tracker_snapshot("current")) - bytes_before
            torch.stack([loss.float() for loss, _ in losses.values()]).sum().backward()
        peak = _total(tracker.get_tracker_snapshot("peak"))
    return parameters, activation_bytes, peak + 8 * parameters + _untracked(bytes_before, parameters)


def _untracked(before: int, parameters: int) -> int:
    """The gradients, where the tracker has not counted them."""
    return 0 if before >= 8 * parameters else 4 * parameters


@contextmanager
def tensors(real: bool) -> Iterator[Any]:
    """Tensors with numbers, or (a FakeTensorMode) without."""
    if real:
        yield None
        return
    with FakeTensorMode(allow_non_fake_inputs=False) as mode:
        yield mode


def _total(snapshot: dict[Any, dict[Any, int]]) -> int:
    return sum(values["Total"] for values in snapshot.values())


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="luke-base", help="of the text encoder: luke-base, luke-large, tiny")
    parser.add_argument("--entities", type=int, default=100_000)
    parser.add_argument("--relations", type=int, default=100)
    parser.add_argument("--sequences", type=int, default=8)
    parser.add_argument("--length", type=int, default=128)
    parser.add_argument("--mentions", type=int, default=8, help="of a sequence")
    parser.add_argument("--pairs", type=int, default=16, help="of a sequence, with a relation")
    parser.add_argument("--real", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
