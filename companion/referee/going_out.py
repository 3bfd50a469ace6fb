"""Going out: the end of a round's play (R14)."""

from __future__ import annotations

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.cards import Card
from companion.referee.deck import check_card
from companion.referee.draft import Draft
from companion.referee.order import next_seat
from companion.referee.race_records import lay_last_race_card
from companion.referee.rulings import Draws, LaidCard
from companion.referee.sentences import refuse, say
from companion.referee.settle import settle
from companion.referee.table import Round


def end_round(draft: Draft, seat: int, card: Card | None, following: int | None) -> None:
    """R14. No cards left ends the round; a listed last card still makes the next player draw.

    A Street Race is not listed, so nobody slaps unless the house rule says so.
    """
    name = draft.name(seat)
    face = draft.edition.face(card) if card is not None else None
    evidence = LaidCard(seat, card, None, None) if card is not None else None
    if face is not None and face.draws_when_last and following is not None:
        victim = draft.name(following)
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


def go_out(draft: Draft, command: c.GoOut) -> None:
    """Record who has no cards left."""
    round_ = draft.playing
    seat = draft.player_in_round(command.seat)
    if command.card is not None:
        check_card(draft, command.card)
    following = _following(draft, round_, command)
    draft.step("step_go_out", name=seat.name)
    owed = draft.owed(seat.number)
    if owed:
        raise refuse("owes_before_out", "R14", name=seat.name, cards=owed)
    if round_.way == "refereed":
        _empty_hand(draft, seat.number)
    end_round(draft, seat.number, command.card, following)
    settle(draft, say("again_record"))


def _following(draft: Draft, round_: Round, command: c.GoOut) -> int | None:
    if round_.way == "refereed":
        return next_seat(round_, command.seat)
    listed = command.card is not None and draft.edition.face(command.card).draws_when_last
    if not listed:
        return None
    if command.next is None or command.next == command.seat:
        raise refuse("next_unknown", "R14")
    return draft.player_in_round(command.next).number


def _empty_hand(draft: Draft, seat: int) -> None:
    """The referee says the hand is empty, so the count was wrong by what it still showed."""
    round_ = draft.round
    draft.add(
        e.RoundCorrected(
            hands={**round_.hands, seat: 0},
            turn=round_.turn,
            direction=round_.direction,
            top=round_.top,
            colour=round_.colour,
            draw_pile=round_.draw_pile,
            discard_pile=round_.discard_pile + round_.hands[seat],
        )
    )
