"""The micro-batches of a share on their way to a GPU: each is copied while the one before it is computed.

The loader has put them into page-locked memory; copies go over a stream of their own, and the host waits for none.
"""

from collections.abc import Iterator

import torch

from wikiprep.pretrain.data.share import Share
from wikiprep.pretrain.family import Batch, to_device


def on_device(share: Share, device: torch.device) -> Iterator[Batch]:
    """The micro-batches in order, there. Not more than two of them are there at once."""
    count = len(share.weights)
    if device.type != "cuda":
        yield from (to_device(share.tensors(number), device) for number in range(count))
        return
    computing, copying = torch.cuda.current_stream(device), _copying(device)
    ahead = _copied(share, 0, device, copying)
    for number in range(count):
        batch, there = ahead
        if number + 1 < count:
            ahead = _copied(share, number + 1, device, copying)
        computing.wait_event(there)
        for tensor in batch.values():
            tensor.record_stream(computing)  # its memory is the copying stream's, which must not take it back too soon
        yield batch


def _copied(
    share: Share, number: int, device: torch.device, copying: torch.cuda.Stream
) -> tuple[Batch, torch.cuda.Event]:
    with torch.cuda.stream(copying):
        batch = to_device(share.tensors(number), device)
        there = torch.cuda.Event()  # type: ignore[no-untyped-call]
        there.record(copying)
    return batch, there


_streams: dict[torch.device, torch.cuda.Stream] = {}


def _copying(device: torch.device) -> torch.cuda.Stream:
    if device not in _streams:
        _streams[device] = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
    return _streams[device]
