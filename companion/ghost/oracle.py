"""The oracle: the ghost's own answer to every command, with its own way back and forth."""

from __future__ import annotations

from msgspec import structs

from companion.ghost import calls, counting, disputes, pushes, races, seating, turns
from companion.ghost.moments import DARK, Night, Push
from companion.ghost.truth import Refused, Truth, become
from companion.referee import commands as c

Handle = tuple[int, int]
"""The numbers that the table gave to a debt and to its ruling."""


class Oracle:
    """Knows the truth, and what each command should make of it."""

    def __init__(self, seed: int) -> None:
        self.truth = Truth(Night())
        self.past: list[Truth] = []
        self.future: list[Truth] = []
        self.handles: list[Handle] = []
        """By which numbers the open debts go at the table, in the ghost's order."""
        self._step_from = self.truth
        """Where a step begins: an older catch that a new one settles is no part of it."""
        self._seed = seed
        self._deals = 0

    def expect(self, command: c.Command, at: int, light_at: int | None = None) -> Refused | None:
        """Take a command to heart, or tell how it must be refused; then nothing has changed.

        The moment of a slap-off's light is drawn by lot at the table, so it is told.
        """
        before, night = self.truth.copy(), self.truth.night.copy()
        self._step_from = before
        try:
            step = self._do(command, at, light_at)
        except Refused as refused:
            become(self.truth.night, night)
            become(self.truth, before)
            return refused
        if step:
            self.past.append(self._step_from)
            self.future.clear()
        elif self.future and not isinstance(command, c.Undo | c.Redo | c.OpenTable):
            self._keep_future_unless_changed(before)
        return None

    def _keep_future_unless_changed(self, before: Truth) -> None:
        """What was taken back cannot be done again once the game has gone on."""
        if before != self.truth:
            self.future.clear()

    def pass_time(self, since: int, until: int) -> bool:
        """Let happen whatever falls due in a span, or was overdue; tell whether anything did."""
        happened = False
        while (due := pushes.next_due(self.truth)) is not None and due <= until:
            before = self.truth.copy()
            laid = pushes.pass_time(self.truth, max(due, since))
            assert before != self.truth, "what was due has happened"
            self.future.clear()
            if laid:
                self.past.append(before)
            happened = True
        return happened

    def _do(self, command: c.Command, at: int, light_at: int | None) -> bool:
        """Do it, and tell whether it is a step that can be taken back."""
        truth = self.truth
        match command:
            case c.Undo():
                self._undo()
                return False
            case c.Redo():
                self._redo()
                return False
            case c.Press() | c.PressSeat() | c.PhonePress() | c.Release():
                return _hand(truth, command, at)
            case c.HoldSeat(seat, pressed):
                pushes.hold_seat(truth, seat, pressed, at)
            case c.SetAside() | c.PutBack() | c.MissPresses() | c.OpenTable():
                disputes.button_trouble(truth, command, at)
                return False
            case c.AssignButton(seat, None):
                seating.await_button(truth, seat)
                return False
            case c.StartMatch() | c.Rematch():
                seating.start(truth, again=isinstance(command, c.Rematch))
                self.past.clear()
                self.future.clear()
                return False
            case c.Deal():
                self._deals += 1
                seating.deal(truth, at, self._seed * 1_000 + self._deals)
            case c.Catch():
                calls.check_catch(truth, command, at)
                calls.rule_catch(truth)
                self._step_from = truth.copy()
                calls.catch(truth, command, at)
            case c.SlapOff():
                races.slap_off(truth, at, light_at or at)
                assert at + DARK[0] <= (light_at or 0) <= at + DARK[1], "the dark has its limits"
            case c.Drawn(debt) | c.Forgive(debt):
                place = self._place(debt)
                disputes.settle_debt(truth, place, drawn=isinstance(command, c.Drawn))
            case c.Overrule(ruling):
                places = [at for at, handle in enumerate(self.handles) if handle[1] == ruling]
                disputes.overrule(truth, places, command, at)
            case _:
                _step(truth, command, at)
        return True

    def _place(self, debt: int) -> int:
        self.truth.the_round()
        for place, (number, _) in enumerate(self.handles):
            if number == debt:
                return place
        raise Refused

    def _undo(self) -> None:
        """Go a step back; but hands that were on the pile in a race stay there."""
        if not self.past:
            raise Refused
        now, night = self.truth, self.truth.night
        self.future.append(now)
        self.truth = self.past.pop().copy()
        self.truth.night = night
        round_ = self.truth.round
        race = round_.race if round_ is not None else None
        if round_ is None or race is None or race.state not in ("running", "slap_off"):
            return
        live = now.round.race if now.round is not None else None
        if live is not None and live.at == race.at and live.state in ("running", "slap_off"):
            round_.race = structs.replace(
                race, pushes=live.pushes, gaps=live.gaps, aside=live.aside, light=live.light
            )
        else:
            last = race.last or race.racers
            round_.race = structs.replace(race, state="undecided", last=last, light=None)

    def _redo(self) -> None:
        if not self.future:
            raise Refused
        night = self.truth.night
        self.past.append(self.truth)
        self.truth = self.future.pop().copy()
        self.truth.night = night


def _hand(truth: Truth, command: c.Press | c.PressSeat | c.PhonePress | c.Release, at: int) -> bool:
    """What a hand did: a step where somebody sits down, takes a spare, or catches."""
    window = truth.round.window if truth.round is not None else None
    free_to_catch = window is not None and window.catch is None
    match command:
        case c.PressSeat() | c.PhonePress():
            meaning = pushes.press_seat(truth, command, at)
        case c.Release(button, let_go, pressed):
            seat = seating.seat_of(truth, button)
            if seat is not None and pushes.let_go(truth, seat, pressed, let_go):
                return pushes.lay_what_was_held(truth, pressed, at)
            return False
        case c.Press(button, pressed, doubt):
            seat = seating.seat_of(truth, button)
            if seat is None:
                return seating.take_free_button(truth, button)
            if button in truth.night.aside:
                return False
            heard = pushes.read(truth, Push(seat, pressed, doubt), at)
            meaning = heard or "nothing"
    return meaning == "catch" and free_to_catch


def _step(truth: Truth, command: c.Command, at: int) -> None:
    """Everything that people ask for on a screen and that can be taken back."""
    match command:
        case c.Play():
            turns.play(truth, command, at)
        case c.Draw():
            turns.draw(truth, command, at)
        case c.TurnUp():
            turns.turn_up(truth, command, at)
        case c.NameColour():
            turns.name_colour(truth, command)
        case c.Challenge():
            turns.challenge(truth, command, at)
        case c.Correct():
            disputes.correct(truth, command)
        case c.Call():
            calls.call(truth, command, at)
        case c.WithdrawCall():
            calls.withdraw_call(truth, command)
        case c.DeclareRace():
            races.declare_race(truth, command, at)
        case c.ChangeLayer():
            races.change_layer(truth, command, at)
        case c.RerunRace():
            races.rerun_race(truth, at)
        case c.CancelRace():
            races.cancel_race(truth, at)
        case c.PickLast():
            races.pick_last(truth, command, at)
        case c.GoOut():
            counting.go_out(truth, command, at)
        case c.EnterHand():
            counting.enter_hand(truth, command)
        case c.EnterPoints():
            counting.enter_points(truth, command)
        case c.ClearHand():
            counting.clear_hand(truth, command)
        case c.ScoreRound():
            counting.score_round(truth)
        case c.EditRound():
            counting.edit_round(truth, command)
        case c.PlayOn():
            counting.play_on(truth)
        case _:
            seating.step(truth, command)
