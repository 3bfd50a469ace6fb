"""Decide a command: the one door through which anything happens at the table."""

from __future__ import annotations

from typing import assert_never

from companion.referee import commands as c
from companion.referee import (
    dealing,
    disputes,
    going_out,
    hands,
    race,
    race_disputes,
    reading,
    seating,
    turns,
    uno,
    wild,
)
from companion.referee import events as e
from companion.referee.draft import Draft, Now
from companion.referee.sentences import refuse
from companion.referee.table import Table


def decide(table: Table, command: c.Command, now: Now) -> tuple[e.Event, ...]:
    """Give the events that this command makes happen, or raise a Refusal and change nothing."""
    return tuple(drafted(table, command, now).events)


def drafted(table: Table, command: c.Command, now: Now) -> Draft:
    """Decide, and give the table that follows beside the events, each of them applied already."""
    draft = Draft(table, now)
    _decide(draft, command)
    return draft


def _decide(draft: Draft, command: c.Command) -> None:
    match command:
        case c.Press():
            reading.press(draft, command)
        case c.Release():
            reading.release(draft, command)
        case c.PassTime():
            reading.pass_time(draft)
        case c.Play():
            turns.play(draft, command)
        case c.Draw():
            turns.draw(draft, command)
        case c.NameColour():
            wild.name_colour(draft, command)
        case c.Challenge():
            wild.challenge(draft, command)
        case c.Drawn():
            disputes.drawn(draft, command)
        case c.Forgive():
            disputes.forgive(draft, command)
        case c.Overrule():
            disputes.overrule(draft, command)
        case c.Correct():
            disputes.correct(draft, command)
        case c.Call():
            uno.call(draft, command)
        case c.WithdrawCall():
            uno.withdraw_call(draft, command)
        case c.Catch():
            uno.catch(draft, command)
        case c.PressSeat():
            reading.press_seat(draft, command)
        case c.PhonePress():
            reading.press_phone(draft, command)
        case c.HoldSeat():
            reading.hold_seat(draft, command)
        case c.DeclareRace():
            race.declare_race(draft, command)
        case c.ChangeLayer():
            race_disputes.change_layer(draft, command)
        case c.RerunRace():
            race_disputes.rerun_race(draft, command)
        case c.CancelRace():
            race_disputes.cancel_race(draft, command)
        case c.SlapOff():
            race_disputes.slap_off(draft, command)
        case c.PickLast():
            race_disputes.pick_last(draft, command)
        case c.GoOut():
            going_out.go_out(draft, command)
        case c.EnterHand():
            hands.enter_hand(draft, command)
        case c.EnterPoints():
            hands.enter_points(draft, command)
        case c.ClearHand():
            hands.clear_hand(draft, command)
        case c.ScoreRound():
            hands.score_round(draft, command)
        case c.EditRound():
            hands.edit_round(draft, command)
        case c.PlayOn():
            hands.play_on(draft, command)
        case c.Deal():
            dealing.deal(draft, command)
        case c.TurnUp():
            dealing.turn_up(draft, command)
        case c.DrawForDeal():
            dealing.draw_for_deal(draft, command)
        case c.ChooseDealer():
            dealing.choose_dealer(draft, command)
        case c.Sit():
            seating.sit(draft, command)
        case c.Stand():
            seating.stand(draft, command)
        case c.Rename():
            seating.rename(draft, command)
        case c.Swap():
            seating.swap(draft, command)
        case c.SetHandicap():
            seating.set_handicap(draft, command)
        case c.AssignButton():
            seating.assign_button(draft, command)
        case c.SetUp():
            seating.set_up(draft, command)
        case c.SwitchWay():
            seating.switch_way(draft, command)
        case c.StartMatch():
            seating.start_match(draft, command)
        case c.Rematch():
            seating.rematch(draft, command)
        case c.CloseMatch():
            seating.close_match(draft, command)
        case c.Undo():
            _undo(draft)
        case c.Redo():
            _redo(draft)
        case c.SetAside(button, fault, at):
            draft.add(e.ButtonSetAside(button, fault, at))
            _rule_what_is_known(draft)
            _judge_again_without(draft, button, at)
        case c.PutBack(button, at):
            draft.add(e.ButtonPutBack(button, at))
        case c.MissPresses():
            _miss_presses(draft, command)
        case c.OpenTable(editions, timing, gap_since):
            draft.add(e.TableOpened(editions, timing, draft.now.at, gap_since))
        case _:
            assert_never(command)


def _undo(draft: Draft) -> None:
    if draft.table.past is None:
        raise refuse("nothing_to_undo")
    draft.add(e.Undone(draft.table.past.label))


def _redo(draft: Draft) -> None:
    if draft.table.future is None:
        raise refuse("nothing_to_redo")
    draft.add(e.Redone(draft.table.future.label))


def _miss_presses(draft: Draft, command: c.MissPresses) -> None:
    owners = [draft.game.seat_of_button(button) for button in command.buttons]
    seats = tuple(seat.number for seat in owners if seat is not None)
    if seats:
        draft.add(e.PressesMissed(seats, command.since, command.until))


def _judge_again_without(draft: Draft, button: int, since: int) -> None:
    """A race that was ruled by what a broken button did is judged without it."""
    seat = draft.game.seat_of_button(button)
    match = draft.game.match
    if seat is not None and match is not None and match.round is not None:
        race.judge_without(draft, seat.number, since)


def _rule_what_is_known(draft: Draft) -> None:
    """A race no longer waits for a button that was set aside."""
    match = draft.game.match
    if match is not None and match.round is not None:
        race.settle_if_known(draft)
        race_disputes.settle_slap_off(draft)
