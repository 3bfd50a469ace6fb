"""Who comes into a hall, and who a phone is taken for afterwards."""

from __future__ import annotations

import json
import select
import socket
from contextlib import ExitStack, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask

from companion.hall.commands import DeskCommand, Leave, SignUp
from companion.hall.evening import Evening
from companion.hall.keeper import HallKeeper
from companion.keeping.restore import begin_anew
from tests.hall.served_hall import ServedHall, visitor
from tests.home.broker import PROGRAM
from tests.kit.served import Client, eventually
from web.access.pairing import Pairing
from web.hall.entry import HallEntry

TABLETS, PHONES = 9, 400


class Crowded(HallKeeper):
    """A hall in which somebody else signs up right after everybody."""

    def do(self, command: DeskCommand, version: int | None = None) -> Evening:
        evening = super().do(command, version)
        if isinstance(command, SignUp):
            super().do(SignUp((f"after {command.people[0]}",)))
        return evening


def test_a_phone_is_the_person_who_signed_up_with_it_also_in_a_crowd(tmp_path: Path) -> None:
    with closing(Crowded(tmp_path)) as keeper:
        answer = signed_up(keeper, "Ana")
        assert keeper.evening.name(answer["person"]) == "Ana"


def test_nobody_takes_the_place_of_a_person_who_has_left(tmp_path: Path) -> None:
    with closing(HallKeeper(tmp_path)) as keeper:
        ana = signed_up(keeper, "Ana")["person"]
        keeper.do(Leave(ana))
        assert signed_up(keeper, "ana")["error"] == "same_name"
        assert not keeper.evening.people[ana].here
        keeper.do(SignUp(("ana",)))
        assert keeper.evening.people[ana].here


def signed_up(keeper: HallKeeper, name: str) -> Any:
    app = Flask("hall")
    hall: Any = SimpleNamespace(keeper=keeper)
    HallEntry(hall, Pairing(), "cookie").open(app)
    return app.test_client().post("/api/sign-up", json={"name": name}).json


def test_a_phone_of_the_evening_before_is_nobody_in_the_next(tmp_path: Path) -> None:
    """Its number is somebody else's there."""
    if PROGRAM is None:
        pytest.skip("there is no mosquitto here")
    hall = ServedHall(tmp_path)
    phone = Client(hall.port)
    answer = phone.post("/api/sign-up", {"name": "Ana"})
    phone.cookie = answer.headers["set-cookie"].partition(";")[0]
    hall.stop()
    hall = again(hall)
    assert visitor(phone)["person"] == 1, "a restart changes nothing"
    hall.stop()
    begin_anew(tmp_path / "hall")
    hall = again(hall)
    hall.pair()
    hall.command("sign_up", people=["Zoe"])
    seen = visitor(phone)
    hall.stop()
    assert (seen["role"], seen["person"]) == ("watcher", None)


def again(hall: ServedHall) -> ServedHall:
    """The same hall, opened once more at the same address."""
    return ServedHall(hall.folder, port=hall.port)


def test_a_hall_has_as_many_helpers_as_it_needs(served_hall: ServedHall) -> None:
    code = served_hall.desk()["helper_code"]
    tablets = [Client(served_hall.port) for _ in range(TABLETS)]
    for tablet in tablets:
        answer = tablet.post("/api/pair", {"code": code})
        tablet.cookie = answer.headers["set-cookie"].partition(";")[0]
    assert [visitor(tablet)["role"] for tablet in tablets] == ["helper"] * TABLETS


def test_a_page_that_comes_later_hears_what_time_it_is_by_then(served_hall: ServedHall) -> None:
    """Its clock would count down from when the first page had asked."""

    def now() -> int:
        answer = served_hall.get("/api/evening", Accept_Encoding="gzip")
        assert answer.headers["content-encoding"] == "gzip"
        return int(json.loads(answer.headers["companion-visitor"])["now"])

    first = now()
    eventually(lambda: now() > first)


def test_hundreds_of_phones_keep_their_connections(served_hall: ServedHall) -> None:
    """A connection that is cut off between two looks would look like a hall that is gone."""
    with ExitStack() as stack:
        phones = []
        for number in range(PHONES):
            phone = socket.socket()
            stack.callback(phone.close)
            phone.bind((f"127.{number % 200 + 1}.{number // 200 + 1}.9", 0))
            phone.connect(("127.0.0.1", served_hall.port))
            phones.append(phone)
        assert served_hall.get("/healthz").status == 200, "all who came before are let in by now"
        assert select.select(phones, [], [], 0)[0] == []


def test_all_who_look_are_answered_alike(served_hall: ServedHall) -> None:
    """So that an answer is compressed once for hundreds of phones."""
    phones = [Client(served_hall.port) for _ in range(3)]
    for number, phone in enumerate(phones):
        answer = phone.post("/api/sign-up", {"name": f"P{number}"})
        phone.cookie = answer.headers["set-cookie"].partition(";")[0]
    answers = [phone.get("/api/evening") for phone in [*phones, Client(served_hall.port)]]
    assert len({answer.body for answer in answers}) == 1
    assert len({answer.headers["etag"] for answer in answers}) == 1
    assert [visitor(phone)["person"] for phone in phones] == [1, 2, 3]
    tag = answers[0].headers["etag"]
    answer = phones[0].get("/api/evening", If_None_Match=tag)
    assert (answer.status, answer.body) == (304, b"")
    assert json.loads(answer.headers["companion-visitor"])["now"] > 0
