"""Pairing: a code is exchanged for a session that is kept on the server.

The code that was printed at the start makes referees. The one on the board makes one and is then
another, a seat's makes one phone and ends with the deal. All codes are new at every start;
sessions outlive a restart, so that a tablet goes on in the middle of a round. A player's session
belongs to a person of one journal. It ends by being signed out, or as the longest unused of too
many.

The right code is always taken, however many wrong ones came before it and from wherever; so every
guess is looked at, and a code is long enough for that. Wrong ones are only told to wait.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from pathlib import Path

from werkzeug.http import parse_cookie

from companion.common.clock import label
from web.access.codes import new_code, same_code
from web.access.devices import (
    Browser,
    Device,
    Whose,
    new_device,
    read_devices,
    write_devices,
)
from web.access.permissions import Role
from web.transport.limits import PLAYER, REFEREE, Allowance, Holder, Holders, network

SESSIONS = 32
PHONES = 4
"""So many phones may one player have; and no player can push the referee's session out."""
ALL_PHONES = 64
TRIES = 5
SECONDS_A_TRY = 12.0
ALL_TRIES = 50
"""So many wrong codes from everywhere, before wrong ones have to wait wherever they come from."""
EVERYONE = "everyone"


class WrongCode(Exception):
    """That is not the code."""


