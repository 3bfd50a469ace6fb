"""A draft: the table as it becomes while one command is decided, and the events that make it so."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.apply import FOLDS, IN_MATCH, IN_ROUND
from companion.referee.apply.rulings import too_much
from companion.referee.commands import RoundCommand
from companion.referee.evidence.material import evidence_of
from companion.referee.model.cards import Card
from companion.referee.model.edition import Edition
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import Timing
from companion.referee.model.rulings import Draws, Outcome, Ruling
from companion.referee.model.rulings import Evidence as Grounds
from companion.referee.model.table import Evidence, Game, Logged, Match, Round, Seat, Table
from companion.referee.sentences import Part, Sentence, Who, refuse, say


class Now(Struct, frozen=True):
    """What the world brings to a decision: the moment, and a number drawn by chance."""

    at: int
    luck: int = 0


class Draft:
    """Decisions read the table here and add events; each is applied at once.

    Most events change nothing but the round, or the match. It is put back, and the version of the
    table counted on, when somebody asks for the whole.
    """

    def __init__(self, table: Table, now: Now, *, by_press: bool = False) -> None:
        self._take(table)
        self._ahead = 0
        """How many events the match is ahead of the table."""
        self.now = now
        self._by_press = by_press
        self.events: list[e.Event] = []

    def _take(self, table: Table) -> None:
        """Go on from a table, and the match and the round in it."""
        self._table = table
        self.timing: Timing = table.timing
        """The durations by which presses are read."""
        self._match = match = table.game.match
        self._round = None if match is None else match.round

    def add(self, event: e.Event) -> None:
        """Let something happen."""
        kind = type(event)
        if (in_round := IN_ROUND.get(kind)) is not None:
            assert self._round is not None
            self._round = in_round(self._round, event)
        elif (in_match := IN_MATCH.get(kind)) is not None:
            self._match = match = in_match(self.match, event)
            self._round = match.round
        else:
            self._take(FOLDS[kind](self.table, event))
        self._ahead += 1
        self.events.append(event)

    def step(self, code: str, **parts: Part) -> None:
        """Begin something that can be taken back as a whole."""
        self.add(e.StepTaken(say(code, **parts), self.now.at, self._by_press))

    def rule(
        self,
        rule: str,
        outcome: Outcome,
        sentence: Sentence,
        *,
        seats: tuple[int, ...] = (),
        draws: tuple[Draws, ...] = (),
        house: tuple[str, ...] = (),
        evidence: Grounds | None = None,
    ) -> int:
        """Give a ruling and tell its number."""
        ruling = self.ruling(rule, outcome, sentence, seats, draws, house, evidence)
        self.add(e.RulingGiven(ruling))
        return ruling.number

    def ruling(
        self,
        rule: str,
        outcome: Outcome,
        sentence: Sentence,
        seats: tuple[int, ...],
        draws: tuple[Draws, ...],
        house: tuple[str, ...] = (),
        evidence: Grounds | None = None,
    ) -> Ruling:
        """Write a ruling with the next number, not yet given."""
        number = self.match.serial + 1
        return Ruling(
            number,
            rule,
            outcome,
            sentence,
            self.now.at,
            seats,
            draws,
            house=house,
            evidence=evidence,
        )

    def overrule(self, number: int, by: Sentence, ruling: Ruling) -> None:
        """Put a ruling in the place of one that was given, and say which cards go back for it."""
        round_ = self.match.round
        if round_ is not None:
            ruling = replace(ruling, back=too_much(round_, number, ruling))
        self.add(e.RulingOverruled(number, by, ruling))

    def enter(self, command: RoundCommand, seat: int | None = None) -> int:
        """Put what was entered into the round's log, and tell the number of its record."""
        number = self.record_number()
        self.add(e.Entered(Logged(number, self.now.at, command, seat)))
        return number

    def record_number(self) -> int:
        """The number of the next record of this round."""
        return self.round.records + 1

    @property
    def table(self) -> Table:
        """The table as it is by now."""
        if self._ahead:
            table, game = self._table, self._table.game
            if self._match is not None and self.match is not game.match:
                game = replace(game, match=self.match)
            self._table = replace(table, game=game, version=table.version + self._ahead)
            self._ahead = 0
        return self._table

    @property
    def evidence(self) -> Evidence:
        """What hands did in this round: nothing that happens to cards alone changes it."""
        return evidence_of(self._table, self.round.began)

    @property
    def game(self) -> Game:
        """The game as it is by now."""
        return self.table.game

    @property
    def _started(self) -> Match:
        """The match without what has become of its round, or a refusal."""
        if self._match is None:
            raise refuse("no_match")
        return self._match

    @property
    def match(self) -> Match:
        """The match, or a refusal."""
        match = self._started
        if match.round is not self._round:
            self._match = match = replace(match, round=self._round)
        return match

    @property
    def round(self) -> Round:
        """The round, or a refusal."""
        round_ = self._round
        if round_ is None:
            _ = self._started
            raise refuse("no_round")
        return round_

    @property
    def playing(self) -> Round:
        """The round while cards are being played, or a refusal."""
        round_ = self.round
        if round_.out is not None:
            raise refuse("round_over", name=self.who(round_.out))
        return round_

    @property
    def edition(self) -> Edition:
        """The edition of the match."""
        return self._started.edition

    @property
    def house(self) -> HouseRules:
        """The house rules of the match."""
        return self._started.house

    def seat(self, number: int) -> Seat:
        """The player at this seat, or a refusal."""
        for seat in self._table.game.seats:
            if seat.number == number:
                return seat
        raise refuse("unknown_seat", seat=number)

    def player_in_round(self, number: int) -> Seat:
        """The player who plays this round at this seat, or a refusal."""
        seat = self.seat(number)
        if number not in self.round.seats:
            raise refuse("not_in_round", name=seat.who)
        return seat

    def who(self, *numbers: int) -> Who:
        """The players who sit there, as a sentence names them."""
        return tuple(self.seat(number).player for number in numbers)

    def title(self, card: Card) -> str:
        """How to say a card of this edition."""
        return self.edition.title(card)

    def owed(self, seat: int) -> int:
        """How many cards a seat still has to draw."""
        return sum(debt.cards for debt in self.round.debts if debt.seat == seat)
