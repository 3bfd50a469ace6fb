"""Names that are forgotten: in every event that says one, a stand-in takes its place."""

from __future__ import annotations

import hashlib
import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count
from typing import Any

import msgspec

from companion.common.spellings import spellings
from companion.journal.file import JournalDamaged, translated
from companion.referee.english import ENGLISH

NAMED = frozenset({"name", "names", "other", "others", "accused", "victim"})
"""The parts of a sentence that are somebody's name, or several."""
STAND_IN = re.compile(r"Player \d+")
"""As the table calls somebody who has not said a name; every screen has its own word for it."""
_SAYING = tuple(
    b'{"event":"' + kind + b'"'
    for kind in (b"seat_taken", b"player_renamed", b"seats_swapped", b"match_forgotten")
)
_CHANCE = re.compile(r"[0-9A-Fa-f-]+")


def tidy(typed: str) -> str:
    """Write a name as the table does when somebody sits down."""
    return " ".join("".join(ch if ch.isprintable() else " " for ch in typed).split())


def alike(name: str) -> str:
    """Write a name as names are compared: large or small, and with its accents in one piece."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def names_in(connection: sqlite3.Connection) -> dict[str, set[int]]:
    """List every name that was ever used in a journal, with the numbers of the players who had it.

    Each way of writing a name stands for itself.
    """
    found: dict[str, set[int]] = {}
    sits: dict[int, int] = {}
    asked = " OR ".join("substr(body, 1, ?) = ?" for _ in _SAYING)
    values = [value for saying in _SAYING for value in (len(saying), saying)]
    query = f"SELECT body FROM events WHERE {asked} ORDER BY version"
    try:
        for (body,) in connection.execute(query, values):
            for name, player in _said(msgspec.json.decode(body), sits):
                found.setdefault(name, set()).update(player)
    except sqlite3.Error as error:
        raise translated(error) from error
    except (msgspec.MsgspecError, LookupError, AttributeError, TypeError) as error:
        raise JournalDamaged(f"an event that names somebody cannot be read: {error!r}") from error
    return found


def _said(event: dict[str, Any], sits: dict[int, int]) -> Iterator[tuple[str, set[int]]]:
    """Tell the names in an event, and follow who sits where."""
    match event:
        case {"event": "match_forgotten", "seats": seats}:
            sits.clear()
            sits.update({seat["number"]: seat["player"] for seat in seats})
            yield from ((seat["name"], {seat["player"]}) for seat in seats)
        case {"event": "seats_swapped", "seat": one, "other": other}:
            moved = {one: other, other: one}
            kept = {moved.get(seat, seat): player for seat, player in sits.items()}
            sits.clear()
            sits.update(kept)
        case {"name": name, "seat": seat}:
            sits[seat] = event.get("player", sits.get(seat, 0))
            yield name, {sits[seat]} - {0}
        case _:
            raise LookupError("a name")


def players_called(name: str, known: Mapping[str, set[int]]) -> set[int]:
    """Tell the numbers of all who ever had this name."""
    same = alike(name)
    return {number for said, numbers in known.items() if alike(said) == same for number in numbers}


def stand_in(name: str, known: Mapping[str, set[int]]) -> str:
    """Choose what somebody is called from now on: by the own number, if nobody else is.

    Whoever sat down by pressing a button was called so before. A number that is still to come
    would be taken for that of the next guest, so another small one is better.
    """
    own = players_called(name, known)
    numbers = chain(sorted(own), count(1))
    return next(f"Player {n}" for n in numbers if known.get(f"Player {n}", own) <= own)


class Renaming:
    """Puts stand-ins into the events of one journal, and touches nothing else in them."""

    def __init__(self, names: Mapping[str, str], others: Iterable[str] = ()) -> None:
        self._names = dict(names)
        """What each way of writing a forgotten name becomes."""
        # A name that stays may have a forgotten one in it, so it is looked for as well.
        longest_first = sorted({*names, *others}, key=len, reverse=True)
        some = "|".join(map(re.escape, longest_first)) or r"(?!)"
        self._listed = re.compile(rf"(?:^|(?<=, ))(?:{some})(?=, |$)")
        self._spoken = re.compile(rf"(?<!\w)(?:{some})(?!\w)")
        self._written = [msgspec.json.encode(name)[1:-1] for name in names]
        self._known = longest_first

    def __bool__(self) -> bool:
        """Whether there is any name to replace."""
        return bool(self._names)

    def concerns(self, body: bytes) -> bool:
        """Tell whether a forgotten name may be in these bytes."""
        return any(name in body for name in self._written)

    def body(self, body: bytes) -> bytes:
        """Write an event without the names."""
        return msgspec.json.encode(self._within(msgspec.json.decode(body)))

    def id(self, command: str) -> str:
        """Write a command's id without the names; one that was made by chance says none."""
        if _CHANCE.fullmatch(command) or not any(name in command for name in self._names):
            return command
        return f"forgotten-{hashlib.sha256(command.encode()).hexdigest()[:32]}"

    def text(self, text: str) -> str:
        """Write any text without the names."""
        return self._spoken.sub(self._instead, text)

    def logged(self, text: str) -> str:
        """Write a log without the names, which programs write in their own ways."""
        ways = {way.casefold(): name for name in self._known for way in spellings(name)}
        some = "|".join(map(re.escape, sorted(ways, key=len, reverse=True))) or r"(?!)"

        def instead(found: re.Match[str]) -> str:
            name = ways.get(found[0].casefold())
            return self._names.get(name, found[0]) if name is not None else found[0]

        return re.sub(rf"(?<!\w)(?:{some})(?!\w)", instead, text, flags=re.IGNORECASE)

    def explains(self, old: str, new: str) -> bool:
        """Tell whether one text may have become the other, by names that were replaced in it.

        Not all need be: somebody called "red" may have laid a red card.
        """
        if old == new:
            return True
        pattern, at = "", 0
        for found in self._spoken.finditer(old):
            ways = f"(?:{re.escape(found[0])}|{re.escape(self._instead(found))})"
            pattern += re.escape(old[at : found.start()]) + ways
            at = found.end()
        return re.fullmatch(pattern + re.escape(old[at:]), new) is not None

    def _within(self, value: Any) -> Any:
        match value:
            case {"code": str(), "text": str()}:
                return self._sentence(value)
            case {"name": str(name)} if "seat" in value or "player" in value:
                rest = {key: self._within(one) for key, one in value.items()}
                return {**rest, "name": self._names.get(name, name)}
            case dict():
                return {key: self._within(one) for key, one in value.items()}
            case list():
                return [self._within(one) for one in value]
            case _:
                return value

    def _sentence(self, said: dict[str, Any]) -> dict[str, Any]:
        parts = said.get("parts", {})
        kept = {key: self._part(key, one) for key, one in parts.items()}
        text = said["text"]
        if kept != parts:
            text = _again(said, kept) or self.text(text)
        return {**said, "text": text, **({"parts": kept} if "parts" in said else {})}

    def _part(self, key: str, value: Any) -> Any:
        if key not in NAMED or not isinstance(value, str):
            return value
        return self._listed.sub(self._instead, value)

    def _instead(self, found: re.Match[str]) -> str:
        return self._names.get(found[0], found[0])


def _again(said: Mapping[str, Any], parts: Mapping[str, Any]) -> str | None:
    """Say a sentence with other parts, if it was said in today's words."""
    words = ENGLISH.get(said["code"])
    try:
        today = words is not None and words.format(**said.get("parts", {})) == said["text"]
        return words.format(**parts) if words is not None and today else None
    except LookupError:
        return None
