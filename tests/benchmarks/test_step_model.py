"""The calculated step has the operations that a hand counts, the bytes of its kernels, and a table that says so."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import step_model  # noqa: E402
from gpu_expected import comparison_row, device_of  # noqa: E402
from gpu_measure import StepTime  # noqa: E402
from luke_sides import Shape, random_batch  # noqa: E402
from step_kernels import Device, Kernel, Recorder, fuse_kernels, on_fakes  # noqa: E402
from step_model import Expected, expected  # noqa: E402

from wikiprep.pretrain.compiling import Fused  # noqa: E402
from wikiprep.pretrain.luke.config import LukeConfig  # noqa: E402
from wikiprep.pretrain.luke.flops import training_flops  # noqa: E402

CONFIG = LukeConfig(
    vocab_size=600, entity_vocab_size=900, hidden_size=64, entity_size=32, layers=2, heads=1, intermediate_size=128
)


def test_bytes_and_operations_of_one_product() -> None:
    recorder = Recorder()
    with on_fakes() as mode:
        left, right = (mode.from_tensor(torch.zeros(shape, dtype=torch.bfloat16)) for shape in ((40, 64), (64, 10)))
        with recorder:
            left @ right
    (product,) = recorder.kernels
    assert (product.name, product.flops, product.half) == ("mm", 2 * 40 * 64 * 10, True)
    assert product.moved == 2 * (40 * 64 + 64 * 10 + 40 * 10)


def test_time_is_the_longer_of_products_and_bytes_and_no_less_than_any_kernel_takes() -> None:
    device = Device(peak=1e12, bandwidth=1e9, products=0.5, attention=0.25, memory=0.5, least=1e-6)
    assert Kernel("mm", 1e9, True, reads={1: 1000}).seconds(device) == 1e9 / 0.5e12
    assert Kernel("mm", 1e9, True, reads={1: 10**7}).seconds(device) == 10**7 / 0.5e9
    assert Kernel("_flash_attention_forward", 1e9, True).seconds(device) == 1e9 / 0.25e12
    assert Kernel("add", 0, False, reads={1: 4}).seconds(device) == 1e-6


def test_what_is_written_in_place_or_by_rows_is_no_pass_over_all() -> None:
    recorder = Recorder()
    with on_fakes() as mode:
        table, rows = mode.from_tensor(torch.zeros(1000, 8)), mode.from_tensor(torch.zeros(5, 8))
        ids = mode.from_tensor(torch.zeros(5, dtype=torch.long))
        with recorder:
            table.index_select(0, ids)
            table.copy_(table.clone())
            table.index_add_(0, ids, rows)
    select, clone, copy, add = recorder.kernels
    assert select.moved == 2 * 5 * 8 * 4 and add.moved == 3 * 5 * 8 * 4
    assert clone.moved == copy.moved == 2 * 1000 * 8 * 4


@Fused
def four_operations(numbers: Tensor) -> Tensor:
    """One kernel where it is compiled."""
    return ((numbers + 1).exp() * 2).tanh()


def test_a_fused_function_is_one_kernel_that_reads_and_writes_once() -> None:
    recorder = Recorder()
    with on_fakes(recorder) as mode, recorder:
        numbers = mode.from_tensor(torch.zeros(100))
        recorder.kernels.clear()
        made = four_operations(numbers)
        alive = recorder.alive()
    assert len(recorder.kernels) == 4 and made.shape == (100,)
    (kernel,) = fuse_kernels(recorder.kernels, alive)
    assert kernel.moved == 2 * 400 and kernel.part == "outside: the rest"
    assert sum(found.moved for found in recorder.kernels) == 8 * 400


def test_a_sum_over_rows_reads_once_more_only_what_others_of_its_kernel_read_or_wrote() -> None:
    rows = Kernel("sum", 0, True, 1, reads={1: 1000}, writes={2: 10}, sums_rows=True)
    other = Kernel("mul", 0, True, 1, reads={3: 500}, writes={4: 500})
    of_same = Kernel("mul", 0, True, 1, reads={1: 1000}, writes={4: 500})
    maker = Kernel("mul", 0, True, 1, reads={3: 500}, writes={1: 1000})
    alive = {2, 4}
    moved = {
        name: [kernel.moved for kernel in fuse_kernels(kernels, alive)]
        for name, kernels in {"apart": [rows, other], "same": [rows, of_same], "made": [maker, rows]}.items()
    }
    assert moved == {"apart": [1000 + 10 + 500 + 500], "same": [1000 + 10 + 500 + 1000], "made": [500 + 10 + 1000]}


def test_operations_are_those_of_the_formula_and_what_is_known_to_come_to_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours computes what MFU counts, but for mean positions of mentions; no scores are made twice."""
    # Whole blocks of attention are no operations that are needed: blocks of one row leave the formula's.
    monkeypatch.setattr(step_model, "_BLOCK", (1, 1))
    batch = random_batch(CONFIG, Shape(3, 50, 6))
    found = expected(CONFIG, [batch], "ours", Device())
    formula = training_flops(CONFIG, batch)
    positions = 2 * 2 * int(batch["real"][:, batch["word_ids"].shape[1] :].sum()) * CONFIG.max_positions * 64
    # FlashAttention's backward makes the scores once more: half a forward.
    lengths = batch["offsets"].diff().double()
    again = 0.5 * 4 * CONFIG.hidden_size * float((lengths**2).sum()) * CONFIG.layers
    assert found.flops == pytest.approx(formula + positions + again, rel=1e-12)
    assert found.needed == formula and found.tokens == int(batch["real"].sum())


