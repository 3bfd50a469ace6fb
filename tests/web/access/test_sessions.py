"""Whose a session is: attacks on phones, seats and the referee, made through the doors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.keeping import backups
from companion.keeping.restore import restore
from tests.kit.served import Served, eventually
from web.access.devices import Browser
from web.access.knock import GOOD_FOR, SHOWN_FOR, Knock

DEAL: tuple[tuple[str, dict[str, Any]], ...] = (
    ("start_match", {}),
    ("choose_dealer", {"seat": 1}),
    ("deal", {}),
)
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile Safari/604.1"
CHROME = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36"


def sit(served: Served, *names: str) -> None:
    for name in names:
        assert served.do("sit", name=name).status == 200


def deal(served: Served) -> None:
    for kind, fields in DEAL:
        assert served.do(kind, **fields).status == 200


def session(served: Served, cookie: str) -> Any:
    return served.get("/api/session", Cookie=cookie).json


def cookie_of(answer: Any) -> str:
    assert answer.status == 200, answer
    return str(answer.headers["set-cookie"].partition(";")[0])


def test_after_undo_a_phone_is_not_the_next_guests(served):
    """As it was found: Ben sits, pairs his phone, undo, Carla sits; Ben's phone was Carla's."""
    sit(served, "Ana", "Ben")
    ben = served.paired_phone(2)
    served.do("undo")
    sit(served, "Carla")
    assert session(served, ben) == {"role": "watcher"}
    assert served.table["seats"][1]["phone"] is False


def test_after_a_restore_a_phone_only_watches(tmp_path: Path) -> None:
    """As it was found: after a restore Ben's phone was that of whoever sat down next."""
    served = Served(tmp_path)
    served.pair()
    sit(served, "Ana")
    copy = backups.make(tmp_path / "data", "asked")
    sit(served, "Ben")
    referee, ana, ben = served.cookie, served.paired_phone(1), served.paired_phone(2)
    served.stop()
    restore(tmp_path / "data", copy)
    (tmp_path / "data" / "players-so-far").unlink()
    served = Served(tmp_path, port=served.port)
    try:
        served.cookie = referee
        sit(served, "Carla")
        assert served.get("/api/session").json == {"role": "referee"}
        assert session(served, ben) == session(served, ana) == {"role": "watcher"}
        assert [seat["phone"] for seat in served.table["seats"]] == [False, False]
    finally:
        served.stop()


def test_a_phone_goes_on_after_an_ordinary_restart(tmp_path: Path) -> None:
    served = Served(tmp_path)
    served.pair()
    sit(served, "Ana")
    ana = served.paired_phone(1)
    served.stop()
    served = Served(tmp_path, port=served.port)
    try:
        assert session(served, ana) == {"role": "player", "seat": 1}
    finally:
        served.stop()


def test_a_code_read_while_people_sat_down_is_worthless_after_the_deal(served):
    """As it was found: four such pairings pushed the owner's phone out."""
    sit(served, "Ana", "Ben")
    code = served.get("/api/seats/2", Cookie=None).json["code"]
    ben = served.paired_phone(2)
    assert served.phone(2, code).json["error"] == "wrong_code", "a code pairs once"
    later = served.get("/api/seats/2").json["code"]
    deal(served)
    for stolen in (code, later):
        assert served.phone(2, stolen).status == 403
    assert session(served, ben) == {"role": "player", "seat": 2}
    assert cookie_of(served.phone(2, served.get("/api/seats/2").json["code"]))


def test_the_code_of_a_seat_with_a_phone_is_the_referees_to_show(served):
    sit(served, "Ana")
    assert served.get("/api/seats/1", Cookie=None).status == 200
    served.paired_phone(1)
    assert served.get("/api/seats/1", Cookie=None).status == 403
    assert served.get("/api/seats/1.svg", Cookie=None).status == 403
    assert served.get("/api/seats/1").status == 200


def test_a_guest_takes_a_free_seat_by_the_boards_link_until_the_deal(served):
    assert served.get("/api/join", Cookie=None).json["watch"] == f"{served.address}/"
    sit(served, "Ana")
    guest = cookie_of(served.post("/api/sit", {"name": "Zoe"}, Cookie=None))
    assert session(served, guest) == {"role": "player", "seat": 2}
    assert served.table["seats"][1]["phone"] is True
    again = served.post("/api/sit", {"name": "Zoe 2"}, Cookie=guest)
    assert (again.status, again.json["error"]) == (409, "seated_already")
    assert served.post("/api/sit", {"name": "zoe"}, Cookie=None).json["error"] == "name_taken"
    assert served.post("/api/sit", {"name": "\u3164"}, Cookie=None).status == 422
    deal(served)
    late = served.post("/api/sit", {"name": "Late"}, Cookie=None)
    assert (late.status, late.json["error"]) == (409, "dealt")


