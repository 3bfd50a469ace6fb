"""Who may do what: watching is open, players act for their own seat, the referee for all."""

from __future__ import annotations

from typing import Literal

from companion.referee import commands

Role = Literal["watcher", "player", "referee"]

PLAYER_MAY: frozenset[type] = frozenset(
    {
        commands.PressSeat,
        commands.Call,
        commands.EnterHand,
        commands.EnterPoints,
        commands.ClearHand,
    }
)
"""What a player may do, each time for the own seat alone."""

REFEREE_MAY: frozenset[type] = frozenset(
    {
        commands.Sit,
        commands.Stand,
        commands.Rename,
        commands.Swap,
        commands.AssignButton,
        commands.SetUp,
        commands.StartMatch,
        commands.DrawForDeal,
        commands.ChooseDealer,
        commands.Deal,
        commands.SwitchWay,
        commands.TurnUp,
        commands.Play,
        commands.Draw,
        commands.NameColour,
        commands.Challenge,
        commands.Correct,
        commands.Call,
        commands.WithdrawCall,
        commands.Catch,
        commands.DeclareRace,
        commands.ChangeLayer,
        commands.RerunRace,
        commands.CancelRace,
        commands.SlapOff,
        commands.PickLast,
        commands.Drawn,
        commands.Forgive,
        commands.Overrule,
        commands.GoOut,
        commands.EnterHand,
        commands.EnterPoints,
        commands.ClearHand,
        commands.ScoreRound,
        commands.EditRound,
        commands.PlayOn,
        commands.CloseMatch,
        commands.Rematch,
        commands.Undo,
        commands.Redo,
        commands.PressSeat,
    }
)
"""Named one by one, so that a new command is refused until somebody has thought about it."""

MAY: dict[Role, frozenset[type]] = {
    "watcher": frozenset(),
    "player": PLAYER_MAY,
    "referee": REFEREE_MAY,
}


def may(role: Role, command: object, seat: int | None = None) -> bool:
    """Whether this role may give this command; what is in no list is refused.

    A player acts for one seat only, and cannot keep a hand against the companion's own count:
    to insist is the referee's word.
    """
    if type(command) not in MAY.get(role, frozenset()):
        return False
    if role != "player":
        return True
    insists = isinstance(command, commands.EnterHand) and command.confirm
    return seat is not None and getattr(command, "seat", None) == seat and not insists


def may_simulate(role: Role) -> bool:
    """Whether this role may push simulated buttons."""
    return role == "referee"


def may_check_hardware(role: Role) -> bool:
    """Whether this role may test the lamps, and keep presses from the table for a check."""
    return role == "referee"


def may_show_pairing(role: Role) -> bool:
    """Whether this role may have the referee's link shown on the board for a while."""
    return role == "referee"


def may_see_seat_codes(role: Role, seating: bool) -> bool:
    """Whether this role may see the codes that pair a phone with a seat.

    While people sit down the board shows them to everyone in the room; once cards are dealt only
    the referee gives them out.
    """
    return role == "referee" or seating
