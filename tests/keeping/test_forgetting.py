"""A match or a name goes for good, and nothing else changes."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from companion.journal.bodies import unpack
from companion.journal.chain import read_receipt, read_rows
from companion.journal.damage.verify import verify
from companion.journal.file import JournalError, create, put_in_place, reader
from companion.journal.journal import Journal
from companion.journal.names import read_names
from companion.journal.notes import read_note
from companion.keeping import backups
from companion.keeping.forgetting import forgetting as forgetting_module
from companion.keeping.forgetting.forgetting import Forgetting
from companion.keeping.forgetting.plan import ForgetWish
from companion.keeping.restore import restore
from companion.past.records import MatchRecord
from companion.referee import commands as c
from companion.referee.model.table import Step, names_at
from companion.referee.sentences import Refusal, Sentence, spoken
from tests.kit.night import ANA, BEN, CLEO, FAST, Night, highlights, until

GUEST = 4
NAME = "Zerlinde"


def play(night: Night, *, guest: bool = False) -> None:
    """Play a match with a race, a catch, a step back and a scored round, and close it."""
    night.do(c.StartMatch())
    night.do(c.ChooseDealer(ANA))
    night.do(c.Deal())
    night.do(c.DeclareRace(BEN))
    for seat in (CLEO, GUEST, ANA) if guest else (CLEO, ANA):
        night.tap(seat)
    until(lambda: night.race.ruling is not None)
    if night.race.state == "undecided":
        night.do(c.PickLast((ANA,)))
    if guest:
        be_asked(night)
    night.do(c.Catch(GUEST if guest else CLEO, ANA))
    night.do(c.Undo())
    night.do(c.Redo())
    night.score_guest() if guest else night.score_round()  # type: ignore[attr-defined]
    night.do(c.CloseMatch())


def be_asked(night: Night) -> None:
    """Let the table ask about the guest, and take back what the guest's hand has done."""
    night.clock.put_forward(12_000)
    for seat in (ANA, CLEO):
        night.tap(seat)
    until(lambda: night.round.questions)
    (question,) = night.round.questions
    names = names_at(night.table)
    assert NAME in {spoken(choice.sentence, names).text for choice in question.choices}
    night.do(c.Answer(question.number, "none"))
    night.clock.put_forward(12_000)
    night.tap(GUEST)
    until(lambda: GUEST in night.round.calls.called)
    night.do(c.Undo())
    assert GUEST not in night.round.calls.called


QUICK: dict[str, Any] = {"timing": {**FAST["timing"], "layer_wait_ms": 50}}


class Evening(Night):
    """Three matches: a guest plays the second one alone; the third is still on."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, **QUICK)

    def score_guest(self) -> None:
        self.do(c.GoOut(BEN))
        for seat in (ANA, CLEO, GUEST):
            self.do(c.EnterPoints(seat, 10 * seat))
        self.do(c.ScoreRound())

    def whole(self) -> Evening:
        self.seat_three()
        play(self)
        backups.make(self.folder, "asked")
        self.first_sit = self.do(c.Sit(NAME, GUEST, GUEST), again="sitting-down-1").version
        play(self, guest=True)
        self.do(c.Rename(GUEST, "Zerli"))
        self.do(c.Rename(GUEST, NAME))
        self.do(c.Stand(GUEST))
        backups.make(self.folder, "asked")
        self.do(c.StartMatch())
        self.do(c.ChooseDealer(BEN))
        self.do(c.Deal())
        return self

    @property
    def forgetting(self) -> Forgetting:
        assert self.running is not None
        return self.running.forgetting

    def forget(self, **wish: object) -> None:
        self.forgetting.forget(ForgetWish(**wish))  # type: ignore[arg-type]

    def forget_while(self, meanwhile: Callable[[], object], **wish: object) -> None:
        """Let something happen after the copies have forgotten, and before the journal does."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(forgetting_module, "scrub_logs", lambda *_: meanwhile())
            self.forget(**wish)

    def forgetting_refused(self, **wish: object) -> str:
        with pytest.raises(Refusal) as refusal:
            self.forget(**wish)
        return refusal.value.sentence.code


