"""Who may do what in a hall: every address and command by every role, and what a table hears."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from flask import Flask
from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.hall import commands as c
from companion.hall.evening import Plan
from companion.hall.table.membership import join, read_membership
from tests.hall.halls import TableProcess
from tests.hall.served_hall import ServedHall, visitor
from tests.home.broker import PROGRAM
from tests.kit.served import Client, Reply, eventually
from web.hall.doors import HallDoors
from web.hall.permissions import COMMANDS, ROUTES

COMMAND_EXAMPLES: dict[type, c.DeskCommand] = {
    c.PlanEvening: c.PlanEvening(Plan(rounds=3)),
    c.SignUp: c.SignUp(("Gil",)),
    c.RenamePerson: c.RenamePerson(1, "Anabel"),
    c.Leave: c.Leave(2),
    c.Return: c.Return(2),
    c.KeepApart: c.KeepApart(1, 2),
    c.DrawRound: c.DrawRound(7),
    c.ChangePlaces: c.ChangePlaces(1, 2),
    c.SetClock: c.SetClock("start"),
    c.WriteResult: c.WriteResult(1, 1, {1: 10}),
    c.StrikeResult: c.StrikeResult(1, 1),
    c.RemoveTable: c.RemoveTable(99),
}
"""One of each; a command that is missing here fails a test."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedHall]:
    if PROGRAM is None:
        pytest.skip("there is no mosquitto here")
    hall = ServedHall(tmp_path_factory.mktemp("hall"))
    hall.pair()
    hall.command("sign_up", people=["Ana", "Ben", "Cleo", "Dan"])
    yield hall
    hall.stop()


@pytest.fixture(scope="module")
def people(hall: ServedHall) -> dict[str, Client]:
    """Somebody in each role, and one who was the organiser and has signed out."""
    people = {role: Client(hall.port) for role in ("watcher", "player", "helper", "gone")}
    enter(people["player"], "/api/sign-up", {"name": "Finn"})
    enter(people["helper"], "/api/pair", {"code": hall.desk()["helper_code"]})
    people["gone"].cookie = hall.cookie
    assert people["gone"].post("/api/sign-out", {}).status == 200
    hall.pair()
    people["organiser"] = Client(hall.port)
    people["organiser"].cookie = hall.cookie
    return people


def enter(client: Client, address: str, value: object) -> None:
    answer = client.post(address, value)
    assert answer.status == 200, answer
    client.cookie = answer.headers["set-cookie"].partition(";")[0]


def role_shown(role: str) -> str:
    return "watcher" if role == "gone" else role


def command(client: Client, wish: c.DeskCommand, **headers: str | None) -> Reply:
    body = msgspec.json.encode({"command": wish, "version": None})
    return client.post("/api/commands", body, **headers)


def test_every_command_has_an_example_and_says_who_may_give_it():
    assert COMMAND_EXAMPLES.keys() == COMMANDS.keys() == set(get_args(c.DeskCommand))


def test_every_address_is_in_the_list_and_the_list_has_no_other():
    app = Flask("hall")
    HallDoors(None, None, "", str).open(app)  # type: ignore[arg-type]
    rules = {
        f"{method} {rule.rule}"
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert rules == set(ROUTES)


@pytest.mark.parametrize("role", ["watcher", "player", "helper", "gone", "organiser"])
def test_a_role_gives_the_commands_that_are_its_own_and_no_other(hall, people, role):
    assert visitor(people[role])["role"] == role_shown(role)
    for kind, wish in COMMAND_EXAMPLES.items():
        allowed = role_shown(role) in COMMANDS[kind]
        before = hall.evening()["version"]
        answer = command(people[role], wish)
        assert (answer.status != 403) == allowed, (kind, answer)
        if not allowed:
            assert answer.json["error"] == "not_the_desk"
            assert hall.evening()["version"] == before


@pytest.mark.parametrize("role", ["watcher", "player", "helper", "gone", "organiser"])
def test_a_role_enters_the_addresses_that_are_its_own_and_no_other(people, role):
    client = Client(people[role].port)
    for line, roles in ROUTES.items():
        # A fresh client each time: some addresses end the session of whoever calls them.
        client.cookie = None if line == "POST /api/sign-out" else people[role].cookie
        asked = "watcher" if client.cookie is None else role_shown(role)
        method, _, path = line.partition(" ")
        address = path.replace("<path:filename>", "icon.svg").replace("<what>", "seats")
        answer = client.get(address) if method == "GET" else client.post(address, {"no": "thing"})
        if line != "POST /api/leave" or asked != "player":
            assert (answer.status == 403) == (asked not in roles), (line, answer)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        pytest.param({"Origin": "http://elsewhere.example"}, 403, id="a page elsewhere"),
        pytest.param({"Host": "elsewhere.example"}, 421, id="a name that was bent to this hall"),
        pytest.param({"Content_Type": "text/plain"}, 415, id="a form of a page elsewhere"),
    ],
)
def test_pages_elsewhere_cannot_use_the_organisers_session(hall, people, headers, status):
    before = hall.evening()["version"]
    answer = command(people["organiser"], c.SignUp(("Zed",)), **headers)
    assert answer.status == status
    assert hall.evening()["version"] == before


@pytest.mark.parametrize("role", ["watcher", "player", "helper"])
def test_nobody_below_sees_the_codes_of_those_above(hall, people, role):
    desk = hall.desk()
    secrets = {hall.code, desk["helper_code"]} | (
        {desk["table_code"]} if role != "helper" else set()
    )
    for line in ROUTES:
        method, _, path = line.partition(" ")
        if method == "GET" and "<" not in path:
            body = people[role].get(path).body.decode(errors="replace")
            for secret in secrets:
                assert secret not in body, (line, secret)


def test_a_player_takes_themselves_off_the_list_and_nobody_else(hall):
    phones = [Client(hall.port), Client(hall.port)]
    for phone, name in zip(phones, ("Ida", "Jon"), strict=True):
        enter(phone, "/api/sign-up", {"name": name})
    assert phones[0].post("/api/leave", {"person": 1, "name": "Jon"}).status == 200
    here = {one["name"]: one["here"] for one in hall.evening()["people"]}
    assert (here["Ida"], here["Jon"]) == (False, True)


def test_a_table_hears_only_what_is_said_to_it_and_to_all(hall, tmp_path):
    code = hall.desk()["table_code"]
    for number in (21, 22):
        join(tmp_path / str(number), f"127.0.0.1:{hall.port}", code, number)
    heard: list[str] = []
    ear = listener(tmp_path / "22", heard)
    eventually(lambda: "hall/22/ack" in heard)
    with TableProcess(21, tmp_path / "21").start():
        eventually(lambda: 21 in {one for one, _ in hall.results()})
    hall.command("draw_round", seed=3, anyway=True)
    hall.command("set_clock", what="start", minutes=5)
    eventually(lambda: heard.count("hall/all/clock") > 1)
    ear.disconnect()
    ear.loop_stop()
    assert set(heard) <= {"hall/22/ack", "hall/22/orders", "hall/all/clock"}


def listener(folder: Path, heard: list[str]) -> Any:
    """Somebody with a table's password who wants to hear everything."""
    member = read_membership(folder)
    assert member is not None
    client = mqtt.Client(CallbackAPIVersion.VERSION2)
    client.tls_set_context(ssl.create_default_context(cafile=folder / "hall.pem"))
    client.username_pw_set(str(member.table), member.password)
    client.on_connect = lambda who, *_: who.subscribe("#", 1)
    client.on_message = lambda _client, _data, message: heard.append(message.topic)
    client.connect("localhost", member.port)
    client.loop_start()
    return client
