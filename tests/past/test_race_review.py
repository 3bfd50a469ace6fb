"""A second look at past races: every press with its reason, raw edges, and nothing is changed."""

from __future__ import annotations

import hashlib
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from companion.journal.bodies import unpack
from companion.journal.chain import read_rows
from companion.journal.file import companions, reader
from companion.past.past import KEPT, Past
from companion.past.review.cases import Cases, cases_of
from companion.past.review.race_review import PressSeen, RaceReview, second_look
from companion.past.review.what_if_query import MOST_MATCHES, WhatIfBusy, WhatIfQueries
from companion.past.review.what_if_settings import read_wish
from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.presses import MILLISECOND, SECOND, Gap
from companion.referee.model.rulings import Finish
from companion.referee.model.table import Race
from companion.referee.model.trace import RawEdge, Trace
from hardware.board import Board
from hardware.wiring.wiring import default_wiring
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening
from tests.kit.night import FAST, Night, facts_of, until

MS = MILLISECOND


def cases(evening: Evening) -> Cases:
    return cases_of(facts_of(evening.events))


def latest(evening: Evening) -> Race:
    return evening.round.races[-1]


def look(evening: Evening, ruling: int | None = None) -> RaceReview:
    found = second_look(cases(evening), ruling or latest(evening).ruling or 0)
    assert found is not None
    return found


