"""Shares of right answers with their standard errors, where answers of one page are not independent."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Share:
    """`value` in [0, 1]; `error`: its standard error, None where one page alone has targets."""

    value: float
    error: float | None


def share_of(right: npt.NDArray[np.bool_], pages: Ints) -> Share | None:
    """The share of `right`, whose i-th entry is of page `pages[i]`; None without entries.

    The error is that of a mean of clusters, sqrt(G / (G - 1) · Σ over G pages of (Σ of the page's x - p)²) / n
    (Liang and Zeger 1986; Cameron and Miller 2015, equation 6 for a constant alone). A page says one name often: as if
    drawn one by one, sqrt(p (1 - p) / n), the error would be too small.
    """
    if not len(right):
        return None
    value = float(right.mean())
    _, page = np.unique(pages, return_inverse=True)
    of_pages = np.bincount(page, weights=right - value)
    count = len(of_pages)
    if count < 2:
        return Share(value, None)
    return Share(value, float(np.sqrt(count / (count - 1) * (of_pages**2).sum()) / len(right)))
