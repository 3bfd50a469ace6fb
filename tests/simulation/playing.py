"""People play one round in real time: turns, races, calls and catches, with every touch."""

from __future__ import annotations

from random import Random

from companion.referee.commands import Way
from companion.referee.model.cards import COLOURS, Card, Colour, face_of
from companion.referee.model.edition import PRINTED
from companion.referee.model.presses import SECOND
from tests.simulation.people import (
    Habits,
    Touch,
    between,
    possible,
    reaction,
    strays,
    touches,
)
from tests.simulation.pile import Pile
from tests.simulation.truth import TrueCatch, TrueRace, TrueTurn, TrueWindow, Truth

BEGAN = 1_010 * SECOND
"""When play begins, on the table's clock."""
RACE_CARD = Card("street-race")
FIRST = Card("red-5")
LONGEST = 120 * SECOND
"""No round lasts longer."""
RACE_LIMIT = 10 * SECOND
"""Nobody waits longer for a slap."""
UNSURE = 5 * SECOND
"""Where somebody does not slap, the layer waits so long before doing anything else."""
QUICK_HAND = SECOND // 2
"""A hand so long before the card may still be taken for a quick one."""
RACE_DRAWS, CATCH_DRAWS = 4, 2


def play_round(
    seed: int,
    players: int,
    edition: str,
    way: Way,
    habits: Habits,
    races: int,
    hands: tuple[int, ...],
) -> Truth:
    """Let people play a short round; the same seed gives the same round."""
    playing = _Playing(seed, players, edition, way, habits, hands)
    return playing.play(playing.chance.randint(races + 3, 10), races)


