from wikiprep.tasks.metrics.counts import Counts


def test_nothing_predicted_and_nothing_gold_is_zero_not_an_error() -> None:
    nothing = Counts(0, 0, 0)
    assert (nothing.precision, nothing.recall, nothing.f1) == (0, 0, 0)
    assert (Counts(0, 0, 4).precision, Counts(0, 3, 0).recall, Counts(0, 3, 4).f1) == (0, 0, 0)


def test_ratios() -> None:
    counts = Counts(3, 4, 6)
    assert (counts.precision, counts.recall, counts.f1) == (0.75, 0.5, 0.6)
    assert Counts(1, 2, 3) + Counts(1, 1, 1) == Counts(2, 3, 4)
