"""A player's phone acts for its own seat; codes are given out as sparingly as the room allows."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from msgspec.structs import replace

from companion.referee.commands import Answer, EnterHand, PersonCommand
from companion.referee.model.edition import FAST_AND_FURIOUS
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import SECOND
from companion.referee.model.questions import Question, QuestionKind
from companion.referee.model.table import Game, Match, Round, Table
from companion.referee.sentences import say
from companion.service.envelope import PERSON_KINDS, decode
from companion.service.notices import PressNotice
from tests.kit.served import PATIENCE, Served, envelope, eventually
from tests.web.access.test_access import WISHES
from web.access.codes import spoken
from web.access.devices import Browser
from web.access.invitations import picture
from web.access.knock import KNOCKS, SHOWN_FOR, WITHIN, Knock
from web.access.pairing import ALL_PHONES, PHONES, SESSIONS, Pairing, WrongCode
from web.access.permissions import MAY, may

OWN, OTHER = 2, 1
FOR_THE_OWN_SEAT = {
    "press_seat",
    "call",
    "choose_mark",
    "enter_hand",
    "enter_points",
    "clear_hand",
}


def wish(kind: str, seat: int) -> PersonCommand:
    """A command of this kind that concerns this seat, where it concerns one."""
    fields = {name: seat if name == "seat" else value for name, value in WISHES[kind].items()}
    return decode(envelope(kind, **fields)).command


@pytest.mark.parametrize("kind", PERSON_KINDS)
def test_a_player_may_do_it_for_the_own_seat_or_not_at_all(kind):
    assert may("player", wish(kind, OWN), OWN) is (kind in FOR_THE_OWN_SEAT)
    assert not may("player", wish(kind, OTHER), OWN)
    assert not may("player", wish(kind, OWN))
    assert not may("watcher", wish(kind, OWN), OWN)


def test_every_command_of_a_player_names_a_seat():
    assert MAY["referee"] > MAY["player"]
    assert all(hasattr(kind, "seat") for kind in MAY["player"] - {Answer})


def test_a_player_cannot_insist_on_a_hand_that_the_companion_doubts():
    assert may("player", EnterHand(OWN, {}), OWN)
    assert not may("player", EnterHand(OWN, {}, confirm=True), OWN)


def asking(kind: QuestionKind, *seats: int) -> Table:
    """A table at version 50 that asks these seats, in question 41."""
    asked = Question(41, kind, "race", say("ask_who_was_last", names=(1,)), 5, (), seats)
    round_ = Round(1, (1, 2, 3, 4), dealer=1, way="free", questions=(asked,))
    match = Match(1, FAST_AND_FURIOUS, "classic", "free", HouseRules(), (), round=round_)
    return Table(version=50, game=Game(match=match))


@pytest.mark.parametrize(
    ("kind", "seats", "allowed"),
    [
        pytest.param("who_laid", (OWN, OTHER), True, id="two may have laid it, Ben is one of them"),
        pytest.param("was_race", (OWN,), True, id="it would have been Ben's race"),
        pytest.param("who_laid", (OTHER, 3), False, id="two others may have laid it"),
        pytest.param("who_laid", (), False, id="only the tablet asks"),
        pytest.param("called_in_time", (OWN,), False, id="whether Ben draws is not for Ben to say"),
        pytest.param("who_was_last", (OWN,), False, id="nor whether Ben was last"),
    ],
)
def test_a_player_answers_only_what_is_asked_of_the_own_seat(
    kind: QuestionKind, seats: tuple[int, ...], allowed: bool
) -> None:
    table = asking(kind, *seats)
    assert may("player", Answer(41, "yes"), OWN, table) is allowed
    assert may("referee", Answer(41, "yes"), None, table)
    assert not may("watcher", Answer(41, "yes"), OWN, table)
    assert not may("player", Answer(41, "yes"), None, table)
    assert not may("player", Answer(41, "yes"), OWN)


def test_an_answer_that_was_given_may_be_sent_again_and_none_ahead_of_its_question() -> None:
    closed = replace(asking("who_laid"), version=60)
    assert may("player", Answer(40, "yes"), OWN, closed), "the table says what became of it"
    assert not may("player", Answer(61, "yes"), OWN, closed)
    assert not may("player", Answer(40, "yes"), OWN, Table())


@pytest.fixture
def ben(in_a_round: Served, session: str) -> Served:
    """The shared table with Ben's phone at the screen."""
    in_a_round.cookie = session
    in_a_round.cookie = in_a_round.paired_phone(OWN)
    return in_a_round


