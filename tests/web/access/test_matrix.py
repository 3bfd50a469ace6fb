"""Every command, from everybody who must not give it, through every door.

The rows are made from the table's own list of commands: a new one is in all of them at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple, get_args

import pytest
import websocket

from companion.referee.commands import Base, PersonCommand
from companion.service.envelope import PERSON_KINDS
from tests.kit.served import Served, envelope
from tests.web.access.test_access import WISHES
from tests.web.live_line import LiveLine, Polling
from web.access.pairing import PHONES
from web.access.permissions import MAY

pytestmark = pytest.mark.xdist_group("matrix")

OWN, OTHER = 2, 1
EVIL = "http://evil.example"
FOR_THE_OWN_SEAT = {
    kind
    for kind, command in PERSON_KINDS.items()
    if command in MAY["player"] and "seat" in WISHES[kind]
}
"""An answer names no seat: whether it may be given, the question decides, which nobody asked."""


class Attack(NamedTuple):
    session: str
    seat: int
    headers: dict[str, str]
    refused: tuple[int, str]


ATTACKS = {
    "a guest": Attack("none", OTHER, {}, (403, "not_the_referee")),
    "an invented session": Attack("invented", OTHER, {}, (403, "not_the_referee")),
    "a referee who signed out": Attack("signed out", OTHER, {}, (403, "not_the_referee")),
    "a referee who was signed out": Attack("ended", OTHER, {}, (403, "not_the_referee")),
    "a phone that is one too many": Attack("expired", OWN, {}, (403, "not_the_referee")),
    "a player for another seat": Attack("player", OTHER, {}, (403, "only_your_seat")),
    "a player for the own seat": Attack("player", OWN, {}, (403, "only_your_seat")),
    "a page elsewhere, as the referee": Attack(
        "referee", OTHER, {"Origin": EVIL}, (403, "foreign_origin")
    ),
    "a page elsewhere, as the player": Attack(
        "player", OWN, {"Origin": EVIL}, (403, "foreign_origin")
    ),
    "a page in a frame without an origin": Attack(
        "referee", OTHER, {"Origin": "null"}, (403, "foreign_origin")
    ),
    "a rebound name, as the referee": Attack(
        "referee", OTHER, {"Host": "evil.example", "Origin": EVIL}, (421, "wrong_host")
    ),
    "a rebound name, as the player": Attack(
        "player", OWN, {"Host": "evil.example", "Origin": EVIL}, (421, "wrong_host")
    ),
}


def undecided(kinds: tuple[type, ...]) -> set[type]:
    """The commands on which nobody has decided who may give them."""
    return set(kinds) - MAY["referee"] - MAY["player"]


def test_every_command_has_a_decision():
    assert undecided(get_args(PersonCommand)) == set()
    assert MAY["player"] <= MAY["referee"] <= set(get_args(PersonCommand))


def test_a_new_command_without_a_decision_would_be_found():
    class Novelty(Base, frozen=True):
        """A command that was just invented."""

    assert undecided((*get_args(PersonCommand), Novelty)) == {Novelty}


@pytest.fixture(scope="module")
def sessions(shared: Served) -> dict[str, str | None]:
    """Three in the middle of a round, with every kind of session that has been given out."""
    shared.pair()
    ended = shared.cookie
    shared.pair()
    referee = shared.cookie
    for name in ("Ana", "Ben", "Cam"):
        assert shared.do("sit", name=name).status == 200
    assert shared.post("/api/sign-out/others", {}).json == {"role": "referee"}
    assert shared.post("/api/pairing", {}).status == 200
    code = shared.get("/api/pairing").json["code"]
    signed_out = cookie_of(shared.post("/api/pair", {"code": code}, Cookie=None))
    shared.post("/api/sign-out", {}, Cookie=signed_out)
    expired, *_ = [shared.paired_phone(3) for _ in range(PHONES + 1)]
    player = shared.paired_phone(OWN)
    shared.cookie = referee
    for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": 1}), ("deal", {})):
        assert shared.do(kind, **fields).status == 200
    return {
        "none": None,
        "invented": f"companion-{shared.port}=" + "x" * 43,
        "signed out": signed_out,
        "ended": ended,
        "expired": expired,
        "player": player,
        "referee": referee,
    }


def cookie_of(answer: Any) -> str:
    cookie: str = answer.headers["set-cookie"].partition(";")[0]
    return cookie


def wishes(attack: Attack) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every command that this attacker must not give, about the seat that is meant."""
    allowed = FOR_THE_OWN_SEAT if own_seat(attack) else set()
    for kind, fields in WISHES.items():
        if kind not in allowed:
            named = {name: attack.seat if name == "seat" else v for name, v in fields.items()}
            yield kind, envelope(kind, **named)


