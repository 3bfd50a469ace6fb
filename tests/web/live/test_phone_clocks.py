"""Phones over real sockets: asked by the table, dated by it, and believed only inside of that."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from companion.phones.phone_clock import BUSY, GIVEN_UP, SILENCE
from companion.referee.commands import PhonePress, PressSeat
from companion.referee.events import CatchNamed, Event, RaceNamed
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.table import NamedCatch, NamedRace, Table
from tests.kit.served import PATIENCE, Served, envelope, eventually
from tests.web.live_line import LiveLine
from web.live.phone_clocks import (
    AFTER_A_PRESS,
    BURST,
    IDLE,
    PAGES,
    SO_MANY,
    UNREAD,
    PhoneClocks,
)
from web.transport.websocket import A_SECOND, AT_ONCE, MESSAGE

pytestmark = pytest.mark.xdist_group("phone clocks")

AHEAD = 5_000.0
"""Milliseconds by which the clocks of these phones are ahead of this machine's."""


def phone_time() -> float:
    """What an honest phone's clock says now, in milliseconds."""
    return time.monotonic() * 1e3 + AHEAD


def table_time(moment: float) -> int:
    """The same moment by the table's clock, which on a new table is this machine's."""
    return round((moment - AHEAD) * MILLISECOND)


class Phone:
    """A phone's page without a browser: it says hello, answers, and presses."""

    lie = 0.0
    """By so many milliseconds its clock answers wrongly."""

    def __init__(self, served: Served, cookie: str | None, seat: int, page: str = "") -> None:
        self.line = LiveLine(served, cookie)
        self.seat = seat
        self.page = page or f"page-of-seat-{seat}-{time.monotonic_ns()}"
        self.doubt: int | None = None
        self.asked = 0
        self.say({"page": self.page, "wake": 0})

    def say(self, value: Any) -> None:
        self.line.socket.send(f"42{json.dumps(['clock', value])}")

    def listen(self) -> tuple[str, Any]:
        """Take the next message; a question is answered."""
        name, said = self.line.receive()
        if name == "clock":
            self.asked += 1
            number, self.doubt = said
            moment = phone_time() + self.lie
            self.say({"answer": number, "moment": moment, "wake": 0, "grain": 0.1})
        return name, said

    def in_step(self) -> Phone:
        """Answer until the table knows this phone's clock."""
        end = time.monotonic() + PATIENCE
        while self.doubt is None:
            assert time.monotonic() < end, "the table never got in step"
            self.listen()
        return self

    def command(self, body: dict[str, Any]) -> Any:
        """Send a command, and answer questions until its own answer comes."""
        self.line.socket.send(f"4277{json.dumps(['command', body])}")
        while True:
            name, said = self.listen()
            if name == "answer 77":
                return said

    def press(self, moment: Any = None, **more: Any) -> dict[str, Any]:
        """Press at this moment of the own clock; gives the press as the table recorded it."""
        made = phone_time() if moment is None else moment
        wish = {"seat": self.seat, "moment": made, "wake": 0} | more
        return recorded(self.command(envelope("press_seat", **wish)))


def recorded(answer: Any) -> dict[str, Any]:
    assert "events" in answer, answer
    press: dict[str, Any]
    (press,) = [e["press"] for e in answer["events"] if e["event"] == "press_recorded"]
    return press


Paired = Callable[[int], Phone]


@pytest.fixture
def cookies(in_a_round: Served) -> Callable[[int], str]:
    def cookie(seat: int) -> str:
        return in_a_round.paired_phone(seat)

    return cookie


@pytest.fixture
def phone(in_a_round: Served, cookies: Callable[[int], str]) -> Iterator[Paired]:
    """Pair a phone with a seat, and let it get in step."""
    open_: list[Phone] = []

    def paired(seat: int) -> Phone:
        open_.append(Phone(in_a_round, cookies(seat), seat))
        return open_[-1].in_step()

    yield paired
    for one in open_:
        one.line.close()