class _Playing:
    def __init__(
        self,
        seed: int,
        players: int,
        edition: str,
        way: Way,
        habits: Habits,
        hands: tuple[int, ...],
    ) -> None:
        self.seed, self.players, self.edition, self.way = seed, players, edition, way
        self.chance = Random(f"play {seed} {players} {edition} {way}")
        self.habits = habits
        self.pile = Pile(next(sheet for sheet in PRINTED if sheet.key == edition), FIRST)
        self.hands = {seat: self.chance.choice(hands) for seat in self.seats}
        self.began = BEGAN
        self.turns: list[TrueTurn] = []
        self.races: list[TrueRace] = []
        self.windows: list[TrueWindow] = []
        self.made: list[Touch] = []
        for seat in self.seats:
            self.made += strays(self.chance, habits, seat, self.began, self.began + LONGEST)

    @property
    def seats(self) -> range:
        return range(1, self.players + 1)

    def play(self, count: int, races: int) -> Truth:
        hands = dict(self.hands)
        raced = set(self.chance.sample(range(count), races))
        at = self.began + between(self.chance, 1.0, 4.0)
        seat, direction = self._next(1, 1), 1
        for number in range(count):
            card, colour = self._card(seat, number in raced)
            over = self._turn(number, at, seat, card, colour)
            if card is not None and face_of(card) == "reverse":
                direction = -direction
            skips = card is not None and face_of(card) == "skip"
            seat = self._next(self._next(seat, direction) if skips else seat, direction)
            at = max(over, at + between(self.chance, 1.2, 5.0))
            self._window(at)
            if self.windows and self.windows[-1].catch is not None:
                at = max(at, self.windows[-1].closed)
        ended = at + 2 * SECOND
        return Truth(
            self.seed,
            self.players,
            self.edition,
            self.way,
            self.began,
            hands,
            tuple(self.turns),
            tuple(self.races),
            tuple(self.windows),
            tuple(possible([touch for touch in self.made if touch.at < ended])),
            ended,
        )

    def _next(self, seat: int, direction: int) -> int:
        return (seat - 1 + direction) % self.players + 1

    def _card(self, seat: int, race: bool) -> tuple[Card | None, Colour | None]:
        """Whoever is on one card draws, so that the round goes on."""
        named = self.chance.choice(COLOURS)
        if self.hands[seat] == 1:
            return None, None
        if race:
            return RACE_CARD, named
        if self.chance.random() < 0.07 and self.pile.left(Card("wild")):
            return Card("wild"), named
        return self.pile.fitting(self.chance), None

    def _turn(
        self, number: int, at: int, seat: int, card: Card | None, colour: Colour | None
    ) -> int:
        """Take one turn, and tell when everybody is done with it."""
        if card is None:
            self.hands[seat] += 1
            self.turns.append(TrueTurn(number, at, seat, None, None, self.hands[seat]))
            return at
        self.pile.lay(card, colour)
        self.hands[seat] -= 1
        self.turns.append(TrueTurn(number, at, seat, card, colour, self.hands[seat]))
        return self._race(at, seat, number) if card == RACE_CARD else at

    def _race(self, at: int, layer: int, turn: int) -> int:
        """Everybody but the layer slaps; who was last draws."""
        slaps: dict[int, int | None] = {}
        for seat in self.seats:
            delay = reaction(self.chance, self.habits)
            if seat != layer:
                self._calm_before(seat, at)
                slaps[seat] = self._first(seat, at, None if delay is None else at + delay)
        race = TrueRace(len(self.races), at, layer, slaps, turn)
        self.races.append(race)
        for seat, slap in slaps.items():
            if slap is not None:
                self.made += touches(self.chance, self.habits, seat, slap)
        if len(race.last) == 1:
            self.hands[race.last[0]] += RACE_DRAWS
        return self._over(race) + between(self.chance, 0.8, 3.5)

    def _calm_before(self, seat: int, laid: int) -> None:
        """Nobody can tell a touch of just before the card from a quick hand, so there is none."""
        self.made = [
            touch
            for touch in self.made
            if touch.needed or touch.seat != seat or not laid - QUICK_HAND <= touch.at < laid
        ]

    def _first(self, seat: int, laid: int, slap: int | None) -> int | None:
        """A hand that is on the button once the card lies there has slapped, whatever it meant."""
        until = laid + RACE_LIMIT
        made = [t.at for t in self.made if t.seat == seat and laid <= t.at < until]
        return min([*made, *([] if slap is None else [slap])], default=None)

    def _window(self, following: int) -> None:
        """R13 for the turn just taken, where it left one card; the next one begins then."""
        turn = self.turns[-1]
        if turn.left != 1 or turn.card is None:
            return
        raced = bool(self.races) and self.races[-1].turn == turn.number
        since = self._over(self.races[-1]) if raced else turn.at
        meanwhile = not raced or self.chance.random() < self.habits.calls_in_race
        call = self._call(turn.at if meanwhile else since + SECOND)
        catch = self._catch(turn.seat, since, call, following)
        closed = following
        if catch is not None and catch.at < following:
            closed = max(following, catch.at + between(self.chance, 3.5, 6.0))
        window = TrueWindow(len(self.windows), turn.at, turn.seat, closed, call, catch, turn.number)
        if window.caught:
            self.hands[turn.seat] += CATCH_DRAWS
        if catch is not None and call is None and self.chance.random() < self.habits.startled:
            startled = catch.at + between(self.chance, 1.2, 2.5)
            self.made += touches(self.chance, self.habits, turn.seat, startled)
        self.windows.append(window)

    def _over(self, race: TrueRace) -> int:
        """When everybody takes a race for done; where a hand is missing, that takes a while."""
        return race.laid + UNSURE if None in race.slaps.values() else race.over

    def _call(self, laid: int) -> int | None:
        luck = self.chance.random()
        if luck < self.habits.calls:
            at = laid + between(self.chance, -0.6, 1.2)
        elif luck < self.habits.calls + self.habits.calls_late:
            at = laid + between(self.chance, 1.5, 6.0)
        else:
            return None
        return at

    def _catch(self, seat: int, laid: int, call: int | None, following: int) -> TrueCatch | None:
        by = self.chance.choice([other for other in self.seats if other != seat])
        at = laid + between(self.chance, 1.0, 4.0)
        luck, late = self.chance.random(), self.chance.random()
        if call is not None:
            self.made += touches(self.chance, self.habits, seat, call)
        called = call is not None and call <= at
        if luck >= (self.habits.mishears if called else self.habits.notices):
            return None
        if at >= following and late >= self.habits.too_late:
            return None
        self._press_catch(by, at)
        return TrueCatch(by, at)

    def _press_catch(self, by: int, at: int) -> None:
        """Refereed, a catch is two presses; in free play one, and a tap on the tablet."""
        if self.way == "free":
            self.made += touches(self.chance, self.habits, by, at)
            return
        again = at + between(self.chance, 0.3, 1.0)
        self.made.append(Touch(at, by, min(again - 50_000_000, at + 150_000_000)))
        self.made += touches(self.chance, self.habits, by, again)