@contextmanager
def evening_at(folder: Path) -> Iterator[Evening]:
    """An evening at which nobody has sat down yet."""
    evening = Evening(folder)
    with evening:
        yield evening


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    evening = Evening(tmp_path)
    evening.open()
    evening.whole()
    return evening


def files_with(folder: Path, *words: bytes) -> set[str]:
    """Name every file that holds one of these bytes, whatever kind of file it is."""
    found = [file for file in folder.rglob("*") if file.is_file()]
    return {file.name for file in found if any(word in file.read_bytes() for word in words)}


def labels(step: Step | None) -> list[Sentence]:
    """What could be taken back, newest first."""
    return [] if step is None else [step.label, *labels(step.below)]


def unnamed(records: tuple[MatchRecord, ...]) -> list[object]:
    return [
        (r.number, r.started, r.ended, r.sheet.rounds, r.sheet.winners, len(r.sheet.players))
        for r in records
    ]


def test_a_forgotten_name_is_in_no_file_and_everything_else_is_as_it_was(evening: Evening) -> None:
    with evening:
        matches, moments = evening.past.matches(), highlights(evening.past)
        version, seats = evening.table.version, evening.table.game.seats
        assert files_with(evening.folder, NAME.encode(), b"Zerli") != set()
        evening.forget(name="Zerli")
        evening.forget(name=f"  {NAME.upper()} ")
        assert files_with(evening.folder, NAME.encode(), b"Zerli") == set()
        assert unnamed(evening.past.matches()) == unnamed(matches)
        assert highlights(evening.past) == moments
        assert (evening.table.version, evening.table.game.seats) == (version, seats)
        guest = evening.past.match(2).sheet.players[-1]  # type: ignore[union-attr]
        assert guest.name == "Player 4", "whichever name she had, she was always the fourth"
        evening.do(c.GoOut(BEN))
        table = evening.table
    assert files_with(evening.folder, NAME.encode(), b"Zerli") == set()
    assert verify(evening.folder).problems == ()
    with evening.reopen():
        assert evening.worker.status().damage is None
        assert evening.table.game == table.game


def test_a_forgotten_match_goes_with_the_guest_who_played_no_other(evening: Evening) -> None:
    with evening:
        first, third = evening.past.match(1), evening.past.match(3)
        moments, table = highlights(evening.past), evening.table
        evening.forget(match=2)
        assert files_with(evening.folder, NAME.encode(), b"Zerli") == set()
        assert evening.past.matches() == (third, first)
        assert highlights(evening.past) == {1: moments[1], 3: moments[3]}
        assert evening.table.game == table.game
        assert labels(evening.table.past) == labels(table.past)[:-1], "all but its start"
        assert evening.table.version == table.version
        evening.do(c.CloseMatch())
        evening.do(c.StartMatch())
        assert evening.table.game.match is not None
        assert evening.table.game.match.number == 4
    assert verify(evening.folder).problems == ()
    with evening.reopen():
        assert evening.worker.status().damage is None
        assert [record.number for record in evening.past.matches()] == [4, 3, 1]
        assert evening.table.forgotten == (2,)


def test_all_that_is_left_of_a_match_is_an_empty_place(evening: Evening) -> None:
    with evening, closing(reader(evening.journal)) as connection:
        before = {row.version: row for row in read_rows(connection)}
    evening.reopen()
    with evening:
        evening.forget(match=2)
    with closing(reader(evening.journal)) as connection:
        after = {row.version: row for row in read_rows(connection)}
        note = read_note(connection, "forgotten")
    assert note is not None
    assert note.startswith("1 20")
    assert "2" not in note.split()[0]
    gone = [v for v, row in after.items() if row.kind == "forgotten"]
    assert all(unpack(after[v].body) == b"{}" for v in gone)
    assert len(gone) > 20
    assert len({(after[v].at, after[v].wall) for v in gone[1:]}) == 1, "not even when it happened"
    kept = [v for v in before if v not in gone[:1] and before[v].kind == after[v].kind]
    assert all(before[v].at == after[v].at for v in kept)
    assert all(before[v].hash == after[v].hash for v in before), "the chain is as it was"


