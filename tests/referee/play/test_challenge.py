"""R10 and R11: the wild draw card and its challenge."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.cards import Card
from tests.kit.evening import ANA, BEN, CLEO, Evening

BOTH = pytest.mark.parametrize(
    ("edition", "draws", "innocent"),
    [
        pytest.param("fast-and-furious", 4, 6, id="Wild Draw Four"),
        pytest.param("express", 2, 4, id="Wild Draw Two"),
    ],
)


def hit(edition: str, **setup: object) -> Evening:
    """Ben has laid a wild draw card, so Cleo is hit and Ana is on turn."""
    table = Evening(edition=edition, way="refereed", **setup).refereed()  # type: ignore[arg-type]
    table.play("wild-draw blue")
    return table


@pytest.mark.rule("R10")
@BOTH
def test_the_next_player_draws_and_misses_the_turn(edition: str, draws: int, innocent: int) -> None:
    table = hit(edition)
    assert (table.owed(CLEO), table.round.turn, table.ruling.rule) == (draws, ANA, "R10")
    assert table.round.colour == "blue"
    assert innocent == draws + 2


@pytest.mark.rule("R11")
@BOTH
def test_a_guilty_player_draws_and_the_challenger_plays(
    edition: str, draws: int, innocent: int
) -> None:
    table = hit(edition)
    table.do(c.Challenge(guilty=True))
    assert (table.owed(BEN), table.owed(CLEO)) == (draws, 0)
    assert table.round.turn == CLEO
    assert table.ruling.house == ("guilty_gives_turn_back",)
    assert innocent


@pytest.mark.rule("R11")
def test_a_house_may_leave_the_turn_lost_after_a_rightful_challenge() -> None:
    table = hit("fast-and-furious", house={"guilty_gives_turn_back": False})
    table.do(c.Challenge(guilty=True))
    assert (table.owed(BEN), table.round.turn) == (4, ANA)


@pytest.mark.rule("R11")
@BOTH
def test_a_challenge_of_an_innocent_player_costs_two_more(
    edition: str, draws: int, innocent: int
) -> None:
    table = hit(edition)
    table.do(c.Challenge(guilty=False))
    assert (table.owed(CLEO), table.owed(BEN), table.round.turn) == (innocent, 0, ANA)
    assert draws < innocent


@pytest.mark.rule("R11")
@BOTH
def test_a_wild_draw_card_as_the_very_last_card_cannot_be_guilty(
    edition: str, draws: int, innocent: int
) -> None:
    table = Evening(edition=edition, way="refereed").refereed()
    table.hands(ben=1)
    table.play("wild-draw")
    refusal = table.refused(c.Challenge(guilty=True))
    assert str(refusal) == "It was Ben's last card, so it was always allowed."
    table.do(c.Challenge(guilty=False))
    assert table.owed(CLEO) == innocent
    assert table.round.out == BEN
    assert draws


@pytest.mark.rule("R11")
@pytest.mark.parametrize(
    "then",
    [
        pytest.param(c.Play(Card("blue-1")), id="the next turn has begun"),
        pytest.param(c.Draw(), id="the next player drew"),
        pytest.param(c.Drawn(0), id="the hit player has drawn"),
        pytest.param(c.Forgive(0), id="the cards were forgiven"),
        pytest.param(c.Overrule(0), id="the referee overruled"),
    ],
)
def test_it_is_too_late_to_challenge_once(then: c.Command) -> None:
    table = hit("fast-and-furious")
    debt = table.round.debts[0]
    if isinstance(then, c.Drawn | c.Forgive):
        then = type(then)(debt.number)
    if isinstance(then, c.Overrule):
        then = c.Overrule(debt.ruling)
    table.do(then)
    assert table.refused(c.Challenge(guilty=True)).sentence.code == "no_challenge"


def test_another_debt_ticked_or_forgiven_does_not_end_the_challenge() -> None:
    table = Evening(4, way="refereed").refereed("red-draw")
    table.play("red-1")
    table.play("wild-draw red")
    owed_by_ben = next(debt for debt in table.round.debts if debt.seat == BEN)
    table.do(c.Drawn(owed_by_ben.number))
    assert table.round.challenge is not None
    table.do(c.Undo())
    table.do(c.Challenge(guilty=True))
    assert table.owed(BEN) == 2, "what was owed before the wild draw card stays"
    table.do(c.Undo())
    table.do(c.Forgive(owed_by_ben.number))
    assert table.round.challenge is not None
