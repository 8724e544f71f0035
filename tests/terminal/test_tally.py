"""Sums, rates and standstills, on a clock of the test's own."""

import pytest

from wikiprep.stages.build import FROM_DUMP, FROM_TEXT
from wikiprep.terminal import wording
from wikiprep.terminal.tally import SHARES, UNKNOWN, Tally, seconds_left
from wikiprep.units.unit import Unit

STAGES = ("inputs", "extract", "pages", "records")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def unit(name: str, weight: int = 10_000_000) -> Unit:
    return Unit("extract", name, "f", "out", None, weight)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tally(clock: Clock) -> Tally:
    made = Tally(clock)
    made.start("extract", 4, 40_000_000)
    return made


def test_sums(tally: Tally, clock: Clock) -> None:
    tally.unit_started(unit("a"))
    tally.unit_started(unit("b"))
    tally.unit_progress(unit("a"), 100, 5_000_000, 2, "T")
    clock.now += 10
    tally.unit_progress(unit("b"), 50, 1_000_000, 0, "U")
    assert (tally.pages, tally.rejects, tally.bytes_done) == (150, 2, 6_000_000)
    assert tally.rate == 600_000
    assert tally.time_left == pytest.approx(34 / 0.6)
    tally.unit_finished(unit("a"), skipped=False)
    assert (tally.pages, tally.rejects, tally.bytes_done, tally.done) == (150, 2, 11_000_000, 1)
    assert wording.counts(tally) == "150 pages, 11.0 of 40.0 MB, 1.10 MB/s, 2 rejects, 1 of 4 units"
    assert wording.time_left_text(tally) == "28 %, 0:00:26 left"


def test_units_of_an_earlier_run_are_done_but_not_fast(tally: Tally, clock: Clock) -> None:
    for name in "abc":
        tally.unit_finished(unit(name), skipped=True)
    clock.now += 10
    assert (tally.done, tally.bytes_done, tally.rate, tally.time_left) == (3, 30_000_000, 0, None)
    tally.unit_started(unit("d"))
    tally.unit_progress(unit("d"), 1, 5_000_000, 0, "")
    assert tally.rate == 500_000
    assert tally.time_left == 10
    tally.unit_finished(unit("d"), skipped=False)
    assert wording.finished_line(tally) == (
        "extract: 4 units (3 from an earlier run), 1 page, 10.0 MB, 1.00 MB/s, in 0:00:10"
    )


def test_repeated_unit_starts_from_nothing(tally: Tally) -> None:
    tally.unit_started(unit("a"))
    tally.unit_progress(unit("a"), 100, 5_000_000, 2, "T")
    tally.unit_started(unit("a"))
    assert (tally.pages, tally.bytes_done) == (0, 0)


def test_standstill_by_name_age_and_page(tally: Tally, clock: Clock) -> None:
    tally.unit_started(unit("a"))
    tally.unit_started(unit("b"))
    tally.unit_progress(unit("a"), 1, 1, 0, "Some\x1b[2Jpage")
    clock.now += 20
    tally.unit_progress(unit("b"), 1, 1, 0, "")
    assert tally.standing() == []
    clock.now += 25
    tally.unit_progress(unit("a"), 1, 1, 0, "Some\x1b[2Jpage")  # the same again is no progress
    (still,) = tally.standing()
    assert wording.stalled_line(still) == "a stands still: no news for 0:00:45, at 'Some?[2Jpage'"
    clock.now += 3600
    assert [s.unit for s in tally.standing()] == ["a", "b"]
    assert wording.stalled_line(tally.standing()[1]) == "b stands still: no news for 1:00:25"
    tally.unit_progress(unit("a"), 2, 1, 0, "")
    assert [s.unit for s in tally.standing()] == ["b"]


def test_more_bytes_than_announced(tally: Tally) -> None:
    tally.unit_started(unit("a"))
    tally.unit_progress(unit("a"), 1, 99_000_000_000, 0, "")
    assert tally.bytes_done == 10_000_000


def test_units_without_size(clock: Clock) -> None:
    tally = Tally(clock)
    tally.start("tables", 2, 0)
    assert wording.time_left_text(tally) == "0 %"
    tally.unit_started(unit("a", 0))
    tally.unit_finished(unit("a", 0), skipped=False)
    assert wording.time_left_text(tally) == "50 %"
    assert wording.counts(tally) == "1 of 2 units"
    tally.start("none", 0, 0)
    assert wording.time_left_text(tally) == "0 %"
    assert wording.finished_line(tally) == "none: 0 units, in 0:00:00"


def test_every_stage_has_a_share_or_is_known_to_have_none() -> None:
    without = {"properties", "listed", "relations", "imported_vocabulary", *UNKNOWN}
    assert {*FROM_DUMP, *FROM_TEXT} - {*SHARES} == without


def test_what_was_seen_tells_of_what_is_to_come() -> None:
    # Half of extraction took 50 s, so all of it takes 100, and what comes after it 110.
    assert seconds_left(STAGES, "extract", 50, 50, {}) == pytest.approx(50 + 100 * (0.1 + 1.0))
    # A build twice as slow at records: what they show of themselves counts with what extraction showed.
    assert seconds_left(STAGES, "records", 30, 170, {"extract": 100}) == pytest.approx(30)
    assert seconds_left(STAGES, "extract", 50, None, {}) is None, "an earlier run did a part of it"
    assert seconds_left(STAGES, "inputs", 1, 1, {}) is None, "inputs alone tell too little"
    assert seconds_left(("extract", "wikidata_read", "records"), "extract", 50, 50, {}) is None
    assert seconds_left((), "extract", 50, 50, {}) is None


def test_it_is_shown_with_the_number_of_the_stage() -> None:
    now = 0.0
    tally = Tally(lambda: now)
    tally.start("extract", 1, 1_000_000, STAGES)
    unit = Unit("extract", "a", "f", "out", None, 1_000_000)
    tally.unit_started(unit)
    now = 50.0
    tally.unit_progress(unit, 1, 500_000, 0, "")
    assert wording.name(tally) == "extract (2 of 4)"
    assert wording.time_left_text(tally) == "50 %, 0:00:50 left, about 0:02:40 of the whole build"
