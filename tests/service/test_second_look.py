"""A second look at past races: every press with its reason, raw edges, and nothing is changed."""

from __future__ import annotations

import hashlib
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from companion.casebook import KEPT, Casebook
from companion.cases import Cases, collect
from companion.chain import read_rows
from companion.journal_file import companions, reader
from companion.referee import commands as c
from companion.referee.cards import Card
from companion.referee.presses import MILLISECOND, SECOND, Gap
from companion.referee.rulings import Finish
from companion.referee.table import Table
from companion.referee.trace import RawEdge, Trace
from companion.retelling import Retelling, tell
from companion.second_look import PressSeen, SecondLook, second_look
from companion.what_if_asked import read_wish
from companion.what_if_asking import MOST_MATCHES, Asking, Busy
from hardware.board import Board
from hardware.wiring import default_wiring
from tests.referee.evening import ANA, BEN, CLEO, DAN, Evening
from tests.service.night import FAST, Night, until

MS = MILLISECOND


def cases(evening: Evening) -> Cases:
    return collect(tell(Table(), evening.events))


def look(evening: Evening, ruling: int | None = None) -> SecondLook:
    found = second_look(cases(evening), ruling or evening.race.ruling or 0)
    assert found is not None
    return found


def why(seen: SecondLook) -> dict[tuple[int, int], str]:
    """The reason of each press, by seat and milliseconds."""
    return {(press.seat, press.after // MS): press.why for press in seen.presses}


def pushes(evening: Evening, began: int, *hands: tuple[int, int]) -> None:
    """Let hands land, each at so many milliseconds after a moment."""
    for seat, after in sorted(hands, key=lambda hand: hand[1]):
        evening.wait(began + after * MS - evening.now)
        evening.tap(seat, began + after * MS)


def test_every_press_near_a_race_is_shown_with_what_it_was() -> None:
    evening = Evening(4).start()
    evening.wait(5 * SECOND)
    began = evening.now + 3 * SECOND
    evening.wait(began - evening.now - 1_500 * MS)
    evening.tap(BEN)
    evening.wait(began - evening.now)
    evening.press(ANA)
    pushes(evening, began, (BEN, 300), (BEN, 420), (CLEO, 350), (DAN, 800), (BEN, 1_200))
    evening.wait(2 * SECOND)
    evening.let_go(ANA, began)
    seen = look(evening)
    assert why(seen) == {
        (BEN, -1_500): "too_early",
        (ANA, 0): "layer",
        (BEN, 300): "slap",
        (CLEO, 350): "slap",
        (BEN, 420): "again",
        (DAN, 800): "slap",
        (BEN, 1_200): "after_ruling",
    }
    assert (seen.match, seen.round, seen.kind, seen.how, seen.layer) == (1, 1, "race", "hold", ANA)
    assert (seen.since, seen.deadline) == (-SECOND, 10 * SECOND)
    assert seen.sentence.code == "race_last"
    assert [(draws.seat, draws.cards) for draws in seen.draws] == [(DAN, 4)]
    assert {seat.number: seat.name for seat in seen.seats}[CLEO] == "Cleo"
    assert isinstance(seen.finish, Finish)
    assert seen.presses[1].held is not None


def test_a_broken_button_a_gap_and_somebody_who_does_not_race_are_named() -> None:
    evening = Evening(4).start()
    evening.do(c.SetAside(BEN, "chatter", evening.now))
    evening.do(c.PressSeat(BEN), after=0)
    began = evening.press(ANA)
    evening.do(c.MissPresses((CLEO,), began, began + 50 * MS))
    evening.wait(300 * MS)
    evening.tap(CLEO)
    evening.tap(DAN, evening.now + 200 * MS)
    evening.wait(12 * SECOND)
    seen = look(evening)
    assert seen.aside == (BEN,)
    assert seen.gaps == (Gap(0, 50 * MS, (CLEO,)),)
    assert why(seen)[BEN, 0] == "slap", "a touch on the screen stands in for a broken button"


def test_a_hand_that_was_let_go_too_soon_is_shown_as_that() -> None:
    evening = Evening(house={"hands_stay_down": True}).start()
    began = evening.press(ANA)
    pushes(evening, began, (BEN, 300))
    evening.wait(began + 500 * MS - evening.now)
    evening.press(CLEO)
    evening.wait(began + 900 * MS - evening.now)
    evening.press(BEN)
    evening.wait(SECOND)
    seen = look(evening)
    assert (why(seen)[BEN, 300], why(seen)[BEN, 900]) == ("let_go", "slap")
    assert "hands_stay_down" in seen.used
    assert seen.house.hands_stay_down


def test_a_slap_off_counts_from_its_light_and_knows_its_tie() -> None:
    evening = Evening().start()
    began = evening.press(ANA)
    pushes(evening, began, (BEN, 300), (CLEO, 300))
    evening.wait(SECOND)
    tie = evening.race.ruling
    assert tie is not None
    evening.do(c.SlapOff())
    light = evening.race.slap_off
    assert light is not None
    pushes(evening, light.light_at, (CLEO, 150), (BEN, 250))
    evening.wait(SECOND)
    off = look(evening)
    assert (off.kind, off.racers) == ("slap_off", (BEN, CLEO))
    assert (why(off)[CLEO, 150], why(off)[BEN, 250]) == ("slap", "slap")
    assert [(sister.ruling, sister.kind) for sister in off.sisters] == [(tie, "race")]
    before = look(evening, tie)
    assert (before.kind, before.sentence.code[:9]) == ("race", "dead_heat")
    assert [sister.ruling for sister in before.sisters] == [off.ruling]


def test_a_race_that_the_referee_decided_shows_the_hands_it_was_about() -> None:
    evening = Evening().start()
    began = evening.press(ANA)
    pushes(evening, began, (BEN, 300), (CLEO, 300))
    evening.wait(SECOND)
    evening.do(c.PickLast((BEN,)))
    seen = look(evening)
    assert (seen.kind, seen.sentence.code) == ("picked", "race_picked")
    assert why(seen)[BEN, 300] == "slap"


def test_head_starts_and_what_was_overruled_are_told() -> None:
    evening = Evening()
    evening.do(c.SetHandicap(CLEO, 100))
    evening.start()
    began = evening.press(ANA)
    pushes(evening, began, (BEN, 300), (CLEO, 350))
    evening.wait(SECOND)
    ruling = evening.ruling.number
    evening.do(c.Overrule(ruling))
    seen = look(evening, ruling)
    assert seen.handicaps == {CLEO: 100 * MS}
    assert seen.finish is not None
    assert seen.finish.by_handicap
    assert (seen.overruled is not None, seen.presses[-1].after) == (True, 350 * MS)


@pytest.mark.parametrize("ruling", [0, 99])
def test_what_was_no_race_has_no_photo_finish(ruling: int) -> None:
    evening = Evening(way="refereed").refereed()
    evening.play("red-7")
    assert second_look(cases(evening), ruling) is None
    assert second_look(cases(evening), evening.ruling.number) is None


RAW = Trace((RawEdge(0, down=True), RawEdge(90_000, down=False), RawEdge(140_000, down=True)), 3)


def raced(folder: Path) -> Night:
    """A table with one race on it, whose last hand had a bad contact."""
    night = Night(folder, **FAST).open().deal()
    time.sleep(0.25)
    held = time.monotonic_ns() - 150 * MS
    night.press(ANA, held)
    night.worker.hand_over(c.Release(ANA, held + 80 * MS, held))
    for seat, after in ((BEN, 100), (CLEO, 130)):
        night.press(seat, held + after * MS)
        raw = RAW if seat == CLEO else None
        slap = held + after * MS
        night.worker.hand_over(c.Release(seat, slap + 50 * MS, slap, raw))
    until(lambda: night.round.race is not None and night.round.race.ruling is not None)
    night.settle()
    return night


def ruling_of(night: Night) -> int:
    assert night.round.race is not None
    assert night.round.race.ruling is not None
    return night.round.race.ruling


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
        seen = night.past.casebook.race(1, number)
        assert seen is not None
        slap = next(press for press in seen.presses if press.seat == CLEO)
        assert (slap.edges, slap.left_out, slap.held) == (RAW.edges, 3, 50 * MS)
        other = next(press for press in seen.presses if press.seat == BEN)
        assert (other.edges, other.left_out) == ((), 0)


def test_a_release_without_raw_edges_is_written_as_it_always_was(tmp_path: Path) -> None:
    with raced(tmp_path) as night:
        with reader(night.journal) as connection:
            bodies = [row.body for row in read_rows(connection) if b"press_released" in row.body]
        assert sum(b'"raw"' in body for body in bodies) == 1
        assert len(bodies) == 3


def test_looking_and_asking_changes_nothing(tmp_path: Path) -> None:
    with raced(tmp_path) as night:
        number, version = ruling_of(night), night.table.version
        before, table = fingerprint(night.journal), night.table
        asking = Asking(night.past.casebook)
        wish = read_wish({"timing": {"switch_tolerance_ms": 60}, "house": {"no_slap": "all_draw"}})
        found = asking.race(1, number, wish)
        assert found is not None
        assert found.change == "verdict"
        assert asking.matches((1,), wish).differences
        assert night.past.casebook.race(1, number) is not None
        assert fingerprint(night.journal) == before
        assert (night.table.version, night.table) == (version, table)


def test_a_match_is_read_once_and_again_when_it_has_gone_on(tmp_path: Path) -> None:
    with raced(tmp_path) as night:
        casebook = night.past.casebook
        first = casebook.cases(1)
        assert casebook.cases(1) is first
        night.do(c.Drawn(night.round.debts[0].number))
        assert casebook.cases(1) is not first
        assert casebook.cases(2) is None
        assert casebook.race(7, 1) is None


def test_only_so_many_matches_stay_at_hand(tmp_path: Path) -> None:
    with Night(tmp_path).open().seat_three() as night:
        for _ in range(KEPT + 2):
            night.do(c.StartMatch())
            night.do(c.CloseMatch())
        casebook = night.past.casebook
        first = casebook.cases(1)
        assert casebook.cases(1) is first
        for number in range(2, KEPT + 3):
            assert casebook.cases(number) is not None
        assert casebook.cases(1) is not first


def test_all_that_are_judged_at_one_asking_stay_at_hand() -> None:
    assert KEPT >= MOST_MATCHES


def test_of_the_matches_before_only_the_table_is_kept(tmp_path: Path) -> None:
    """The way back through each of them would be most of what a long past weighs."""
    with Night(tmp_path).open().seat_three() as night:
        for _ in range(2):
            night.do(c.StartMatch())
            night.do(c.ChooseDealer(ANA))
            night.do(c.CloseMatch())
        first = Retelling(night.journal).match(2, next)
    assert first is not None
    assert [seat.name for seat in first.before.game.seats] == ["Ana", "Ben", "Cleo"]
    assert (first.before.past, first.before.future) == (None, None)


def test_another_journal_in_the_same_place_is_noticed(tmp_path: Path) -> None:
    """As when something was forgotten for good and the journal was written anew."""
    one, other = tmp_path / "one", tmp_path / "other"
    with raced(one) as night:
        number = ruling_of(night)
    with Night(other).open().deal("refereed") as night:
        night.do(c.TurnUp(Card("red-5")))
        for _ in range(40):
            night.do(c.Draw())
    casebook = Casebook(one / "journal.db")
    assert casebook.race(1, number) is not None
    shutil.copy(other / "journal.db", one / "journal.db")
    assert casebook.race(1, number) is None
    assert casebook.cases(1) is not None


def test_two_do_not_ask_at_once_for_ever(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("companion.what_if_asking.PATIENCE", 0.01)
    with raced(tmp_path) as night:
        asking = Asking(night.past.casebook)
        with asking._turn, pytest.raises(Busy):
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
            until(lambda: not board.listener.contacts[BEN].moving)
            night.settle()
        finally:
            board.stop()
        found = night.past.casebook.cases(1)
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
