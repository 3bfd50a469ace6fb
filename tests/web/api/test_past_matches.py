"""What was played, to look at and to take away."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from companion.past import match_files as written
from tests.kit.served import Served, eventually

RISKY = '=HYPERLINK("//evil")'


@pytest.fixture(scope="module")
def nights(shared: Served) -> Served:
    """Two matches: one with a race and two rounds of three people, and one of two of them."""
    shared.pair()
    for name in ("Ana", "Ben", RISKY):
        shared.do("sit", name=name)
    done(shared, ("start_match", {}), ("choose_dealer", {"seat": 1}), ("deal", {}))
    done(shared, ("declare_race", {"layer": 1}))
    done(shared, ("press_seat", {"seat": 2}), ("press_seat", {"seat": 3}))
    for debt in eventually(lambda: owed(shared)):
        done(shared, ("drawn", {"debt": debt["number"]}))
    for out in (1, 2):
        done(shared, ("go_out", {"seat": out}))
        for seat in {1, 2, 3} - {out}:
            done(shared, ("enter_points", {"seat": seat, "points": 10 * seat}))
        done(shared, ("score_round", {}), *([("deal", {})] if out == 1 else []))
    done(shared, ("close_match", {}), ("stand", {"seat": 3}), ("start_match", {}))
    done(shared, ("close_match", {}))
    shared.cookie = None
    return shared


def owed(served: Served) -> list[dict[str, Any]]:
    """On a slow machine two taps may be too close to call; then the referee says who was last."""
    race = served.table["race"]
    if race and race["state"] == "undecided":
        done(served, ("pick_last", {"seats": race["tied"][:1]}))
    debts: list[dict[str, Any]] = served.table["debts"]
    return debts


def done(served: Served, *wishes: tuple[str, dict[str, object]]) -> None:
    for kind, fields in wishes:
        answer = served.do(kind, **fields)
        assert answer.status == 200, (kind, answer)


def lines(answer) -> list[dict[str, str]]:
    assert answer.status == 200
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.body.startswith(b"\xef\xbb\xbf"), "a spreadsheet takes it for another alphabet"
    return list(csv.DictReader(io.StringIO(answer.body.decode("utf-8-sig"))))


def test_the_story_of_a_match_names_rounds_rulings_and_races(nights):
    story = nights.get("/api/matches/1/story").json
    first, second = story["rounds"]
    assert (first["score"]["out"], second["score"]["number"]) == (1, 2)
    assert {one["name"] for one in first["players"]} == {"Ana", "Ben", RISKY}
    (race, *_) = [one for one in first["rulings"] if one["race"]]
    assert (race["rule"], race["race"]["layer"]["name"]) == ("R12", "Ana")
    assert first["rulings"][-1]["sentence"]["code"] == "scored_classic"


@pytest.mark.parametrize("what", ["", ".csv", "/story"])
def test_a_match_that_was_never_played_gets_a_sentence(nights, what):
    answer = nights.get(f"/api/matches/99{what}")
    assert (answer.status, answer.json["error"]) == (404, "no_such_match")


def test_the_list_in_brief_is_enough_to_choose_from(nights):
    later, earlier = nights.get("/api/matches?brief=1").json["matches"]
    assert (earlier["rounds"], earlier["edition"]) == (2, "fast-and-furious")
    assert earlier["players"][0] == {"name": "Ana", "points": 50, "rounds": 1}
    assert [one["name"] for one in later["players"]] == ["Ana", "Ben"]
    assert "sheet" not in earlier
    assert nights.get("/api/matches?brief=yes").status == 400


def test_scores_are_taken_away_as_lines_and_no_name_is_a_formula(nights):
    found = lines(nights.get("/api/matches.csv"))
    assert [(line["match"], line["round"], line["player"]) for line in found] == [
        ("1", str(round_), str(player)) for round_ in (1, 2) for player in (1, 2, 3)
    ]
    assert {line["name"] for line in found} == {"Ana", "Ben", f"'{RISKY}"}
    assert lines(nights.get("/api/matches.csv?player=Ana&player=Ben&group=1")) == []
    assert lines(nights.get("/api/matches/1.csv")) == found
    evening = {(line["date"], line["edition"], line["scoring"]) for line in found}
    started = nights.get("/api/matches/1").json["started"]
    assert evening == {(written.evening(started), "Fast & Furious", "classic")}


@pytest.mark.parametrize(
    "name",
    [
        *"=+-@",
        *"\uff1d\uff0b\uff0d\uff20",
        *"\ufe66\ufe62\ufe63\ufe6b",
        "\u207c",
        "\u2212",
        "\u3000=",
    ],
)
def test_a_formula_of_any_width_is_taken_away_as_text(name):
    assert written.as_text(f"{name}SUM(A1)") == f"'{name}SUM(A1)"
    assert written.as_text(f"Ana {name}") == f"Ana {name}"


@pytest.mark.parametrize(
    ("label", "day"),
    [
        ("2026-11-16T21:40:00.000", "2026-11-16"),
        ("2026-11-17T00:40:00.000", "2026-11-16"),
        ("2026-11-17T06:01:00.000", "2026-11-17"),
        ("some day", ""),
    ],
)
def test_a_match_after_midnight_is_of_the_evening_before(label, day):
    assert written.evening(label) == day


def test_races_are_taken_away_with_a_line_for_every_racer(nights):
    found = lines(nights.get("/api/matches/races.csv"))
    assert {(line["player"], line["layer"]) for line in found} == {("2", "Ana"), ("3", "Ana")}
    assert sorted(line["place"] for line in found) == ["1", "2"]
    assert [line["last"] for line in found].count("yes") == 1
    assert min(float(line["counted_ms"]) for line in found) == 0, "counted from the first hand"
    assert {(line["how"], line["hand"]) for line in found} == {("tablet", "once")}
    assert f"'{RISKY}" in {line["name"] for line in found}
    assert all(line["date"] and float(line["doubt_ms"]) > 0 for line in found)
    assert lines(nights.get("/api/matches/races.csv?from=2")) == []


def test_everything_is_taken_away_as_json(nights):
    answer = nights.get("/api/matches.json?to=1")
    assert 'filename="matches.json"' in answer.headers["content-disposition"]
    (record,) = json.loads(answer.body)["matches"]
    story, moments = record.pop("story"), record.pop("moments")
    assert record == nights.get("/api/matches/1").json
    assert story == nights.get("/api/matches/1/story").json
    (race,) = moments["races"]
    assert sorted(slap["player"] for slap in race["slaps"]) == [2, 3]
    assert json.loads(nights.get("/api/matches.json?player=Zoe").body)["matches"] == []


@pytest.mark.parametrize(
    "door", ["/api/matches.csv", "/api/matches.json", "/api/matches/races.csv"]
)
def test_a_slip_of_the_pen_takes_nothing_away(nights, door):
    answer = nights.get(f"{door}?palyer=Ana")
    assert (answer.status, answer.json["error"]) == (400, "wrong_value")
