"""Staleness: a tap is refused when what it relied on has changed since its screen was drawn.

Each event touches aspects of the table and each command relies on some. Presses touch none, and
two screens that count different hands do not get into each other's way. A race is read again with
each hand that lands, so no tap about it is refused for that. Another race makes it stale, or what
somebody else said of it, and its ruling if the tap is about a tie; who names a race that the table
has just seen by itself means the same one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from companion.common.refusals import service_refusal
from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.model.rulings import Ruling
from companion.referee.sentences import Sentence

Aspects = frozenset[str]

ENGLISH: dict[str, str] = {
    "changed.undone": "taken back: {step}",
    "changed.redone": "done again: {step}",
    "changed.match_started": "match {number} began",
    "changed.race_declared": "a Street Race was declared",
    "changed.race_settled": "the Street Race was judged",
    "changed.seat_taken": "{name} sat down",
    "changed.button_assigned": "seat {seat} has button {button} now",
    "changed.round_ended": "seat {seat} went out",
    "changed.otherwise": "the table changed",
}
"""What happened, as a part of the refusal's sentence."""

EVERYTHING: Aspects = frozenset({"everything"})
NOTHING: Aspects = frozenset()


def refuse_stale(
    command: c.Command, version: int, current: int, missed: Sequence[e.Event] | None
) -> None:
    """Raise a refusal if the table has changed in a way that matters to this command.

    `missed` are the events since that version; None when that is too long ago to tell.
    """
    if version > current:
        raise service_refusal("version_ahead", version=version, current=current)
    relied = relies_on(command)
    if not relied:
        return
    if missed is None:
        raise service_refusal("stale_for_long", version=version, current=current)
    step: Sentence | None = None
    for event in missed:
        if isinstance(event, e.StepTaken):
            step = event.label
        touched = touches(event)
        if touched is EVERYTHING or touched & relied:
            changed = inside("changed", step if step is not None else in_words(event))
            raise service_refusal("stale", **changed | {"version": version, "current": current})


def touches(event: e.Event) -> Aspects:
    """Tell which aspects of the table an event changes."""
    match event:
        case e.Undone() | e.Redone() | e.MatchStarted() | e.MatchClosed() | e.MatchForgotten():
            return EVERYTHING
        case e.StepTaken() | e.PressesDismissed():
            return frozenset({"history"})
        case e.SeatTaken(seat=seat) | e.SeatLeft(seat=seat):
            return frozenset({"seats", f"seat {seat}"})
        case e.SeatsSwapped(seat, other):
            return frozenset({"seats", f"seat {seat}", f"seat {other}"})
        case (
            e.PlayerRenamed(seat=seat)
            | e.HandicapSet(seat=seat)
            | e.ButtonAwaited(seat)
            | e.ButtonAssigned(seat=seat)
        ):
            return frozenset({f"seat {seat}"})
        case e.TableSetUp():
            return frozenset({"setup"})
        case e.DealTied() | e.DealerNamed():
            return frozenset({"deal"})
        case e.WaySwitched():
            return frozenset({"way"})
        case e.PlayedOn():
            return frozenset({"match"})
        case e.RoundDealt():
            return frozenset(
                {"round", "turn", "deal", "challenge", "hands"}
                | {"race", "race named", "race ruling"}
            )
        case e.PlayerLeft(seat=seat):
            return frozenset({"seats", f"seat {seat}", "turn", "challenge", "race", "race named"})
        case e.RoundAbandoned():
            return frozenset({"round", "turn", "deal", "challenge", "hands", "race", "race named"})
        case e.PlayChanged():
            return frozenset({"turn", "challenge", "race", "race named", "race ruling"})
        case (
            e.CardTurnedUp()
            | e.ColourAwaited()
            | e.ColourNamed()
            | e.CardPlayed()
            | e.DirectionTurned()
            | e.TurnMoved()
            | e.RoundCorrected()
            | e.TurnRecorded()
        ):
            return frozenset({"turn"})
        case e.CardsDrawn(debt=debt):
            return frozenset({"turn"} if debt is None else {f"debt {debt}"})
        case e.ChallengeOpened() | e.ChallengeClosed():
            return frozenset({"challenge"})
        case e.RoundEnded():
            return frozenset({"round"})
        case e.RulingGiven(ruling=Ruling(rule="R12")):
            return frozenset({"race ruling"})
        case e.RulingOverruled(number=number, ruling=Ruling(rule="R12")):
            return frozenset({f"ruling {number}", "race ruling"})
        case e.RulingOverruled(number=number):
            return frozenset({f"ruling {number}"})
        case e.DebtForgiven(debt):
            return frozenset({f"debt {debt}"})
        case e.HandEntered(seat=seat) | e.HandCleared(seat):
            return frozenset({"hands", f"hand {seat}"})
        case e.RoundScored():
            return frozenset({"round", "hands", "scores"})
        case e.RoundEdited(round=number):
            return frozenset({"scores", f"scored {number}"})
        case e.CallWithdrawn(seat=seat):
            return frozenset({f"call {seat}"})
        case e.RaceNamed():
            return frozenset({"race", "race named"})
        case e.RaceUnread() | e.RaceRead(was=None):
            return frozenset({"race"})
        case e.QuestionClosed(number):
            return frozenset({f"question {number}"})
        case (
            e.PressRecorded()
            | e.PressReleased()
            | e.Entered()
            | e.CatchNamed()
            | e.CallSaid()
            | e.CatchAnswered()
            | e.RaceDenied()
            | e.PressesAnswered()
            | e.RaceRead()
            | e.ClaimRead()
            | e.ClaimUnread()
            | e.CallsRead()
            | e.QuestionAsked()
            | e.ButtonSetAside()
            | e.ButtonPutBack()
            | e.PressesMissed()
            | e.PileReshuffled()
            | e.RulingGiven()
            | e.TableOpened()
            | e.Forgotten()
        ):
            return NOTHING
        case _:
            assert_never(event)


