"""The live door: every screen has the same view, presses come at once, and nobody lags behind."""

from __future__ import annotations

import json
import time
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from socketio.exceptions import ConnectionError as NotLetIn

from tests.kit.served import PATIENCE, Served, envelope, eventually
from tests.kit.waiting import until


def test_a_screen_is_shown_everything_as_it_comes_and_after_every_change(served):
    screen = served.screen()
    first = screen.views.get(timeout=PATIENCE)
    assert first["table"]["phase"] == "seating"
    answer = screen.call("command", envelope("sit", name="Ana"))
    view = screen.view_at(answer["version"])
    assert [seat["name"] for seat in view["table"]["seats"]] == ["Ana"]
    screen.close()


def test_both_doors_give_the_same_answer(served):
    screen = served.screen()
    tap = envelope("sit", name="Ana")
    acknowledged = screen.call("command", tap)
    assert acknowledged == served.post("/api/commands", tap).json
    refused = screen.call("command", envelope("stand", seat=9))
    assert refused == served.post("/api/commands", envelope("stand", seat=9)).json
    screen.close()


def test_two_referees_see_each_others_changes(served):
    one, other = served.screen(), served.screen()
    answer = one.call("command", envelope("sit", name="Ana"))
    assert other.view_at(answer["version"])["table"] == one.view_at(answer["version"])["table"]
    for screen in (one, other):
        screen.close()


def test_a_press_is_shown_at_once_and_the_seat_it_takes_follows(served):
    screen = served.screen()
    screen.views.get(timeout=PATIENCE)
    assert screen.call("simulate", {"button": 3, "down": True}) == {"button": 3, "down": True}
    press = screen.presses.get(timeout=PATIENCE)
    assert (press["button"], press["seat"], press["source"]) == (3, None, "simulated")
    view = eventually(lambda: next_with_seats(screen))
    assert [seat["button"] for seat in view["table"]["seats"]] == [3]
    screen.close()


def test_a_view_leaves_a_screen_the_time_to_draw_the_press_before_it(served):
    screen = served.screen()
    screen.call("simulate", {"button": 3, "down": True})
    pressed_at = screen.presses.get(timeout=PATIENCE)["at"]
    view = eventually(lambda: next_with_seats(screen))
    assert view["service"]["now"] - pressed_at >= 20_000_000
    screen.close()


def next_with_seats(screen):
    view = screen.views.get(timeout=PATIENCE)
    return view if view["table"]["seats"] else None


def test_a_watchers_push_of_a_simulated_button_does_nothing(served):
    screen = served.screen(watching=True)
    assert screen.call("simulate", {"button": 1, "down": True})["error"] == "not_the_referee"
    screen.close()
    assert served.table["seats"] == []


def test_a_screen_that_was_away_asks_by_version_and_gets_what_it_missed(served):
    screen = served.screen()
    view = screen.views.get(timeout=PATIENCE)
    shown = {"boot": view["service"]["boot"], "version": view["table"]["version"]}
    assert "view" not in screen.call("catch_up", shown)
    served.do("sit", name="Ana")
    caught_up = screen.call("catch_up", shown)
    assert caught_up["view"]["table"] == served.table
    assert caught_up["version"] == served.table["version"]
    other_run = screen.call("catch_up", {**shown, "boot": "another"})
    assert "view" in other_run
    screen.close()


@pytest.mark.parametrize("asked", [None, [], "x", {"version": {}}, {"boot": 1}, 7])
def test_whatever_a_screen_asks_with_it_gets_the_whole_view(referee, asked):
    screen = referee.screen()
    assert screen.call("catch_up", asked)["view"]["table"]["phase"] == "seating"
    screen.close()


def test_the_view_over_the_live_door_is_the_state_of_the_plain_one(served):
    screen = served.screen()
    answer = screen.call("command", envelope("sit", name="Ana"))
    live = screen.view_at(answer["version"])
    plain = served.state()
    live["service"].pop("now"), plain["service"].pop("now")
    assert json.dumps(live, sort_keys=True) == json.dumps(plain, sort_keys=True)
    screen.close()


def test_a_view_that_follows_has_only_what_has_changed(served):
    for name in ("Ana", "Ben"):
        served.do("sit", name=name)
    screen = served.screen()
    screen.views.get(timeout=PATIENCE)
    views: list[Any] = []
    screen.client.on("view", views.append)
    for name in ("Cleo", "Cara", "Cem"):
        version = served.do("rename", seat=1, name=name).json["version"]
        until(partial(shows, views, version))
    whole, *following = views
    assert {"editions", "seats", "match"} <= whole["table"].keys()
    assert [view["since"] for view in following] == [view["number"] - 1 for view in following]
    for view in following:
        assert "seats" in view["table"]
        assert not {"editions", "match", "setup"} & view["table"].keys()
        assert "hardware" not in view
    screen.close()


def shows(views: list[Any], version: int) -> bool:
    return bool(views) and views[-1]["table"]["version"] == version


def test_who_comes_in_between_misses_nothing_of_what_changed_and_changed_back(served):
    served.do("sit", name="Ana")
    screens = [served.screen()]
    for name in ("Ben", "Ana", "Ben", "Ana"):
        served.do("rename", seat=1, name=name)
        screens.append(served.screen())
    version = served.do("sit", name="Cleo").json["version"]
    for screen in screens:
        assert screen.view_at(version)["table"] == served.table
        screen.close()


def test_however_fast_people_press_a_screen_gets_twenty_views_a_second_and_the_newest(served):
    screen = served.screen()
    served.do("sit", name="Ana")
    views: list[Any] = []
    screen.client.on("view", views.append)
    for number in range(60):
        served.do("rename", seat=1, name=f"Ana {number}")
    until(lambda: views and views[-1]["table"]["seats"][0]["name"] == "Ana 59")
    made = [view["service"]["now"] for view in views]
    assert min(later - sooner for sooner, later in pairwise(made)) > 40_000_000
    screen.close()


def test_a_client_that_cannot_open_a_websocket_may_poll(served):
    screen = served.screen(transport="polling")
    answer = screen.call("command", envelope("sit", name="Ana"))
    assert screen.view_at(answer["version"])["table"]["seats"][0]["name"] == "Ana"
    screen.close()


def test_taps_are_carried_out_in_the_order_of_the_finger(served):
    screen = served.screen()
    served.do("sit", name="Player")
    names = [f"Name {number}" for number in range(60)]
    for name in names:
        screen.client.emit("command", envelope("rename", seat=1, name=name))
    screen.call("catch_up", {})
    assert served.table["seats"][0]["name"] == names[-1]
    screen.close()


def test_nothing_is_pushed_while_nothing_happens(referee):
    screen = referee.screen()
    screen.views.get(timeout=PATIENCE)
    time.sleep(2.5)
    assert screen.views.empty()
    screen.close()


def opened(served):
    try:
        return served.screen()
    except NotLetIn:
        return None


def test_when_the_screens_are_too_many_the_referee_still_finds_a_place(tmp_path):
    served = Served(tmp_path, "[server]\nclients = 8\n")
    served.pair()
    watchers = [served.screen(watching=True) for _ in range(8)]
    answer = served.get("/socket.io/?EIO=4&transport=polling", Cookie=None)
    assert (answer.status, answer.json["error"]) == (503, "full")
    referees = [served.screen() for _ in range(3)]
    assert "version" in referees[0].call("command", envelope("sit", name="Ana"))
    assert served.get("/api/state").status == 200
    referees.pop().close()
    again = eventually(lambda: opened(served))
    for screen in (*watchers, *referees, again):
        screen.close()
    served.stop()
