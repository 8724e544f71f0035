"""AdamW as the papers write it, with bias correction and without; the schedule."""

import pytest
import torch

from wikiprep.pretrain.config import OptimizerConfig, StageConfig
from wikiprep.pretrain.family import ParameterGroup
from wikiprep.pretrain.optimizer import AdamW, learning_rate


@pytest.mark.parametrize("correction", [True, False])
def test_updates_are_those_of_the_formula(correction: bool) -> None:
    """m = b1 m + (1-b1) g, v = b2 v + (1-b2) g^2, p -= lr (m' / (sqrt(v') + eps) + decay p), in float64 by hand."""
    config = OptimizerConfig(bias_correction=correction, epsilon=1e-3, weight_decay=0.1)
    torch.manual_seed(0)
    decayed, plain = (torch.nn.Parameter(torch.randn(5)) for _ in range(2))
    optimizer = AdamW([ParameterGroup([decayed], True), ParameterGroup([plain], False)], config)
    hand = {
        p: (p.detach().double().clone(), torch.zeros(5).double(), torch.zeros(5).double()) for p in (decayed, plain)
    }
    for step in range(1, 30):
        rate = 0.01 * step
        for parameter, (value, m, v) in hand.items():
            parameter.grad = torch.randn(5)
            gradient = parameter.grad.double()
            m.mul_(0.9).add_(0.1 * gradient)
            v.mul_(0.999).add_(0.001 * gradient**2)
            c1, c2 = (1 - 0.9**step, 1 - 0.999**step) if correction else (1.0, 1.0)
            value.mul_(1 - rate * 0.1 if parameter is decayed else 1.0)
            value.sub_(rate * (m / c1) / ((v / c2).sqrt() + 1e-3))
        optimizer.step(rate)
        assert decayed.grad is None
    for parameter, (value, m, v) in hand.items():
        assert torch.allclose(parameter.double(), value, atol=1e-5)
        moments = dict(optimizer.moments())[parameter]
        assert torch.allclose(moments["exp_avg"].double(), m, atol=1e-6)
        assert torch.allclose(moments["exp_avg_sq"].double(), v, atol=1e-6)


def test_the_rate_rises_and_falls() -> None:
    stage = StageConfig(steps=10, warmup_steps=4, learning_rate=2.0)
    rates = [learning_rate(stage, step) for step in range(10)]
    assert rates[:4] == [0.5, 1.0, 1.5, 2.0]
    assert rates[4:] == pytest.approx([2.0 * n / 6 for n in (6, 5, 4, 3, 2, 1)])
    assert learning_rate(StageConfig(steps=3, learning_rate=1.0), 0) == 1.0
    assert learning_rate(StageConfig(steps=3, warmup_steps=3, learning_rate=1.0), 2) == 1.0
