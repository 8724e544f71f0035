"""The parts of gpu_check.py. Each yields its rows as they are found: a part that is cut off has said something."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import torch
from gpu_expected import comparison_row, device_of
from gpu_measure import Plan, Row, StepTime, empty_cache, measure_step
from luke_sides import (
    Batch,
    Shape,
    device_name,
    our_loss,
    our_model,
    random_batch,
    their_loss,
    their_model,
    training_step,
)
from step_model import expected
from torch import nn
from torch.nn import functional as F  # noqa: N812 (its usual name)

from wikiprep.pretrain.attention import choose_attention
from wikiprep.pretrain.compiling import fuse
from wikiprep.pretrain.config import OptimizerConfig
from wikiprep.pretrain.family import ParameterGroup, to_device
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.flops import training_flops
from wikiprep.pretrain.luke.loss_choice import has_torch_loss, own_loss, torch_loss
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.parameter_names import to_hugging_face
from wikiprep.pretrain.luke.softmax import cross_entropy_sum
from wikiprep.pretrain.optimizer import AdamW
from wikiprep.pretrain.pace import peak_of

_SINGLE, _HALF = 1e-5, 2e-2  # goals of parity, as shares of the greatest


def parity(plan: Plan) -> Iterator[Row]:
    """Losses and gradients of both sides on the same weights without dropout, in float32 and bf16."""
    for kind, config in _kinds(plan):
        plain = their_model(config).to(plan.device)
        model = our_model(config, plain)
        batch = _batch(config, plan.shape(min(4, plan.records)), plan)
        exact = _loss_and_gradients(plain, their_loss(plain, batch), False)
        for bf16, tolerance in ((False, _SINGLE), (True, _HALF)):
            differences = _relative_differences(exact, _loss_and_gradients(model, our_loss(model, batch), bf16))
            name = f"{_type(bf16)} against float32 of transformers, {kind}: loss; gradient"
            yield Row(
                "parity",
                name,
                f"{differences[0]:.1e}; {differences[1]:.1e}",
                f"{tolerance:.0e}",
                max(differences) <= tolerance,
            )
        # transformers' own rounding in bf16, to judge ours by.
        differences = _relative_differences(exact, _loss_and_gradients(plain, their_loss(plain, batch), True))
        yield Row(
            "parity", f"bf16 of transformers against its float32, {kind}", f"{differences[0]:.1e}; {differences[1]:.1e}"
        )


def packed(plan: Plan) -> Iterator[Row]:
    """Losses and gradients of packed records, by SDPA, Flex- and FlashAttention, against those of the records apart."""
    for kind, config in _kinds(plan):
        model = Luke(config).to(plan.device)
        shape = Shape(8, plan.words // 4, max(1, plan.entities // 4))
        separate, packed_batch = (_batch(config, replace(shape, together=count), plan) for count in (1, 4))
        with torch.set_grad_enabled(plan.on_gpu):  # PyTorch has no backward of FlexAttention on a CPU
            exact = _loss_and_gradients(model, our_loss(model, separate), False)
            for attention in ("sdpa", "flex", "varlen"):
                choose_attention(model, attention)
                for bf16, tolerance in ((True, _HALF), (False, _SINGLE)):
                    if attention == "varlen" and plan.on_gpu and not bf16:
                        continue  # FlashAttention takes half precision alone
                    differences = _relative_differences(
                        exact, _loss_and_gradients(model, our_loss(model, packed_batch), bf16)
                    )
                    name = f"four records a sequence, {attention}, {_type(bf16)}, {kind}, against float32 apart"
                    yield Row(
                        "packed",
                        name,
                        f"{differences[0]:.1e}; {differences[1]:.1e}",
                        f"{tolerance:.0e}",
                        max(differences) <= tolerance,
                    )


def _kinds(plan: Plan) -> list[tuple[str, LukeConfig]]:
    plain = replace(plan.parity, dropout=0.0, attention_dropout=0.0)
    return [("plain", plain), ("entity-aware", replace(plain, entity_aware_attention=True))]


def _type(bf16: bool) -> str:
    return "bf16" if bf16 else "float32"


def speed(plan: Plan) -> Iterator[Row]:
    """Tokens a second, MFU and peak memory of each side, by itself on the device; beside it what is calculated."""
    batch = _batch(plan.config, plan.shape(), plan)
    batch_words = f"{plan.records} records of {plan.words} words and {plan.entities} entities"
    yield Row("speed", f"one AdamW step of {batch_words}", f"{int(batch['real'].sum()):,} tokens")
    yield Row("speed", "attention kernels for its mask of padding", _kernels(plan, batch))
    plain = their_model(plan.config).to(plan.device)
    state = {name: tensor.cpu() for name, tensor in our_model(plan.config, plain).state_dict().items()}
    base = measure_step(training_step(plain, their_loss(plain, batch), plan.on_gpu), plan)
    yield _speed_row(plan, batch, "transformers", base, None)
    del plain
    for name, compiled, update, attention in (
        ("wikiprep", False, True, "sdpa"),
        ("wikiprep, compiled", True, True, "sdpa"),
        ("wikiprep, compiled, without AdamW (as in accumulation)", True, False, "sdpa"),
        ("wikiprep, compiled, flash without padding", True, True, "varlen"),
        ("wikiprep, compiled, flex, no attention dropout", True, True, "flex"),
    ):
        if attention == "flex" and not plan.on_gpu:
            continue  # PyTorch has no backward of it on a CPU
        empty_cache(plan)
        model = Luke(replace(plan.config, attention_dropout=0.0) if attention == "flex" else plan.config)
        model.load_state_dict(state)
        model.to(plan.device)
        choose_attention(model, attention)
        if compiled:
            plan.compiled(model)
        measurement = measure_step(training_step(model, our_loss(model, batch), plan.on_gpu, update), plan)
        yield _speed_row(plan, batch, name, measurement, base)
        if attention == "varlen":
            ours = measurement
        del model
    yield from _calculated_rows(plan, {"transformers": base, "wikiprep, compiled, flash without padding": ours})


def _calculated_rows(plan: Plan, measured: dict[str, StepTime]) -> Iterator[Row]:
    """What step_model.py calculates of the same batch; on a CPU it is of no device that is here, and stands alone."""
    empty_cache(plan)
    device, kind = device_of(device_name(plan.device))
    batch = random_batch(plan.config, plan.shape())
    for (name, measurement), side in zip(measured.items(), ("theirs", "ours"), strict=True):
        calculated = expected(plan.config, [batch], side, device)
        yield comparison_row(name, calculated, measurement if plan.on_gpu else None, device, kind)


def _speed_row(plan: Plan, batch: Batch, name: str, measurement: StepTime, base: StepTime | None) -> Row:
    tokens = int(batch["real"].sum())
    figure = f"{tokens / measurement.seconds:,.0f} tokens/s ({measurement.seconds * 1000:.1f} ms"
    figure += f" [{measurement.least * 1000:.1f} to {measurement.most * 1000:.1f}])"
    peak = peak_of(plan.device, "bf16")
    mfu = training_flops(plan.config, batch) / measurement.seconds / peak if peak else None
    figure += f", MFU {mfu:.1%}" if mfu else ""
    ratio = base.seconds / measurement.seconds if base else None
    figure += f", {ratio:.2f} times" if ratio else ""
    goal = "3 times, MFU 50 %" if plan.on_gpu and name.startswith("wikiprep, compiled") else ""
    good = bool(ratio and ratio >= 3 and mfu and mfu >= 0.5) if goal else None
    return Row("speed", name, figure + measurement.memory, goal, good)


def _kernels(plan: Plan, batch: Batch) -> str:
    if not plan.on_gpu:
        return "PyTorch's own for the CPU"
    config, (rows, width) = plan.config, batch["real"].shape
    shape = (rows, config.heads, width, config.hidden_size // config.heads)
    query = torch.zeros(shape, dtype=torch.bfloat16, device=plan.device, requires_grad=True)
    mask = batch["real"][:, None, None, :]
    backends = torch.backends.cuda
    parameters = backends.SDPAParams(query, query, query, mask, config.attention_dropout, False, False)
    usable = {
        "flash": backends.can_use_flash_attention(parameters),
        "efficient": backends.can_use_efficient_attention(parameters),
        "cuDNN": backends.can_use_cudnn_attention(parameters),
    }
    return ", ".join(f"{name} {'can' if is_usable else 'cannot'}" for name, is_usable in usable.items())


def packing(plan: Plan) -> Iterator[Row]:
    """Short records one a sequence, packed with the dense mask, and with FlexAttention; on a GPU compiled."""
    words, entities = plan.words // 4, max(1, plan.entities // 4)
    config = replace(plan.config, attention_dropout=0.0)
    count = plan.records * 4
    for together, attention in ((1, "sdpa"), (16, "sdpa"), (16, "flex"), (16, "varlen"), (4, "sdpa"), (4, "flex")):
        empty_cache(plan)
        together = min(together, count)
        batch = _batch(config, Shape(count, words, entities, together), plan)
        model = Luke(config).to(plan.device)
        choose_attention(model, attention)
        step = training_step(model, our_loss(model, batch), plan.on_gpu, update=False)
        if plan.on_gpu:
            plan.compiled(model)
        elif attention == "flex":
            step = _forward(our_loss(model, batch))  # PyTorch has no backward of it on a CPU
        measurement = measure_step(step, plan)
        name = f"{count} records of {words} words, {together} a sequence, {attention}"
        yield Row(
            "packing", name, f"{int(batch['real'].sum()) / measurement.seconds:,.0f} tokens/s{measurement.memory}"
        )
        del model, step


def optimizer(plan: Plan) -> Iterator[Row]:
    """A step of AdamW over all parameters: ours without bias correction, and torch's three ways."""
    model = Luke(plan.config).to(plan.device)
    parameters = list(model.parameters())
    for parameter in parameters:
        parameter.grad = torch.randn_like(parameter)
    gradients = [parameter.grad for parameter in parameters]
    numbers = sum(parameter.numel() for parameter in parameters)

    def restoring_gradients(step: Callable[[], object]) -> Callable[[], None]:
        def step_with_gradients() -> None:
            for parameter, gradient in zip(parameters, gradients, strict=True):
                parameter.grad = gradient
            step()

        return step_with_gradients

    for name, make in _optimizers(parameters).items():
        empty_cache(plan)
        measurement = measure_step(restoring_gradients(make()), plan)
        figure = f"{measurement.seconds * 1000:.2f} ms{measurement.memory}"
        yield Row("optimizer", f"{name}, {numbers / 1e6:.0f} million numbers", figure)


