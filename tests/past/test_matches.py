"""The list of matches says what the journal says, through undo, edits, rematches and restarts."""

from __future__ import annotations

from companion.journal.damage.verify import verify
from companion.referee import commands as c
from tests.kit.night import ANA, BEN, CLEO, Night, full_disk, highlights


def totals(night: Night, number: int = 1) -> dict[str, int]:
    record = night.past.match(number)
    assert record is not None
    return {player.name: player.classic for player in record.sheet.players}


def test_a_match_is_listed_from_its_start(night: Night) -> None:
    night.seat_three()
    assert night.past.matches() == ()
    night.do(c.StartMatch())
    (record,) = night.past.matches()
    assert (record.number, record.ended) == (1, None)
    assert record.started.endswith("Z")
    assert [player.name for player in record.sheet.players] == ["Ana", "Ben", "Cleo"]
    assert record.sheet.rounds == ()


def test_each_scored_round_adds_a_line_with_both_totals(night: Night) -> None:
    night.deal().score_round(BEN, 30)
    night.do(c.Deal())
    night.score_round(CLEO, 5)
    record = night.past.match(1)
    assert record is not None
    one, two = record.sheet.rounds
    assert (one.classic, one.alternative) == ({1: 0, 2: 60, 3: 0}, {1: 30, 2: 0, 3: 30})
    assert (two.classic, two.alternative) == ({1: 0, 2: 60, 3: 10}, {1: 35, 2: 5, 3: 30})


def test_undo_takes_the_round_off_the_list_again(night: Night) -> None:
    night.deal().score_round(BEN, 30)
    assert totals(night)["Ben"] == 60
    night.do(c.Undo())
    assert totals(night)["Ben"] == 0
    night.do(c.Redo())
    assert totals(night)["Ben"] == 60


def test_an_edited_round_changes_the_list(night: Night) -> None:
    night.deal().score_round(BEN, 30)
    night.do(c.EditRound(1, points={1: 10}))
    assert totals(night)["Ben"] == 40
    record = night.past.match(1)
    assert record is not None
    assert record.sheet.rounds[0].edited


def test_a_closed_match_has_an_end_and_loses_it_when_that_is_undone(night: Night) -> None:
    night.deal().score_round()
    started = night.past.matches()[0].started
    night.do(c.CloseMatch())
    assert night.past.matches()[0].ended is not None
    night.do(c.Undo())
    assert night.past.matches()[0].ended is None
    assert night.past.matches()[0].started == started


def test_a_rematch_ends_one_match_and_starts_the_next(night: Night) -> None:
    night.deal().score_round(BEN, 400)
    night.do(c.Rematch())
    new, old = night.past.matches()
    assert (new.number, new.ended, new.sheet.rounds) == (2, None, ())
    assert (old.number, old.sheet.winners) == (1, (2,))
    assert old.ended is not None


def test_a_new_name_is_on_the_list(night: Night) -> None:
    night.deal().score_round()
    night.do(c.Rename(ANA, "Anna"))
    assert set(totals(night)) == {"Anna", "Ben", "Cleo"}


def test_what_could_not_be_saved_is_not_on_the_list(night: Night) -> None:
    night.deal()
    night.do(c.GoOut(BEN))
    night.do(c.EnterPoints(ANA, 30))
    night.do(c.EnterPoints(CLEO, 30))
    with full_disk(night.journal):
        assert night.refused(c.ScoreRound()) == "not_saved"
        assert totals(night)["Ben"] == 0
    night.do(c.ScoreRound())
    assert totals(night)["Ben"] == 60
    assert verify(night.folder).problems == ()


def test_there_is_no_match_of_another_number(night: Night) -> None:
    for number in (7, 0, -1, 2**63, 10**30):
        assert night.past.match(number) is None
        assert night.past.story(number) is None


def test_a_start_that_was_taken_back_is_on_no_list(night: Night) -> None:
    night.seat_three()
    night.do(c.StartMatch())
    night.do(c.Undo())
    assert night.past.matches() == ()
    assert night.past.story(1) is None
    assert highlights(night.past) == {}
    assert verify(night.folder).problems == ()
    night.do(c.Redo())
    (record,) = night.past.matches()
    assert (record.number, record.ended) == (1, None)
    assert night.past.story(1) is not None


def test_what_was_mended_after_a_rematch_was_taken_back_belongs_to_the_old_match(
    night: Night,
) -> None:
    night.deal().score_round(BEN, 400)
    night.do(c.Rematch())
    night.do(c.ChooseDealer(ANA))
    night.do(c.Deal())
    for _ in range(3):
        night.do(c.Undo())
    (record,) = night.past.matches()
    assert (record.number, record.ended) == (1, None)
    night.do(c.EditRound(1, points={1: 10}))
    assert totals(night)["Ben"] == 410
    story = night.past.story(1)
    assert story is not None
    assert "edited" in [ruling.outcome for ruling in story.rounds[0].rulings]
    night.do(c.Rematch())
    night.do(c.ChooseDealer(ANA))
    night.do(c.Deal())
    night.score_round(CLEO, 7)
    for once_more in range(2):
        assert [record.number for record in night.past.matches()] == [2, 1]
        assert (totals(night)["Ben"], totals(night, 2)["Cleo"]) == (410, 14)
        first, second = night.past.story(1), night.past.story(2)
        assert first is not None
        assert second is not None
        assert (len(first.rounds), len(second.rounds)) == (1, 1)
        assert set(highlights(night.past)) == {1, 2}
        assert verify(night.folder).problems == ()
        if not once_more:
            night.reopen()
