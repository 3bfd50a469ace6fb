"""Editions from files: a printed sheet written down as TOML, with every mistake named.

Each file `<key>.toml` in the data folder's `editions` is one edition, beside the printed ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from companion.referee.model.edition import PRINTED, Act, Edition, Face
from companion.settings.toml_reader import BadToml, TomlReader, parse_toml

FOLDER = "editions"

SYMBOLS: Mapping[str, Act] = {"draw": "draw", "reverse": "reverse", "skip": "skip"}
WILDS: Mapping[str, Act] = {"wild": "wild", "wild-draw": "wild_draw", "street-race": "race"}
TITLES = {
    "draw": "Draw {count}",
    "reverse": "Reverse",
    "skip": "Skip",
    "wild": "Wild",
    "wild-draw": "Wild Draw {count}",
    "street-race": "Street Race",
}
COUNTS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")

KEY = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
NUMBERS = re.compile(r"([0-9])(?:-([0-9]))?")
MOST_CARDS = 1_000

Name = Annotated[str, Meta(max_length=40, pattern=r"\S")]
Copies = Annotated[int, Meta(ge=1, le=50)]
Cards = Annotated[int, Meta(ge=1, le=20)]


class EditionFile(Struct, frozen=True):
    """What an edition's file may say."""

    name: Name = ""
    dealt: Annotated[int, Meta(ge=1, le=30)] = 1
    target: Annotated[int, Meta(ge=1, le=100_000)] = 1
    innocent_extra: Annotated[int, Meta(ge=0, le=20)] = 2
    race_draws: Cards = 4
    catch_draws: Cards = 2
    numbers: dict[str, Any] = {}
    symbols: dict[str, Any] = {}
    wilds: dict[str, Any] = {}


class FaceSection(Struct, frozen=True):
    """What the section of one card may say."""

    copies: Copies = 1
    points: Annotated[int, Meta(ge=0, le=1_000)] = 0
    draws: Cards = 0
    title: Name | None = None
    draws_when_last: bool = False


class BadEditions(Exception):
    """Some edition files cannot be used; every mistake is named with its file."""

    def __init__(self, mistakes: list[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(mistakes))


def load_editions(folder: Path) -> tuple[Edition, ...]:
    """Give the printed editions and those of the data folder's files."""
    editions, mistakes = list(PRINTED), list[str]()
    for file in sorted((folder / FOLDER).glob("*.toml")):
        wrong: list[str] = []
        try:
            editions.append(read_edition(file.stem, parse_toml(file), wrong))
        except BadToml as bad:
            wrong = [str(bad)]
        mistakes.extend(f"{FOLDER}/{file.name}: {mistake}" for mistake in wrong)
    if mistakes:
        raise BadEditions(mistakes)
    return tuple(editions)


def read_edition(key: str, table: Mapping[str, Any], mistakes: list[str]) -> Edition:
    """Read one sheet; it holds if nothing is wrong with it, which goes into `mistakes`."""
    reader = TomlReader()
    if not KEY.fullmatch(key):
        reader.mistakes.append("The file's name may have small letters, digits and dashes only.")
    elif any(edition.key == key for edition in PRINTED):
        reader.mistakes.append(f"The edition {key} is built in; give the file another name.")
    sheet = reader.read(EditionFile(), table, "", needed=["name", "dealt", "target"])
    edition = Edition(
        key=key,
        name=sheet.name.strip(),
        faces=(
            *_numbers(sheet.numbers, reader),
            *_faces(sheet.symbols, "symbols.", SYMBOLS, reader),
            *_faces(sheet.wilds, "wilds.", WILDS, reader),
        ),
        dealt=sheet.dealt,
        target=sheet.target,
        innocent_extra=sheet.innocent_extra,
        race_draws=sheet.race_draws,
        catch_draws=sheet.catch_draws,
    )
    mistakes += reader.mistakes or _unplayable(edition)
    return edition


def _unplayable(edition: Edition) -> list[str]:
    size = edition.size
    if size > MOST_CARDS:
        return [f"A deck of {size} cards is too much; {MOST_CARDS} is the most."]
    if not edition.serves(2):
        return [f"A deck of {size} cannot deal {edition.dealt} cards to two and turn one up."]
    return []


def _numbers(section: Mapping[str, Any], reader: TomlReader) -> list[Face]:
    """Read how many copies of each number a colour has."""
    if not section:
        reader.mistakes.append('[numbers] names the number cards, for instance "1-9" = 2.')
    faces: dict[int, Face] = {}
    for span, value in section.items():
        name = f"numbers.{span}"
        copies = reader.value(Copies, value, name, 1)
        ends = NUMBERS.fullmatch(span)
        if ends is None or (ends[2] is not None and ends[2] < ends[1]):
            reader.mistakes.append(f'{name} is no number: write "0" or a span such as "1-9".')
            continue
        for number in range(int(ends[1]), int(ends[2] or ends[1]) + 1):
            if number in faces:
                reader.mistakes.append(f"{name} names {number} once more.")
            faces[number] = Face(str(number), str(number), "number", copies, points=number)
    return [faces[number] for number in sorted(faces)]


def _faces(
    table: Mapping[str, Any], place: str, acts: Mapping[str, Act], reader: TomlReader
) -> list[Face]:
    """Read the faces of one group, in the order of the sheets."""
    return [
        _face(section, name, acts[name], f"{place}{name}.", reader)
        for name, section in reader.sections(table, acts, place).items()
    ]


def _face(section: Mapping[str, Any], name: str, act: Act, place: str, reader: TomlReader) -> Face:
    draws = act in ("draw", "wild_draw")
    needed = ("copies", "points", "draws") if draws else ("copies", "points")
    face = reader.read(FaceSection(), section, place, needed)
    reader.mistakes.extend(
        f"{place}{key}: only a draw card makes anyone draw."
        for key in ("draws", "draws_when_last")
        if key in section and not draws
    )
    title = face.title or TITLES[name].format(count=_in_words(face.draws))
    return Face(
        name, title.strip(), act, face.copies, face.points, face.draws, face.draws_when_last
    )


def _in_words(count: int) -> str:
    return COUNTS[count] if count < len(COUNTS) else str(count)
