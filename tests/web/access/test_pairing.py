"""The referee's code, the sessions that come of it, and guessing."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from web.access.codes import spoken
from web.access.devices import Browser
from web.access.pairing import (
    ALL_TRIES,
    SECONDS_A_TRY,
    SESSIONS,
    TRIES,
    Pairing,
    TooManyTries,
    WrongCode,
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
    assert pairing.role(pairing.pair(typed, Browser("10.0.0.2"))) == "referee"


@pytest.mark.parametrize("typed", ["", "ABCDEFG", "ABCDEFGHI", "ÄBCDEFGH", "HGFEDCBA"])
def test_a_wrong_code_opens_nothing(pairing, typed):
    with pytest.raises(WrongCode):
        pairing.pair(typed, Browser("10.0.0.2"))


def test_wrong_codes_are_slowed_and_the_right_one_is_always_taken(pairing, clock):
    for _ in range(TRIES):
        with pytest.raises(WrongCode):
            pairing.pair("WRONGONE", Browser("10.0.0.66"))
    with pytest.raises(TooManyTries) as wait:
        pairing.pair("WRONGONE", Browser("10.0.0.66"))
    assert 0 < wait.value.seconds <= SECONDS_A_TRY + 1
    assert pairing.role(pairing.pair("ABCDEFGH", Browser("10.0.0.66"))) == "referee"
    clock.now += 2 * SECONDS_A_TRY
    with pytest.raises(WrongCode):
        pairing.pair("WRONGONE", Browser("10.0.0.66"))


def test_wrong_codes_from_everywhere_are_slowed_together(pairing):
    for number in range(ALL_TRIES):
        with pytest.raises(WrongCode):
            pairing.pair("WRONGONE", Browser(f"10.0.1.{number}"))
    with pytest.raises(TooManyTries):
        pairing.pair("WRONGONE", Browser("10.0.2.1"))
    assert pairing.role(pairing.pair("ABCDEFGH", Browser("10.0.2.1"))) == "referee"


def test_one_device_with_many_ipv6_addresses_guesses_as_one(pairing):
    for number in range(TRIES):
        with pytest.raises(WrongCode):
            pairing.pair("WRONGONE", Browser(f"fd00:1:2:3::{number:x}"))
    with pytest.raises(TooManyTries):
        pairing.pair("WRONGONE", Browser("fd00:1:2:3:ffff::1"))
    with pytest.raises(WrongCode):
        pairing.pair("WRONGONE", Browser("fd00:1:2:4::1"))


def test_guessing_from_everywhere_keeps_the_memory_small(pairing, clock):
    for number in range(5000):
        with pytest.raises((WrongCode, TooManyTries)):
            pairing.pair("WRONGONE", Browser(f"10.1.{number // 256}.{number % 256}"))
    assert len(pairing._tries._spent) <= 4096


def test_a_session_survives_a_restart_and_its_token_is_nowhere_on_disk(pairing, tmp_path):
    token = pairing.pair("ABCDEFGH", Browser("10.0.0.2"))
    file = tmp_path / "sessions.json"
    assert token not in file.read_text()
    assert oct(os.stat(file).st_mode & 0o777) == "0o600"
    again = Pairing(file, "ZZZZZZZZ")
    assert again.role(token) == "referee"
    assert again.role(token + "x") == "watcher"


def test_who_signs_out_only_watches_also_after_a_restart(pairing, tmp_path):
    token = pairing.pair("ABCDEFGH", Browser("10.0.0.2"))
    pairing.sign_out(token)
    pairing.sign_out(token)
    pairing.sign_out(None)
    assert pairing.role(token) == "watcher"
    assert Pairing(tmp_path / "sessions.json").role(token) == "watcher"


def test_the_session_unused_for_longest_goes_first(pairing):
    first, *others = [pairing.pair("ABCDEFGH", Browser("10.0.0.2")) for _ in range(SESSIONS)]
    assert pairing.role(first) == "referee"
    pairing.pair("ABCDEFGH", Browser("10.0.0.2"))
    assert pairing.role(first) == "referee"
    assert pairing.role(others[0]) == "watcher"


@pytest.mark.parametrize("content", [b"", b"not json", b'{"x": "king"}', b"[]"])
def test_a_broken_file_of_sessions_only_means_pairing_again(tmp_path, content):
    file = tmp_path / "sessions.json"
    file.write_bytes(content)
    pairing = Pairing(file, "ABCDEFGH")
    assert pairing.role(pairing.pair("ABCDEFGH", Browser("10.0.0.2"))) == "referee"


def test_sessions_that_cannot_be_saved_still_work(tmp_path):
    pairing = Pairing(tmp_path / "missing" / "sessions.json", "ABCDEFGH")
    assert pairing.role(pairing.pair("ABCDEFGH", Browser("10.0.0.2"))) == "referee"


def test_a_link_does_nothing_until_its_page_sends_the_code(served):
    """An image on another site can fetch a link, but not send JSON to the table."""
    for code in (served.code, "AAAA-AAAA"):
        answer = served.get(f"/?code={code}", Cookie=None)
        assert (answer.status, "set-cookie" in answer.headers) == (200, False)
    answer = served.post("/api/pair", {"code": served.code}, Cookie=None)
    cookie = answer.headers["set-cookie"]
    assert all(flag in cookie for flag in ("HttpOnly", "SameSite=Strict", "Path=/"))
    served.cookie = cookie.partition(";")[0]
    assert served.get("/api/session").json == {"role": "referee"}
    assert served.do("sit", name="Ana").status == 200


def test_six_images_of_another_site_lock_nobody_out(served):
    """As it was found: six cross-site images `/?code=...`, and the device was locked out."""
    for number in range(6):
        served.get(f"/?code=WRNG-WRN{number}", Cookie=None, Sec_Fetch_Site="cross-site")
        foreign = served.post(
            "/api/pair", {"code": served.code}, Cookie=None, Origin="http://evil.example"
        )
        assert foreign.status == 403
    assert served.post("/api/pair", {"code": "BBBB-BBBB"}, Cookie=None).status == 403
    assert served.post("/api/pair", {"code": served.code}, Cookie=None).status == 200


def test_guessing_from_a_shared_address_never_locks_the_right_code_out(served):
    """So fast that the address may ask for nothing any more, and yet the code is taken."""
    statuses = Counter(
        served.post("/api/pair", {"code": "BBBB-BBBB"}, Cookie=None).status for _ in range(40)
    )
    assert statuses == {403: TRIES, 429: 40 - TRIES}
    limited = served.post("/api/pair", {"code": "BBBB-BBBB"}, Cookie=None)
    assert int(limited.headers["retry-after"]) > 0
    assert "seconds" in limited.json["message"]
    assert served.post("/api/pair", {"code": served.code}, Cookie=None).status == 200


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
