"""Nothing in a forward and backward pass makes the host wait for the device, nor the device for the host.

On a GPU a number that is read back, or copied there from ordinary memory, waits for all that was asked for before:
the host can no longer run ahead. Seen here by the operations, which are the same on a CPU but for the attention of
records without padding: there FlashAttention is one operation, and a sum of its inputs stands for it here.
"""

from typing import Any

import numpy as np
import pytest
import torch
from luke_cases import batch_of, random_record, variants
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from wikiprep.pretrain.attention import choose_attention
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.model import Luke

# What reads a number back (item, masks as indices), and what makes a tensor of a number of Python's.
WAITING = {"_local_scalar_dense", "nonzero", "masked_select", "_unique2", "lift_fresh", "lift_fresh_copy", "equal"}


class Seen(TorchDispatchMode):
    """The names of all operations."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.add(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))


def flash(query: Tensor, key: Tensor, value: Tensor, *_: object) -> Tensor:
    return query + key + value


@pytest.mark.parametrize("kind", ["sdpa", "varlen"])
@pytest.mark.parametrize("config", variants(), ids=["plain", "entity-aware"])
@pytest.mark.parametrize("rows", [None, [0, 0, 1, 1, 1, 2]], ids=["apart", "packed"])
def test_a_pass_waits_for_nothing(
    kind: str, config: LukeConfig, rows: list[int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wikiprep.pretrain.luke.attention.attend_unpadded", flash)
    rng = np.random.default_rng(0)
    batch = batch_of([random_record(rng) for _ in range(6)], rows)
    model = Luke(config)
    choose_attention(model, kind)
    with Seen() as seen:
        sums = model(batch)
        torch.stack([total for total, _ in sums.values()]).sum().backward()
        with torch.no_grad():
            model(batch, "metrics")
    assert {"mm", "index_select"} <= seen.names
    assert not seen.names & WAITING
