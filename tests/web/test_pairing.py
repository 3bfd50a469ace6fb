"""The referee's code, the sessions that come of it, and guessing."""

from __future__ import annotations

import os

import pytest

from web.access.pairing import (
    SECONDS_A_TRY,
    SESSIONS,
    TRIES,
    Pairing,
    TooManyTries,
    WrongCode,
    spoken,
)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pairing(clock, tmp_path) -> Pairing:
    return Pairing(tmp_path / "sessions.json", "ABCDEFGH", clock)


@pytest.mark.parametrize("typed", ["ABCDEFGH", "abcd-efgh", " ABCD EFGH ", spoken("ABCDEFGH")])
def test_the_code_counts_however_it_is_typed(pairing, typed):
    assert pairing.role(pairing.pair(typed, "10.0.0.2")) == "referee"


@pytest.mark.parametrize("typed", ["", "ABCDEFG", "ABCDEFGHI", "ÄBCDEFGH", "HGFEDCBA"])
def test_a_wrong_code_opens_nothing(pairing, typed):
    with pytest.raises(WrongCode):
        pairing.pair(typed, "10.0.0.2")


def test_guessing_is_stopped_for_one_address_and_not_for_the_referees(pairing, clock):
    for _ in range(TRIES):
        with pytest.raises(WrongCode):
            pairing.pair("WRONGONE", "10.0.0.66")
    with pytest.raises(TooManyTries) as wait:
        pairing.pair("ABCDEFGH", "10.0.0.66")
    assert 0 < wait.value.seconds <= SECONDS_A_TRY + 1
    assert pairing.role(pairing.pair("ABCDEFGH", "10.0.0.2")) == "referee"
    clock.now += wait.value.seconds
    assert pairing.pair("ABCDEFGH", "10.0.0.66")


def test_one_device_with_many_ipv6_addresses_guesses_as_one(pairing):
    for number in range(TRIES):
        with pytest.raises(WrongCode):
            pairing.pair("WRONGONE", f"fd00:1:2:3::{number:x}")
    with pytest.raises(TooManyTries):
        pairing.pair("WRONGONE", "fd00:1:2:3:ffff::1")
    with pytest.raises(WrongCode):
        pairing.pair("WRONGONE", "fd00:1:2:4::1")


def test_guessing_from_everywhere_keeps_the_memory_small(pairing, clock):
    for number in range(5000):
        with pytest.raises(WrongCode):
            pairing.pair("WRONGONE", f"10.1.{number // 256}.{number % 256}")
    assert len(pairing._tries._spent) <= 4096


def test_a_session_survives_a_restart_and_its_token_is_nowhere_on_disk(pairing, tmp_path):
    token = pairing.pair("ABCDEFGH", "10.0.0.2")
    file = tmp_path / "sessions.json"
    assert token not in file.read_text()
    assert oct(os.stat(file).st_mode & 0o777) == "0o600"
    again = Pairing(file, "ZZZZZZZZ")
    assert again.role(token) == "referee"
    assert again.role(token + "x") == "watcher"


def test_who_signs_out_only_watches_also_after_a_restart(pairing, tmp_path):
    token = pairing.pair("ABCDEFGH", "10.0.0.2")
    pairing.sign_out(token)
    pairing.sign_out(token)
    pairing.sign_out(None)
    assert pairing.role(token) == "watcher"
    assert Pairing(tmp_path / "sessions.json").role(token) == "watcher"


def test_the_session_unused_for_longest_goes_first(pairing):
    first, *others = [pairing.pair("ABCDEFGH", "10.0.0.2") for _ in range(SESSIONS)]
    assert pairing.role(first) == "referee"
    pairing.pair("ABCDEFGH", "10.0.0.2")
    assert pairing.role(first) == "referee"
    assert pairing.role(others[0]) == "watcher"


@pytest.mark.parametrize("content", [b"", b"not json", b'{"x": "king"}', b"[]"])
def test_a_broken_file_of_sessions_only_means_pairing_again(tmp_path, content):
    file = tmp_path / "sessions.json"
    file.write_bytes(content)
    pairing = Pairing(file, "ABCDEFGH")
    assert pairing.role(pairing.pair("ABCDEFGH", "10.0.0.2")) == "referee"


def test_sessions_that_cannot_be_saved_still_work(tmp_path):
    pairing = Pairing(tmp_path / "missing" / "sessions.json", "ABCDEFGH")
    assert pairing.role(pairing.pair("ABCDEFGH", "10.0.0.2")) == "referee"


def test_the_printed_link_makes_the_referee_and_leaves_no_code_behind(served):
    served.cookie = None
    answer = served.get(f"/?code={served.code}")
    assert (answer.status, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert all(flag in cookie for flag in ("HttpOnly", "SameSite=Strict", "Path=/"))
    served.cookie = cookie.partition(";")[0]
    assert served.get("/api/session").json == {"role": "referee"}
    assert served.do("sit", name="Ana").status == 200


def test_a_wrong_link_says_so_and_guessing_is_limited_until_the_table_shows_the_code(served):
    referee, served.cookie = served.cookie, None
    wrong = served.get("/?code=AAAA-AAAA")
    assert (wrong.status, wrong.headers["location"]) == (303, "/#wrong_code")
    assert "set-cookie" not in wrong.headers
    statuses = [served.post("/api/pair", {"code": "BBBB-BBBB"}).status for _ in range(TRIES)]
    assert statuses == [403] * (TRIES - 1) + [429]
    limited = served.post("/api/pair", {"code": served.code})
    assert limited.status == 429
    assert int(limited.headers["retry-after"]) > 0
    assert "seconds" in limited.json["message"]
    served.cookie = referee
    assert served.post("/api/pairing", {}).status == 200
    served.cookie = None
    # Now the code can be seen in the room, and nobody has to wait for it.
    assert served.post("/api/pair", {"code": served.code}).status == 200


@pytest.mark.parametrize("body", [{}, {"code": 5}, {"code": "A" * 100}, [], b"no json"])
def test_a_request_to_pair_without_a_code_is_answered_with_a_sentence(watcher, body):
    answer = watcher.post("/api/pair", body)
    assert (answer.status, answer.json["error"]) == (400, "wrong_value")


def test_signing_out_ends_acting_at_once_also_on_an_open_screen(served):
    screen = served.screen()
    assert "version" in screen.call("command", {"id": "before-sign-out", "kind": "sit"})
    assert served.post("/api/sign-out", {}).json == {"role": "watcher"}
    answer = screen.call("command", {"id": "after-sign-out", "kind": "sit"})
    assert answer["error"] == "not_the_referee"
    screen.close()
