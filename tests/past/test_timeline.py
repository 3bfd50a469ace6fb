"""The story of a match is what the table itself showed: nothing undone, and everybody by name."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import islice

import pytest

from bench.sides.script import refereed_matches
from bench.sides.tables import ServedTable
from companion.demo.playing import seat, set_up
from companion.demo.steps import TimedCommand
from companion.journal.names import read_name_lines, write_name_lines
from companion.journal.notes import write_notes
from companion.journal.opening import JOURNAL
from companion.past.past import Past
from companion.referee import commands as c
from companion.referee.apply.rulings import RULINGS_KEPT
from companion.referee.model.cards import Card
from companion.referee.model.edition import FAST_AND_FURIOUS
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.rulings import Finish
from companion.referee.model.table import Table
from tests.kit.night import ANA, BEN, CLEO, FAST, Night, until


@pytest.fixture
def night(tmp_path):
    with Night(tmp_path, **FAST) as night:
        yield night.deal()


def catch(night: Night, seat_: int, by: int) -> None:
    """Catch somebody, and wait for what comes of it."""
    before = len(shown(night.table))
    night.do(c.Catch(seat_, by))
    until(lambda: len(shown(night.table)) > before)


def rounds(night: Night, match: int = 1):
    story = night.past.story(match)
    assert story is not None
    return story.rounds


def shown(table: Table):
    assert table.game.match is not None
    return [(r.number, r.rule, r.sentence, r.house, r.overruled) for r in table.game.match.rulings]


def told(past: Past, match: int):
    story = past.story(match)
    assert story is not None
    rulings = (ruling for round_ in story.rounds for ruling in round_.rulings)
    found = [(r.number, r.rule, r.sentence, r.house, r.overruled) for r in rulings]
    return sorted(found)[-RULINGS_KEPT:]


def test_a_ruling_is_told_with_those_who_sat_there_then(night):
    catch(night, CLEO, ANA)
    night.do(c.Drawn(night.round.debts[0].number))
    night.score_round(BEN, 30)
    night.do(c.Swap(ANA, CLEO))
    night.do(c.Rename(ANA, "Cleopatra"))
    night.do(c.Deal())
    catch(night, ANA, BEN)
    round_, later = rounds(night)
    first, (second,) = round_.rulings[0], later.rulings
    assert [(s.seat, s.name) for s in first.seats] == [(CLEO, "Cleo")]
    assert [(d.who.name, d.cards) for d in first.draws] == [("Cleo", 2)]
    assert [(s.seat, s.name) for s in second.seats] == [(ANA, "Cleopatra")]
    assert first.seats[0].player == second.seats[0].player
    assert [sitter.name for sitter in round_.players] == ["Ana", "Ben", "Cleo"]
    assert round_.dealer is not None
    assert (round_.dealer.name, round_.score is None, later.score) == ("Ana", False, None)
    assert [sitter.name for sitter in later.players] == ["Cleopatra", "Ben", "Ana"]


def test_what_is_undone_is_told_no_more_and_comes_back_when_done_again(night):
    catch(night, CLEO, ANA)
    whole = rounds(night)
    night.do(c.Undo())
    assert [round_.rulings for round_ in rounds(night)] == [()]
    night.do(c.Redo())
    assert rounds(night) == whole
    night.do(c.Undo())
    night.do(c.Undo())
    assert rounds(night) == ()


def test_an_overruled_ruling_stays_and_says_so(night):
    catch(night, CLEO, ANA)
    number = night.table.game.match.rulings[-1].number
    night.do(c.Overrule(number))
    first, second = rounds(night)[0].rulings
    assert (first.overruled is not None, second.overruled, second.draws) == (True, None, ())
    assert told(night.past, 1) == shown(night.table)


def test_rounds_come_with_their_score_and_a_change_is_told_where_it_was_made(night):
    night.score_round(BEN, 30)
    night.do(c.Deal())
    night.score_round(CLEO, 45)
    night.do(c.EditRound(1, points={1: 31}))
    first, second = rounds(night)
    assert first.score is not None
    assert second.score is not None
    assert (first.score.edited, first.score.hands[1].points) == (True, 31)
    assert [r.sentence.code for r in first.rulings][-1] == "edited"
    assert [r.sentence.code for r in second.rulings][-1] == "scored_classic"
    night.do(c.Undo())
    night.do(c.Undo())
    assert [round_.score is None for round_ in rounds(night)] == [False, True]


def test_the_draw_for_the_deal_belongs_to_the_round_that_follows(tmp_path):
    with Night(tmp_path) as night:
        night.seat_three()
        night.do(c.StartMatch())
        drawn = {ANA: Card("red-9"), BEN: Card("red-3"), CLEO: Card("red-1")}
        night.do(c.DrawForDeal(drawn))
        (round_,) = rounds(night)
        assert (round_.number, round_.dealt, round_.rulings[0].rule) == (1, None, "R2")
        night.do(c.Deal())
        (round_,) = rounds(night)
        assert (round_.dealt is None, round_.rulings[0].rule) == (False, "R2")


def test_every_match_has_its_own_story_also_after_the_seats_changed_between_them(night):
    night.score_round(BEN, 30)
    night.do(c.CloseMatch())
    night.do(c.Stand(CLEO))
    night.do(c.Sit("Dan", CLEO))
    night.do(c.Undo())
    night.do(c.Sit("Eva", CLEO))
    night.do(c.StartMatch())
    night.do(c.ChooseDealer(ANA))
    night.do(c.Deal())
    assert [s.name for s in rounds(night, 1)[0].players] == ["Ana", "Ben", "Cleo"]
    assert [s.name for s in rounds(night, 2)[0].players] == ["Ana", "Ben", "Eva"]
    assert night.past.story(3) is None
    night.reopen()
    assert [s.name for s in rounds(night, 2)[0].players] == ["Ana", "Ben", "Eva"]


def test_a_race_is_told_in_one_line_with_the_number_that_opens_it(night):
    night.slap(CLEO, BEN)
    ruling = rounds(night)[0].rulings[-1]
    assert ruling.race is not None
    assert (ruling.race.how, ruling.race.layer and ruling.race.layer.name) == ("tablet", "Ana")
    assert [s.name for s in ruling.race.order] == ["Cleo", "Ben"]
    assert [s.name for s in ruling.race.last] == ["Ben"]
    assert (ruling.race.margin, ruling.race.stands) == (30_000_000, True)
    match = night.table.game.match
    assert match is not None
    kept = match.rulings[-1]
    assert (kept.number, kept.outcome) == (ruling.number, ruling.outcome)
    assert isinstance(kept.evidence, Finish)


def test_a_race_that_is_judged_again_is_told_twice_and_one_of_them_stands(night):
    night.slap(CLEO, BEN)
    night.do(c.ChangeLayer(BEN))
    until(lambda: night.race.ruling is not None)
    told_ = [ruling for ruling in rounds(night)[0].rulings if ruling.race is not None]
    first, second = told_
    assert (first.overruled is not None, second.overruled) == (True, None)
    assert [one.race.stands for one in told_] == [False, True]
    assert first.race.of == second.race.of
    night.do(c.CancelRace())
    assert not any(r.race.stands for r in rounds(night)[0].rulings if r.race is not None)


def test_a_tie_and_its_slap_off_belong_together(night):
    night.slap(CLEO, BEN, apart=0)
    night.do(c.SlapOff())
    light = night.race.slap_off.light_at
    until(lambda: night.worker.now() > light + 130 * MILLISECOND)
    lit = light - night.worker.clock.offset
    night.press(CLEO, lit + 100 * MILLISECOND)
    night.press(BEN, lit + 130 * MILLISECOND)
    until(lambda: night.race.state == "ruled")
    tie, off = (ruling.race for ruling in rounds(night)[0].rulings)
    assert (tie.how, off.how, tie.of) == ("tablet", "slap_off", off.of)
    assert (tie.stands, off.stands) == (False, True)


def test_a_journal_that_was_written_anew_is_read_anew(night, tmp_path):
    """As when somebody is forgotten for good."""
    catch(night, CLEO, ANA)
    assert rounds(night)[0].rulings[0].seats[0].name == "Cleo"
    past = night.past
    night.close()
    with closing(sqlite3.connect(tmp_path / JOURNAL)) as journal, journal:
        lines = [
            (version, player, name.replace("Cleo", "Somebody"))
            for version, player, name in read_name_lines(journal)
        ]
        write_name_lines(journal, lines)
        write_notes(journal, {"forgotten": "1 today"})
    story = past.story(1)
    assert story is not None
    assert story.rounds[0].rulings[0].seats[0].name == "Somebody"


def test_through_refereed_matches_the_story_stays_what_the_table_shows(tmp_path):
    with closing(ServedTable(tmp_path)) as table:
        seat(table, 4)
        set_up(table, FAST_AND_FURIOUS, "refereed")
        past = Past(tmp_path / JOURNAL)
        start = table.now
        for number, step in enumerate(islice(refereed_matches(seed=7), 240)):
            table.carry_out(step.begun_at(start))
            match = table.table.game.match
            if number % 12 or match is None or table.table.past is None:
                continue
            table.carry_out(TimedCommand(table.now, c.Undo()))
            if table.table.game.match is not None:
                assert told(past, match.number) == shown(table.table)
            table.carry_out(TimedCommand(table.now + SECOND // 1000, c.Redo()))
            assert told(past, match.number) == shown(table.table)
            start += SECOND // 1000
        assert table.table.game.match is not None
        assert table.table.game.match.serial > 20
