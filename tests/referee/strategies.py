"""What may happen at a table, as hypothesis draws it."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec import Struct

from companion.referee import commands as c
from companion.referee.cards import COLOURS, Card
from companion.referee.edition import FAST_AND_FURIOUS
from companion.referee.house import HouseRules
from companion.referee.presses import MILLISECOND, SECOND

seats = st.integers(1, 5)
buttons = st.integers(1, 6)
counts = st.integers(0, 8)
cards = st.sampled_from([*FAST_AND_FURIOUS.deck, Card("pink-3")])
colours = st.sampled_from(COLOURS)
instants = st.integers(0, 3 * SECOND)

house_rules = st.builds(
    HouseRules,
    deal_tie=st.sampled_from(["redraw", "first_seat"]),
    reverse_skips_for_two=st.booleans(),
    guilty_gives_turn_back=st.booleans(),
    hands_stay_down=st.booleans(),
    no_slap=st.sampled_from(["pick", "all_draw"]),
    wrong_catch_draws=st.integers(0, 3),
    tie_goes_to=st.sampled_from(["caller", "catcher"]),
    race_on_last_card=st.booleans(),
    lowest_tie=st.sampled_from(["share", "play_on"]),
    next_dealer=st.sampled_from(["left", "winner"]),
)


class Act(Struct, frozen=True):
    """Something done so many nanoseconds after the last."""

    after: int
    command: c.Command


class Push(Struct, frozen=True):
    """A button pushed and let go."""

    after: int
    seat: int
    held: int


hands = st.dictionaries(cards, st.integers(0, 3), max_size=4)

commands: st.SearchStrategy[c.Command] = st.one_of(
    st.builds(c.Sit, st.just(""), seats, buttons),
    st.builds(c.Stand, seats),
    st.builds(c.Swap, seats, seats),
    st.builds(c.Rename, seats, st.text(max_size=30)),
    st.builds(c.SetHandicap, seats, st.integers(-100, 2_100)),
    st.builds(c.AssignButton, seats, st.none() | buttons),
    st.builds(c.SetUp, way=st.sampled_from(["free", "refereed"]), house=house_rules),
    st.builds(c.StartMatch),
    st.builds(c.DrawForDeal, st.dictionaries(seats, cards, max_size=5)),
    st.builds(c.ChooseDealer, seats),
    st.builds(c.Deal),
    st.builds(c.SwitchWay, st.sampled_from(["free", "refereed"])),
    st.builds(c.TurnUp, cards, st.none() | colours),
    st.builds(c.Play, cards, st.none() | seats, st.none() | colours, st.booleans(), st.booleans()),
    st.builds(c.Draw),
    st.builds(c.NameColour, colours),
    st.builds(c.Challenge, st.booleans()),
    st.builds(c.Correct, st.dictionaries(seats, counts, max_size=3), st.none() | seats),
    st.builds(c.Call, seats),
    st.builds(c.WithdrawCall, seats),
    st.builds(c.Catch, seats, st.none() | seats),
    st.builds(c.DeclareRace, seats),
    st.builds(c.ChangeLayer, seats),
    st.builds(c.RerunRace),
    st.builds(c.CancelRace),
    st.builds(c.SlapOff),
    st.builds(c.PickLast, st.tuples(seats)),
    st.builds(c.Drawn, st.integers(0, 30)),
    st.builds(c.Forgive, st.integers(0, 30)),
    st.builds(c.Overrule, st.integers(0, 30), st.tuples(seats), st.integers(1, 4)),
    st.builds(c.GoOut, seats, st.none() | cards, st.none() | seats),
    st.builds(c.EnterHand, seats, hands, st.booleans()),
    st.builds(c.EnterPoints, seats, st.integers(0, 300)),
    st.builds(c.ClearHand, seats),
    st.builds(c.ScoreRound),
    st.builds(c.EditRound, st.integers(1, 3), st.none() | seats),
    st.builds(c.PlayOn),
    st.builds(c.CloseMatch),
    st.builds(c.Rematch),
    st.builds(c.Undo),
    st.builds(c.Redo),
    st.builds(c.PressSeat, seats),
    st.builds(c.HoldSeat, seats, st.integers(0, 20 * SECOND)),
    st.builds(c.SetAside, buttons, st.sampled_from(["stuck", "noise"]), st.just(0)),
    st.builds(c.PutBack, buttons, st.just(0)),
)

acts = st.builds(Act, st.integers(0, 2 * SECOND), commands)
pushes = st.builds(
    Push,
    st.integers(0, 800 * MILLISECOND),
    buttons,
    st.sampled_from([80 * MILLISECOND, SECOND]),
)
evenings = st.lists(acts | pushes, max_size=40)