def test_matches_are_forgotten_one_after_the_other_in_any_order(evening: Evening) -> None:
    with evening:
        evening.do(c.CloseMatch())
        for number in (3, 1, 2):
            evening.forget(match=number)
        assert evening.past.matches() == ()
        assert evening.refused(c.Undo()) == "nothing_to_undo"
        assert [seat.name for seat in evening.table.game.seats] == ["Ana", "Ben", "Cleo"]
        evening.do(c.StartMatch())
    assert verify(evening.folder).problems == ()
    with evening.reopen():
        assert evening.worker.status().damage is None
        assert [record.number for record in evening.past.matches()] == [4]


def test_a_tap_of_long_ago_that_comes_again_still_counts_once(evening: Evening) -> None:
    with evening:
        evening.forget(match=2)
        seats = evening.table.game.seats
        again = evening.do(c.Sit(NAME, GUEST, GUEST), again="sitting-down-1")
        assert again.version == evening.first_sit
        assert evening.table.game.seats == seats
    with closing(reader(evening.journal)) as connection:
        receipt = read_receipt(connection, "sitting-down-1")
    assert receipt is not None
    assert receipt.digest == b"", "a digest could be guessed at with names"


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        pytest.param({"match": 3}, "forget_running", id="a match that is on"),
        pytest.param({"match": 9}, "forget_no_match", id="a match that never was"),
        pytest.param({"name": "Nobody"}, "forget_no_name", id="a name that nobody had"),
        pytest.param({"name": "aNA"}, "forget_seated", id="somebody who sits there"),
        pytest.param({"name": "Player 7"}, "forget_stand_in", id="a number"),
    ],
)
def test_what_cannot_be_forgotten(evening: Evening, wish: dict[str, object], code: str) -> None:
    with evening:
        before = evening.journal.stat().st_ino
        assert evening.forgetting_refused(**wish) == code
        assert evening.journal.stat().st_ino == before


def test_the_second_time_there_is_nothing_to_forget(evening: Evening) -> None:
    with evening:
        evening.forget(match=1)
        evening.forget(name=NAME)
        assert evening.forgetting_refused(match=1) == "forget_no_match"
        assert evening.forgetting_refused(name=NAME) == "forget_no_name"


def test_what_happens_meanwhile_is_kept(evening: Evening) -> None:
    """Between the copies and the journal itself the table goes on."""
    with evening:
        added: list[int] = []

        def meanwhile() -> None:
            added.append(evening.do(c.Rename(BEN, "Benno")).version)
            evening.tap(ANA)
            evening.settle()

        evening.forget_while(meanwhile, match=2)
        assert evening.table.version > added[0]
        assert len(evening.pressed_at(ANA)) == 1
        assert evening.table.game.seats[1].name == "Benno"
        for _ in ("the press", "the name"):
            evening.do(c.Undo())
        assert evening.table.game.seats[1].name == "Ben"
    assert verify(evening.folder).problems == ()


def test_presses_and_taps_go_on_all_the_while(evening: Evening) -> None:
    with evening:
        stop = threading.Event()
        told: list[int] = []

        def tap_on() -> None:
            while not stop.is_set():
                told.append(evening.do(c.Rename(BEN, f"Ben {len(told)}")).version)

        taps = threading.Thread(target=tap_on)
        taps.start()
        evening.forget(match=2)
        stop.set()
        taps.join()
        assert evening.past.match(2) is None
        assert told == sorted(set(told))
        assert evening.table.version == told[-1]
    assert verify(evening.folder).problems == ()


