"""A tap on an old screen counts only if what it was about is still so."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.model.cards import Card
from companion.referee.model.presses import Press
from companion.referee.model.rulings import Ruling
from companion.referee.model.table import Calls, Claim, Left, NamedRace, Race, Turn
from companion.referee.sentences import Refusal, Sentence
from companion.service.staleness import refuse_stale
from tests.kit.night import ANA, BEN, CLEO, Night


def members(union: object) -> list[Any]:
    """Take a union of unions apart."""
    found: list[Any] = []
    for member in get_args(union):
        found += members(member) if get_args(member) else [member]
    return found


def filled(kind: type[Struct]) -> Struct:
    """Fill every field with the number one; only numbers are looked at."""
    return kind(**{field.name: 1 for field in msgspec.structs.fields(kind)})


def stale(command: c.Command, *happened: e.Event) -> bool:
    try:
        refuse_stale(command, 10, 10 + len(happened), happened)
    except Refusal as refusal:
        return refusal.sentence.code == "stale"
    return False


PRESS = e.PressRecorded(Press(BEN, 5, 1))
HAND = e.HandEntered(BEN, Left(20))
RACE = Race(5, "hands", (BEN, CLEO), "running", 10, slaps=(Press(BEN, 5, 1),))
SEEN, AGAIN = e.RaceRead(RACE), e.RaceRead(RACE, was=RACE.key)
NAMED = e.RaceNamed(NamedRace(3, 7, ANA, "tablet"))
LAST = Ruling(4, "R12", "last", Sentence("race_last"), 8)
CAUGHT = Ruling(4, "R13", "caught", Sentence("caught"), 8)


@pytest.mark.parametrize(
    ("command", "happened", "is_stale"),
    [
        pytest.param(c.Play(Card("red-5")), e.TurnMoved(CLEO), True, id="the turn moved on"),
        pytest.param(c.Play(Card("red-5")), PRESS, False, id="somebody pressed a button"),
        pytest.param(
            c.Play(Card("red-5")),
            e.CardsDrawn(BEN, 2, 5, 7),
            False,
            id="a debt was ticked meanwhile",
        ),
        pytest.param(
            c.Draw(), e.CardPlayed(Turn(1, 5, ANA, 6, Card("red-5"))), True, id="a card was laid"
        ),
        pytest.param(c.EnterHand(ANA, {}), HAND, False, id="two count two hands"),
        pytest.param(c.EnterPoints(BEN, 5), HAND, True, id="two count the same hand"),
        pytest.param(c.ScoreRound(), HAND, True, id="a hand was changed before scoring"),
        pytest.param(c.Drawn(7), e.CardsDrawn(BEN, 2, 5, 7), True, id="two tick the same debt"),
        pytest.param(c.Drawn(8), e.CardsDrawn(BEN, 2, 5, 7), False, id="two tick two debts"),
        pytest.param(c.DeclareRace(ANA), PRESS, False, id="slaps before the declaration"),
        pytest.param(c.DeclareRace(ANA), SEEN, False, id="the table saw that race by itself"),
        pytest.param(c.DeclareRace(ANA), NAMED, True, id="two name the same race"),
        pytest.param(
            c.DeclareRace(ANA), e.RulingGiven(LAST), False, id="the race before it is ruled"
        ),
        pytest.param(c.CancelRace(), AGAIN, False, id="one more hand lands in a race to cancel"),
        pytest.param(c.CancelRace(), e.RulingGiven(LAST), False, id="it is ruled, and still wrong"),
        pytest.param(c.CancelRace(), SEEN, True, id="another race than the one to cancel"),
        pytest.param(c.CancelRace(), e.RaceUnread(RACE.key), True, id="there is no race any more"),
        pytest.param(c.ChangeLayer(BEN), AGAIN, False, id="a hand lands while the layer is wrong"),
        pytest.param(c.RerunRace(), NAMED, True, id="two run the same race again"),
        pytest.param(c.PickLast((BEN,)), AGAIN, False, id="a hand lands after the tie"),
        pytest.param(c.PickLast((BEN,)), e.RulingGiven(LAST), True, id="the tie is none any more"),
        pytest.param(c.PickLast((BEN,)), e.RulingGiven(CAUGHT), False, id="a tie, and a catch"),
        pytest.param(
            c.SlapOff(),
            e.RulingOverruled(4, LAST.sentence, LAST),
            True,
            id="what was a tie is judged again",
        ),
        pytest.param(
            c.Overrule(4), e.RulingOverruled(4, LAST.sentence, LAST), True, id="two overrule"
        ),
        pytest.param(c.Answer(6, "yes"), e.QuestionClosed(6), True, id="two answer one question"),
        pytest.param(c.Answer(6, "yes"), e.QuestionClosed(7), False, id="two answer two"),
        pytest.param(c.Answer(6, "yes"), e.TurnMoved(CLEO), False, id="play goes on meanwhile"),
        pytest.param(
            c.ChangePlay(2, Card("red-5")), e.TurnMoved(CLEO), True, id="another card was laid"
        ),
        pytest.param(c.ChangePlay(2), AGAIN, False, id="hands land while a card is changed"),
        pytest.param(c.Play(Card("red-5")), e.PlayChanged, True, id="an earlier card was changed"),
        pytest.param(c.Play(Card("red-5")), SEEN, False, id="a race is seen beside the card"),
        pytest.param(
            c.Catch(BEN),
            e.ClaimRead(Claim(BEN, Press(ANA, 5, 1))),
            False,
            id="two catch the same player",
        ),
        pytest.param(c.Call(BEN), e.CallsRead(Calls(called={BEN: 5})), False, id="a call again"),
        pytest.param(
            c.WithdrawCall(BEN), e.CallWithdrawn(BEN, 5), True, id="two withdraw one call"
        ),
        pytest.param(
            c.Undo(),
            e.PressesDismissed(Sentence("step_press", {"name": (BEN,)}), ((BEN, 5),), "nothing"),
            True,
            id="two take back one press",
        ),
        pytest.param(c.Undo(), PRESS, False, id="somebody presses before the undo"),
        pytest.param(c.Sit("Zoe"), e.SeatTaken(4, 4, "Yan"), False, id="two sit down anywhere"),
        pytest.param(c.Sit("Zoe", 4), e.SeatTaken(4, 4, "Yan"), True, id="two want one seat"),
        pytest.param(c.StartMatch(), e.SeatLeft(4), True, id="somebody left before the start"),
        pytest.param(c.PressSeat(BEN), e.RoundDealt, False, id="a press is evidence, always"),
        pytest.param(c.CloseMatch(), e.RoundDealt, True, id="a round was dealt meanwhile"),
        pytest.param(c.Rename(ANA, "A"), e.TurnMoved(CLEO), False, id="a name and a turn"),
    ],
)
def test_only_what_matters_makes_a_tap_stale(
    command: c.Command, happened: e.Event | type[e.Event], is_stale: bool
) -> None:
    event = filled(happened) if isinstance(happened, type) else happened
    assert stale(command, event) is is_stale  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", members(c.PersonCommand), ids=lambda kind: kind.__name__)
def test_nothing_is_as_it_was_after_an_undo(kind: type[Struct]) -> None:
    command: c.Command = filled(kind)  # type: ignore[assignment]
    undone = e.Undone(Sentence("step_sit", {"name": (ANA,)}))
    assert stale(command, undone) is not isinstance(command, c.PressSeat)


def test_the_refusal_says_what_changed_and_where_the_table_is(night: Night) -> None:
    night.deal()
    night.do(c.GoOut(BEN))
    version = night.table.version
    night.do(c.EnterPoints(ANA, 20), version=version)
    with pytest.raises(Refusal, match="Ana's hand") as refused:
        night.do(c.EnterPoints(ANA, 25), version=version)
    sentence = refused.value.spoken
    assert (sentence.code, sentence.parts["current"]) == ("stale", night.table.version)
    assert (sentence.parts["changed_code"], sentence.parts["name"]) == ("step_enter_hand", "Ana")
    assert night.round.left[ANA].points == 20
    night.do(c.EnterPoints(CLEO, 30), version=version)


def test_two_referees_undo_at_the_same_moment_and_only_one_step_goes(night: Night) -> None:
    night.seat_three()
    version = night.table.version
    first = night.worker.submit(c.Undo(), "first-referee", version)
    second = night.worker.submit(c.Undo(), "second-referee", version)
    first.result(5)
    refusal = second.exception(5)
    assert isinstance(refusal, Refusal)
    assert refusal.sentence.code == "stale"
    assert len(night.table.game.seats) == 2


def test_a_retry_is_answered_although_its_version_is_old_by_now(night: Night) -> None:
    version = night.table.version
    first = night.do(
        c.Undo() if version > 5 else c.Sit("Ana", ANA), again="tap-once", version=version
    )
    night.do(c.Stand(ANA))
    assert night.do(c.Sit("Ana", ANA), again="tap-once", version=version) == first


def test_a_version_that_never_was_is_refused(night: Night) -> None:
    assert night.refused(c.Sit("Ana"), version=night.table.version + 1) == "version_ahead"


def test_a_version_from_long_ago_is_refused(night: Night) -> None:
    night.do(c.Sit("Ana", ANA))
    version = night.table.version
    taps = [night.worker.submit(c.Rename(ANA, f"Ana {n % 7}")) for n in range(600)]
    for tap in taps:
        tap.exception(20)
    assert night.refused(c.Stand(ANA), version=version) == "stale_for_long"


def test_a_tap_that_waited_with_others_is_judged_by_what_they_changed(night: Night) -> None:
    """All of these share one transaction, so what made them stale is not on disk yet."""
    night.deal()
    night.do(c.GoOut(BEN))
    version = night.table.version
    taps = [
        night.worker.submit(c.EnterPoints(ANA, points), f"points-{points:03}", version)
        for points in range(20)
    ]
    answered = [tap for tap in taps if tap.exception(5) is None]
    assert answered == taps[:1]
    assert night.round.left[ANA].points == 0
