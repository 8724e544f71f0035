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
    compute_stream, copy_stream = torch.cuda.current_stream(device), _copy_stream(device)
    next_copy = _start_copy(share, 0, device, copy_stream)
    for number in range(count):
        batch, copy_event = next_copy
        if number + 1 < count:
            next_copy = _start_copy(share, number + 1, device, copy_stream)
        compute_stream.wait_event(copy_event)
        for tensor in batch.values():
            # Its memory is the copying stream's, which must not take it back too soon.
            tensor.record_stream(compute_stream)
        yield batch


def _start_copy(
    share: Share, number: int, device: torch.device, copy_stream: torch.cuda.Stream
) -> tuple[Batch, torch.cuda.Event]:
    with torch.cuda.stream(copy_stream):
        batch = to_device(share.tensors(number), device)
        copy_event = torch.cuda.Event()  # type: ignore[no-untyped-call]
        copy_event.record(copy_stream)
    return batch, copy_event


_copy_streams: dict[torch.device, torch.cuda.Stream] = {}


def _copy_stream(device: torch.device) -> torch.cuda.Stream:
    if device not in _copy_streams:
        _copy_streams[device] = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
    return _copy_streams[device]