@pytest.mark.parametrize(
    ("wish", "do"),
    [
        pytest.param({"name": NAME}, [c.Stand(CLEO), c.Sit(NAME.upper())], id="they sit down"),
        pytest.param({"match": 3}, [c.Undo()], id="the match is taken up again"),
        pytest.param({"name": "Cleo"}, [c.Undo()], id="that they left is taken back"),
    ],
)
def test_who_comes_back_meanwhile_is_not_forgotten(
    evening: Evening, wish: dict[str, object], do: list[c.Command]
) -> None:
    with evening:
        evening.do(c.CloseMatch())
        if wish.get("name") == "Cleo":
            evening.do(c.Stand(CLEO))
        before = evening.past.matches()

        def meanwhile() -> None:
            for command in do:
                evening.do(command)

        with pytest.raises(Refusal) as refusal:
            evening.forget_while(meanwhile, **wish)
        assert refusal.value.sentence.code == "forget_moved"
        assert [one.number for one in evening.past.matches()] == [one.number for one in before]
        assert list(evening.folder.glob("*.new*")) == []
        evening.do(c.Rename(ANA, "Anna"))
    assert verify(evening.folder).problems == ()


def test_people_who_share_a_part_of_the_name_keep_theirs(tmp_path: Path) -> None:
    """A name may also be the word of a rule, a colour, or a piece of somebody else's."""
    names = ("red", "Jo", "Jo, red", "Joachim", "name")
    with Night(tmp_path) as night:
        for name in names:
            night.do(c.Sit(name))
        night.do(c.SetUp(way="refereed"))
        night.do(c.StartMatch())
        night.do(c.ChooseDealer(5))
        night.do(c.Deal())
        night.do(c.TurnUp("red-5"))  # type: ignore[arg-type]
        night.do(c.Play("red-skip"))  # type: ignore[arg-type]
        night.do(c.CloseMatch())
        for seat in (1, 2, 5):
            night.do(c.Stand(seat))
        assert night.running is not None
        for name in ("red", "Jo", "name"):
            night.running.forgetting.forget(ForgetWish(name=name))
        [record] = night.past.matches()
        kept = [player.name for player in record.sheet.players]
        assert kept == ["Player 1", "Player 2", "Jo, red", "Joachim", "Player 5"]
        story = night.past.story(1)
        assert "red" in str(story), "the card is still red"
        with closing(reader(night.journal)) as connection:
            assert set(read_names(connection).values()) == set(kept)
    assert verify(tmp_path).problems == ()


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        pytest.param("Jose\u0301", "jos\u00e9", id="an accent in two pieces, asked for in one"),
        pytest.param("Jos\u00e9", "JOSE\u0301", id="an accent in one piece, asked for in two"),
        pytest.param("Stra\u00dfe", "STRASSE", id="a letter that grows when it is large"),
        pytest.param("\u039f\u03b4\u03c5\u03c3\u03c3\u03ad\u03b1\u03c2", None, id="Greek"),
        pytest.param("\U0001f98a \u05e9\u05e8\u05d4", None, id="a fox and Hebrew"),
        pytest.param("\"><b>O'Hara\\n", None, id="quotes, markup and a stroke"),
        pytest.param("{name}", None, id="what a sentence is made of"),
    ],
)
def test_a_name_goes_however_it_is_written(tmp_path: Path, name: str, typed: str | None) -> None:
    with evening_at(tmp_path) as evening:
        evening.deal()
        evening.score_round()
        evening.do(c.Sit(name, GUEST, GUEST))
        evening.do(c.Deal())
        evening.score_guest()
        evening.do(c.Stand(GUEST))
        backups.make(tmp_path, "asked")
        spellings = (name.encode(), msgspec.json.encode(name)[1:-1])
        assert files_with(tmp_path, *spellings) != set()
        evening.forget(name=typed or name)
        assert files_with(tmp_path, *spellings) == set()
        assert "Player 4" in str(evening.past.match(1))
    assert verify(tmp_path).problems == ()


