"""An order of vectors that is theirs alone: what is computed of them in it is the same however they came."""

import numpy as np
import numpy.typing as npt

from wikiprep.tasks.frozen.kinds import Floats


def order_of(rows: Floats) -> tuple[npt.NDArray[np.int64], int]:
    """Places of [n, D] in the order of their bytes, and how many different rows there are."""
    contiguous = np.ascontiguousarray(rows + np.float32(0), np.float32)  # -0.0 is 0.0
    keys = contiguous.view(np.dtype((np.void, contiguous.dtype.itemsize * contiguous.shape[1]))).ravel()
    order = np.argsort(keys, kind="stable")
    in_order = keys[order]
    return order, 1 + int((in_order[1:] != in_order[:-1]).sum()) if len(rows) else 0