@pytest.mark.parametrize("body", [{}, [], {"name": 5}, {"name": "Zoe", "seat": 3}, b"no json"])
def test_a_guest_says_a_name_and_nothing_else(served, body):
    assert served.post("/api/sit", body, Cookie=None).status == 400
    assert served.table["seats"] == []


def test_one_guest_cannot_take_the_whole_table(served):
    taken = [served.post("/api/sit", {"name": f"Me {n}"}, Cookie=None).status for n in range(10)]
    assert taken.count(200) == 4
    assert set(taken[4:]) == {429}
    foreign = served.post("/api/sit", {"name": "X"}, Cookie=None, Origin="http://evil.example")
    assert foreign.status == 403


def test_the_code_on_the_board_makes_one_referee(served):
    """As it was found: anybody in the network became referee by it, and nobody noticed."""
    screen = served.screen()
    served.post("/api/pairing", {})
    code = served.get("/api/pairing", Cookie=None).json["code"]
    other = cookie_of(served.post("/api/pair", {"code": code}, Cookie=None, User_Agent=CHROME))
    assert session(served, other) == {"role": "referee"}
    assert served.post("/api/pair", {"code": code}, Cookie=None).status == 403
    assert served.get("/api/pairing", Cookie=None).status == 403, "it is not shown any more"
    told = screen.call("catch_up", {})["newcomer"]
    assert told["name"] == "Android · Chrome"
    served.post("/api/pairing", {})
    assert served.get("/api/pairing", Cookie=None).json["code"] != code
    screen.close()


def test_every_referee_sees_who_is_paired_and_can_end_one_or_all(served):
    sit(served, "Ana")
    phone = served.paired_phone(1)
    stranger = cookie_of(
        served.post("/api/pair", {"code": served.code}, Cookie=None, User_Agent=IPHONE)
    )
    devices = served.get("/api/devices").json["devices"]
    assert [(one["referee"], one["seat"], one["own"]) for one in devices] == [
        (True, None, False),
        (False, 1, False),
        (True, None, True),
    ]
    assert devices[0]["name"] == "iPhone · Safari"
    assert all(one["since"] <= one["seen"] for one in devices)
    assert served.get("/api/devices", Cookie=phone).status == 403
    assert served.post("/api/devices/end", {"number": 1}, Cookie=phone).status == 403
    left = served.post("/api/devices/end", {"number": devices[0]["number"]}).json["devices"]
    assert len(left) == 2
    assert session(served, stranger) == {"role": "watcher"}
    assert served.post("/api/devices/end", {"number": "all"}).status == 400
    served.post("/api/sign-out/others", {})
    assert session(served, phone) == {"role": "watcher"}
    assert [one["own"] for one in served.get("/api/devices").json["devices"]] == [True]


def test_only_who_was_referee_before_is_told_of_a_new_one(served):
    first = served.screen()
    assert first.call("catch_up", {})["newcomer"] is None
    second = cookie_of(served.post("/api/pair", {"code": served.code}, Cookie=None))
    assert eventually(lambda: first.call("catch_up", {})["newcomer"])
    first.close()
    served.cookie = second
    latest = served.screen()
    assert latest.call("catch_up", {})["newcomer"] is None
    latest.close()
    watching = served.screen(watching=True)
    assert "newcomer" not in watching.call("catch_up", {})
    watching.close()


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (IPHONE, "iPhone · Safari"),
        (CHROME, "Android · Chrome"),
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
            "Linux · Firefox",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/126.0 Safari/537.36 Edg/126.0", "Windows · Edge"),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", ""),
    ],
)
def test_a_device_is_named_by_its_machine_and_browser(agent, name):
    assert Browser("10.0.0.2", agent).name == name


def test_the_code_on_the_board_is_another_each_time_and_good_a_little_longer():
    clock = [0.0]
    knock = Knock(lambda: clock[0])
    assert knock.code() is None
    knock.show()
    first = knock.code()
    knock.show()
    assert knock.code() == first, "asking twice changes nothing for whoever reads it"
    clock[0] = SHOWN_FOR + 1
    assert (knock.showing, knock.code()) == (False, first)
    clock[0] = GOOD_FOR + 1
    assert knock.code() is None
    knock.show()
    assert knock.code() not in (None, first)
