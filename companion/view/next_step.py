"""What to do next: every state of the table has an answer, so that nobody is ever stuck."""

from __future__ import annotations

from collections.abc import Iterable

from companion.referee.scoring import standing
from companion.referee.sentences import Sentence
from companion.referee.table import Match, Round, Table
from companion.view.racing import awaited, race_shown
from companion.view.scoresheet import dealer, missing_hands
from companion.view.shape import Phase

ENGLISH: dict[str, str] = {
    "next.sit": "Press your button to sit down.",
    "next.one_more": "One more player is needed: press a button to sit down.",
    "next.start": "Start the match, or let more players sit down.",
    "next.awaiting_button": "Press the button that {name} should have.",
    "next.draw_for_deal": "Everyone draws a card. The highest number deals.",
    "next.draw_again": "{names} drew the same number and draw again.",
    "next.deal": "{dealer} shuffles and deals {cards} cards to everyone.",
    "next.turn_up": "Turn up the first card of the discard pile.",
    "next.slap": "Slap! Still to come: {names}.",
    "next.all_slapped": "All hands are down.",
    "next.undecided": "Too close to tell: {names}. Slap again, or pick who draws.",
    "next.no_slaps": "{names} never slapped. The referee picks who draws, or a slap-off decides.",
    "next.slap_off": "{names}: wait for the light, then slap.",
    "next.colour": "{name} names the colour.",
    "next.catch": "{name} was caught: looking at the times.",
    "next.draw_debts": "{owed}.",
    "next.owes": "{name} draws {cards}",
    "next.turn": "It is {name}’s turn.",
    "next.free": "Play on. Tap your button to call UNO.",
    "next.free_race": "Play on. Tap your button to call UNO, hold it when you lay a Street Race.",
    "next.hands": "{out} went out. Count the cards of {names}.",
    "next.score": "All hands are counted. Check them and score the round.",
    "next.won": "{names} won the match. Play on, play again, or close it.",
}


def next_step(table: Table, phase: Phase) -> Sentence:
    """Say what the table should do now."""
    seats = table.game.seats
    match = table.game.match
    if table.awaiting_button is not None:
        return _say("next.awaiting_button", name=_name(table, table.awaiting_button))
    if match is None:
        return _say(("next.sit", "next.one_more", "next.start")[min(len(seats), 2)])
    if match.round is not None:
        return _in_round(table, match, match.round, phase)
    if phase == "won":
        return _say("next.won", names=_winners(match))
    next_dealer = dealer(table.game, match)
    if len(seats) < 2:
        return _say(("next.sit", "next.one_more")[len(seats)])
    if next_dealer is not None:
        return _say("next.deal", dealer=_name(table, next_dealer), cards=match.edition.dealt)
    if match.deal_tied:
        return _say("next.draw_again", names=_names(table, match.deal_tied))
    return _say("next.draw_for_deal")


def _in_round(table: Table, match: Match, round_: Round, phase: Phase) -> Sentence:
    if race := _about_the_race(table, match, round_):
        return race
    if phase == "first_card":
        return _say("next.turn_up")
    if round_.chooser is not None and round_.out is None:
        return _say("next.colour", name=_name(table, round_.chooser))
    if round_.window is not None and round_.window.catch is not None:
        return _say("next.catch", name=_name(table, round_.window.seat))
    if round_.out is not None and round_.out in round_.seats:
        return _about_hands(table, round_, round_.out)
    if round_.way == "refereed" and round_.turn is not None:
        return _say("next.turn", name=_name(table, round_.turn))
    if round_.debts:
        return _about_debts(table, round_)
    return _say("next.free_race" if match.edition.race_card else "next.free")


def _about_the_race(table: Table, match: Match, round_: Round) -> Sentence | None:
    race = round_.race
    match race.state if race else None:
        case "running" | "slap_off" as state:
            assert race is not None
            missing = awaited(race_shown(race, match.house))
            code = "next.slap" if state == "running" else "next.slap_off"
            if not missing:
                return _say("next.all_slapped")
            return _say(code, names=_names(table, sorted(missing)))
        case "undecided":
            assert race is not None
            never = race.finish is not None and race.finish.no_slap
            code = "next.no_slaps" if never else "next.undecided"
            return _say(code, names=_names(table, race.tied))
        case _:
            return None


def _about_hands(table: Table, round_: Round, out: int) -> Sentence:
    missing = missing_hands(round_)
    if round_.debts and missing:
        return _about_debts(table, round_)
    if missing:
        return _say("next.hands", out=_name(table, out), names=_names(table, missing))
    return _say("next.score")


def _about_debts(table: Table, round_: Round) -> Sentence:
    owed = [
        ENGLISH["next.owes"].format(name=_name(table, debt.seat), cards=debt.cards)
        for debt in round_.debts
    ]
    return _say("next.draw_debts", owed=", ".join(owed))


def _winners(match: Match) -> str:
    name_of = {entrant.player: entrant.name for entrant in match.entrants}
    return _listed(name_of[player] for player in standing(match).winners)


def _name(table: Table, number: int) -> str:
    seat = table.game.seat(number)
    return seat.name if seat else str(number)


def _names(table: Table, numbers: Iterable[int]) -> str:
    return _listed(_name(table, number) for number in numbers)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def _say(code: str, **parts: str | int) -> Sentence:
    return Sentence(code, ENGLISH[code].format(**parts), parts)
