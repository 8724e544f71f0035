"""FlexAttention with a backward on a CPU: PyTorch's own computation without a kernel, which it refuses to users."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from torch.nn.attention import flex_attention as flex

_options = flex._apply_kernel_options


def _with_log_sum(*inputs: Any) -> Any:
    return {**_options(*inputs), "OUTPUT_LOGSUMEXP": True}  # backward starts from it


@contextmanager
def uncompiled_flex() -> Iterator[None]:
    """Inside, `flex_attention` of tensors on the CPU can be differentiated."""
    allowed = patch.object(flex, "_validate_device", lambda *inputs: None)
    with allowed, patch.object(flex, "_apply_kernel_options", _with_log_sum), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is not compiled; and Dynamo looks at `.grad` of what is no leaf
        yield
