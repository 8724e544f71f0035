"""What a training step asks of a GPU, from fake tensors: operations, bytes and launches, kernel by kernel.

Each operation is a kernel that takes as long as the longer of its products and its bytes, at shares of the peak that
such kernels reach (`Device`), and no less than any kernel takes. Compiled, what stands between two products is one
kernel (`fuse_kernels`), which reads what comes from without and writes what is used behind it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry

from wikiprep.pretrain.compiling import Fused
from wikiprep.pretrain.luke import loss_choice
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.unpadded_attention import Unpadded


@dataclass(frozen=True)
class Device:
    """An H100 SXM as its maker gives it, and the shares of that which kernels are taken to reach.

    None was measured by us. `products`: cuBLAS in bf16 is known for 600 to 790 TFLOP/s at large sizes, where power and
    not the units is the limit; ours have 768 or 1,024 on a side. `attention`: "35 % utilization on the H100" is what
    FlashAttention-3 (Shah et al. 2024, abstract) says of FlashAttention 2, which PyTorch has; less at 512 tokens and
    with dropout. `memory`: plain kernels read and write 2.6 to 2.8 TB/s. `least`: a kernel behind another on one
    stream, however small.
    """

    peak: float = 989e12  # products in bf16, operations a second
    peak_single: float = 67e12  # in float32, without TF32
    bandwidth: float = 3.35e12  # bytes a second
    products: float = 0.70
    attention: float = 0.30
    memory: float = 0.80
    least: float = 2e-6  # seconds
    launch: float = 5e-6  # seconds of the host, one operation of a program that is not compiled


@dataclass
class Kernel:
    """One operation, or several that a compiler makes one of."""

    name: str
    flops: float
    half: bool
    region: int = 0  # what is compiled together; 0: not compiled
    layer: bool = False
    reads: dict[int, int] = field(default_factory=dict)  # storage -> bytes
    writes: dict[int, int] = field(default_factory=dict)
    again: int = 0  # bytes that are read once more
    sums_rows: bool = False  # of one tensor, which a kernel that goes through it row by row reads once more

    @property
    def moved(self) -> int:
        """Bytes, read and written."""
        return sum(self.reads.values()) + sum(self.writes.values()) + self.again

    @property
    def part(self) -> str:
        """The part of a step that it belongs to."""
        place = "layers" if self.layer else "outside"
        if "attention" in self.name:
            return "layers: attention"
        return f"{place}: products" if self.flops else f"{place}: the rest"

    def seconds(self, device: Device) -> float:
        share = device.attention if "attention" in self.name else device.products
        peak = device.peak if self.half else device.peak_single
        return max(self.flops / (peak * share), self.moved / (device.bandwidth * device.memory), device.least)


# Operations that read the rows they take, or write the rows they are given, of a larger tensor.
_TAKES = ("index_select", "embedding", "gather", "index")
_PUTS = {"index_put_": 3, "_index_put_impl_": 3, "index_add_": 3, "index_copy_": 2}  # times what is put
_WRITES_ALL = ("copy_", "zero_", "fill_")  # reads nothing of what it writes to


class Recorder(TorchDispatchMode):
    """Every operation that computes, in order. Views and what only makes a shape are none."""

    def __init__(self) -> None:
        super().__init__()
        self.kernels: list[Kernel] = []
        self.region, self.regions, self.in_layer = 0, 0, False
        self._noise: set[int] = set()
        # So that no storage's number comes again. No reference: autograd looks for others before it takes a gradient.
        self._storages: dict[int, StorageWeakRef] = {}
        self._bytes: dict[int, int] = {}

    def enter(self, layer: bool = False) -> None:
        """From here on what is compiled together."""
        self.regions += 1
        self.region, self.in_layer = self.regions, layer

    def leave(self) -> None:
        """From here on nothing is compiled together."""
        self.region, self.in_layer = 0, False

    def alive(self) -> set[int]:
        """Storages that somebody has now: behind a backward pass the gradients of parameters."""
        return {it for it, reference in self._storages.items() if not reference.expired()}

    def kept(self) -> int:
        """Bytes of the storages that are alive."""
        return sum(
            self._bytes[it] // (2 if it in self._noise else 1)  # a byte a number, of bfloat16
            for it in self.alive()
        )

    def add(
        self,
        name: str,
        flops: float,
        half: bool,
        reads: dict[int, int],
        writes: dict[int, int],
        sums_rows: bool = False,
    ) -> None:
        """Add a kernel."""
        self.kernels.append(Kernel(name, flops, half, self.region, self.in_layer, reads, writes, sums_rows=sums_rows))

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        outputs, inputs = tensors(result), tensors((args, {name: it for name, it in kwargs.items() if name != "out"}))
        for tensor in outputs:
            self._storages.setdefault(number(tensor), StorageWeakRef(tensor.untyped_storage()))
            self._bytes.setdefault(number(tensor), tensor.untyped_storage().nbytes())
        packet = func._overloadpacket
        name = str(packet).removeprefix("aten.")
        seen = {number(tensor) for tensor in inputs}
        is_view = not func._schema.is_mutable and all(number(tensor) in seen for tensor in outputs)
        if is_view or "empty" in name:  # memory without a kernel
            return result
        if name == "bernoulli_":
            # PyTorch's and the compiler's dropout on a GPU: a byte a number, drawn by the kernel that drops.
            self._noise |= {number(tensor) for tensor in outputs}
        if name in ("bernoulli_", "div_") and number(outputs[0]) in self._noise:
            return result
        count = flop_registry.get(packet)
        flops = count(*args, **kwargs, out_val=result) if count else 0
        half = any(tensor.dtype == torch.bfloat16 for tensor in inputs)
        reads = {number(tensor): self._size(tensor) for tensor in inputs}
        writes = {number(tensor): self._size(tensor) for tensor in outputs}
        if name in _TAKES:
            reads, writes = {}, {it: 2 * size for it, size in writes.items()}
        elif name in _PUTS:
            writes = {number(outputs[0]): _PUTS[name] * self._size(inputs[-1])}
            reads = {}
        elif name in _WRITES_ALL:
            reads = {number(tensor): self._size(tensor) for tensor in inputs[1:]}
        sums_rows = name == "sum" and len(args) > 1 and args[1] == [0] and inputs[0].dim() > 1
        self.add(name, flops, half, reads, writes, sums_rows)
        return result

    def _size(self, tensor: Tensor) -> int:
        return tensor.numel() * (1 if number(tensor) in self._noise else tensor.element_size())


def tensors(tree: Any) -> list[Tensor]:
    """All that are in it."""
    return [leaf for leaf in torch.utils._pytree.tree_leaves(tree) if isinstance(leaf, Tensor)]


def number(tensor: Tensor) -> int:
    """The number of its storage."""
    return tensor.untyped_storage()._cdata


def fuse_kernels(kernels: list[Kernel], alive: set[int]) -> list[Kernel]:
    """What stands between two products of one region as one kernel each: what is neither read from without nor used
    behind it, nor `alive` at the end, never leaves the chip."""
    last_use = dict.fromkeys(alive, len(kernels))
    for place, kernel in enumerate(kernels):
        last_use |= {it: max(place, last_use.get(it, 0)) for it in kernel.reads}
    fused_kernels: list[Kernel] = []
    group: list[tuple[int, Kernel]] = []

    def close() -> None:
        if not group:
            return
        own_storages: set[int] = set()
        fused_kernel = Kernel("fused", 0, True, group[0][1].region, group[0][1].layer)
        for _, kernel in group:
            fused_kernel.reads |= {it: size for it, size in kernel.reads.items() if it not in own_storages}
            own_storages |= kernel.writes.keys()
            fused_kernel.writes |= kernel.writes
            if kernel.sums_rows:  # read once more where others of the kernel go through the same row by row
                (summed,) = kernel.reads
                others = [other for _, other in group if other is not kernel]
                if any(summed in other.reads or summed in other.writes for other in others):
                    fused_kernel.again += kernel.reads[summed]
        end = group[-1][0]
        fused_kernel.writes = {it: size for it, size in fused_kernel.writes.items() if last_use.get(it, -1) > end}
        fused_kernels.append(fused_kernel)
        group.clear()

    for place, kernel in enumerate(kernels):
        is_alone = bool(kernel.flops) or "attention" in kernel.name or not kernel.region
        if is_alone or (group and group[0][1].region != kernel.region):
            close()
        if is_alone:
            fused_kernels.append(kernel)
        else:
            group.append((place, kernel))
    close()
    return fused_kernels


@contextmanager
def on_fakes(recorder: Recorder | None = None) -> Iterator[FakeTensorMode]:
    """Fake tensors on the CPU (autograd wants a CUDA device for others), with the code that a GPU would take.

    `recorder`: it hears of what is compiled outside layers.
    """

    def flash(query: Tensor, key: Tensor, value: Tensor, seen: Unpadded, dropout: float, scale: float) -> Tensor:
        longest, offsets = seen.longest, seen.offsets
        output: Tensor = torch.ops.aten._flash_attention_forward(
            query, key, value, offsets, offsets, longest, longest, dropout, False, False, scale=scale
        )[0]
        return output

    def wide_product(output: Tensor, left: Tensor, right: Tensor) -> None:
        if recorder is not None:
            flops = 2.0 * left.shape[0] * left.shape[1] * right.shape[1]
            reads = {number(it): it.numel() * it.element_size() for it in (left, right)}
            recorder.add("mm", flops, True, reads, {number(output): output.numel() * output.element_size()})

    def call(function: Fused[Any, Any], *inputs: Any) -> Any:
        if recorder is None or recorder.region:
            return function.plain(*inputs)
        recorder.enter()
        output = function.plain(*inputs)
        recorder.leave()
        with_gradient = [tensor for tensor in inputs if isinstance(tensor, Tensor) and tensor.requires_grad]
        if isinstance(output, Tensor) and output.requires_grad and with_gradient:
            output.register_hook(lambda slope: recorder.enter())
            with_gradient[0].register_hook(lambda slope: recorder.leave())
        return output

    softmax = "wikiprep.pretrain.luke.softmax"
    with (
        FakeTensorMode(allow_non_fake_inputs=True) as mode,
        patch("wikiprep.pretrain.luke.attention.attend_unpadded", flash),
        patch(f"{softmax}.product_into", wide_product),
        patch.object(loss_choice, "SCORES", loss_choice.KEEP),  # what is kept on a GPU
        patch.object(Fused, "__call__", call),
    ):
        yield mode


@contextmanager
def layers_marked(model: nn.Module, recorder: Recorder) -> Iterator[None]:
    """Tell the recorder what is of our layers, forward and backward."""

    def hook(inside: bool) -> Callable[..., None]:
        return lambda *words: recorder.enter(layer=True) if inside else recorder.leave()

    handles = []
    for layer in model.layers if isinstance(model, Luke) else ():
        handles += [layer.register_forward_pre_hook(hook(True)), layer.register_forward_hook(hook(False))]
        handles += [layer.register_full_backward_pre_hook(hook(True)), layer.register_full_backward_hook(hook(False))]
    yield
    for handle in handles:
        handle.remove()
