"""The check of the buttons over both doors: open to watch, the referee's to act on."""

from __future__ import annotations

import json
import queue
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from companion.referee.commands import Fault
from hardware.checkup.selftest import Why
from hardware.outputs.lamps import LampState
from hardware.wiring.wiring import ID_PINS, SPECIAL_PINS, OpenName
from tests.kit.served import PATIENCE, Served, eventually

STATIC = Path(__file__).parents[3] / "web" / "static"
MOST_A_SECOND = 10
HAND_BACK = 0.06
CONFIG = "[hardware]\nseats = 3\nspares = 1\n"


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One table for all that leaves nothing behind."""
    served = Served(tmp_path_factory.mktemp("bench"), CONFIG)
    served.pair()
    yield served
    served.stop()


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One table whose buttons are pushed by everybody."""
    served = Served(tmp_path_factory.mktemp("busy"), CONFIG)
    served.pair()
    yield served
    served.stop()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path, CONFIG)
    served.pair()
    yield served
    served.stop()


def push(served: Served, button: int, *, down: bool) -> None:
    assert served.post("/api/simulate", {"button": button, "down": down}).status == 200


def tap(served: Served, button: int) -> None:
    """Push a button until the table has heard it, and let it go."""
    before = presses(served, button)
    push(served, button, down=True)
    eventually(lambda: presses(served, button) > before)
    push(served, button, down=False)
    # No hand is back sooner, and a contact that is would be taken to bounce.
    time.sleep(HAND_BACK)


def presses(served: Served, button: int) -> int:
    count: int = served.get("/api/hardware").json["buttons"][button - 1]["presses"]
    return count


def test_the_page_is_there(bench):
    page = bench.get("/hardware")
    assert page.status == 200
    assert b"/hardware-" in page.body


def test_the_check_tells_how_the_buttons_are_read_and_why(bench):
    check = bench.get("/api/hardware").json
    assert (check["factory"], check["why"], check["simulated"]) == ("simulated", "asked", True)
    assert [button["spare"] for button in check["buttons"]] == [False, False, False, True]
    assert check["fairness"]["verdict"] == "unknown"


@pytest.mark.parametrize(("ending", "kind"), [("txt", "text/plain"), ("json", "application/json")])
def test_anybody_may_save_the_report(bench, ending, kind):
    saved = bench.get(f"/api/hardware/report.{ending}", Cookie=None)
    assert saved.status == 200
    assert saved.headers["content-type"].startswith(kind)
    assert f"buttons-and-lamps.{ending}" in saved.headers["content-disposition"]
    if ending == "json":
        assert json.loads(saved.body)["check"]["factory"] == "simulated"
    else:
        assert "Pin factory: simulated" in saved.body.decode()


@pytest.mark.parametrize(
    ("door", "body"), [("lamps", {}), ("lamps", {"trial": True}), ("check", {"on": True})]
)
def test_a_watcher_lights_no_lamp_and_keeps_no_press_back(bench, door, body):
    refused = bench.post(f"/api/hardware/{door}", body, Cookie=None)
    assert (refused.status, refused.json["error"]) == (403, "not_the_referee")
    check = bench.get("/api/hardware").json
    assert not check["checking"]
    assert not any(button["lamp_tested"] for button in check["buttons"])


@pytest.mark.parametrize("body", [[], 1, "x", None, {"button": True}, {"button": "1"}, {"a": 1}])
def test_a_lamp_test_that_makes_no_sense_is_refused_with_an_example(bench, body):
    refused = bench.post("/api/hardware/lamps", body)
    assert (refused.status, refused.json["error"]) == (400, "wrong_value")


@pytest.mark.parametrize("body", [{}, {"on": 1}, {"on": True, "more": 1}, []])
def test_a_check_that_makes_no_sense_is_refused(bench, body):
    assert bench.post("/api/hardware/check", body).status == 400


def test_the_trial_of_the_lights_keeps_presses_back_until_the_check_ends(table):
    assert table.post("/api/hardware/lamps", {"trial": True}).json == {"trial": True}
    check = table.get("/api/hardware").json
    assert check["checking"]
    assert (check["lights"]["state"], check["lights"]["left"]) == ("lit", 20)
    assert check["lights"]["lit"] in (1, 2, 3, 4)
    table.post("/api/hardware/check", {"on": False})
    assert table.get("/api/hardware").json["lights"] is None


def test_a_lamp_that_is_not_there_is_a_sentence(bench):
    refused = bench.post("/api/hardware/lamps", {"button": 9})
    assert (refused.status, refused.json["error"]) == (409, "no_lamp")


def test_the_referee_lights_one_lamp(bench):
    answer = bench.post("/api/hardware/lamps", {"button": 2}).json
    assert answer["button"] == 2
    assert answer["seconds"] > 0
    screen = bench.screen(watching=True)
    checks = shown_to(screen)
    bench.post("/api/hardware/lamps", {"button": 3})
    eventually(lambda: lit(checks.get(timeout=PATIENCE)) == [3])
    eventually(lambda: lit(checks.get(timeout=PATIENCE)) == [])
    screen.close()


