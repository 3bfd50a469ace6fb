"""Guests watch, only the referee acts, and pages elsewhere can do nothing at all."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from companion.referee.commands import ButtonCommand, PassTime, PersonCommand, PushButton
from companion.service.envelope import PERSON_KINDS, decode
from tests.kit.served import Served, envelope
from web.access.permissions import MAY, may

NEVER_ASKED = 1_000_000
"""The number of a question that is far from being asked."""

WISHES: dict[str, dict[str, Any]] = {
    "sit": {"name": "Eve"},
    "stand": {"seat": 1},
    "rename": {"seat": 1, "name": "Eve"},
    "swap": {"seat": 1, "other": 2},
    "set_handicap": {"seat": 1, "milliseconds": 100},
    "choose_mark": {"seat": 1, "mark": 5},
    "assign_button": {"seat": 1},
    "set_up": {"scoring": "alternative"},
    "start_match": {},
    "draw_for_deal": {"cards": {"1": "red-5", "2": "red-6"}},
    "choose_dealer": {"seat": 1},
    "deal": {},
    "abandon_round": {},
    "switch_way": {"way": "free"},
    "turn_up": {"card": "red-5"},
    "play": {"card": "red-5"},
    "draw": {},
    "name_colour": {"colour": "red"},
    "challenge": {"guilty": True},
    "correct": {"turn": 1},
    "call": {"seat": 1},
    "withdraw_call": {"seat": 1},
    "catch": {"seat": 1},
    "declare_race": {"layer": 1},
    "change_layer": {"layer": 1},
    "rerun_race": {},
    "cancel_race": {},
    "slap_off": {},
    "pick_last": {"seats": [1]},
    "drawn": {"debt": 1},
    "forgive": {"debt": 1},
    "overrule": {"ruling": 1},
    "go_out": {"seat": 1},
    "enter_hand": {"seat": 1, "cards": {"red-5": 1}},
    "enter_points": {"seat": 1, "points": 5},
    "clear_hand": {"seat": 1},
    "score_round": {},
    "edit_round": {"round": 1, "out": 1},
    "play_on": {},
    "close_match": {},
    "rematch": {},
    "undo": {},
    "redo": {},
    "press_seat": {"seat": 1},
    "answer": {"question": NEVER_ASKED, "answer": "yes"},
    "change_play": {"turn": 1, "remove": True},
}
"""Every command that a screen can send, readable; a new one without a line here fails a test."""


def test_every_command_of_the_table_is_in_the_list_of_wishes():
    assert WISHES.keys() == PERSON_KINDS.keys()
    for kind, fields in WISHES.items():
        decode(envelope(kind, **fields))


def test_the_referee_may_give_every_command_of_a_person_and_none_of_a_button():
    assert MAY["referee"] == set(get_args(PersonCommand))
    assert not may("referee", PushButton(1, 0, 0))
    assert not may("referee", PassTime())
    assert not MAY["referee"] & set(get_args(ButtonCommand))


def test_a_command_that_nobody_has_thought_about_is_refused():
    class Novelty(PassTime):  # type: ignore[misc]
        """A command that was just invented."""

    assert not may("referee", Novelty())
    assert not may("nobody", PassTime())  # type: ignore[arg-type]


def test_an_invented_session_only_watches(shared):
    shared.cookie = f"companion-{shared.port}=" + "x" * 43
    assert shared.do("sit", name="Eve").status == 403
    assert shared.get("/api/session").json == {"role": "watcher"}


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"Origin": "http://evil.example"}, id="another site"),
        pytest.param({"Origin": "http://127.0.0.1:1"}, id="another port of this machine"),
        pytest.param({"Origin": "null"}, id="a sandboxed frame"),
        pytest.param({"Sec_Fetch_Site": "cross-site"}, id="a browser that says so"),
        pytest.param({"Sec_Fetch_Site": "same-site"}, id="a neighbour on the same host"),
    ],
)
def test_a_page_elsewhere_cannot_act_with_the_referees_own_browser(referee, headers):
    before = referee.table
    answer = referee.post("/api/commands", envelope("sit", name="Eve"), **headers)
    assert (answer.status, answer.json["error"]) == (403, "foreign_origin")
    assert referee.get("/socket.io/?EIO=4&transport=polling", **headers).status == 403
    assert referee.post("/api/pair", {"code": referee.code}, **headers).status == 403
    assert referee.table == before


def test_the_tables_own_page_may_act(served):
    origin = f"http://127.0.0.1:{served.port}"
    answer = served.post(
        "/api/commands", envelope("sit", name="Ana"), Origin=origin, Sec_Fetch_Site="same-origin"
    )
    assert answer.status == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "10.0.0.1", "", "a b", None])
@pytest.mark.parametrize(
    "path", ["/", "/api/state", "/socket.io/?EIO=4&transport=polling", "/static/js/tablet/main.js"]
)
def test_a_name_that_is_not_the_tables_is_turned_away_everywhere(watcher, host, path):
    answer = watcher.get(path, Host=host)
    # gunicorn itself refuses a request without any Host, or with one that is none.
    assert answer.status in ((421,) if host and " " not in host else (400, 421))
    assert b"phase" not in answer.body


def test_a_rebound_name_opens_no_live_session_even_with_a_matching_origin(watcher):
    evil = {"Host": "evil.example", "Origin": "http://evil.example"}
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13"}
    key = {"Sec_WebSocket_Key": "MDEyMzQ1Njc4OWFiY2RlZg=="}
    path = "/socket.io/?EIO=4&transport=websocket"
    assert watcher.get(path, **evil, **upgrade, **key).status == 421


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "localhost."])
def test_the_machines_own_names_are_welcome(watcher, host):
    assert watcher.get("/api/state", Host=f"{host}:{watcher.port}").status == 200


def test_forwarded_names_count_for_nothing(watcher):
    evil = {"X_Forwarded_Host": f"127.0.0.1:{watcher.port}", "Host": "evil.example"}
    assert watcher.get("/api/state", **evil).status == 421


def test_a_configured_name_is_welcome(tmp_path):
    served = Served(tmp_path, '[server]\nnames = ["cards.example"]\n')
    try:
        assert served.get("/api/state", Host="cards.example").status == 200
        assert served.get("/api/state", Host="other.example").status == 421
    finally:
        served.stop()
