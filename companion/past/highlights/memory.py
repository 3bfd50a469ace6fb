"""Follow the events of a table, and remember the moments of every match.

The lines of the matches keep only the score, and the table only its latest rulings; so the events
are followed once more.
"""

from __future__ import annotations

from msgspec import Struct

from companion.past.highlights.highlights import Highlights
from companion.past.highlights.match import Remembered, followed, highlights_of
from companion.referee import events as e


class _Step(Struct, frozen=True):
    game: Remembered | None
    """None where only hands were taken back, which no step brings back."""
    below: _Step | None = None


class Memory:
    """Follows the events of a table and remembers the moments of every match."""

    def __init__(self) -> None:
        self._told: dict[int, Highlights] = {}
        self._game = self._summed_up = Remembered()
        self._past: _Step | None = None
        self._future: _Step | None = None

    @property
    def matches(self) -> dict[int, Highlights]:
        """The moments of every match so far; those of a match that is the same are the same."""
        self._sum_up()
        return self._told

    def follow(self, event: e.Event) -> None:
        """Take in the next event."""
        before = self._game
        match event:
            case e.StepTaken():
                self._past = _Step(self._game, self._past)
            case e.Undone():
                assert self._past is not None
                assert self._past.game is not None
                self._go_to(self._past.game)
                if before.match is not None and self._game.match != before.match:
                    del self._told[before.match]
                self._future = _Step(before, self._future)
                self._past = self._past.below
            case e.Redone():
                assert self._future is not None
                if self._future.game is not None:
                    self._go_to(self._future.game)
                    self._past = _Step(before, self._past)
                self._future = self._future.below
            case e.PressesDismissed():
                self._future = _Step(None, self._future)
                self._game = followed(before, event)
            case e.MatchStarted(match=number):
                # Only the beginning itself can still be taken back.
                self._past = None if self._past is None else _Step(self._past.game)
                self._future = None
                self._go_to(Remembered(seats=before.seats, match=number))
            case e.MatchClosed():
                self._go_to(Remembered(seats=before.seats))
            case e.MatchForgotten(seats=seats):
                self._past = self._future = None
                self._go_to(Remembered(seats={seat.number: seat.player for seat in seats}))
            case _:
                self._game = followed(before, event)

    def _go_to(self, game: Remembered) -> None:
        """Go on from another game, which may be of another match."""
        if game.match != self._game.match:
            self._sum_up()
        self._game = game

    def _sum_up(self) -> None:
        game = self._game
        if game.match is not None and game is not self._summed_up:
            moments = highlights_of(game)
            if self._told.get(game.match) != moments:
                self._told[game.match] = moments
        self._summed_up = game


TOLD = frozenset(
    {
        "step_taken",
        "undone",
        "redone",
        "presses_dismissed",
        "presses_answered",
        "match_started",
        "match_closed",
        "match_forgotten",
        "seat_taken",
        "seat_left",
        "seats_swapped",
        "round_dealt",
        "play_changed",
        "race_read",
        "race_unread",
        "ruling_given",
        "ruling_overruled",
        "calls_read",
        "call_withdrawn",
    }
)
"""The events that say something here; presses, which are most of a journal, do not."""
