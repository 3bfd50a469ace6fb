"""From a simulated contact to a seat: sitting down by a press, and a spare that takes over."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.referee import commands as c
from hardware.board import Board
from hardware.contact.edges import MILLISECOND
from hardware.wiring.wiring import default_wiring
from tests.kit.night import Night, until

SPARE = 3


class Furniture:
    """A table with two seats and a spare button, wired to a real worker."""

    def __init__(self, folder: Path) -> None:
        self.night = Night(folder).open()
        wiring = default_wiring(2, spares=1, factory="simulated")
        self.board = Board(wiring, self.night.worker.hand_over)
        self.board.start()

    def close(self) -> None:
        self.board.stop()
        self.night.close()

    def press(self, button: int) -> None:
        """Push a button and let it go, and wait until the table has heard both."""
        assert self.board.hands is not None
        now = time.monotonic_ns()
        self.board.hands.press(button, now)
        self.board.hands.release(button, now + 40 * MILLISECOND)
        assert self.board.listener.caught_up()
        until(lambda: self.board.listener.contacts[button].look_at is None)
        self.night.settle()

    def chatter(self, button: int) -> None:
        """Let a contact do what no hand can, until its button is set aside."""
        assert self.board.hands is not None
        now = time.monotonic_ns()
        for n in range(40):
            move = self.board.hands.release if n % 2 else self.board.hands.press
            move(button, now + n * 18 * MILLISECOND)
        until(lambda: button in self.night.table.aside)

    def buttons(self) -> dict[str, int | None]:
        return {seat.name: seat.button for seat in self.night.table.game.seats}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Furniture]:
    furniture = Furniture(tmp_path)
    yield furniture
    furniture.close()


def test_a_press_takes_the_next_seat_whichever_button_it_was(table: Furniture) -> None:
    table.press(2)
    table.press(1)
    seats = [(seat.number, seat.button) for seat in table.night.table.game.seats]
    assert seats == [(1, 2), (2, 1)]
    table.press(2)
    assert len(table.night.table.game.seats) == 2


def test_one_press_of_a_spare_takes_over_the_seat_of_a_broken_button(table: Furniture) -> None:
    table.press(1)
    table.press(2)
    table.night.do(c.StartMatch())
    table.night.do(c.ChooseDealer(1))
    table.night.do(c.Deal())
    before = table.buttons()
    table.chatter(2)
    table.press(SPARE)
    broken = next(name for name, button in before.items() if button == 2)
    assert table.buttons() == {**before, broken: SPARE}


def test_a_seat_that_was_promised_another_button_takes_the_next_free_one(table: Furniture) -> None:
    table.press(1)
    table.press(2)
    table.night.do(c.AssignButton(1))
    table.press(SPARE)
    assert list(table.buttons().values()) == [SPARE, 2]
