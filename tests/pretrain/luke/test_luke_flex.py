"""LUKE by FlexAttention is LUKE by SDPA: losses and gradients of packed and padded batches, both kinds of attention."""

import numpy as np
import pytest
import torch
from luke_cases import batch_of, random_record, variants
from uncompiled_flex import uncompiled_flex

from wikiprep.pretrain.attention import choose_attention
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.model import Luke

PACKED = [0, 0, 0, 1, 2, 2, 2, 2]


@pytest.mark.parametrize("config", variants(), ids=["plain", "entity-aware"])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=["double", "single"])
@pytest.mark.parametrize("rows", [PACKED, None], ids=["packed", "padded"])
def test_losses_and_gradients_are_equal(config: LukeConfig, dtype: torch.dtype, rows: list[int] | None) -> None:
    rng = np.random.default_rng(7)
    batch = batch_of([random_record(rng) for _ in PACKED], rows)
    assert not batch["real"].all()
    model = Luke(config, seed=3).to(dtype)
    with torch.no_grad():
        generator = torch.Generator().manual_seed(4)
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn(parameter.shape, generator=generator, dtype=dtype))
    found = []
    for kind in ("sdpa", "flex"):
        choose_attention(model, kind)
        model.zero_grad()
        with uncompiled_flex():
            sums = model(batch)
            torch.stack([total for total, _ in sums.values()]).sum().backward()
        gradients = [p.grad.clone() for p in model.parameters() if p.grad is not None]
        found.append([*(total.detach() for total, _ in sums.values()), *gradients])
    near = 1e-12 if dtype == torch.float64 else 1e-5
    for dense, blocks in zip(*found, strict=True):
        assert float((dense - blocks).abs().max()) <= near * max(1.0, float(dense.abs().max()))


@pytest.mark.parametrize("config", variants(), ids=["plain", "entity-aware"])
def test_half_precision_reaches_the_kernel_as_one_type(config: LukeConfig) -> None:
    rng = np.random.default_rng(8)
    batch = batch_of([random_record(rng) for _ in range(5)], rows=[0, 0, 1, 2, 2])
    model = Luke(config).eval()
    losses = []
    for kind in ("sdpa", "flex"):
        choose_attention(model, kind)
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16), uncompiled_flex():
            losses.append([float(total) for total, _ in model(batch).values()])
    assert losses[1] == pytest.approx(losses[0], rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("config", variants(), ids=["plain", "entity-aware"])
def test_compiled_layers_take_blocks_of_any_width_without_a_break(config: LukeConfig) -> None:
    """As on a GPU but for the kernels themselves: layers are traced with the mask of blocks as an input."""
    torch._dynamo.utils.counters.clear()
    rng = np.random.default_rng(7)
    model, plain = Luke(config, seed=3), Luke(config, seed=3)
    choose_attention(model, "flex")
    for layer in model.layers:
        layer.compile(dynamic=True, backend="aot_eager", fullgraph=True)
    for count in (8, 6, 7, 5):
        batch = batch_of([random_record(rng) for _ in range(count)], rows=PACKED[:count])
        found = []
        for one in (model, plain):
            one.zero_grad()
            with uncompiled_flex():
                torch.stack([total for total, _ in one(batch).values()]).sum().backward()
            found.append([p.grad.clone() for p in one.parameters() if p.grad is not None])
        for blocks, dense in zip(*found, strict=True):
            torch.testing.assert_close(blocks, dense, rtol=1e-4, atol=1e-4)
    graphs = torch._dynamo.utils.counters["stats"]["unique_graphs"]
    torch._dynamo.reset()
    assert graphs <= 6  # a first and a last layer, each with the first width and with any
