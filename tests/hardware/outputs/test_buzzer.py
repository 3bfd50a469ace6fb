"""What the buzzer plays, and when it keeps silent."""

from __future__ import annotations

import time

import pytest
from gpiozero import TonalBuzzer

from companion.referee import commands as c
from companion.view import view
from hardware.board import Board
from hardware.contact.edges import MILLISECOND, SECOND
from hardware.outputs.buzzer import TUNES, Buzzer, tune_for
from hardware.pins.simulated import SimulatedFactory
from hardware.wiring.wiring import default_wiring
from tests.kit.evening import ANA, BEN, CLEO, Evening


def tunes(evening: Evening, *steps) -> list[str]:
    """Let things happen one after the other, and note the tune of each."""
    played = []
    before = view(evening.table)
    for step in steps:
        step()
        after = view(evening.table)
        played.append(tune_for(before, after) or "-")
        before = after
    return played


def test_a_race_is_heard_when_it_opens_and_when_it_is_decided():
    evening = Evening(3).start()
    played = tunes(
        evening,
        lambda: evening.do(c.DeclareRace(ANA)),
        lambda: evening.tap(CLEO),
        lambda: evening.wait(200 * MILLISECOND),
        lambda: evening.tap(BEN),
        lambda: evening.wait(SECOND),
    )
    assert played == ["slap", "-", "-", "-", "decided"]


def test_nobody_is_called_to_a_race_in_which_all_hands_have_landed():
    evening = Evening(4).start()

    def slaps() -> None:
        for seat in (BEN, CLEO, 4):
            evening.wait(50 * MILLISECOND)
            evening.tap(seat)

    assert tunes(evening, slaps, lambda: evening.wait(SECOND)) == ["-", "decided"]


def test_too_close_to_tell_has_a_tune_of_its_own():
    evening = Evening(3).start()
    evening.do(c.DeclareRace(ANA))
    now = evening.now
    evening.tap(BEN, now)
    evening.tap(CLEO, now)
    assert tunes(evening, lambda: evening.wait(2 * SECOND)) == ["dead heat"]


def test_a_race_that_is_taken_back_is_not_decided_once_more():
    evening = Evening(4).start()

    def race() -> None:
        evening.wait(15 * SECOND)
        for seat in (BEN, CLEO, 4):
            evening.wait(50 * MILLISECOND)
            evening.tap(seat)
        evening.wait(SECOND)

    assert tunes(evening, race, race) == ["decided", "decided"]
    assert tunes(evening, lambda: evening.do(c.CancelRace())) == ["-"]


def test_somebody_who_was_caught_hears_it():
    evening = Evening(3).start()

    def caught() -> None:
        evening.do(c.Catch(seat=BEN, by=ANA))
        evening.wait(SECOND)

    assert tunes(evening, caught) == ["draws"]


def test_nothing_is_played_for_the_first_view_after_a_start():
    assert tune_for(None, view(Evening(3).start().table)) is None


def test_a_tune_moves_the_pin_and_ends():
    factory = SimulatedFactory()
    buzzer = Buzzer(TonalBuzzer(8, octaves=2, pin_factory=factory))
    buzzer.start()
    pin = factory.pin(8)
    until = time.monotonic() + 60
    heard: set[int] = set()
    while len(heard) < len({pitch for tune in TUNES.values() for pitch, _ in tune}):
        assert time.monotonic() < until, heard
        if buzzer._tunes.empty():
            # Again, because a note is short and whoever listens may be busy meanwhile.
            for tune in TUNES:
                buzzer.play(tune)
        if pin.frequency:
            heard.add(round(pin.frequency))
        time.sleep(0.005)
    buzzer.stop()
    factory.close()


def test_a_tune_that_nobody_wrote_is_a_sentence():
    with pytest.raises(KeyError, match="There is no tune 'polka'"):
        Buzzer(None).play("polka")


def test_a_table_without_a_buzzer_is_silent():
    board = Board(default_wiring(2, factory="simulated"), lambda report: None)
    board.start()
    board.buzzer.play("won")
    board.stop()
