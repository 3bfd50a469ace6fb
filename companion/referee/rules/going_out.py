"""Going out: the end of a round's play (R14)."""

from __future__ import annotations

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.model.cards import Card
from companion.referee.model.neighbours import next_seat
from companion.referee.model.rulings import Draws, LaidCard
from companion.referee.rules.deck import pay_debts
from companion.referee.rules.race import lay_last_race_card
from companion.referee.sentences import say


def end_round(draft: Draft, seat: int, card: Card | None, following: int | None) -> None:
    """R14. No cards left ends the round; a listed last card still makes the next player draw.

    A Street Race is not listed, so nobody slaps unless the house rule says so.
    """
    name = draft.who(seat)
    face = draft.edition.face(card) if card is not None else None
    evidence = LaidCard(seat, card, None, None) if card is not None else None
    if face is not None and face.draws_when_last and following is not None:
        victim = draft.who(following)
        sentence = say(
            "out_draws",
            name=name,
            victim=victim,
            cards=face.draws,
            card=card or "",
            title=face.title,
        )
        draws = (Draws(following, face.draws),)
        ruling = draft.rule(
            "R14", "out", sentence, seats=(seat, following), draws=draws, evidence=evidence
        )
        if face.act == "wild_draw":
            draft.add(e.ChallengeOpened(seat, following, face.draws, ruling, last_card=True))
    else:
        used = ("race_on_last_card",) if face is not None and face.act == "race" else ()
        draft.rule(
            "R14", "out", say("out", name=name), seats=(seat,), house=used, evidence=evidence
        )
    draft.add(e.RoundEnded(seat, draft.now.at))
    if face is not None and face.act == "race":
        lay_last_race_card(draft, seat)


def say_out(draft: Draft, command: c.GoOut) -> None:
    """Let a seat be out with a card that was not recorded."""
    round_ = draft.round
    following = next_seat(round_, command.seat) if round_.way == "refereed" else command.next
    pay_debts(draft, command.seat)
    empty_hand(draft, command.seat, command.card)
    end_round(draft, command.seat, command.card, following)


def empty_hand(draft: Draft, seat: int, card: Card | None = None) -> None:
    """The hand is empty: what the count still showed lies on the pile, and this card on top."""
    round_ = draft.round
    left = round_.hands.get(seat, 0)
    seen = round_.seen if card is None else {**round_.seen, card: round_.seen.get(card, 0) + 1}
    draft.add(
        e.RoundCorrected(
            hands={**round_.hands, seat: 0} if seat in round_.hands else round_.hands,
            turn=round_.turn,
            direction=round_.direction,
            top=card or round_.top,
            colour=round_.colour,
            draw_pile=round_.draw_pile,
            discard_pile=round_.discard_pile + left,
            seen=seen,
        )
    )
