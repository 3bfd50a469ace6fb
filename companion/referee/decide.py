"""Decide a command: the one door through which anything happens at the table."""

from __future__ import annotations

from typing import assert_never, get_args

from companion.referee import answers, pressing, undoing
from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.draft import Draft, Now
from companion.referee.model.table import Table
from companion.referee.rules import (
    change_play,
    dealing,
    disputes,
    seating,
    turns,
    uno,
    went_out,
    wild,
)
from companion.referee.rules import counting as hands
from companion.referee.rules import race as race_records

BY_PRESS = frozenset((*get_args(c.ButtonCommand), *get_args(c.ServiceCommand), c.PressSeat))
"""What hands do, and time: a step that one of them begins leaves what can be redone."""


def decide(table: Table, command: c.Command, now: Now) -> tuple[e.Event, ...]:
    """Give the events that this command makes happen, or raise a Refusal and change nothing."""
    return tuple(drafted(table, command, now).events)


def drafted(table: Table, command: c.Command, now: Now) -> Draft:
    """Decide, and give the table that follows beside the events, each of them applied already."""
    draft = Draft(table, now, by_press=type(command) in BY_PRESS)
    _decide(draft, command)
    return draft


def _decide(draft: Draft, command: c.Command) -> None:
    match command:
        case c.Play():
            turns.play(draft, command)
        case c.Draw():
            turns.draw(draft, command)
        case c.PushButton():
            pressing.press(draft, command)
        case c.Release():
            pressing.release(draft, command)
        case c.PassTime():
            pressing.pass_time(draft)
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
            pressing.press_seat(draft, command)
        case c.PhonePress():
            pressing.press_phone(draft, command)
        case c.Answer():
            answers.answer(draft, command)
        case c.ChangePlay():
            change_play.change_play(draft, command)
        case c.DeclareRace():
            race_records.declare_race(draft, command)
        case c.ChangeLayer():
            race_records.change_layer(draft, command)
        case c.RerunRace():
            race_records.rerun_race(draft, command)
        case c.CancelRace():
            race_records.cancel_race(draft, command)
        case c.SlapOff():
            race_records.slap_off(draft, command)
        case c.PickLast():
            race_records.pick_last(draft, command)
        case c.GoOut():
            went_out.go_out(draft, command)
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
        case c.AbandonRound():
            seating.abandon_round(draft, command)
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
        case c.ChooseMark():
            seating.choose_mark(draft, command)
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
            undoing.undo(draft)
        case c.Redo():
            undoing.redo(draft)
        case c.SetAside():
            pressing.set_aside(draft, command)
        case c.PutBack():
            pressing.put_back(draft, command)
        case c.MissPresses():
            pressing.miss_presses(draft, command)
        case c.OpenTable(editions, timing, gap_since, players):
            draft.add(e.TableOpened(editions, timing, draft.now.at, gap_since, players))
            pressing.pass_time(draft)
        case _:
            assert_never(command)
