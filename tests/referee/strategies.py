"""What may happen at a table, as hypothesis draws it."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec import Struct

from companion.referee import commands as c
from companion.referee.commands import Fault
from companion.referee.model.cards import COLOURS, Card, Colour
from companion.referee.model.edition import FAST_AND_FURIOUS
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import Evening

seats = st.integers(1, 5)
buttons = st.integers(1, 6)
counts = st.integers(0, 8)
cards = st.sampled_from([*FAST_AND_FURIOUS.deck, Card("pink-3")])
colours = st.sampled_from(COLOURS)

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
    late_start=st.sampled_from(["highest", "average", "zero"]),
    target=st.sampled_from([None, 50, 300]),
    next_dealer=st.sampled_from(["left", "winner"]),
)


class Act(Struct, frozen=True):
    """Something done so many nanoseconds after the last."""

    after: int
    command: c.Command | Wish


class Push(Struct, frozen=True):
    """A button pushed and let go."""

    after: int
    seat: int
    held: int


class Slaps(Struct, frozen=True):
    """Hands that come down within a moment of each other, by seat and nanoseconds."""

    after: int
    hands: dict[int, int]


Happening = Act | Push | Slaps


class Wish(Struct, frozen=True):
    """A command that depends on how the table is when somebody gives it."""

    def of(self, table: Evening) -> c.Command:
        raise NotImplementedError


class Phoned(Wish, frozen=True):
    """A press on a phone that was made a while ago."""

    seat: int
    ago: int
    doubt: int

    def of(self, table: Evening) -> c.Command:
        return c.PhonePress(self.seat, table.now - self.ago, self.doubt)


class Missed(Wish, frozen=True):
    """Presses of some buttons may have gone unseen until now."""

    buttons: tuple[int, ...]
    ago: int

    def of(self, table: Evening) -> c.Command:
        return c.MissPresses(self.buttons, table.now - self.ago, table.now)


class Broken(Wish, frozen=True):
    """A button turns out to have been broken for a while."""

    button: int
    fault: Fault
    ago: int

    def of(self, table: Evening) -> c.Command:
        return c.SetAside(self.button, self.fault, table.now - self.ago)


class Mended(Wish, frozen=True):
    """A button works again."""

    button: int

    def of(self, table: Evening) -> c.Command:
        return c.PutBack(self.button, table.now)


class Answered(Wish, frozen=True):
    """One of the questions is answered with one of its choices, where anything is asked."""

    question: int
    choice: int

    def of(self, table: Evening) -> c.Command:
        match = table.table.game.match
        asked = match.round.questions if match is not None and match.round is not None else ()
        if not asked:
            return c.Answer(0, "yes")
        question = asked[self.question % len(asked)]
        choice = question.choices[self.choice % len(question.choices)]
        return c.Answer(question.number, choice.key)


class Changed(Wish, frozen=True):
    """One of the latest turns is changed, where there was any."""

    back: int
    card: Card | None
    seat: int | None
    colour: Colour | None
    drawn: bool
    remove: bool

    def of(self, table: Evening) -> c.Command:
        match = table.table.game.match
        turns = match.round.turns if match is not None and match.round is not None else ()
        number = turns[-1 - self.back % len(turns)].number if turns else 0
        return c.ChangePlay(number, self.card, self.seat, self.colour, self.drawn, self.remove)


hands = st.dictionaries(cards, st.integers(0, 3), max_size=4)

commands: st.SearchStrategy[c.Command | Wish] = st.one_of(
    st.builds(c.Sit, st.just(""), seats, buttons),
    st.builds(c.Stand, seats, st.sampled_from([None, "under", "counted"])),
    st.builds(c.Swap, seats, seats),
    st.builds(c.Rename, seats, st.text(max_size=30)),
    st.builds(c.SetHandicap, seats, st.integers(-100, 2_100)),
    st.builds(c.ChooseMark, seats, st.integers(1, 10)),
    st.builds(c.AssignButton, seats, st.none() | buttons),
    st.builds(c.SetUp, way=st.sampled_from(["free", "refereed"]), house=house_rules),
    st.builds(c.StartMatch),
    st.builds(c.DrawForDeal, st.dictionaries(seats, cards, max_size=5)),
    st.builds(c.ChooseDealer, seats),
    st.builds(c.Deal),
    st.builds(c.AbandonRound),
    st.builds(c.SwitchWay, st.sampled_from(["free", "refereed"])),
    st.builds(c.TurnUp, cards, st.none() | colours),
    st.builds(
        c.Play,
        cards,
        st.none() | seats,
        st.none() | colours,
        st.booleans(),
        st.booleans(),
        st.sampled_from([False, False, False, True]),
    ),
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
    st.builds(c.GoOut, seats, st.none() | cards, st.none() | seats, st.booleans()),
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
    st.builds(Phoned, seats, st.integers(0, 4 * SECOND), st.integers(0, 40 * MILLISECOND)),
    st.builds(Missed, st.tuples(buttons), st.integers(0, 5 * SECOND)),
    st.builds(Broken, buttons, st.sampled_from(["stuck", "noise"]), st.integers(0, 5 * SECOND)),
    st.builds(Mended, buttons),
    st.builds(Answered, st.integers(0, 2), st.integers(0, 5)),
    st.builds(
        Changed,
        st.integers(0, 5),
        st.none() | cards,
        st.none() | seats,
        st.none() | colours,
        st.booleans(),
        st.booleans(),
    ),
)

pauses = st.integers(0, 2 * SECOND) | st.sampled_from([6 * SECOND, 12 * SECOND, 40 * SECOND])
acts = st.builds(Act, pauses, commands)
pushes = st.builds(
    Push,
    st.integers(0, 800 * MILLISECOND),
    buttons,
    st.sampled_from([80 * MILLISECOND, SECOND]),
)
slaps = st.builds(
    Slaps,
    st.integers(0, 3 * SECOND),
    st.dictionaries(seats, st.integers(0, 1800 * MILLISECOND), min_size=2, max_size=5),
)
evenings: st.SearchStrategy[list[Happening]] = st.lists(acts | pushes | slaps, max_size=40)