def test_the_next_guest_is_not_taken_for_who_was_forgotten(tmp_path: Path) -> None:
    """Everyone sat down by pressing a button, was a number first, and said a name later."""
    with evening_at(tmp_path) as evening:
        for seat, name in enumerate(("Ana", "Ben", "Cleo", NAME), 1):
            evening.do(c.Sit(button=seat))
            evening.do(c.Rename(seat, name))
        evening.do(c.StartMatch())
        evening.do(c.ChooseDealer(ANA))
        evening.do(c.Deal())
        evening.score_guest()
        evening.do(c.Stand(GUEST))
        evening.forget(name=NAME)
        evening.do(c.Sit(button=GUEST))
        match = evening.table.game.match
        assert match is not None
        called = [(entrant.player, entrant.name) for entrant in match.entrants]
        assert called[3:] == [(4, "Player 4"), (5, "Player 5")]
    assert verify(tmp_path).problems == ()


def test_a_short_name_is_forgotten_while_the_table_goes_on(tmp_path: Path) -> None:
    """Nearly every event has an "e" in it somewhere; that alone brings nobody back."""
    with evening_at(tmp_path) as evening:
        evening.seat_three()
        evening.do(c.Sit("E", GUEST))
        evening.do(c.Stand(GUEST))

        def meanwhile() -> None:
            evening.do(c.Rename(BEN, "Benedetto"))

        evening.forget_while(meanwhile, name="e")
        assert [seat.name for seat in evening.table.game.seats] == ["Ana", "Benedetto", "Cleo"]
    assert verify(tmp_path).problems == ()


def test_a_log_forgets_a_name_in_every_way_in_which_it_was_written(tmp_path: Path) -> None:
    name = "Zo\u00eb O'Hara"
    with evening_at(tmp_path) as evening:
        evening.seat_three()
        evening.do(c.Sit(name, GUEST))
        evening.do(c.Stand(GUEST))
        lines = (repr(c.Sit(name)), repr(c.Sit(name.upper())), ascii(name), quote(name), name)
        (tmp_path / "companion.log").write_text("\n".join((*lines, "all is well")))
        evening.forget(name=name)
        log = (tmp_path / "companion.log").read_text()
    assert "hara" not in log.casefold()
    assert log.count("Player 4") == len(lines)
    assert log.endswith("\nall is well")


