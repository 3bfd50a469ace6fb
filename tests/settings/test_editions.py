"""A further deck is one file; every mistake in it is named, and it can be played."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.edition import EXPRESS, FAST_AND_FURIOUS, PRINTED, Edition
from companion.settings.edition_file import BadEditions, load_editions, read_edition
from tests.kit.night import ANA, BEN, CLEO, Night

DOCS = Path(__file__).parents[2] / "docs" / "editions.md"
BLOCKS = re.findall(r"```(?:toml)?\n(.*?)```", DOCS.read_text(), re.DOTALL)
CLASSIC, COMPLAINT = BLOCKS[0], BLOCKS[1]


def put(folder: Path, text: str, name: str = "classic-108.toml") -> None:
    (folder / "editions").mkdir(exist_ok=True)
    (folder / "editions" / name).write_text(text)


def mistakes_in(folder: Path) -> list[str]:
    with pytest.raises(BadEditions) as bad:
        load_editions(folder)
    return [mistake.partition(": ")[2] for mistake in bad.value.mistakes]


def test_without_files_there_are_the_two_printed_editions(tmp_path: Path) -> None:
    assert load_editions(tmp_path) == PRINTED


def test_the_deck_of_the_documentation_has_108_cards(tmp_path: Path) -> None:
    put(tmp_path, CLASSIC)
    *printed, classic = load_editions(tmp_path)
    assert tuple(printed) == PRINTED
    assert (classic.key, classic.name, classic.size) == ("classic-108", "Classic", 108)
    assert (classic.dealt, classic.target, classic.race_card) == (7, 500, None)
    assert classic.face(Card("red-draw")).title == "Draw Two"
    assert classic.face(Card("wild-draw")).title == "Wild Draw Four"
    assert classic.deck[Card("blue-0")] == 1
    assert classic.deck[Card("blue-9")] == 2


def test_the_deck_of_the_documentation_can_be_played(tmp_path: Path) -> None:
    put(tmp_path, CLASSIC)
    with Night(tmp_path) as night:
        night.seat_three()
        night.do(c.SetUp(edition="classic-108", way="refereed"))
        night.do(c.StartMatch())
        night.do(c.ChooseDealer(ANA))
        night.do(c.Deal())
        assert night.round.draw_pile == 108 - 3 * 7
        night.do(c.TurnUp(Card("red-5")))
        night.do(c.Play(Card("red-draw")))
        assert [(debt.seat, debt.cards) for debt in night.round.debts] == [(CLEO, 2)]
        assert night.refused(c.DeclareRace(BEN)) == "no_race_card"
        assert night.refused(c.Play(Card("street-race"), ANA)) == "no_race_card"
        night.reopen()
        assert night.round.top == "red-draw"


def test_a_match_goes_on_although_its_edition_is_gone(tmp_path: Path) -> None:
    put(tmp_path, CLASSIC)
    with Night(tmp_path) as night:
        night.seat_three()
        night.do(c.SetUp(edition="classic-108"))
        night.do(c.StartMatch())
        night.close()
        (tmp_path / "editions" / "classic-108.toml").unlink()
        night.open()
        night.do(c.ChooseDealer(ANA))
        night.do(c.Deal())
        night.score_round()
        assert night.past.matches()[0].sheet.edition_name == "Classic"


def as_toml(edition: Edition) -> str:
    """Write an edition down the way a person would."""
    lines = [
        f'name = "{edition.name}"',
        f"dealt = {edition.dealt}",
        f"target = {edition.target}",
        "[numbers]",
        *(f'"{face.name}" = {face.copies}' for face in edition.faces if face.act == "number"),
    ]
    for face in edition.faces:
        if face.act != "number":
            group = "wilds" if face.wild else "symbols"
            lines += [
                f"[{group}.{face.name}]",
                f"copies = {face.copies}",
                f"points = {face.points}",
            ]
            if face.draws:
                lines += [f"draws = {face.draws}"]
                lines += [f"draws_when_last = {str(face.draws_when_last).lower()}"]
    return "\n".join(lines)


@pytest.mark.parametrize("printed", [FAST_AND_FURIOUS, EXPRESS], ids=lambda edition: edition.key)
def test_a_printed_edition_written_as_a_file_is_the_same_edition(printed: Edition) -> None:
    mistakes: list[str] = []
    read = read_edition(f"my-{printed.key}", tomllib.loads(as_toml(printed)), mistakes)
    assert mistakes == []
    assert read is not None
    assert read.faces == printed.faces
    assert read.deck == printed.deck


def test_every_mistake_of_every_file_is_named(tmp_path: Path) -> None:
    put(
        tmp_path,
        CLASSIC.replace("dealt = 7", "deal = 7").replace(
            "[symbols.skip]\ncopies = 2", '[symbols.skip]\ncopies = "two"'
        ),
    )
    put(tmp_path, "name = 5\n", "other.toml")
    with pytest.raises(BadEditions) as bad:
        load_editions(tmp_path)
    told = bad.value.mistakes
    documented = [line.removeprefix("  - ") for line in COMPLAINT.splitlines()[1:]]
    assert set(documented) <= set(told)
    assert "editions/other.toml: name is a text of 1 to 40 characters, not 5." in told
    assert "editions/other.toml: target is missing." in told
    assert any("[numbers]" in mistake for mistake in told)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        pytest.param(("dealt = 7", "dealt = 0"), "dealt is a whole number from 1", id="no deal"),
        pytest.param(('"1-9" = 2', '"9-1" = 2'), "is no number", id="a span backwards"),
        pytest.param(('"1-9" = 2', '"1-12" = 2'), "is no number", id="numbers to twelve"),
        pytest.param(('"1-9" = 2', '"0-9" = 2'), "names 0 once more", id="two kinds of zeros"),
        pytest.param(("[wilds.wild]", "[wilds.wlid]"), "Did you mean wild?", id="a wlid"),
        pytest.param(
            ("[wilds.wild-draw]", "[wilds.flip]"), "no section [wilds.flip]", id="another game"
        ),
        pytest.param(("draws = 4\n", ""), "wilds.wild-draw.draws is missing", id="draws what?"),
        pytest.param(
            ("[symbols.skip]", "[symbols.skip]\ndraws = 1"), "only a draw card", id="a cruel skip"
        ),
        pytest.param(
            ("[symbols.skip]", '[symbols.skip]\ntitle = ""'), "title is a text", id="no title"
        ),
        pytest.param(('name = "Classic"', 'name = ""'), "name is a text", id="no name"),
        pytest.param(("dealt = 7", "dealt = 30"), "", id="thirty cards each are fine"),
        pytest.param(
            ("draws_when_last = true", "draws_when_last = 1"), "true or false", id="one for true"
        ),
        pytest.param(('name = "Classic"', "name = Classic"), "not TOML", id="no quotes"),
    ],
)
def test_a_mistake_is_named_with_its_place(
    tmp_path: Path, change: tuple[str, str], says: str
) -> None:
    assert change[0] in CLASSIC
    put(tmp_path, CLASSIC.replace(*change))
    if says:
        assert says in " ".join(mistakes_in(tmp_path))
    else:
        assert len(load_editions(tmp_path)) == 3


def test_a_deck_too_small_for_two_is_refused(tmp_path: Path) -> None:
    put(tmp_path, 'name = "Tiny"\ndealt = 7\ntarget = 50\n[numbers]\n"1-3" = 1\n')
    (mistake,) = mistakes_in(tmp_path)
    assert "A deck of 12 cannot deal 7 cards to two" in mistake


@pytest.mark.parametrize(
    ("name", "says"),
    [
        pytest.param("express.toml", "built in", id="the name of a printed edition"),
        pytest.param("My Deck.toml", "small letters", id="capitals and a space"),
    ],
)
def test_a_file_needs_a_name_of_its_own(tmp_path: Path, name: str, says: str) -> None:
    put(tmp_path, CLASSIC, name)
    assert says in mistakes_in(tmp_path)[0]
