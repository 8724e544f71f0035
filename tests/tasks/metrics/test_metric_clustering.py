"""ACC, NMI and ARI of clusters."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.tasks.metrics.clustering import ClusteringScores, clustering_scores

pytest.importorskip("sklearn")


def test_perfect_clusters_whatever_their_names() -> None:
    assert clustering_scores("aabbc", [5, 5, 9, 9, 1]) == ClusteringScores(1.0, 1.0, 1.0)


def test_one_cluster_gives_the_share_of_the_larger_class() -> None:
    scores = clustering_scores(["x"] * 15953 + ["y"] * 13318, [0] * 29271)
    assert scores.acc == pytest.approx(15953 / 29271) and round(scores.acc, 3) == 0.545
    assert (scores.nmi, scores.ari) == (0.0, 0.0)


def test_a_case_by_hand() -> None:
    # Clusters {a, a, b} and {b, b, a}: the best assignment gets four of six; ARI by the pairs: (2 - 2.4) / (6 - 2.4).
    scores = clustering_scores("aabbba", [0, 0, 0, 1, 1, 1])
    assert scores.acc == pytest.approx(4 / 6)
    assert scores.ari == pytest.approx((2 - 2.4) / (6 - 2.4))
    assert scores.nmi == pytest.approx(0.0817042)  # 1 - H(1/3) in bits, since both entropies are 1


def test_a_class_has_one_cluster_at_most() -> None:
    # Purity would be 1; by the assignment two of four examples agree.
    assert clustering_scores("aaaa", [0, 0, 1, 2]).acc == 0.5
    assert clustering_scores("abcd", [0, 0, 0, 0]).acc == 0.25


def test_nothing_and_different_lengths() -> None:
    assert clustering_scores([], []) == ClusteringScores(0.0, 0.0, 0.0)
    with pytest.raises(ValueError, match="2 gold labels and 1 predictions"):
        clustering_scores("ab", [0])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30), st.randoms())
def test_order_and_names_do_not_matter(pairs: list[tuple[int, int]], rng: random.Random) -> None:
    scores = clustering_scores(*map(list, zip(*pairs, strict=True)))
    assert 0 <= scores.acc <= 1 and -1e-9 <= scores.nmi <= 1 + 1e-9 and scores.ari <= 1
    rng.shuffle(pairs)
    assert clustering_scores(*map(list, zip(*pairs, strict=True))) == scores  # to the last bit
    again = clustering_scores([f"c{a}" for a, _ in pairs], [-b for _, b in pairs])
    for name in ("acc", "nmi", "ari"):
        assert getattr(again, name) == pytest.approx(getattr(scores, name), abs=1e-12)
