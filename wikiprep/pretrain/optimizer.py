"""AdamW over the family's parameter groups, on torch's own fused kernels, and the learning rate of a step.

With or without bias correction; the norm of gradients too. The rate is a linear rise to the peak, then a linear fall to
0 at the end of the stage.

The reference leaves the correction out (as BERT's code did), which torch's AdamW cannot. Its step t divides the moments
by c1 = 1 - beta1^t and c2^2 = 1 - beta2^t; with lr c1/c2, eps/c2 and decay c2/c1 in place of lr, eps and decay the same
kernel computes the uncorrected update, lr m/(sqrt(v) + eps), exactly. A rank may hold a share of a tensor (DTensor).
"""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.distributed.tensor import DTensor

from wikiprep.pretrain.config import OptimizerConfig, StageConfig
from wikiprep.pretrain.family import ParameterGroup


class AdamW:
    """Moments are float32, as parameters are; `step` t counts from 1 and restarts with a stage."""

    def __init__(self, groups: list[ParameterGroup], config: OptimizerConfig) -> None:
        self._config = config
        self._groups = groups = [part for group in groups for part in _split_by_spread(group)]
        parameters = [
            {"params": group.parameters, "weight_decay": config.weight_decay if group.decay else 0.0}
            for group in groups
        ]
        first = groups[0].parameters[0]
        self._fused = first.device.type in ("cuda", "cpu")
        self._optimizer = torch.optim.AdamW(
            parameters,
            lr=0.0,
            betas=(config.beta1, config.beta2),
            eps=config.epsilon,
            fused=True if self._fused else None,
        )
        self.begin_at(0)

    @property
    def parameters(self) -> list[nn.Parameter]:
        """All that are trained."""
        return [parameter for group in self._groups for parameter in group.parameters]

    def begin_at(self, steps_done: int) -> None:
        """Empty moments, as if `steps_done` steps were done; `moments` are then filled from a checkpoint."""
        self._steps = steps_done
        for parameter in self.parameters:
            device = parameter.device if self._fused else torch.device("cpu")
            self._optimizer.state[parameter] = {
                "step": torch.tensor(float(steps_done), dtype=torch.float32, device=device),
                "exp_avg": torch.zeros_like(parameter),
                "exp_avg_sq": torch.zeros_like(parameter),
            }

    def moments(self) -> Iterator[tuple[nn.Parameter, dict[str, Tensor]]]:
        """Of each parameter its two moments by name, for checkpoints."""
        for parameter in self.parameters:
            state: dict[str, Any] = self._optimizer.state[parameter]
            yield parameter, {name: state[name] for name in ("exp_avg", "exp_avg_sq")}

    def step(self, learning_rate: float, leave: Tensor | None = None) -> None:
        """Update the parameters by their gradients, and drop these.

        `leave` (0-dim float, on the device): where it is 1, nothing is updated but the count of steps; the kernel reads
        it, nobody waits for it.
        """
        self._steps += 1
        if leave is not None and self._fused:
            self._optimizer.found_inf = leave  # type: ignore[attr-defined]  # as torch.amp.GradScaler hands it over
        elif leave is not None and float(leave):
            return
        c1 = c2 = 1.0
        if not self._config.bias_correction:
            c1 = 1.0 - self._config.beta1**self._steps
            c2 = (1.0 - self._config.beta2**self._steps) ** 0.5
        for group, parameter_group in zip(self._optimizer.param_groups, self._groups, strict=True):
            group["lr"] = learning_rate * c1 / c2
            group["eps"] = self._config.epsilon / c2
            group["weight_decay"] = self._config.weight_decay * c2 / c1 if parameter_group.decay else 0.0
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)


def _split_by_spread(group: ParameterGroup) -> list[ParameterGroup]:
    """The same in parts that one kernel takes: whole parameters, and shares by how they are spread."""
    parts: dict[object, list[nn.Parameter]] = {}
    for parameter in group.parameters:
        parts.setdefault(spread_of(parameter), []).append(parameter)
    return [ParameterGroup(part, group.decay) for part in parts.values()]


def learning_rate(stage: StageConfig, step: int) -> float:
    """That of step `step` (from 0) of the stage. The first step of a rise is one n-th of the peak, not 0."""
    if step < stage.warmup_steps:
        return stage.learning_rate * (step + 1) / stage.warmup_steps
    return stage.learning_rate * (stage.steps - step) / max(1, stage.steps - stage.warmup_steps)


def spread_of(tensor: Tensor) -> object:
    """Equal for tensors that are spread alike; None for a whole one."""
    return (tensor.device_mesh, tensor.placements) if isinstance(tensor, DTensor) else None


def whole_tensor(tensor: Tensor) -> Tensor:
    """The tensor put together; every rank must ask."""
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


def gradient_norm(parameters: Sequence[nn.Parameter], clip: float) -> Tensor:
    """The norm of all gradients over all ranks, 0-dim, scaled down to `clip` if that is not 0 and smaller.

    The number is of before, on the device, and the same on every rank.
    """
    groups: dict[object, list[nn.Parameter]] = {}
    for parameter in parameters:
        if parameter.grad is not None:
            groups.setdefault(spread_of(parameter.grad), []).append(parameter)
    norms = [whole_tensor(nn.utils.get_total_norm([_gradient(p) for p in group])) for group in groups.values()]
    norm = norms[0] if len(norms) == 1 else torch.linalg.vector_norm(torch.stack(norms))
    if clip:
        for group in groups.values():
            nn.utils.clip_grads_with_norm_(group, clip, norm)
    return norm


def _gradient(parameter: nn.Parameter) -> Tensor:
    assert parameter.grad is not None
    return parameter.grad
