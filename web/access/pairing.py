"""Pairing: a code is exchanged once for a session that is kept on the server.

There is one code for the referee and one for each player's phone. All codes are new at every
start; sessions outlive a restart, so that a tablet goes on in the middle of a round. Only digests
are written to disk. Wall time decides nothing, hence sessions end by being signed out, or as the
longest unused of too many.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import os
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from web.access.permissions import Role
from web.transport.limits import Allowance, network

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LENGTH = 8
SESSIONS = 32
PHONES = 4
"""So many phones may one player have; and no player can push the referee's session out."""
ALL_PHONES = 64
TRIES = 5
SECONDS_A_TRY = 12.0

log = logging.getLogger("companion.web")

Session = Literal["referee"] | int
"""Whose session it is: the referee's, or that of the player with this number."""


class WrongCode(Exception):
    """That is not the code."""


class TooManyTries(Exception):
    """This address has guessed too often and has to wait."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"{seconds} s")
        self.seconds = seconds


def new_code() -> str:
    """Make a code without letters or digits that look alike."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def spoken(code: str) -> str:
    """Write a code in two halves, the way it is read out."""
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}"


class Pairing:
    """The codes, and every session that was opened with one of them."""

    def __init__(
        self,
        place: Path | None = None,
        code: str | None = None,
        clock: Callable[[], float] = time.monotonic,
        renewed: Callable[[str], None] = lambda _code: None,
    ) -> None:
        self.code = code or new_code()
        self.inner = secrets.token_urlsafe(32)
        """The service's own token, by which it asks itself how it is."""
        self.lenient: Callable[[], bool] = lambda: False
        """While this is so nobody is kept from the right code: it can be seen in the room."""
        self.changed: Callable[[], None] = lambda: None
        """Called whenever somebody was paired or signed out."""
        self._renewed = renewed
        self._secret = secrets.token_bytes(32)
        self._place = place
        self._lock = threading.Lock()
        self._tries = Allowance(TRIES, 1 / SECONDS_A_TRY, clock)
        self._sessions: OrderedDict[str, Session] = OrderedDict(_read(place))

    def pair(self, code: str, address: str) -> str:
        """Exchange the referee's code for a new session's token."""
        return self._pair(code, self.code, "referee", address)

    def pair_phone(self, player: int, code: str, address: str) -> str:
        """Exchange a player's code for the token of a phone's session."""
        return self._pair(code, self.code_of(player), player, address)

    def code_of(self, player: int) -> str:
        """The code by which a phone becomes this player's."""
        digest = hmac.digest(self._secret, str(player).encode(), "sha256")
        return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:CODE_LENGTH])

    def role(self, token: str | None) -> Role:
        """Tell the role of whoever shows this token; no token or a strange one only watches."""
        match self.session(token):
            case None:
                return "watcher"
            case "referee":
                return "referee"
            case _:
                return "player"

    def session(self, token: str | None) -> Session | None:
        """Tell whose session this token opens."""
        if not token:
            return None
        digest = _digest(token)
        with self._lock:
            session = self._sessions.get(digest)
            if session is not None:
                self._sessions.move_to_end(digest)
            return session

    def phones(self) -> frozenset[int]:
        """Tell which players have a phone that is paired."""
        with self._lock:
            return frozenset(whose for whose in self._sessions.values() if whose != "referee")

    def sign_out(self, token: str | None) -> None:
        """End a session; one that does not exist is ended already."""
        with self._lock:
            if token and self._sessions.pop(_digest(token), None):
                self._write()
        self.changed()

    def sign_out_others(self, token: str | None) -> None:
        """End every session but this one, and make all codes anew: who knew one knows none."""
        with self._lock:
            kept = _digest(token) if token else ""
            self._sessions = OrderedDict(
                (digest, whose) for digest, whose in self._sessions.items() if digest == kept
            )
            self.code = new_code()
            self._secret = secrets.token_bytes(32)
            self._write()
        self.changed()
        self._renewed(self.code)

    def has_a_place(self, token: str | None) -> bool:
        """Whether this token never has to queue behind strangers; asked without waiting."""
        if not token:
            return False
        inner = hmac.compare_digest(token.encode(), self.inner.encode())
        return inner or self._sessions.get(_digest(token)) == "referee"

    def _pair(self, said: str, code: str, session: Session, address: str) -> str:
        with self._lock:
            if not self.lenient() and (wait := self._tries.wait(network(address))):
                raise TooManyTries(int(wait) + 1)
            if not hmac.compare_digest(_plain(said), code.encode()):
                self._tries.spend(network(address))
                raise WrongCode
            token = secrets.token_urlsafe(32)
            self._sessions[_digest(token)] = session
            self._make_room(session)
            self._write()
        self.changed()
        return token

    def _make_room(self, session: Session) -> None:
        """Let the longest unused session of the same person go where there are too many."""
        same = [digest for digest, whose in self._sessions.items() if whose == session]
        for digest in same[: -(SESSIONS if session == "referee" else PHONES)]:
            del self._sessions[digest]
        phones = [digest for digest, whose in self._sessions.items() if whose != "referee"]
        for digest in phones[:-ALL_PHONES]:
            del self._sessions[digest]

    def _write(self) -> None:
        if self._place is None:
            return
        beside = self._place.with_suffix(".new")
        try:
            opened = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(opened, "wb") as file:
                file.write(msgspec.json.encode(dict(self._sessions)))
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._place)
        except OSError as trouble:
            log.warning("Sessions could not be saved, a restart will ask for the code: %s", trouble)


def _read(place: Path | None) -> dict[str, Session]:
    if place is None:
        return {}
    try:
        return msgspec.json.decode(place.read_bytes(), type=dict[str, Session])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError) as trouble:
        log.warning("Sessions could not be read, the code is needed again: %s", trouble)
        return {}


def _plain(code: str) -> bytes:
    return code.upper().replace("-", "").replace(" ", "").encode()


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