def why(seen: RaceReview) -> dict[tuple[int, int], str]:
    """The reason of each press, by seat and milliseconds."""
    return {(press.seat, press.after // MS): press.why for press in seen.presses}


def pushes(evening: Evening, began: int, *hands: tuple[int, int]) -> None:
    """Let hands land, each at so many milliseconds after a moment."""
    for seat, after in sorted(hands, key=lambda hand: hand[1]):
        evening.wait(began + after * MS - evening.now)
        evening.tap(seat, began + after * MS)


def begun(players: int = 4, **setup: Any) -> tuple[Evening, int]:
    """A round that has gone on for a while, and the moment of the first hand to come."""
    evening = Evening(players, **setup).start()
    evening.wait(20 * SECOND)
    return evening, evening.now + 5 * SECOND


def test_every_press_near_a_race_is_shown_with_what_it_was() -> None:
    evening, began = begun()
    pushes(evening, began, (DAN, -3_700), (ANA, -2_800), (CLEO, -2_000))
    pushes(evening, began, (BEN, 0), (CLEO, 50), (DAN, 200), (BEN, 420), (BEN, 1_300))
    evening.wait(2 * SECOND)
    seen = look(evening)
    assert why(seen) == {
        (DAN, -3_700): "call",
        (ANA, -2_800): "layer",
        (CLEO, -2_000): "call",
        (BEN, 0): "slap",
        (CLEO, 50): "slap",
        (BEN, 420): "again",
        (DAN, 200): "slap",
        (BEN, 1_300): "after_ruling",
    }
    assert (seen.match, seen.round, seen.kind, seen.how, seen.layer) == (1, 1, "race", "hands", ANA)
    assert (seen.since, seen.deadline) == (-3 * SECOND, 10 * SECOND)
    assert (seen.outcome, seen.sentence.code) == ("last", "race_last")
    assert [(draws.seat, draws.cards) for draws in seen.draws] == [(DAN, 4)]
    assert {seat.number: seat.name for seat in seen.seats}[CLEO] == "Cleo"
    assert isinstance(seen.finish, Finish)
    assert seen.presses[1].held is not None
    assert seen.related == ()


def test_whoever_hammered_is_shown_with_every_touch_of_it() -> None:
    evening, began = begun()
    pushes(evening, began, *((DAN, after) for after in range(-2_700, 0, 600)))
    pushes(evening, began, (BEN, 0), (CLEO, 100), (DAN, 150))
    evening.wait(12 * SECOND)
    seen = look(evening)
    assert [(draws.seat, draws.cards) for draws in seen.draws] == [(DAN, 4)]
    assert {reason for (seat, _), reason in why(seen).items() if seat == DAN} == {"hammered"}
    assert seen.finish is not None
    assert seen.finish.hammered == (DAN,)


def test_a_broken_button_and_a_gap_are_named() -> None:
    evening, began = begun(4)
    evening.do(c.MissPresses((CLEO,), began + 30 * MS, began + 50 * MS))
    pushes(evening, began, (BEN, 0))
    evening.tap(BEN, began)
    pushes(evening, began, (CLEO, 300))
    evening.do(c.SetAside(DAN, "chatter", began - SECOND), after=0)
    evening.tap(DAN, began + 100 * MS)
    evening.do(c.DeclareRace(ANA))
    evening.wait(12 * SECOND)
    seen = look(evening)
    assert (seen.outcome, seen.unusable) == ("unusable", (DAN,))
    assert seen.gaps == (Gap(30 * MS, 50 * MS, (CLEO,)),)
    assert why(seen).get((DAN, 100)) in (None, "broken")


def test_a_hand_that_was_let_go_too_soon_is_shown_as_that() -> None:
    evening, began = begun(3, house={"hands_stay_down": True})
    pushes(evening, began, (BEN, 0))
    evening.wait(began + 200 * MS - evening.now)
    evening.press(CLEO)
    evening.wait(began + 600 * MS - evening.now)
    evening.press(BEN)
    evening.do(c.DeclareRace(ANA))
    evening.wait(3 * SECOND)
    seen = look(evening)
    reasons = [press.why for press in seen.presses if press.seat == BEN]
    assert reasons == ["let_go", "slap"]
    assert "hands_stay_down" in seen.used
    assert seen.house.hands_stay_down


def test_a_slap_off_counts_from_its_light_and_knows_its_tie() -> None:
    evening, began = begun()
    pushes(evening, began, (DAN, -50), (BEN, 0), (CLEO, 0))
    evening.wait(SECOND)
    tie = latest(evening).ruling
    assert tie is not None
    evening.do(c.SlapOff())
    light = latest(evening).slap_off
    assert light is not None
    pushes(evening, light.light_at, (CLEO, 150), (BEN, 250))
    evening.wait(SECOND)
    off = look(evening)
    assert (off.kind, off.racers, off.how) == ("slap_off", (BEN, CLEO), "hands")
    assert (why(off)[CLEO, 150], why(off)[BEN, 250]) == ("slap", "slap")
    assert [(other.ruling, other.kind) for other in off.related] == [(tie, "race")]
    before = look(evening, tie)
    assert (before.kind, before.outcome) == ("race", "dead_heat")
    assert [other.ruling for other in before.related] == [off.ruling]


def test_a_hand_before_the_light_is_shown_as_that() -> None:
    evening, began = begun()
    pushes(evening, began, (DAN, -50), (BEN, 0), (CLEO, 0))
    evening.wait(SECOND)
    evening.do(c.SlapOff())
    light = latest(evening).slap_off
    assert light is not None
    pushes(evening, light.light_at, (BEN, -200), (CLEO, 150))
    evening.wait(SECOND)
    off = look(evening)
    assert off.outcome == "false_start"
    assert why(off)[BEN, -200] == "early"


def test_a_race_that_the_referee_decided_shows_the_hands_it_was_about() -> None:
    evening, began = begun()
    pushes(evening, began, (DAN, -50), (BEN, 0), (CLEO, 0))
    evening.wait(SECOND)
    evening.do(c.PickLast((BEN,)))
    seen = look(evening)
    assert (seen.kind, seen.outcome) == ("picked", "picked")
    assert why(seen)[BEN, 50] == "slap"


def test_a_race_that_was_judged_again_shows_what_was_said_before() -> None:
    evening, began = begun()
    pushes(evening, began, (BEN, 0), (CLEO, 50), (DAN, 100))
    evening.wait(SECOND)
    first = latest(evening).ruling
    assert first is not None
    evening.do(c.ChangeLayer(DAN))
    evening.wait(12 * SECOND)
    seen = look(evening)
    assert (seen.layer, [draws.seat for draws in seen.draws]) == (DAN, [ANA])
    (other,) = seen.related
    assert (other.ruling, other.overruled is not None) == (first, True)
    assert look(evening, first).layer == ANA


def test_head_starts_and_what_was_overruled_are_told() -> None:
    evening = Evening(4)
    evening.do(c.SetHandicap(CLEO, 100))
    evening.start()
    evening.wait(20 * SECOND)
    began = evening.now + SECOND
    pushes(evening, began, (DAN, -50), (BEN, 0), (CLEO, 50))
    evening.wait(SECOND)
    ruling = evening.ruling.number
    evening.do(c.Overrule(ruling))
    seen = look(evening, ruling)
    assert seen.handicaps == {CLEO: 100 * MS}
    assert seen.finish is not None
    assert seen.finish.by_handicap
    cleo = next(press for press in seen.presses if press.seat == CLEO)
    assert (seen.overruled is not None, cleo.after) == (True, 100 * MS)


@pytest.mark.parametrize("ruling", [0, 99])
def test_what_was_no_race_has_no_photo_finish(ruling: int) -> None:
    evening = Evening(way="refereed").refereed()
    evening.play("red-reverse")
    assert second_look(cases(evening), ruling) is None
    assert second_look(cases(evening), evening.ruling.number) is None


RAW = Trace((RawEdge(0, down=True), RawEdge(90_000, down=False), RawEdge(140_000, down=True)), 3)


def raced(folder: Path) -> Night:
    """A table with one race on it, whose last hand had a bad contact."""
    night = Night(folder, **FAST).open().deal()
    night.clock.put_forward(12_000)
    first = night.clock.ticks() - 100 * MS
    for seat, after in ((BEN, 0), (CLEO, 30)):
        night.press(seat, first + after * MS)
        raw = RAW if seat == CLEO else None
        slap = first + after * MS
        night.worker.hand_over(c.Release(seat, slap + 50 * MS, slap, raw))
    night.do(c.DeclareRace(ANA))
    until(lambda: night.round.races and night.race.ruling is not None)
    night.settle()
    return night


def ruling_of(night: Night) -> int:
    assert night.race.ruling is not None
    return night.race.ruling


def fingerprint(journal: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in companions(journal)
        if not path.name.endswith("-shm")
    }


def test_raw_edges_are_in_the_journal_and_come_back_from_it(tmp_path: Path) -> None:
    with raced(tmp_path) as night:
        number = ruling_of(night)
        night.reopen()
        seen = night.past.race(1, number)
        assert seen is not None
        slap = next(press for press in seen.presses if press.seat == CLEO)
        assert (slap.edges, slap.left_out, slap.held) == (RAW.edges, 3, 50 * MS)
        other = next(press for press in seen.presses if press.seat == BEN)
        assert (other.edges, other.left_out) == ((), 0)


def test_a_release_without_raw_edges_is_written_as_it_always_was(tmp_path: Path) -> None:
    with raced(tmp_path) as night:
        with reader(night.journal) as connection:
            bodies = [unpack(row.body) for row in read_rows(connection, kinds={"press_released"})]
        assert sum(b'"raw"' in body for body in bodies) == 1
        assert len(bodies) == 2


def test_looking_and_asking_changes_nothing(tmp_path: Path) -> None:
    with raced(tmp_path) as night:
        number, version = ruling_of(night), night.table.version
        before, table = fingerprint(night.journal), night.table
        asking = WhatIfQueries(night.past.cases)
        wish = read_wish({"timing": {"switch_tolerance_ms": 60}, "house": {"no_slap": "all_draw"}})
        found = asking.race(1, number, wish)
        assert found is not None
        assert found.change == "verdict"
        assert asking.matches((1,), wish).differences
        assert night.past.race(1, number) is not None
        assert fingerprint(night.journal) == before
        assert (night.table.version, night.table) == (version, table)


def test_a_match_is_read_once_and_again_when_it_has_gone_on(tmp_path: Path) -> None:
    with raced(tmp_path) as night:
        past = night.past
        first = past.cases(1)
        assert past.cases(1) is first
        night.do(c.Drawn(night.round.debts[0].number))
        assert past.cases(1) is not first
        assert past.cases(2) is None
        assert past.race(7, 1) is None


def test_only_so_many_matches_stay_at_hand(tmp_path: Path) -> None:
    with Night(tmp_path).open().seat_three() as night:
        for _ in range(KEPT + 2):
            night.do(c.StartMatch())
            night.do(c.CloseMatch())
        past = night.past
        first = past.cases(1)
        assert past.cases(1) is first
        for number in range(2, KEPT + 3):
            assert past.cases(number) is not None
        assert past.cases(1) is not first


def test_all_that_are_judged_at_one_asking_stay_at_hand() -> None:
    assert KEPT >= MOST_MATCHES


def test_of_the_matches_before_only_the_table_is_kept(tmp_path: Path) -> None:
    """The way back through each of them would be most of what a long past weighs."""
    with Night(tmp_path).open().seat_three() as night:
        for _ in range(2):
            night.do(c.StartMatch())
            night.do(c.ChooseDealer(ANA))
            night.do(c.CloseMatch())
        facts = night.past.model.replay(2)
    assert facts is not None
    assert [seat.name for seat in facts.before.game.seats] == ["Ana", "Ben", "Cleo"]
    assert (facts.before.past, facts.before.future) == (None, None)


def test_another_journal_in_the_same_place_is_noticed(tmp_path: Path) -> None:
    """As when something was forgotten for good and the journal was written anew."""
    one, other = tmp_path / "one", tmp_path / "other"
    with raced(one) as night:
        number = ruling_of(night)
    with Night(other).open().deal("refereed") as night:
        night.do(c.TurnUp(Card("red-5")))
        for _ in range(40):
            night.do(c.Draw())
    past = Past(one / "journal.db")
    assert past.race(1, number) is not None
    shutil.copy(other / "journal.db", one / "journal.db")
    assert past.race(1, number) is None
    assert past.cases(1) is not None


def test_two_do_not_ask_at_once_for_ever(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("companion.past.review.what_if_query.PATIENCE", 0.01)
    with raced(tmp_path) as night:
        asking = WhatIfQueries(night.past.cases)
        with asking._turn, pytest.raises(WhatIfBusy):
            asking.matches((1,), read_wish({}))
        assert asking.matches((1,), read_wish({})).differences == ()


def test_simulated_buttons_bring_the_edges_of_their_pins(tmp_path: Path) -> None:
    with Night(tmp_path).open().deal() as night:
        board = Board(default_wiring(3, factory="simulated"), night.worker.hand_over)
        board.start()
        try:
            assert board.hands is not None
            at = time.monotonic_ns()
            for after, down in ((0, True), (200_000, False), (350_000, True), (40 * MS, False)):
                (board.hands.press if down else board.hands.release)(BEN, at + after)
            assert board.listener.caught_up()
            until(lambda: board.listener.contacts[BEN].look_at is None)
            night.settle()
        finally:
            board.stop()
        found = night.past.cases(1)
        assert found is not None
        (push,) = found.pushes.values()
        assert push.raw is not None
        assert [edge.after for edge in push.raw.edges] == [0, 200_000, 350_000, 40 * MS]


def test_a_press_that_is_seen_says_all_that_a_lane_needs() -> None:
    assert PressSeen.__struct_fields__[:6] == (
        "seat",
        "after",
        "uncertainty",
        "source",
        "held",
        "why",
    )
