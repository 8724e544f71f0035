"""FlexAttention by blocks is SDPA with the dense mask, forward and backward; which of them is taken when.

PyTorch refuses its backward on a CPU, since there is no compiled kernel of it; what it computes uncompiled has one, and
that is what the mask of blocks is tried with here. The kernels themselves are tried by benchmarks/gpu_check.py.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from running import start
from torch.nn.attention import flex_attention as flex
from toy_family import ToyFamily
from uncompiled_flex import uncompiled_flex

from wikiprep.errors import UsageError
from wikiprep.pretrain import attention
from wikiprep.pretrain.attention import Sight, attend, attention_of, check_attention, choose_attention
from wikiprep.pretrain.config import TrainingConfig
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.family import LukeFamily
from wikiprep.pretrain.spot.family import SpotFamily
from wikiprep.tasks.finetune.family import TaskFamily

CPU, GPU = torch.device("cpu"), torch.device("cuda")


@pytest.fixture(autouse=True, scope="module")
def backward_on_a_cpu() -> Iterator[None]:
    with uncompiled_flex():
        yield


def sight(kind: str) -> Sight:
    made = Sight(0.0)
    choose_attention(torch.nn.Sequential(made), kind)
    return made


@st.composite
def segments(draw: st.DrawFn) -> torch.Tensor:
    """[B, L] as a packed batch has them: words of records, then their entities, with padding behind each."""
    rows, records = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    widths = draw(st.integers(8, 24)) * 8, draw(st.integers(0, 3)) * 8
    made = torch.zeros((rows, sum(widths)), dtype=torch.int64)
    for row in range(rows):
        for begin, width in ((0, widths[0]), widths):
            cuts = sorted(draw(st.lists(st.integers(0, width), min_size=records, max_size=records)))
            for number, (first, last) in enumerate(zip([0, *cuts], cuts, strict=False), 1):
                made[row, begin + first : begin + last] = number
    return made


@settings(max_examples=12, deadline=None)
@given(segments(), st.booleans(), st.sampled_from([torch.float64, torch.float32]), st.integers(0, 99))
def test_blocks_are_the_dense_mask(places: torch.Tensor, packed: bool, dtype: torch.dtype, seed: int) -> None:
    real = places > 0
    real[:, 0] = True  # a sequence without a token is none
    generator = torch.Generator().manual_seed(seed)
    shape = (len(real), 2, real.shape[1], 16)
    query, key, value, slope = (torch.randn(shape, generator=generator, dtype=dtype) for _ in range(4))
    found = []
    for kind in ("sdpa", "flex"):
        inputs = [part.clone().requires_grad_() for part in (query, key, value)]
        seen = sight(kind)(real, places if packed else None)
        assert isinstance(seen, flex.BlockMask) == (kind == "flex")
        mixed = attend(*inputs, seen, 0.0, 0.25)
        found.append([mixed.detach(), *torch.autograd.grad(mixed, inputs, slope)])
    near = 1e-12 if dtype == torch.float64 else 1e-5
    for dense, blocks in zip(*found, strict=True):
        torch.testing.assert_close(blocks, dense, rtol=near, atol=near)


def test_blocks_that_nobody_sees_are_left_out() -> None:
    places = torch.arange(1, 9).repeat_interleave(128)[None]
    seen = sight("flex")(places > 0, places)
    assert isinstance(seen, flex.BlockMask) and seen.sparsity() == 100 * 7 / 8


def test_by_device(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        check_attention("auto", 0.1, 64, CPU)
        == check_attention("auto", 0.0, 64, CPU)
        == "sdpa, all else without padding"
    )
    assert check_attention("sdpa", 0.0, 64, GPU) == "sdpa" and check_attention("flex", 0.0, 64, GPU) == "flex"
    for why in ("", "too old"):
        monkeypatch.setattr(attention, "why_not_flash", lambda device, size, why=why: why)
        for precision in ("bf16", "float32"):
            reason = "float32" if precision == "float32" else why
            for dropout, without in ((0.0, "flex for packed sequences, else sdpa"), (0.1, "sdpa for its dropout")):
                found = check_attention("auto", dropout, 64, GPU, precision)
                assert found == (f"{without} (flash cannot: {reason})" if reason else "flash without padding")
            if reason:
                with pytest.raises(UsageError, match=rf"FlashAttention cannot \({reason}\)"):
                    check_attention("varlen", 0.1, 64, GPU, precision)
            else:
                assert check_attention("varlen", 0.1, 64, GPU, precision) == "varlen"
    with pytest.raises(UsageError, match=r"attention weights are dropped \(0.1\)"):
        check_attention("flex", 0.1, 64, GPU)
    with pytest.raises(UsageError, match="on a CPU"):
        check_attention("flex", 0.0, 64, CPU)
    assert isinstance(sight("auto")(torch.ones(1, 8) > 0, torch.ones(1, 8)), torch.Tensor)


def test_the_kernel_is_tried_with_the_heads_that_it_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of entity-aware attention are doubled."""
    tried = []
    monkeypatch.setattr(attention, "why_not_flash", lambda device, size: tried.append(size) or "no")
    training = TrainingConfig()
    for aware in (False, True):
        config = LukeConfig(vocab_size=97, entity_vocab_size=61, hidden_size=24, heads=2, entity_aware_attention=aware)
        families = (
            LukeFamily(config, *[None] * 3),
            SpotFamily(config, *[None] * 5),
            TaskFamily(config, *[None] * 6),
        )
        for family in families:
            assert "flash cannot: no" in attention_of(family, training, GPU)
    assert tried == [12] * 3 + [24] * 3
    toy = ToyFamily(9, 16, 0.0, "")
    assert "without attention" in attention_of(toy, training, GPU) and len(tried) == 6


def test_dropped_weights_are_not_forgotten() -> None:
    real = torch.ones(1, 8) > 0
    with pytest.raises(UsageError, match="no dropout"):
        attend(*torch.zeros(3, 1, 2, 8, 16), sight("flex")(real, None), 0.1, 1.0)


def test_a_run_that_cannot_is_refused_before_its_folder_is_made(sample_corpus: Path, tmp_path: Path) -> None:
    (said,) = start(tmp_path / "run", sample_corpus, 'training.attention="flex"').wait(2)
    assert "no backward of it there" in said and not (tmp_path / "run").exists()
