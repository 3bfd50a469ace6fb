"""Everybody at the table answers the table's questions truthfully, after a moment."""

from __future__ import annotations

from random import Random

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.questions import Question
from companion.referee.model.table import Race
from companion.referee.sentences import Who
from tests.simulation.free import NEAR, read_as
from tests.simulation.people import SEEN_LATE, UNCERTAINTY, between
from tests.simulation.table import Playground
from tests.simulation.truth import TrueRace, TrueWindow, Truth

BY_BUTTON = 0.5
"""So often who laid the card presses the button that blinks, rather than taps."""


class Answers:
    """Answers every question that is still open when somebody has read it."""

    def __init__(self, truth: Truth, chance: Random, ground: Playground) -> None:
        self.truth = truth
        self.chance = chance
        self.ground = ground
        self.races: dict[int, list[tuple[str, int]]] = {}
        """By true race, what had to be asked about it, and when."""
        self.windows: dict[int, list[str]] = {}
        self.nothing: list[str] = []
        """What was asked although nothing of the kind had happened."""
        self.helpless: list[Question] = []
        """Questions that offered no true answer."""
        ground.on_question = self._asked

    def _asked(self, question: Question) -> None:
        at = self.ground.now + between(self.chance, 1.0, 4.0)
        self.ground.plan(at, lambda _: self._answer(question))

    def _answer(self, question: Question) -> None:
        if not self._open(question):
            return
        match question.kind:
            case "was_race":
                self._was_race(question)
            case "who_laid":
                self._who_laid(question)
            case "who_was_last":
                self._who_was_last(question)
            case "called_in_time" | "caught_in_time":
                self._about_catch(question)
            case "play_stands":
                self._choose(question, "choice_stands")

    def _was_race(self, question: Question) -> None:
        shown = self._shown(question)
        race = self._true_race(shown, question)
        self._note(race, question)
        if race is None:
            self._choose(question, "choice_no")
        elif _named(question) == race.layer:
            self._layer_says_so(question, race, "choice_yes")
        else:
            self._choose(question, "choice_no")
            self.ground.plan(self.ground.now + SECOND, c.DeclareRace(race.layer))

    def _who_laid(self, question: Question) -> None:
        shown = self._shown(question)
        race = self._true_race(shown, question)
        self._note(race, question)
        if race is None:
            self._choose(question, "choice_no_race")
        elif self._offers(question, (race.layer,)):
            self._layer_says_so(question, race, (race.layer,))
        else:
            self.ground.tell(c.DeclareRace(race.layer))

    def _who_was_last(self, question: Question) -> None:
        race = self._true_race(self._shown(question), question)
        self._note(race, question)
        if race is None:
            return
        for seat in race.last:
            if self._offers(question, (seat,)):
                self._choose(question, (seat,))
                return
        self._choose(question, "choice_others")

    def _about_catch(self, question: Question) -> None:
        seat = _named(question)
        window = self._true_window(seat, question.at)
        if window is None:
            self.nothing.append(question.kind)
            self._choose(question, "choice_too_late", "choice_called")
            return
        self.windows.setdefault(window.number, []).append(question.kind)
        if window.caught:
            self._choose(question, "choice_caught")
        elif window.catch is not None and window.catch.at >= window.closed:
            self._choose(question, "choice_too_late", "choice_called")
        else:
            self._choose(question, "choice_called", "choice_too_late")

    def _layer_says_so(self, question: Question, race: TrueRace, wanted: str | Who) -> None:
        """Press the button that blinks; where that is not understood, tap the answer."""
        by_button = self.chance.random() < BY_BUTTON and not self._racing(self.ground.now)
        if race.layer in question.seats and by_button:
            at = self.ground.now
            until = at + 150 * MILLISECOND
            seen = at + self.chance.randrange(60 * MILLISECOND)
            self.ground.plan(seen, c.PushButton(race.layer, at, UNCERTAINTY))
            self.ground.plan(until + SEEN_LATE, c.Release(race.layer, until, at))
            again = at + between(self.chance, 2.5, 4.0)
            self.ground.plan(again, lambda _: self._choose(question, wanted))
        else:
            self._choose(question, wanted)

    def _racing(self, now: int) -> bool:
        """Whether a card has just been laid: then a hand on a button slaps, and answers nothing."""
        return any(
            race.laid - SECOND // 2 <= now <= race.over + SECOND for race in self.truth.races
        )

    def _choose(self, question: Question, *wanted: str | Who) -> None:
        """Tap the first of these answers that is offered, by its words or by who is named on it."""
        if not self._open(question):
            return
        for words in wanted:
            for choice in question.choices:
                if words in (choice.sentence.code, choice.sentence.parts.get("name")):
                    self.ground.tell(c.Answer(question.number, choice.key))
                    return
        self.helpless.append(question)

    def _open(self, question: Question) -> bool:
        return any(asked.number == question.number for asked in self.ground.round.questions)

    def _offers(self, question: Question, name: Who) -> bool:
        return any(choice.sentence.parts.get("name") == name for choice in question.choices)

    def _shown(self, question: Question) -> Race | None:
        """The race on the table that a question is about."""
        states = {"was_race": ("proposed",), "who_laid": ("running", "undecided", "proposed")}
        wanted = states.get(question.kind, ("undecided", "ruled"))
        shown = [
            race
            for race in self.ground.round.races
            if race.state in wanted and race.anchor <= question.at
        ]
        named = [race for race in shown if str(race.anchor) in question.about]
        return max(named or shown, key=lambda race: race.anchor, default=None)

    def _true_race(self, shown: Race | None, question: Question) -> TrueRace | None:
        """The race that really was, unless the table shows it rightly somewhere else already."""
        at = question.at if shown is None else shown.anchor
        latest = 12 * SECOND if shown is None else NEAR[1]
        near = [race for race in self.truth.races if NEAR[0] <= at - race.laid <= latest]
        race = min(near, key=lambda race: abs(at - race.laid), default=None)
        if race is None or shown is None:
            return race
        seen = read_as(self.ground, self.truth, race)
        elsewhere = seen is not None and seen.anchor != shown.anchor and seen.layer == race.layer
        return None if elsewhere else race

    def _true_window(self, seat: int | None, at: int) -> TrueWindow | None:
        own = [window for window in self.truth.windows if window.seat == seat and window.laid <= at]
        return max(own, key=lambda window: window.laid, default=None)

    def _note(self, race: TrueRace | None, question: Question) -> None:
        if race is None:
            self.nothing.append(question.kind)
        else:
            self.races.setdefault(race.number, []).append((question.kind, question.at))


def _named(question: Question) -> int | None:
    name = question.sentence.parts.get("name")
    return name[0] if isinstance(name, tuple) and isinstance(name[0], int) else None
