"""Clusters against classes: accuracy by the best assignment, NMI, ARI. Needs scipy and scikit-learn: `[cluster]`."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from wikiprep.extra_packages import needs_extra
from wikiprep.tasks.metrics.counts import same_length


@dataclass(frozen=True, slots=True)
class ClusteringScores:
    """`acc`: share of examples whose cluster is that of their class. `nmi`, `ari`: see `clustering_scores`."""

    acc: float
    nmi: float
    ari: float


def clustering_scores(gold: Sequence[Hashable], clusters: Sequence[Hashable]) -> ClusteringScores:
    """Scores of a partition; names of clusters and the order of examples do not matter. Of no example all are 0.

    ACC: each cluster stands for at most one class and each class for at most one cluster, so that as many examples as
    possible agree (Kuhn 1955, by scipy's linear_sum_assignment). NMI: mutual information over the arithmetic mean of
    the two entropies (Vinh, Epps and Bailey 2010). ARI: Rand's index adjusted for chance (Hubert and Arabie 1985).
    All examples in one cluster: ACC is the share of the largest class, NMI and ARI are 0, where there are two classes.

    Raises ValueError where the lists differ in length, UsageError where scipy or scikit-learn is missing.
    """
    with needs_extra("cluster", "scipy", "sklearn"):
        from scipy.optimize import linear_sum_assignment
        from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
    same_length(gold, clusters)
    if not gold:
        return ClusteringScores(0.0, 0.0, 0.0)
    class_numbers, cluster_numbers = _numbers(gold), _numbers(clusters)
    counts = np.zeros((cluster_numbers.max() + 1, class_numbers.max() + 1), np.int64)
    np.add.at(counts, (cluster_numbers, class_numbers), 1)
    rows, columns = linear_sum_assignment(counts, maximize=True)
    return ClusteringScores(
        float(counts[rows, columns].sum() / len(class_numbers)),
        float(normalized_mutual_info_score(class_numbers, cluster_numbers, average_method="arithmetic")),
        float(adjusted_rand_score(class_numbers, cluster_numbers)),
    )


def _numbers(labels: Sequence[Hashable]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Labels as numbers in the order of their names, so that sums are the same to the last bit in any order."""
    number_of = {label: number for number, label in enumerate(sorted(set(labels), key=repr))}
    return np.array([number_of[label] for label in labels], np.int64)