def test_a_phone_knows_whose_it_is(ben):
    assert ben.get("/api/session").json == {"role": "player", "seat": OWN}
    screen = ben.screen()
    answer = screen.call("catch_up", {})
    assert (answer["role"], answer["seat"]) == ("player", OWN)
    screen.close()


def test_a_phone_pushes_no_button_and_shows_no_code(ben):
    assert ben.post("/api/simulate", {"button": 1, "down": True}).status == 403
    assert ben.post("/api/pairing", {}).status == 403
    assert ben.get(f"/api/seats/{OTHER}").status == 403
    assert ben.get(f"/api/seats/{OTHER}.svg").status == 403


def test_a_page_elsewhere_cannot_use_the_phone_of_a_player(ben):
    before = ben.table
    body = envelope("press_seat", seat=OWN)
    answer = ben.post("/api/commands", body, Origin="http://evil.example")
    assert (answer.status, answer.json["error"]) == (403, "foreign_origin")
    assert ben.table == before


def test_a_phone_presses_and_counts_for_its_seat(served):
    for name in ("Ana", "Ben"):
        served.do("sit", name=name)
    for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": 1}), ("deal", {})):
        served.do(kind, **fields)
    referee, phone = served.cookie, served.paired_phone(2)
    served.cookie = phone
    assert served.do("press_seat", seat=2).status == 200
    eventually(lambda: served.table["seats"][1]["called"])
    assert served.do("call", seat=2).status == 200
    served.cookie = referee
    served.do("go_out", seat=1)
    served.cookie = phone
    assert served.do("enter_points", seat=2, points=40).status == 200
    assert served.do("clear_hand", seat=2).status == 200
    assert served.do("enter_hand", seat=2, cards={"red-5": 1}).status == 200
    assert served.do("score_round").status == 403
    assert served.table["round"]["left"]["2"]["points"] == 5


def test_a_phone_answers_what_its_seat_is_asked_once_and_nobody_elses(tmp_path):
    """Three and four slap, so Ana or Ben has laid a Street Race, and both are asked."""
    served = Served(tmp_path, "[timing]\nlayer_wait_ms = 200\n")
    try:
        served.pair()
        for seat, name in enumerate(("Ana", "Ben", "Cam", "Dan"), 1):
            assert served.do("sit", name=name, seat=seat, button=seat).status == 200
        phones = {}
        for seat in (OWN, 3):
            phones[seat] = served.paired_phone(seat)
        for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": 1}), ("deal", {})):
            assert served.do(kind, **fields).status == 200
        for button in (3, 4):
            for down in (True, False):
                served.post("/api/simulate", {"button": button, "down": down})
        (question,) = eventually(lambda: served.table["questions"])
        assert (question["kind"], question["seats"]) == ("who_laid", [1, OWN])
        assert [seat["asked"] for seat in served.table["seats"]] == [True, True, False, False]
        body = envelope("answer", question=question["number"], answer=str(OWN))
        refused = served.post("/api/commands", body, Cookie=phones[3])
        assert (refused.status, refused.json["error"]) == (403, "only_your_seat")
        given = served.post("/api/commands", body, Cookie=phones[OWN])
        assert given.status == 200
        assert served.table["questions"] == []
        assert served.table["race"]["layer"] == OWN
        again = served.post("/api/commands", body, Cookie=phones[OWN])
        assert (again.status, again.json) == (200, given.json)
        late = envelope("answer", question=question["number"], answer="1")
        assert served.post("/api/commands", late, Cookie=phones[3]).status == 422
    finally:
        served.stop()


