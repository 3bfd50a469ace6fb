"""A table's membership in a hall: asked for once with the desk's code, and kept from then on."""

from __future__ import annotations

import http.client
import json
import secrets
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from companion.common.whole_file import write_whole
from companion.hall.table.finding import found_halls
from companion.hall.table.tonight import before_tonight
from companion.referee.sentences import also_say, say, spoken
from companion.settings.broker import Home

FILE, CERTIFICATE = "hall.json", "hall.pem"
PORT = 8090
PATIENCE = 10.0

ENGLISH = {
    "hall.no_address": "{address} is not the address of a hall.",
    "hall.none_found": "No hall was found in this network. Type its address.",
    "hall.several": "There are several halls here: {halls}. Type the address of one.",
    "hall.no_answer": "There is no hall at {address}: {trouble}.",
    "hall.other_version": "What answers at {address} is not a hall of this version.",
    "hall.wrong_code": "That is not this hall's code.",
    "hall.too_many_tries": "Too many wrong codes. Try again in {seconds} seconds.",
    "hall.table_taken": "Another table in this hall has that number. Choose a different one.",
    "hall.no_user": "This hall's broker has no user for a table with that number. Ask at the desk.",
    "hall.refused": "{said}",
}
"""Why a table could not join a hall, by itself or by what the hall has answered."""
also_say(ENGLISH)


class NotJoined(Exception):
    """The table does not belong to the hall, for the reason that the sentence gives."""

    def __init__(self, code: str, **parts: str | int) -> None:
        self.spoken = spoken(say(code, **parts), {})
        super().__init__(self.spoken.text)


class Membership(Struct, frozen=True):
    """What a table needs to speak to its hall."""

    table: Annotated[int, Meta(ge=1, le=99_999)]
    identity: str
    host: str
    port: int
    password: str
    title: str = ""
    tls: bool = True

    def __repr__(self) -> str:
        """Show where, and never the secret."""
        return f"Membership({self.table} at {self.host}:{self.port})"

    def home(self, folder: Path) -> Home:
        """Tell how the broker is reached."""
        return Home(
            host=self.host,
            port=self.port,
            user=str(self.table),
            password=self.password,
            tls=self.tls,
            ca_file=folder / CERTIFICATE if (folder / CERTIFICATE).exists() else None,
        )


def read_membership(folder: Path) -> Membership | None:
    """Read to which hall this table belongs, if it does."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=Membership)
    except (OSError, msgspec.MsgspecError):
        return None


def join(folder: Path, address: str, code: str, wish: int | None = None) -> Membership:
    """Ask a hall for membership with the desk's code, and keep it.

    Without an address the hall is looked for in this network.
    """
    earlier = read_membership(folder)
    identity = secrets.token_hex(8) if earlier is None else earlier.identity
    address = address.strip() or _only_hall()
    try:
        place = urlsplit(address if "//" in address else f"http://{address}")
        host, port = place.hostname or "", place.port or PORT
    except ValueError:
        host, port = "", PORT
    if not host or " " in host:
        raise NotJoined("hall.no_address", address=address)
    since, seal = before_tonight(folder)
    wanted = {"code": code, "identity": identity, "number": wish, "since": since, "seal": seal}
    answer = _post(host, port, "/api/tables", wanted)
    try:
        certificate = str(answer.pop("certificate"))
        broker = answer.pop("host", None) or host
        member = msgspec.convert({**answer, "host": broker, "identity": identity}, Membership)
    except (msgspec.ValidationError, KeyError):
        raise NotJoined("hall.other_version", address=address) from None
    keep_membership(folder, member, certificate)
    return member


def keep_membership(folder: Path, member: Membership, certificate: str) -> None:
    """Write down to which hall a table belongs."""
    folder.mkdir(parents=True, exist_ok=True)
    if certificate:
        write_whole(folder / CERTIFICATE, certificate.encode())
    else:
        (folder / CERTIFICATE).unlink(missing_ok=True)
    write_whole(folder / FILE, msgspec.json.encode(member))


def leave(folder: Path) -> None:
    """Belong to no hall any more; what was sent stays there."""
    for name in (FILE, CERTIFICATE):
        (folder / name).unlink(missing_ok=True)


def _only_hall() -> str:
    match found_halls():
        case [only]:
            return only.address
        case []:
            raise NotJoined("hall.none_found")
        case several:
            named = ", ".join(f"{one.name} ({one.address})" for one in several)
            raise NotJoined("hall.several", halls=named)


def _post(host: str, port: int, path: str, value: object) -> dict[str, Any]:
    connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    try:
        connection.request("POST", path, json.dumps(value), {"Content-Type": "application/json"})
        reply = connection.getresponse()
        body = json.loads(reply.read(100_000))
    except (OSError, http.client.HTTPException, ValueError) as error:
        trouble = getattr(error, "strerror", None) or str(error)
        raise NotJoined("hall.no_answer", address=f"{host}:{port}", trouble=trouble) from None
    finally:
        connection.close()
    if not isinstance(body, dict):
        raise NotJoined("hall.no_address", address=f"{host}:{port}")
    if reply.status != 200:
        raise _refused(body, f"{host}:{port}")
    return body


def _refused(body: dict[str, Any], address: str) -> NotJoined:
    """Say in a sentence of our own what the hall has answered, as far as there is one."""
    match body:
        case {"error": "too_many_tries", "parts": {"seconds": int(seconds)}}:
            return NotJoined("hall.too_many_tries", seconds=seconds)
        case {"error": "wrong_code" | "table_taken" | "no_user" as code}:
            return NotJoined(f"hall.{code}")
        case {"error": "not_found"}:
            return NotJoined("hall.no_address", address=address)
        case {"message": str(said)}:
            return NotJoined("hall.refused", said=said)
        case _:
            return NotJoined("hall.no_address", address=address)
