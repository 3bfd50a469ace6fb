"""Every address and every live message has a line in the list of who may; all else is closed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import Client, TestResponse

from companion.cli.assemble import open_whole_table
from companion.cli.options import plan_of
from web.access.devices import Browser, Whose
from web.access.guard import AT_ONCE
from web.access.pairing import Pairing
from web.access.permissions import EVENTS, EVERYONE, REFEREE, ROUTES, SAFE_ROUTES, SEATED
from web.app import Application
from web.server.recovery_page import RecoveryApplication
from web.transport.limits import network


@pytest.fixture(scope="module")
def application(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Application]:
    folder: Path = tmp_path_factory.mktemp("doors")
    plan = plan_of(None, folder, simulate=True)
    application = Application(open_whole_table(plan), Pairing(), port=80, clients=8)
    yield application
    application.close()


def addresses(application: Application) -> set[str]:
    """Every address that is answered, and how."""
    return addresses_of(application.flask)


def addresses_of(app: Flask) -> set[str]:
    return {
        f"{method} {rule.rule}"
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def ask(application: Application, method: str, path: str, role: str = "watcher") -> TestResponse:
    client = Client(application)
    pairing = application.pairing
    if role == "referee":
        client.set_cookie(application.cookie, pairing.pair(pairing.code, Browser("10.0.0.2")))
    elif role == "player":
        token = pairing.pair_phone(1, pairing.code_of(1), Browser("10.0.0.3"))
        client.set_cookie(application.cookie, token)
    return client.open(path, method=method, json={})


def test_every_address_has_a_decision(application):
    assert addresses(application) == ROUTES.keys()


def test_the_safe_page_has_its_own_list_and_keeps_to_it(tmp_path):
    safe = RecoveryApplication(
        tmp_path, (), Pairing(), port=80, names=(), try_again=pytest.fail, support=pytest.fail
    )
    assert addresses_of(safe.flask) == SAFE_ROUTES.keys()
    safe.flask.add_url_rule("/novelty", "novelty", lambda: "open")
    client = Client(safe)
    assert client.get("/novelty").status_code == 403
    for route in (route for route, may in SAFE_ROUTES.items() if may == REFEREE):
        method, _, rule = route.partition(" ")
        assert client.open(rule.replace("<name>", "x"), method=method).status_code == 403, route
    client.set_cookie(safe.cookie, safe.pairing.pair(safe.pairing.code, Browser("10.0.0.2")))
    assert client.get("/novelty").status_code == 403
    assert client.get("/journal.zip").status_code == 200


def test_every_live_message_has_a_decision(application):
    (namespace,) = application.socketio.server.handlers
    assert application.socketio.server.handlers[namespace].keys() == EVENTS.keys()


@pytest.mark.parametrize("role", ["watcher", "player"])
@pytest.mark.parametrize("route", [route for route, may in ROUTES.items() if may == REFEREE])
def test_what_is_the_referees_is_closed_to_everybody_else(application, route, role):
    method, _, rule = route.partition(" ")
    answer = ask(application, method, re.sub(r"<int:\w+>", "1", rule), role)
    assert (answer.status_code, answer.get_json()["error"]) == (403, "not_the_referee")


def test_there_are_decisions_of_both_kinds():
    assert set(ROUTES.values()) == {EVERYONE, REFEREE}
    assert {event: may for event, may in EVENTS.items() if may != EVERYONE} == {
        "clock": SEATED,
        "simulate": REFEREE,
    }
    changing = {route for route in ROUTES if not route.startswith("GET ")}
    assert {route for route in changing if ROUTES[route] != REFEREE} == {
        "POST /api/pair",
        "POST /api/sign-out",
        "POST /api/sit",
        "POST /api/commands",
        # A long question, which changes nothing.
        "POST /api/what-if",
    }


def test_a_new_address_is_closed_to_everybody_until_somebody_decides(tmp_path):
    plan = plan_of(None, tmp_path, simulate=True)
    application = Application(open_whole_table(plan), Pairing(), port=80, clients=8)
    try:
        application.flask.add_url_rule(
            "/novelty", "novelty", lambda: "open", methods=["GET", "POST"]
        )
        application.flask.add_url_rule("/api/state", "more", lambda: "open", methods=["PUT"])
        found = addresses(application) - ROUTES.keys()
        assert found == {"GET /novelty", "POST /novelty", "PUT /api/state"}
        for role in ("watcher", "player", "referee"):
            for method, path in (address.split() for address in found):
                answer = ask(application, method, path, role)
                assert answer.status_code == 403, (role, method, path)
    finally:
        application.close()


def test_an_address_that_asked_too_much_can_still_become_the_referee(application):
    client, whence = Client(application), {"REMOTE_ADDR": "10.0.0.66"}
    asking = application._guarded.allowance

    def pair(said: object) -> int:
        asking.charge(network("10.0.0.66"), AT_ONCE)
        return client.post("/api/pair", json=said, environ_base=whence).status_code

    assert pair({"code": "BBBB-BBBB"}) == pair(["BBBB-BBBB"]) == 429
    assert pair({"code": application.pairing.code}) == 200


class CountingPairing(Pairing):
    """Counts how often it is asked whose session a token opens."""

    asked = 0

    def session(self, token: str | None) -> Whose | None:
        self.asked += 1
        return super().session(token)


def test_who_sent_a_command_is_looked_up_once(tmp_path):
    plan = plan_of(None, tmp_path, simulate=True)
    pairing = CountingPairing()
    application = Application(open_whole_table(plan), pairing, port=80, clients=8)
    try:
        client = Client(application)
        client.set_cookie(application.cookie, pairing.pair(pairing.code, Browser("10.0.0.2")))
        sit = {"id": "a-new-one", "kind": "sit", "name": "Ana"}
        assert client.post("/api/commands", json=sit).status_code == 200
        assert pairing.asked == 1
    finally:
        application.close()