def lit(check: dict) -> list[int]:
    return [button["number"] for button in check["buttons"] if button["lamp_tested"]]


def shown_to(screen) -> queue.Queue:
    """Let a screen watch the buttons; what it is shown arrives here."""
    checks: queue.Queue = queue.Queue()
    screen.client.on("hardware", checks.put)
    screen.client.emit("watch_hardware")
    checks.put(checks.get(timeout=PATIENCE))
    return checks


def test_a_watching_screen_sees_a_press_and_its_release(busy):
    busy.post("/api/hardware/check", {"on": True})
    before = presses(busy, 2)
    screen = busy.screen(watching=True)
    checks = shown_to(screen)
    push(busy, 2, down=True)
    eventually(lambda: checks.get(timeout=PATIENCE)["buttons"][1]["down"])
    push(busy, 2, down=False)
    check = eventually(lambda: next_released(checks))
    assert check["buttons"][1]["presses"] == before + 1
    assert check["walk"]["heard"] == [2]
    screen.close()
    busy.post("/api/hardware/check", {"on": True})
    assert busy.get("/api/hardware").json["walk"]["heard"] == []


def next_released(checks: queue.Queue) -> dict | None:
    check = checks.get(timeout=PATIENCE)
    return check if check["buttons"][1]["typical_dwell"] else None


def test_who_does_not_watch_the_buttons_is_not_told_of_them(busy):
    screen, other = busy.screen(), busy.screen()
    told: list[object] = []
    other.client.on("hardware", told.append)
    checks = shown_to(screen)
    push(busy, 3, down=True)
    eventually(lambda: checks.get(timeout=PATIENCE)["buttons"][2]["down"])
    other.call("catch_up", {})
    assert told == []
    for one in (screen, other):
        one.close()
    push(busy, 3, down=False)


def test_a_flood_of_pushes_is_told_in_few_messages_and_the_last_is_the_truth(busy):
    screen = busy.screen(watching=True)
    checks = shown_to(screen)
    while not checks.empty():
        checks.get()
    began = time.monotonic()
    for _ in range(60):
        for down in (True, False):
            push(busy, 4, down=down)
    truth = eventually(lambda: settled(busy))
    eventually(lambda: checks.queue and same(checks.queue[-1], truth))
    took = time.monotonic() - began
    assert checks.qsize() <= MOST_A_SECOND * took + 2
    screen.close()


def settled(table: Served) -> dict | None:
    """The check, once it has not changed for a moment."""
    one = table.get("/api/hardware").json
    time.sleep(0.3)
    other = table.get("/api/hardware").json
    return other if same(one, other) else None


def same(one: dict, other: dict) -> bool:
    return {**one, "at": 0} == {**other, "at": 0}


def test_during_a_check_a_press_seats_nobody_and_afterwards_it_does(table):
    assert table.post("/api/hardware/check", {"on": True}).json == {"on": True}
    tap(table, 1)
    assert table.get("/api/hardware").json["checking"]
    assert table.state()["hardware"]["checking"]
    assert table.table["seats"] == []
    table.post("/api/hardware/check", {"on": False})
    assert not table.state()["hardware"]["checking"]
    tap(table, 1)
    seats = eventually(lambda: table.table["seats"])
    assert [seat["button"] for seat in seats] == [1]


def test_hands_that_land_in_a_race_always_count(table):
    for number, name in enumerate(("Ana", "Ben", "Cam"), 1):
        table.do("sit", name=name, button=number)
    for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": 1}), ("deal", {})):
        assert table.do(kind, **fields).status == 200
    table.post("/api/hardware/check", {"on": True})
    assert table.do("declare_race", layer=1).status == 200
    eventually(lambda: not table.get("/api/hardware").json["checking"])
    for door, body in (("check", {"on": True}), ("lamps", {})):
        refused = table.post(f"/api/hardware/{door}", body)
        assert (refused.status, refused.json["error"]) == (409, "race_open")
    assert table.post("/api/hardware/check", {"on": False}).status == 200
    tap(table, 2)
    eventually(lambda: [slap["seat"] for slap in table.table["race"]["slaps"]] == [2])


def test_a_table_says_at_its_start_that_its_buttons_are_simulated(bench):
    assert any("Buttons are simulated" in line for line in bench.lines)


def test_every_word_that_the_buttons_can_say_is_in_the_catalogue():
    """The page makes these keys from words of the hardware, which the catalogue cannot see."""
    texts = json.loads((STATIC / "texts" / "en.json").read_text())
    known = texts["hardware"]
    assert {slug(state.value) for state in LampState} | {"tested"} == known["lamp"].keys()
    jobs = {slug(job) for job, pins in SPECIAL_PINS.items() if pins != ID_PINS}
    assert known["shared"].keys() == jobs
    assert known["factory"].keys() == set(get_args(OpenName))
    assert known["why"].keys() == set(get_args(Why))
    assert texts["fault"].keys() == set(get_args(Fault))


def slug(words: str) -> str:
    return re.sub(r"\W+", "_", words)
