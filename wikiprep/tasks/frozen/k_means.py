"""K-means of vectors (Lloyd's, scikit-learn's), the same clusters in whatever order the vectors come."""

import warnings

import numpy as np
import numpy.typing as npt

from wikiprep.errors import WikiprepError
from wikiprep.tasks.extra_packages import needs_extra
from wikiprep.tasks.frozen.kinds import Floats
from wikiprep.tasks.frozen.row_order import order_of


def k_means(rows: Floats, clusters: int, seed: int, starts: int) -> tuple[npt.NDArray[np.int32], int]:
    """The cluster of each of [n, D], of the best of `starts` beginnings (k-means++, from `seed`) by the sum of squared
    distances; and how many different rows there are. Where these are fewer than `clusters`, so are the clusters.

    Raises WikiprepError for fewer rows than clusters, UsageError where scikit-learn is missing.
    """
    with needs_extra("cluster", "sklearn", "threadpoolctl"):
        from sklearn.cluster import KMeans
        from sklearn.exceptions import ConvergenceWarning
        from threadpoolctl import threadpool_limits
    if len(rows) < clusters:
        raise WikiprepError(f"{len(rows)} vectors make no {clusters} clusters", "are there so few in the set?")
    order, different = order_of(rows)
    assignment = np.empty(len(rows), np.int32)
    # Sums of several threads come in no fixed order, which a tie would show.
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer different rows than clusters: the result says so
        assignment[order] = KMeans(clusters, n_init=starts, random_state=seed).fit(rows[order]).labels_
    return assignment, different
