"""The pair prior is what plain counting says of it, backing off from the pair to head, tail and all."""

from collections import Counter

import numpy as np
import pytest

from wikiprep.inference.evaluation.relations import KNOWN, PairTarget, PropertyFrequencies, relation_rows


def naive(rows: list[tuple[int, int, int]], target: PairTarget) -> tuple[str, int]:
    """What training has of it, and the guess."""
    whole = Counter(prop for _, _, prop in rows)

    def best(found: list[int]) -> int:
        return min(Counter(found), key=lambda prop: (-found.count(prop), -whole[prop], prop), default=0)

    pair = [prop for head, tail, prop in rows if (head, tail) == (target.head, target.tail)]
    heads = [prop for head, _, prop in rows if head == target.head]
    tails = [prop for _, tail, prop in rows if tail == target.tail]
    names = ["the pair"] * bool(pair) + ["head and tail"] * bool(heads and tails)
    names += ["head alone"] * bool(heads) + ["tail alone"] * bool(tails) + ["neither"]
    return names[0], best(pair or heads or tails or [prop for _, _, prop in rows])


@pytest.mark.parametrize("seed", range(6))
def test_guesses_are_those_of_plain_counting(seed: int) -> None:
    rng = np.random.default_rng(seed)
    made = rng.integers(0, [20, 20, 5], (seed * 15, 3)) + np.array([1_000_000, 1_000_010, 30])
    rows = [tuple(row) for row in made.tolist()]
    targets = [
        PairTarget(int(h), int(t), frozenset(rng.choice([30, 31, 32, 34], rng.integers(1, 3)).tolist()))
        for h, t in rng.integers(0, 25, (60, 2)) + np.array([1_000_000, 1_000_010])
    ]
    counts = PropertyFrequencies(targets)
    for part in np.array_split(made, 3):
        counts.add(part[:, 0], part[:, 1], part[:, 2])
    found = [(counts.known(target), counts.prior(target)) for target in targets]
    assert found == [naive(rows, target) for target in targets]
    ranks = rng.integers(0, 20, 60)
    every, *parts = relation_rows(targets, ranks, counts)
    right = [guess in target.properties for (_, guess), target in zip(found, targets, strict=True)]
    assert (every.known, every.targets, every.pair_prior) == ("all", 60, pytest.approx(np.mean(right)))
    assert every.top1 == pytest.approx((ranks == 0).mean()) and every.top10 == pytest.approx((ranks < 10).mean())
    frequent = [counts.most_frequent in target.properties for target in targets]
    assert every.most_frequent == pytest.approx(np.mean(frequent))
    assert [part.known for part in parts] == [name for name in KNOWN if name in dict(found)]
    assert sum(part.targets for part in parts) == 60
    assert sum((part.pair_prior or 0) * part.targets for part in parts) == pytest.approx(sum(right))


def test_without_targets_or_training_there_is_nothing_to_say() -> None:
    (row,) = relation_rows([], np.zeros(0, np.int64), PropertyFrequencies([]))
    assert (row.targets, row.top1, row.pair_prior) == (0, None, None)
    alone = PropertyFrequencies([PairTarget(1, 2, frozenset({5}))])
    assert (alone.prior(PairTarget(1, 2, frozenset({5}))), alone.most_frequent) == (0, 0)