def test_a_press_is_dated_when_it_was_made_and_says_how_far_off_that_is(phone):
    ben = phone(2)
    assert ben.doubt is not None
    for _ in range(60):
        made = phone_time()
        time.sleep(0.03)
        press = ben.press(made)
        arrived = time.monotonic_ns()
        assert press["source"] == "phone"
        assert press["at"] <= arrived
        assert abs(press["at"] - table_time(made)) <= press["uncertainty"]
        if press["uncertainty"] < 30 * MILLISECOND:
            return
    raise AssertionError("no press was ever dated sharply")


@pytest.mark.parametrize("off", [60_000.0, 2_000.0, -2_000.0, -60_000.0])
def test_a_lying_clock_is_dated_at_its_arrival(phone, off):
    ben = phone(2)
    sent = time.monotonic_ns()
    press = ben.press(max(0.0, phone_time() + off))
    assert sent <= press["at"] <= time.monotonic_ns()
    assert BUSY <= press["uncertainty"] <= GIVEN_UP


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        pytest.param({"moment": "now"}, "wrong_value", id="words"),
        pytest.param({"moment": -1.0}, "wrong_value", id="before its clock began"),
        pytest.param({"moment": 1e300}, "wrong_value", id="at the end of time"),
        pytest.param({"moment": [1]}, "wrong_value", id="a list"),
        pytest.param({"wake": 0.5}, "wrong_value", id="half awake"),
        pytest.param({"at": 5}, "unknown_field", id="a date of its own"),
        pytest.param({"uncertainty": 0}, "unknown_field", id="a doubt of its own"),
    ],
)
def test_a_phone_cannot_date_a_press_itself(phone, fields, code):
    wish = {"seat": 2, "moment": phone_time(), "wake": 0} | fields
    answer = phone(2).command(envelope("press_seat", **wish))
    assert answer["error"] == code
    answer = phone(2).command({**envelope("phone_press", seat=2), "at": 1, "uncertainty": 0})
    assert answer["error"] == "not_from_a_screen"


def test_over_http_a_press_is_dated_at_its_arrival_like_a_tablets(in_a_round, cookies):
    sent = time.monotonic_ns()
    body = envelope("press_seat", seat=2, moment=phone_time() - 500, wake=0)
    answer = in_a_round.post("/api/commands", body, Cookie=cookies(2))
    press = recorded(answer.json)
    assert press["source"] == "tablet"
    assert sent <= press["at"] <= time.monotonic_ns()


@pytest.mark.parametrize(
    "said",
    [
        None,
        "now",
        {},
        {"page": "short", "wake": 0},
        {"page": "a-long-enough-name", "wake": -1},
        {"page": 5, "wake": 0},
        {"answer": 1},
        {"answer": "1", "moment": 5.0, "wake": 0},
        {"answer": 1, "moment": -5.0, "wake": 0},
        {"answer": 1, "moment": 1e13, "wake": 0},
        {"answer": 1, "moment": 5.0, "wake": 0, "grain": 1e9},
        {"answer": 1 << 70, "moment": 5.0, "wake": 0},
        {"answer": 1, "moment": 5.0, "wake": 0, "more": 1},
    ],
    ids=str,
)
def test_what_cannot_be_a_clock_is_refused_with_a_sentence(phone, said):
    ben = phone(2)
    ben.line.socket.send(f"4278{json.dumps(['clock', said])}")
    while True:
        name, answer = ben.listen()
        if name == "answer 78":
            break
    assert answer["error"] == "wrong_value"


