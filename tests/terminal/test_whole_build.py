"""The guess of what a whole build still takes."""

import pytest

from wikiprep.stages.build import FROM_DUMP, FROM_TEXT
from wikiprep.terminal import wording
from wikiprep.terminal.tally import SHARES, UNKNOWN, Tally, seconds_left
from wikiprep.units.unit import Unit

STAGES = ("inputs", "extract", "pages", "records")


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
