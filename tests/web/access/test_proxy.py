"""A proxy that the configuration names is believed about its clients, and nobody else is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import Client, TestResponse

from companion.cli.assemble import open_whole_table
from companion.cli.options import plan_of
from companion.settings.configuration import ServerSettings, examine
from web.access.guard import AT_ONCE
from web.access.invitations import addresses
from web.access.pairing import TRIES, Pairing
from web.app import Application
from web.transport.limits import network

PROXY = "10.0.0.1"
TOML = {"server": {"proxies": [PROXY], "address": "https://table.example"}}


@pytest.fixture
def application(tmp_path: Path) -> Iterator[Application]:
    settings, mistakes = examine(TOML)
    assert mistakes == []
    application = Application(
        open_whole_table(plan_of(None, tmp_path, simulate=True)),
        Pairing(None, "ABCDEFGH", proxies=settings.server.proxies),
        port=80,
        clients=8,
        names=settings.server.all_names,
    )
    yield application
    application.close()


def pair(
    application: Application, code: str, client: str, peer: str = PROXY, **headers: str
) -> TestResponse:
    said = {"X-Forwarded-For": client, "X-Forwarded-Proto": "https", "Host": "table.example"}
    said |= {name.replace("_", "-"): value for name, value in headers.items()}
    return Client(application).post(
        "/api/pair", json={"code": code}, headers=said, environ_base={"REMOTE_ADDR": peer}
    )


def test_limits_count_the_people_behind_a_proxy(application):
    for _ in range(TRIES):
        assert pair(application, "WRONGONE", "10.0.0.66").status_code == 403
    assert pair(application, "WRONGONE", "10.0.0.66").status_code == 429
    assert pair(application, "WRONGONE", "10.0.0.7").status_code == 403
    assert pair(application, "WRONGONE", "10.0.0.66, 10.0.0.8").status_code == 403, "the last"
    application._guarded.allowance.charge(network("10.0.0.9"), AT_ONCE)
    asked = {"REMOTE_ADDR": PROXY}
    for client, status in (("10.0.0.9", 429), ("10.0.0.10", 200)):
        answer = Client(application).get(
            "/api/state", headers={"X-Forwarded-For": client}, environ_base=asked
        )
        assert answer.status_code == status


def test_who_is_no_proxy_is_not_believed(application):
    for number in range(TRIES):
        answer = pair(application, "WRONGONE", f"10.0.9.{number}", peer="10.0.0.66")
        assert answer.status_code == 403
    assert pair(application, "WRONGONE", "10.0.9.200", peer="10.0.0.66").status_code == 429
    answer = pair(application, "ABCDEFGH", "10.0.9.1", peer="10.0.0.66")
    assert "Secure" not in answer.headers["Set-Cookie"]


def test_a_session_over_tls_stays_on_tls_and_its_own_page_may_act(application):
    answer = pair(application, "ABCDEFGH", "10.0.0.7", Origin="https://table.example")
    assert answer.status_code == 200
    assert "Secure" in answer.headers["Set-Cookie"]
    assert (
        pair(application, "ABCDEFGH", "10.0.0.7", Origin="http://evil.example").status_code == 403
    )
    foreign = pair(application, "ABCDEFGH", "10.0.0.7", X_Forwarded_Host="evil.example")
    assert foreign.status_code == 421


def test_links_lead_to_the_proxy():
    settings, _ = examine(TOML)
    assert addresses(settings.server, 8080) == ["https://table.example"]
    assert addresses(ServerSettings(host="10.0.0.5"), 8080) == ["http://10.0.0.5:8080"]


@pytest.mark.parametrize(
    "server", [{"proxies": ["my proxy"]}, {"proxies": "127.0.0.1"}, {"address": "table.example"}]
)
def test_a_mistake_about_a_proxy_is_named(server):
    assert examine({"server": server})[1]