def test_answers_that_nobody_asked_for_change_nothing_and_hurt_nobody_else(phone):
    ben, cam = phone(2), phone(3)
    for number in range(AT_ONCE // MESSAGE // 2):
        ben.say({"answer": 10_000 + number, "moment": 1.0, "wake": 0})
    made = phone_time()
    press = ben.press(made)
    assert abs(press["at"] - table_time(made)) <= press["uncertainty"]
    cam.doubt = None
    cam.in_step()
    made = phone_time()
    press = cam.press(made)
    assert abs(press["at"] - table_time(made)) <= press["uncertainty"]


def test_only_phones_are_asked(in_a_round, phone):
    watcher = Phone(in_a_round, None, 2)
    tablet = LiveLine(in_a_round, in_a_round.cookie)
    ben = phone(2)
    ben.press()
    ben.doubt = None
    ben.in_step()
    for line in (watcher.line, tablet):
        heard = []
        line.socket.send('4279["catch_up",{}]')
        while "answer 79" not in heard:
            heard.append(line.receive()[0])
        assert "press" in heard
        assert "clock" not in heard
        line.close()


def test_the_same_press_over_a_new_connection_is_one_press(in_a_round, cookies):
    cookie = cookies(2)
    first = Phone(in_a_round, cookie, 2).in_step()
    body = envelope("press_seat", seat=2, moment=phone_time(), wake=0)
    answer = first.command(body)
    first.line.tear()
    second = Phone(in_a_round, cookie, 2, first.page)
    assert second.command(body) == answer
    second.line.close()


def test_a_press_that_was_lost_with_its_connection_is_dated_back_to_the_last_answer(
    in_a_round, cookies
):
    cookie = cookies(2)
    first = Phone(in_a_round, cookie, 2).in_step()
    made = phone_time()
    first.line.tear()
    second = Phone(in_a_round, cookie, 2, first.page)
    sent = time.monotonic_ns()
    press = second.press(made)
    assert press["at"] >= sent
    assert press["at"] - press["uncertainty"] <= table_time(made)
    second.line.close()


def test_a_press_that_comes_before_the_hello_may_have_waited_long(in_a_round, cookies):
    line = LiveLine(in_a_round, cookies(2))
    body = envelope("press_seat", seat=2, moment=phone_time() - 3000, wake=0)
    line.socket.send(f"4277{json.dumps(['command', body])}")
    while True:
        name, said = line.receive()
        if name == "answer 77":
            break
    line.close()
    assert (recorded(said)["source"], recorded(said)["uncertainty"]) == ("phone", GIVEN_UP)


def test_a_page_that_comes_back_is_in_step_with_its_first_answer(in_a_round, cookies):
    cookie = cookies(2)
    first = Phone(in_a_round, cookie, 2).in_step()
    second = Phone(in_a_round, cookie, 2, first.page)
    second.in_step()
    assert second.asked <= first.asked + 2
    first.line.close()
    second.line.close()


def test_a_page_that_is_opened_twice_is_dated_where_it_was_opened_last(in_a_round, cookies):
    cookie = cookies(2)
    first = Phone(in_a_round, cookie, 2).in_step()
    second = Phone(in_a_round, cookie, 2, first.page).in_step()
    assert first.press()["uncertainty"] == GIVEN_UP
    assert second.press()["source"] == "phone"
    first.line.close()
    second.line.close()


def test_the_name_of_somebody_elses_page_opens_nothing_of_theirs(in_a_round, phone, cookies):
    ben = phone(2)
    cam = Phone(in_a_round, cookies(3), 3, ben.page)
    cam.lie = 3_000.0
    cam.in_step()
    for one, lie in ((ben, 0.0), (cam, 3_000.0)):
        made = phone_time()
        press = one.press(made + lie)
        assert press["source"] == "phone"
        assert abs(press["at"] - table_time(made)) <= press["uncertainty"]
    cam.line.close()


def test_whose_session_has_ended_presses_no_more_over_a_line_that_is_still_open(
    in_a_round, cookies
):
    cookie = cookies(2)
    ben = Phone(in_a_round, cookie, 2).in_step()
    assert in_a_round.post("/api/sign-out", {}, Cookie=cookie).status == 200
    answer = ben.command(envelope("press_seat", seat=2, moment=phone_time(), wake=0))
    assert answer["error"] == "not_the_referee"
    ben.line.socket.send(f'4278["clock",{json.dumps({"page": ben.page, "wake": 1})}]')
    while (said := ben.listen())[0] != "answer 78":
        pass
    assert said[1]["error"] == "not_the_referee"
    ben.line.close()


def test_the_phone_of_who_has_left_presses_no_more(served):
    for name in ("Ana", "Ben"):
        assert served.do("sit", name=name).status == 200
    ben = Phone(served, served.paired_phone(2), 2).in_step()
    assert served.do("stand", seat=2).status == 200
    assert served.do("sit", name="Cam", seat=2).status == 200
    answer = ben.command(envelope("press_seat", seat=2, moment=phone_time(), wake=0))
    assert answer["error"] == "not_the_referee"
    ben.line.close()


class Lines:
    """Connections that go nowhere: they can be full, or break when something is sent."""

    def __init__(self) -> None:
        self.full: set[str] = set()
        self.broken: set[str] = set()
        self.asked: dict[str, list[int]] = {}

    def waiting_for(self, sid: str) -> int:
        return UNREAD if sid in self.full else 0

    def were_asked(self, sid: str, times: int) -> bool:
        return len(self.asked.get(sid, [])) == times

    def tell(self, sid: str, _event: str, value: Any) -> None:
        if sid in self.broken:
            raise OSError("gone")
        self.asked.setdefault(sid, []).append(value[0])


class Nobody:
    """A table at which nothing happens but time, which may pass only where a test says so."""

    table = Table()
    now = staticmethod(time.monotonic_ns)

    def __init__(self) -> None:
        self.listeners: list[Any] = []

    def subscribe(self, listener: Any) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: None

    def on_press(self, _listener: Any) -> Callable[[], None]:
        return lambda: None

    def tell(self, events: Any) -> None:
        for listener in self.listeners:
            listener(self.table, events)


@pytest.fixture
def lines() -> Lines:
    return Lines()


@pytest.fixture
def clocks(lines: Lines) -> Iterator[PhoneClocks]:
    line: Any = lines
    nobody: Any = Nobody()
    clocks = PhoneClocks(line, nobody)
    yield clocks
    clocks.stop()


def answers(clocks: PhoneClocks, lines: Lines, sid: str, player: int) -> None:
    """Wait to be asked, and answer."""
    number = eventually(lambda: lines.asked.get(sid, [])[-1:])[0]
    assert clocks.hear(sid, player, {"answer": number, "moment": phone_time(), "wake": 0})


def dated(clocks: PhoneClocks, sid: str) -> PhonePress:
    wish = PressSeat(2, phone_time(), 0)
    command = clocks.date(sid, wish, time.monotonic_ns())
    assert isinstance(command, PhonePress)
    return command


def test_nobody_can_have_the_pages_of_others_forgotten(clocks, lines):
    clocks.welcome("ben")
    assert clocks.hear("ben", 2, {"page": "the page of Ben", "wake": 0})
    answers(clocks, lines, "ben", 2)
    heard = time.monotonic_ns()
    clocks.farewell("ben")
    for number in range(3 * PAGES):
        clocks.welcome(f"cam {number}")
        clocks.hear(f"cam {number}", 3, {"page": f"one of many: {number}", "wake": 0})
        clocks.farewell(f"cam {number}")
    time.sleep(0.2)
    clocks.welcome("ben again")
    clocks.hear("ben again", 2, {"page": "the page of Ben", "wake": 0})
    press = dated(clocks, "ben again")
    assert press.at - press.uncertainty <= heard - BUSY


def test_a_line_that_breaks_keeps_nobody_else_from_being_asked(clocks, lines):
    lines.broken = {"torn"}
    for sid in ("torn", "ben"):
        clocks.welcome(sid)
        clocks.hear(sid, 2, {"page": f"the page on {sid}", "wake": 0})
    eventually(lambda: len(lines.asked.get("ben", [])) > 3)


def test_who_does_not_read_the_questions_is_not_believed(clocks, lines):
    clocks.welcome("ben")
    clocks.hear("ben", 2, {"page": "the page of Ben", "wake": 0})
    answers(clocks, lines, "ben", 2)
    lines.full = {"ben"}

    def vague() -> int | None:
        doubt = dated(clocks, "ben").uncertainty
        return doubt if doubt > BUSY else None

    assert eventually(vague) < BUSY + SILENCE, "long before it would count as gone"
    lines.full = set()
    lines.asked.clear()
    answers(clocks, lines, "ben", 2)
    assert eventually(lambda: dated(clocks, "ben").uncertainty < BUSY)


@pytest.mark.parametrize(
    "named",
    [
        pytest.param(CatchNamed(NamedCatch(1, 5, 2, by=3)), id="a catch"),
        pytest.param(RaceNamed(NamedRace(1, 5, 3, "tablet")), id="a race"),
    ],
)
def test_what_is_named_on_the_tablet_asks_every_phone_at_once(lines: Lines, named: Event) -> None:
    """Else a phone could wait for its next question, and say that it had called before."""
    line: Any = lines
    table: Any = Nobody()
    now = IDLE
    table.now = lambda: now
    clocks = PhoneClocks(line, table)
    clocks.welcome("ben")
    clocks.hear("ben", 2, {"page": "the page of Ben", "wake": 0})
    for asked in range(1, SO_MANY + 1):
        eventually(partial(lines.were_asked, "ben", asked))
        now += BURST
        table.tell(())
    now += AFTER_A_PRESS
    assert now - clocks._phones["ben"].asked < IDLE, "else it would be asked anyway"
    table.tell((named,))
    eventually(partial(lines.were_asked, "ben", SO_MANY + 1))
    clocks.stop()


def push(table: Served, button: int, *, down: bool) -> None:
    assert table.post("/api/simulate", {"button": button, "down": down}).status == 200


def both_hands_landed(table: Served) -> Callable[[], Any]:
    """A race that is not running any more; the button's news has a way of its own."""

    def race() -> Any:
        found = table.table["race"]
        return found if found["state"] != "running" else None

    return race


def test_in_a_race_of_a_button_and_a_phone_the_later_news_may_be_of_the_earlier_hand(
    in_a_round, phone
):
    """Of a new round, in which nobody has pressed yet."""
    ben = phone(2)
    for kind, fields in (
        ("go_out", {"seat": 1}),
        ("enter_points", {"seat": 2, "points": 5}),
        ("enter_points", {"seat": 3, "points": 5}),
        ("score_round", {}),
        ("assign_button", {"seat": 3, "button": 3}),
        ("deal", {}),
    ):
        assert in_a_round.do(kind, **fields).status == 200, kind
    for _ in range(20):
        assert in_a_round.do("declare_race", layer=1).status == 200
        ben.doubt = None
        ben.in_step()
        made = phone_time()
        time.sleep(0.05)
        push(in_a_round, 3, down=True)
        press = ben.press(made)
        push(in_a_round, 3, down=False)
        assert abs(press["at"] - table_time(made)) <= press["uncertainty"]
        race = eventually(both_hands_landed(in_a_round))
        assert 3 in race["finish"]["last"]
        if race["state"] == "ruled":
            assert [place["seat"] for place in race["finish"]["places"]] == [2, 3]
            return
        ruling = in_a_round.table["rulings"][0]
        # Where the machine stood still, the table says that it may have missed the button.
        assert ruling["outcome"] in ("dead_heat", "unusable")
        if ruling["outcome"] == "dead_heat":
            doubt = ruling["sentence"]["parts"]["doubt"]
            assert float(doubt) >= press["uncertainty"] / MILLISECOND
        in_a_round.do("cancel_race")
    raise AssertionError("no race was ever decided")


def test_all_hands_are_counted_at_once_from_the_phones(served):
    names = [f"Player {number}" for number in range(10)]
    for name in names:
        assert served.do("sit", name=name).status == 200
    phones = [Phone(served, served.paired_phone(seat), seat) for seat in range(1, 11)]
    for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": 1}), ("deal", {})):
        assert served.do(kind, **fields).status == 200
    for one in phones:
        one.in_step()
    assert served.do("go_out", seat=1).status == 200
    version = served.table["version"]

    def count(one: Phone) -> Any:
        wish = {"seat": one.seat, "version": version, "cards": {f"red-{one.seat % 10}": 1}}
        return one.command(envelope("enter_hand", **wish))

    with ThreadPoolExecutor(10) as room:
        answers = list(room.map(count, phones[1:]))
    assert [answer.get("error") for answer in answers] == [None] * 9
    left = served.table["round"]["left"]
    assert {int(seat): hand["points"] for seat, hand in left.items()} == {
        seat: seat % 10 for seat in range(2, 11)
    }
    for one in phones:
        one.line.close()


def test_an_honest_phone_has_room_for_what_it_is_asked():
    asked = SECOND // AFTER_A_PRESS
    assert asked <= A_SECOND / MESSAGE / 2
    assert SO_MANY + asked < AT_ONCE / MESSAGE / 2
    assert SECOND // BURST <= A_SECOND / MESSAGE