def _optimizers(parameters: list[nn.Parameter]) -> dict[str, Callable[[], Callable[[], object]]]:
    def ours() -> Callable[[], object]:
        adamw = AdamW([ParameterGroup(parameters, True)], OptimizerConfig(bias_correction=False))
        return lambda: adamw.step(1e-5)

    def theirs(**options: bool) -> Callable[[], object]:
        return torch.optim.AdamW(parameters, lr=1e-5, **options).step

    return {
        "ours without bias correction": ours,
        "torch.optim.AdamW, fused": lambda: theirs(fused=True),
        "torch.optim.AdamW, foreach": lambda: theirs(foreach=True),
        "torch.optim.AdamW, loop": lambda: theirs(foreach=False),
    }


def softmax(plan: Plan) -> Iterator[Row]:
    """Forward and backward of both heads' losses: ours in pieces, all scores at once, torch's linear_cross_entropy."""
    config = plan.config
    fuse(plan.on_gpu)
    entities, words = (plan.records * max(1, count * 15 // 100) for count in (plan.entities, plan.words))
    yield from _softmax(plan, "entities", entities, config.entity_vocab_size, config.entity_size)
    yield from _softmax(plan, "words", words, config.vocab_size, config.hidden_size)


def _softmax(plan: Plan, kind: str, rows: int, table_rows: int, size: int) -> Iterator[Row]:
    table = torch.randn(table_rows, size, device=plan.device).mul_(0.02).requires_grad_()
    bias = torch.zeros(table_rows, device=plan.device, requires_grad=True)
    hidden = torch.randn(rows, size, device=plan.device, requires_grad=True)
    targets = torch.randint(table_rows, (rows,), device=plan.device)
    leaves = (hidden, table, bias)

    def all_at_once() -> torch.Tensor:
        scores = hidden @ table.T + bias
        return F.cross_entropy(scores.float(), targets, reduction="sum")

    ways: dict[str, Callable[[], torch.Tensor]] = {"F.cross_entropy of all scores": all_at_once}
    for power in (22, 24, 26):
        ways[f"in pieces of 2^{power} scores"] = lambda limit=1 << power: cross_entropy_sum(
            hidden, table, bias, targets, limit
        )
    ways["as it is trained with"] = lambda: own_loss(hidden, table, bias, targets)
    if has_torch_loss():
        ways["torch's linear_cross_entropy"] = lambda: torch_loss(hidden, table, bias, targets)
    losses = {}
    for name, way in ways.items():

        def step(way: Callable[[], torch.Tensor] = way) -> torch.Tensor:
            for leaf in leaves:
                leaf.grad = None
            with torch.autocast(plan.device.type, torch.bfloat16, enabled=plan.on_gpu):
                loss = way()
            loss.backward()
            return loss.detach()

        empty_cache(plan)
        measurement = measure_step(step, plan)
        losses[name] = float(step())
        deviation = abs(losses[name] / next(iter(losses.values())) - 1)
        figure = f"{measurement.seconds * 1000:.2f} ms, apart by {deviation:.0e}{measurement.memory}"
        # Torch's sum is of bfloat16 on a GPU: `training.cross_entropy = "auto"` looks at that itself.
        is_ours = name != "torch's linear_cross_entropy"
        goal, good = ("1e-03", deviation <= 1e-3) if is_ours else ("", None)
        yield Row("softmax", f"{rows} rows, {table_rows:,} {kind}, {name}", figure, goal, good)


def profile(plan: Plan) -> Iterator[Row]:
    """What takes the time of three compiled steps."""
    batch = _batch(plan.config, plan.shape(), plan)
    model = plan.compiled(Luke(plan.config).to(plan.device))
    step = training_step(model, our_loss(model, batch), plan.on_gpu)
    for _ in range(3 if plan.on_gpu else 1):
        step()
    activities = [torch.profiler.ProfilerActivity.CPU]
    activities += [torch.profiler.ProfilerActivity.CUDA] if plan.on_gpu else []
    with torch.profiler.profile(activities=activities) as profiler:
        for _ in range(3):
            step()
        if plan.on_gpu:
            torch.cuda.synchronize()
    # On a GPU kernels alone: what started them has the same time once more.
    time_field = "self_device_time_total" if plan.on_gpu else "self_cpu_time_total"
    events = [e for e in profiler.key_averages() if not plan.on_gpu or e.device_type != torch.autograd.DeviceType.CPU]
    total = sum(getattr(event, time_field) for event in events) or 1
    for event in sorted(events, key=lambda event: -getattr(event, time_field))[:12]:
        share = getattr(event, time_field) / total
        yield Row("profile", event.key[:80].replace("|", "/"), f"{share:.1%}, {event.count} calls")


def _forward(loss: Callable[[], torch.Tensor]) -> Callable[[], None]:
    def step() -> None:
        with torch.no_grad():
            loss()

    return step


def _batch(config: LukeConfig, shape: Shape, plan: Plan) -> Batch:
    return to_device(random_batch(config, shape), plan.device)


def _loss_and_gradients(
    model: nn.Module, loss: Callable[[], torch.Tensor], bf16: bool
) -> tuple[float, dict[str, torch.Tensor]]:
    """The loss, and gradients by transformers' names (none where they are off)."""
    model.zero_grad()
    kind = next(model.parameters()).device.type
    with torch.autocast(kind, torch.bfloat16, enabled=bf16):
        value = loss()
    if value.requires_grad:
        value.backward()
    gradients = {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}
    if gradients and isinstance(model, Luke):
        gradients = to_hugging_face(gradients)
    return float(value.detach()), gradients


def _relative_differences(
    exact: tuple[float, dict[str, torch.Tensor]], computed: tuple[float, dict[str, torch.Tensor]]
) -> tuple[float, float]:
    """Of the loss, as a share of it, and of all gradients, as a share of the greatest."""
    loss = abs(computed[0] / exact[0] - 1)
    greatest = max((float(g.abs().max()) for g in exact[1].values()), default=1.0)
    shared = exact[1].keys() & computed[1].keys()
    assert len(shared) == len(exact[1])
    return loss, max(
        (float((computed[1][name] - exact[1][name]).abs().max()) for name in shared), default=0.0
    ) / greatest