def test_codes_are_open_while_people_sit_down_and_the_referees_once_cards_are_dealt(served):
    for name in ("Ana", "Ben"):
        served.do("sit", name=name)
    referee, served.cookie = served.cookie, None
    seen = served.get("/api/seats/1").json
    assert seen["link"] == f"{served.address}/seat/1?code={seen['code']}"
    assert served.get("/api/seats/1.svg").body == picture(seen["link"])
    assert served.get("/api/seats/3").status == 404
    served.cookie = referee
    for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": 1}), ("deal", {})):
        served.do(kind, **fields)
    assert served.get("/api/seats/1").json["code"] != seen["code"]
    served.cookie = None
    refused = served.get("/api/seats/1")
    assert (refused.status, refused.json["error"]) == (403, "not_the_referee")
    assert b"svg" not in served.get("/api/seats/1.svg").body


def test_a_wrong_code_of_a_seat_opens_nothing_and_is_limited_like_the_referees(served):
    for name in ("Ana", "Ben"):
        served.do("sit", name=name)
    anas = served.get("/api/seats/1").json["code"]
    served.cookie = None
    for code in ("AAAA-AAAA", anas, served.code):
        answer = served.phone(2, code)
        assert (answer.status, answer.json["error"]) == (403, "wrong_code")
        assert "set-cookie" not in answer.headers
    assert served.phone(9, "AAAA-AAAA").json["error"] == "unknown_seat"
    for _ in range(3):
        answer = served.phone(2, "BBBB-BBBB")
    assert (answer.status, answer.json["error"]) == (429, "too_many_tries")


def test_the_referees_tablet_stays_the_referees_when_it_opens_a_seat(served):
    served.do("sit", name="Ana")
    code = served.get("/api/seats/1").json["code"]
    answer = served.post("/api/pair", {"seat": 1, "code": code})
    assert "set-cookie" not in answer.headers
    assert served.get("/api/session").json == {"role": "referee"}


def test_a_phone_follows_its_player_and_watches_once_they_have_left(served):
    for name in ("Ana", "Ben"):
        served.do("sit", name=name)
    referee, phone = served.cookie, served.paired_phone(1)

    def session(*steps: tuple[str, dict[str, Any]]) -> Any:
        served.cookie = referee
        for kind, fields in steps:
            assert served.do(kind, **fields).status == 200
        served.cookie = phone
        return served.get("/api/session").json

    assert session(("swap", {"seat": 1, "other": 2})) == {"role": "player", "seat": 2}
    assert session(("stand", {"seat": 2}), ("sit", {"seat": 2})) == {"role": "watcher"}
    assert session(("undo", {}), ("undo", {})) == {"role": "player", "seat": 2}


def test_the_referees_link_is_shown_to_nobody_until_the_referee_asks(served):
    referee, served.cookie = served.cookie, None
    assert served.state()["service"]["pairing"] is False
    assert served.get("/api/pairing").status == 403
    assert b"svg" not in served.get("/api/pairing.svg").body
    assert served.post("/api/pairing", {}).status == 403
    version = served.table["version"]
    served.cookie = referee
    assert served.post("/api/pairing", {}).json == {"seconds": SHOWN_FOR}
    served.cookie = None
    shown = served.get("/api/pairing").json
    assert shown["link"] == f"{served.address}/?code={shown['code']}"
    assert shown["code"] != served.code, "the printed one is nobody's business"
    assert served.get("/api/pairing.svg").body == picture(shown["link"])
    assert served.state()["service"]["pairing"] is True
    assert served.table["version"] == version


def test_knocking_on_a_button_of_the_table_shows_the_referees_link(served):
    screen = served.screen(watching=True)
    # On a slow machine a few of them may come too late, as with a tired hand.
    eventually(lambda: knocked(served))
    eventually(lambda: screen.views.get(timeout=PATIENCE)["service"]["pairing"])
    screen.close()


def knocked(served: Served) -> bool:
    """Knock as often as is asked for; tell whether the code is shown."""
    for _ in range(KNOCKS):
        served.push(4, held=0.06)
    return served.get("/api/pairing", Cookie=None).status == 200


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def press(knock: Knock, times: int, *, apart: int, button: int | None = 1) -> None:
    for number in range(times):
        knock.heard.append(PressNotice(button, None, number * apart, "button"))


def test_the_link_goes_away_by_itself():
    clock = Clock()
    knock = Knock(clock)
    assert not knock.showing
    knock.show()
    clock.now += SHOWN_FOR - 1
    assert knock.showing
    clock.now += 1
    assert not knock.showing