class TooManyTries(Exception):
    """That was not the code either, and there were too many wrong ones before it."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"{seconds} s")
        self.seconds = seconds


class Pairing:
    """The codes, and every session that was opened with one of them."""

    def __init__(
        self,
        place: Path | None = None,
        code: str | None = None,
        clock: Callable[[], float] = time.monotonic,
        renewed: Callable[[str], None] = lambda _code: None,
        phones: int = ALL_PHONES,
        each: int = PHONES,
        journal: str = "",
        proxies: Iterable[str] = (),
    ) -> None:
        self.code = code or new_code()
        self.inner = secrets.token_urlsafe(32)
        """The service's own token, by which it asks itself how it is."""
        self.shown_code: Callable[[], str | None] = lambda: None
        """Tells the code that the board shows, or showed a moment ago."""
        self.used_shown_code: Callable[[], None] = lambda: None
        self.changed: Callable[[], None] = lambda: None
        """Called after each pairing and each sign-out."""
        self.holders = Holders(tuple(proxies))
        self._renewed = renewed
        self._most_phones = phones
        self._most_each = each
        self._place = place
        self._journal = journal
        self._lock = threading.Lock()
        self._tries = Allowance(TRIES, 1 / SECONDS_A_TRY, clock)
        self._all_tries = Allowance(ALL_TRIES, ALL_TRIES / SECONDS_A_TRY / TRIES, clock)
        self._seat_codes: dict[int, str] = {}
        self._devices: OrderedDict[str, Device] = OrderedDict(read_devices(place))
        self._last = max((one.number for one in self._devices.values()), default=0)

    def pair(self, code: str, browser: Browser) -> str:
        """Exchange the referee's code for a new session's token."""
        with self._lock:
            if self._is_shown(code):
                self.used_shown_code()
            elif not same_code(code, self.code):
                self._refuse(browser)
            token = self._open("referee", browser)
        self.changed()
        return token

    def pair_phone(self, player: int, code: str, browser: Browser, *, once: bool = True) -> str:
        """Exchange the code of a player's seat, which then is none any more, for a session.

        A code that is not only good once stays until all are made anew.
        """
        with self._lock:
            known = self._seat_codes.get(player)
            if known is None or not same_code(code, known):
                self._refuse(browser)
            if once:
                del self._seat_codes[player]
            token = self._open(player, browser)
        self.changed()
        return token

    def welcome(self, player: int, browser: Browser) -> str:
        """Open a session for a guest who has just sat down with this very phone."""
        with self._lock:
            token = self._open(player, browser)
        self.changed()
        return token

    def code_of(self, player: int) -> str:
        """The code by which one phone becomes this player's; a new one where it was used."""
        with self._lock:
            return self._seat_codes.setdefault(player, new_code())

    def end_seat_codes(self) -> None:
        """Let no code of a seat be good any more: the cards are dealt."""
        with self._lock:
            self._seat_codes.clear()

    def is_a_code(self, typed: str) -> bool:
        """Tell whether this opens anything now; nothing is used up by asking."""
        with self._lock:
            codes = [self.code, *self._seat_codes.values()]
            return self._is_shown(typed) or any(same_code(typed, code) for code in codes)

    def role(self, token: str | None) -> Role:
        """Tell the role that this token gives; without a token that is known it is to watch."""
        match self.session(token):
            case None:
                return "watcher"
            case "referee":
                return "referee"
            case _:
                return "player"

    def session(self, token: str | None) -> Whose | None:
        """Tell whose session this token opens."""
        if not token:
            return None
        digest = _digest(token)
        with self._lock:
            device = self._devices.get(digest)
            if device is None:
                return None
            self._devices.move_to_end(digest)
            device.seen = label()
            return device.whose if self._counts(device) else None

    def phones(self) -> frozenset[int]:
        """Tell which players have a phone that is paired."""
        with self._lock:
            devices = [one for one in self._devices.values() if self._counts(one)]
        return frozenset(one.whose for one in devices if one.whose != "referee")

    def devices(self, token: str | None) -> list[tuple[Device, bool]]:
        """List who is paired, the latest first, and which of them has this token."""
        own = _digest(token) if token else ""
        with self._lock:
            matching = [(one, digest == own) for digest, one in self._devices.items()]
        counting = [pair for pair in matching if self._counts(pair[0])]
        return sorted(counting, key=lambda pair: pair[0].number, reverse=True)

    def newcomer(self, token: str | None) -> Device | None:
        """Tell a referee which other device has become referee after this one, the latest."""
        referees = [pair for pair in self.devices(token) if pair[0].whose == "referee"]
        newest, own = referees[0] if referees else (None, True)
        return None if own else newest

    def sign_out(self, token: str | None) -> None:
        """End a session; one that does not exist is ended already."""
        if token:
            self._end(lambda digest, _device: digest == _digest(token))

    def end(self, number: int) -> None:
        """End the session of one device."""
        self._end(lambda _digest, device: device.number == number)

    def sign_out_others(self, token: str | None) -> None:
        """End every session but this one, and make all codes anew; the old ones work no more."""
        kept = _digest(token) if token else ""
        with self._lock:
            self.code = new_code()
            self._seat_codes.clear()
            self.used_shown_code()
        self._end(lambda digest, _device: digest != kept)
        self._renewed(self.code)

    def holder(self, address: str, cookies: str, name: str) -> Holder:
        """Tell whose share of the table a request uses up, by its cookies; asked without waiting.

        Each of the referee's devices has a share of its own, and so has every player.
        """
        try:
            token = parse_cookie(cookies).get(name) or ""
        except UnicodeError:
            token = ""
        digest = _digest(token)
        device = self._devices.get(digest)
        whose = device.whose if device is not None and self._counts(device) else None
        if whose == "referee" or hmac.compare_digest(token.encode(), self.inner.encode()):
            return self.holders.person(REFEREE, digest)
        if whose is not None:
            return self.holders.person(PLAYER, f"player {whose}")
        return self.holders.stranger(address)

    def _counts(self, device: Device) -> bool:
        """A number of a player means somebody else in another journal."""
        return device.whose == "referee" or device.journal == self._journal

    def _is_shown(self, typed: str) -> bool:
        shown = self.shown_code()
        return shown is not None and same_code(typed, shown)

    def _refuse(self, browser: Browser) -> None:
        where = network(browser.address)
        wait = max(self._tries.charge(where), self._all_tries.charge(EVERYONE))
        raise TooManyTries(int(wait) + 1) if wait else WrongCode

    def _open(self, whose: Whose, browser: Browser) -> str:
        token = secrets.token_urlsafe(32)
        self._last += 1
        self._devices[_digest(token)] = new_device(whose, self._last, self._journal, browser)
        self._make_room(whose)
        write_devices(self._place, self._devices)
        return token

    def _make_room(self, whose: Whose) -> None:
        """Let the longest unused session of the same person go where there are too many."""
        same = [digest for digest, one in self._devices.items() if one.whose == whose]
        self._drop(same[: -(SESSIONS if whose == "referee" else self._most_each)])
        phones = [digest for digest, one in self._devices.items() if one.whose != "referee"]
        self._drop(phones[: -self._most_phones])

    def _drop(self, digests: Iterable[str]) -> None:
        for digest in digests:
            del self._devices[digest]

    def _end(self, chosen: Callable[[str, Device], bool]) -> None:
        with self._lock:
            ended = [digest for digest, one in self._devices.items() if chosen(digest, one)]
            self._drop(ended)
            if ended:
                write_devices(self._place, self._devices)
        self.changed()


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
