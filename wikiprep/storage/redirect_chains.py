"""Where redirects end: pointer jumping over arrays, so that depth costs nothing and loops cannot hang it."""

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int32]


def follow(direct: Ids) -> tuple[Ids, Ids]:
    """`(final, hops)` of every node of the graph i -> direct[i], where direct[i] < 0 ends a chain.

    A node that ends a chain is its own final with 0 hops. A node on a loop, or leading to one, has final -1 and
    hops 0. Each round doubles the distance looked ahead: log2 of the longest chain rounds.
    """
    final = np.arange(len(direct), dtype=np.int32)
    hops = np.zeros(len(direct), np.int32)
    active = np.flatnonzero(direct >= 0).astype(np.int32)
    final[active] = direct[active]
    hops[active] = 1
    active = active[direct[final[active]] >= 0]
    while len(active):
        at = final[active]
        further, steps = final[at], hops[at]
        final[active] = further
        hops[active] += steps
        remaining = active[direct[further] >= 0]
        if len(remaining) == len(active):
            # If any chain among them ended, the node one step beyond the distance looked so far would have ended now.
            final[active] = -1
            hops[active] = 0
            break
        active = remaining
    return final, hops
