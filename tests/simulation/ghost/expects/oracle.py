"""The oracle: the ghost's own answer to every command, with its own way back and forth."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.referee import commands as c
from tests.simulation.ghost.expects import calls, counting, disputes, races, seating, turns
from tests.simulation.ghost.truth import MILLISECOND, Night, Refused, Truth, become

Handle = tuple[int, int]
"""The numbers that the table gave to a debt and to its ruling."""
DARK = (1500 * MILLISECOND, 5000 * MILLISECOND)
"""How long it is dark before the light of a slap-off."""


class Step(Struct, frozen=True):
    """Something that can be taken back: when it was, and the truth without it, or with it."""

    at: int
    truth: Truth
    press: bool = False
    """Whether it was a press that changed nothing else."""


class Oracle:
    """Knows the truth, and what each command should make of it.

    Presses are not commands of anybody: what they lead to is known to whoever lets them happen,
    and is entered into the truth by `happened`.
    """

    def __init__(self, seed: int) -> None:
        self.truth = Truth(Night())
        self.past: list[Step] = []
        self.future: list[Step] = []
        self.handles: list[Handle] = []
        """By which numbers the open debts go at the table, in the ghost's order."""
        self.questions: Mapping[int, str] = {}
        """What the table asks, by the number of the question."""
        self._seed = seed
        self._deals = 0

    def expect(
        self, command: c.Command, at: int, light_at: int = 0, *, press: bool = False
    ) -> Refused | None:
        """Take a command to heart, or tell how it must be refused; then nothing has changed.

        The moment of a slap-off's light is drawn by lot at the table, so it is told; and so is
        whether undo takes back a press alone.
        """
        before, night = self.truth.copy(), self.truth.night.copy()
        try:
            step = self._do(command, at, light_at, press=press)
        except Refused as refused:
            become(self.truth.night, night)
            become(self.truth, before)
            return refused
        if step:
            self.past.append(Step(at, before))
            if not isinstance(command, c.PushButton):
                self.future.clear()
        return None

    def happened(self, at: int) -> None:
        """Hands do something that can be taken back."""
        self.past.append(Step(at, self.truth.copy()))

    def _do(self, command: c.Command, at: int, light_at: int, *, press: bool) -> bool:
        """Do it, and tell whether it is a step that can be taken back."""
        truth = self.truth
        match command:
            case c.Undo():
                self._undo(press=press)
                return False
            case c.Redo():
                self._redo()
                return False
            case c.PushButton(button):
                return seating.owner(truth, button) is None and seating.take_button(truth, button)
            case c.PressSeat(seat) | c.PhonePress(seat):
                if seat not in truth.the_round().seats:
                    raise Refused
                return False
            case c.Release() | c.MissPresses():
                return False
            case c.SetAside() | c.PutBack():
                disputes.button_trouble(truth, command)
                return False
            case c.OpenTable():
                truth.night.aside = {}
                return False
            case c.AssignButton(seat, None):
                seating.await_button(truth, seat)
                return False
            case c.StartMatch() | c.Rematch():
                seating.start(truth, again=isinstance(command, c.Rematch))
                self.past.clear()
            case c.Deal():
                self._deals += 1
                seating.deal(truth, self._seed * 1_000 + self._deals)
            case c.ChangePlay():
                self._change_play(command, at)
            case c.SlapOff():
                races.slap_off(truth, light_at)
                assert at + DARK[0] <= light_at <= at + DARK[1], "the dark has its limits"
            case c.Answer(question):
                truth.the_round()
                if question not in self.questions:
                    raise Refused
            case c.Drawn(debt) | c.Forgive(debt):
                place = self._place(debt)
                disputes.settle_debt(truth, place, drawn=isinstance(command, c.Drawn))
            case c.Overrule(ruling):
                places = [at for at, handle in enumerate(self.handles) if handle[1] == ruling]
                disputes.overrule(truth, places, command)
            case _:
                _step(truth, command, at)
        return True

    def _place(self, debt: int) -> int:
        self.truth.the_round()
        for place, (number, _) in enumerate(self.handles):
            if number == debt:
                return place
        raise Refused

    def _change_play(self, command: c.ChangePlay, at: int) -> None:
        """The last card was another one: all is as if that one had been told at once."""
        assert command.card is not None, "a ghost only mistakes one card for another"
        become(self.truth, self.past[-1].truth.copy())
        right = c.Play(command.card, command.seat, command.colour, insist=True)
        turns.play(self.truth, right, at)

    def _undo(self, *, press: bool) -> None:
        """Go a step back; presses stay, so whoever has pressed may have called."""
        if press:
            self.future.append(Step(0, self.truth.copy(), press=True))
        elif self.past:
            step = self.past.pop()
            self.future.append(Step(step.at, self.truth))
            self._go_to(step.truth)
        else:
            raise Refused
        calls.doubt(self.truth.round, self.truth.night.pressed)

    def _redo(self) -> None:
        if not self.future:
            raise Refused
        step = self.future.pop()
        if step.truth.matches > self.truth.matches:
            # A match begins anew, and whatever had followed is forgotten.
            self.past.clear()
            self.future.clear()
        if not step.press:
            self.past.append(Step(step.at, self.truth))
            self._go_to(step.truth)
        calls.doubt(self.truth.round, self.truth.night.pressed)

    def _go_to(self, truth: Truth) -> None:
        night = self.truth.night
        self.truth = truth.copy()
        self.truth.night = night


def _step(truth: Truth, command: c.Command, at: int) -> None:
    """Everything that people ask for on a screen and that can be taken back."""
    match command:
        case c.Play():
            turns.play(truth, command, at)
        case c.Draw():
            turns.draw(truth, command)
        case c.TurnUp():
            turns.turn_up(truth, command)
        case c.NameColour():
            turns.name_colour(truth, command)
        case c.Challenge():
            turns.challenge(truth, command)
        case c.Correct():
            disputes.correct(truth, command)
        case c.Call():
            calls.call(truth, command, at)
        case c.WithdrawCall():
            calls.withdraw_call(truth, command, at)
        case c.Catch():
            calls.check_catch(truth, command, at)
        case c.DeclareRace():
            races.declare_race(truth, command)
        case c.ChangeLayer():
            races.change_layer(truth, command)
        case c.RerunRace():
            races.rerun_race(truth)
        case c.CancelRace():
            races.cancel_race(truth)
        case c.PickLast():
            races.pick_last(truth, command)
        case c.GoOut():
            counting.go_out(truth, command)
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