def test_ordinary_presses_are_no_knocking():
    knock = Knock()
    press(knock, 40, apart=SECOND // 2)
    press(knock, KNOCKS - 1, apart=WITHIN // KNOCKS, button=2)
    press(knock, 100, apart=1, button=None)
    for button in range(3, 10):
        press(knock, KNOCKS - 1, apart=1, button=button)
    assert not knock.showing
    press(knock, KNOCKS, apart=WITHIN // KNOCKS, button=10)
    assert knock.showing


def test_a_player_with_many_phones_pushes_nobody_else_out(tmp_path):
    pairing = Pairing(tmp_path / "sessions.json", "ABCDEFGH")
    referee = pairing.pair("ABCDEFGH", Browser("10.0.0.2"))
    cam = pairing.pair_phone(3, pairing.code_of(3), Browser("10.0.0.4"))
    phones = [
        pairing.pair_phone(2, pairing.code_of(2), Browser("10.0.0.3")) for _ in range(SESSIONS * 2)
    ]
    assert pairing.role(referee) == "referee"
    assert pairing.session(cam) == 3
    assert [pairing.session(phone) for phone in phones[-PHONES:]] == [2] * PHONES
    assert pairing.session(phones[-PHONES - 1]) is None
    for player in range(100, 100 + ALL_PHONES):
        pairing.pair_phone(player, pairing.code_of(player), Browser("10.0.0.5"))
    assert pairing.role(referee) == "referee"
    assert pairing.session(cam) is None


def test_phones_survive_a_restart_and_their_codes_do_not(tmp_path):
    file = tmp_path / "sessions.json"
    before = Pairing(file)
    phone = before.pair_phone(7, spoken(before.code_of(7)).lower(), Browser("10.0.0.3"))
    after = Pairing(file)
    assert (after.session(phone), after.role(phone)) == (7, "player")
    with pytest.raises(WrongCode):
        after.pair_phone(7, before.code_of(7), Browser("10.0.0.3"))
    assert len({before.code_of(player) for player in range(1, 200)}) == 199


def test_two_phones_count_their_hands_at_the_same_time(served):
    names = ("Ana", "Ben", "Cam", "Dan")
    for name in names:
        served.do("sit", name=name)
    for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": 1}), ("deal", {})):
        served.do(kind, **fields)
    codes = {seat: served.get(f"/api/seats/{seat}").json["code"] for seat in (2, 3, 4)}
    served.do("go_out", seat=1)
    version = served.table["version"]
    served.cookie = None
    statuses: dict[int, int] = {}

    def count(seat: int) -> None:
        answer = served.phone(seat, codes[seat])
        cookie = answer.headers["set-cookie"].partition(";")[0]
        body = envelope("enter_hand", seat=seat, cards={f"red-{seat}": 2}, version=version)
        statuses[seat] = served.post("/api/commands", body, Cookie=cookie).status

    phones = [threading.Thread(target=count, args=(seat,)) for seat in codes]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join(timeout=PATIENCE)
    assert statuses == {2: 200, 3: 200, 4: 200}
    assert served.table["round"]["missing_hands"] == []


def test_every_screen_sees_at_once_which_seats_have_a_phone(served):
    for name in ("Ana", "Ben"):
        assert served.do("sit", name=name).status == 200
    referee = served.cookie
    watching = served.screen(watching=True)

    def phones_become(*wanted: bool) -> None:
        while True:
            table = watching.views.get(timeout=PATIENCE)["table"]
            if [seat["phone"] for seat in table["seats"]] == list(wanted):
                return

    version = served.table["version"]
    phones_become(False, False)
    ben = served.paired_phone(2)
    phones_become(False, True)
    served.paired_phone(1)
    phones_become(True, True)
    served.cookie = ben
    assert served.post("/api/sign-out", {}).status == 200
    phones_become(True, False)
    served.cookie = referee
    assert served.post("/api/sign-out/others", {}).status == 200
    phones_become(False, False)
    assert served.table["version"] == version
    watching.close()


def test_the_phone_moves_along_with_its_player(served):
    for name in ("Ana", "Ben"):
        assert served.do("sit", name=name).status == 200
    served.paired_phone(2)
    assert served.do("swap", seat=1, other=2).status == 200
    assert {seat["name"]: seat["phone"] for seat in served.table["seats"]} == {
        "Ana": False,
        "Ben": True,
    }