def relies_on(command: c.Command) -> Aspects:
    """Tell which aspects must still be as the sender saw them."""
    match command:
        case c.Sit(seat=None):
            return NOTHING
        case (
            c.Sit(seat=seat)
            | c.Stand(seat=seat)
            | c.Rename(seat=seat)
            | c.SetHandicap(seat=seat)
            | c.AssignButton(seat=seat)
        ):
            return frozenset({f"seat {seat}"})
        case c.Swap(seat, other):
            return frozenset({f"seat {seat}", f"seat {other}"})
        case c.SetUp():
            return frozenset({"setup"})
        case c.StartMatch():
            return frozenset({"seats", "setup"})
        case c.DrawForDeal() | c.ChooseDealer() | c.Deal():
            return frozenset({"seats", "deal", "round", "match"})
        case c.AbandonRound():
            return frozenset({"round"})
        case c.SwitchWay():
            return frozenset({"way", "round"})
        case c.TurnUp() | c.Play() | c.Draw() | c.NameColour() | c.Correct() | c.ChangePlay():
            return frozenset({"turn", "round"})
        case c.Challenge():
            return frozenset({"challenge", "round"})
        case c.Call() | c.Catch() | c.GoOut():
            return frozenset({"round"})
        case c.WithdrawCall(seat):
            return frozenset({"round", f"call {seat}"})
        case c.DeclareRace():
            return frozenset({"race named", "round"})
        case c.ChangeLayer() | c.RerunRace() | c.CancelRace():
            return frozenset({"race", "round"})
        case c.SlapOff() | c.PickLast():
            return frozenset({"race", "race ruling", "round"})
        case c.Answer(question=question):
            return frozenset({f"question {question}"})
        case c.Drawn(debt) | c.Forgive(debt):
            return frozenset({f"debt {debt}"})
        case c.Overrule(ruling=ruling):
            return frozenset({f"ruling {ruling}"})
        case c.EnterHand(seat=seat) | c.EnterPoints(seat=seat) | c.ClearHand(seat):
            return frozenset({"round", f"hand {seat}"})
        case c.ScoreRound():
            return frozenset({"round", "hands"})
        case c.EditRound(round=number):
            return frozenset({f"scored {number}"})
        case c.PlayOn() | c.CloseMatch() | c.Rematch():
            return frozenset({"match", "round", "scores"})
        case c.Undo() | c.Redo():
            return frozenset({"history"})
        case (
            c.PressSeat()
            | c.PhonePress()
            | c.Press()
            | c.Release()
            | c.SetAside()
            | c.PutBack()
            | c.MissPresses()
            | c.PassTime()
            | c.OpenTable()
        ):
            return NOTHING
        case _:
            assert_never(command)


def in_words(event: e.Event) -> Sentence:
    """Say what happened where no step says it."""
    match event:
        case e.Undone(label=label) | e.PressesDismissed(label=label):
            return _say("changed.undone", **inside("step", label))
        case e.Redone(label):
            return _say("changed.redone", **inside("step", label))
        case e.MatchStarted(match=number):
            return _say("changed.match_started", number=number)
        case e.RaceNamed() | e.RaceRead():
            return _say("changed.race_declared")
        case e.RulingGiven(ruling=Ruling(rule="R12")):
            return _say("changed.race_settled")
        case e.RulingOverruled(ruling=Ruling(rule="R12")):
            return _say("changed.race_settled")
        case e.SeatTaken(name=name):
            return _say("changed.seat_taken", name=name)
        case e.ButtonAssigned(seat, button):
            return _say("changed.button_assigned", seat=seat, button=button)
        case e.RoundEnded(seat):
            return _say("changed.round_ended", seat=seat)
        case _:
            return _say("changed.otherwise")


def inside(part: str, sentence: Sentence) -> dict[str, str | int]:
    """Give a sentence as a part of another, with all that says it in another language."""
    return {**sentence.parts, part: sentence.text, f"{part}_code": sentence.code}


def _say(code: str, **parts: str | int) -> Sentence:
    return Sentence(code, ENGLISH[code].format(**parts), parts)
