"""Tests of trained models run beside others on few cores: one thread each."""

from contextlib import suppress

with suppress(ModuleNotFoundError):  # its tests are skipped then
    import torch

    torch.set_num_threads(1)
