"""Each of these referees has one thing wrong, and the ghost must notice every one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from companion.referee import answers, undoing
from companion.referee import events as e
from companion.referee.commands import Scoring
from companion.referee.evidence.catches import refereed_catches
from companion.referee.evidence.races import finish, races, racing
from companion.referee.evidence.races.finish import judge
from companion.referee.model.edition import EXPRESS, FAST_AND_FURIOUS, Edition, Face
from companion.referee.model.neighbours import next_seat
from companion.referee.model.table import NamedRace
from companion.referee.rules import counting as hands
from companion.referee.rules import dealing, deck, going_out, scoring, seating, turns
from companion.referee.sentences import refuse, say
from companion.referee.settling import settle
from tests.simulation.ghost.door import BareTable
from tests.simulation.ghost.ghost import Disagreement
from tests.simulation.ghost.plays.match import play_match
from tests.simulation.ghost.plays.opening import Plan

real_field, real_span, real_turn_action = racing._field, finish._span, turns._turn_action

MATCHES = 60
"""So many matches at most may pass before a wrong referee is found out."""


def found_out(edition: str, editions: tuple[Edition, ...] | None = None) -> bool:
    """Whether a ghost notices within some matches."""
    for seed in range(20_000, 20_000 + MATCHES):
        table = BareTable(seed) if editions is None else BareTable(seed, editions)
        counting: Scoring = "classic" if seed % 2 else "alternative"
        small = Plan(edition, counting, 2 + seed % 3, "refereed")
        try:
            play_match(seed, edition, plan=small, door=table)
        except Disagreement:
            return True
    return False


def with_face(edition: Edition, name: str, **changes: Any) -> Edition:
    """Print one face of an edition differently."""

    def printed(face: Face) -> Face:
        return replace(face, **changes) if face.name == name else face

    return replace(edition, faces=tuple(printed(face) for face in edition.faces))


def changed(edition: Edition, **changes: Any) -> Edition:
    """Print one number of an edition differently."""
    return replace(edition, **changes)


FF, EX = FAST_AND_FURIOUS, EXPRESS


@pytest.mark.parametrize(
    "misprint",
    [
        pytest.param(with_face(EX, "draw", draws_when_last=True), id="Draw One draws when last"),
        pytest.param(with_face(FF, "draw", draws_when_last=False), id="Draw Two does not"),
        pytest.param(with_face(FF, "draw", draws=1), id="Draw Two draws one"),
        pytest.param(with_face(EX, "wild-draw", draws=4), id="Wild Draw Two draws four"),
        pytest.param(with_face(EX, "wild-draw", draws_when_last=False), id="never when last"),
        pytest.param(changed(FF, innocent_extra=1), id="an innocent challenge costs 5"),
        pytest.param(changed(EX, innocent_extra=4), id="an innocent challenge costs 6 in Express"),
        pytest.param(with_face(EX, "0", points=10), id="a zero is worth 10"),
        pytest.param(with_face(FF, "skip", points=10), id="a Skip is worth 10"),
        pytest.param(with_face(FF, "street-race", points=20), id="a Street Race is worth 20"),
        pytest.param(with_face(EX, "0", copies=2), id="two zeros of each colour"),
        pytest.param(with_face(FF, "wild", copies=3), id="three Wilds"),
        pytest.param(changed(FF, race_draws=2), id="the last hand draws 2"),
        pytest.param(changed(EX, catch_draws=1), id="who is caught draws 1"),
        pytest.param(changed(EX, dealt=7), id="seven cards dealt in Express"),
        pytest.param(changed(FF, target=250), id="Fast & Furious to 250"),
        pytest.param(changed(EX, target=260), id="Express to 260"),
        pytest.param(with_face(FF, "street-race", act="wild"), id="a Street Race is a mere Wild"),
    ],
)
def test_a_misprinted_sheet_is_found_out(misprint: Edition) -> None:
    others = tuple(edition for edition in (FF, EX) if edition.key != misprint.key)
    assert found_out(misprint.key, (misprint, *others))


def direction_stays(draft: Any, seat: int, evidence: Any) -> None:
    draft.rule("R7", "reversed", say("reversed"), evidence=evidence)
    pass_turn(draft, seat)


def pass_turn(draft: Any, seat: int, *_: object) -> None:
    draft.add(e.TurnMoved(next_seat(draft.round, seat)))


def reshuffle_the_top_too(draft: Any, cards: int) -> None:
    round_ = draft.round
    if round_.draw_pile < cards and round_.discard_pile > 1:
        draft.add(e.PileReshuffled())
        fields = ("hands", "turn", "direction", "top", "colour")
        kept = {field: getattr(draft.round, field) for field in fields}
        draft.add(e.RoundCorrected(**kept, draw_pile=draft.round.draw_pile + 1, discard_pile=0))


def symbols_count_their_points(cards: Any, edition: Edition) -> tuple[int, ...]:
    best = max(edition.face(card).points for card in cards.values())
    return tuple(sorted(seat for seat, card in cards.items() if edition.face(card).points == best))


def highest_wins(tallies: Any, present: Any, target: int, *, share: bool) -> tuple[int, ...]:
    here = list(present)
    best = max(tallies[player] for player in here)
    return tuple(player for player in here if tallies[player] == best and best >= target)


def deal_stays(match: Any, seats: Any) -> Any:
    numbers = [seat.number for seat in seats]
    return match.dealer if match.dealer in numbers else numbers[0]


def everybody_at_nothing(match: Any, standing: Any, _: int) -> Any:
    names = [entrant.player for entrant in match.entrants]
    classic = {player: standing.classic.get(player, 0) for player in names}
    alternative = {player: standing.alternative.get(player, 0) for player in names}
    return replace(standing, classic=classic, alternative=alternative)


def certainly_after(one: Any, other: Any, tolerance: int, least_gap: int) -> bool:
    return bool(other[1] + tolerance < one[0])


def lower_seat_is_last(*field: Any) -> Any:
    found = judge(*field)
    return replace(found, last=found.last[:1])


def nobody_is_early(field: Any, slaps: Any, timing: Any) -> Any:
    return judge(field, slaps, timing)


def field_of_bare_hands(*said: Any) -> Any:
    return replace(real_field(*said), handicaps={})


def span_of_bare_press(field: Any, seat: int, press: Any) -> Any:
    return real_span(replace(field, handicaps={}), seat, press)


def raced_all_the_same(draft: Any, seat: int) -> None:
    draft.add(e.RaceNamed(NamedRace(draft.record_number(), draft.now.at, seat, "card")))


def waits_for_the_colour(draft: Any) -> Any:
    if draft.playing.chooser is not None:
        raise refuse("no_colour_open", "R9")
    return real_turn_action(draft)


def every_press_twice(reader: Any, seat: int) -> Any:
    return [(touch, touch) for touch in reader.words.of(seat)]


def nothing(*_: object, **__: object) -> None:
    return None


def always(*_: object, **__: object) -> bool:
    return True


def never(*_: object, **__: object) -> bool:
    return False


def wrong(said: str, module: object, name: str, mistake: object, edition: str = "express") -> Any:
    """Let a referee do one thing differently."""
    return pytest.param(module, name, mistake, edition, id=said)


RACES = "fast-and-furious"


@pytest.mark.parametrize(
    ("module", "name", "mistake", "edition"),
    [
        wrong("a Reverse does not turn the direction", turns, "reverse", direction_stays),
        wrong("a Skip skips nobody", turns, "skip", pass_turn),
        wrong("a wild draw card hits nobody", turns, "hit_with_wild_draw", pass_turn),
        wrong("going out ends only the turn", turns, "end_round", pass_turn),
        wrong("anything goes on anything", turns, "goes_on", always),
        wrong("nothing goes on anything", turns, "goes_on", never),
        wrong("the top card is shuffled in", deck, "reshuffle_when_short", reshuffle_the_top_too),
        wrong("nothing is shuffled in", deck, "reshuffle_when_short", nothing),
        wrong("a turn forgets what is owed", turns, "pay_debts", nothing),
        wrong("hands forget what is owed", hands, "pay_debts", nothing),
        wrong("symbols draw for the deal", dealing, "highest_draw", symbols_count_their_points),
        wrong("the deal never passes on", dealing, "dealer_now", deal_stays),
        wrong("the highest tally wins", scoring, "lowest_wins", highest_wins),
        wrong("nobody ever wins", scoring, "classic_winner", lambda *_: ()),
        wrong("a round is worth nothing", scoring, "classic_points", lambda _: 0),
        wrong("late players start at nothing", scoring, "_with_joiners", everybody_at_nothing),
        wrong("no call is good enough", refereed_catches, "call_stands", never),
        wrong(
            "one press is enough to catch",
            refereed_catches.RefereedCatches,
            "_pairs_of",
            every_press_twice,
        ),
        wrong("a hand may hold any copies", hands, "check_copies", nothing),
        wrong("counted hands are not compared", hands, "_check_count", nothing),
        wrong("seats are taken in mid-round", seating, "_between_rounds", nothing),
        wrong("play waits for the colour", turns, "_turn_action", waits_for_the_colour),
        wrong("undo reads nothing again", undoing, "_settle", nothing, RACES),
        wrong("undo never takes back hands", undoing, "hands_to_take_back", nothing, RACES),
        wrong("answers are not heard", answers, "_take", nothing, RACES),
        wrong("what is judged again stands too", settle, "_take_back", nothing, RACES),
        wrong("the first hand draws", finish, "_certainly_before", certainly_after, RACES),
        wrong("a dead heat is the lower seat's", racing, "judge", lower_seat_is_last, RACES),
        wrong("nobody is too early", racing, "judge_slap_off", nobody_is_early, RACES),
        wrong("no head start counts", racing, "_field", field_of_bare_hands, RACES),
        wrong("a head start is kept off the last", finish, "_span", span_of_bare_press, RACES),
        wrong("a broken button is as good as any", racing, "_unusable", never, RACES),
        wrong("the hands say nothing", races, "may_show", never, RACES),
        wrong("a named race gets no hands", races, "match_races", lambda *_, **__: {}, RACES),
        wrong("slaps are calls as well", races, "used_by", lambda *_: set(), RACES),
        wrong("the card starts no race", turns, "name_race_of_card", nothing, RACES),
        wrong("a last card is raced", going_out, "lay_last_race_card", raced_all_the_same, RACES),
    ],
)
def test_a_referee_with_one_mistake_is_found_out(
    monkeypatch: pytest.MonkeyPatch, module: object, name: str, mistake: object, edition: str
) -> None:
    monkeypatch.setattr(module, name, mistake)
    assert found_out(edition)


def test_a_journal_that_loses_an_event_is_found_out() -> None:
    """What is read back after a restart must be what was there before it."""

    class Forgetful(BareTable):
        def restart(self) -> None:
            del self.journal[-1]
            super().restart()

    with pytest.raises(AssertionError, match="another story"):
        play_until_restarted(Forgetful)


def play_until_restarted(table: Callable[[int], BareTable]) -> None:
    for seed in range(MATCHES):
        play_match(seed, "express", door=table(seed))