def test_gradients_of_micro_batches_are_added_and_the_optimiser_comes_once() -> None:
    batch = random_batch(CONFIG, Shape(3, 50, 6))
    device = Device()
    one, two = (expected(CONFIG, [batch] * count, "ours", device) for count in (1, 2))
    again = two.moved - one.moved - (one.moved - one.parts["AdamW"] * device.bandwidth * device.memory)
    parameters = one.state / 16
    assert again == pytest.approx(
        12 * parameters, rel=0.35
    )  # reads two, writes one; the first are written as they come
    assert two.parts["AdamW"] == one.parts["AdamW"] and two.launches > 2 * one.launches
    without = expected(CONFIG, [batch], "ours", device, update=False)
    assert one.seconds - without.seconds == pytest.approx(one.parts["AdamW"])
    assert 0 < one.kept == two.kept


def test_whole_blocks_of_attention_are_counted() -> None:
    batch = random_batch(CONFIG, Shape(2, 100, 4))  # 104 tokens: a block of 128 rows, two of 64 columns
    kernels = [Kernel("_flash_attention_forward", 1, True), Kernel("_flash_attention_backward", 1, True)]
    step_model.attention_flops(kernels, batch, CONFIG)
    assert kernels[0].flops == 2 * 4 * 64 * 128 * 128 and kernels[1].flops == 2.5 * kernels[0].flops


def test_the_table() -> None:
    device = Device(peak=1e12)
    base = Expected(1000, 1500, 0.1, 10, 1e12, 2e9, 0.02e12)
    found = replace(base, padded=1000, seconds=0.025, parts={"layers: products": 0.02, "AdamW": 0.005})
    assert base.row("theirs", device, None) == "| theirs | 50% | 1.0 | 2 | 10 | 100.0 | 10,000 | 20% | 1 |"
    assert found.row("ours", device, base) == "| ours | 0% | 1.0 | 2 | 10 | 25.0 | 40,000 | 80% | 4.0 |"
    assert step_model.HEADER.splitlines()[0].count("|") == found.row("ours", device, base).count("|")
    assert found.where()[2:] == ["| AdamW | 5.0 | 20% |", "| layers: products | 20.0 | 80% |"]


def test_calculated_stands_beside_measured() -> None:
    found = Expected(1000, 1000, 0.020, 10, 1e12, 2e9, 0.01e12)
    device = Device(peak=1e12)
    near, far = (
        comparison_row("ours", found, StepTime(seconds, seconds, seconds, 0), device, "H100")
        for seconds in (0.022, 0.04)
    )
    assert near.figure == "20.0 ms, MFU 50.0% calculated for H100; 22.0 ms measured, 1.10 times that"
    assert near.good is True and far.good is False and "2.00 times" in far.figure
    alone = comparison_row("ours", found, None, device, "H100")
    assert alone.good is None and "measured" not in alone.figure
    assert device_of("NVIDIA H200")[0].bandwidth == 4.8e12 and device_of("NVIDIA H100 80GB HBM3")[1] == "H100"
    assert "is not" in device_of("NVIDIA A100")[1]
