"""What to do next: every state of the table has an answer."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from companion.referee.model.table import Claim, Match, Round, Table
from companion.referee.rules.counting import missing_hands
from companion.referee.rules.scoring import standing
from companion.referee.sentences import Part, Sentence, also_say, say
from companion.view.scoresheet import dealer
from companion.view.shape import Phase, RaceShown, StepWord

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
    "next.no_order": "Nobody knows which of {names} was last. Run it again, or pick who draws.",
    "next.unusable": "No working button: {names}. Say who was last.",
    "next.slap_off": "{names}: wait for the light, then slap.",
    "next.catch": "{name} was caught: checking the times.",
    "next.question": "{question}",
    "next.colour": "{name} names the colour.",
    "next.turn": "It’s {name}’s turn.",
    "next.turn_colour": "It’s {name}’s turn. {chooser} still has to name the colour.",
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
SEATING: tuple[StepWord, ...] = ("sit", "one_more", "start")
"""The next step by how many sit at the table."""


class NextStep(Struct, frozen=True):
    """A word for what to do next, and the sentence that says it."""

    word: StepWord
    sentence: Sentence


def next_step(
    table: Table, phase: Phase, race: RaceShown | None, awaited: Collection[int] = ()
) -> NextStep:
    """Say what the table should do now; `awaited` are those who have yet to slap."""
    seats = table.game.seats
    match = table.game.match
    if table.awaiting_button is not None:
        return _step("awaiting_button", name=table.game.who(table.awaiting_button))
    if match is None:
        return _step(SEATING[min(len(seats), 2)])
    if match.round is not None:
        urgent = _about_the_race(table, race, awaited) if race is not None else None
        return urgent or _in_round(table, match, match.round, phase)
    if phase == "won":
        return _step("won", names=standing(match).winners)
    next_dealer = dealer(table.game, match)
    if len(seats) < 2:
        return _step(SEATING[len(seats)])
    if next_dealer is not None:
        return _step("deal", dealer=table.game.who(next_dealer), cards=match.edition.dealt)
    if match.deal_tied:
        return _step("draw_again", names=table.game.who(*match.deal_tied))
    return _step("draw_for_deal")


def claim_looked_at(round_: Round) -> Claim | None:
    """Give the latest catch that is not decided yet."""
    return next((claim for claim in reversed(round_.claims) if claim.outcome is None), None)


def _in_round(table: Table, match: Match, round_: Round, phase: Phase) -> NextStep:
    """Say the most urgent thing; a question waits until hands and times have been seen to."""
    if phase == "first_card":
        return _step("turn_up")
    if said := _about_a_catch(table, round_) or _about_a_question(round_):
        return said
    if round_.out is not None and round_.out in round_.seats:
        return _about_hands(table, round_, round_.out)
    if round_.way == "refereed" and (said := _about_the_turn(table, round_)):
        return said
    return _step("free_race" if match.edition.race_card else "free")


def _about_the_race(table: Table, race: RaceShown, awaited: Collection[int]) -> NextStep | None:
    """Say what a race waits for; nothing where it only waits for a question to be answered."""
    match race.state:
        case "proposed" if race.layer is not None:
            return _step("proposed", name=table.game.who(race.layer))
        case "running" if race.layer is not None:
            return _about_slaps(table, "slap", awaited)
        case "slap_off":
            return _about_slaps(table, "slap_off", awaited)
        case "undecided":
            return _about_a_race_undecided(table, race)
        case _:
            return None


def _about_slaps(table: Table, word: StepWord, awaited: Collection[int]) -> NextStep:
    if not awaited:
        return _step("all_slapped")
    return _step(word, names=table.game.who(*sorted(awaited)))


def _about_a_race_undecided(table: Table, race: RaceShown) -> NextStep | None:
    match race.outcome:
        case None:
            return None
        case "dead_heat":
            return _step("undecided", names=table.game.who(*race.tied))
        case "nobody_slapped":
            return _step("no_slaps", names=table.game.who(*race.tied))
        case "unusable":
            return _step("unusable", names=table.game.who(*race.unusable))
        case _:
            return _step("no_order", names=table.game.who(*race.tied))


def _about_a_catch(table: Table, round_: Round) -> NextStep | None:
    """Say who was caught, unless the table is asked about it already."""
    claim = claim_looked_at(round_)
    if claim is None or any(question.kind in ABOUT_A_CATCH for question in round_.questions):
        return None
    return _step("catch", name=table.game.who(claim.seat))


def _about_a_question(round_: Round) -> NextStep | None:
    """Repeat the newest question, with all that says it in another language."""
    if not round_.questions:
        return None
    asked = round_.questions[-1].sentence
    return _step("question", question=asked)


def _about_the_turn(table: Table, round_: Round) -> NextStep | None:
    """Say whose turn it is; a colour that was not named yet holds nothing up."""
    turn, chooser = round_.turn, round_.chooser
    if chooser is not None and turn in (None, chooser):
        return _step("colour", name=table.game.who(chooser))
    if turn is None:
        return None
    if chooser is None:
        return _step("turn", name=table.game.who(turn))
    return _step("turn_colour", name=table.game.who(turn), chooser=table.game.who(chooser))


def _about_hands(table: Table, round_: Round, out: int) -> NextStep:
    """Cards that are still owed count, so they are drawn before the hand is counted."""
    missing = missing_hands(round_)
    if not missing:
        return _step("score")
    went_out, names = table.game.who(out), table.game.who(*missing)
    if not round_.debts:
        return _step("hands", out=went_out, names=names)
    owed = tuple(
        say("next.owes", name=table.game.who(debt.seat), cards=debt.cards) for debt in round_.debts
    )
    return _step("hands_owed", out=went_out, names=names, owed=owed)


def _step(word: StepWord, **parts: Part) -> NextStep:
    return NextStep(word, say(f"next.{word}", **parts))
