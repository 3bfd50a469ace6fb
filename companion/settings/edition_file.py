"""Editions from files: a printed sheet written down as TOML, with every mistake named.

Each file `<key>.toml` in the data folder's `editions` is one edition, beside the printed ones.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.common.refusals import did_you_mean
from companion.referee.model.edition import PRINTED, Act, Edition, Face

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

SHEET_KEYS = (
    "name", "dealt", "target", "innocent_extra", "race_draws", "catch_draws", "numbers", "symbols",
    "wilds",
)  # fmt: skip
FACE_KEYS = ("copies", "points", "draws", "title", "draws_when_last")
KEY = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
NUMBERS = re.compile(r"([0-9])(?:-([0-9]))?")
MOST_CARDS = 1_000


class BadEditions(Exception):
    """Some edition files cannot be used; every mistake is named with its file."""

    def __init__(self, mistakes: list[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(mistakes))


def load_editions(folder: Path) -> tuple[Edition, ...]:
    """Give the printed editions and those of the data folder's files."""
    editions, mistakes = list(PRINTED), list[str]()
    for file in sorted((folder / FOLDER).glob("*.toml")):
        edition = _load(file, mistakes)
        if edition is not None:
            editions.append(edition)
    if mistakes:
        raise BadEditions(mistakes)
    return tuple(editions)


def _load(file: Path, mistakes: list[str]) -> Edition | None:
    found: list[str] = []
    edition: Edition | None = None
    try:
        edition = read_edition(file.stem, tomllib.loads(file.read_bytes().decode()), found)
    except OSError as error:
        found.append(f"it cannot be read: {error.strerror}.")
    except UnicodeDecodeError:
        found.append("it is not a text in UTF-8.")
    except tomllib.TOMLDecodeError as error:
        found.append(f"it is not TOML: {error}.")
    mistakes.extend(f"{FOLDER}/{file.name}: {mistake}" for mistake in found)
    return None if found else edition


def read_edition(key: str, said: Mapping[str, Any], mistakes: list[str]) -> Edition | None:
    """Read one sheet; what is wrong with it goes into `mistakes`."""
    sheet = _Sheet(mistakes)
    if not KEY.fullmatch(key):
        mistakes.append("the file's name may have small letters, digits and dashes only.")
    elif any(edition.key == key for edition in PRINTED):
        mistakes.append(f"the edition {key} is built in; give the file another name.")
    sheet.known(said, SHEET_KEYS, "")
    name = said.get("name")
    if not isinstance(name, str) or not 1 <= len(name.strip()) <= 40:
        mistakes.append("name is a text of 1 to 40 characters.")
        name = key
    faces = (
        *sheet.numbers(said.get("numbers", {})),
        *sheet.faces(said.get("symbols", {}), "symbols", SYMBOLS),
        *sheet.faces(said.get("wilds", {}), "wilds", WILDS),
    )
    edition = Edition(
        key=key,
        name=name.strip(),
        faces=faces,
        dealt=sheet.whole(said, "dealt", "", 1, 30),
        target=sheet.whole(said, "target", "", 1, 100_000),
        innocent_extra=sheet.whole(said, "innocent_extra", "", 0, 20, 2),
        race_draws=sheet.whole(said, "race_draws", "", 1, 20, 4),
        catch_draws=sheet.whole(said, "catch_draws", "", 1, 20, 2),
    )
    if mistakes:
        return None
    if edition.size > MOST_CARDS:
        mistakes.append(f"a deck of {edition.size} cards is too much; {MOST_CARDS} is the most.")
    elif not edition.serves(2):
        mistakes.append(
            f"a deck of {edition.size} cannot deal {edition.dealt} cards to two and turn one up."
        )
    return edition


class _Sheet:
    """Reads the parts of one sheet and notes what is wrong."""

    def __init__(self, mistakes: list[str]) -> None:
        self.mistakes = mistakes

    def numbers(self, said: Any) -> list[Face]:
        """Read how many copies of each number a colour has."""
        if not isinstance(said, Mapping) or not said:
            self.mistakes.append('[numbers] names the number cards, for instance "1-9" = 2.')
            return []
        faces: dict[int, Face] = {}
        for span in said:
            found = NUMBERS.fullmatch(span)
            copies = self.whole(said, span, "numbers.", 1, 50)
            if found is None or (found[2] is not None and found[2] < found[1]):
                self.mistakes.append(
                    f'numbers.{span} is no number: write "0" or a span such as "1-9".'
                )
                continue
            for number in range(int(found[1]), int(found[2] or found[1]) + 1):
                if number in faces:
                    self.mistakes.append(f"numbers.{span} names {number} once more.")
                faces[number] = Face(str(number), str(number), "number", copies, points=number)
        return [faces[number] for number in sorted(faces)]

    def faces(self, said: Any, group: str, acts: Mapping[str, Act]) -> list[Face]:
        """Read the faces of one group, in the order of the sheets."""
        if not isinstance(said, Mapping):
            self.mistakes.append(f"{group} holds sections such as [{group}.{next(iter(acts))}].")
            return []
        self.known(said, tuple(acts), f"{group}.")
        return [
            self.face(said[name], name, act, f"{group}.{name}")
            for name, act in acts.items()
            if name in said
        ]

    def face(self, said: Any, name: str, act: Act, where: str) -> Face:
        """Read one face."""
        if not isinstance(said, Mapping):
            self.mistakes.append(f"{where} is a section: write [{where}] above its settings.")
            said = {"copies": 1, "points": 0, "draws": 1}
        self.known(said, FACE_KEYS, f"{where}.")
        draws, last = 0, False
        if act in ("draw", "wild_draw"):
            draws = self.whole(said, "draws", f"{where}.", 1, 20)
            last = said.get("draws_when_last", False)
            if not isinstance(last, bool):
                self.mistakes.append(f"{where}.draws_when_last is true or false, not {last!r}.")
        else:
            self.mistakes.extend(
                f"{where}.{key}: only a draw card makes anyone draw."
                for key in ("draws", "draws_when_last")
                if key in said
            )
        title = said.get("title", TITLES[name].format(count=_in_words(draws)))
        if not isinstance(title, str) or not 1 <= len(title.strip()) <= 40:
            self.mistakes.append(f"{where}.title is a text of 1 to 40 characters.")
            title = name
        copies = self.whole(said, "copies", f"{where}.", 1, 50)
        points = self.whole(said, "points", f"{where}.", 0, 1_000)
        return Face(name, title.strip(), act, copies, points, draws, last)

    def known(self, said: Mapping[str, Any], names: tuple[str, ...], where: str) -> None:
        """Note every key that no sheet has."""
        for key in said:
            if key not in names:
                self.mistakes.append(f"there is no {where}{key}.{did_you_mean(key, names)}")

    def whole(
        self,
        said: Mapping[str, Any],
        key: str,
        where: str,
        least: int,
        most: int,
        default: int | None = None,
    ) -> int:
        """Read a whole number; without a default it has to be there."""
        value = said.get(key, default)
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        if value is None:
            self.mistakes.append(f"{where}{key} is missing.")
        else:
            self.mistakes.append(
                f"{where}{key} is a whole number from {least} to {most}, not {value!r}."
            )
        return least


def _in_words(count: int) -> str:
    return COUNTS[count] if count < len(COUNTS) else str(count)
