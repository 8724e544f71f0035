"""K-means whose clusters do not depend on the order of the rows."""

import numpy as np
import pytest

from wikiprep.errors import WikiprepError
from wikiprep.tasks.frozen.cluster import k_means, order_of
from wikiprep.tasks.metrics.clustering import ClusteringScores, clustering_scores

pytest.importorskip("sklearn")
RNG = np.random.default_rng(3)
GOLD = ["a"] * 30 + ["b"] * 20


def test_a_perfect_embedding() -> None:
    rows = np.array([[1, 0, 0] if label == "a" else [0, 1, 0] for label in GOLD], np.float32)
    rows += RNG.normal(0, 0.01, rows.shape).astype(np.float32)
    clusters, different = k_means(rows, 2, 1, 3)
    assert clustering_scores(GOLD, clusters.tolist()) == ClusteringScores(1.0, 1.0, 1.0) and different == 50


def test_all_points_equal_is_chance() -> None:
    clusters, different = k_means(np.ones((50, 4), np.float32), 2, 1, 3)
    assert clustering_scores(GOLD, clusters.tolist()) == ClusteringScores(0.6, 0.0, 0.0) and different == 1


def test_the_order_of_rows_does_not_matter() -> None:
    rows = RNG.normal(size=(60, 5)).astype(np.float32)
    rows[40:] = rows[:20]
    rows[3, 0], rows[43, 0] = 0.0, -0.0
    first, different = k_means(rows, 4, 5, 2)
    turn = RNG.permutation(60)
    again, _ = k_means(rows[turn], 4, 5, 2)
    assert again.tolist() == first[turn].tolist() and different == 40
    assert order_of(rows[:0])[1] == 0


def test_too_few_rows() -> None:
    with pytest.raises(WikiprepError, match="3 vectors make no 4 clusters"):
        k_means(np.ones((3, 2), np.float32), 4, 1, 1)