def test_a_disk_that_refuses_leaves_the_old_journal_and_the_table_goes_on(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise JournalError("the disk is full")

    with evening:
        monkeypatch.setattr(Journal, "transact", refuse)
        assert evening.forgetting_refused(match=2) == "forget_not_saved"
        monkeypatch.undo()
        evening.do(c.Rename(ANA, "Anna"))
        assert evening.past.match(2) is not None
        assert evening.worker.status().storage == "ok"
        evening.forget(match=2)
    assert verify(evening.folder).problems == ()


def test_a_damaged_journal_is_refused_and_stays_as_it_is(evening: Evening) -> None:
    evening.close()
    content = bytearray(evening.journal.read_bytes())
    with closing(reader(evening.journal)) as connection:
        begun = list(read_rows(connection, kinds={"round_dealt"}))
    for damaged in (begun[0].body, NAME.encode()):
        at = content.index(damaged) + 5
        content[at] ^= 1
    evening.journal.write_bytes(content)
    for wish in (ForgetWish(match=1), ForgetWish(name=NAME)):
        with pytest.raises(Refusal) as refusal:
            Forgetting(evening.folder).forget(wish)
        assert refusal.value.sentence.code == "forget_damaged"
    assert evening.journal.read_bytes() == content


def test_every_backup_forgets_too_and_can_be_restored(evening: Evening, tmp_path: Path) -> None:
    with evening:
        outcome = evening.forgetting.forget(ForgetWish(match=2))
    second, first = (one.path for one in backups.listed(evening.folder))
    assert outcome.backups == (second.name,)
    assert backups.contents(first).matches == backups.contents(second).matches == 1
    other = tmp_path / "other"
    restore(other, second)
    assert verify(other).problems == ()
    with Night(other) as night:
        assert [record.number for record in night.past.matches()] == [1]
        night.do(c.StartMatch())
        assert night.table.game.matches == 3


def test_copies_that_cannot_be_rewritten_are_named_and_removed_only_when_asked(
    evening: Evening,
) -> None:
    with evening:
        later, damaged = (one.path for one in backups.listed(evening.folder))
        content = later.read_bytes()
        damaged.write_bytes(content.replace(b"Ben", b"Bex"))
        with closing(sqlite3.connect(later)) as connection:
            connection.execute("PRAGMA user_version = 99")
            connection.execute("UPDATE head SET format = 99")
            connection.commit()
        aside = evening.folder / "journal-damaged-1.db"
        shutil.copyfile(evening.journal, aside)
        (evening.folder / "journal.db.new").write_bytes(NAME.encode())
        (evening.folder / "companion.log").write_text(f"Sit(name='{NAME}')\nall is well\n")
        told = evening.forgetting.prospect(ForgetWish(name=NAME))
        outcome = evening.forgetting.forget(ForgetWish(name=NAME))
        why = {one.file: one.why for one in outcome.left}
        assert why == {later.name: "too_new", damaged.name: "damaged", aside.name: "damaged"}
        assert {one.file for one in told.left} >= {later.name, aside.name}
        assert files_with(evening.folder, NAME.encode()) <= set(why)
        log = (evening.folder / "companion.log").read_text()
        assert log == "Sit(name='Player 4')\nall is well\n"
        outcome = evening.forgetting.forget(ForgetWish(match=1), remove=True)
        assert set(outcome.removed) == set(why)
        assert outcome.left == ()
        assert backups.listed(evening.folder) == []
        assert files_with(evening.folder, NAME.encode()) == set()


def test_a_backup_from_the_middle_of_the_match_forgets_what_it_has_of_it(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    with evening:
        evening.deal()
        backup = backups.make(tmp_path, "asked")
        evening.score_round()
        evening.do(c.CloseMatch())
        evening.forget(match=1)
    assert backups.contents(backup).matches == 0
    other = tmp_path / "other"
    restore(other, backup)
    with Night(other) as night:
        assert [seat.name for seat in night.table.game.seats] == ["Ana", "Ben", "Cleo"]
        assert night.table.game.match is None


def test_an_empty_journal_has_nothing_to_forget(tmp_path: Path) -> None:
    put_in_place(create(tmp_path / "journal.db"), tmp_path / "journal.db")
    with pytest.raises(Refusal) as refusal:
        Forgetting(tmp_path).forget(ForgetWish(match=1))
    assert refusal.value.sentence.code == "forget_no_match"


def test_a_forgotten_match_takes_along_the_start_of_the_next_that_was_taken_back(
    evening: Evening,
) -> None:
    """The guest comes back, sits down and leaves once more before the third match really starts."""
    with evening:
        for _ in range(3):
            evening.do(c.Undo())
        assert evening.table.game.match is None
        evening.do(c.Sit(NAME, GUEST))
        evening.do(c.Stand(GUEST))
        evening.do(c.StartMatch())
        third = evening.past.match(3)
        game = evening.table.game
        evening.forget(match=2)
        assert files_with(evening.folder, NAME.encode(), b"Zerli") == set()
        assert [record.number for record in evening.past.matches()] == [3, 1]
        assert evening.past.match(3) == third
        assert evening.table.game == game
    assert verify(evening.folder).problems == ()