def own_seat(attack: Attack) -> bool:
    return attack.session == "player" and attack.seat == OWN and not attack.headers


def test_the_sessions_are_what_they_are_taken_for(shared, sessions):
    shared.cookie = sessions["referee"]
    assert shared.get("/api/session").json == {"role": "referee"}
    shared.cookie = sessions["player"]
    assert shared.get("/api/session").json == {"role": "player", "seat": OWN}
    for gone in ("signed out", "ended", "expired", "invented"):
        shared.cookie = sessions[gone]
        assert shared.get("/api/session").json == {"role": "watcher"}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_nobody_else_acts_through_the_plain_door(shared, sessions, attack):
    before = shared.table
    done = {}
    for kind, body in wishes(attack):
        cookie = {"Cookie": sessions[attack.session]}
        answer = shared.post("/api/commands", body, **cookie, **attack.headers)
        done[kind] = (answer.status, answer.json["error"])
    assert done == dict.fromkeys(done, attack.refused)
    assert len(done) >= len(WISHES) - len(FOR_THE_OWN_SEAT)
    assert shared.table == before


@pytest.mark.parametrize(
    "attack",
    [pytest.param(attack, id=name) for name, attack in ATTACKS.items() if not attack.headers],
)
def test_nobody_else_acts_through_the_live_door(shared, sessions, attack):
    before = shared.table
    line = LiveLine(shared, sessions[attack.session])
    done = {kind: line.call("command", body)["error"] for kind, body in wishes(attack)}
    line.close()
    assert done == dict.fromkeys(done, attack.refused[1])
    assert shared.table == before


@pytest.mark.parametrize(
    "attack",
    [pytest.param(attack, id=name) for name, attack in ATTACKS.items() if attack.headers],
)
def test_no_page_elsewhere_comes_through_the_live_door(shared, sessions, attack):
    before = shared.table
    cookie = sessions[attack.session]
    with pytest.raises(websocket.WebSocketBadStatusException) as refused:
        LiveLine(shared, cookie, attack.headers)
    assert refused.value.status_code == attack.refused[0]
    polling = Polling(shared, cookie)
    done = {}
    for kind, body in wishes(attack):
        packet = f"42{json.dumps(['command', body])}"
        answer = polling.post(packet, attack.headers)
        done[kind] = (answer.status, answer.json["error"])
    assert done == dict.fromkeys(done, attack.refused)
    assert shared.table == before


def test_through_the_same_line_the_referee_acts(shared, sessions):
    """The control: what was refused above was refused for the attack and nothing else."""
    body = envelope("press_seat", seat=OTHER)
    polling = Polling(shared, sessions["referee"])
    before = shared.table["version"]
    assert polling.post(f"42{json.dumps(['command', body])}").status == 200
    line = LiveLine(shared, sessions["player"])
    mine = {k: {**WISHES[k], "seat": OWN} for k in FOR_THE_OWN_SEAT}
    refused = {k: line.call("command", envelope(k, **f)).get("error") for k, f in mine.items()}
    line.close()
    assert "only_your_seat" not in refused.values()
    assert "not_the_referee" not in refused.values()
    assert refused["press_seat"] is None
    assert shared.table["version"] > before
