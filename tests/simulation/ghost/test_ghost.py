"""Ghosts play whole matches with real cards, and the referee's view never differs from the truth.

`GHOST_MATCHES` says how many matches of each edition; the soak plays thousands.
"""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

import tests.simulation.ghost
from companion.referee.commands import Command
from companion.referee.events import Event, PressRecorded, QuestionAsked, RaceRead
from companion.referee.model.rulings import Ruling
from companion.referee.sentences import Refusal
from tests.simulation.ghost.door import BareTable
from tests.simulation.ghost.plays.match import play_match
from tests.simulation.ghost.sheet import EXPRESS, FAST_AND_FURIOUS, SHEETS, Sheet

MATCHES = int(os.environ.get("GHOST_MATCHES", "20"))
SHARE = max(2, MATCHES // 50)
"""So many matches are played by one test, so that every processor has something to do."""


@pytest.mark.parametrize("first", range(0, MATCHES, SHARE))
@pytest.mark.parametrize("edition", SHEETS)
def test_after_every_step_the_view_equals_the_truth(edition: str, first: int) -> None:
    for seed in range(first, min(first + SHARE, MATCHES)):
        play_match(seed, edition)


class Witness(BareTable):
    """A bare table that remembers what was said at it."""

    def __init__(self, luck: int) -> None:
        super().__init__(luck)
        self.seen: set[str] = set()

    def send(self, command: Command) -> tuple[Event, ...]:
        try:
            events = super().send(command)
        except Refusal as refusal:
            self.seen.add(f"refused: {refusal.sentence.code}")
            raise
        for event in events:
            self.seen |= said(event)
        return events


def said(event: Event) -> set[str]:
    """Tell what is special about an event, in a few words."""
    name = type(event).__name__
    words = {name}
    for detail in ("fault", "way", "kind"):
        if hasattr(event, detail):
            words.add(f"{name} {getattr(event, detail)}")
    if isinstance(event, RaceRead):
        words |= {f"race by {event.race.how}", f"race {event.race.state}"}
    if isinstance(event, QuestionAsked):
        words.add(f"asked: {event.question.kind}")
    if isinstance(event, PressRecorded):
        words.add(f"pressed: {event.press.source}")
    ruling = getattr(event, "ruling", None)
    if isinstance(ruling, Ruling):
        words |= {f"{ruling.rule} {ruling.outcome}", f"said: {ruling.sentence.code}"}
        words |= {f"house rule {house}" for house in ruling.house}
    return words


IN_BOTH = """
    R2 deals, R2 deal_tie, R3 first_card, R4 first_card, R5 insisted, R6 hit, R7 reversed,
    R7 skipped, R8 skipped, R10 hit, R11 guilty, R11 innocent, R13 caught, R13 called,
    R13 too_late, R13 not_on_one, R14 out, R17 scored, R17 edited, R18 won, R19 scored, R19 won,
    said: first_draw, said: first_reverse, said: first_skip, said: first_wild,
    said: first_wild_draw, said: out_draws,
    house rule deal_tie, house rule reverse_skips_for_two, house rule guilty_gives_turn_back,
    house rule wrong_catch_draws, house rule tie_goes_to,
    PileReshuffled, Undone, Redone, TableOpened, ButtonAssigned, ButtonPutBack, RoundEdited,
    RoundCorrected, PlayChanged, PlayedOn, MatchClosed, SeatLeft, SeatsSwapped, PlayerRenamed,
    PlayerLeft, RoundAbandoned,
    DebtForgiven, HandicapSet, HandCleared, RulingOverruled, PressesMissed, PressesDismissed,
    CallSaid, CallWithdrawn, CatchNamed, ClaimRead, pressed: button,
    RoundDealt free, RoundDealt refereed, WaySwitched free, WaySwitched refereed,
    refused: does_not_match, refused: not_your_turn, refused: all_played, refused: unknown_card,
    refused: too_many_copies, refused: count_differs, refused: card_was_played,
    refused: hand_of_winner, refused: hands_missing, refused: last_card_innocent,
    refused: out_with_cards, refused: round_on, refused: no_colour_open,
    refused: no_challenge, refused: nobody_out, refused: match_won, refused: name_taken,
    refused: name_too_long, refused: name_empty, refused: unknown_seat, refused: seat_taken,
    refused: handicap_out_of_range, refused: button_taken, refused: nothing_to_undo,
    refused: nothing_to_redo, refused: free_play, refused: no_such_question
"""
IN_RACES = """
    R12 last, R12 never_slapped, R12 false_start, R12 dead_heat, R12 nobody_slapped, R12 unusable,
    R12 picked, R12 void, said: race_alone, said: race_last_handicap, said: dead_heat_handicap,
    said: dead_heat_within, house rule handicap, house rule hands_stay_down, house rule no_slap,
    house rule race_on_last_card,
    race by hands, race by card, race by tablet, race proposed, race running, race undecided,
    race slap_off, race ruled, race void, RaceUnread, RaceDenied, PressesAnswered,
    PressesDismissed no_race, pressed: phone, pressed: tablet,
    asked: was_race, asked: who_laid, asked: who_was_last,
    ButtonSetAside stuck, ButtonSetAside chatter, ButtonSetAside noise, ButtonSetAside unreachable,
    refused: race_known, refused: race_decided,
    refused: not_racing, refused: pick_nobody, refused: no_race, refused: next_unknown
"""


@pytest.mark.parametrize(
    ("edition", "expected"),
    [
        pytest.param(
            "express", IN_BOTH + ", refused: no_race_card, refused: hand_empty", id="Express"
        ),
        pytest.param("fast-and-furious", IN_BOTH + "," + IN_RACES, id="Fast & Furious"),
    ],
)
def test_nothing_worth_seeing_is_missing_from_what_ghosts_do(edition: str, expected: str) -> None:
    missing = {words.strip() for words in expected.split(",")}
    for seed in range(10_000, 10_150):
        table = Witness(seed)
        play_match(seed, edition, door=table)
        missing -= table.seen
        if not missing:
            break
    assert missing == set()


@pytest.mark.rule("R1")
@pytest.mark.parametrize(
    ("sheet", "size", "numbers", "symbols", "wilds"),
    [
        pytest.param(FAST_AND_FURIOUS, 112, 76, 24, 12, id="Fast & Furious"),
        pytest.param(EXPRESS, 56, 40, 12, 4, id="Express"),
    ],
)
def test_the_ghosts_own_deck_is_the_printed_one(
    sheet: Sheet, size: int, numbers: int, symbols: int, wilds: int
) -> None:
    deck = sheet.deck()
    assert len(deck) == size
    assert sum(card[-1].isdigit() for card in deck) == numbers
    assert (
        sum(card.endswith(("-draw", "-reverse", "-skip")) for card in deck)
        == symbols + (sheet.copies["wild-draw"])
    )
    assert sum(sheet.copies.get(card, 0) for card in ("wild", "wild-draw", "street-race")) == wilds


WORDS_OF_THE_TABLE = {"cards", "commands", "events", "house", "presses", "rulings", "sentences"}
"""What the ghost may share with the referee: names and plain values."""
OF_THE_DOOR = {"apply", "deadlines", "decide", "draft", "edition", "table"}
"""What it takes to have a table at all."""


def test_the_ghost_takes_no_rule_from_the_referee() -> None:
    folder = Path(tests.simulation.ghost.__file__).parent
    for module in set(folder.rglob("*.py")) - set(folder.glob("test_*.py")):
        allowed = WORDS_OF_THE_TABLE | (OF_THE_DOOR if module.name.endswith("door.py") else set())
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            if node.module == "companion.referee":
                assert {name.name for name in node.names} <= allowed, module.name
            elif node.module.startswith("companion.referee."):
                assert node.module.split(".")[-1] in allowed, module.name
