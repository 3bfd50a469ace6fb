"""What people look up: a card, the editions, the night's figures, and the pages that show them."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import time

import click
import pytest

from tests.kit.served import PATIENCE, command, eventually, free_port
from web.access.invitations import in_letters, picture

DRAWN = "▀"
"""What every code in letters has, and no sentence."""


@pytest.mark.parametrize(
    ("asked", "answer", "rule", "why"),
    [
        pytest.param("top=red-5&card=blue-5", "yes", "R5", "on a red 5", id="same number"),
        pytest.param("top=red-5&card=red-skip", "yes", "R5", "on a red 5", id="same colour"),
        pytest.param("top=red-skip&card=blue-skip", "yes", "R5", "You can play", id="same symbol"),
        pytest.param("top=red-5&card=blue-7", "no", "R5", "the colour is red", id="no match"),
        pytest.param(
            "top=wild&colour=green&card=green-0", "yes", "R5", "You can play", id="as named"
        ),
        pytest.param("top=wild&colour=green&card=red-0", "no", "R5", "is green", id="not as named"),
        pytest.param("top=red-5&colour=red&card=wild", "yes", "R9", "You can play", id="a wild"),
        pytest.param(
            "top=wild-draw&colour=red&card=wild", "yes", "R9", "You can play", id="on a wild"
        ),
        pytest.param("top=red-5&card=wild-draw", "if", "R10", "hold no red card", id="honestly"),
    ],
)
def test_may_i_play_this(watcher, asked, answer, rule, why):
    found = watcher.get(f"/api/may-play?edition=express&{asked}")
    assert found.status == 200
    assert (found.json["answer"], found.json["rule"]) == (answer, rule)
    assert why in found.json["sentence"]["text"]


def test_a_street_race_is_a_wild_where_there_is_one(watcher):
    asked = "top=red-5&card=street-race"
    found = watcher.get(f"/api/may-play?edition=fast-and-furious&{asked}").json
    assert (found["answer"], found["rule"]) == ("yes", "R9")
    none = watcher.get(f"/api/may-play?edition=express&{asked}")
    assert (none.status, none.json["error"]) == (400, "unknown_card")


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        pytest.param("", "missing_field", id="nothing"),
        pytest.param("edition=express&top=red-5", "missing_field", id="no card"),
        pytest.param("edition=poker&top=red-5&card=red-6", "unknown_edition", id="another game"),
        pytest.param("edition=express&top=pink-5&card=red-6", "unknown_card", id="no such top"),
        pytest.param("edition=express&top=red-5&card=red-66", "unknown_card", id="no such card"),
        pytest.param("edition=express&top=wild&card=red-5", "colour_open", id="no colour named"),
        pytest.param(
            "edition=express&top=wild&colour=pink&card=red-5", "wrong_value", id="no such colour"
        ),
        pytest.param(
            "edition=express&top=red-5&colour=blue&card=red-6",
            "wrong_value",
            id="another colour than the card on top has",
        ),
    ],
)
def test_a_question_that_makes_no_sense_gets_a_sentence(watcher, asked, error):
    answer = watcher.get(f"/api/may-play?{asked}")
    assert (answer.status, answer.json["error"]) == (400, error)
    assert answer.json["message"]


def test_the_editions_come_with_every_number_that_the_rules_need(watcher):
    race, express = watcher.get("/api/editions").json["editions"]
    assert (race["size"], race["dealt"], race["target"], race["race"]) == (112, 7, 500, True)
    assert (race["race_draws"], race["catch_draws"], race["innocent_extra"]) == (4, 2, 2)
    assert (express["size"], express["race"]) == (56, False)
    assert [face["draws_when_last"] for face in express["faces"] if face["act"] == "draw"] == [
        False
    ]


def test_statistics_are_told_for_the_matches_that_were_asked_for(served):
    for name in ("Ana", "Ben"):
        served.do("sit", name=name)
    for _ in range(2):
        for kind, fields in (
            ("start_match", {}),
            ("choose_dealer", {"seat": 1}),
            ("deal", {}),
            ("catch", {"seat": 2, "by": 1}),
        ):
            assert served.do(kind, **fields).status == 200, kind
        eventually(lambda: served.table["rulings"])
        for kind, fields in (
            ("go_out", {"seat": 1}),
            ("enter_points", {"seat": 2, "points": 40}),
            ("score_round", {}),
            ("close_match", {}),
        ):
            assert served.do(kind, **fields).status == 200, kind
    night = served.get("/api/statistics").json
    assert (night["matches"], night["rounds"]) == ([1, 2], 2)
    assert night["winners"] == [{"name": "Ana", "matches": 0, "rounds": 2, "row": 0}]
    assert [one["caught"] for one in night["calls"] if one["name"] == "Ana"] == [2]
    assert served.get("/api/statistics?player=Ana&player=Cy").json["matches"] == []
    one = served.get("/api/statistics?from=2&to=2").json
    assert (one["matches"], one["rounds"]) == ([2], 1)
    assert served.get("/api/statistics?from=9").json["matches"] == []


@pytest.mark.parametrize("asked", ["from=x", "to=-1", "from=1e3", "to=" + "9" * 40, "from=%D9%A3"])
def test_statistics_of_no_number_get_a_sentence(watcher, asked):
    answer = watcher.get(f"/api/statistics?{asked}")
    assert (answer.status, answer.json["error"]) == (400, "wrong_value")


@pytest.mark.parametrize("path", ["/board", "/rules", "/history", "/seat/3"])
def test_every_page_is_served_under_the_same_policy_without_words_of_its_own(watcher, path):
    answer = watcher.get(path)
    assert (answer.status, answer.headers["content-type"].partition(";")[0]) == (200, "text/html")
    assert answer.headers["cache-control"] == "no-cache"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    page = answer.body.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|https?://", page)
    for asset in re.findall(r'(?:src|href)="(/[^"]+)"', page):
        assert watcher.get(asset).status == 200, asset


def test_everyone_may_have_the_code_to_watch(watcher):
    join = watcher.get("/api/join").json
    assert join["watch"] == f"{watcher.address}/"
    picture_ = watcher.get("/api/join.svg")
    assert picture_.headers["content-type"].startswith("image/svg+xml")
    assert picture_.headers["cache-control"] == "no-store"
    assert picture_.body == picture(join["watch"])
    assert b"<script" not in picture_.body


@pytest.mark.parametrize("kind", ["terminal", "journal"])
def test_a_terminal_and_the_journal_have_the_referees_link_as_a_code_and_a_pipe_has_not(
    tmp_path, watcher, kind
):
    assert not any(DRAWN in line for line in watcher.lines)
    primary, secondary = pty.openpty() if kind == "terminal" else os.pipe()
    known = os.fstat(secondary)
    table = subprocess.Popen(
        command(free_port(), tmp_path),
        stdout=secondary,
        stderr=secondary,
        # As systemd says it of a service whose words go into its journal.
        env={**os.environ, "JOURNAL_STREAM": f"{known.st_dev}:{known.st_ino}"},
    )
    os.close(secondary)
    try:
        said = b""
        until = time.monotonic() + PATIENCE
        while DRAWN.encode() not in said or select.select([primary], [], [], 0.5)[0]:
            assert time.monotonic() < until, said
            if select.select([primary], [], [], 0.5)[0]:
                said += os.read(primary, 65536)
        found = re.search(rb"Referee:\s+(\S+)", said)
        assert found
        drawn = in_letters(found[1].decode())
        if kind == "journal":
            drawn = click.unstyle(drawn)
        assert drawn.encode() in said.replace(b"\r\n", b"\n")
    finally:
        table.terminate()
        table.wait(timeout=PATIENCE)
        os.close(primary)


def test_who_played_here_before_is_known_by_name_and_nobody_by_a_mere_number(served):
    assert served.get("/api/names").json == {"names": []}
    for name in ("Ana", "Ben"):
        served.do("sit", name=name)
    served.do("start_match")
    served.do("close_match")
    served.do("stand", seat=2)
    served.do("sit", name="")
    served.do("sit", name="Cam")
    assert [seat["name"] for seat in served.table["seats"]] == ["Ana", "Player 3", "Cam"]
    served.do("start_match")
    assert served.get("/api/names").json == {"names": ["Ana", "Cam", "Ben"]}
