"""How ghosts play a refereed round: every card is told to the table, one tap a turn."""

from __future__ import annotations

from companion.ghost import racing
from companion.ghost.ghost import Ghost
from companion.ghost.racing import ms
from companion.ghost.sheet import COLOURS, WILDS, colour, fits
from companion.ghost.truth import Round
from companion.referee import commands as c
from companion.referee.cards import Card, Colour


def act(ghost: Ghost) -> None:
    """Do the next thing that the round needs."""
    round_ = ghost.round
    if not round_.felt.discard:
        _turn_up(ghost, round_)
    elif round_.chooser is not None:
        _name_colour(ghost, round_)
    elif round_.race is not None and round_.race.state in racing.OPEN:
        racing.tend(ghost, round_.race)
    elif round_.doubted is not None and ghost.chance(ghost.temper.doubt):
        ghost.say(c.Challenge(round_.doubted.guilty))
    else:
        ghost.wait(ms(ghost, 200, 3_000))
        if ghost.truth.round is round_ and not _something_open(round_):
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


def catch_somebody(ghost: Ghost, seat: int) -> None:
    """Whoever is watching catches a seat: by their button, or on the tablet."""
    others = [other for other in ghost.round.seats if other != seat]
    watcher = ghost.luck.choice(others)
    if ghost.chance(0.15):
        ghost.wait(ms(ghost, 100, 1_500))
        if ghost.truth.round is not None and ghost.round.out is None:
            racing.touch(ghost, watcher)
    elif ghost.chance(0.7):
        held = ms(ghost, 720, 1_200) if ghost.chance(0.1) else ms(ghost, 30, 400)
        late = ms(ghost, 0, 40) if ghost.chance(0.3) else 0
        ghost.push(watcher, ghost.now() + ms(ghost, 0, 1_200), held, late=late)
        if ghost.chance(0.2):
            ghost.push(ghost.luck.choice(others), ghost.now() + ms(ghost, 0, 1_200), held)
    else:
        ghost.wait(ms(ghost, 100, 1_500))
        ghost.say(c.Catch(seat, watcher if ghost.chance(0.8) else None))


def _something_open(round_: Round) -> bool:
    """Whether the table was overtaken by a race while somebody thought."""
    race_on = round_.race is not None and round_.race.state in racing.OPEN
    return race_on or round_.out is not None or round_.chooser is not None


def _turn_up(ghost: Ghost, round_: Round) -> None:
    card = round_.felt.pile[-1]
    shade = tell_card(ghost, card, []) if card != "wild-draw" else None
    ghost.say(c.TurnUp(Card(card), shade))


def _name_colour(ghost: Ghost, round_: Round) -> None:
    assert round_.chooser is not None
    if ghost.chance(ghost.temper.illegal):
        ghost.say(c.Draw())
    ghost.wait(ms(ghost, 0, 1_500))
    if ghost.truth.round is round_ and round_.chooser is not None:
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
    if len(felt.hands[seat]) == 1 and ghost.chance(ghost.temper.call):
        _call(ghost, seat)
    overtaken = ghost.truth.round is not round_ or _something_open(round_) or round_.turn != seat
    if not overtaken and _drawn_and_fitting(round_, seat) == card:
        shade = tell_card(ghost, card, felt.hands[seat])
        ghost.say(c.Play(Card(card), colour=shade, drawn=True))
        _after_laying(ghost, round_, seat)


def _drawn_and_fitting(round_: Round, seat: int) -> str | None:
    """The card that this seat would draw now, if it could be played at once."""
    felt = round_.felt
    if round_.owes(seat) or _about_to_owe(round_, seat):
        return None
    card = felt.next_card()
    return card if card is not None and fits(card, felt.top, felt.colour) else None


def _about_to_owe(round_: Round, seat: int) -> bool:
    """Whether a catch is being looked at that may cost this seat cards before its turn begins."""
    window = round_.window
    if window is None or window.catch is None:
        return False
    return seat in (window.catch.seat, window.seat)


def _lay(ghost: Ghost, round_: Round, seat: int, card: str) -> None:
    """Lay a card from the hand; a Street Race is told in any of several ways."""
    felt = round_.felt
    one_left = len(felt.hands[seat]) == 2 and not round_.owes(seat)
    if one_left and ghost.chance(ghost.temper.call / 2):
        _call(ghost, seat)
    if card == "street-race":
        racing.declare(ghost, seat)
    if ghost.truth.round is not round_ or round_.turn != seat or round_.out is not None:
        return
    if card not in felt.hands[seat]:
        return
    shade = tell_card(ghost, card, felt.hands[seat])
    named = seat if ghost.chance(0.3) else None
    refused = ghost.say(c.Play(Card(card), seat=named, colour=shade))
    if refused is None:
        _after_laying(ghost, round_, seat)


def _after_laying(ghost: Ghost, round_: Round, seat: int) -> None:
    """Who is on one card may still call, and may be caught."""
    window = round_.window
    if window is None or window.seat != seat:
        return
    if window.call is None and ghost.chance(ghost.temper.call):
        _call(ghost, seat, wait=False)
    if ghost.chance(ghost.temper.catch):
        catch_somebody(ghost, seat)


def _call(ghost: Ghost, seat: int, *, wait: bool = True) -> None:
    if ghost.chance(0.12):
        ghost.say(c.Call(seat))
        return
    if ghost.chance(0.1):
        racing.touch(ghost, seat)
        return
    ghost.push(seat, ghost.now() + ms(ghost, 0, 900), ms(ghost, 30, 300))
    if wait:
        ghost.wait(ms(ghost, 200, 1_500))


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
    ghost.say(c.Play(card, seat=somebody, colour=shade, insist=True))
    _after_laying(ghost, round_, somebody)
    return True
