"""What to do next: every state of the table has an answer, so that nobody is ever stuck."""

from __future__ import annotations

from collections.abc import Collection

from companion.referee.model.table import Claim, Match, Round, Table
from companion.referee.rules.scoring import standing
from companion.referee.sentences import Sentence, also_say, say
from companion.view.scoresheet import dealer, missing_hands
from companion.view.shape import Phase, RaceShown

ENGLISH: dict[str, str] = {
    "next.sit": "Press your button to sit down.",
    "next.one_more": "One more player is needed: press a button to sit down.",
    "next.start": "Start the match, or wait for more players to sit down.",
    "next.awaiting_button": "Press the button that {name} should have.",
    "next.draw_for_deal": "Who deals? Tap a name, or draw for it: the highest number deals.",
    "next.draw_again": "{names} drew the same number and draw again.",
    "next.deal": "{dealer} shuffles and deals {cards} cards to everyone.",
    "next.turn_up": "Turn up the first card.",
    "next.proposed": "Was that a Street Race by {name}? Say yes or no.",
    "next.slap": "Slap! Still to come: {names}.",
    "next.all_slapped": "All hands are down.",
    "next.undecided": "Too close to call: {names}. Slap again, or pick who draws.",
    "next.no_slaps": "{names} never slapped. The referee picks who draws, or a slap-off decides.",
    "next.no_order": "Nobody can tell who of {names} was last. Run it again, or pick who draws.",
    "next.unusable": "No working button: {names}. Say who was last.",
    "next.slap_off": "{names}: wait for the light, then slap.",
    "next.catch": "{name} was caught: checking the times.",
    "next.question": "{question}",
    "next.colour": "{name} names the colour.",
    "next.turn": "It is {name}’s turn.",
    "next.turn_colour": "It is {name}’s turn. {chooser} still has to name the colour.",
    "next.free": "Play! Press your button to call UNO.",
    "next.free_race": "Play! Press your button to call UNO; "
    "if you lay a Street Race, keep your hands off.",
    "next.hands": "{out} went out. Count the cards of {names}.",
    "next.hands_owed": "{out} went out. {owed}; then count the cards of {names}.",
    "next.owes": "{name} draws {cards}",
    "next.score": "All hands are counted. Check them and score the round.",
    "next.won": "{names} won the match. Play on, play again, or close it.",
}
also_say(ENGLISH)


ABOUT_A_CATCH = ("called_in_time", "caught_in_time")


def next_step(
    table: Table, phase: Phase, race: RaceShown | None, awaited: Collection[int] = ()
) -> Sentence:
    """Say what the table should do now; `awaited` are those who have yet to slap."""
    seats = table.game.seats
    match = table.game.match
    if table.awaiting_button is not None:
        return say("next.awaiting_button", name=table.game.who(table.awaiting_button))
    if match is None:
        return say(("next.sit", "next.one_more", "next.start")[min(len(seats), 2)])
    if match.round is not None:
        urgent = _about_the_race(table, race, awaited) if race is not None else None
        return urgent or _in_round(table, match, match.round, phase)
    if phase == "won":
        return say("next.won", names=standing(match).winners)
    next_dealer = dealer(table.game, match)
    if len(seats) < 2:
        return say(("next.sit", "next.one_more")[len(seats)])
    if next_dealer is not None:
        return say("next.deal", dealer=table.game.who(next_dealer), cards=match.edition.dealt)
    if match.deal_tied:
        return say("next.draw_again", names=table.game.who(*match.deal_tied))
    return say("next.draw_for_deal")


def claim_looked_at(round_: Round) -> Claim | None:
    """Give the latest catch of which nobody knows yet what it comes to."""
    return next((claim for claim in reversed(round_.claims) if claim.outcome is None), None)


def _in_round(table: Table, match: Match, round_: Round, phase: Phase) -> Sentence:
    """Say the most urgent thing; a question waits until hands and times have been seen to."""
    if phase == "first_card":
        return say("next.turn_up")
    if said := _about_a_catch(table, round_) or _about_a_question(round_):
        return said
    if round_.out is not None and round_.out in round_.seats:
        return _about_hands(table, round_, round_.out)
    if round_.way == "refereed" and (said := _about_the_turn(table, round_)):
        return said
    return say("next.free_race" if match.edition.race_card else "next.free")


def _about_the_race(table: Table, race: RaceShown, awaited: Collection[int]) -> Sentence | None:
    """Say what a race waits for; nothing where it only waits for a question to be answered."""
    match race.state:
        case "proposed" if race.layer is not None:
            return say("next.proposed", name=table.game.who(race.layer))
        case "running" if race.layer is not None:
            return _about_slaps(table, "next.slap", awaited)
        case "slap_off":
            return _about_slaps(table, "next.slap_off", awaited)
        case "undecided":
            return _about_a_race_undecided(table, race)
        case _:
            return None


def _about_slaps(table: Table, code: str, awaited: Collection[int]) -> Sentence:
    if not awaited:
        return say("next.all_slapped")
    return say(code, names=table.game.who(*sorted(awaited)))


def _about_a_race_undecided(table: Table, race: RaceShown) -> Sentence | None:
    match race.outcome:
        case None:
            return None
        case "dead_heat":
            return say("next.undecided", names=table.game.who(*race.tied))
        case "nobody_slapped":
            return say("next.no_slaps", names=table.game.who(*race.tied))
        case "unusable":
            return say("next.unusable", names=table.game.who(*race.unusable))
        case _:
            return say("next.no_order", names=table.game.who(*race.tied))


def _about_a_catch(table: Table, round_: Round) -> Sentence | None:
    """Say who was caught, unless the table is asked about it already."""
    claim = claim_looked_at(round_)
    if claim is None or any(question.kind in ABOUT_A_CATCH for question in round_.questions):
        return None
    return say("next.catch", name=table.game.who(claim.seat))


def _about_a_question(round_: Round) -> Sentence | None:
    """Repeat the newest question, with all that says it in another language."""
    if not round_.questions:
        return None
    asked = round_.questions[-1].sentence
    return say("next.question", question=asked)


def _about_the_turn(table: Table, round_: Round) -> Sentence | None:
    """Say whose turn it is; a colour that was not named yet holds nothing up."""
    turn, chooser = round_.turn, round_.chooser
    if chooser is not None and turn in (None, chooser):
        return say("next.colour", name=table.game.who(chooser))
    if turn is None:
        return None
    if chooser is None:
        return say("next.turn", name=table.game.who(turn))
    return say("next.turn_colour", name=table.game.who(turn), chooser=table.game.who(chooser))


def _about_hands(table: Table, round_: Round, out: int) -> Sentence:
    """Cards that are still owed count, so they are drawn before the hand is counted."""
    missing = missing_hands(round_)
    if not missing:
        return say("next.score")
    went_out, names = table.game.who(out), table.game.who(*missing)
    if not round_.debts:
        return say("next.hands", out=went_out, names=names)
    owed = tuple(
        say("next.owes", name=table.game.who(debt.seat), cards=debt.cards) for debt in round_.debts
    )
    return say("next.hands_owed", out=went_out, names=names, owed=owed)
