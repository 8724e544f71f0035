"""How many threads a rank computes with on the CPU: what its cores and the model's size are good for."""

import os
import statistics

import torch
from torch import nn

from wikiprep.process import usable_cores

# Up to this width an operation is over before a second thread has begun: benchmarks/waiting_threads.py.
_NARROW = 128
# Whoever has set one of these has decided; torchrun sets the first for several ranks.
_DECIDED = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")


def fit_threads(model: nn.Module, device: torch.device) -> int:
    """Set the threads of this process by the model, and return their number.

    The cores that the process may use, shared among the ranks of the machine; one where the model is narrow. The load
    of the moment does not decide: sums of several threads differ in their last bits, and a run that goes on is to be
    the run that was not stopped. On a GPU, and where the user has set a number, nothing is changed.
    """
    if device.type == "cpu" and not any(name in os.environ for name in _DECIDED):
        ranks = int(os.environ.get("LOCAL_WORLD_SIZE", 1))
        torch.set_num_threads(1 if width(model) <= _NARROW else max(1, usable_cores() // ranks))
    return torch.get_num_threads()


def width(model: nn.Module) -> int:
    """The size of most of its layers' outputs; 0 of a model without a linear layer."""
    outputs = [module.out_features for module in model.modules() if isinstance(module, nn.Linear)]
    return statistics.mode(outputs) if outputs else 0
