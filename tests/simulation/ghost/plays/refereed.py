"""How ghosts play a refereed round: every card is told to the table, one tap a turn."""

from __future__ import annotations

from companion.referee import commands as c
from companion.referee.model.cards import Card, Colour
from tests.simulation.ghost.ghost import Ghost
from tests.simulation.ghost.plays import deciding, racing, uno
from tests.simulation.ghost.plays.racing import ms
from tests.simulation.ghost.sheet import COLOURS, WILDS, colour, fits
from tests.simulation.ghost.truth import Round


def act(ghost: Ghost) -> None:
    """Do the next thing that the round needs."""
    round_ = ghost.round
    if not round_.felt.discard:
        _turn_up(ghost, round_)
    elif round_.chooser is not None and not ghost.chance(ghost.temper.hurry):
        _name_colour(ghost, round_)
    elif round_.race is not None and round_.race.state == "undecided":
        deciding.tend(ghost, round_.race)
    elif round_.doubted is not None and ghost.chance(ghost.temper.doubt):
        ghost.say(c.Challenge(round_.doubted.guilty))
    else:
        ghost.wait(ms(ghost, 200, 3_000))
        _take_turn(ghost, round_)


def any_colour(ghost: Ghost, hand: list[str]) -> Colour:
    """Name a colour, mostly one that the hand holds."""
    held = [shade for card in hand if (shade := colour(card)) is not None]
    return ghost.luck.choice(held if held and ghost.chance(0.7) else COLOURS)


def tell_card(ghost: Ghost, card: str, hand: list[str]) -> Colour | None:
    """Name the colour of a wild at once, or leave it for later."""
    if card not in WILDS or ghost.chance(ghost.temper.later):
        return None
    return any_colour(ghost, hand)


def _turn_up(ghost: Ghost, round_: Round) -> None:
    card = round_.felt.pile[-1]
    shade = tell_card(ghost, card, []) if card != "wild-draw" else None
    ghost.say(c.TurnUp(Card(card), shade))


def _name_colour(ghost: Ghost, round_: Round) -> None:
    assert round_.chooser is not None
    ghost.wait(ms(ghost, 0, 1_500))
    ghost.say(c.NameColour(any_colour(ghost, round_.felt.hands[round_.chooser])))


def _take_turn(ghost: Ghost, round_: Round) -> None:
    felt, seat = round_.felt, round_.turn
    assert seat is not None
    if round_.owes(seat) and ghost.chance(ghost.temper.tick):
        _tick(ghost, seat)
    if ghost.chance(ghost.temper.illegal) and _play_wrongly(ghost, round_, seat):
        return
    hand = felt.hands[seat]
    fitting = [card for card in hand if fits(card, felt.top, felt.colour)]
    honest = [card for card in fitting if card != "wild-draw" or not _forbidden(hand, felt.colour)]
    cards = fitting if ghost.chance(ghost.temper.bluff) else honest
    if not cards or ghost.chance(ghost.temper.draw):
        _draw(ghost, round_, seat)
    else:
        _lay(ghost, round_, seat, ghost.luck.choice(cards))


def _forbidden(hand: list[str], in_play: str | None) -> bool:
    """R10. A wild draw card may not be laid by who holds the colour in play."""
    return any(colour(card) == in_play for card in hand)


def _tick(ghost: Ghost, seat: int) -> None:
    """Draw what is owed, and say so."""
    while ghost.round.owes(seat):
        place = next(at for at, debt in enumerate(ghost.round.debts) if debt.seat == seat)
        ghost.say(c.Drawn(ghost.oracle.handles[place][0]))


def _draw(ghost: Ghost, round_: Round, seat: int) -> None:
    """R5. Draw a card, and play it if it fits."""
    felt = round_.felt
    if round_.owes(seat):
        _tick(ghost, seat)
    card = _drawn_and_fitting(round_, seat)
    if card is None or not ghost.chance(0.6):
        ghost.say(c.Draw(seat if ghost.chance(0.3) else None))
        return
    shade = tell_card(ghost, card, felt.hands[seat])
    _tell(ghost, seat, c.Play(Card(card), colour=shade, drawn=True), left=len(felt.hands[seat]))


def _drawn_and_fitting(round_: Round, seat: int) -> str | None:
    """The card that this seat would draw now, if it could be played at once."""
    felt = round_.felt
    card = felt.next_card()
    return card if card is not None and fits(card, felt.top, felt.colour) else None


def _lay(ghost: Ghost, round_: Round, seat: int, card: str) -> None:
    """Lay a card from the hand."""
    hand = round_.felt.hands[seat]
    named = seat if ghost.chance(0.3) else None
    command = c.Play(Card(card), seat=named, colour=tell_card(ghost, card, hand))
    left = len(hand) - 1 + round_.owes(seat)
    steps = len(ghost.oracle.past)
    _tell(ghost, seat, command, left)
    latest = len(ghost.oracle.past) == steps + 1
    changes = latest and left > 2 and card != "street-race" and not round_.disputed
    if changes and ghost.chance(ghost.temper.slip):
        _change(ghost, seat)


def _tell(ghost: Ghost, seat: int, command: c.Play, left: int) -> None:
    """Tell a card, with all that hands do about it."""
    before = ghost.round.window
    last_is_raced = ghost.match.house.race_on_last_card
    if command.card == "street-race" and (left or last_is_raced):
        racing.by_card(ghost, seat, lambda: ghost.say(command))
        deciding.quarrel(ghost)
        while (race := ghost.round.race) is not None and race.state == "undecided":
            deciding.tend(ghost, race)
        ghost.hush(racing.TIME_LIMIT)
    else:
        if left == 1:
            uno.before_laying(ghost, seat)
        ghost.say(command)
    if left == 1:
        uno.on_one(ghost, seat)
    elif before is not None and ghost.round.out is None and ghost.chance(ghost.temper.fidget):
        uno.catch_too_late(ghost, before.seat)


def _change(ghost: Ghost, seat: int) -> None:
    """It was another card that was laid, as somebody notices at once."""
    before = ghost.oracle.past[-1].truth.round
    assert before is not None
    felt = before.felt
    cards = [
        card
        for card in felt.hands[seat]
        if card != "street-race" and fits(card, felt.top, felt.colour)
    ]
    turn = ghost.view.round.turns[-1].number if ghost.view.round is not None else 0
    if cards:
        card = ghost.luck.choice(cards)
        shade = tell_card(ghost, card, felt.hands[seat])
        ghost.say(c.ChangePlay(turn, Card(card), seat, shade))


def _play_wrongly(ghost: Ghost, round_: Round, seat: int) -> bool:
    """Lay what does not fit, or out of turn; tell whether the referee insisted on it."""
    felt = round_.felt
    somebody = seat if ghost.chance(0.6) else ghost.luck.choice(round_.seats)
    hand = felt.hands[somebody]
    wrong = [card for card in hand if somebody != seat or not fits(card, felt.top, felt.colour)]
    if not wrong:
        return False
    card = Card(ghost.luck.choice(wrong))
    ghost.say(c.Play(card, seat=somebody))
    if not ghost.chance(ghost.temper.insist):
        return False
    shade = tell_card(ghost, card, hand)
    command = c.Play(card, seat=somebody, colour=shade, insist=True)
    _tell(ghost, somebody, command, len(hand) - 1 + round_.owes(somebody))
    return True
