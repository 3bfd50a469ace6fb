"""The fault matrix on the whole path: mock pins, the service, the referee's ruling, the screen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.referee import commands as c
from companion.referee.model.rulings import Outcome, Ruling
from companion.referee.model.table import names_at
from companion.referee.sentences import Sentence, spoken
from companion.view import view
from companion.view.shape import SeatShown, Slap, View
from hardware.board import Board
from hardware.contact.edges import MILLISECOND, SECOND, HandLimits
from hardware.contact.listener import POLL
from hardware.outputs.lamps import LampState
from hardware.wiring.wiring import default_wiring
from tests.hardware.boards import now
from tests.kit.night import Night, until

NAMES = {1: "Ana", 2: "Ben", 3: "Cleo", 4: "Dan"}
JAMMED = SECOND // 2
NOISES = {f"noise of {hertz} Hz": hertz for hertz in (50, 120, 1_000, 5_000)}
FAULTS = ("stuck at boot", "held after its slap", "chatter", *NOISES, "silent")
NAMED = {"stuck at boot": "stuck", "chatter": "chatter"}
NO_FAULT = ("held after its slap", "silent")
"""With these it is known what the hand did, and nothing is wrong with the button."""
SHORT = {"timing": {"race_limit_ms": 1_500, "settle_ms": 20, "loose_wait_ms": 400}}


class BrokenTable:
    """Four people, each with a button, of which one is broken."""

    def __init__(self, night: Night, board: Board) -> None:
        assert board.hands is not None
        self.night, self.board, self.hands = night, board, board.hands

    @property
    def view(self) -> View:
        return view(self.night.table)

    def text(self, sentence: Sentence) -> str:
        return spoken(sentence, names_at(self.night.table)).text

    @property
    def ruling(self) -> Ruling | None:
        """The ruling on the race that is in force, where there is one."""
        given = (one for one in self.view.rulings if one.rule == "R12" and one.overruled is None)
        return next(given, None)

    def wait_for(self, outcome: Outcome) -> Ruling:
        """Wait until the race has come to this, and give the ruling."""
        until(lambda: self.ruling is not None and self.ruling.outcome == outcome)
        assert self.ruling is not None
        return self.ruling

    def answer(self, broken: int, key: str) -> None:
        """Say whether it was this seat that was last, which the table asks about."""
        (question,) = self.view.questions
        assert question.kind == "who_was_last"
        assert question.seats == (), "who may have to draw does not decide that alone"
        assert [choice.key for choice in question.choices] == [str(broken), "others"]
        self.night.do(c.Answer(question.number, key))
        assert self.view.questions == ()

    @property
    def slaps(self) -> tuple[Slap, ...]:
        return () if self.view.race is None else self.view.race.slaps

    def outlast(self, span: int) -> None:
        """Wait until every level was looked at again after such a time."""
        ends = now() + span + 2 * POLL
        until(
            lambda: all(
                c._doubt._certain[-1][0] > ends for c in self.board.listener.contacts.values()
            )
        )

    def tap(self, button: int, at: int) -> None:
        """Push a sound button at this moment, and let it go soon."""
        self.hands.press(button, at)
        self.hands.release(button, at + 80 * MILLISECOND)
        assert self.board.listener.caught_up()

    def shown(self, number: int) -> SeatShown:
        return next(seat for seat in self.view.seats if seat.number == number)

    def break_(self, button: int, fault: str, at: int) -> None:
        """Let a button do what broken ones do, from this moment on."""
        if fault == "held after its slap":
            self.hands.press(button, at)
        elif fault == "chatter":
            self._hum(button, at, half=18 * MILLISECOND, lasts=SECOND // 4)
        elif fault in NOISES:
            half = max(SECOND // NOISES[fault] // 2, 1)
            self._hum(button, at, half, lasts=150 * MILLISECOND)

    def _hum(self, button: int, at: int, half: int, lasts: int) -> None:
        for n in range(lasts // half):
            (self.hands.press if n % 2 == 0 else self.hands.release)(button, at + n * half)


@contextmanager
def table_with(folder: Path, stuck: int | None = None) -> Iterator[BrokenTable]:
    """Open a table in the middle of a round; one button may be down from the start."""
    with Night(folder, **SHORT).open() as night:
        for seat, name in NAMES.items():
            night.do(c.Sit(name, seat, seat))
        night.do(c.StartMatch())
        night.do(c.ChooseDealer(1))
        night.do(c.Deal())
        board = Board(
            default_wiring(4, factory="simulated"),
            night.worker.hand_over,
            hand=HandLimits(stuck=JAMMED),
        )
        table = BrokenTable(night, board)
        if stuck is not None:
            table.hands.press(stuck)
        worker = night.worker
        worker.subscribe(lambda seen, _events: board.show(view(seen), worker.clock.offset))
        board.start()
        try:
            yield table
        finally:
            board.stop()


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("broken", NAMES)
def test_a_broken_button_is_named_on_screen_and_decides_no_race(tmp_path, broken, fault):
    """Whoever could not slap is asked about; a silent one never slapped, a held one did first."""
    layer, early, late = (seat for seat in NAMES if seat != broken)
    with table_with(tmp_path, stuck=broken if fault == "stuck at boot" else None) as table:
        if fault == "stuck at boot":
            until(lambda: table.shown(broken).aside == "stuck")
        table.night.do(c.DeclareRace(layer))
        race = now()
        table.break_(broken, fault, race)
        table.tap(early, race + 20 * MILLISECOND)
        table.tap(late, race + 60 * MILLISECOND)
        if fault == "silent":
            until(lambda: len(table.slaps) == 2)
            assert table.text(table.view.next) == f"Slap! Still to come: {NAMES[broken]}."
        if fault not in NO_FAULT:
            table.wait_for("unusable")
            assert all(seat.owes == 0 for seat in table.view.seats)
            table.answer(broken, "others")
        loser = broken if fault == "silent" else late
        ruling = table.wait_for("never_slapped" if fault == "silent" else "last")
        assert ruling.seats == (loser,)
        assert [draws.seat for draws in ruling.draws] == [loser]
        assert NAMES[loser] in table.text(ruling.sentence)
        if fault in NO_FAULT:
            table.outlast(JAMMED)
        else:
            expected = NAMED.get(fault, "noise")
            until(lambda: table.shown(broken).aside == expected)
        assert [seat.number for seat in table.view.seats if seat.aside] == (
            [] if fault in NO_FAULT else [broken]
        )
        assert table.ruling == ruling, "what was found out about the button later changes nothing"


@pytest.mark.parametrize("broken", NAMES)
def test_somebody_with_a_broken_button_may_have_been_last_all_the_same(tmp_path, broken):
    layer, early, late = (seat for seat in NAMES if seat != broken)
    with table_with(tmp_path, stuck=broken) as table:
        until(lambda: table.shown(broken).aside == "stuck")
        table.night.do(c.DeclareRace(layer))
        table.tap(early, now())
        table.tap(late, now())
        table.wait_for("unusable")
        table.answer(broken, str(broken))
        assert table.wait_for("picked").seats == (broken,)
        assert table.shown(broken).owes == 4


@pytest.mark.parametrize("fault", ["chatter", *NOISES])
@pytest.mark.parametrize("broken", NAMES)
def test_a_seat_that_was_set_aside_is_not_waited_for_and_may_use_the_tablet(
    tmp_path, broken, fault
):
    layer, early, late = (seat for seat in NAMES if seat != broken)
    with table_with(tmp_path) as table:
        table.break_(broken, fault, now())
        until(lambda: table.shown(broken).aside is not None)
        table.board.show(table.view)
        assert table.board.lamps.states[broken] is LampState.ASIDE
        table.night.do(c.DeclareRace(layer))
        assert table.view.race is not None
        assert table.view.race.unusable == (broken,)
        assert not table.shown(broken).racing
        table.tap(early, now())
        table.night.do(c.PressSeat(broken))
        until(lambda: len(table.slaps) == 2)
        assert [slap.source for slap in table.slaps if slap.seat == broken] == ["tablet"]
        time.sleep(0.2)
        table.tap(late, now())
        assert table.wait_for("last").seats == (late,)


@pytest.mark.parametrize("fault", ["chatter", *NOISES])
def test_noise_that_seemed_to_end_a_race_is_taken_out_of_it_again(tmp_path, fault):
    """Its first edge is a press like any other, until the line has shown what it is."""
    layer, early, late, broken = NAMES
    with table_with(tmp_path) as table:
        table.night.do(c.DeclareRace(layer))
        race = now()
        table.tap(early, race)
        table.tap(late, race + 20 * MILLISECOND)
        table.break_(broken, fault, race + 60 * MILLISECOND)
        until(lambda: table.shown(broken).aside is not None)
        table.wait_for("unusable")
        assert all(seat.owes == 0 for seat in table.view.seats)
        table.answer(broken, "others")
        assert table.wait_for("last").seats == (late,)
        assert table.shown(broken).owes == 0
        assert table.shown(late).owes == 4
